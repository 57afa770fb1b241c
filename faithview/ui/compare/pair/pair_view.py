"""Two answers to one question side by side: the claims, the chunks and the words that changed between them."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from faithview.domain.claim import ClaimRef
from faithview.domain.comparison import ClaimPair
from faithview.domain.label import NOT_A_CLAIM
from faithview.domain.scoring import ReviewedAnswer
from faithview.services.comparison.pair_detail import PairDetail
from faithview.ui.compare.pair.pair_payload import build_pair, find_row, order_claims
from faithview.ui.components.component_files import read_script, read_styles
from faithview.ui.components.selection import component_selection, keep_choice
from faithview.ui.components.verdict_styles import browser_styles
from faithview.ui.shell import session
from faithview.wording.verdicts import NO_CLAIM_STYLE

_mount = st.components.v2.component(
    "faithview.pair_view",
    css=read_styles("answer_view", "pair_view"),
    js=read_script("pair_view"),
)
_SIDES = ("before", "after")


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectedClaim:
    """The claim that is selected in a pair.

    `number` is its row, from 1 in `order_claims`; `is_after` says on which side it is and `at` is its index there. A
    label may change the order of the rows, and so the number.
    """

    number: int
    is_after: bool
    at: int

    def place(self, detail: PairDetail) -> ClaimRef | None:
        """Return where the judge's claim is in the store; None for a claim that people found."""
        side = detail.after if self.is_after else detail.before
        if self.at >= len(side.result.claims):
            return None
        return ClaimRef(run_id=side.run_id, row=side.position, claim_number=self.at + 1)


def pair_view(
    detail: PairDetail,
    *,
    names: tuple[str, str],
    reviewed: tuple[ReviewedAnswer, ReviewedAnswer],
    row: str,
    key: str,
    scroll_into_view_token: int = 0,
) -> SelectedClaim | None:
    """Draw two answers, their claims and their chunks; return the claim that is selected.

    The claim that moved the score most is selected at first, so that label keys have a claim at once.

    Args:
        detail: the two answers.
        names: the runs' names, before and now.
        reviewed: the two answers under people's labels.
        row: what the list of changes on the page calls these two.
        key: the component's key, unique on the page. It may stay the same from one pair to the next.
        scroll_into_view_token: the view scrolls into sight each time that this number has grown.
    """
    payload = build_pair(detail, names=names, reviewed=reviewed)
    revision = hashlib.blake2b(json.dumps(payload).encode(), digest_size=12).hexdigest()
    # Not the payload: a label changes that, and the person stays where they are.
    subject = json.dumps([detail.before.run_id, detail.before.position, detail.after.run_id, detail.after.position])
    pairs = order_claims(detail)
    selection = component_selection(key, subject=subject, requested=_first_claim(subject, pairs))
    chosen = _find(pairs, selection.choice)
    _mount(
        key=key,
        height="content",
        data={
            "subject": subject,
            "revision": revision,
            "row": row,
            "turn": selection.turn,
            "selected": None
            if chosen is None
            else {"number": chosen.number, "side": _SIDES[chosen.is_after], "at": chosen.at},
            "scroll_into_view_token": scroll_into_view_token,
            "styles": {**browser_styles(), NOT_A_CLAIM: dict(NO_CLAIM_STYLE)},
            "payload": payload,
        },
        on_choice_change=keep_choice,
    )
    return chosen


def _first_claim(subject: str, pairs: Sequence[ClaimPair]) -> str | None:
    """Return the first claim as it was when these two answers were opened: a label may change the order."""
    opened, first = session.COMPARE_FIRST_CLAIM.get()
    if opened != subject:
        first = _first(pairs)
        session.COMPARE_FIRST_CLAIM.set((subject, first))
    return first


def _first(pairs: Sequence[ClaimPair]) -> str | None:
    if not pairs:
        return None
    return f"before:{pairs[0].baseline}" if pairs[0].candidate is None else f"after:{pairs[0].candidate}"


def _find(pairs: Sequence[ClaimPair], choice: object) -> SelectedClaim | None:
    """Return the claim that the browser named, which comes from outside; None for anything else."""
    side, _, at = choice.partition(":") if isinstance(choice, str) else ("", "", "")
    if side not in _SIDES or not (at.isascii() and at.isdecimal() and len(at) < 6):
        return None
    number = find_row(pairs, side, int(at))
    return None if number is None else SelectedClaim(number=number, is_after=side == "after", at=int(at))
