"""The page Trends: the finding with its test, the figure and its clicks, and the events that people add."""

from datetime import UTC, datetime

import pytest
from streamlit.testing.v1 import AppTest

from faithview.domain.event import EventKind
from faithview.domain.project import Role
from faithview.domain.run import JudgeSpec
from faithview.services.container import Store
from faithview.services.events import add_event, list_events
from faithview.ui import identity, membership, navigation
from tests.factories import S, make_claim, make_row, store_rows
from tests.ui.conftest import OpenPage, words_of


def _charts(app: AppTest) -> list[str]:
    return [chart.proto.alt for chart in app.get("plotly_chart")]


@pytest.fixture
def ann(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody who has given a name and may write."""
    monkeypatch.setattr(identity, "current_reviewer", lambda: "ann")


def test_trends_stand_over_an_empty_store_and_over_one_that_has_only_unfinished_runs(
    services: Store, open_page: OpenPage
) -> None:
    assert "There are no runs yet." in words_of(open_page(navigation.TRENDS))


def test_an_unfinished_run_is_named_and_makes_no_point(failed_run: str, open_page: OpenPage) -> None:
    text = words_of(open_page(navigation.TRENDS))
    assert "No scores to draw yet" in text


def test_the_demos_trend_says_what_happened_and_shows_it(demo: Store, open_page: OpenPage) -> None:
    app = open_page(navigation.TRENDS)
    text = words_of(app)
    assert "Faithfulness fell by **0.08** with the update of the knowledge base of 14 October" in text
    assert "88% of the loss is in **Handovers** (17% of the answers)" in text
    assert "with the update of the knowledge base of 14 October" in text
    assert "It recovered by" in text
    line, panels = _charts(app)
    assert "Help centre 2026\\-10" not in line
    assert "Help centre 2026-10: articles on handovers added" in line
    assert "12 Oct 2026" in line
    assert "over 114 to 116 answers per point" in text
    assert "Handovers" in panels


def test_an_address_that_makes_no_sense_shows_the_page_without_it(demo: Store, open_page: OpenPage) -> None:
    assert "fell by" in words_of(open_page(navigation.TRENDS, by="year", group="moon"))


def test_points_by_week_are_those_of_the_rows_own_times(demo: Store, open_page: OpenPage) -> None:
    app = open_page(navigation.TRENDS, by="week")
    assert "week of 12 Oct 2026" in _charts(app)[0]
    assert "its 5 weeks" in words_of(app) or "fell by" in words_of(app)


def test_panels_by_judge_keep_scores_of_two_judges_apart(services: Store, open_page: OpenPage) -> None:
    for week, judge in enumerate(("lexical", "lexical", "embedded", "embedded")):
        rows = [make_row({"c": "x"}, make_claim("Claim.", S, "c"), question=f"q{n}", key=f"k{n}") for n in range(4)]
        fields = {"week": week, "series": "Help", "judge": JudgeSpec(name=judge), "fingerprint": f"{judge}/1"}
        store_rows(services, f"week {week}", rows, **fields)
    app = open_page(navigation.TRENDS, group="judge")
    _, panels = _charts(app)
    assert "embedded: " in panels
    assert "lexical: " in panels


def test_an_event_is_added_with_the_days_own_time_and_deleted(demo: Store, open_page: OpenPage, ann: None) -> None:
    app = open_page(navigation.TRENDS)
    app.text_input(key="events.label").input("Prompt <b>2</b> of $x$")
    app.session_state["events.at"] = datetime(2026, 10, 21, 14, 30)  # noqa: DTZ001 - the browser's own time
    app.selectbox(key="events.kind").select(EventKind.PROMPT)
    app.button(key="events.add").click().run()
    assert not app.exception
    (event,) = [event for event in list_events(demo) if event.kind is EventKind.PROMPT]
    assert (event.label, event.at) == ("Prompt <b>2</b> of $x$", datetime(2026, 10, 21, 14, 30, tzinfo=UTC))
    assert r"Prompt \<b\>2\<\/b\> of \$x\$" in words_of(app)
    app.button(key=f"events.delete.{event.event_id}").click().run()
    assert not app.exception
    assert [e for e in list_events(demo) if e.kind is EventKind.PROMPT] == []


def test_an_event_without_a_label_is_refused_with_the_reason(demo: Store, open_page: OpenPage, ann: None) -> None:
    app = open_page(navigation.TRENDS)
    before = list_events(demo)
    app.button(key="events.add").click().run()
    assert not app.exception
    assert "label needs 1 to 500 characters" in words_of(app)
    assert list_events(demo) == before


def test_who_may_not_write_can_neither_add_nor_delete(
    demo: Store, open_page: OpenPage, ann: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    noted = add_event(demo, "Mine", at=datetime(2026, 10, 20, tzinfo=UTC))
    app = open_page(navigation.TRENDS)
    app.text_input(key="events.label").input("Sneaked in")
    monkeypatch.setattr(membership, "own_role", lambda: Role.VIEWER)
    app.button(key="events.add").click().run()
    assert identity.cannot_label() in words_of(app)
    assert "Sneaked in" not in [event.label for event in list_events(demo)]
    monkeypatch.setattr(membership, "own_role", lambda: Role.REVIEWER)
    app = open_page(navigation.TRENDS)
    monkeypatch.setattr(membership, "own_role", lambda: Role.VIEWER)
    app.button(key=f"events.delete.{noted.event_id}").click().run()
    assert "Mine" in [event.label for event in list_events(demo)]
    again = open_page(navigation.TRENDS)
    assert not [button for button in again.button if str(button.key).startswith("events.delete")]
