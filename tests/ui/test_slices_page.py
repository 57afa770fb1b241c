"""Where does it go wrong: the page names the slice, leads to its answers, and says plainly that there is none."""

from faithview.services.container import Store
from faithview.services.results import get_summary, list_runs
from faithview.services.weak_spots.slices import find_slices
from faithview.ui import navigation
from faithview.ui.weak_spots.segments import clicked_segment
from tests.ui.conftest import OpenPage, words_of


def _run(services: Store, week: str) -> str:
    return next(run.run_id for run in list_runs(services) if run.name.endswith(week))


def test_without_runs_the_page_says_what_it_will_show(open_page: OpenPage) -> None:
    assert "what the answers with low scores have in common" in words_of(open_page(navigation.WEAK_SPOTS))


def test_the_demo_s_october_is_found(demo: Store, open_page: OpenPage) -> None:
    app = open_page(navigation.WEAK_SPOTS, run=_run(demo, "w43"))
    assert "*Handovers*" in words_of(app)
    assert "elsewhere (−0." in words_of(app)
    names = app.dataframe[0].value["slice"].tolist()
    assert any("Segment “Handovers”" in name for name in names)
    assert app.button(key="slices.open").label.endswith("answers")


def test_a_click_names_a_known_segment_only(demo: Store) -> None:
    segments = get_summary(demo, _run(demo, "w43")).segments
    assert clicked_segment([{"customdata": ["Handovers"]}], segments) == "Handovers"
    assert clicked_segment([{"customdata": "Handovers"}], segments) == "Handovers"
    assert clicked_segment([{"customdata": "<img>"}, {}], segments) is None


def test_inspect_shows_the_answers_of_a_slice_and_the_way_back(demo: Store, open_page: OpenPage) -> None:
    run = _run(demo, "w43")
    low = find_slices(demo, run).slices[0]
    app = open_page(navigation.ANSWERS, run=run, slice=low.definition.slice_id)
    assert f"n {len(low.positions)})" in words_of(app)
    app.button(key="inspect.slice.leave").click().run()
    assert not app.exception
    assert "slice" not in app.query_params
    assert "This run has no such slice" in words_of(open_page(navigation.ANSWERS, run=run, slice="gone"))
