"""The corrected score of a run: the judge's score, corrected by people's labels from a spot-check of the run.

This module collects the labelled units of a spot-check (`_spot_check_sample`). The estimate and its confidence interval
are computed by `stats.prediction_powered.corrected_score`, the number of labels still needed by
`stats.precision.labels_needed`. How the units were drawn is in `spot_check_design` and `stats.sampling`.
"""

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
from faithview.store.review.review_columns import ClaimColumns, Labelled
from faithview.store.runs import revisions

# The precision that "label about N more" aims at: half of the 95 % interval, in units of the score.
HALF_WIDTH = 0.03


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """What a spot-check says about a run.

    `score` is the estimate with its interval, or why there is none yet. `labelled_claims` counts claims with a settled
    verdict anywhere in the run, `labelled_rows` the answers that the estimate is computed from. `left_out` counts
    settled claims that the spot-check did not draw: they change the reviewed score only, never this one.
    `disagreements` counts drawn claims on which reviewers are tied and that wait for adjudication. `needed` is how many
    more labels reach `half_width`, None without an estimate.
    """

    check: SpotCheck
    score: CorrectedScore | NotEnoughLabels
    labelled_claims: int
    labelled_rows: int
    left_out: int
    disagreements: int
    half_width: float
    needed: LabelsNeeded | None


def correct_run(services: Services, reference: str, *, half_width: float = HALF_WIDTH) -> Correction | None:
    """Return the corrected score from the spot-check with most labels on the run; None if none was drawn from it.

    It is cached until the run, its labels or the spot-checks change.

    Raises:
        NotFound: there is no such run.
    """
    run_id = get_run(services, reference).run_id
    return list_corrections(services, [run_id], half_width=half_width)[run_id]


def correct_runs(services: Services, run_ids: Sequence[str]) -> dict[str, CorrectedScore | None]:
    """Return the corrected score of each of these runs, by id, for lists, trends and comparisons of many runs.

    None where no spot-check was drawn from the run, where too few claims are labelled for an estimate, and for an
    unknown id. Scores are cached; a cached one costs two short queries.
    """
    corrections = list_corrections(services, run_ids)
    return {
        run_id: correction.score if correction and isinstance(correction.score, CorrectedScore) else None
        for run_id, correction in corrections.items()
    }


def correct_summaries(services: Services, summaries: Sequence[RunSummary]) -> list[RunSummary]:
    """Return the runs with the corrected score in place of the judge's.

    `judged` of the score then counts labelled units, answers or claims as drawn; there are no bounds and no segments. A
    run without a corrected score has no score.
    """
    scores = correct_runs(services, [summary.run.run_id for summary in summaries])
    return [
        replace(summary, score=_as_run_score(scores[summary.run.run_id]), weighted=None, segments=())
        for summary in summaries
    ]


def _as_run_score(score: CorrectedScore | None) -> RunScore:
    if score is None:
        return RunScore(mean=None, interval=None, bounds=None, judged=0, unscored=0)
    estimate = score.corrected
    return RunScore(mean=estimate.score, interval=estimate.interval, bounds=None, judged=score.labelled, unscored=0)


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
            partial(_correct_run, services, run_id, half_width=half_width),
        )
        if run_id in states
        else None
        for run_id in run_ids
    }


def _correct_run(services: Services, run_id: str, *, half_width: float) -> Correction | None:
    checks = review_columns.list_checks_of_run(services.db, run_id)
    if not checks:
        return None
    check = spot_checks.get_spot_check(services.db, checks[0][0])
    facts = review_columns.list_claim_columns(services.db, run_id, spot_check_id=check.spot_check_id, drawn_only=True)
    labelled = review_columns.count_labelled(services.db, run_id, spot_check_id=check.spot_check_id)
    frame: Any = check.design["runs"]
    unit = Unit(str(check.design["unit"]))
    units = _drawn_units(facts, unit)
    people = _people_scores(units, unit, labelled)
    sample = _spot_check_sample(frame[run_id], facts, units, unit, people=people, answers=labelled.answers)
    score = corrected_score(sample)
    drawn = [fact for part in units for fact in part]
    return Correction(
        check=check,
        score=score,
        labelled_claims=labelled.claims,
        labelled_rows=len({part[0].row for part, score_ in zip(units, people, strict=True) if not np.isnan(score_)}),
        left_out=labelled.claims - sum(fact.people is not None for fact in drawn),
        disagreements=sum(fact.is_tied for fact in drawn),
        half_width=half_width,
        needed=labels_needed(sample, score, half_width=half_width) if isinstance(score, CorrectedScore) else None,
    )


def _drawn_units(facts: list[ClaimColumns], unit: Unit) -> list[list[ClaimColumns]]:
    if unit is Unit.CLAIM:
        return [[fact] for fact in facts if fact.pi is not None]
    rows: dict[int, list[ClaimColumns]] = {}
    for fact in facts:
        rows.setdefault(fact.row, []).append(fact)
    return [part for part in rows.values() if part[0].pi is not None]


def _spot_check_sample(
    frame: Mapping[str, Any],
    facts: list[ClaimColumns],
    units: list[list[ClaimColumns]],
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


def _people_scores(units: list[list[ClaimColumns]], unit: Unit, labelled: Labelled) -> list[float]:
    """Return people's score of each drawn unit; nan where there is none that can be used yet.

    While a spot-check is in progress, its labelled units must be a random part of the drawn ones. Those labelled in the
    order of the queue are. Those labelled elsewhere or carried over are not, so they count only once the queue has
    reached their place.
    """
    is_done = all(fact.people is not None for part in units for fact in part)
    return [
        _people_score(part, unit) if is_done or (part[0].place or 0) <= labelled.reached else float("nan")
        for part in units
    ]


def _people_score(part: list[ClaimColumns], unit: Unit) -> float:
    if any(fact.people is None for fact in part):
        return float("nan")
    if unit is Unit.CLAIM:
        # "Not a claim" is left out of the score.
        return float(part[0].people == Verdict.SUPPORTED) if part[0].people else float("nan")
    return float("nan") if part[0].people_score is None else part[0].people_score


def _share(verdicts: list[str]) -> float:
    return sum(verdict == Verdict.SUPPORTED for verdict in verdicts) / len(verdicts)
