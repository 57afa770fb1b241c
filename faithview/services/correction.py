"""A run's score corrected by what people found in a spot-check of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from faithview.domain.claim import Verdict
from faithview.domain.spot_check import SpotCheck as StoredCheck
from faithview.services.container import Services
from faithview.stats.precision import LabelsNeeded, labels_needed
from faithview.stats.prediction_powered import CorrectedScore, NotEnoughLabels, corrected_score
from faithview.stats.spot_check import SpotCheck, Stratum, Unit
from faithview.store import frames, spot_checks
from faithview.store.frames import ClaimFacts


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """What a spot-check says about a run.

    `score` is the estimate, or why there is none yet. `left_out` counts labelled claims that were not drawn by the
    spot-check: they change the reviewed score only, never this one. `needed` is what reaches `half_width`, None where
    there is no estimate to start from.
    """

    check: StoredCheck
    score: CorrectedScore | NotEnoughLabels
    labelled_claims: int
    left_out: int
    half_width: float
    needed: LabelsNeeded | None


def correct_run(services: Services, reference: str, *, half_width: float = 0.03) -> Correction | None:
    """Return the corrected score from the spot-check with most labels on the run; None if none was drawn from it.

    Raises:
        NotFound: there is no such run.
    """
    run = services.get_run(reference)
    checks = frames.list_checks_of_run(services.db, run.run_id)
    if not checks:
        return None
    check = spot_checks.get_spot_check(services.db, checks[0][0])
    facts = frames.list_claim_facts(services.db, run.run_id, spot_check_id=check.spot_check_id)
    frame: Any = check.design["runs"]
    numbers = _numbers(frame[run.run_id], facts, Unit(str(check.design["unit"])))
    score = corrected_score(numbers)
    settled = [fact for fact in facts if fact.people is not None]
    return Correction(
        check=check,
        score=score,
        labelled_claims=len(settled),
        left_out=sum(fact.pi is None for fact in settled),
        half_width=half_width,
        needed=labels_needed(numbers, score, half_width=half_width) if isinstance(score, CorrectedScore) else None,
    )


def _numbers(frame: Mapping[str, Any], facts: list[ClaimFacts], unit: Unit) -> SpotCheck:
    strata = tuple(Stratum(**totals) for totals in frame["strata"])
    position = {stratum.name: at for at, stratum in enumerate(strata)}
    claims: dict[int, list[ClaimFacts]] = {}
    for fact in facts:
        claims.setdefault(fact.row, []).append(fact)
    units = list(claims.values()) if unit is Unit.ANSWER else [[f] for row in claims.values() for f in row]
    drawn = [part for part in units if part[0].pi is not None]
    return SpotCheck(
        strata=strata,
        stratum=np.array([position[str(part[0].stratum)] for part in drawn], dtype=np.int64),
        pi=np.array([part[0].pi for part in drawn], dtype=np.float64),
        weight=np.array(
            [1 / len(claims) / (1 if unit is Unit.ANSWER else len(claims[part[0].row])) for part in drawn],
            dtype=np.float64,
        ),
        judge=np.array([_share([fact.verdict for fact in part]) for part in drawn], dtype=np.float64),
        people=np.array([_people(part, unit) for part in drawn], dtype=np.float64),
        labels_per_unit=float(frame["labels_per_unit"]),
    )


def _people(part: list[ClaimFacts], unit: Unit) -> float:
    """Return people's score of a unit; nan while a claim of it has no label. What is no claim leaves the score."""
    found = [fact.people for fact in part]
    if any(verdict is None for verdict in found):
        return float("nan")
    kept = [str(verdict) for verdict in found if verdict]
    if not kept:
        return 1.0 if unit is Unit.ANSWER else float("nan")
    return _share(kept)


def _share(verdicts: list[str]) -> float:
    return sum(verdict == Verdict.SUPPORTED for verdict in verdicts) / len(verdicts)
