"""The head of the sources page: the finding, the counts behind it, and the next step."""

import streamlit as st

from faithview.ui.parts.view_switch import view_note
from faithview.ui.sources import findings
from faithview.ui.sources.board_data import BoardData, load_citations, open_citation


def draw_finding(loaded: BoardData) -> None:
    """Draw the finding with the counts behind it."""
    st.markdown(f"{loaded.finding.text} {view_note(loaded.view)}", help=_COUNTS_HELP)
    st.caption(findings.board_facts(loaded.board, by_document=loaded.by_document), help=_HELP)


def draw_next_step(loaded: BoardData) -> None:
    """Draw the button that opens the worst claim of the source that the finding names; none where it names none."""
    fault, source = loaded.finding.fault, loaded.finding.item
    if fault is None or source is None:
        return
    if st.button("Open its worst claim", type="primary", key="sources.worst"):
        citations = load_citations(loaded, source, fault)
        if citations:
            open_citation(loaded, citations[0])


_COUNTS_HELP = (
    "“Contradicts 4 of the 24 claims that cite it”: the verdicts of 24 claims of this run are based on it, and 4 of "
    "them are *contradicted*. “Not fully supported” are *partially supported* and *not mentioned*. A claim counts once "
    "for each source that it cites."
)
_HELP = (
    "*Retrieved* are the chunks or documents that at least one answer of the run retrieved, *cited* those that at "
    "least one claim's verdict is based on. "
    "Chunks are distinguished by their text. A claim cites the chunks that its verdict is based on; a claim that no "
    "chunk mentions may cite none. A document is what the chunk's metadata call document, source, file, url or title. "
    "Newly broken compares this run with the run before the last event, on the answers that both contain."
)
