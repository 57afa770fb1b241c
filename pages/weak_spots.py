"""Weak spots: which questions score lower than others, and from which chunks do unsupported claims come?"""

from collections.abc import Sequence

import streamlit as st

from faithview.domain.answer import View
from faithview.domain.run import Run, SegmentSummary
from faithview.services.results import get_summary
from faithview.services.weak_spots.slices import RunSlices, find_slices
from faithview.services.weak_spots.sources import (
    ChunkFault,
    Fault,
    SourceBoard,
    chunk_texts,
    list_citations,
    load_board,
)
from faithview.ui import address, navigation, opened_store, page_setup
from faithview.ui.address import Param, choose_one, go
from faithview.ui.tables import click_table
from faithview.ui.widgets import empty_state
from faithview.ui.widgets.first_line import FirstLine, choose_run, first_line
from faithview.wording import numbers as fmt
from faithview.wording.slices import (
    FIGURES_HELP,
    looked_at,
    not_searched_words,
    nothing_found,
    plain_slice,
    slice_figures,
    slice_words,
)
from faithview.wording.verdict_styles import VERDICT_LABELS

page_setup.require_app()

_TABS = {"questions": "Questions", navigation.SOURCES: "Documents"}
_LEVELS = {"chunks": "Chunks", "documents": "Documents"}
_SOURCE = Param("source", str)  # the chunk or document that is open
_MOST_SOURCES, _MOST_CLAIMS, _MOST_TEXTS = 100, 200, 50
_TEXT_HEIGHT, _LONG_TEXT = 260, 900  # px and characters: longer texts scroll
_TEXT, _NUMBER = st.column_config.TextColumn, st.column_config.NumberColumn


def draw_slices(run: Run, line: FirstLine) -> None:
    """Draw the slices that score lower than the rest, by the judge, and the segments; a click opens their answers."""
    with st.spinner("Looking for slices that score lower", show_time=False):
        found = find_slices(opened_store.store(), run.run_id)
    summary = get_summary(opened_store.store(), run.run_id)
    segments = sorted(
        (one for one in summary.segments if one.score.mean is not None), key=lambda one: one.score.mean or 0.0
    )
    st.markdown(_slices_words(found, segments), help=FIGURES_HELP if found.slices else None)
    with line.next_step:
        label, link = "Read the worst answers", address.link(run.run_id)
        if found.slices:
            worst = found.slices[0]
            label = f"Open its {fmt.plural(len(worst.positions), 'answer')}"
            link = {**address.link(run.run_id), "slice": worst.definition.slice_id}
        if st.button(label, type="primary", icon=":material/find_in_page:", key="slices.open"):
            st.switch_page(navigation.ANSWERS, query_params=link)
    if found.slices:
        number = click_table(
            [
                {
                    "slice": plain_slice(low.definition),
                    "score": low.mean,
                    "n": len(low.positions),
                    "elsewhere": low.figures.elsewhere,
                    "difference": f"{fmt.signed(low.figures.difference)} ({fmt.signed_ends(low.figures.interval)})",
                    "p": fmt.p_number(low.figures.p_value),
                }
                for low in found.slices
            ],
            {
                "slice": _TEXT("Slice", width=300),
                "score": _NUMBER("Score", format="%.2f", width=62),
                "n": _NUMBER("n", width=56),
                "elsewhere": _NUMBER("Elsewhere", format="%.2f", width=84),
                "difference": _TEXT("Difference, 95% interval", width=190),
                "p": _TEXT("p", width=72),
            },
            key=f"slices.{run.run_id}",
            alt="Slices of the run that score lower than the rest, the most certain first.",
        )
        if number is not None:
            link = {**address.link(run.run_id), "slice": found.slices[number].definition.slice_id}
            st.switch_page(navigation.ANSWERS, query_params=link)
    left_out = fmt.left_out(found.left_out)
    notes = [f"Answers left out: {left_out}." if left_out else "", not_searched_words(found.not_searched)]
    st.caption(fmt.literal(" ".join(filter(None, notes))), help=_SLICES_HELP)
    if len(segments) > 1:
        draw_segments(run, segments, found.low_segments)


def _slices_words(found: RunSlices, segments: Sequence[SegmentSummary]) -> str:
    if found.slices:
        worst = found.slices[0]
        text = f"Clearest weak spot: **{slice_words(worst.definition)}**, {slice_figures(worst.figures)}."
        return f"{text} {looked_at(found.answers, found.tested)}"
    text = nothing_found(found.answers, found.tested)
    if len(segments) > 1:
        text += f" Lowest segment: **{fmt.literal(segments[0].segment)}** {fmt.score(segments[0].score)}."
    return text


def draw_segments(run: Run, segments: Sequence[SegmentSummary], low: frozenset[str]) -> None:
    """Draw the segments, the lowest first; a click opens the answers of one."""
    st.header("Segments", anchor=False)
    number = click_table(
        [
            {
                "segment": one.segment,
                "score": one.score.mean,
                "interval": fmt.interval(one.score),
                "n": one.score.judged,
                "low": "significantly lower" if one.segment in low else "",
            }
            for one in segments
        ],
        {
            "segment": _TEXT("Segment", width=300),
            "score": st.column_config.ProgressColumn(
                "Faithfulness", format="%.2f", min_value=0, max_value=1, width=200
            ),
            "interval": _TEXT("95% interval", width=110),
            "n": _NUMBER("n", width=56),
            **({"low": _TEXT("Than the rest", width=150)} if low else {}),
        },
        key=f"slices.segments.{run.run_id}",
        alt="Mean faithfulness of each segment with its 95% interval, the lowest first.",
    )
    if number is not None:
        link = {**address.link(run.run_id), "segment": segments[number].segment}
        st.switch_page(navigation.ANSWERS, query_params=link)


def draw_sources(run: Run) -> None:
    """Draw the chunks, or documents, that claims cite, the worst first, and the one that is open with its claims."""
    levels = st.container()
    with levels:
        by_document = choose_one("level", _LEVELS, label="Level", leaves=[_SOURCE.name]) == "documents"
    board = load_board(
        opened_store.store(), run.run_id, view=View.REVIEWED, by_document=by_document, limit=_MOST_SOURCES
    )
    noun = "document" if by_document else "chunk"
    st.markdown(_sources_words(board, noun))
    if not board.claims:
        return
    facts = f"{fmt.plural(board.retrieved, noun)} retrieved, {fmt.count(board.cited)} cited"
    st.caption(f"{facts} · {fmt.count(board.citing)} of {fmt.plural(board.claims, 'claim')} cite a chunk")
    counts = {fault: {_name(item): item.count for item in board.faults[fault]} for fault in _SHOWN}
    items = {_name(item): item for fault in _SHOWN for item in board.faults[fault]}
    if not items:
        st.markdown(f":gray[Every {noun} is cited, and every claim that cites one is supported.]")
        return
    names = list(items)
    with st.container(horizontal=True, gap="medium"):
        left, right = st.container(width=530), st.container(key="sources-detail", width="stretch")
    with left:
        number = click_table(
            [
                {
                    "name": item.name,
                    "document": None if by_document else item.document,
                    "contradicted": counts[Fault.CONTRADICTED].get(name),
                    "unsupported": counts[Fault.NOT_SUPPORTING].get(name),
                    "of": item.cited,
                    "retrieved": item.retrieved,
                }
                for name, item in items.items()
            ],
            {
                "name": _TEXT(noun.capitalize(), width=226 if by_document else 84),
                **({} if by_document else {"document": _TEXT("Document", width=142)}),
                "contradicted": _NUMBER("Contradicts", width=84),
                "unsupported": _NUMBER(
                    "Unsupported", width=92, help="Cite it, but it supports them in part or not at all."
                ),
                "of": _NUMBER("Cited", width=52, help="All claims that cite it."),
                "retrieved": _NUMBER("Retrieved", width=72, help="Answers that retrieved it, counted once per chunk."),
            },
            key=f"sources.{run.run_id}.{by_document}",
            alt=f"{noun.capitalize()}s with contradicted or unsupported claims, the worst first, then unused ones.",
        )
    if number is not None:
        go(source=names[number])
    named = _SOURCE.get()
    opened = items.get(named or "") or (board.lowest[1] if board.lowest else items[names[0]])
    with right:
        draw_source(run, opened)


def _name(item: ChunkFault) -> str:
    """Return the name of a chunk or a document in the address; chunks with one id may have several texts."""
    return item.name if item.text_id is None else f"{item.text_id}"


def _sources_words(board: SourceBoard, noun: str) -> str:
    """Return the finding: the chunk or document whose claims are supported significantly less often."""
    if not board.retrieved:
        return "**No chunk was retrieved** in this run."
    if not board.claims:
        return _NO_CLAIMS
    if board.lowest is not None:
        _, item, figures = board.lowest
        text = f"{_title(item)}: {fmt.count(item.count)} of the {fmt.plural(item.cited, 'claim')} that cite it"
        text += f" {_FAULT_WORDS[board.lowest[0]]}. Supported: {slice_figures(figures)}."
        return f"{text} FaithView compared {fmt.plural(board.tested, noun)}."
    if board.tested:
        return f"**No {noun} stands out** among {fmt.count(board.tested)} that were compared."
    return f"**No {noun} stands out**: too few claims cite the same one."


def _title(item: ChunkFault) -> str:
    document = "" if item.text_id is None or item.document is None else f" (*{fmt.literal(item.document)}*)"
    return f"**{fmt.literal(item.name)}**{document}"


def draw_source(run: Run, item: ChunkFault) -> None:
    """Draw a chunk's or a document's text, and the claims that cite it, the worst first; a click opens one."""
    st.markdown(_title(item))
    texts = chunk_texts(opened_store.store(), item, limit=_MOST_TEXTS)
    is_long = sum(len(text) for _, text in texts) > _LONG_TEXT
    with st.container(height=_TEXT_HEIGHT if is_long else "content", border=True):
        for chunk_id, text in texts:
            if len(texts) > 1:
                st.caption(fmt.literal(chunk_id))
            st.text(text)
    if item.chunks > len(texts):
        st.caption(f"The first {fmt.count(len(texts))} of {fmt.plural(item.chunks, 'chunk')}.")
    fault = Fault.CONTRADICTED if item.cited else Fault.UNUSED
    found = list_citations(opened_store.store(), run.run_id, item, fault, view=View.REVIEWED, limit=_MOST_CLAIMS)
    if not found:
        st.markdown(":gray[No answer to show.]")
        return
    st.caption("Claims that cite it, the worst first" if item.cited else "Answers that retrieved it; no claim cites it")
    number = click_table(
        [
            {
                "verdict": VERDICT_LABELS[one.verdict.value] if one.verdict is not None else None,
                "claim": one.text or f"{one.key}: {one.question or ''}",
            }
            for one in found
        ],
        {
            "verdict": _TEXT("Verdict", width=130),
            "claim": _TEXT("Claim" if item.cited else "Answer", width=290),
        },
        key=f"sources.claims.{run.run_id}.{_name(item)}",
        alt="The claims that cite it, or the answers that retrieved it.",
    )
    if number is not None:
        link = address.link(run.run_id, found[number].key, found[number].number)
        # Streamlit puts the parameters of the next page into the address of this one first, so the choice goes along.
        here = {name: st.query_params[name] for name in ("tab", "level", "source") if name in st.query_params}
        st.switch_page(navigation.ANSWERS, query_params={**here, **link})


_SHOWN = (Fault.CONTRADICTED, Fault.NOT_SUPPORTING, Fault.UNUSED)
_FAULT_WORDS = {Fault.CONTRADICTED: "are contradicted by it", Fault.NOT_SUPPORTING: "are not fully supported"}
_NO_CLAIMS = (
    "**This run has no judged claims**, so it is unknown which chunks its answers are based on. If its scores were "
    "imported without claims, *Manage* on *Answers* can judge them again."
)
_SLICES_HELP = (
    "A slice is a set of answers with something in common: the segment, a value in a column, a retrieved document, or "
    "a word of the question. Each slice is compared with the other answers; p is adjusted for all slices."
)

is_of_sources = address.selected_tab(_TABS) == navigation.SOURCES
line = first_line("Weak spots", document="Documents with weak spots" if is_of_sources else None, tabs=_TABS)
run = choose_run(line)
if run is None:
    empty_state.no_runs("This page will show which questions, and which documents, low scores come from.")
    st.stop()
if is_of_sources:
    draw_sources(run)
else:
    draw_slices(run, line)
