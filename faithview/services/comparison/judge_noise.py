"""How much a score moves when the same answers are judged again: what repeats of a run tell about its judge."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from faithview.domain.claim import Verdict
from faithview.domain.run import Run, RunStatus
from faithview.domain.views import View
from faithview.services.container import Services
from faithview.services.results.runs import get_run, list_runs
from faithview.stats.conventions import NORMAL_QUANTILE
from faithview.stats.paired import flip_noise
from faithview.store.comparison import compared_answers
from faithview.store.comparison.compared_answers import StoredAnswer
from faithview.store.database import Database


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeNoise:
    """What the judge alone does to a comparison.

    `repeats` counts judgings of the same answers that were held against each other; `claims_flipped` is the share of
    claims, found in both, whose support differed, None where no claim was found twice; `answers_moved` is the share of
    answers whose score differed. 95 of 100 differences of means that the judge alone makes are within +-`half_width`.
    """

    repeats: int
    claims_flipped: float | None
    answers_moved: float
    half_width: float


def judge_noise(services: Services, baseline: Run, candidate: Run, *, pairs: int) -> JudgeNoise | None:
    """Return the noise that repeats of either run show for a mean over that many answers; None without repeats.

    `stats.paired.flip_noise` gives each run's own; where both have repeats their variances are averaged.
    """
    groups = [_judgings(services, run) for run in (baseline, candidate)]
    groups = [group for group in groups if len(group) > 1]
    if not groups or not pairs:
        return None
    variances: list[float] = []
    moved: list[float] = []
    claims: list[bool] = []
    for group in groups:
        answers = [
            {
                a.row: a
                for a in compared_answers.load_answers(services.db, run.run_id, View.JUDGE)
                if a.score is not None
            }
            for run in group
        ]
        rows = sorted({row for found in answers for row in found})
        scores = [np.array([found[row].score if row in found else np.nan for row in rows]) for found in answers]
        noise = flip_noise(scores)
        if noise.deviation is not None and noise.flip_rate is not None:
            variances.append(noise.deviation**2 * noise.answers)
            moved.append(noise.flip_rate)
        for first, second in itertools.combinations(answers, 2):
            claims += _flips(services.db, [(first[row], second[row]) for row in first if row in second])
    if not variances:
        return None
    return JudgeNoise(
        repeats=sum(len(group) for group in groups),
        claims_flipped=sum(claims) / len(claims) if claims else None,
        answers_moved=math.fsum(moved) / len(moved),
        half_width=NORMAL_QUANTILE * math.sqrt(math.fsum(variances) / len(variances) / pairs),
    )


def _judgings(services: Services, run: Run) -> list[Run]:
    """Return the run with every other that judged the same rows, as far as they are complete."""
    first = get_run(services, run.repeat_of) if run.repeat_of and _exists(services, run.repeat_of) else run
    ids = {run.run_id, first.run_id, *first.repeats}
    found = [get_run(services, run_id) for run_id in sorted(ids)]
    return [one for one in found if one.status is RunStatus.COMPLETE and one.fingerprint == run.fingerprint]


def _exists(services: Services, run_id: str) -> bool:
    return any(run.run_id == run_id for run in list_runs(services))


def _flips(db: Database, pairs: Sequence[tuple[StoredAnswer, StoredAnswer]]) -> list[bool]:
    ids = sorted({answer.sample_id for pair in pairs for answer in pair})
    claims = compared_answers.load_claims(db, ids, View.JUDGE)
    flips = []
    for first, second in pairs:
        verdicts = {claim.claim_hash: claim.verdict for claim in claims.get(first.sample_id, [])}
        for claim in claims.get(second.sample_id, []):
            if claim.claim_hash in verdicts:
                supported = verdicts[claim.claim_hash] is Verdict.SUPPORTED
                flips.append(supported != (claim.verdict is Verdict.SUPPORTED))
    return flips
