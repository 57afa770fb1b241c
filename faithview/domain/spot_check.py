"""A spot-check: a random sample of claims, drawn with known probabilities, that reviewers label."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from faithview.domain.sample import Json

# The units and designs, named as on the command line and in its JSON documents.
UNITS = ("claims", "answers")
DESIGNS = ("random", "stratified", "uncertain")


@dataclass(frozen=True, slots=True, kw_only=True)
class SpotCheck:
    """A spot-check.

    `design` records how its claims were drawn: size, unit, strata, preferences, seed and, for each run, the facts about
    undrawn units that an estimate needs. `population` describes the list of claims it was drawn from, as in
    "contradicted claims in Billing"; None if it was drawn from whole runs. An estimate from a list is about that list,
    and not about a run's score.
    """

    spot_check_id: int
    name: str
    created_at: datetime
    created_by: str
    is_blind: bool = True
    reviewers_per_item: int = 1
    design: Mapping[str, Json] = field(default_factory=dict)
    population: str | None = None

    @property
    def run_ids(self) -> tuple[str, ...]:
        """The ids of the runs it was drawn from, or that contain the claims of its list."""
        runs = self.design.get("runs")
        return tuple(runs) if isinstance(runs, dict) else ()

    def gives_away_to(self, reviewer: str) -> bool:
        """Return whether the reviewer knows the judge's verdicts because they drew the spot-check.

        That is so if they drew it from a list in which the judge calls all claims supported, or none.
        """
        listed, supported = self.design.get("claims"), self.design.get("supported")
        return self.population is not None and reviewer == self.created_by and supported in (0, listed)


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnClaim:
    """A claim that was drawn; `row` and `claim_number` count from 1, `inclusion_probability` is in (0, 1]."""

    run_id: str
    row: int
    claim_number: int
    stratum: str
    inclusion_probability: float


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueItem:
    """One claim of a spot-check's queue, with everything that a reviewer may see before labelling it.

    `position` is its place in the queue, from 1. `key` is its answer's, as in exports. `text` and `spans` are the
    claim's words and their places `[start, end)` in the answer. It has nothing of the judge's verdict.
    """

    item_id: int
    position: int
    drawn: DrawnClaim
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
