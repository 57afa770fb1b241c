"""Where does it go wrong: the page names the slice, leads to its answers, and says plainly that there is none."""

from faithview.services.container import Store
from faithview.services.results import get_summary, list_runs
from faithview.services.weak_spots.slices import find_slices
from faithview.ui import navigation
from faithview.ui.weak_spots.segments import clicked_segment
from tests.ui.conftest import OpenPage, words_of


def _run(services: Store, week: str) -> str:
    return next(run.run_id for run in list_runs(services) if run.name.endswith(week))


def test_the_page_names_the_weak_spot_and_how_many_slices_it_is_of(demo: Store, open_page: OpenPage) -> None:
    run = _run(demo, "w43")
    app = open_page(navigation.WEAK_SPOTS, run=run)
    assert "*Handovers*" in words_of(app)
    found = find_slices(demo, run)
    assert f"compared {found.tested} slices of 115 answers" in words_of(app)
    assert any("Handovers" in name for name in app.dataframe[0].value["slice"])
    assert "Handovers" in found.low_segments
    assert app.button(key="slices.open").label == f"Open its {len(found.slices[0].positions)} answers"


def test_answers_shows_those_of_a_slice_and_the_way_back(demo: Store, open_page: OpenPage) -> None:
    run = _run(demo, "w43")
    low = find_slices(demo, run).slices[0]
    app = open_page(navigation.ANSWERS, run=run, slice=low.definition.slice_id)
    assert f"n {len(low.positions)})" in words_of(app)
    app.button(key="inspect.slice.leave").click().run()
    assert not app.exception
    assert "slice" not in app.query_params


def test_without_a_weak_spot_the_page_says_so(demo: Store, open_page: OpenPage) -> None:
    text = words_of(open_page(navigation.WEAK_SPOTS, run=_run(demo, "w42")))
    assert "No slice of the run scores significantly lower" in text
    assert "slices of 114 answers" in text


def test_a_click_names_a_known_segment_only(demo: Store) -> None:
    segments = get_summary(demo, _run(demo, "w43")).segments
    assert clicked_segment([{"customdata": ["Handovers"]}], segments) == "Handovers"
    assert clicked_segment([{"customdata": "<img>"}, {}], segments) is None
