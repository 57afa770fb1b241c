"""One chunk or document: its text, and the claims or answers behind its fault."""

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from faithview.domain.views import ClaimHit
from faithview.services.sources.board import ChunkFault, Fault
from faithview.services.sources.citations import BrokenClaim, Citation, chunk_texts
from faithview.ui.components.claim_list import claim_list
from faithview.ui.parts.verdict_table import opened
from faithview.ui.shell import app
from faithview.ui.sources import address, findings
from faithview.ui.sources.board_data import MAX_CITATIONS, BoardData, load_citations, open_citation
from faithview.wording import numbers as fmt

_MAX_TEXTS = 50  # a document may be all chunks of a run
_ANSWER_ROWS = 9
_TEXT_HEIGHT = 260
_LONG_TEXT = 900  # characters: longer texts scroll in a box
_CLAIMS_HEIGHT = 420
_UNBOXED_CLAIMS = 3


def source_panel(loaded: BoardData, source: ChunkFault) -> None:
    """Draw the text and the claims that cite it, the worst first; a click opens one."""
    fault = loaded.fault
    st.markdown(f"{findings.source_title(source)}: {findings.count_words(source, fault)}")
    if usage := _usage_words(source, fault):
        st.caption(usage)
    _texts(source)
    citations = load_citations(loaded, source, fault)
    if not citations:
        st.markdown(":gray[No answer to show.]")
        return
    more = f" (the first {fmt.count(MAX_CITATIONS)})" if len(citations) == MAX_CITATIONS else ""
    st.markdown(f":small[:gray[{_HEADINGS[fault]}{more}]]")
    place = f"{loaded.run.run_id}.{fault}.{address.source_name(source)}.{loaded.view}"
    number = _answers(citations, place) if fault is Fault.UNUSED else _claims(citations, loaded, place)
    if number is not None:
        open_citation(loaded, citations[number])


def _texts(source: ChunkFault) -> None:
    texts = chunk_texts(app.services(), source, limit=_MAX_TEXTS)
    is_long = sum(len(chunk.text) for chunk in texts) > _LONG_TEXT
    with st.container(height=_TEXT_HEIGHT if is_long else "content", border=True):
        for chunk in texts:
            if len(texts) > 1:
                st.markdown(f":small[:gray[{fmt.literal(chunk.chunk_id)}]]")
            st.text(chunk.text)
    if source.chunks > len(texts):
        st.caption(f"The first {fmt.count(len(texts))} of {fmt.plural(source.chunks, 'chunk')}.")


def _claims(citations: Sequence[Citation | BrokenClaim], loaded: BoardData, place: str) -> int | None:
    hits = [
        ClaimHit(
            run_id=loaded.run.run_id,
            run_name=citation.key,
            key=citation.key,
            claim_number=citation.claim or 0,
            claim_id=f"{citation.row}-{citation.claim}",
            text=citation.text or "",
            verdict=citation.verdict,
            confidence=citation.confidence,
            explanation=citation.explanation,
            question=citation.question,
        )
        for citation in citations
        if citation.verdict is not None
    ]
    height = None if len(hits) <= _UNBOXED_CLAIMS else _CLAIMS_HEIGHT
    return claim_list(hits, key=f"sources.claims.{place}", height=height)


def _answers(citations: Sequence[Citation | BrokenClaim], place: str) -> int | None:
    event = st.dataframe(
        pd.DataFrame([{"key": citation.key, "question": citation.question} for citation in citations]),
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
    if not source.retrieved:
        return "retrieved for no answer now"
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
    Fault.NEWLY_BROKEN: "Claims it supported before, with their verdict now. Click one to see both answers.",
}
