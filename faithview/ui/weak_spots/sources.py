"""The chunks and documents that unsupported claims come from, and each with its claims or answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import pandas as pd
import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from faithview.domain.answer import ClaimHit, View
from faithview.domain.claim import Verdict
from faithview.domain.pairing import is_own_id
from faithview.domain.run import Run
from faithview.services.weak_spots.sources import (
    ChunkFault,
    Fault,
    SourceBoard,
    chunk_texts,
    list_citations,
    load_board,
)
from faithview.store.sources import ListedClaim
from faithview.ui import address, navigation, opened_store, page_addresses
from faithview.ui.address import AddressWidget
from faithview.ui.widgets.claim_list import ClaimDetail, claim_list
from faithview.ui.widgets.first_line import view_note
from faithview.ui.widgets.verdict_table import opened
from faithview.wording import figure_help
from faithview.wording import numbers as fmt
from faithview.wording.slices import slice_figures

FAULT_WORDS: Mapping[Fault, str] = MappingProxyType(
    {
        Fault.CONTRADICTED: "contradicting",
        Fault.NOT_SUPPORTING: "not supporting",
        Fault.UNUSED: "never used",
    }
)

_NO_CLAIMS = (
    "**This run has scores without claims**, so it is unknown which chunks its answers are based on. To find out, "
    "press *Manage* and *Judge again with …* on the page *Answers*."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFinding:
    """The finding, with the fault and the source that it names first; both None if it names none."""

    text: str
    fault: Fault | None
    item: ChunkFault | None


def source_finding(board: SourceBoard, *, by_document: bool) -> SourceFinding:
    """Return the finding: the chunk or document whose claims are supported significantly less often."""
    noun = "document" if by_document else "chunk"
    if not board.retrieved:
        return SourceFinding(text="**No chunk was retrieved** in this run.", fault=None, item=None)
    if not board.claims:
        return SourceFinding(text=_NO_CLAIMS, fault=None, item=None)
    fault: Fault | None
    item: ChunkFault | None
    if board.lowest is None:
        parts = [_nothing_stands_out(board, noun)]
        fault = next((one for one in Fault if board.faults[one] and one is not Fault.UNUSED), None)
        item = None if fault is None else board.faults[fault][0]
    else:
        fault, item, figures = board.lowest
        colon = "" if fault is Fault.CONTRADICTED else ":"
        other = Fault.NOT_SUPPORTING if fault is Fault.CONTRADICTED else Fault.CONTRADICTED
        parts = [
            f"{source_title(item)}{colon} {count_words(item, fault)}.",
            f"Supported: {slice_figures(figures)}. FaithView compared {fmt.plural(board.tested, noun)}.",
            _other_sources_words(board, other, noun),
        ]
    return SourceFinding(text=" ".join(part for part in parts if part), fault=fault, item=item)


def board_facts(board: SourceBoard, *, by_document: bool) -> str:
    """Write how many sources and claims the board counts, and what it leaves out."""
    noun = "document" if by_document else "chunk"
    parts = [
        f"{fmt.plural(board.retrieved, noun)} retrieved, {fmt.count(board.cited)} cited",
        f"{fmt.count(board.citing)} of {fmt.plural(board.claims, 'claim')} cite a chunk",
    ]
    silent = board.claims - board.citing
    if silent:
        parts.append(
            "1 cites none and is not listed" if silent == 1 else f"{fmt.count(silent)} cite none and are not listed"
        )
    if by_document and board.undocumented:
        parts.append(_undocumented(board.undocumented))
    return " · ".join(parts)


def _undocumented(chunks: int) -> str:
    if chunks == 1:
        return "1 chunk names no document and counts as a separate document"
    return f"{fmt.count(chunks)} chunks name no document and count as separate documents"


def count_words(item: ChunkFault, fault: Fault) -> str:
    """Write what is wrong with a chunk or a document."""
    match fault:
        case Fault.CONTRADICTED:
            return f"contradicts {_claims(item, relation=fmt.verb(item.cited, 'that cites it', 'that cite it'))}"
        case Fault.NOT_SUPPORTING:
            verb = fmt.verb(item.count, "is", "are")
            return f"{_claims(item, relation='based on it')} {verb} not fully supported"
        case Fault.UNUSED:
            return f"retrieved for {fmt.plural(item.count, 'answer')} and cited by no claim"


def source_title(item: ChunkFault) -> str:
    """Return the name of a chunk or a document; a chunk's name is followed by its document."""
    if item.text_id is None or item.document is None:
        return f"**{fmt.literal(item.name)}**"
    return f"**{fmt.literal(item.name)}** (*{fmt.literal(item.document)}*)"


def _claims(item: ChunkFault, *, relation: str) -> str:
    """Write how many of the claims that cite it have the fault."""
    if item.cited == 1:
        return f"the only claim {relation}"
    return f"{fmt.count(item.count)} of the {fmt.count(item.cited)} claims {relation}"


def _other_sources_words(board: SourceBoard, fault: Fault, noun: str) -> str:
    total = board.totals[fault]
    if not total:
        return "No claim is contradicted by a chunk that it cites." if fault is Fault.CONTRADICTED else ""
    count = f"{fmt.plural(total, noun)} "
    if fault is Fault.CONTRADICTED:
        return count + fmt.verb(total, "contradicts claims that cite it.", "contradict claims that cite them.")
    return count + fmt.verb(
        total, "does not fully support the claims that cite it.", "do not fully support the claims that cite them."
    )


def _nothing_stands_out(board: SourceBoard, noun: str) -> str:
    totals = [board.totals[fault] for fault in (Fault.CONTRADICTED, Fault.NOT_SUPPORTING)]
    if not any(totals) and not board.cited:
        return f"No claim cites a {noun}."
    if not any(totals):
        return f"Every cited {noun} supports all claims that cite it."
    parts = [
        _other_sources_words(board, fault, noun).rstrip(".") for fault in (Fault.CONTRADICTED, Fault.NOT_SUPPORTING)
    ]
    if board.tested:
        first = f"**No {noun} stands out** among {fmt.count(board.tested)} that were compared."
    else:
        first = f"**No {noun} stands out**: too few claims cite the same one."
    return f"{first} " + ". ".join(part for part in parts if part) + "."


MAX_CITATIONS = 200
_MAX_SOURCES = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardData:
    """The faults of a run's chunks or documents, and the finding."""

    run: Run
    view: View
    by_document: bool
    board: SourceBoard
    finding: SourceFinding

    @property
    def fault(self) -> Fault:
        """The fault whose list is shown: the address's, else the finding's."""
        return page_addresses.selected_fault() or self.finding.fault or Fault.UNUSED


def load_board_data(run: Run, view: View) -> BoardData:
    """Load the board of a run, by chunk or by document as the address says."""
    store = opened_store.store()
    by_document = page_addresses.is_by_document()
    board = load_board(store, run.run_id, view=view, by_document=by_document, limit=_MAX_SOURCES)
    finding = source_finding(board, by_document=by_document)
    return BoardData(run=run, view=view, by_document=by_document, board=board, finding=finding)


def load_citations(loaded: BoardData, source: ChunkFault, fault: Fault) -> Sequence[ListedClaim]:
    """Return the claims, or for an unused source the answers, behind a fault; the worst first."""
    return list_citations(opened_store.store(), loaded.run.run_id, source, fault, view=loaded.view, limit=MAX_CITATIONS)


def open_citation(loaded: BoardData, citation: ListedClaim) -> None:
    """Open a claim beside its chunks."""
    link = address.link(loaded.run.run_id, citation.key, citation.number)
    st.switch_page(navigation.ANSWERS, query_params={**page_addresses.sources_address(), **link})


def draw_finding(loaded: BoardData) -> None:
    """Draw the finding with the counts behind it."""
    st.markdown(f"{loaded.finding.text} {view_note(loaded.view)}", help=_COUNTS_HELP)
    st.caption(board_facts(loaded.board, by_document=loaded.by_document), help=_HELP)


def draw_next_step(loaded: BoardData) -> None:
    """Draw the button that opens the worst claim of the source that the finding names; none where it names none."""
    fault, source = loaded.finding.fault, loaded.finding.item
    if fault is None or source is None:
        return
    if st.button("Open the worst claim", type="primary", key="sources.worst"):
        citations = load_citations(loaded, source, fault)
        if citations:
            open_citation(loaded, citations[0])


_COUNTS_HELP = (
    "“Contradicts 4 of the 24 claims that cite it”: the verdicts of 24 claims of this run are based on it, and 4 of "
    "them are *contradicted*. “Not fully supported” are *partially supported* and *not mentioned*. A claim counts once "
    "for each source that it cites."
)
_HELP = (
    "*Retrieved* chunks or documents are those that at least one answer of the run retrieved; *cited* ones are those "
    "that at least one claim's verdict is based on. Chunks are distinguished by their text. A claim cites the chunks "
    "that its verdict is based on; a claim that no chunk mentions may cite none. A document is named by the chunk "
    "metadata document, source, file, url or title."
)


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
            on_change=_FAULT.on_choice(lambda: page_addresses.select_fault(Fault(str(_FAULT.value())))),
        )
        st.segmented_control(
            "Level",
            _LEVELS,
            required=True,
            key=_LEVEL.show(_LEVELS[loaded.by_document]),
            label_visibility="collapsed",
            on_change=_LEVEL.on_choice(lambda: page_addresses.select_level(by_document=_LEVEL.value() == _LEVELS[1])),
        )


def choose_source(loaded: BoardData) -> ChunkFault | None:
    """Draw the list and return the chunk or the document that is open; None if the list is empty."""
    fault = loaded.fault
    sources = loaded.board.faults[fault]
    if not sources:
        st.markdown(f":gray[{_empty_words(loaded, fault)}]")
        return None
    columns = _columns(fault, by_document=loaded.by_document, has_documents=any(source.document for source in sources))
    event = st.dataframe(
        pd.DataFrame([_source_row(source) for source in sources]),
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
        page_addresses.select_source(sources[number])
    left_out = loaded.board.totals[fault] - len(sources)
    st.caption(_RULES[fault] + (f" {fmt.count(left_out)} more with lower counts are not shown." if left_out else ""))
    names = [page_addresses.source_name(source) for source in sources]
    wanted = page_addresses.selected_source()
    if wanted is None and loaded.finding.fault is fault and loaded.finding.item in sources:
        return loaded.finding.item
    return sources[names.index(wanted)] if wanted in names else sources[0]


def _source_row(source: ChunkFault) -> dict[str, object]:
    return {
        "name": source.name,
        "document": source.document,
        "count": source.count,
        "of": source.cited,
        "share": None if source.share is None else 100 * source.share,
        "retrieved": source.retrieved,
        "chunks": source.chunks,
    }


def _empty_words(loaded: BoardData, fault: Fault) -> str:
    noun = "document" if loaded.by_document else "chunk"
    return {
        Fault.CONTRADICTED: f"No {noun} contradicts a claim that cites it.",
        Fault.NOT_SUPPORTING: f"Every cited {noun} supports or contradicts the claims that cite it.",
        Fault.UNUSED: f"Every retrieved {noun} is cited by a claim.",
    }[fault]


def _columns(fault: Fault, *, by_document: bool, has_documents: bool) -> dict[str, ColumnConfig]:
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    is_cited = fault in (Fault.CONTRADICTED, Fault.NOT_SUPPORTING)
    columns = {
        "name": text("Document" if by_document else "Chunk", width=88 if has_documents and not by_document else 300),
        "document": text("Document", width=196) if has_documents and not by_document else None,
        "count": number(_COUNT_WORDS[fault], width=100, help=_RULES[fault]),
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
}
_RULES: Mapping[Fault, str] = {
    Fault.CONTRADICTED: "Claims that cite it and that it contradicts.",
    Fault.NOT_SUPPORTING: "Claims that cite it and are not mentioned, or only partially supported.",
    Fault.UNUSED: "Answers that retrieved it; no claim of the run cites it.",
}


_MAX_TEXTS = 50  # a document may be all chunks of a run
_ANSWER_ROWS = 9
_TEXT_HEIGHT = 260
_LONG_TEXT = 900  # characters: longer texts scroll in a box
_CLAIMS_HEIGHT = 560
_UNBOXED_CLAIMS = 6
_QUOTES = 2


def source_panel(loaded: BoardData, source: ChunkFault) -> None:
    """Draw the text and the claims that cite it, the worst first; a click opens one."""
    fault = loaded.fault
    st.markdown(f"{source_title(source)}: {count_words(source, fault)}")
    if usage := _usage_words(source, fault):
        st.caption(usage)
    _texts(source)
    citations = load_citations(loaded, source, fault)
    if not citations:
        st.markdown(":gray[No answer to show.]")
        return
    more = f" (the first {fmt.count(MAX_CITATIONS)})" if len(citations) == MAX_CITATIONS else ""
    st.markdown(f":small[:gray[{_HEADINGS[fault]}{more}]]")
    place = f"{loaded.run.run_id}.{fault}.{page_addresses.source_name(source)}.{loaded.view}"
    number = _answers(citations, place) if fault is Fault.UNUSED else _draw_claims(citations, source, loaded, place)
    if number is not None:
        open_citation(loaded, citations[number])


def _texts(source: ChunkFault) -> None:
    texts = chunk_texts(opened_store.store(), source, limit=_MAX_TEXTS)
    is_long = sum(len(text) for _, text in texts) > _LONG_TEXT
    with st.container(height=_TEXT_HEIGHT if is_long else "content", border=True):
        for chunk_id, text in texts:
            if len(texts) > 1 and is_own_id(chunk_id):
                st.markdown(f":small[:gray[{fmt.literal(chunk_id)}]]")
            st.text(text)
    if source.chunks > len(texts):
        st.caption(f"The first {fmt.count(len(texts))} of {fmt.plural(source.chunks, 'chunk')}.")


def _draw_claims(citations: Sequence[ListedClaim], source: ChunkFault, loaded: BoardData, place: str) -> int | None:
    hits, details = [], {}
    own = {part.chunk_id for part in source.parts}
    for at, one in enumerate(citations):
        hit = ClaimHit(
            run_id=loaded.run.run_id,
            run_name=one.key,
            key=one.key,
            claim_number=one.number or 0,
            claim_id=f"{at}",
            text=one.text,
            verdict=one.verdict or Verdict.NOT_MENTIONED,
            certainty=one.certainty,
            explanation=one.explanation,
            question=one.question,
        )
        hits.append(hit)
        # Of this chunk only: its name is above the list.
        details[hit.claim_id] = ClaimDetail(quotes=[quote for quote in one.quotes if quote[0] in own][:_QUOTES])
    height = None if len(hits) <= _UNBOXED_CLAIMS else _CLAIMS_HEIGHT
    return claim_list(hits, key=f"sources.claims.{place}", height=height, details=details)


def _answers(citations: Sequence[ListedClaim], place: str) -> int | None:
    event = st.dataframe(
        pd.DataFrame([{"key": one.key, "question": one.question} for one in citations]),
        key=f"sources.answers.{place}",
        height=min(36 + 35 * len(citations), 36 + 35 * _ANSWER_ROWS),
        hide_index=True,
        placeholder="–",
        on_select="rerun",
        selection_mode="single-cell",
        column_config={
            "key": st.column_config.TextColumn("Answer", width=80),
            "question": st.column_config.TextColumn("Question", width=420),
        },
        alt="Answers that retrieved the chunk.",
    )
    return opened(event, len(citations))


def _usage_words(source: ChunkFault, fault: Fault) -> str:
    if fault is Fault.UNUSED and source.chunks == 1:
        return ""
    if source.chunks == 1:
        return f"retrieved for {fmt.plural(source.retrieved, 'answer')} · cited by {fmt.plural(source.cited, 'claim')}"
    # An answer may hold several chunks of a document, and a claim cite several.
    return (
        f"{fmt.plural(source.chunks, 'chunk')} · retrieved {fmt.plural(source.retrieved, 'time')}"
        f" · cited {fmt.plural(source.cited, 'time')}"
    )


_HEADINGS: Mapping[Fault, str] = {
    Fault.CONTRADICTED: "Claims that cite it, the worst first. Click one to open it.",
    Fault.NOT_SUPPORTING: "Claims that cite it, the worst first. Click one to open it.",
    Fault.UNUSED: "Answers that retrieved it. Click one to open it.",
}
