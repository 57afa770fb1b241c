"""The compare page opens from an address and warns of doubts."""

import json

import pytest
from streamlit.testing.v1 import AppTest

from faithview.services.container import Store
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


def _drawn(app: AppTest, part: str) -> list[str]:
    """What the components are given that holds this."""
    data = [one.proto.mixed.json or one.proto.json for one in app.get("bidi_component")]
    return [one for one in data if part in one]


def test_the_page_says_what_it_needs_where_there_are_no_two_runs(open_page: OpenPage) -> None:
    assert "With two runs over the same questions" in words_of(open_page(navigation.CHANGES))


def test_the_address_opens_a_comparison_with_its_worst_answer(services: Store, open_page: OpenPage) -> None:
    _store(services)
    app = open_page(navigation.CHANGES, **_RUNS)
    text = words_of(app)
    assert "Not statistically significant" in text
    assert "1 worse · 0 better · 1 unchanged" in text
    assert "1 only before, 1 only now" in text
    (view,) = _drawn(app, '"scroll_into_view_token"')
    assert json.loads(view)["payload"]["claims"][0]["effect"]["cause"] == "Document edited: broke"


def test_without_an_address_the_two_newest_runs_by_one_judge_are_compared(services: Store, open_page: OpenPage) -> None:
    _store(services)
    rows = [make_row(OPEN, make_claim("It opens at 9.", S, "open"), question="When does it open?", key="a")]
    store_rows(services, "other", rows, week=2, fingerprint="another judge")
    app = open_page(navigation.CHANGES)
    assert not app.warning
    assert [box.value for box in app.selectbox[:2]] == ["old", "new"]
    assert [title.value for title in app.title] == ["old vs\\. new"]
    assert "no change in this series is significant" in words_of(app)


def test_runs_by_different_judges_are_compared_only_once_the_warning_is_accepted(
    services: Store, open_page: OpenPage
) -> None:
    _store(services, fingerprint="another judge")
    app = open_page(navigation.CHANGES, **_RUNS)
    assert "judged differently" in app.warning[0].value
    assert " worse ·" not in words_of(app)
    app.button(key="compare.acknowledge").click().run()
    assert not app.exception
    assert "judged differently" in app.warning[0].value
    assert "1 worse" in words_of(app)


@pytest.mark.parametrize(
    ("baseline", "said"), [("new", "cannot be compared with itself"), ("gone", "There is no run gone")]
)
def test_the_page_explains_why_runs_cannot_be_compared(
    services: Store, open_page: OpenPage, baseline: str, said: str
) -> None:
    _store(services)
    assert said in words_of(open_page(navigation.CHANGES, baseline=baseline, candidate="new"))


def test_filters_of_the_address_apply_and_a_change_starts_the_list_again(services: Store, open_page: OpenPage) -> None:
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
    app = open_page(navigation.CHANGES, changes="x", cause="<b>", pair="1-99999999999", **_RUNS)
    assert "1–1 of 1 answer" in words_of(app)
