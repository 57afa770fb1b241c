"""Whose verdicts are shown: kept across pages, and taken back by a step of the browser's history."""

from streamlit.testing.v1 import AppTest

from faithview.services.container import Store
from faithview.ui import navigation
from tests.ui.conftest import OpenPage


def _shown(app: AppTest) -> str:
    (switch,) = [one for one in app.segmented_control if (one.key or "").startswith("view.switch")]
    return str(switch.value)


def _choose(app: AppTest, view: str) -> None:
    (switch,) = [one for one in app.segmented_control if (one.key or "").startswith("view.switch")]
    switch.set_value(view).run()
    assert not app.exception


def test_a_step_back_takes_the_choice_back(demo: Store, open_page: OpenPage) -> None:
    app = open_page(navigation.TRENDS)
    _choose(app, "reviewed")
    assert (_shown(app), app.query_params["view"]) == ("reviewed", "reviewed")
    del app.query_params["view"]  # as the back button does
    app.run()
    assert _shown(app) == "judge"
    assert "view" not in app.query_params


def test_the_choice_is_kept_on_the_next_page_and_can_be_taken_back_there(demo: Store, open_page: OpenPage) -> None:
    app = open_page(navigation.TRENDS)
    _choose(app, "reviewed")
    del app.query_params["view"]
    app.switch_page(navigation.WEAK_SPOTS).run()
    assert (_shown(app), app.query_params["view"]) == ("reviewed", "reviewed")
    _choose(app, "judge")
    assert (_shown(app), "view" in app.query_params) == ("judge", False)
    app.switch_page(navigation.TRENDS).run()
    assert _shown(app) == "judge"
