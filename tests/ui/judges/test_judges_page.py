"""The judges page: cards, two judges side by side, reviewers, labelled files; the corrected score on the overview."""

import re
from dataclasses import replace
from datetime import UTC, datetime

import pandas as pd
from streamlit.proto.Dataframe_pb2 import Dataframe as DataframeProto
from streamlit.testing.v1 import AppTest

from faithview.domain.claim import Verdict
from faithview.domain.run import JudgeSpec
from faithview.services.container import Store
from faithview.services.review import queue
from faithview.stats.spot_check import Unit
from faithview.store import benchmarks
from tests.dashboard import ROOT
from tests.factories import (
    NOW,
    C,
    N,
    S,
    draw_check,
    label_check,
    make_claim,
    make_row,
    make_run,
    say,
    store_run,
)

_HOSTILE = "**bold** <b>x</b> :red[y] $z$"


def _store(services: Store, run_id: str, *verdicts: Verdict, judge: str = "lexical", series: str | None = None) -> None:
    rows = [
        make_row({"c": "x"}, make_claim(f"{_HOSTILE} {n}", verdict, "c", confidence=0.8), question=f"q{n}", key=f"k{n}")
        for n, verdict in enumerate(verdicts)
    ]
    run = make_run(run_id, as_of=NOW, judge=JudgeSpec(name=judge), fingerprint=f"{judge}/1")
    run = run if series is None else replace(run, series=series)
    store_run(services.db, [sample for sample, _ in rows], [result for _, result in rows], run=run)


def _open(page: str = "pages/judges.py", **parameters: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    app.switch_page(page)
    for key, value in parameters.items():
        app.query_params[key] = value
    app.run()
    assert not app.exception
    return app


def _text(app: AppTest) -> str:
    return " ".join(text.value for text in (*app.markdown, *app.caption))


def _cells(frame: pd.DataFrame, column: str, value: str) -> list[object]:
    """Return what stands beside that value of that column."""
    (row,) = frame[frame[column] == value].to_dict("records")
    return [cell for name, cell in row.items() if name != column]


def _label(services: Store, run_id: str, *verdicts: str, by: str = "Ada") -> None:
    for row, verdict in enumerate(verdicts, start=1):
        say(services, run_id, row, 1, verdict, by=by)


def test_a_judge_nobody_has_checked_says_so_and_leads_to_a_spot_check(services: Store) -> None:
    _store(services, "r", S, C)
    app = _open()
    assert "No claim has a label yet" in _text(app)
    assert [button.label for button in app.button if button.key == "judges.draw"] == ["Draw a spot-check"]
    assert any("does not" in line or "is not" in line for line in _text(app).split("\n"))  # what it cannot see


def test_a_card_compares_the_judge_with_people(services: Store) -> None:
    _store(services, "r", S, S, C, N)
    _label(services, "r", "supported", "contradicted", "contradicted", "not_a_claim")
    app = _open()
    shown = _text(app)
    # Two of four the same: too few to be said in bold.
    assert "Too few labels to say how often reviewers agree with `lexical`: 6–94%; 2 of 4 labelled." in shown
    assert "too few labels (0.06–0.94)  \n:small[:gray[2 of 4 labelled]]" in shown
    assert "2 mistakes, the most confident first" in shown
    confusion, mistakes = (frame.value for frame in app.dataframe)
    assert _cells(confusion, "row", "✓ supported") == [1, 0, 0, 1, 0]
    # In the table the text is a value: nothing of it can become markup.
    assert mistakes["claim"].tolist() == [f"{_HOSTILE} 1", f"{_HOSTILE} 3"]
    assert mistakes["people"].tolist() == ["✕ contradicted", "not a claim"]
    assert _HOSTILE not in shown


def test_labels_on_flagged_claims_alone_give_no_recall_in_the_headline_and_on_the_card(services: Store) -> None:
    _store(services, "r", C, N, S, S)
    _label(services, "r", "contradicted", "supported")
    app = _open()
    shown = _text(app)
    assert (
        "Reviewers agree with `lexical` on 1 of 2 labelled claims. How many of the unsupported claims it finds is "
        in shown
    )
    assert shown.count("unknown: only flagged claims are labelled") == 3
    assert "Flags correctly (precision)" in shown
    assert "These figures describe only the labelled claims" in shown


def test_weighted_figures_and_counts_are_told_apart(services: Store) -> None:
    # Of two spot-checks of different sizes, whose labels stand for 200 / 80 and 200 / 20 claims.
    _store(services, "r", *[S] * 150, *[C] * 50)
    for size in (80, 20):
        check = draw_check(services, "r", size=size, unit=Unit.CLAIM, seed=size, by="Ada")
        label_check(services, check, lambda item: C if item.drawn.row > 140 else S)
    app = _open()
    shown = _text(app)
    assert shown.count("The figures are weighted to the whole run; the counts are plain counts of labels.") == 1
    behind = re.search(r"(\d+) of (\d+) labelled", shown)
    assert behind is not None
    (figure,) = [text for text in app.markdown if "Agrees with reviewers" in text.value]
    assert figure.proto.help.endswith(f"{behind[0]}.")
    toggle = app.segmented_control(key="judges.matrix")
    assert (toggle.options, toggle.value) == (["counts", "weighted"], "weighted")
    (weighted,) = [frame.value for frame in app.dataframe if "row" in frame.value]
    assert all(str(cell).endswith("%") for cell in _cells(weighted, "row", "✓ supported"))
    toggle.set_value("counts").run()
    assert not app.exception
    (counts,) = [frame.value for frame in app.dataframe if "row" in frame.value]
    numbers = counts.drop(columns="row").to_numpy()
    assert numbers.sum() == int(behind[2])
    assert numbers.trace() == int(behind[1])


def test_a_figure_does_not_read_1_while_a_cell_of_its_row_is_not_0(services: Store) -> None:
    _store(services, "r", *[S] * 400)
    _label(services, "r", *["supported"] * 399, "contradicted")
    app = _open()
    (figure,) = [text.value for text in app.markdown if "Flags" not in text.value and "Agrees with" in text.value]
    assert "**>0.99 (" in figure
    assert "399 of 400 labelled" in figure
    assert "1.00 (" not in figure


def test_the_card_is_of_the_series_in_view(services: Store) -> None:
    _store(services, "r", S, C, series="Docs")
    _store(services, "s", S, S, series="Help")
    _label(services, "s", "supported")
    assert "No claim has a label yet" in _text(_open(series="Docs"))
    assert "1 labelled claim" in _text(_open(series="Help"))


def test_several_judges_stand_beside_each_other_the_most_labelled_first(services: Store) -> None:
    _store(services, "r", S, C)
    _store(services, "s", S, S, judge="openai:gpt")
    _label(services, "s", "supported")
    app = _open()
    assert app.dataframe[0].value["judge"].tolist() == ["openai:gpt", "lexical"]
    assert not {"method", "version"} & set(app.dataframe[0].value)
    assert any(caption.value.startswith("method claims · openai") for caption in app.caption)
    assert app.dataframe[0].proto.selection_mode == [DataframeProto.SelectionMode.SINGLE_CELL]
    assert [heading.value for heading in app.header] == ["openai\\:gpt"]


def test_two_judges_are_compared_on_the_answers_that_both_judged(services: Store) -> None:
    _store(services, "r", S, C, S, S)
    _store(services, "s", S, C, C, S, judge="openai:gpt")
    app = _open(judges="Side by side")
    assert "Both have judged 4 answers, and agree on **75%** of them whether the answer is faithful" in _text(app)
    assert "it is unknown which of them is right" in _text(app)
    table, figures, differences = (frame.value for frame in app.dataframe)
    assert _cells(table, "row", "✓ supported") == [2, 0, 0, 1]
    assert "Spot-check these 1" in [button.label for button in app.button]
    assert "Judge again with …" in [button.label for button in app.button]
    assert _cells(figures, "", "Mean faithfulness")[:2] == ["0.75", "0.50"]
    assert differences["claim"].tolist() == [f"{_HOSTILE} 2"]
    _label(services, "r", "supported", "contradicted", "contradicted")
    app = _open(judges="Side by side")
    assert app.dataframe[2].value["people"].tolist() == ["✕ contradicted"]
    app.segmented_control(key="pair.what").set_value("answers").run()
    assert not app.exception
    assert app.dataframe[2].value["first_score"].tolist() == [1.0]
    app.selectbox(key="pair.second").set_value(app.selectbox(key="pair.first").value).run()
    assert "Choose two different judges" in _text(app)


def test_one_judge_alone_has_nothing_beside_it(services: Store) -> None:
    _store(services, "r", S)
    assert "All runs are by one judge" in _text(_open(judges="Side by side"))


def test_reviewers_are_compared_with_each_other(services: Store) -> None:
    _store(services, "r", S, C, S, S)
    assert "No claim has a label yet" in _text(_open(judges="Reviewers"))
    _label(services, "r", "supported", "contradicted", "supported", "contradicted")
    assert "No claim of this run has labels by two reviewers" in _text(_open(judges="Reviewers"))
    _label(services, "r", "supported", "contradicted", "contradicted", "contradicted", by="Ben")
    app = _open(judges="Reviewers")
    # The pairs ss, cc, sc, cc: 3 of 4 the same, 1/2 by chance.
    pairs = app.dataframe[0].value
    assert pairs["what"].tolist() == ["Ada and Ben"]
    assert pairs["value"].tolist()[0].startswith("0.50")
    assert pairs["same"].tolist() == ["75%"]
    assert [button.label for button in app.button if button.key == "judges.settle"] == ["Settle 1 disagreement"]


def test_the_results_of_a_bench_are_shown(services: Store) -> None:
    _store(services, "r", S)
    assert "faithview bench FILE" in _text(_open(judges="Labelled files"))
    document = {"judge": "lexical", "file": "a.jsonl", "rows": 20, "failed": 1, "macro": {"balanced_accuracy": 0.75}}
    benchmarks.add_benchmark(
        services.db, at=datetime.now(UTC), fingerprint="lexical/1", file="a.jsonl", document=document
    )
    app = _open(judges="Labelled files")
    assert "balanced accuracy **0.75** (n 20" in _text(app)
    assert app.dataframe[0].value["failed"].tolist() == [1]


def test_the_overview_shows_the_corrected_score_beside_the_judges_own(services: Store) -> None:
    _store(services, "r", *[S] * 45, *[C] * 15)
    page = "pages/overview.py"
    app = _open(page, view="corrected")
    assert "No run has a corrected score yet" in _text(app)
    assert app.dataframe[0].value["check"].tolist() == ["no spot-check"]
    check = draw_check(services, "r", size=40, by="Ada")
    while (claim := queue.next_claim(services, check, reviewer="Ada")) is not None:
        queue.label_and_advance(services, check, claim.item.position, "supported", reviewer="Ada")
        if claim.item.position == 8:
            assert "too few labels: about " in _open(page, view="corrected").dataframe[0].value["check"].tolist()[0]
    app = _open(page, view="corrected")
    (row,) = app.dataframe[0].value.to_dict("records")
    assert row["judged"].startswith("0.75 (")
    assert row["judged"].endswith("n 60)")
    assert row["n"] == 40
    assert row["faithfulness"] > 0.9
    assert row["interval"] != "–"
    assert row["check"].startswith("40 labels")
    assert "Runs, corrected" in [heading.value for heading in app.header]
    assert "faithfulness corrected by reviewers" in _text(app)
    judged = _open(page, view="judge")
    assert judged.dataframe[0].value["faithfulness"].tolist() == [0.75]
