"""Parts of the sources page: the finding, the lists of the worst chunks or documents, and one of them opened."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd
import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from faithview.domain.run import Run
from faithview.domain.views import ClaimHit, View
from faithview.services.comparison.since_event import SinceEvent, compare_since_event
from faithview.services.exports.tables import TableRow
from faithview.services.sources.board import ChunkFault, Fault, SourceBoard, load_board
from faithview.services.sources.citations import BrokenClaim, Citation, chunk_texts, list_broken_claims, list_citations
from faithview.ui.components.claim_list import claim_list
from faithview.ui.parts.table_download import table_download
from faithview.ui.parts.verdict_table import opened
from faithview.ui.parts.view_switch import view_note
from faithview.ui.shell import address as state
from faithview.ui.shell import app, nav, session
from faithview.ui.sources import address, findings
from faithview.ui.sources.findings import FAULT_WORDS, SourceFinding
from faithview.wording import numbers as fmt

_LEVELS = ("chunks", "documents")
_SHOWN = 100
_MAX_CITATIONS = 200
# A document may be every chunk of a run; the page draws so many of them.
_TEXTS = 50
_LIST_ROWS = 14
_ANSWER_ROWS = 9
_TEXT_HEIGHT = 260
_LONG_TEXT = 900
_CLAIMS_HEIGHT = 420
_OPEN_CLAIMS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """What the page is drawn from."""

    run: Run
    view: View
    by_document: bool
    board: SourceBoard
    since: SinceEvent
    finding: SourceFinding


def load(run: Run, view: View) -> Loaded:
    """Return the board of a run; the address says whether of chunks or of documents."""
    services = app.services()
    by_document = address.is_by_document()
    with st.spinner("Comparing with the run before the last event", show_time=False):
        since = compare_since_event(services, run, view=view)
    board = load_board(services, run.run_id, view=view, since=since.comparison, by_document=by_document, limit=_SHOWN)
    found = findings.source_finding(board, since, by_document=by_document)
    return Loaded(run=run, view=view, by_document=by_document, board=board, since=since, finding=found)


def finding(loaded: Loaded) -> None:
    """Draw the sentence that says where unsupported claims come from, what it rests on, and the next step."""
    words, action = st.columns([4.4, 1], vertical_alignment="top")
    words.markdown(f"{loaded.finding.text} {view_note(loaded.view)}")
    facts = findings.board_facts(loaded.board, by_document=loaded.by_document)
    words.caption(facts, help=_HELP)
    fault, item = loaded.finding.fault, loaded.finding.item
    if fault is None or item is None:
        return
    if action.button("Open its worst claim", type="primary", key="sources.worst", width="stretch"):
        worst = _citations(loaded, item, fault)
        if worst:
            _open(loaded, worst[0])


def controls(loaded: Loaded) -> None:
    """Draw the choice of the fault, with how many there are of each, and of chunks or documents."""
    totals = loaded.board.totals
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        # The widgets are told what the address says in every run, for links set it too.
        session.set_widget("sources.fault", shown_fault(loaded).value)
        st.segmented_control(
            "Fault",
            [one.value for one in Fault],
            format_func=lambda name: f"{FAULT_WORDS[Fault(name)]} ({fmt.count(totals[Fault(name)])})",
            required=True,
            key="sources.fault",
            label_visibility="collapsed",
            on_change=lambda: address.select_fault(Fault(str(session.widget_value("sources.fault")))),
        )
        session.set_widget("sources.level", _LEVELS[loaded.by_document])
        st.segmented_control(
            "Level",
            _LEVELS,
            required=True,
            key="sources.level",
            label_visibility="collapsed",
            on_change=lambda: address.select_level(by_document=session.widget_value("sources.level") == _LEVELS[1]),
        )
        table_download(lambda: _table(loaded.board), name=(loaded.run.name, "sources"), key="sources.download")


def choose(loaded: Loaded) -> ChunkFault | None:
    """Draw the list of one fault and return the chunk or the document that is open; None where the list is empty."""
    fault = shown_fault(loaded)
    items = loaded.board.faults[fault]
    if not items:
        st.markdown(f":gray[{_empty_words(loaded, fault)}]")
        return None
    names = [address.source_name(item) for item in items]
    columns = _columns(fault, by_document=loaded.by_document)
    event = st.dataframe(
        pd.DataFrame([_row(item) for item in items]),
        key=f"sources.{loaded.run.run_id}.{fault}.{loaded.by_document}.{loaded.view}",
        height=min(36 + 35 * len(items), 36 + 35 * _LIST_ROWS),
        hide_index=True,
        placeholder="–",
        on_select="rerun",
        # By cell: a choice of rows would put a column of boxes before them.
        selection_mode="single-cell",
        column_config=columns,
        column_order=list(columns),
        alt=f"{'Documents' if loaded.by_document else 'Chunks'}, {FAULT_WORDS[fault]}: the worst first.",
    )
    number = opened(event, len(items))
    if number is not None:
        address.select_source(items[number])
    left_out = loaded.board.totals[fault] - len(items)
    st.caption(f"{_RULES[fault]}" + (f" {fmt.count(left_out)} more have fewer and are left out." if left_out else ""))
    wanted = address.selected_source()
    return items[names.index(wanted)] if wanted in names else items[0]


def shown_fault(loaded: Loaded) -> Fault:
    """Return the list that the address names, else the one that the finding speaks of."""
    return address.selected_fault() or loaded.finding.fault or Fault.UNUSED


def source(loaded: Loaded, item: ChunkFault) -> None:
    """Draw one chunk or document: its text, and the claims that cite it, the gravest first; a click opens one."""
    fault = shown_fault(loaded)
    st.markdown(f"{findings.source_title(item)}: {findings.count_words(item, fault)}")
    if facts := _use_words(item, fault):
        st.caption(facts)
    texts = chunk_texts(app.services(), item, limit=_TEXTS)
    is_long = sum(len(chunk.text) for chunk in texts) > _LONG_TEXT
    with st.container(height=_TEXT_HEIGHT if is_long else "content", border=True):
        for chunk in texts:
            if len(texts) > 1:
                st.markdown(f":small[:gray[{fmt.literal(chunk.chunk_id)}]]")
            st.text(chunk.text)
    if item.chunks > len(texts):
        st.caption(f"The first {fmt.count(len(texts))} of {fmt.plural(item.chunks, 'chunk')}.")
    found = _citations(loaded, item, fault)
    if not found:
        st.markdown(":gray[No answer to look at.]")
        return
    more = f" (the first {fmt.count(_MAX_CITATIONS)})" if len(found) == _MAX_CITATIONS else ""
    st.markdown(f":small[:gray[{_LISTED.get(fault, _CITING)}{more}]]")
    place = f"{loaded.run.run_id}.{fault}.{address.source_name(item)}.{loaded.view}"
    number = _answers(found, place) if fault is Fault.UNUSED else _claims(found, loaded, place)
    if number is not None:
        _open(loaded, found[number])


def _claims(found: Sequence[Citation | BrokenClaim], loaded: Loaded, place: str) -> int | None:
    hits = [
        ClaimHit(
            run_id=loaded.run.run_id,
            run_name=one.key,
            key=one.key,
            claim_number=one.claim or 0,
            claim_id=f"{one.row}-{one.claim}",
            text=one.text or "",
            verdict=one.verdict,
            confidence=None,
            explanation=one.explanation,
            question=one.question,
        )
        for one in found
        if one.verdict is not None
    ]
    height = None if len(hits) <= _OPEN_CLAIMS else _CLAIMS_HEIGHT
    return claim_list(hits, key=f"sources.claims.{place}", height=height)


def _answers(found: Sequence[Citation | BrokenClaim], place: str) -> int | None:
    event = st.dataframe(
        pd.DataFrame([{"key": one.key, "question": one.question} for one in found]),
        key=f"sources.answers.{place}",
        height=min(36 + 35 * len(found), 36 + 35 * _ANSWER_ROWS),
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
    return opened(event, len(found))


def _use_words(item: ChunkFault, fault: Fault) -> str:
    if fault is Fault.UNUSED and item.chunks == 1:
        return ""
    if not item.retrieved:
        return "in no answer's context now"
    if item.chunks == 1:
        return f"retrieved for {fmt.plural(item.retrieved, 'answer')} · cited by {fmt.plural(item.cited, 'claim')}"
    # An answer may hold several chunks of a document, and a claim cite several.
    return (
        f"{fmt.plural(item.chunks, 'chunk')} · retrieved {fmt.plural(item.retrieved, 'time')}"
        f" · cited {fmt.plural(item.cited, 'time')}"
    )


def _citations(loaded: Loaded, item: ChunkFault, fault: Fault) -> Sequence[Citation | BrokenClaim]:
    services = app.services()
    if fault is Fault.NEWLY_BROKEN:
        return () if loaded.since.comparison is None else list_broken_claims(services, loaded.since.comparison, item)
    found = list_citations(services, loaded.run.run_id, item, fault, view=loaded.view, limit=_MAX_CITATIONS)
    # What people say is no claim counts against no chunk.
    return [one for one in found if one.claim is None or one.verdict is not None]


def _open(loaded: Loaded, one: Citation | BrokenClaim) -> None:
    since = loaded.since.comparison
    if isinstance(one, BrokenClaim) and since is not None:
        sides = {"baseline": since.baseline.run_id, "candidate": since.candidate.run_id}
        st.switch_page(
            nav.COMPARE, query_params={**address.address(), **sides, "pair": f"{one.baseline_row}-{one.row}"}
        )
    link = state.link(loaded.run.run_id, one.key, one.claim)
    st.switch_page(nav.INSPECT, query_params={**address.address(), **link})


def _row(item: ChunkFault) -> dict[str, object]:
    return {
        "name": item.name,
        "document": item.document,
        "count": item.count,
        "of": item.cited,
        "share": None if item.share is None else 100 * item.share,
        "retrieved": item.retrieved,
        "chunks": item.chunks,
    }


def _table(board: SourceBoard) -> list[TableRow]:
    return [
        {
            "fault": fault.value,
            "name": item.name,
            "document": item.document,
            "count": item.count,
            "share": item.share,
            "retrieved_answers": item.retrieved,
            "citing_claims": item.cited,
            "chunks": item.chunks,
            "text": item.text,
        }
        for fault in Fault
        for item in board.faults[fault]
    ]


def _empty_words(loaded: Loaded, fault: Fault) -> str:
    noun = "document" if loaded.by_document else "chunk"
    if fault is Fault.NEWLY_BROKEN and loaded.since.comparison is None:
        return fmt.literal(loaded.since.obstacle or "")
    return {
        Fault.CONTRADICTED: f"No {noun} contradicts a claim that cites it.",
        Fault.NOT_SUPPORTING: f"Every {noun} that is cited bears out what cites it, or contradicts it.",
        Fault.UNUSED: f"Every {noun} that was retrieved is cited by a claim.",
        Fault.NEWLY_BROKEN: "Nothing that was borne out before the last event is unsupported now.",
    }[fault]


def _columns(fault: Fault, *, by_document: bool) -> dict[str, ColumnConfig]:
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    is_cited = fault in (Fault.CONTRADICTED, Fault.NOT_SUPPORTING)
    columns = {
        "name": text("Document", width=240) if by_document else text("Chunk", width=85),
        "document": None if by_document else text("Document", width=172),
        "count": number(_COUNT_WORDS[fault], width=86, help=_RULES[fault]),
        "of": number("of", width=38, help="Claims that cite it.") if is_cited else None,
        "share": number("Share", format="%.0f %%", width=56) if is_cited else None,
        "retrieved": None if fault is Fault.UNUSED else number("Retrieved", width=78, help=_RETRIEVED),
    }
    return {name: column for name, column in columns.items() if column is not None}


_RETRIEVED = "Answers whose context holds it; those of a document are added up over its chunks."
_COUNT_WORDS: Mapping[Fault, str] = {
    Fault.CONTRADICTED: "Contradicted",
    Fault.NOT_SUPPORTING: "In vain",
    Fault.UNUSED: "Answers",
    Fault.NEWLY_BROKEN: "Broken",
}
_RULES: Mapping[Fault, str] = {
    Fault.CONTRADICTED: "Claims that cite it and that it contradicts.",
    Fault.NOT_SUPPORTING: "Claims that cite it and are not mentioned, or only partly supported.",
    Fault.UNUSED: "Answers that retrieved it; no claim of the run cites it.",
    Fault.NEWLY_BROKEN: "Claims that rested on it before the last event and are unsupported now.",
}
_CITING = "Claims that cite it, the gravest first; a click opens one"
_LISTED: Mapping[Fault, str] = {
    Fault.UNUSED: "Answers that retrieved it; a click opens one",
    Fault.NEWLY_BROKEN: "Claims that it bore, with their verdict now; a click opens both answers side by side",
}
_HELP = (
    "Chunks are told apart by their texts. A claim cites the chunks that bear its verdict; one that no chunk mentions "
    "may cite none. A document is what the chunk's metadata call document, source, file, url or title. Newly "
    "broken compares this run with the one before the last event, on the answers that both have."
)
