"""The page Weak spots: the slice or the document that low scores come from, and the way to its answers and claims."""

from faithview.services.container import Store
from faithview.services.results import list_runs
from faithview.services.weak_spots.slices import find_slices
from faithview.services.weak_spots.sources import Fault, load_board
from faithview.ui import navigation
from tests.factories import C, N, P, make_claim, make_row, store_rows
from tests.ui.conftest import OpenPage, words_of

HOSTILE = "Nine. <script>alert(1)</script> **b** $x$"


def _run(services: Store, week: str) -> str:
    return next(run.run_id for run in list_runs(services) if run.name.endswith(week))


def test_the_weak_spot_is_named_with_how_many_slices_it_is_of(demo: Store, open_page: OpenPage) -> None:
    run = _run(demo, "w43")
    found = find_slices(demo, run)
    app = open_page(navigation.WEAK_SPOTS, run=run)
    assert "*Handovers*" in words_of(app)
    assert f"compared {found.tested} slices of 115 answers" in words_of(app)
    assert app.button(key="slices.open").label == f"Open its {len(found.slices[0].positions)} answers"
    slices, segments = (table.value for table in app.dataframe)
    assert any("Handovers" in name for name in slices["slice"])
    assert segments["segment"].tolist()[0] == "Handovers"
    assert segments["low"].tolist()[0] == "significantly lower"


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
    assert "Lowest segment: **" in text


def _store(services: Store) -> None:
    both = {"hours": HOSTILE, "park": "Parking is free."}
    rows = [
        make_row(both, make_claim("At 9.", C, "hours"), make_claim("No.", C, "hours"), key="a", question="When?"),
        make_row(
            {**both, "dogs": "Dogs?"}, make_claim("Vans.", P, "park"), make_claim("?", N), key="b", question="Vans?"
        ),
    ]
    store_rows(services, "new", rows)


def test_without_runs_the_page_says_what_it_will_show(open_page: OpenPage) -> None:
    assert "There are no runs yet." in words_of(open_page(navigation.WEAK_SPOTS, tab="sources"))


def test_documents_lists_chunks_the_worst_first_and_opens_one_as_text(services: Store, open_page: OpenPage) -> None:
    _store(services)
    app = open_page(navigation.WEAK_SPOTS, tab="sources", run="new")
    text = words_of(app)
    assert "No chunk stands out" in text
    assert "3 of 4 claims cite a chunk" in text
    board, claims = (table.value for table in app.dataframe)
    assert board["name"].tolist() == ["hours", "park", "dogs"]
    assert board["contradicted"].tolist()[0] == 2
    assert board["of"].tolist() == [2, 1, 0]
    assert claims["claim"].tolist() == ["At 9.", "No."]
    assert HOSTILE in [one.value for one in app.text]  # as text, never as Markdown
    assert all(HOSTILE not in one.value for one in app.markdown)


def test_a_link_names_a_chunk_and_one_that_is_gone_opens_the_worst(services: Store, open_page: OpenPage) -> None:
    _store(services)
    (park,) = load_board(services, "new").faults[Fault.NOT_SUPPORTING]
    for source, opened in ((str(park.text_id), ["Vans."]), ("<b>", ["At 9.", "No."])):
        app = open_page(navigation.WEAK_SPOTS, tab="sources", run="new", source=source)
        assert app.dataframe[1].value["claim"].tolist() == opened


def test_what_no_claim_cites_lists_the_answers_that_retrieved_it(services: Store, open_page: OpenPage) -> None:
    _store(services)
    (dogs,) = load_board(services, "new").faults[Fault.UNUSED]
    app = open_page(navigation.WEAK_SPOTS, tab="sources", run="new", source=str(dogs.text_id))
    assert app.dataframe[1].value["claim"].tolist() == ["b: Vans?"]


def test_a_run_without_claims_blames_no_source(services: Store, open_page: OpenPage) -> None:
    store_rows(services, "bare", [make_row({"x": "X."}, key="a", question="Q?")])
    text = words_of(open_page(navigation.WEAK_SPOTS, tab="sources", run="bare"))
    assert "no judged claims" in text
