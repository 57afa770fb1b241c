"""One person's way through a spot-check: where they are, what they have seen, and how long they took.

Kept in the session. It holds places and times only; claims are read anew each time.
"""

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from statistics import median

from faithview.domain.errors import NotFound
from faithview.domain.label import NOT_A_CLAIM, Label
from faithview.services.container import Services
from faithview.services.review import disagreements, queue
from faithview.services.review.queue import QueuedClaim

# Beyond it somebody has left the desk, and the time says nothing about the claim.
_LONGEST_S = 15 * 60
_PACE_FROM = 3
_PACE_OVER = 30


def labels_here(claim: QueuedClaim) -> list[Label]:
    """Return the reviewer's labels of this spot-check on the claim; one given elsewhere does not settle it here."""
    return [label for label in claim.own if label.spot_check_id == claim.check.spot_check_id]


@dataclass(slots=True, kw_only=True)
class Walk:
    """Where a reviewer is in a spot-check.

    `trail` holds the positions shown, oldest first, and `at` is the place in it that is on screen, None before the
    first and where nothing is left. `skipped` are the items put aside. `pace` holds the seconds a label took.
    """

    spot_check_id: int
    reviewer: str
    trail: list[int] = field(default_factory=list)
    at: int | None = None
    skipped: list[int] = field(default_factory=list)
    pace: list[float] = field(default_factory=list)
    shown_at: float = 0.0

    @property
    def position(self) -> int | None:
        """The position on screen."""
        return None if self.at is None else self.trail[self.at]

    def current(self, services: Services) -> QueuedClaim | None:
        """Return the claim on screen, taking the next one where there is none; None where nothing is left."""
        if self.position is None:
            return self._take(services, after=0)
        return queue.get_claim(services, self.spot_check_id, self.position, reviewer=self.reviewer)

    def label(
        self, services: Services, position: int, verdict: str, note: str | None, corrected_text: str | None = None
    ) -> QueuedClaim | None:
        """Store a verdict on the claim on screen and return it revealed.

        None where another claim has come on screen since the key was pressed, and where the same was said before.
        """
        if position != self.position:
            return None
        before = queue.get_claim(services, self.spot_check_id, position, reviewer=self.reviewer)
        said = labels_here(before)
        if verdict in [label.verdict or NOT_A_CLAIM for label in said] and not (note or corrected_text):
            return None
        seconds = time.monotonic() - self.shown_at
        taken = round(seconds, 2) if seconds <= _LONGEST_S else None
        labelled = queue.submit_label(
            services,
            self.spot_check_id,
            position,
            verdict,
            reviewer=self.reviewer,
            note=note,
            corrected_text=corrected_text,
            seconds=taken,
        )
        if not said and taken is not None:
            self.pace.append(taken)
        self.shown_at = time.monotonic()
        return labelled

    def forward(self, services: Services) -> None:
        """Go to the next claim: one seen before where the person has gone back, else the next that is free."""
        here = self.current(services)
        if self.at is not None and self._walk(services, range(self.at + 1, len(self.trail))):
            self._give_back(services, here)
            return
        if here is not None and self._take(services, after=here.item.position) is None:
            self._take(services, after=0)
        self._give_back(services, here)

    def back(self, services: Services) -> bool:
        """Go to the claim seen before this one; return False where there is none, or others have taken it since."""
        here = None if self.at is None else self.current(services)
        start = len(self.trail) if self.at is None else self.at
        if not self._walk(services, range(start - 1, -1, -1)):
            return False
        self._give_back(services, here)
        return True

    def renew(self, services: Services) -> None:
        """Keep the claim on screen for the person who reads it; not beyond the time after which they have left."""
        if self.position is not None and time.monotonic() - self.shown_at < _LONGEST_S:
            self._may_show(services, self.position)

    def skip(self, services: Services) -> None:
        """Put the claim aside for this session and go on."""
        here = self.current(services)
        if here is not None and not labels_here(here):
            self.skipped.append(here.item.item_id)
        self.forward(services)

    def undo(self, services: Services) -> bool:
        """Take the person's newest label back and show its claim again; return whether there was one."""
        try:
            claim = queue.undo_last(services, self.spot_check_id, reviewer=self.reviewer)
        except NotFound:
            return False
        self._show_last(claim.item.position)
        return True

    def release(self, services: Services) -> None:
        """Give the claim on screen back, so that somebody else can have it."""
        if self.position is not None:
            here = queue.get_claim(services, self.spot_check_id, self.position, reviewer=self.reviewer)
            disagreements.release_claim(services, here.item.item_id, reviewer=self.reviewer)

    def seconds_left(self, claims: int) -> float | None:
        """Return how long so many claims take at the person's pace; None before it is known."""
        return median(self.pace[-_PACE_OVER:]) * claims if len(self.pace) >= _PACE_FROM else None

    def _take(self, services: Services, *, after: int) -> QueuedClaim | None:
        claim = queue.next_claim(services, self.spot_check_id, reviewer=self.reviewer, after=after, skip=self.skipped)
        if claim is None:
            self.at = None
            return None
        self._show_last(claim.item.position)
        return claim

    def _walk(self, services: Services, places: Iterable[int]) -> bool:
        """Show the first of these places of the trail whose claim the person may have; return whether there is one."""
        for at in places:
            if self._may_show(services, self.trail[at]):
                self._show(at)
                return True
        return False

    def _may_show(self, services: Services, position: int) -> bool:
        """Return whether the claim is the person's: labelled by them, or leased to them now, which is done here."""
        claim = queue.get_claim(services, self.spot_check_id, position, reviewer=self.reviewer)
        return bool(labels_here(claim)) or queue.hold_claim(services, claim.item.item_id, reviewer=self.reviewer)

    def _show_last(self, position: int) -> None:
        """Show a claim as the newest of the trail, so that the way on from it leads to claims not seen yet."""
        self.trail = [*(seen for seen in self.trail if seen != position), position]
        self._show(len(self.trail) - 1)

    def _show(self, at: int) -> None:
        self.at = at
        self.shown_at = time.monotonic()

    def _give_back(self, services: Services, left: QueuedClaim | None) -> None:
        if left is not None and not labels_here(left) and left.item.position != self.position:
            disagreements.release_claim(services, left.item.item_id, reviewer=self.reviewer)
