"""The data behind the knowledge base page, and the way from a claim to its answers."""

import streamlit as st

from faithview.domain.errors import FaithViewError
from faithview.domain.views import View
from faithview.services.knowledge.changes import ChangedDocument, KnowledgeChanges, ShownClaim, compare_knowledge
from faithview.services.knowledge.resting_claims import RestingClaim
from faithview.ui.components.claim_list import ClaimDetail, ClaimState
from faithview.ui.knowledge import address
from faithview.ui.knowledge.step_choice import Pair
from faithview.ui.shell import address as shell_address
from faithview.ui.shell import app, nav
from faithview.wording.knowledge import OUTCOME_WORDS, chunk_name


def load_changes(pair: Pair, view: View) -> KnowledgeChanges | None:
    """Return what changed between the runs; where they cannot be compared, say why and return None."""
    with st.spinner("Comparing the two versions", show_time=False):
        try:
            return compare_knowledge(app.services(), pair[0].run_id, pair[1].run_id, view=view)
        except FaithViewError as error:
            st.text(str(error))
            return None


def opened_document(changes: KnowledgeChanges) -> ChangedDocument | None:
    """Return the document that the address names, else the first one; None where none changed."""
    wanted = address.selected_document()
    named = (one for one in changes.changed if one.document.key == wanted)
    return next(named, next(iter(changes.changed), None))


def claim_states(shown: ShownClaim, view: View) -> ClaimDetail:
    """Return what a row of the list shows of a claim, before and now."""
    return ClaimDetail(
        outcome=OUTCOME_WORDS[shown.claim.outcome.value],
        before=_state(shown, view, is_before=True),
        now=_state(shown, view, is_before=False),
    )


def _state(shown: ShownClaim, view: View, *, is_before: bool) -> ClaimState | None:
    side, detail = (shown.claim.before, shown.before) if is_before else (shown.claim.after, shown.after)
    if side is None or detail is None:
        return None
    # The judge's confidence and reasons are about the judge's verdict.
    is_judged = side.verdict is detail.verdict
    return ClaimState(
        verdict=side.verdict,
        confidence=detail.confidence if is_judged and view is View.JUDGE else None,
        text=detail.text,
        explanation=detail.explanation if is_judged else "",
        quotes=[(chunk_name(quote.chunk_id, None), quote.quote) for quote in detail.quotes[:2]],
    )


def open_claim(changes: KnowledgeChanges, claim: RestingClaim) -> None:
    """Open both answers side by side; where nothing changed between them, the newer one."""
    rows = (claim.baseline_row, claim.candidate_row)
    if rows in changes.compared_rows:
        sides = {"baseline": changes.baseline.run_id, "candidate": changes.candidate.run_id}
        st.switch_page(nav.COMPARE, query_params={**address.address(), **sides, "pair": f"{rows[0]}-{rows[1]}"})
    number = None if claim.after is None else claim.after.number
    link = shell_address.link(changes.candidate.run_id, claim.key, number)
    st.switch_page(nav.INSPECT, query_params={**address.address(), **link})


def compare_link(changes: KnowledgeChanges) -> dict[str, str]:
    """Return the address parameters of the comparison of the two runs."""
    return {"baseline": changes.baseline.run_id, "candidate": changes.candidate.run_id}
