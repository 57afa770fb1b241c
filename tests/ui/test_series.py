"""The switch between series: where it stands, what takes it along, and what the pages show of each series."""

from urllib.parse import parse_qsl

import pytest
from streamlit.testing.v1 import AppTest

from faithview.domain.claim import Verdict
from faithview.domain.series import CHECKED_ANSWERS
from faithview.services.container import Store
from faithview.services.results import list_runs
from faithview.store.series import list_series
from faithview.ui import navigation
from tests.factories import N, S, make_claim, make_row, store_rows
from tests.ui.conftest import OpenPage, words_of

pytestmark = pytest.mark.process  # takes long

CHUNKS = {"a": "So it is."}


def _store(services: Store, name: str, *questions: str, week: int, series: str, verdict: Verdict = S) -> None:
    rows = [make_row(CHUNKS, make_claim("So it is.", verdict, "a"), question=q) for q in questions]
    store_rows(services, name, rows, week=week, series=series)


@pytest.fixture
def two(services: Store) -> Store:
    """A store with three runs of *Help*, and of *Sport* a single one that is newer."""
    for week in range(3):
        _store(services, f"help {week}", "How?", "Why?", week=week, series="Help", verdict=S if week != 1 else N)
    _store(services, "race 1", "Who won the race?", week=9, series="Sport")
    return services


def _switch(app: AppTest) -> str | None:
    """Return the series that the switch shows; None if there is no switch."""
    return next((str(box.value) for box in app.sidebar.selectbox if box.label == "Series"), None)


def _choose(app: AppTest, series: str) -> AppTest:
    (box,) = [box for box in app.sidebar.selectbox if box.label == "Series"]
    box.set_value(series).run()
    assert not app.exception
    return app


def _follow(app: AppTest, title: str) -> AppTest:
    """Follow a link of the sidebar."""
    (link,) = [one.proto for one in app.sidebar.get("page_link") if one.proto.label == title]
    app.query_params.clear()
    for name, value in parse_qsl(link.query_string):
        app.query_params[name] = value
    app.switch_page(next(path for path, address in navigation.ADDRESSES.items() if address == link.page)).run()
    assert not app.exception
    return app


def _address(app: AppTest, name: str) -> str | None:
    value = app.query_params.get(name)
    return value if value is None or isinstance(value, str) else value[0]


def test_there_is_no_switch_where_there_is_one_series(demo: Store, open_page: OpenPage) -> None:
    assert [series.name for series in list_series(demo.db)] == ["Help centre"]
    for page in (navigation.OVERVIEW, navigation.TRENDS, navigation.ANSWERS):
        assert _switch(open_page(page)) is None


def test_the_newest_run_s_series_is_shown_and_stays_out_of_the_address(two: Store, open_page: OpenPage) -> None:
    app = open_page(navigation.OVERVIEW)
    assert _switch(app) == "Sport"
    assert _address(app, "series") is None
    assert "race 1" in words_of(app)
    assert "help" not in words_of(app)


@pytest.mark.parametrize(
    "page",
    [
        navigation.OVERVIEW,
        navigation.TRENDS,
        navigation.CHANGES,
        f"{navigation.WEAK_SPOTS}?tab=sources",
        navigation.ANSWERS,
    ],
)
def test_the_series_in_the_address_is_shown_on_every_page(two: Store, open_page: OpenPage, page: str) -> None:
    app = open_page(page, series="Help")
    assert _switch(app) == "Help"
    assert _address(app, "series") == "Help"
    assert "race 1" not in words_of(app)
    assert all("race 1" not in box.options for box in app.main.selectbox)


def test_choosing_a_series_keeps_the_page_and_other_pages_follow(two: Store, open_page: OpenPage) -> None:
    app = _choose(open_page(navigation.TRENDS), "Help")
    assert app.title[0].value == "Trends"
    assert "This series has one run" not in words_of(app)
    assert _address(app, "series") == "Help"
    app = _follow(app, "Overview")
    assert _switch(app) == "Help"
    assert _address(app, "series") == "Help"
    app = _choose(app, "Sport")
    assert _address(app, "series") is None
    assert "race 1" in words_of(app)


def test_a_link_to_a_run_takes_the_switch_along(two: Store, open_page: OpenPage) -> None:
    app = open_page(navigation.ANSWERS, run="help 1")
    assert _switch(app) == "Help"
    app = _follow(app, "Trends")
    assert _switch(app) == "Help"
    app = _follow(app, "Answers")
    assert _address(app, "run") == "help 1"
    app = _follow(app, "Upload")  # a run in its address is one that is being judged
    assert (_address(app, "run"), _address(app, "series")) == (None, "Help")


def test_compare_opens_on_a_pair_of_the_series_and_one_run_leads_on(two: Store, open_page: OpenPage) -> None:
    app = open_page(navigation.CHANGES, series="Help")
    assert [box.value for box in app.main.selectbox[:2]] == ["help 1", "help 2"]
    app = open_page(navigation.CHANGES)
    assert "This series has one run." in words_of(app)
    app.button(key="empty.series.Help").click().run()
    assert not app.exception
    assert _switch(app) == "Help"
    assert [box.value for box in app.main.selectbox[:2]] == ["help 1", "help 2"]


def test_a_saved_check_stays_out_of_the_trend_and_is_found_by_the_switch(two: Store, open_page: OpenPage) -> None:
    before = words_of(open_page(navigation.OVERVIEW, series="Help"))
    app = open_page(navigation.TRY)
    app.text_area(key="check.answer").input("Inboxes hold 50 members.")
    app.text_area(key="check.chunks").input("Inboxes hold 20 members.")
    app.button(key="check.submit").click().run()
    app.button(key="check.save").click().run()
    assert not app.exception
    assert _switch(app) == CHECKED_ANSWERS
    # The answer is looked at on Answers, and the next page shows the runs.
    app = _follow(app, "Overview")
    assert _switch(app) == "Sport"
    assert words_of(open_page(navigation.OVERVIEW, series="Help")) == before
    drawer = _choose(app, CHECKED_ANSWERS)
    assert "Checked answer" in words_of(drawer)
    assert "They have no trend." in words_of(drawer)
    drawer = _follow(drawer, "Trends")
    assert "They have no trend." in words_of(drawer)
    drawer = _follow(drawer, "Changes")
    assert "They are not compared with each other." in words_of(drawer)
    drawer.button(key="empty.series.Sport").click().run()
    assert _switch(drawer) == "Sport"


def test_a_run_is_put_into_another_series_on_inspect(two: Store, open_page: OpenPage) -> None:
    app = open_page(navigation.ANSWERS, run="race 1")
    app.session_state["inspect.run_menu"] = True
    app.run()
    box = next(box for box in app.main.selectbox if box.label == "Series")
    box.set_value("Help").run()
    next(button for button in app.main.button if button.label == "Move").click().run()
    assert not app.exception
    assert {run.series for run in list_runs(two)} == {"Help"}
    assert _switch(app) is None
