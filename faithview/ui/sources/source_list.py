"""The list of the sources page: chunks or documents with one fault, the worst first, and the choice of the fault."""

from collections.abc import Mapping

import pandas as pd
import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from faithview.services.exports.tables import TableRow
from faithview.services.sources.board import ChunkFault, Fault, SourceBoard
from faithview.ui.parts.downloads.table_download import table_download
from faithview.ui.parts.verdict_table import opened
from faithview.ui.shell.address_widget import AddressWidget
from faithview.ui.sources import address
from faithview.ui.sources.board_data import BoardData
from faithview.ui.sources.findings import FAULT_WORDS
from faithview.wording import figure_help
from faithview.wording import numbers as fmt

_FAULT, _LEVEL = AddressWidget("sources.fault"), AddressWidget("sources.level")
_LEVELS = ("chunks", "documents")
_LIST_ROWS = 14


def choose_fault(loaded: BoardData) -> None:
    """Draw the choice of the fault, with the number of sources for each, and of chunks or documents."""
    totals = loaded.board.totals
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.segmented_control(
            "Fault",
            [fault.value for fault in Fault],
            format_func=lambda name: f"{FAULT_WORDS[Fault(name)]} ({fmt.count(totals[Fault(name)])})",
            required=True,
            key=_FAULT.show(loaded.fault.value),
            label_visibility="collapsed",
            on_change=_FAULT.on_choice(lambda: address.select_fault(Fault(str(_FAULT.value())))),
        )
        st.segmented_control(
            "Level",
            _LEVELS,
            required=True,
            key=_LEVEL.show(_LEVELS[loaded.by_document]),
            label_visibility="collapsed",
            on_change=_LEVEL.on_choice(lambda: address.select_level(by_document=_LEVEL.value() == _LEVELS[1])),
        )
        table_download(lambda: _table(loaded.board), name=(loaded.run.name, "sources"), key="sources.download")


def choose_source(loaded: BoardData) -> ChunkFault | None:
    """Draw the list and return the chunk or the document that is open; None where the list is empty."""
    fault = loaded.fault
    sources = loaded.board.faults[fault]
    if not sources:
        st.markdown(f":gray[{_empty_words(loaded, fault)}]")
        return None
    columns = _columns(fault, by_document=loaded.by_document, has_documents=any(source.document for source in sources))
    event = st.dataframe(
        pd.DataFrame([_row(source) for source in sources]),
        key=f"sources.{loaded.run.run_id}.{fault}.{loaded.by_document}.{loaded.view}",
        height=min(36 + 35 * len(sources), 36 + 35 * _LIST_ROWS),
        hide_index=True,
        placeholder="–",
        on_select="rerun",
        # By cell: selecting rows would add a column of check boxes.
        selection_mode="single-cell",
        column_config=columns,
        column_order=list(columns),
        alt=f"{'Documents' if loaded.by_document else 'Chunks'}, {FAULT_WORDS[fault]}: the worst first.",
    )
    number = opened(event, len(sources))
    if number is not None:
        address.select_source(sources[number])
    left_out = loaded.board.totals[fault] - len(sources)
    st.caption(_RULES[fault] + (f" {fmt.count(left_out)} more with lower counts are not shown." if left_out else ""))
    names = [address.source_name(source) for source in sources]
    wanted = address.selected_source()
    return sources[names.index(wanted)] if wanted in names else sources[0]


def _row(source: ChunkFault) -> dict[str, object]:
    return {
        "name": source.name,
        "document": source.document,
        "count": source.count,
        "of": source.cited,
        "share": None if source.share is None else 100 * source.share,
        "retrieved": source.retrieved,
        "chunks": source.chunks,
    }


def _table(board: SourceBoard) -> list[TableRow]:
    return [
        {
            "fault": fault.value,
            "name": source.name,
            "document": source.document,
            "count": source.count,
            "share": source.share,
            "retrieved_answers": source.retrieved,
            "citing_claims": source.cited,
            "chunks": source.chunks,
            "text": source.text,
        }
        for fault in Fault
        for source in board.faults[fault]
    ]


def _empty_words(loaded: BoardData, fault: Fault) -> str:
    noun = "document" if loaded.by_document else "chunk"
    if fault is Fault.NEWLY_BROKEN and loaded.since.comparison is None:
        return fmt.literal(loaded.since.obstacle or "")
    return {
        Fault.CONTRADICTED: f"No {noun} contradicts a claim that cites it.",
        Fault.NOT_SUPPORTING: f"Every cited {noun} supports or contradicts the claims that cite it.",
        Fault.UNUSED: f"Every retrieved {noun} is cited by a claim.",
        Fault.NEWLY_BROKEN: "No claim that was supported before the last event is unsupported now.",
    }[fault]


def _columns(fault: Fault, *, by_document: bool, has_documents: bool) -> dict[str, ColumnConfig]:
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    is_cited = fault in (Fault.CONTRADICTED, Fault.NOT_SUPPORTING)
    columns = {
        "name": text("Document" if by_document else "Chunk", width=90 if has_documents and not by_document else 240),
        "document": text("Document", width=165) if has_documents and not by_document else None,
        "count": number(_COUNT_WORDS[fault], width=98, help=_RULES[fault]),
        "of": number("of", width=38, help="Claims that cite it.") if is_cited else None,
        "share": number("Share", format="%.0f %%", width=56, help=figure_help.SHARE_OF_CITING) if is_cited else None,
        "retrieved": None if fault is Fault.UNUSED else number("Retrieved", width=78, help=_RETRIEVED),
    }
    return {name: column for name, column in columns.items() if column is not None}


_RETRIEVED = "Answers that retrieved it; for a document, added up over its chunks."
_COUNT_WORDS: Mapping[Fault, str] = {
    Fault.CONTRADICTED: "Contradicted",
    Fault.NOT_SUPPORTING: "Unsupported",
    Fault.UNUSED: "Answers",
    Fault.NEWLY_BROKEN: "Broken",
}
_RULES: Mapping[Fault, str] = {
    Fault.CONTRADICTED: "Claims that cite it and that it contradicts.",
    Fault.NOT_SUPPORTING: "Claims that cite it and are not mentioned, or only partly supported.",
    Fault.UNUSED: "Answers that retrieved it; no claim of the run cites it.",
    Fault.NEWLY_BROKEN: "Claims that it supported before the last event and that are unsupported now.",
}
