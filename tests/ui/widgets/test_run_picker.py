"""The run that a page shows: chosen, kept for other pages, and taken back by a step of the browser's history."""

from streamlit.testing.v1 import AppTest

from faithview.services.container import Store
from faithview.services.results import list_runs
from faithview.ui import navigation
from tests.ui.conftest import OpenPage


def _shown(app: AppTest) -> str:
    (box,) = [one for one in app.selectbox if one.label == "Run"]
    return str(box.value)


def _choose(app: AppTest, run_id: str) -> None:
    (box,) = [one for one in app.selectbox if one.label == "Run"]
    box.set_value(run_id).run()
    assert not app.exception


def test_a_step_back_shows_the_run_of_before(demo: Store, open_page: OpenPage) -> None:
    app = open_page(navigation.ANSWERS)
    newest = _shown(app)
    older = next(run.run_id for run in list_runs(demo) if run.run_id != newest)
    _choose(app, older)
    assert (_shown(app), app.query_params["run"]) == (older, older)
    del app.query_params["run"]  # as the back button does
    app.run()
    assert _shown(app) == newest
    assert "run" not in app.query_params


def test_a_run_is_kept_for_other_pages(demo: Store, open_page: OpenPage) -> None:
    app = open_page(navigation.ANSWERS)
    older = next(run.run_id for run in list_runs(demo) if run.run_id != _shown(app))
    _choose(app, older)
    del app.query_params["run"]
    app.switch_page(navigation.WEAK_SPOTS).run()
    assert _shown(app) == older
    app.switch_page(navigation.ANSWERS).run()
    assert _shown(app) == older
