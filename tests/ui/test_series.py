"""The switch between series: where it stands, what takes it along, and what the pages show of each series."""

from datetime import timedelta

import pytest
from streamlit.testing.v1 import AppTest

from faithview.domain.alert import AlertKind
from faithview.domain.claim import Verdict
from faithview.domain.series import CHECKED_ANSWERS
from faithview.services.alerts import add_rule, evaluate_alerts
from faithview.services.container import Store
from faithview.services.results import get_run, list_runs
from faithview.services.series import move_run
from faithview.store import runs
from faithview.store.series import list_series
from faithview.ui import navigation
from tests.factories import NOW, N, S, make_claim, make_row, make_run, say, store_rows
from tests.ui.conftest import OpenPage, words_of

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
    app.query_params.clear()  # as the sidebar's links do
    app.switch_page(navigation.OVERVIEW).run()
    assert _switch(app) == "Help"
    assert _address(app, "series") == "Help"
    app = _choose(app, "Sport")
    assert _address(app, "series") is None
    assert "race 1" in words_of(app)


def test_going_back_to_an_address_without_a_series_shows_the_default(two: Store, open_page: OpenPage) -> None:
    app = _choose(open_page(navigation.OVERVIEW), "Help")
    app.query_params.clear()
    app.run()
    assert _switch(app) == "Sport"


def test_a_newer_series_does_not_take_over_a_page_that_is_open(two: Store, open_page: OpenPage) -> None:
    app = open_page(navigation.OVERVIEW)
    _store(two, "newest", "What is new?", week=20, series="News")
    app.run()
    assert _switch(app) == "Sport"


def test_a_link_to_a_run_takes_the_switch_along(two: Store, open_page: OpenPage) -> None:
    app = open_page(navigation.ANSWERS, run="help 1")
    assert _switch(app) == "Help"
    app.query_params.clear()
    app.switch_page(navigation.TRENDS).run()
    assert _switch(app) == "Help"


def test_another_series_shows_its_newest_run_in_place_of_the_one_in_view(two: Store, open_page: OpenPage) -> None:
    app = _choose(open_page(navigation.WEAK_SPOTS, tab="sources", run="help 1", source="x"), "Sport")
    assert _address(app, "run") is None
    assert _address(app, "source") is None
    assert app.main.selectbox[0].value == get_run(two, "race 1").run_id


def test_an_unknown_series_is_named_and_the_default_shown(two: Store, open_page: OpenPage) -> None:
    app = open_page(navigation.OVERVIEW, series="*Gone*")
    assert _switch(app) == "Sport"
    assert r"There is no series \*Gone\*" in words_of(app)
    assert _address(app, "series") is None


def test_compare_opens_on_a_pair_of_the_series_and_one_run_leads_on(two: Store, open_page: OpenPage) -> None:
    app = open_page(navigation.CHANGES, series="Help")
    assert [box.value for box in app.main.selectbox[:2]] == ["help 1", "help 2"]
    app = open_page(navigation.CHANGES)
    assert "This series has one run." in words_of(app)
    app.button(key="empty.series.Help").click().run()
    assert not app.exception
    assert _switch(app) == "Help"
    assert [box.value for box in app.main.selectbox[:2]] == ["help 1", "help 2"]


def test_runs_without_shared_questions_are_not_compared_by_default(services: Store, open_page: OpenPage) -> None:
    _store(services, "a", "How?", week=0, series="Logs")
    _store(services, "b", "Why?", week=1, series="Logs")
    app = open_page(navigation.CHANGES)
    assert not app.error
    assert "No two complete runs of this series share half of their questions." in words_of(app)


def test_compare_names_the_run_that_is_still_being_judged(services: Store, open_page: OpenPage) -> None:
    _store(services, "a", "How?", week=0, series="Logs")
    sample, _ = make_row(CHUNKS, make_claim("So it is.", S, "a"), question="How?")
    waiting = make_run("b", as_of=NOW + timedelta(weeks=1), series="Logs")
    runs.create_run(services.db, waiting, [sample])
    app = open_page(navigation.CHANGES)
    assert "*b* is still being judged." in words_of(app)
    app.button(key="empty.watch").click().run()
    assert app.title[0].value == "b"


def test_disagreements_of_another_series_do_not_wait_on_the_overview(two: Store, open_page: OpenPage) -> None:
    help_run = get_run(two, "help 0").run_id
    say(two, help_run, 1, 1, "supported", by="ann")
    say(two, help_run, 1, 1, "contradicted", by="bob")
    assert "on which reviewers disagree" not in words_of(open_page(navigation.OVERVIEW, series="Sport"))
    assert "1 claim on which reviewers disagree" in words_of(open_page(navigation.OVERVIEW, series="Help"))


def test_one_run_has_no_trend_yet_and_the_page_leads_to_the_next(two: Store, open_page: OpenPage) -> None:
    app = open_page(navigation.TRENDS)
    assert "This series has one run." in words_of(app)
    app.button(key="trends.upload").click().run()
    assert app.title[0].value == "Upload"


def test_a_saved_check_stays_out_of_the_trend_and_is_found_by_the_switch(two: Store, open_page: OpenPage) -> None:
    before = words_of(open_page(navigation.OVERVIEW, series="Help"))
    app = open_page(navigation.TRY)
    app.text_area(key="check.answer").input("Inboxes hold 50 members.")
    app.text_area(key="check.chunks").input("Inboxes hold 20 members.")
    app.button(key="check.submit").click().run()
    app.button(key="check.save").click().run()
    assert not app.exception
    assert _switch(app) == CHECKED_ANSWERS
    # The answer is looked at on Answers, and the next page shows what was in view before.
    app.query_params.clear()
    app.switch_page(navigation.OVERVIEW).run()
    assert _switch(app) == "Sport"
    assert words_of(open_page(navigation.OVERVIEW, series="Help")) == before
    drawer = _choose(app, CHECKED_ANSWERS)
    assert "Checked answer" in words_of(drawer)
    assert "saved one at a time, with no trend" in words_of(drawer)
    drawer.switch_page(navigation.TRENDS).run()
    assert "They have no trend." in words_of(drawer)
    drawer.switch_page(navigation.CHANGES).run()
    assert "They are not compared with each other." in words_of(drawer)
    drawer.button(key="empty.series.Sport").click().run()
    assert _switch(drawer) == "Sport"


def test_alerts_of_another_series_are_counted_and_lead_there(two: Store, open_page: OpenPage) -> None:
    add_rule(two, AlertKind.BELOW, 0.9)
    _store(two, "help 3", "How?", "Why?", week=4, series="Help", verdict=N)
    evaluate_alerts(two, get_run(two, "help 3"), environ={})
    app = open_page(navigation.OVERVIEW)
    assert "1 alert is open in *Help*." in words_of(app)
    app.button(key="overview.notice.0").click().run()
    assert not app.exception
    assert _switch(app) == "Help"
    assert "Alert: Faithfulness of help 3" in words_of(app)


def test_a_run_is_put_into_another_series_on_inspect(two: Store, open_page: OpenPage) -> None:
    app = open_page(navigation.ANSWERS, run="race 1")
    box = next(box for box in app.main.selectbox if box.label == "Series")
    box.set_value("Help").run()
    next(button for button in app.main.button if button.label == "Move").click().run()
    assert not app.exception
    assert {run.series for run in list_runs(two)} == {"Help"}
    assert _switch(app) is None


def test_a_whole_series_is_put_into_another_on_inspect(two: Store, open_page: OpenPage) -> None:
    app = open_page(navigation.ANSWERS, run="help 1")
    (others,) = [box for box in app.checkbox if "other 2 runs" in box.label]
    others.check().run()
    box = next(box for box in app.main.selectbox if box.label == "Series")
    box.set_value("Sport").run()
    next(button for button in app.main.button if button.label == "Move").click().run()
    assert not app.exception
    assert [(series.name, series.runs) for series in list_series(two.db)] == [("Sport", 4)]


def test_checked_answers_keep_their_name(two: Store, open_page: OpenPage) -> None:
    move_run(two, "help 1", CHECKED_ANSWERS)
    app = open_page(navigation.ANSWERS, run="help 1")
    assert not app.checkbox
