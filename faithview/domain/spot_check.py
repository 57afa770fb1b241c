"""A spot-check: claims drawn with known probabilities, for people to label."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from faithview.domain.sample import Json

# How long a claim is kept for the person who has it on screen.
LEASE = timedelta(minutes=5)


@dataclass(frozen=True, slots=True, kw_only=True)
class SpotCheck:
    """A draw. `design` holds everything that decided it: size or target, mix, strata, seed."""

    spot_check_id: int
    name: str
    created_at: datetime
    created_by: str
    is_blind: bool = True
    reviewers_per_item: int = 1
    design: Mapping[str, Json] = field(default_factory=dict)

    @property
    def run_ids(self) -> tuple[str, ...]:
        """The runs it was drawn from."""
        runs = self.design.get("runs")
        return tuple(runs) if isinstance(runs, dict) else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnClaim:
    """One claim of a draw, in the order of the queue; `inclusion_probability` is in (0, 1]."""

    run_id: str
    row: int
    claim_number: int
    stratum: str
    inclusion_probability: float


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueItem:
    """What a reviewer is given next: the claim, and what of the draw its label has to carry."""

    item_id: int
    position: int
    drawn: DrawnClaim


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueProgress:
    """How far a spot-check has come: items, items with all their labels, and labels by reviewer."""

    items: int
    done: int
    by_reviewer: Mapping[str, int]
