"""How much a score moves when the same answers are judged again, measured on a run's repeats."""

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from faithview.domain.answer import View
from faithview.domain.claim import Verdict
from faithview.domain.run import Run, RunStatus
from faithview.services.container import Store
from faithview.services.results import get_run, list_runs
from faithview.stats.intervals import NORMAL_QUANTILE
from faithview.stats.judge_noise import flip_noise
from faithview.store import compared_answers
from faithview.store.compared_answers import StoredScore
from faithview.store.database import Database

__all__ = ["JudgeNoise", "judge_noise", "repeat_noise"]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeNoise:
    """How much the judge's noise alone changes a comparison.

    `repeats` counts the judgings of the same answers. `claims_flipped` is the share of claims that two judgings have in
    common and whose support differed; None if they have none in common. `answers_moved` is the share of answers whose
    score differed. In 95 of 100 comparisons, the judge alone changes a mean over `answers` answers by at most
    `half_width`.
    """

    repeats: int
    claims_flipped: float | None
    answers_moved: float
    half_width: float
    answers: int


def judge_noise(store: Store, baseline: Run, candidate: Run, *, pairs: int) -> JudgeNoise | None:
    """Return the noise of a mean over that many answers, from repeats of either run; None without repeats.

    `stats.judge_noise` gives the noise of each run; if both have repeats, the variances are averaged.
    """
    return _measure_noise(store, [_judgings(store, run) for run in (baseline, candidate)], pairs)


def repeat_noise(store: Store, run: Run) -> JudgeNoise | None:
    """Return the noise of a mean over a run's judged answers, from its repeats; None without repeats."""
    judgings = _judgings(store, run)
    if len(judgings) < 2:  # most runs: their answers need not be read
        return None
    return _measure_noise(store, [judgings], len(compared_answers.load_scores(store.db, run.run_id)))


def _measure_noise(store: Store, groups: Sequence[Sequence[Run]], pairs: int) -> JudgeNoise | None:
    """Return the noise of a mean over `pairs` answers, from groups of runs that judge the same answers."""
    groups = [group for group in groups if len(group) > 1]
    if not groups or not pairs:
        return None
    variances: list[float] = []
    moved: list[float] = []
    flips: list[bool] = []
    for group in groups:
        judgings = [compared_answers.load_scores(store.db, run.run_id) for run in group]
        rows = sorted({row for answers in judgings for row in answers})
        scores = [np.array([answers[row].score if row in answers else np.nan for row in rows]) for answers in judgings]
        noise = flip_noise(scores)
        if noise.deviation is not None and noise.flip_rate is not None:
            variances.append(noise.deviation**2 * noise.answers)
            moved.append(noise.flip_rate)
        for first, second in itertools.combinations(judgings, 2):
            flips += _flips(store.db, [(first[row], second[row]) for row in first if row in second])
    if not variances:
        return None
    return JudgeNoise(
        repeats=sum(len(group) for group in groups),
        claims_flipped=sum(flips) / len(flips) if flips else None,
        answers_moved=math.fsum(moved) / len(moved),
        answers=pairs,
        half_width=NORMAL_QUANTILE * math.sqrt(math.fsum(variances) / len(variances) / pairs),
    )


def _judgings(store: Store, run: Run) -> list[Run]:
    """Return the run with all complete runs by the same judge that judged the same rows."""
    first = get_run(store, run.repeat_of) if run.repeat_of and _exists(store, run.repeat_of) else run
    ids = {run.run_id, first.run_id, *first.repeats}
    family = [get_run(store, run_id) for run_id in sorted(ids)]
    return [
        member for member in family if member.status is RunStatus.COMPLETE and member.fingerprint == run.fingerprint
    ]


def _exists(store: Store, run_id: str) -> bool:
    return any(run.run_id == run_id for run in list_runs(store, archived=None))


def _flips(db: Database, pairs: Sequence[tuple[StoredScore, StoredScore]]) -> Iterator[bool]:
    """Yield for each claim in both answers of a pair whether its support differs."""
    ids = sorted({answer.sample_id for pair in pairs for answer in pair})
    claims = compared_answers.load_claims(db, ids, View.JUDGE)
    for first, second in pairs:
        verdicts = {claim.claim_hash: claim.verdict for claim in claims.get(first.sample_id, [])}
        for claim in claims.get(second.sample_id, []):
            if claim.claim_hash in verdicts:
                supported = verdicts[claim.claim_hash] is Verdict.SUPPORTED
                yield supported != (claim.verdict is Verdict.SUPPORTED)
