"""The corrected score of a run: the judge's score, corrected by reviewers' labels from a spot-check of the run.

`spot_check_sample` collects the labelled units of a spot-check. The estimate and its confidence interval are computed
by `stats.corrected_score.corrected_score`, the number of labels still needed by `stats.precision.labels_needed`.
How the units were drawn is in `spot_checks` and `stats.sampling`.

A spot-check of listed claims is estimated in the same way, with the list as the population. Each claim counts the same,
so the list is treated as a run of answers with one claim each. If the judge gives all claims of the list the same
verdict, as in a list of contradicted claims, only the labels contribute to the estimate.

"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from faithview.domain.errors import NotFound
from faithview.domain.label import Label
from faithview.domain.run import RunSummary
from faithview.domain.scoring import Interval, RunScore
from faithview.domain.spot_check import SpotCheck
from faithview.services.container import Store
from faithview.services.results import get_run, get_summary
from faithview.services.review.spot_check_sample import CheckedRun, read_sample
from faithview.stats.corrected_score import CorrectedScore, NotEnoughLabels, about_logged, corrected_score, pool_scores
from faithview.stats.intervals import HEADLINE_HALF_WIDTH
from faithview.stats.precision import LabelsNeeded, labels_needed
from faithview.stats.spot_check import Unit
from faithview.store import revisions, spot_check_claims, spot_checks
from faithview.store.spot_check_claims import ClaimColumns
from faithview.wording.corrected_score import too_wide

# The target precision of "label about N more": half of the 95% interval, in units of the score.
HALF_WIDTH = 0.03

_ROUNDING = 1e-6


def is_headline(interval: Interval) -> bool:
    """Return whether the interval of a corrected score or difference is narrow enough to show the figure."""
    return (interval.high - interval.low) / 2 <= HEADLINE_HALF_WIDTH


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """The result of a spot-check for a run.

    `check` is the spot-check of the run with most labels; others of the same answers are pooled with it. `score` is the
    estimate with its interval, or the reason why there is none yet: reviewers could stop at a result that they like, so
    it comes when the queue has passed all drawn claims. `labels` counts the drawn claims that were settled in the spot-
    check and `labelled_rows` their answers. `left_out` counts claims settled elsewhere in the run: they change only the
    reviewed score, never this one. `disagreements` counts drawn claims on which reviewers are tied, and `skipped` those
    that the queue has passed without a label; the interval allows for all their possible verdicts. `answers` counts the
    judged answers that the estimate covers, `answers_since` those judged after the draw. `needed` is how many more
    labels narrow the interval to `half_width`, `headline_needed` how many narrow it to `HEADLINE_HALF_WIDTH`; None
    without an estimate.
    """

    check: SpotCheck
    score: CorrectedScore | NotEnoughLabels
    labels: int
    labelled_rows: int
    left_out: int
    disagreements: int
    skipped: int
    answers: int
    answers_since: int
    half_width: float
    needed: LabelsNeeded | None
    headline_needed: LabelsNeeded | None = None

    @property
    def is_headline(self) -> bool:
        """Whether there is an estimate that is narrow enough to be shown as the run's score."""
        return isinstance(self.score, CorrectedScore) and is_headline(self.score.corrected.interval)


def why_no_score(correction: Correction | None) -> str | None:
    """Return a sentence saying why no corrected score can be shown as a run's, or None."""
    if correction is None:
        return "No spot-check was drawn from this run, so its score cannot be corrected yet."
    score = correction.score
    if isinstance(score, NotEnoughLabels):
        return score.message
    if correction.is_headline:
        return None
    more = correction.headline_needed.labels if correction.headline_needed else 0
    return too_wide(
        score.corrected.interval,
        labels=correction.labels,
        more=more,
        half_width=HEADLINE_HALF_WIDTH,
        sampling_half_width=score.sampling_half_width,
    )


def correct_run(store: Store, reference: str, *, half_width: float = HALF_WIDTH) -> Correction | None:
    """Return the corrected score from the spot-checks of the run; None if none was drawn from it.

    It is cached until the run, its labels or the spot-checks change.

    Raises:
        NotFound: there is no such run.
    """
    run_id = get_run(store, reference).run_id
    return list_corrections(store, [run_id], half_width=half_width)[run_id]


def count_settled(store: Store, run_id: str) -> int:
    """Return how many claims of a run's judged answers are settled, in a spot-check or elsewhere."""
    return spot_check_claims.count_labelled(store.db, run_id, spot_check_id=0).claims


def correct_by_check(store: Store, run_id: str, spot_check_id: int, *, half_width: float = HALF_WIDTH) -> Correction:
    """Return the result of this spot-check alone for a run that it was drawn from.

    Raises:
        NotFound: the run or the spot-check does not exist, or the spot-check was not drawn from the whole run.
    """
    run_id = get_run(store, run_id).run_id
    check = spot_checks.get_spot_check(store.db, spot_check_id)
    if run_id not in check.run_ids or check.population is not None:
        raise NotFound(f"Spot-check {spot_check_id} was not drawn from run {run_id}.")
    return _correct_by(store, run_id, check, half_width=half_width)


def correct_runs(store: Store, run_ids: Sequence[str]) -> dict[str, CorrectedScore | None]:
    """Return the corrected score of each of these runs, by id, for lists and trends of many runs.

    It is None if no spot-check was drawn from the run, if too few claims are labelled for an estimate or for a headline
    (`HEADLINE_HALF_WIDTH`), and for an unknown id. Scores are cached; a cached one costs two short queries.
    """
    corrections = list_corrections(store, run_ids)
    return {
        run_id: correction.score
        if correction is not None and correction.is_headline and isinstance(correction.score, CorrectedScore)
        else None
        for run_id, correction in corrections.items()
    }


def correct_score(store: Store, run_id: str) -> RunScore:
    """Return a run's corrected score in the form of other scores, without a mean if there is none to show.

    `judged` then counts labelled units, answers or claims as drawn, and there are no bounds.
    """
    return _as_run_score(correct_runs(store, [run_id])[run_id])


def correct_summaries(store: Store, summaries: Sequence[RunSummary]) -> list[RunSummary]:
    """Return the runs with the corrected score in place of the judge's.

    `judged` of the score then counts labelled units, answers or claims as drawn; bounds and segments are missing. A run
    without a corrected score gets no score.
    """
    scores = correct_runs(store, [summary.run.run_id for summary in summaries])
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
    store: Store, run_ids: Sequence[str], *, half_width: float = HALF_WIDTH
) -> dict[str, Correction | None]:
    """Return the result of a spot-check for each of these runs, by id; None if none was drawn from the run."""
    newest = revisions.newest_spot_check(store.db)
    drawn = store.cache.get("drawn runs", None, newest, lambda: revisions.list_drawn_runs(store.db))
    states = revisions.list_revisions(store.db, [run_id for run_id in run_ids if run_id in drawn])
    return {
        run_id: store.cache.get(
            "correction",
            (run_id, half_width),
            (states[run_id], drawn[run_id]),
            partial(_correct_run, store, run_id, half_width=half_width),
        )
        if run_id in states
        else None
        for run_id in run_ids
    }


def _correct_run(store: Store, run_id: str, *, half_width: float) -> Correction | None:
    checks = spot_check_claims.list_checks_of_run(store.db, run_id)
    if not checks:
        return None
    # The one with most labels first; others that are labelled are pooled with it: a draw of more is one of its own.
    corrections = [
        _correct_by(store, run_id, spot_checks.get_spot_check(store.db, check_id), half_width=half_width)
        for number, (check_id, labels) in enumerate(checks)
        if labels or number == 0
    ]
    main = corrections[0]
    alike = [one for one in corrections if isinstance(one.score, CorrectedScore) and one.answers == main.answers]
    if len(alike) < 2 or not isinstance(main.score, CorrectedScore):
        return main
    score = pool_scores([one.score for one in alike if isinstance(one.score, CorrectedScore)])
    return replace(
        main,
        score=score,
        labels=sum(one.labels for one in alike),
        labelled_rows=max(one.labelled_rows for one in alike),
        disagreements=sum(one.disagreements for one in alike),
        skipped=sum(one.skipped for one in alike),
        left_out=max(0, main.left_out + main.labels - sum(one.labels for one in alike)),
        needed=LabelsNeeded(units=0, labels=0) if score.sampling_half_width <= half_width else main.needed,
    )


def _about_logged(store: Store, run_id: str, correction: Correction) -> Correction:
    """Extend the correction of a sampled window of live traffic to all its logged answers."""
    live = get_run(store, run_id).live
    if live is None or not live.is_sampled or not isinstance(correction.score, CorrectedScore):
        return correction
    return replace(correction, score=about_logged(correction.score, rate=live.sample_rate, answers=correction.answers))


def _correct_by(store: Store, run_id: str, check: SpotCheck, *, half_width: float) -> Correction:
    facts = spot_check_claims.list_claim_columns(store.db, run_id, spot_check_id=check.spot_check_id, drawn_only=True)
    labelled = spot_check_claims.count_labelled(store.db, run_id, spot_check_id=check.spot_check_id)
    frame: Any = check.design["runs"]
    checked = read_sample(
        frame[run_id],
        facts,
        spot_check_claims.list_labels_of_check(store.db, run_id, spot_check_id=check.spot_check_id),
        spot_check_id=check.spot_check_id,
        unit=Unit(str(check.design["unit"])),
        reached=labelled.reached,
        judged_answers=labelled.answers,
    )
    correction = correct_sample(
        check,
        checked,
        half_width=half_width,
        left_out=max(0, labelled.claims - checked.settled),
        answers_since=max(0, labelled.answers - checked.answers),
    )
    correction = replace(correction, score=_with_own_mean(store, run_id, correction.score))
    return _about_logged(store, run_id, correction)


def _with_own_mean(
    store: Store, run_id: str, score: CorrectedScore | NotEnoughLabels
) -> CorrectedScore | NotEnoughLabels:
    """Return the score with the run's own mean as the judge's, if they differ only by rounding.

    The spot-check's mean is a sum of weights, and 0.6249999999 would show as 0.62 next to a mean of 0.625, shown as
    0.63.
    """
    own = get_summary(store, run_id).score.mean
    return replace(score, judge=own) if own is not None and abs(own - score.judge) < _ROUNDING else score


def correct_sample(
    check: SpotCheck, checked: CheckedRun, *, half_width: float, left_out: int = 0, answers_since: int = 0
) -> Correction:
    """Return the estimate from the labels of a spot-check, and how many more labels would help.

    Args:
        check: the spot-check.
        checked: its labelled units.
        half_width: the target precision of `Correction.needed`.
        left_out: as in `Correction`.
        answers_since: as in `Correction`.
    """
    score = corrected_score(checked.sample)
    if not checked.is_complete:
        drawn, labelled = len(checked.sample.pi), int((~np.isnan(checked.sample.people)).sum())
        score = NotEnoughLabels(
            judge=checked.sample.raw_judge,
            labelled=labelled,
            needed=drawn - labelled,
            message=f"{labelled} of the {drawn} drawn {checked.sample.unit.value}s are labelled; the score is "
            "corrected after the last one was shown.",
        )
    needed = headline_needed = None
    if isinstance(score, CorrectedScore):
        needed = labels_needed(checked.sample, score, half_width=half_width)
        headline_needed = labels_needed(checked.sample, score, half_width=HEADLINE_HALF_WIDTH)
    return Correction(
        check=check,
        score=score,
        labels=checked.settled,
        labelled_rows=checked.rows,
        left_out=left_out,
        disagreements=checked.tied,
        skipped=checked.skipped,
        answers=checked.answers,
        answers_since=answers_since,
        half_width=half_width,
        needed=needed,
        headline_needed=headline_needed,
    )


def score_list(store: Store, spot_check_id: int, *, half_width: float = HALF_WIDTH) -> Correction:
    """Return the result of a spot-check for its list of claims. `answers` of the result counts these claims.

    The result is cached until a label is added or the queue grows.

    Raises:
        NotFound: the spot-check does not exist, was not drawn from a list, or all of its claims were deleted.
    """
    check = spot_checks.get_spot_check(store.db, spot_check_id)
    if check.population is None:
        raise NotFound(f"Spot-check {spot_check_id} was not drawn from a list of claims.")
    state = spot_checks.get_list_state(store.db, spot_check_id)
    if not state.drawn:
        raise NotFound(f"The claims of spot-check {spot_check_id} are no longer in the store.")
    labels = tuple(revisions.list_revisions(store.db, check.run_ids).values())
    return store.cache.get(
        "listed score",
        (spot_check_id, half_width),
        (state, labels),
        lambda: _estimate_list_score(store, spot_check_id, state, half_width=half_width),
    )


def _estimate_list_score(
    store: Store, spot_check_id: int, state: spot_checks.ListState, *, half_width: float
) -> Correction:
    check = spot_checks.get_spot_check(store.db, spot_check_id)
    claims: list[ClaimColumns] = []
    labels: dict[tuple[int, int | None], list[Label]] = {}
    for run_id in check.run_ids:
        given = spot_check_claims.list_labels_of_check(store.db, run_id, spot_check_id=spot_check_id)
        facts = spot_check_claims.list_claim_columns(store.db, run_id, spot_check_id=spot_check_id, drawn_only=True)
        for fact in facts:
            if fact.pi is None:
                continue
            labels[len(claims), 1] = given.get((fact.row, fact.number), [])
            claims.append(replace(fact, row=len(claims), number=1, pi=state.drawn / state.claims))
    frame = {
        "strata": [
            {"name": "all", "units": state.claims, "weight": 1.0, "judged": state.supported / state.claims},
        ],
        "labels_per_unit": 1.0,
        "answers": state.claims,
    }
    checked = read_sample(
        frame,
        claims,
        labels,
        spot_check_id=spot_check_id,
        unit=Unit.CLAIM,
        reached=state.reached,
        judged_answers=state.claims,
    )
    return correct_sample(check, checked, half_width=half_width)
