"""How much a score moves when the same answers are judged again, measured on a run's repeats."""

import itertools
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from faithview.domain.claim import Verdict
from faithview.domain.run import Run, RunStatus
from faithview.services.container import Store
from faithview.services.results import list_runs
from faithview.stats.judge_noise import answers_moved, noise_half_width
from faithview.store.compared_answers import StoredScore, load_claims, load_scores


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeNoise:
    """How much judging the same answers again changes.

    `repeats` counts the judgings. `claims_flipped` is the share of claims that two judgings have in common and whose
    support differed; None if they have none in common. `answers_moved` is the share of answers whose score differed. In
    95 of 100 comparisons, the judge alone changes a mean over `answers` answers by at most `half_width`.
    """

    repeats: int
    claims_flipped: float | None
    answers_moved: float
    half_width: float
    answers: int


def repeat_noise(store: Store, run: Run) -> JudgeNoise | None:
    """Return the noise of a mean over a run's judged answers; None without complete repeats by the same judge."""
    first = run.repeat_of or run.run_id
    judgings = [
        other
        for other in list_runs(store, archived=None)
        if first in (other.run_id, other.repeat_of)
        and other.status is RunStatus.COMPLETE
        and other.fingerprint == run.fingerprint
    ]
    if len(judgings) < 2:  # most runs: their answers need not be read
        return None
    answers = [load_scores(store.db, judging.run_id) for judging in judgings]
    counts = Counter(itertools.chain.from_iterable(answers))
    rows = [row for row, count in counts.items() if count > 1]
    if not rows:
        return None
    verdicts = [_load_verdicts(store, own) for own in answers]
    flips = [
        one[claim] != other[claim]
        for one, other in itertools.combinations(verdicts, 2)
        for claim in one.keys() & other.keys()
    ]
    scores = np.array([[own[row].score if row in own else np.nan for row in rows] for own in answers])
    judged = len(load_scores(store.db, run.run_id))
    return JudgeNoise(
        repeats=len(judgings),
        claims_flipped=sum(flips) / len(flips) if flips else None,
        answers_moved=answers_moved(scores),
        half_width=noise_half_width(scores, judged),
        answers=judged,
    )


def _load_verdicts(store: Store, answers: Mapping[int, StoredScore]) -> dict[tuple[int, str], bool]:
    """Return whether each claim of a judging is supported, by its row and its text's hash."""
    claims = load_claims(store.db, sorted(answer.sample_id for answer in answers.values()))
    return {
        (row, claim.claim_hash): claim.verdict is Verdict.SUPPORTED
        for row, answer in answers.items()
        for claim in claims.get(answer.sample_id, [])
    }
