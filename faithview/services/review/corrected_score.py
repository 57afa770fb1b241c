"""A run's score corrected by what people found in a spot-check of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from faithview.domain.claim import Verdict
from faithview.domain.run import RunSummary
from faithview.domain.scoring import RunScore
from faithview.domain.spot_check import SpotCheck
from faithview.services.container import Services
from faithview.services.results.runs import get_run
from faithview.stats.precision import LabelsNeeded, labels_needed
from faithview.stats.prediction_powered import CorrectedScore, NotEnoughLabels, corrected_score
from faithview.stats.spot_check import SpotCheckSample, Stratum, Unit
from faithview.store.review import review_columns, spot_checks
from faithview.store.review.review_columns import ClaimFacts, Labelled
from faithview.store.runs import revisions

HALF_WIDTH = 0.03  # the precision that "label about N more" speaks of


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """What a spot-check says about a run.

    `score` is the estimate, or why there is none yet. `labelled_claims` counts those that people have settled anywhere
    in the run and `labelled_rows` the answers that the estimate rests on. `left_out` counts settled claims that the
    spot-check did not draw: they change the reviewed score only, never this one. `disputed` counts drawn claims on
    which reviewers are tied, which wait for somebody to adjudicate. `needed` is what reaches `half_width`, None where
    there is no estimate to start from.
    """

    check: SpotCheck
    score: CorrectedScore | NotEnoughLabels
    labelled_claims: int
    labelled_rows: int
    left_out: int
    disputed: int
    half_width: float
    needed: LabelsNeeded | None


def correct_run(services: Services, reference: str, *, half_width: float = HALF_WIDTH) -> Correction | None:
    """Return the corrected score from the spot-check with most labels on the run; None if none was drawn from it.

    It is kept until the run, its labels or the spot-checks change.

    Raises:
        NotFound: there is no such run.
    """
    run_id = get_run(services, reference).run_id
    return list_corrections(services, [run_id], half_width=half_width)[run_id]


def correct_runs(services: Services, run_ids: Sequence[str]) -> dict[str, CorrectedScore | None]:
    """Return the corrected score of each of these runs, by id, for lists, trends and comparisons of many runs.

    None where no spot-check was drawn from the run, where too little of it is labelled for an estimate, and for an id
    that is no run. What was worked out before is kept, so that asking again costs two short queries.
    """
    found = list_corrections(services, run_ids)
    return {
        run_id: correction.score if correction and isinstance(correction.score, CorrectedScore) else None
        for run_id, correction in found.items()
    }


def correct_summaries(services: Services, summaries: Sequence[RunSummary]) -> list[RunSummary]:
    """Return the runs with their corrected score in place of their own, for whatever draws a run by its score.

    `judged` of the score then counts what is labelled, answers or claims as they were drawn, and there are no bounds
    and no segments. A run that cannot be corrected has no score.
    """
    found = correct_runs(services, [summary.run.run_id for summary in summaries])
    return [
        replace(summary, score=_run_score(found[summary.run.run_id]), weighted=None, segments=())
        for summary in summaries
    ]


def _run_score(score: CorrectedScore | None) -> RunScore:
    if score is None:
        return RunScore(mean=None, interval=None, bounds=None, judged=0, unscored=0)
    found = score.corrected
    return RunScore(mean=found.score, interval=found.interval, bounds=None, judged=score.labelled, unscored=0)


def list_corrections(
    services: Services, run_ids: Sequence[str], *, half_width: float = HALF_WIDTH
) -> dict[str, Correction | None]:
    """Return what a spot-check says about each of these runs, by id; None where none was drawn from it."""
    newest = revisions.newest_spot_check(services.db)
    drawn = services.cache.get("drawn runs", None, newest, lambda: revisions.list_drawn_runs(services.db))
    states = revisions.list_revisions(services.db, [run_id for run_id in run_ids if run_id in drawn])
    return {
        run_id: services.cache.get(
            "correction",
            (run_id, half_width),
            (states[run_id], drawn[run_id]),
            partial(_correct, services, run_id, half_width=half_width),
        )
        if run_id in states
        else None
        for run_id in run_ids
    }


def _correct(services: Services, run_id: str, *, half_width: float) -> Correction | None:
    checks = review_columns.list_checks_of_run(services.db, run_id)
    if not checks:
        return None
    check = spot_checks.get_spot_check(services.db, checks[0][0])
    facts = review_columns.list_claim_facts(services.db, run_id, spot_check_id=check.spot_check_id, drawn_only=True)
    labelled = review_columns.count_labelled(services.db, run_id, spot_check_id=check.spot_check_id)
    frame: Any = check.design["runs"]
    unit = Unit(str(check.design["unit"]))
    units = _drawn_units(facts, unit)
    people = _people_scores(units, unit, labelled)
    numbers = _numbers(frame[run_id], facts, units, unit, people=people, answers=labelled.answers)
    score = corrected_score(numbers)
    drawn = [fact for part in units for fact in part]
    return Correction(
        check=check,
        score=score,
        labelled_claims=labelled.claims,
        labelled_rows=len({part[0].row for part, found in zip(units, people, strict=True) if not np.isnan(found)}),
        left_out=labelled.claims - sum(fact.people is not None for fact in drawn),
        disputed=sum(fact.is_tied for fact in drawn),
        half_width=half_width,
        needed=labels_needed(numbers, score, half_width=half_width) if isinstance(score, CorrectedScore) else None,
    )


def _drawn_units(facts: list[ClaimFacts], unit: Unit) -> list[list[ClaimFacts]]:
    if unit is Unit.CLAIM:
        return [[fact] for fact in facts if fact.pi is not None]
    rows: dict[int, list[ClaimFacts]] = {}
    for fact in facts:
        rows.setdefault(fact.row, []).append(fact)
    return [part for part in rows.values() if part[0].pi is not None]


def _numbers(
    frame: Mapping[str, Any],
    facts: list[ClaimFacts],
    units: list[list[ClaimFacts]],
    unit: Unit,
    *,
    people: list[float],
    answers: int,
) -> SpotCheckSample:
    strata = tuple(Stratum(**totals) for totals in frame["strata"])
    position = {stratum.name: at for at, stratum in enumerate(strata)}
    claims: dict[int, int] = {}
    for fact in facts:
        claims[fact.row] = claims.get(fact.row, 0) + 1
    shares = [1 / answers / (1 if unit is Unit.ANSWER else claims[part[0].row]) for part in units]
    return SpotCheckSample(
        strata=strata,
        stratum=np.array([position[str(part[0].stratum)] for part in units], dtype=np.int64),
        pi=np.array([part[0].pi for part in units], dtype=np.float64),
        weight=np.array(shares, dtype=np.float64),
        judge=np.array([_share([fact.verdict for fact in part]) for part in units], dtype=np.float64),
        people=np.array(people, dtype=np.float64),
        unit=unit,
        labels_per_unit=float(frame["labels_per_unit"]),
    )


def _people_scores(units: list[list[ClaimFacts]], unit: Unit, labelled: Labelled) -> list[float]:
    """Return people's score of each drawn unit; nan where there is none that can be used yet.

    While a spot-check is under way its labelled units must be a random part of the drawn ones, which the order of the
    queue makes them. Labels that were carried over or given elsewhere are not: those behind the place that the queue
    has reached wait until it gets there.
    """
    is_done = all(fact.people is not None for part in units for fact in part)
    return [
        _people(part, unit) if is_done or (part[0].place or 0) <= labelled.reached else float("nan") for part in units
    ]


def _people(part: list[ClaimFacts], unit: Unit) -> float:
    if any(fact.people is None for fact in part):
        return float("nan")
    if unit is Unit.CLAIM:
        # What is no claim leaves the score.
        return float(part[0].people == Verdict.SUPPORTED) if part[0].people else float("nan")
    return float("nan") if part[0].people_score is None else part[0].people_score


def _share(verdicts: list[str]) -> float:
    return sum(verdict == Verdict.SUPPORTED for verdict in verdicts) / len(verdicts)
