"""The data behind the sources page, and the claims or answers behind each chunk."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from faithview.domain.run import Run
from faithview.domain.views import View
from faithview.services.comparison.since_event import SinceEvent, compare_since_event
from faithview.services.sources.board import ChunkFault, Fault, SourceBoard, load_board
from faithview.services.sources.citations import BrokenClaim, Citation, list_broken_claims, list_citations
from faithview.ui.shell import address as shell_address
from faithview.ui.shell import app, nav
from faithview.ui.sources import address, findings
from faithview.ui.sources.findings import SourceFinding

MAX_CITATIONS = 200
_MAX_SOURCES = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardData:
    """The faults of a run's chunks or documents, what broke since the last event, and the finding."""

    run: Run
    view: View
    by_document: bool
    board: SourceBoard
    since: SinceEvent
    finding: SourceFinding

    @property
    def fault(self) -> Fault:
        """The fault whose list is shown: the address's, else the finding's."""
        return address.selected_fault() or self.finding.fault or Fault.UNUSED


def load_board_data(run: Run, view: View) -> BoardData:
    """Load the board of a run, by chunk or by document as the address says."""
    services = app.services()
    by_document = address.is_by_document()
    with st.spinner("Comparing with the run before the last event", show_time=False):
        since = compare_since_event(services, run, view=view)
    board = load_board(
        services, run.run_id, view=view, since=since.comparison, by_document=by_document, limit=_MAX_SOURCES
    )
    finding = findings.source_finding(board, since, by_document=by_document)
    return BoardData(run=run, view=view, by_document=by_document, board=board, since=since, finding=finding)


def load_citations(loaded: BoardData, source: ChunkFault, fault: Fault) -> Sequence[Citation | BrokenClaim]:
    """Return the claims, or for an unused source the answers, behind a fault; the worst first."""
    services = app.services()
    if fault is Fault.NEWLY_BROKEN:
        comparison = loaded.since.comparison
        return () if comparison is None else list_broken_claims(services, comparison, source)
    citations = list_citations(services, loaded.run.run_id, source, fault, view=loaded.view, limit=MAX_CITATIONS)
    # A statement that people say is no claim has no verdict and does not count.
    return [citation for citation in citations if citation.claim is None or citation.verdict is not None]


def open_citation(loaded: BoardData, citation: Citation | BrokenClaim) -> None:
    """Open a broken claim beside its earlier answer, and any other one beside its chunks."""
    comparison = loaded.since.comparison
    if isinstance(citation, BrokenClaim) and comparison is not None:
        sides = {"baseline": comparison.baseline.run_id, "candidate": comparison.candidate.run_id}
        pair = f"{citation.baseline_row}-{citation.row}"
        st.switch_page(nav.COMPARE, query_params={**address.address(), **sides, "pair": pair})
    link = shell_address.link(loaded.run.run_id, citation.key, citation.claim)
    st.switch_page(nav.INSPECT, query_params={**address.address(), **link})
