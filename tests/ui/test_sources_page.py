"""The sources page: which chunks unsupported claims come from, and the way to each claim."""

from datetime import timedelta

from faithview.services.container import Store
from faithview.services.events import add_event
from faithview.services.weak_spots.sources import Fault, load_board
from faithview.ui import navigation
from tests.factories import NOW, C, N, P, S, make_claim, make_row, store_rows
from tests.ui.conftest import OpenPage, words_of

HOSTILE = "Nine. <script>alert(1)</script> **b** $x$"


def _store(services: Store) -> None:
    both = {"hours": HOSTILE, "park": "Parking is free."}
    old = [make_row(both, make_claim("At 9.", S, "hours"), key="a", question="When?")]
    new = [
        make_row(both, make_claim("At 9.", C, "hours"), make_claim("No.", C, "hours"), key="a", question="When?"),
        make_row(
            {**both, "dogs": "Dogs?"}, make_claim("Vans.", P, "park"), make_claim("?", N), key="b", question="Vans?"
        ),
    ]
    store_rows(services, "old", old)
    store_rows(services, "new", new, week=1)
    add_event(services, "Hours changed", at=NOW + timedelta(days=2))


def test_without_runs_the_page_says_what_it_will_show(open_page: OpenPage) -> None:
    assert "which chunks and documents their unsupported claims come from" in words_of(
        open_page(navigation.WEAK_SPOTS, tab="sources")
    )


def test_the_page_opens_the_worst_chunk_of_the_worst_fault(services: Store, open_page: OpenPage) -> None:
    _store(services)
    app = open_page(navigation.WEAK_SPOTS, tab="sources", run="new")
    text = words_of(app)
    assert "No chunk stands out" in text
    assert "**hours**: contradicts 2 of the 2 claims that cite it" in text
    assert "3 of 4 claims cite a chunk · 1 cites none and is not listed" in text
    assert app.segmented_control(key="sources.fault").value == "contradicted"
    assert app.dataframe[0].value["name"].tolist() == ["hours"]
    assert HOSTILE in [one.value for one in app.text]  # as text, never as Markdown
    assert all(HOSTILE not in one.value for one in app.markdown)


def test_a_link_names_list_and_chunk_and_one_that_is_gone_opens_the_first(services: Store, open_page: OpenPage) -> None:
    _store(services)
    (item,) = load_board(services, "new").faults[Fault.NOT_SUPPORTING]
    app = open_page(navigation.WEAK_SPOTS, tab="sources", run="new", fault="not_supporting", source=str(item.text_id))
    assert "**park**: the only claim based on it is not fully supported" in words_of(app)
    app = open_page(navigation.WEAK_SPOTS, tab="sources", run="new", fault="no such", source="<b>")
    assert app.segmented_control(key="sources.fault").value == "contradicted"
