"""Changes: the address opens a comparison with its worst answer; doubts are said first."""

import json
from typing import Any

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from faithview.services.comparison.compare import compare_runs
from faithview.services.comparison.compared_runs import waterfall_steps
from faithview.services.container import Store
from faithview.services.results import get_run
from faithview.services.review.labels import LabelProvenance, label_claim
from faithview.ui import navigation
from tests.factories import C, N, S, make_claim, make_row, store_rows
from tests.ui.conftest import OpenPage, words_of

OPEN = {"open": "The office opens at 9 am."}
LATER = {"open": "The office opens at 10 am."}
PARK = {"park": "Parking is free for all guests of the house."}
_RUNS = {"baseline": "old", "candidate": "new"}


def _store(services: Store, *, fingerprint: str = "lexical/1") -> None:
    old = [
        make_row(OPEN, make_claim("It opens at 9.", S, "open"), question="When does it open?", key="a"),
        make_row(PARK, make_claim("Parking is free.", S, "park"), question="Is parking free?", key="b"),
        make_row(PARK, make_claim("Guests park.", S, "park"), question="Who may park at the house, please?", key="c"),
    ]
    new = [
        make_row(LATER, make_claim("It opens at 9.", C, "open"), question="When does it open?", key="a"),
        make_row(PARK, make_claim("It is free.", S, "park"), question="Is parking free?", key="b"),
        make_row(PARK, make_claim("Guests park.", N), question="Who may park at the house?", key="z"),
    ]
    store_rows(services, "old", old)
    store_rows(services, "new", new, week=1, fingerprint=fingerprint)


def _readers(app: AppTest, about: str) -> list[dict[str, Any]]:
    """What the readers are given that show an answer of which this is said."""
    data = [json.loads(one.proto.mixed.json or one.proto.json) for one in app.get("bidi_component")]
    return [one for one in data if one.get("answer") and about in one["answer"]["about"]]


def _table(app: AppTest, column: str) -> pd.DataFrame:
    """The table that has this column."""
    (table,) = [one.value for one in app.dataframe if column in one.value]
    return table


def test_the_page_says_what_it_needs_where_there_are_no_two_runs(open_page: OpenPage) -> None:
    assert "With two runs over the same questions" in words_of(open_page(navigation.CHANGES))


def test_the_address_opens_a_comparison_with_its_worst_answer(services: Store, open_page: OpenPage) -> None:
    _store(services)
    app = open_page(navigation.CHANGES, **_RUNS)
    text = words_of(app)
    assert "Not statistically significant" in text
    assert "1 worse · 0 better · 1 unchanged" in text
    assert "1 only before, 1 only now" in text
    (before,), (now,) = _readers(app, "Before · 1.00 · old"), _readers(app, "Now · 0.00 · new")
    assert [claim["verdict"] for claim in before["answer"]["claims"]] == ["supported"]
    assert [claim["verdict"] for claim in now["answer"]["claims"]] == ["contradicted"]
    assert (before["claim"], now["claim"]) == (1, 1)  # the claim that moved the score is chosen on both sides
    claims = _table(app, "effect")
    assert claims["effect"].tolist() == ["−1.00"]
    assert claims["cause"].tolist() == ["Document edited: broke"]
    assert claims["verdict_before"].tolist() == ["✓ supported"]


def test_a_claim_in_the_address_is_chosen_with_its_partner(services: Store, open_page: OpenPage) -> None:
    _store(services)
    for claim, chosen in (("now-1", 1), ("before-1", 1), ("0", None), ("<b>", None), ("now-99", None)):
        app = open_page(navigation.CHANGES, claim=claim, **_RUNS)
        assert [one["claim"] for one in _readers(app, " · old") + _readers(app, " · new")] == [chosen, chosen]


def test_a_reviewers_verdict_is_shown_with_the_judges_and_counts_for_no_difference(
    services: Store, open_page: OpenPage
) -> None:
    _store(services)
    run = get_run(services, "new")
    label_claim(services, run.run_id, 1, 1, "supported", LabelProvenance(reviewer="ada"))
    app = open_page(navigation.CHANGES, **_RUNS)
    (now,) = _readers(app, " · new")
    (claim,) = now["answer"]["claims"]
    assert (claim["verdict"], claim["other"][:2]) == ("supported", ["judge", "contradicted"])
    assert "1 worse" in words_of(app)
    assert _table(app, "effect")["effect"].tolist() == ["−1.00"]


def test_only_who_may_label_has_the_buttons(services: Store, open_page: OpenPage) -> None:
    _store(services)
    app = open_page(navigation.CHANGES, **_RUNS)
    assert not any(one["choices"] for one in _readers(app, "Now · "))
    app.text_input(key="reviewer.field").set_value("ada")
    app.button(key="FormSubmitter:reviewer.ask-Save name").click().run()
    (now,) = _readers(app, "Now · ")
    assert now["answer"]["claims"][0]["can_label"]


def test_the_words_that_changed_are_shown_on_request(services: Store, open_page: OpenPage) -> None:
    _store(services)
    app = open_page(navigation.CHANGES, **_RUNS)
    app.session_state["compare.words"] = True
    app.run()
    (diff,) = [one.proto.body for one in app.get("html") if 'class="fv-text"' in one.proto.body]
    assert "<del>9 </del><ins>10 </ins>" in diff


def test_without_an_address_the_two_newest_runs_by_one_judge_are_compared(services: Store, open_page: OpenPage) -> None:
    _store(services)
    rows = [make_row(OPEN, make_claim("It opens at 9.", S, "open"), question="When does it open?", key="a")]
    store_rows(services, "other", rows, week=2, fingerprint="another judge")
    app = open_page(navigation.CHANGES)
    assert not app.warning
    assert [get_run(services, str(box.value)).name for box in app.selectbox[:2]] == ["old", "new"]
    assert [title.value for title in app.title] == ["old vs\\. new"]
    assert "no significant change was found in this series" in words_of(app)
    assert "candidate" not in app.query_params  # an address that changes by itself traps the back button


def test_the_runs_are_chosen_and_swapped(services: Store, open_page: OpenPage) -> None:
    _store(services)
    app = open_page(navigation.CHANGES, pair="a", **_RUNS)
    old, new = (get_run(services, name).run_id for name in ("old", "new"))
    app.selectbox(key="compare.before").set_value(new).run()
    assert not app.exception
    assert (app.query_params["baseline"], app.query_params["candidate"]) == (new, old)
    assert "pair" not in app.query_params


def test_runs_by_different_judges_are_compared_only_once_a_person_asks_for_it(
    services: Store, open_page: OpenPage
) -> None:
    _store(services, fingerprint="another judge")
    app = open_page(navigation.CHANGES, **_RUNS)
    assert "judged differently" in app.warning[0].value
    assert " worse ·" not in words_of(app)
    app.checkbox[0].check().run()
    assert not app.exception
    assert "judged differently" in app.warning[0].value
    assert "1 worse" in words_of(app)


@pytest.mark.parametrize(("baseline", "said"), [("new", "cannot be compared with itself"), ("gone", "gone")])
def test_the_page_explains_why_runs_cannot_be_compared(
    services: Store, open_page: OpenPage, baseline: str, said: str
) -> None:
    _store(services)
    assert said in words_of(open_page(navigation.CHANGES, baseline=baseline, candidate="new"))


def test_filters_of_the_address_apply_and_are_lifted(services: Store, open_page: OpenPage) -> None:
    _store(services)
    app = open_page(navigation.CHANGES, changes="all", cause="document_edited.lost", **_RUNS)
    assert app.selectbox(key="compare.cause").value == "document_edited.lost"
    assert "1–1 of 1 answer" in words_of(app)
    app.selectbox(key="compare.cause").set_value(None).run()
    assert not app.exception
    assert "1–2 of 2 answers" in words_of(app)
    assert "cause" not in app.query_params


def test_forged_addresses_fall_back(services: Store, open_page: OpenPage) -> None:
    _store(services)
    app = open_page(navigation.CHANGES, changes="x", cause="<b>", within="<i>", pair="1-99999999999", **_RUNS)
    assert "1–1 of 1 answer" in words_of(app)


def test_the_demos_fall_has_its_causes_and_its_segments(demo: Store, open_page: OpenPage) -> None:
    runs = {"baseline": "Help centre 2026-w42", "candidate": "Help centre 2026-w43"}
    app = open_page(navigation.CHANGES, **runs)
    found = compare_runs(demo, *runs.values())
    segments = _table(app, "adds")
    assert segments["segment"].iloc[0] == "● Handovers"
    assert len(segments) == len(found.segments)
    (chart,) = app.get("plotly_chart")
    (trace,) = json.loads(chart.proto.spec)["data"]
    steps = waterfall_steps(found)
    assert len(trace["y"]) == len(steps)
    assert trace["measure"] == ["absolute", *["relative"] * (len(steps) - 2), "absolute"]
