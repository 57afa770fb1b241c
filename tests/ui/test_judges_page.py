"""The judges page: judges and their labels, reviewers, labelled files."""

from dataclasses import replace
from datetime import UTC, datetime

import pandas as pd
from streamlit.testing.v1 import AppTest

from faithview.domain.claim import Verdict
from faithview.domain.run import JudgeSpec
from faithview.services.container import Store
from faithview.store import benchmarks
from tests.dashboard import ROOT
from tests.factories import (
    NOW,
    C,
    N,
    S,
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
    assert "2 mistakes, the most confident first" in shown
    figures, confusion, calibration, mistakes = (frame.value for frame in app.dataframe)
    assert _cells(figures, "figure", "Agrees with reviewers") == ["too few labels (0.06–0.94), n 4"]
    assert _cells(confusion, "row", "✓ supported") == [1, 0, 0, 1, 0]
    assert calibration["n"].tolist() == [4]
    # In the table the text is a value: nothing of it can become markup.
    assert mistakes["claim"].tolist() == [f"{_HOSTILE} 1", f"{_HOSTILE} 3"]
    assert mistakes["people"].tolist() == ["✕ contradicted", "not a claim"]
    assert _HOSTILE not in shown


def test_several_judges_stand_beside_each_other_the_most_labelled_first(services: Store) -> None:
    _store(services, "r", S, C)
    _store(services, "s", S, S, judge="openai:gpt")
    _label(services, "s", "supported")
    app = _open()
    first, second = app.selectbox(key="judges.chosen").options
    assert (first.split(" ")[0], second.split(" ")[0]) == ("openai:gpt", "lexical")
    assert app.dataframe[0].value.columns.tolist() == ["figure", first]
    assert any(caption.value.startswith("method claims · openai") for caption in app.caption)
    assert "were not drawn at random" in _text(app)
    app.selectbox(key="judges.chosen").set_value(second).run()
    assert "No labels on its claims yet" in _text(app)


def test_reviewers_are_compared_with_each_other(services: Store) -> None:
    _store(services, "r", S, C, S, S)
    assert "No claim has a label yet" in _text(_open(tab="reviewers"))
    _label(services, "r", "supported", "contradicted", "supported", "contradicted")
    assert "No claim of this run has labels by two reviewers" in _text(_open(tab="reviewers"))
    _label(services, "r", "supported", "contradicted", "contradicted", "contradicted", by="Ben")
    app = _open(tab="reviewers")
    # The pairs ss, cc, sc, cc: 3 of 4 the same, 1/2 by chance.
    pairs = app.dataframe[0].value
    assert pairs["what"].tolist() == ["Ada and Ben"]
    assert pairs["value"].tolist()[0].startswith("0.50")
    assert pairs["same"].tolist() == ["3 of 4"]
    assert [button.label for button in app.button if button.key == "judges.settle"] == ["Settle 1 disagreement"]


def test_the_results_of_a_bench_are_shown(services: Store) -> None:
    _store(services, "r", S)
    assert "faithview bench FILE" in _text(_open(tab="files"))
    document = {"judge": "lexical", "file": "a.jsonl", "rows": 20, "failed": 1, "macro": {"balanced_accuracy": 0.75}}
    benchmarks.add_benchmark(
        services.db, at=datetime.now(UTC), fingerprint="lexical/1", file="a.jsonl", document=document
    )
    app = _open(tab="files")
    assert "balanced accuracy **0.75** (n 20" in _text(app)
    assert app.dataframe[0].value["failed"].tolist() == [1]
