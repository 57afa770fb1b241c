"""One chunk or document: its text, and the claims or answers behind its fault."""

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from faithview.domain.claim import Verdict
from faithview.domain.matching import is_own_id
from faithview.domain.views import ClaimHit
from faithview.services.sources.board import ChunkFault, Fault
from faithview.services.sources.citations import BrokenClaim, Citation, ClaimVerdict, chunk_texts, load_quotes
from faithview.ui.components.claim_list import ClaimDetail, ClaimState, claim_list
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
_QUOTES = 2


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
    number = _answers(citations, place) if fault is Fault.UNUSED else _claims(citations, source, loaded, place)
    if number is not None:
        open_citation(loaded, citations[number])


def _texts(source: ChunkFault) -> None:
    texts = chunk_texts(app.services(), source, limit=_MAX_TEXTS)
    is_long = sum(len(chunk.text) for chunk in texts) > _LONG_TEXT
    with st.container(height=_TEXT_HEIGHT if is_long else "content", border=True):
        for chunk in texts:
            if len(texts) > 1 and is_own_id(chunk.chunk_id):
                st.markdown(f":small[:gray[{fmt.literal(chunk.chunk_id)}]]")
            st.text(chunk.text)
    if source.chunks > len(texts):
        st.caption(f"The first {fmt.count(len(texts))} of {fmt.plural(source.chunks, 'chunk')}.")


def _claims(
    citations: Sequence[Citation | BrokenClaim], source: ChunkFault, loaded: BoardData, place: str
) -> int | None:
    shown = [one for one in citations if isinstance(one, BrokenClaim) or one.verdict is not None]
    hits = [_hit(one, loaded) for one in shown]
    height = None if len(hits) <= _UNBOXED_CLAIMS else _CLAIMS_HEIGHT
    details = _details(shown, source)
    return claim_list(hits, key=f"sources.claims.{place}", height=height, details=details)


def _hit(citation: Citation | BrokenClaim, loaded: BoardData) -> ClaimHit:
    now = citation.now if isinstance(citation, BrokenClaim) else citation
    return ClaimHit(
        run_id=loaded.run.run_id,
        run_name=citation.key,
        key=citation.key,
        claim_number=citation.claim or 0,
        claim_id=_claim_id(citation),
        text=now.text or "",
        verdict=now.verdict or Verdict.NOT_MENTIONED,
        confidence=now.confidence,
        explanation=now.explanation,
        question=citation.question,
    )


def _claim_id(citation: Citation | BrokenClaim) -> str:
    return f"{citation.row}-{citation.claim}"


def _details(citations: Sequence[Citation | BrokenClaim], source: ChunkFault) -> Mapping[str, ClaimDetail]:
    """Return what the rows show beside the claims: both verdicts of broken ones, the quoted sentences of others."""
    quotes = load_quotes(app.services(), [one for one in citations if isinstance(one, Citation)])
    own = {part.chunk_id for part in source.parts}
    return {
        _claim_id(one): ClaimDetail(outcome="Broke", before=_state(one.before), now=_state(one.now))
        if isinstance(one, BrokenClaim)
        # Of this chunk only: its name stands above the list.
        else ClaimDetail(quotes=[q for q in quotes.get(one.claim_id or 0, ()) if q[0] in own][:_QUOTES])
        for one in citations
    }


def _state(side: ClaimVerdict) -> ClaimState:
    return ClaimState(
        verdict=side.verdict,
        confidence=side.confidence,
        text=side.text,
        explanation=side.explanation,
        quotes=side.quotes[:_QUOTES],
    )


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
    Fault.NEWLY_BROKEN: "Claims it supported before, and what became of them. Click one to see both answers.",
}
