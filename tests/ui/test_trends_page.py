"""The trends page and the overview over stores made for them: what stands there, and what is stored."""

from datetime import UTC, date, datetime, time

import pytest
from streamlit.testing.v1 import AppTest

from faithview.domain.alert import AlertKind
from faithview.domain.event import EventKind
from faithview.domain.project import Role
from faithview.services import alerts
from faithview.services.container import Store
from faithview.services.events import add_event, list_events
from faithview.services.results import delete_run, list_runs
from faithview.ui import identity, membership, navigation
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
    assert "Each point is the mean of 114 to 116 answers." in text  # so bars of n would say nothing
    assert "Handovers" in panels


@pytest.mark.parametrize(
    "range_",
    ["", "x..y", "2026-10-15T00:00:00Z", "2026-10-15..2026-10-20", "2026-10-20T00:00:00Z..2026-10-15T00:00:00Z"],
)
def test_an_address_that_makes_no_sense_shows_the_page_without_it(
    demo: Store, open_page: OpenPage, range_: str
) -> None:
    app = open_page(navigation.TRENDS, by="year", group="moon", zone="Mars/Olympus", range=range_)
    assert "fell by" in words_of(app)
    assert "Worst answers" not in words_of(app)


def test_a_range_in_the_address_lists_the_worst_answers_behind_its_points(demo: Store, open_page: OpenPage) -> None:
    app = open_page(navigation.TRENDS, range="2026-10-15T00:00:00Z..2026-10-28T00:00:00Z")
    text = words_of(app)
    assert "Worst answers, 15 Oct 2026 to 28 Oct 2026" in text
    (table,) = app.dataframe
    assert list(table.value["score"]) == sorted(table.value["score"])
    assert set(table.value["run"]) == {"Help centre 2026-w43", "Help centre 2026-w44"}
    app.button(key="trends.clear").click().run()
    assert not app.exception
    assert "Worst answers" not in words_of(app)
    empty = open_page(navigation.TRENDS, range="2020-10-15T00:00:00Z..2020-10-28T00:00:00Z")
    assert "The range contains no point." in words_of(empty)


def test_an_event_is_added_with_the_days_own_time_and_deleted(demo: Store, open_page: OpenPage, ann: None) -> None:
    app = open_page(navigation.TRENDS)
    app.text_input(key="events.label").input("Prompt <b>2</b> of $x$")
    app.date_input(key="events.day").set_value(date(2026, 10, 21))
    app.time_input(key="events.time").set_value(time(14, 30))
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


def test_the_overview_names_what_is_wrong_with_the_place_that_settles_it(
    demo: Store, open_page: OpenPage, ann: None
) -> None:
    newest = list_runs(demo)
    for run in newest[:2]:
        delete_run(demo, run.run_id)
    text = words_of(open_page(navigation.OVERVIEW))
    assert text.count(":material/trending_down:") == 1
    assert "fell from 0.9" in text
    assert "with the update of the knowledge base of 14 October and has not recovered." in text
    alerts.add_rule(demo, AlertKind.FELL, 0.1, segment="Handovers")
    alerts.evaluate_alerts(demo, newest[3])
    app = open_page(navigation.OVERVIEW)
    text = words_of(app)
    assert ":material/trending_down:" not in text  # told once: by the alert
    assert "Alert: Faithfulness of Help centre" in text
    (alert,) = alerts.list_open_alerts(demo)
    app.button(key=f"overview.seen.{alert.alert_id}").click().run()
    assert not app.exception
    assert alerts.list_open_alerts(demo) == []
