"""One reviewer's way through a spot-check: where they are, what they have seen, and how long they took.

Kept in the session. It holds positions and times; a claim is in it only from a key press to the rerun that draws it.
Which part of the page is open, and which spot-check, is chosen here too.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median

import streamlit as st

from faithview.domain.errors import InvalidInput, NotFound
from faithview.domain.spot_check import SpotCheck
from faithview.services.container import Store
from faithview.services.review import queue
from faithview.services.review.queue import QueueStep
from faithview.store import spot_checks as stored_spot_checks
from faithview.ui import address, opened_store, session
from faithview.ui.widgets.first_line import first_line

# A reviewer who takes longer has left the desk, so the time says nothing about the claim.
_LONGEST_S = 15 * 60
_PACE_FROM = 3
_PACE_OVER = 30

NOT_ON_SCREEN = "The next claim was not on screen yet."


@dataclass(slots=True, kw_only=True)
class QueueNavigator:
    """Where a reviewer is in a spot-check.

    `history` holds the positions shown, oldest first, and `index` is the place in it that is on screen; None before the
    first claim and when nothing is left. `item_id`, `mark` and `is_labelled` are of the claim on screen. `skipped` are
    the ids of the items put aside, `pace` the seconds that each label took, and `fresh` is what the last key press
    returned.
    """

    spot_check_id: int
    reviewer: str
    history: list[int] = field(default_factory=list)
    index: int | None = None
    item_id: int | None = None
    mark: str | None = None
    is_labelled: bool = False
    skipped: list[int] = field(default_factory=list)
    pace: list[float] = field(default_factory=list)
    shown_at: float = 0.0
    fresh: QueueStep | None = None

    @property
    def position(self) -> int | None:
        """The position on screen."""
        return None if self.index is None else self.history[self.index]

    def current(self, store: Store) -> QueueStep:
        """Return what to draw: what the last key press returned, else the claim on screen read again, else the next."""
        step, self.fresh = self.fresh, None
        if step is None:
            if self.position is None:
                claim = queue.next_claim(store, self.spot_check_id, reviewer=self.reviewer, skip=self.skipped)
            else:
                claim = queue.get_claim(store, self.spot_check_id, self.position, reviewer=self.reviewer)
            step = QueueStep(claim=claim, progress=stored_spot_checks.get_queue_progress(store.db, self.spot_check_id))
            self._show(step)
        return step

    def check_mark(self, mark: str | None) -> None:
        """Raise InvalidInput unless the claim on screen, or none, is the one that was marked when a key went down."""
        if mark != self.mark:
            raise InvalidInput(NOT_ON_SCREEN)

    def label(self, store: Store, mark: str, verdict: str, note: str | None, corrected_text: str | None = None) -> bool:
        """Store a verdict on the claim on screen and go on to the next one; return whether it did.

        False if the verdict is the same as before. Raises InvalidInput if another claim has come on screen since the
        reviewer saw the one with this mark.
        """
        self.check_mark(mark)
        position = self.position
        if position is None:
            raise InvalidInput(NOT_ON_SCREEN)
        seconds = time.monotonic() - self.shown_at
        taken = round(seconds, 2) if seconds <= _LONGEST_S else None
        ahead = self._ahead()
        step = queue.label_and_advance(
            store,
            self.spot_check_id,
            position,
            verdict,
            reviewer=self.reviewer,
            mark=mark,
            note=note,
            corrected_text=corrected_text,
            seconds=taken,
            ahead=ahead,
            skip=self.skipped,
        )
        if step is None:
            return False
        if not self.is_labelled and taken is not None:
            self.pace.append(taken)
        self._go_to(step, seen=[*ahead, position])
        return True

    def forward(self, store: Store) -> None:
        """Go to the next claim: one seen before if the reviewer has gone back, else the next without their label."""
        if self.position is None:
            self.fresh = self.current(store)
            return
        ahead = self._ahead()
        step = queue.advance(
            store, self.spot_check_id, self.position, reviewer=self.reviewer, ahead=ahead, skip=self.skipped
        )
        self._go_to(step, seen=ahead)

    def back(self, store: Store) -> None:
        """Go to the claim seen before this one, if there is one."""
        behind = self.history[: self.index]
        if behind:
            claim = queue.get_claim(store, self.spot_check_id, behind[-1], reviewer=self.reviewer)
            progress = stored_spot_checks.get_queue_progress(store.db, self.spot_check_id)
            self._go_to(QueueStep(claim=claim, progress=progress), seen=behind)

    def skip(self, store: Store) -> None:
        """Put the claim aside for this session and go on."""
        if self.item_id is not None and not self.is_labelled:
            self.skipped.append(self.item_id)
        self.forward(store)

    def undo(self, store: Store) -> bool:
        """Retract the reviewer's newest label and show its claim again; return whether there was one."""
        try:
            claim = queue.undo_last(store, self.spot_check_id, reviewer=self.reviewer)
        except NotFound:
            return False
        progress = stored_spot_checks.get_queue_progress(store.db, self.spot_check_id)
        self._go_to(QueueStep(claim=claim, progress=progress))
        return True

    def seconds_left(self, claims: int) -> float | None:
        """Return how many seconds that many claims take at the reviewer's pace; None before it is known."""
        return median(self.pace[-_PACE_OVER:]) * claims if len(self.pace) >= _PACE_FROM else None

    def _ahead(self) -> list[int]:
        return [] if self.index is None else self.history[self.index + 1 :]

    def _go_to(self, step: QueueStep, *, seen: Sequence[int] = ()) -> None:
        """Show the claim at its place in the history if it is one of those `seen`, else as the newest of the history.

        From the newest, the way on leads to claims that have not been shown yet.
        """
        position = 0 if step.claim is None else step.claim.item.position
        self.index = self.history.index(position) if position in seen else None
        self._show(step)
        self.fresh = step
        self.shown_at = time.monotonic()

    def _show(self, step: QueueStep) -> None:
        if step.claim is None:
            self.index = self.item_id = self.mark = None
            self.is_labelled = False
            return
        if self.index is None:
            position = step.claim.item.position
            self.history = [*(seen for seen in self.history if seen != position), position]
            self.index = len(self.history) - 1
            self.shown_at = time.monotonic()
        self.item_id, self.mark = step.claim.item.item_id, step.claim.mark
        self.is_labelled = step.claim.is_labelled


# The words on screen are also the values in the address.
SPOT_CHECKS, DISAGREEMENTS = "Spot-checks", "Disagreements"


def choose_part() -> str:
    """Draw the choice between spot-checks and disagreements, kept in the address, and return what is chosen."""
    chosen = st.segmented_control(
        "Part",
        [SPOT_CHECKS, DISAGREEMENTS],
        default=SPOT_CHECKS,
        required=True,
        key="part",
        bind="query-params",
        label_visibility="collapsed",
    )
    return chosen or SPOT_CHECKS


def part_link(part: str) -> dict[str, str]:
    """Return the address parameters of a part of the page."""
    return {"part": part}


def find_check() -> SpotCheck | None:
    """Return the spot-check that the address names; None if it names none, or one that does not exist."""
    wanted = address.selected_check()
    if wanted is None:
        return None
    checks = {check.spot_check_id: check for check in stored_spot_checks.list_spot_checks(opened_store.store().db)}
    if wanted not in checks:
        st.info(f"There is no spot-check {wanted} in this store.", icon=":material/link_off:")
        address.select_check(None)
    return checks.get(wanted)


def heading(check: SpotCheck) -> None:
    """Draw the spot-check's name, and the button that leads back to all."""
    line = first_line(check.name)
    line.next_step.button("All spot-checks", icon=":material/arrow_back:", key="queue.leave", on_click=_leave)


def _leave() -> None:
    address.select_check(None)
    session.QUEUE_NAVIGATOR.clear()
