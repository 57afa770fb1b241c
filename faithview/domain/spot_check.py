"""A spot-check: a random sample of claims, drawn with known probabilities, that reviewers label."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from faithview.domain.claim import ClaimRef
from faithview.domain.sample import Json


class Design(StrEnum):
    """How the claims of a spot-check are drawn.

    `random`: every answer is equally likely to be seen, and every claim of it. `balanced`: half of the claims are
    among those that the judge flags, and half among those that it calls supported. `earlier`: drawn before 0.3, in a
    way that FaithView no longer draws.
    """

    RANDOM = "random"
    BALANCED = "balanced"
    EARLIER = "earlier"


@dataclass(frozen=True, slots=True, kw_only=True)
class SpotCheck:
    """A spot-check.

    `design` records how its claims were drawn: the `Design`, the seed and, for each run, the strata with the facts
    about their undrawn claims that an estimate needs.
    """

    spot_check_id: int
    name: str
    created_at: datetime
    created_by: str
    is_blind: bool = True
    reviewers_per_item: int = 1
    design: Mapping[str, Json] = field(default_factory=dict)

    @property
    def run_ids(self) -> tuple[str, ...]:
        """The ids of the runs it was drawn from."""
        runs = self.design.get("runs")
        return tuple(runs) if isinstance(runs, dict) else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnClaim:
    """A claim that was drawn; `inclusion_probability` is in (0, 1]."""

    place: ClaimRef
    stratum: str
    inclusion_probability: float


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueItem:
    """One claim of a spot-check's queue, with everything that a reviewer may see before labelling it.

    `position` is its place in the queue, from 1. `key` is its answer's, as in exports. `text` and `spans` are the
    claim's words and their places `[start, end)` in the answer. It has nothing of the judge's verdict; the stratum may
    be named after it, so it is not here either.
    """

    item_id: int
    position: int
    place: ClaimRef
    inclusion_probability: float
    check: SpotCheck
    run_name: str
    key: str
    text: str
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueProgress:
    """How far a spot-check has come: claims drawn, claims with all their labels, and labels by reviewer."""

    items: int
    done: int
    by_reviewer: Mapping[str, int]
