"""What the board of sources found, in sentences."""

from dataclasses import replace
from datetime import UTC, datetime

from faithview.domain.event import Event
from faithview.services.comparison.since_event import SinceEvent
from faithview.services.sources.board import ChunkFault, Fault, SourceBoard
from faithview.ui.sources.findings import board_facts, source_finding

EVENT = Event(at=datetime(2026, 10, 30, tzinfo=UTC), label="Update *2*")


def _item(name: str, count: int, *, cited: int = 4, document: str | None = None) -> ChunkFault:
    return ChunkFault(
        name=name,
        document=document,
        count=count,
        share=count / cited,
        retrieved=5,
        cited=cited,
        chunks=1,
        row=1,
        text_id=1,
    )


def _board(**faults: list[ChunkFault]) -> SourceBoard:
    found = {fault: tuple(faults.get(fault.value, ())) for fault in Fault}
    return SourceBoard(
        faults=found,
        totals={fault: len(items) for fault, items in found.items()},
        retrieved=10,
        cited=8,
        undocumented=0,
        claims=20,
        citing=18,
    )


def test_the_chunk_with_most_claims_against_it_is_named_first() -> None:
    board = _board(
        contradicted=[_item("kb_1", 3, document="Guide"), _item("b", 1)], not_supporting=[_item("c", 2), _item("b", 1)]
    )
    found = source_finding(board, SinceEvent(), by_document=False)
    assert found.text == (
        "**kb\\_1** (*Guide*) contradicts 3 of the 4 claims that cite it, more than any other chunk. "
        "2 chunks are cited in vain."
    )
    assert (found.fault, found.item) == (Fault.CONTRADICTED, board.faults[Fault.CONTRADICTED][0])


def test_a_chunk_that_supports_little_is_named_where_it_has_more_against_it() -> None:
    board = _board(contradicted=[_item("a", 2)], not_supporting=[_item("c", 3)])
    found = source_finding(board, SinceEvent(), by_document=False)
    assert found.text == (
        "**c** is cited in vain most often: 3 of the 4 claims that cite it are not, or only in part, supported. "
        "1 chunk contradicts claims that cite it."
    )
    assert found.fault is Fault.NOT_SUPPORTING


def test_nothing_is_singled_out_where_several_have_as_many() -> None:
    board = _board(contradicted=[_item("a", 1), _item("b", 1)])
    found = source_finding(board, SinceEvent(), by_document=True)
    assert found.text == "**No single document stands out.** 2 documents contradict claims that cite them."
    assert found.item == board.faults[Fault.CONTRADICTED][0]


def test_a_run_without_fault_says_so_and_offers_nothing_to_open() -> None:
    found = source_finding(_board(unused=[_item("a", 2)]), SinceEvent(), by_document=False)
    assert found.text == "Every chunk that is cited bears out the claims that cite it."
    assert (found.fault, found.item) == (None, None)
    empty = replace(_board(), retrieved=0)
    assert source_finding(empty, SinceEvent(), by_document=False).text == "**No chunk was retrieved** in this run."


def test_what_is_not_known_since_the_event_is_said_with_its_reason() -> None:
    since = SinceEvent(event=EVENT, obstacle="The run before it is by another judge.")
    text = source_finding(_board(), since, by_document=False).text
    assert text.endswith(
        "What broke since *Update \\*2\\** (30 Oct 2026) is not known: The run before it is by another judge\\."
    )


def test_what_the_board_rests_on_stands_with_what_it_leaves_out() -> None:
    board = replace(_board(), undocumented=3)
    assert board_facts(board, by_document=False) == (
        "10 chunks retrieved, 8 cited · 18 of 20 claims cite a chunk · 2 cite none and are in no list"
    )
    assert board_facts(replace(board, citing=20), by_document=True).endswith(
        "20 of 20 claims cite a chunk · 3 chunks name no document and stand alone"
    )
