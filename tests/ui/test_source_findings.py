"""The sentences of the sources page."""

from dataclasses import replace

from faithview.domain.scoring import Interval
from faithview.services.weak_spots.sources import ChunkFault, Fault, SourceBoard
from faithview.stats.slices import LowSlice
from faithview.ui.weak_spots.sources import board_facts, source_finding
from faithview.wording.slices import slice_figures


def _item(name: str, count: int, *, cited: int = 4, document: str | None = None) -> ChunkFault:
    return ChunkFault(
        name=name,
        document=document,
        count=count,
        share=count / cited,
        retrieved=5,
        cited=cited,
        chunks=1,
        text_id=1,
    )


def _board(**faults: list[ChunkFault]) -> SourceBoard:
    sources = {fault: tuple(faults.get(fault.value, ())) for fault in Fault}
    return SourceBoard(
        faults=sources,
        totals={fault: len(items) for fault, items in sources.items()},
        retrieved=10,
        cited=8,
        undocumented=0,
        claims=20,
        citing=18,
    )


def test_the_source_with_significantly_fewer_supported_claims_is_named_with_its_figures_and_how_many_were_tested() -> (
    None
):
    item = _item("kb_1", 3, document="Guide")
    low = LowSlice(
        number=0,
        answers=4,
        questions=4,
        mean=0.25,
        elsewhere=0.9,
        difference=-0.65,
        interval=Interval(-0.9, -0.1),
        p_value=0.01,
    )
    board = replace(
        _board(contradicted=[_item("b", 4), item], not_supporting=[_item("c", 2), _item("b", 1)]),
        tested=12,
        lowest=(Fault.CONTRADICTED, item, low),
    )
    finding = source_finding(board, by_document=False)
    assert "**kb\\_1** (*Guide*) contradicts 3 of the 4 claims that cite it" in finding.text
    assert slice_figures(low) in finding.text
    assert "12 chunks" in finding.text
    assert (finding.fault, finding.item) == (Fault.CONTRADICTED, item)


def test_no_source_is_named_where_none_is_significant_and_it_says_how_many_were_tested() -> None:
    board = replace(_board(contradicted=[_item("a", 3), _item("b", 1)]), tested=7)
    finding = source_finding(board, by_document=True)
    assert "No document stands out" in finding.text
    assert "among 7" in finding.text
    assert "too few claims" in source_finding(replace(board, tested=0), by_document=True).text
    assert finding.item == board.faults[Fault.CONTRADICTED][0]


def test_a_run_without_faults_says_so_and_offers_nothing_to_open() -> None:
    finding = source_finding(_board(unused=[_item("a", 2)]), by_document=False)
    assert finding.text == "Every cited chunk supports all claims that cite it."
    assert (finding.fault, finding.item) == (None, None)
    empty = replace(_board(), retrieved=0)
    assert source_finding(empty, by_document=False).text == "**No chunk was retrieved** in this run."


def test_the_counts_behind_the_board_name_what_it_leaves_out() -> None:
    board = replace(_board(), undocumented=3)
    assert board_facts(board, by_document=False) == (
        "10 chunks retrieved, 8 cited · 18 of 20 claims cite a chunk · 2 cite none and are not listed"
    )
    assert board_facts(replace(board, citing=20), by_document=True).endswith(
        "20 of 20 claims cite a chunk · 3 chunks name no document and count as separate documents"
    )


def test_a_run_without_claims_blames_and_praises_no_source() -> None:
    board = replace(_board(unused=[_item("a", 2)]), claims=0, citing=0, cited=0)
    finding = source_finding(board, by_document=False)
    assert finding.text.startswith("**This run has scores without claims**")
    assert (finding.fault, finding.item) == (None, None)
    uncited = replace(_board(), citing=0, cited=0)
    assert source_finding(uncited, by_document=False).text == "No claim cites a chunk."
