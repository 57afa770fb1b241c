"""The design of a spot-check: its units, strata and size, and how many labels a precision needs.

The inclusion probabilities and the draw are computed by `stats.sampling` (`plan_spot_check`, `draw`), the number of
labels by `stats.precision`. The score estimated from the labels is in `corrected_score`.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

import numpy as np

from faithview.domain.claim import Verdict
from faithview.domain.errors import InvalidInput
from faithview.domain.run import refuse_without_texts
from faithview.domain.sample import Json
from faithview.domain.spot_check import DrawnClaim, SpotCheck
from faithview.domain.views import View
from faithview.services.container import Services
from faithview.services.results.runs import get_run
from faithview.services.review import priorities
from faithview.stats.precision import LabelsNeeded, size_for
from faithview.stats.sampling import FIRST, Draw, Plan, plan_spot_check
from faithview.stats.sampling import draw as draw_units
from faithview.stats.spot_check import Unit
from faithview.store.review import review_columns, spot_checks
from faithview.store.review.review_columns import ClaimColumns
from faithview.store.runs import revisions, tallies

_MOST_REVIEWERS = 20
_SCORE_BANDS = ((0.5, "below 0.5"), (0.8, "0.5 to 0.8"), (1.0, "0.8 to 1"))


class Strata(StrEnum):
    """What a run is divided by before units are drawn from each part."""

    NONE = "none"
    SCORE = "score"
    SEGMENT = "segment"
    VERDICT = "verdict"


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawOrder:
    """A request for a spot-check.

    `size` is in labels, over all runs. `unit`: answers are drawn with all their claims, or claims one by one, which
    takes fewer labels for the same precision, because claims of one answer tend to be alike.
    `prefers_uncertain` makes claims likelier of which the judge is less sure, or on which another judge of the same
    answers decided otherwise. `regressed_first` draws those claims before all others that got worse than in the run
    `regressed_against` (by default the earlier run of the same judge) or whose inherited label became stale, as many as
    leave the interval within half again the width of a random draw's. A seed of None is chosen at random and stored.
    """

    name: str
    run_ids: Sequence[str]
    size: int
    unit: Unit = Unit.CLAIM
    strata: Strata = Strata.NONE
    prefers_uncertain: bool = False
    regressed_first: bool = False
    regressed_against: str | None = None
    is_blind: bool = True
    reviewers_per_item: int = 1
    seed: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnFirst:
    """How many claims were to be drawn before all others (`DrawOrder.regressed_first`), and how many of them were."""

    claims: int
    drawn: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Units:
    """The units of a run as columns; `claims` are the positions of each unit's claims in the run's facts."""

    facts: Sequence[ClaimColumns]
    claims: list[list[int]] = field(default_factory=list)
    weight: list[float] = field(default_factory=list)
    judge: list[float] = field(default_factory=list)

    def mean(self, by_claim: Sequence[float]) -> list[float]:
        """Return each unit's mean of a figure of its claims."""
        return [sum(by_claim[at] for at in part) / len(part) for part in self.claims]


def draw(services: Services, order: DrawOrder, *, created_by: str) -> int:
    """Draw a spot-check, store it with the inclusion probability of every item, and return its id.

    Raises:
        InvalidInput: the order cannot be met; the text says why.
        NotFound: there is no such run.
        RunConflict: the texts of one were deleted.
    """
    check_order(order, created_by)
    seed = secrets.randbelow(2**31) if order.seed is None else order.seed
    named = [get_run(services, reference) for reference in dict.fromkeys(order.run_ids)]
    for run in named:
        refuse_without_texts(run)
    runs = [run.run_id for run in named]
    units = {run_id: _units(review_columns.list_claim_columns(services.db, run_id), order.unit) for run_id in runs}
    total = sum(len(u.facts) for u in units.values())
    if total == 0:
        raise InvalidInput("The chosen runs have no claim that could be drawn.")
    drawn: list[list[list[DrawnClaim]]] = []
    frame: dict[str, Json] = {}
    for number, (run_id, of_run) in enumerate(units.items()):
        if not of_run.facts:
            continue
        worse = _worse(services, run_id, of_run, order)
        plan, others = _plan(services, run_id, of_run, order, worse, labels=order.size * len(of_run.facts) / total)
        units_drawn = draw_units(plan, seed=seed + number)
        frame[run_id] = {
            **_frame(plan, of_run),
            "judged_by_another": others,
            "first": _count_first(of_run, worse, units_drawn),
        }
        drawn.append(_items(run_id, of_run, units_drawn))
    check = SpotCheck(
        spot_check_id=0,
        name=" ".join(order.name.split()) or "Spot-check",
        created_at=datetime.now(UTC),
        created_by=created_by,
        is_blind=order.is_blind,
        reviewers_per_item=order.reviewers_per_item,
        design=design_of(order, seed=seed, frames=frame),
    )
    return spot_checks.create_spot_check(services.db, check, _mix_runs(drawn, seed=seed))


def design_of(order: DrawOrder, *, seed: int | None, frames: Mapping[str, Json]) -> dict[str, Json]:
    """Return what is stored of how a spot-check was drawn: the order, the seed and, for each run, its frame."""
    return {
        "size": order.size,
        "unit": order.unit.value,
        "strata": order.strata.value,
        "prefers_uncertain": order.prefers_uncertain,
        "regressed_first": order.regressed_first,
        "regressed_against": order.regressed_against,
        "seed": seed,
        "runs": dict(frames),
    }


def labels_for(
    services: Services, run_ids: Sequence[str], half_width: float, *, unit: Unit = Unit.CLAIM
) -> LabelsNeeded:
    """Return how many labels, drawn at random, give the runs' mean to within the half-width, before any is given.

    Follows from the judge's verdicts, so the result is cached until one of the runs changes.

    Raises:
        InvalidInput: the half-width is not between 0 and 0.5, or no answer is judged.
        NotFound: there is no such run.
    """
    if not 0 < half_width < 0.5:
        raise InvalidInput(f"The half-width must be between 0 and 0.5, not {half_width}.")
    runs = tuple(get_run(services, reference).run_id for reference in dict.fromkeys(run_ids))
    return services.cache.get(
        "labels for",
        (runs, half_width, unit),
        tuple(revisions.list_revisions(services.db, runs).values()),
        lambda: _labels_for(services, runs, half_width, unit),
    )


def _labels_for(services: Services, runs: Sequence[str], half_width: float, unit: Unit) -> LabelsNeeded:
    counts = [t for run_id in runs for t in tallies.count_verdicts(services.db, run_id, View.JUDGE).judged if t.claims]
    claims, supported = (
        np.repeat([getattr(t, name) for t in counts], [t.answers for t in counts]) for name in ("claims", "supported")
    )
    if not counts:
        raise InvalidInput("No answer of the chosen runs is judged.")
    if unit is Unit.ANSWER:
        return size_for(
            np.ones(len(claims)), supported / claims, half_width=half_width, labels_per_unit=float(claims.mean())
        )
    number = np.arange(claims.sum()) - np.repeat(np.cumsum(claims) - claims, claims)
    is_supported = number < np.repeat(supported, claims)
    return size_for(np.repeat(1 / claims, claims), is_supported, half_width=half_width)


def drawn_first(check: SpotCheck) -> DrawnFirst | None:
    """Return how many claims of a spot-check were to be drawn first, and were; None where none was to be."""
    frames: Any = check.design.get("runs") or {}
    found = [frame["first"] for frame in frames.values() if frame.get("first")]
    if not found:
        return None
    return DrawnFirst(claims=sum(f["claims"] for f in found), drawn=sum(f["drawn"] for f in found))


def check_order(order: DrawOrder, created_by: str) -> None:
    """Raise InvalidInput if the order cannot be met whatever it is drawn from, or nobody gives it."""
    if not order.run_ids:
        raise InvalidInput("Choose at least one run to draw from.")
    if order.size < 1:
        raise InvalidInput(f"A spot-check needs at least one label, not {order.size}.")
    if not 1 <= order.reviewers_per_item <= _MOST_REVIEWERS:
        raise InvalidInput(f"One to {_MOST_REVIEWERS} people can label a claim, not {order.reviewers_per_item}.")
    if not created_by.strip():
        raise InvalidInput("Say who draws the spot-check.")


def _units(facts: Sequence[ClaimColumns], unit: Unit) -> _Units:
    by_row: dict[int, list[int]] = {}
    for at, fact in enumerate(facts):
        by_row.setdefault(fact.row, []).append(at)
    units = _Units(facts=facts)
    for row in by_row.values():
        parts = [row] if unit is Unit.ANSWER else [[at] for at in row]
        for part in parts:
            units.claims.append(part)
            units.weight.append(1 / len(by_row) / len(parts))
            units.judge.append(sum(facts[at].verdict == Verdict.SUPPORTED for at in part) / len(part))
    return units


def _worse(services: Services, run_id: str, units: _Units, order: DrawOrder) -> Sequence[bool]:
    """Return for each claim whether it is to be drawn before all others; nothing where none is."""
    if not order.regressed_first:
        return ()
    worse = priorities.is_regressed(services, get_run(services, run_id), units.facts, against=order.regressed_against)
    return worse if any(worse) else ()


def _count_first(units: _Units, worse: Sequence[bool], drawn: Draw) -> Json:
    """Return how many claims were to be drawn first, and how many of them were; None where none was."""
    if not worse:
        return None
    taken = sum(worse[at] for unit in drawn.units for at in units.claims[int(unit)])
    return {"claims": sum(worse), "drawn": taken}


def _plan(
    services: Services, run_id: str, units: _Units, order: DrawOrder, worse: Sequence[bool], *, labels: float
) -> tuple[Plan, int]:
    """Return the plan, and for how many answers another judge's verdicts were used."""
    run = get_run(services, run_id)
    uncertainty, others = None, 0
    if order.prefers_uncertain:
        by_claim, others = priorities.uncertainty(services, run, units.facts)
        uncertainty = units.mean(by_claim)
    first = [any(worse[at] for at in part) for part in units.claims] if worse else None
    per_unit = len(units.facts) / len(units.claims)
    strata = None if order.strata is Strata.NONE else [_stratum(units, part, order.strata) for part in units.claims]
    try:
        plan = plan_spot_check(
            units.weight,
            size=max(1, round(labels / per_unit)),
            strata=strata,
            uncertainty=uncertainty,
            first=first,
        )
    except ValueError as error:
        raise InvalidInput(str(error)) from error
    return plan, others


def _stratum(units: _Units, part: Sequence[int], strata: Strata) -> str:
    facts = [units.facts[at] for at in part]
    if strata is Strata.SEGMENT:
        return facts[0].segment or "no segment"
    if strata is Strata.SCORE:
        return next((name for limit, name in _SCORE_BANDS if facts[0].answer_score < limit), _SCORE_BANDS[-1][1])
    verdicts = {fact.verdict for fact in facts}
    return next(verdict.value for verdict in reversed(Verdict) if verdict in verdicts)


def _frame(plan: Plan, units: _Units) -> dict[str, Json]:
    """Return what an estimate needs of units that were not drawn: number, weight and judge's score of each stratum."""
    totals: list[Json] = []
    for position, name in enumerate(plan.names):
        inside = [at for at, stratum in enumerate(plan.stratum) if stratum == position]
        weight = sum(units.weight[at] for at in inside)
        judged = sum(units.weight[at] * units.judge[at] for at in inside)
        totals.append({"name": name, "units": len(inside), "weight": weight, "judged": judged})
    return {
        "strata": totals,
        "labels_per_unit": len(units.facts) / len(units.claims),
        "answers": len({fact.row for fact in units.facts}),
    }


def _items(run_id: str, units: _Units, drawn: Draw) -> list[list[DrawnClaim]]:
    """Return the drawn units in the order of the draw, each with its claims."""
    return [
        [
            DrawnClaim(
                run_id=run_id,
                row=units.facts[at].row,
                claim_number=units.facts[at].number,
                stratum=stratum,
                inclusion_probability=min(1.0, float(pi)),
            )
            for at in units.claims[int(unit)]
        ]
        for unit, pi, stratum in zip(drawn.units, drawn.pi, drawn.stratum, strict=True)
    ]


def _mix_runs(runs: Sequence[Sequence[Sequence[DrawnClaim]]], *, seed: int) -> list[DrawnClaim]:
    """Return the claims of all runs in one order that goes from run to run at random.

    Whoever stops half way has labelled about half of each run, not all of one and nothing of another. Each run's own
    order and every claim's chance stay what they were, units that were drawn first of all stay ahead of the others,
    and the claims of a unit stay together.

    Args:
        runs: for each run its drawn units in their random order, each with its claims.
        seed: of the mixing.
    """
    rng = np.random.default_rng([seed, len(runs)])
    mixed: list[DrawnClaim] = []
    for is_first in (True, False):
        parts = [[unit for unit in units if (unit[0].stratum == FIRST) is is_first] for units in runs]
        ahead = [iter(part) for part in parts]
        for run in rng.permutation(np.repeat(np.arange(len(parts)), [len(part) for part in parts])):
            mixed += next(ahead[int(run)])
    return mixed
