"""Spot-checks: their units, strata and size, the labels needed for a precision, and which claims come first.

The inclusion probabilities and the draw are computed by `stats.sampling` (`plan_spot_check`, `draw`), the number of
labels by `stats.precision`. The score estimated from the labels is in `corrected_score`.

A spot-check may also be drawn from a list of claims, such as the matches of a filter of Claims or of Answers. It
then estimates only the share of claims in the list that reviewers call supported. Claims outside the filter could not
be drawn, so the labels do not affect a run's score. A list with every claim of its runs is drawn as an ordinary
spot-check of these runs.

Every claim of the list is equally likely. More can be drawn later (`draw_more`): a random sample of the remaining
claims, added to a random sample, is a random sample of the larger size. Stopping when the interval is narrow enough
does not bias the estimate (Chow and Robbins 1965, "On the asymptotic theory of fixed-width sequential confidence
intervals for the mean").

"""

import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

import numpy as np

from faithview.domain.claim import ClaimRef, Verdict
from faithview.domain.errors import InvalidInput
from faithview.domain.run import Run
from faithview.domain.sample import Json, find_unstorable
from faithview.domain.spot_check import DrawnClaim, SpotCheck
from faithview.services.container import Store
from faithview.services.results import get_run, list_runs
from faithview.stats.precision import LabelsNeeded, half_width_for, size_for
from faithview.stats.sampling import FIRST, Draw, Plan, plan_spot_check
from faithview.stats.sampling import draw as draw_units
from faithview.stats.spot_check import Floats, Unit
from faithview.store import benchmarks, revisions, spot_check_claims, spot_checks, summaries
from faithview.store.spot_check_claims import ClaimColumns
from faithview.store.spot_checks import StoredClaim

# Two different verdicts other than "supported" are half as far apart as "supported" is from either.
_HALF_APART = 0.5
# How many earlier runs are searched for one with the same questions.
_EARLIER_RUNS = 30


def claim_uncertainty(store: Store, run: Run, facts: Sequence[ClaimColumns]) -> tuple[list[float], int]:
    """Return how uncertain each claim's verdict is, and how many of the answers another judge also judged.

    Uncertainty is 0 or more and has no unit. Half of it is the judge's own uncertainty, half the distance to another
    judge's verdict on the same claim of the same answer (to the answer's score, if the other judge does not have the
    claim), both scaled to the same mean. Without another judge it is the judge's own uncertainty alone.
    """
    own = [_own_uncertainty(fact) for fact in facts]
    others = benchmarks.list_other_answers(store.db, run.run_id, fingerprint=run.fingerprint)
    if not others:
        return own, 0
    wanted = {answer.sample_id for answer in others.values()}
    verdicts: dict[tuple[int, str], str] = {}
    for claim in benchmarks.list_judged_claims(store.db, {answer.run_id for answer in others.values()}):
        if claim.sample_id in wanted:
            verdicts.setdefault((claim.sample_id, claim.claim_hash), claim.verdict)
    apart = []
    for fact in facts:
        other = others.get(fact.row)
        verdict = verdicts.get((other.sample_id, fact.claim_hash)) if other else None
        if other is None:
            apart.append(0.0)
        elif verdict is None:
            apart.append(abs(fact.answer_score - other.faithfulness))
        else:
            apart.append(_distance(fact.verdict, verdict))
    return [a + b for a, b in zip(_scaled(own), _scaled(apart), strict=True)], len(others)


def is_regressed(store: Store, run: Run, facts: Sequence[ClaimColumns], *, against: str | None = None) -> list[bool]:
    """Return whether each claim got worse: unsupported now, and supported earlier or in an answer that got worse.

    Claims with a stale label count too. The earlier run is `against`, or by default the newest earlier run of the same
    judge with at least one of the same questions.

    Raises:
        NotFound: the run `against` does not exist.
        InvalidInput: it is the run itself.
    """
    now = spot_check_claims.list_question_scores(store.db, run.run_id)
    earlier = _earlier(store, run, set(now)) if against is None else get_run(store, against)
    if earlier is None:
        return [fact.is_stale for fact in facts]
    if earlier.run_id == run.run_id:
        raise InvalidInput(f"Run {run.name!r} cannot be compared with itself; choose an earlier run.")
    before = spot_check_claims.list_question_scores(store.db, earlier.run_id)
    fell = {question for question, score in now.items() if score < before.get(question, 0.0)}
    supported = spot_check_claims.list_supported_claims(store.db, earlier.run_id)
    return [
        fact.is_stale or (fact.verdict != Verdict.SUPPORTED and (fact.question in fell or fact.claim_hash in supported))
        for fact in facts
    ]


def _earlier(store: Store, run: Run, questions: set[str]) -> Run | None:
    before = [
        r
        for r in list_runs(store, series=run.series)
        if r.is_before(run) and r.fingerprint == run.fingerprint and r.repeat_of is None
    ]
    for candidate in before[:_EARLIER_RUNS]:
        if not questions.isdisjoint(spot_check_claims.list_question_scores(store.db, candidate.run_id)):
            return candidate
    return None


def _own_uncertainty(fact: ClaimColumns) -> float:
    """Return how unsure the judge is, in [0, 1]; 0.5 for every claim if the judge gives no confidence."""
    if fact.support_score is not None:
        return 1 - abs(2 * fact.support_score - 1)
    return 0.5 if fact.confidence is None else 1 - fact.confidence


def _distance(first: str, second: str) -> float:
    if first == second:
        return 0.0
    return 1.0 if Verdict.SUPPORTED in (first, second) else _HALF_APART


def _scaled(values: Sequence[float]) -> list[float]:
    total = sum(values)
    return [value * len(values) / total for value in values] if total else list(values)


_MOST_REVIEWERS = 20
_SCORE_BANDS = ((0.5, "below 0.5"), (0.8, "0.5 to 0.8"), (1.0, "0.8 to 1"))


class Strata(StrEnum):
    """The property that divides a run into strata; units are drawn from each stratum."""

    NONE = "none"
    SCORE = "score"
    SEGMENT = "segment"
    VERDICT = "verdict"


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawOrder:
    """A request for a spot-check.

    `size` is the number of labels, over all runs. `unit`: answers are drawn with all their claims, or claims one by
    one, which needs fewer labels for the same precision, because claims of one answer tend to be alike.
    `prefers_uncertain` raises the probability of claims with a less confident verdict, or with another verdict by
    another judge of the same answers. `regressed_first` first draws claims that got worse since the run
    `regressed_against` (by default the earlier run of the same judge) or whose carried-over label became stale, as many
    as keep the interval within 1.5 times the width of a random draw. A seed of None is chosen at random and stored.
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


def draw(store: Store, order: DrawOrder, *, created_by: str) -> int:
    """Draw a spot-check, store it with the inclusion probability of every item, and return its id.

    Raises:
        InvalidInput: the request cannot be met; the message says why.
        NotFound: a run does not exist.
    """
    check_order(order, created_by)
    seed = secrets.randbelow(2**31) if order.seed is None else order.seed
    named = [get_run(store, reference) for reference in dict.fromkeys(order.run_ids)]
    runs = [run.run_id for run in named]
    units = {run_id: _units(spot_check_claims.list_claim_columns(store.db, run_id), order.unit) for run_id in runs}
    total = sum(len(u.facts) for u in units.values())
    if total == 0:
        raise InvalidInput("The chosen runs have no claims to draw.")
    drawn: list[list[list[DrawnClaim]]] = []
    frame: dict[str, Json] = {}
    for number, (run_id, of_run) in enumerate(units.items()):
        if not of_run.facts:
            continue
        worse = _worse(store, run_id, of_run, order)
        plan, others = _plan(store, run_id, of_run, order, worse, labels=order.size * len(of_run.facts) / total)
        units_drawn = draw_units(plan, seed=seed + number)
        frame[run_id] = {
            **_undrawn_frame(plan, of_run),
            "judged_by_another": others,
            "first": _count_first(of_run, worse, units_drawn),
        }
        drawn.append(_claims_of_draw(run_id, of_run, units_drawn))
    check = SpotCheck(
        spot_check_id=0,
        name=" ".join(order.name.split()) or "Spot-check",
        created_at=datetime.now(UTC),
        created_by=created_by,
        is_blind=order.is_blind,
        reviewers_per_item=order.reviewers_per_item,
        design=design_of(order, seed=seed, frames=frame),
    )
    return spot_checks.create_spot_check(store.db, check, _mix_runs(drawn, seed=seed))


def design_of(order: DrawOrder, *, seed: int | None, frames: Mapping[str, Json]) -> dict[str, Json]:
    """Return the stored design of a spot-check: the request, the seed and, for each run, its frame."""
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


def labels_for(store: Store, run_ids: Sequence[str], half_width: float, *, unit: Unit = Unit.CLAIM) -> LabelsNeeded:
    """Return how many random labels estimate the runs' mean to within the half-width, before any is given.

    It follows from the judge's verdicts; the result is cached until one of the runs changes.

    Raises:
        InvalidInput: the half-width is not between 0 and 0.5, or no answer is judged.
        NotFound: there is no such run.
    """
    if not 0 < half_width < 0.5:
        raise InvalidInput(f"The half-width must be between 0 and 0.5, not {half_width}.")
    runs = tuple(get_run(store, reference).run_id for reference in dict.fromkeys(run_ids))
    return store.cache.get(
        "labels for",
        (runs, half_width, unit),
        tuple(revisions.list_revisions(store.db, runs).values()),
        lambda: _labels_for(store, runs, half_width, unit),
    )


def _labels_for(store: Store, runs: Sequence[str], half_width: float, unit: Unit) -> LabelsNeeded:
    weight, judge, labels_per_unit = _judged_units(store, runs, unit)
    return size_for(weight, judge, half_width=half_width, labels_per_unit=labels_per_unit)


def width_for(store: Store, run_id: str, labels: float, *, unit: Unit) -> float:
    """Return about half the width of the interval that this many labels give; raises what `labels_for` raises."""
    weight, judge, labels_per_unit = _judged_units(store, [run_id], unit)
    return half_width_for(weight, judge, labels / labels_per_unit)


def _judged_units(store: Store, runs: Sequence[str], unit: Unit) -> tuple[Floats, Floats, float]:
    """Return the runs' units: their weights, their scores by the judge, and how many claims each has on average."""
    counts = [t for run_id in runs for t in summaries.count_verdicts(store.db, run_id) if t.claims]
    if not counts:
        raise InvalidInput("No answer of the chosen runs is judged.")
    claims, supported = (
        np.repeat([getattr(t, name) for t in counts], [t.answers for t in counts]) for name in ("claims", "supported")
    )
    if unit is Unit.ANSWER:
        return np.ones(len(claims)), supported / claims, float(claims.mean())
    number = np.arange(claims.sum()) - np.repeat(np.cumsum(claims) - claims, claims)
    is_supported = number < np.repeat(supported, claims)
    return np.repeat(1 / claims, claims), is_supported.astype(np.float64), 1.0


def drawn_first(check: SpotCheck) -> DrawnFirst | None:
    """Return how many claims of a spot-check were to be drawn first, and how many were; None without such a request."""
    frames: Any = check.design.get("runs") or {}
    found = [frame["first"] for frame in frames.values() if frame.get("first")]
    if not found:
        return None
    return DrawnFirst(claims=sum(f["claims"] for f in found), drawn=sum(f["drawn"] for f in found))


def check_order(order: DrawOrder, created_by: str) -> None:
    """Raise InvalidInput if the request cannot be met with any runs, or does not name who draws."""
    if not order.run_ids:
        raise InvalidInput("Choose at least one run to draw from.")
    if order.size < 1:
        raise InvalidInput(f"A spot-check needs at least 1 label, not {order.size}.")
    if not 1 <= order.reviewers_per_item <= _MOST_REVIEWERS:
        raise InvalidInput(f"One to {_MOST_REVIEWERS} reviewers can label a claim, not {order.reviewers_per_item}.")
    if not created_by.strip():
        raise InvalidInput("Name the user who draws the spot-check.")


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


def _worse(store: Store, run_id: str, units: _Units, order: DrawOrder) -> Sequence[bool]:
    """Return for each claim whether it is to be drawn before all others; empty without such a request."""
    if not order.regressed_first:
        return ()
    worse = is_regressed(store, get_run(store, run_id), units.facts, against=order.regressed_against)
    return worse if any(worse) else ()


def _count_first(units: _Units, worse: Sequence[bool], drawn: Draw) -> Json:
    """Return how many claims were to be drawn first, and how many of them were; None if none was."""
    if not worse:
        return None
    taken = sum(worse[at] for unit in drawn.units for at in units.claims[int(unit)])
    return {"claims": sum(worse), "drawn": taken}


def _plan(
    store: Store, run_id: str, units: _Units, order: DrawOrder, worse: Sequence[bool], *, labels: float
) -> tuple[Plan, int]:
    """Return the plan, and for how many answers another judge's verdicts were used."""
    run = get_run(store, run_id)
    uncertainty, others = None, 0
    if order.prefers_uncertain:
        by_claim, others = claim_uncertainty(store, run, units.facts)
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


def _undrawn_frame(plan: Plan, units: _Units) -> dict[str, Json]:
    """Return the data on undrawn units that an estimate needs: number, weight and judge's score of each stratum."""
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


def _claims_of_draw(run_id: str, units: _Units, drawn: Draw) -> list[list[DrawnClaim]]:
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
    """Return the claims of all runs in one order that alternates between runs at random.

    A reviewer who stops half way has labelled about half of each run. Each run's own order and every claim's
    probability are unchanged, units to be drawn first stay first, and the claims of a unit stay together.

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


_STRATUM = "all"
_MAX_DESCRIPTION = 500
# A list is stored with its spot-check; for a longer one, draw from whole runs.
MOST_CLAIMS = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimList:
    """Claims to draw from, each once; `description` completes "a spot-check of": "contradicted claims in Billing"."""

    description: str
    claims: Sequence[ClaimRef]


def draw_from_list(
    store: Store,
    claims: ClaimList,
    *,
    size: int,
    created_by: str,
    name: str = "",
    is_blind: bool = True,
    reviewers_per_item: int = 1,
    seed: int | None = None,
) -> int:
    """Draw a spot-check from a list of claims, each equally likely, and return its id.

    Deleted claims are left out. A list of all claims of its runs is drawn as a spot-check of these runs, and then
    corrects their score.

    Args:
        store: the store.
        claims: what to draw from.
        size: how many claims; all of them if the list has fewer.
        created_by: who draws it.
        name: its name; by default it says how many claims the list has. The list's description may reveal the judge's
            verdict, so reviewers see it only at the end.
        is_blind: whether the judge's verdicts are hidden until the label.
        reviewers_per_item: how many people label each claim.
        seed: the same seed draws the same claims; None chooses one at random.

    Raises:
        InvalidInput: the list is empty, too long or without a description, or as for `draw`.
    """
    description = " ".join(claims.description.split())
    order = DrawOrder(
        name=name,
        run_ids=list(dict.fromkeys(place.run_id for place in claims.claims)),
        size=size,
        is_blind=is_blind,
        reviewers_per_item=reviewers_per_item,
        seed=secrets.randbelow(2**31) if seed is None else seed,
    )
    found = _find_stored_claims(store, claims, description, order, created_by)
    in_runs = Counter(place.run_id for place in found)
    if in_runs == spot_checks.count_claims_of_runs(store.db, list(in_runs)):
        return draw(store, order, created_by=created_by)
    places = list(found)
    chosen = _pick(len(places), size, seed=order.seed or 0)
    claim_count = f"{len(places):,} {'claim' if len(places) == 1 else 'claims'}"
    check = SpotCheck(
        spot_check_id=0,
        name=" ".join(name.split()) or f"Spot-check of {claim_count}",
        created_at=datetime.now(UTC),
        created_by=created_by,
        is_blind=is_blind,
        reviewers_per_item=reviewers_per_item,
        design={
            "size": size,
            "unit": Unit.CLAIM.value,
            "strata": Strata.NONE.value,
            "seed": order.seed,
            "runs": {run_id: {"claims": number} for run_id, number in in_runs.items()},
            "claims": len(places),
            "supported": sum(claim.verdict is Verdict.SUPPORTED for claim in found.values()),
        },
        population=description,
    )
    drawn = [
        DrawnClaim(
            run_id=places[at].run_id,
            row=places[at].row,
            claim_number=places[at].claim_number,
            stratum=_STRATUM,
            inclusion_probability=len(chosen) / len(places),
        )
        for at in chosen
    ]
    return spot_checks.create_spot_check(store.db, check, drawn, listed=[claim.claim_id for claim in found.values()])


def draw_more(store: Store, spot_check_id: int, number: int, *, created_by: str) -> int:
    """Draw more claims for a spot-check by its own design; return the id of the spot-check that has them.

    A spot-check of listed claims gets them at the end of its queue. For whole runs they form another spot-check, which
    is pooled into the corrected score.

    Raises:
        NotFound: the spot-check does not exist, or one of its runs was deleted.
        InvalidInput: no claim is left to draw, the number is less than 1, or it is not said who draws.
    """
    check = spot_checks.get_spot_check(store.db, spot_check_id)
    design = check.design
    if check.population is None:
        order = DrawOrder(
            name=check.name,
            run_ids=check.run_ids,
            size=number,
            unit=Unit(str(design["unit"])),
            strata=Strata(str(design.get("strata", Strata.NONE))),
            prefers_uncertain=bool(design.get("prefers_uncertain")),
            is_blind=check.is_blind,
            reviewers_per_item=check.reviewers_per_item,
        )
        return draw(store, order, created_by=created_by)
    if number < 1:
        raise InvalidInput(f"Draw at least one more claim, not {number}.")
    seed = secrets.randbelow(2**31)
    if not spot_checks.add_from_list(store.db, spot_check_id, lambda rest: _pick(rest, number, seed=seed)):
        raise InvalidInput("Every claim in this list is already in the spot-check.")
    return spot_check_id


def _find_stored_claims(
    store: Store, claims: ClaimList, description: str, order: DrawOrder, created_by: str
) -> dict[ClaimRef, StoredClaim]:
    """Return the claims of the list that the store has; raises InvalidInput."""
    if not claims.claims:
        raise InvalidInput("No claim matches, so there is nothing to draw from.")
    check_order(order, created_by)
    if not description or len(description) > _MAX_DESCRIPTION or find_unstorable(description) is not None:
        raise InvalidInput(f"Describe the claims in 1 to {_MAX_DESCRIPTION} characters.")
    if len(claims.claims) > MOST_CLAIMS:
        raise InvalidInput(
            f"{len(claims.claims):,} claims match; a spot-check is drawn from at most {MOST_CLAIMS:,}. "
            "Narrow the filter, or draw from the whole run."
        )
    found = spot_checks.find_claims(store.db, list(dict.fromkeys(claims.claims)))
    if not found:
        raise InvalidInput("The store no longer has any of these claims.")
    return found


def _pick(total: int, number: int, *, seed: int) -> list[int]:
    """Return that many of the positions from 0, or all if there are fewer, in a random order."""
    return [int(at) for at in np.random.default_rng(seed).permutation(total)[:number]]
