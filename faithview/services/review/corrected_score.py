"""The corrected score of a run: the judge's score, corrected by reviewers' labels from a spot-check of the run.

The estimate and its interval are computed by `stats.corrected_score`, the number of labels still needed by
`stats.precision`. Of several spot-checks of a run the one with most labels counts: they are not combined, because
reviewers could draw again until they like the result. A spot-check grows by `spot_checks.draw_more`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from faithview.domain.claim import Verdict
from faithview.domain.errors import NotFound
from faithview.domain.label import (
    EffectiveVerdict,
    Label,
    LabelKind,
    LabelRole,
    VerdictSource,
    counts_in_check,
    effective_verdict,
    standing_labels,
)
from faithview.domain.run import RunSummary
from faithview.domain.scoring import RunScore
from faithview.domain.spot_check import SpotCheck
from faithview.services.container import Store
from faithview.services.results import get_run, get_summary
from faithview.stats.corrected_score import (
    CorrectedScore,
    NotEnoughLabels,
    SpotCheckSample,
    Stratum,
    about_logged,
    corrected_score,
)
from faithview.stats.intervals import HEADLINE_HALF_WIDTH
from faithview.stats.precision import labels_needed
from faithview.store import labels as stored_labels
from faithview.store import revisions, spot_checks
from faithview.store.spot_checks import ClaimColumns
from faithview.wording.corrected_score import too_wide

# The precisions that "label about N more" aims at in turn: halves of the 95% interval, in units of the score.
_TARGETS = (HEADLINE_HALF_WIDTH, 0.05, 0.03)

_ROUNDING = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """The result of a spot-check for a run.

    `check` is the spot-check of the run with most labels. `score` is the estimate with its interval, or the reason why
    there is none yet: reviewers could stop at a result that they like, so it comes when the queue has passed all drawn
    claims. `labels` counts the drawn claims that were settled in the spot-check and `labelled_rows` their answers.
    `left_out` counts claims settled elsewhere in the run: they change their answers' scores, never this one.
    `disagreements` counts drawn claims on which reviewers are tied, and `skipped` those that the queue has passed
    without a label; the interval allows for all their possible verdicts. `answers` counts the judged answers that the
    estimate covers, `answers_since` those judged after the draw. About `needed` more labels narrow the interval to
    `half_width`, the first of 0.10, 0.05 and 0.03 that it has not reached; 0 without an estimate, or if more labels
    do not help.
    """

    check: SpotCheck
    run_id: str
    run_name: str
    score: CorrectedScore | NotEnoughLabels
    labels: int
    labelled_rows: int
    left_out: int
    disagreements: int
    skipped: int
    answers: int
    answers_since: int
    needed: int
    half_width: float

    @property
    def headline(self) -> CorrectedScore | None:
        """The estimate, if it is narrow enough to be shown as the run's score."""
        if isinstance(self.score, CorrectedScore) and self.score.corrected.half_width <= HEADLINE_HALF_WIDTH:
            return self.score
        return None


def why_no_score(correction: Correction | None) -> str | None:
    """Return a sentence saying why no corrected score can be shown as a run's, or None."""
    if correction is None:
        return "No spot-check was drawn from this run, so its score cannot be corrected yet."
    score = correction.score
    if isinstance(score, NotEnoughLabels):
        return score.message
    if correction.headline is not None:
        return None
    return too_wide(
        score.corrected.interval,
        labels=correction.labels,
        more=correction.needed,
        half_width=HEADLINE_HALF_WIDTH,
        sampling_half_width=score.sampling_half_width,
    )


def correct_run(store: Store, reference: str) -> Correction | None:
    """Return the corrected score from the spot-checks of the run; None if none was drawn from it.

    It is cached until the run, its labels or the spot-checks change.

    Raises:
        NotFound: there is no such run.
    """
    run_id = get_run(store, reference).run_id
    return list_corrections(store, [run_id])[run_id]


def list_corrections(store: Store, run_ids: Sequence[str]) -> dict[str, Correction | None]:
    """Return the result of a spot-check for each of these runs, by id; None if none was drawn from the run."""
    drawn = revisions.list_drawn_runs(store.db)
    states = revisions.list_revisions(store.db, [run_id for run_id in run_ids if run_id in drawn])
    return {
        run_id: store.cache.get(
            "correction", run_id, (states[run_id], drawn[run_id]), partial(_correct_run, store, run_id)
        )
        if run_id in states
        else None
        for run_id in run_ids
    }


def correct_runs(store: Store, run_ids: Sequence[str]) -> dict[str, CorrectedScore | None]:
    """Return the corrected score of each of these runs, by id, for lists and trends of many runs.

    It is None if no spot-check was drawn from the run, if too few claims are labelled for an estimate or for a headline
    (`HEADLINE_HALF_WIDTH`), and for an unknown id. Scores are cached; a cached one costs two short queries.
    """
    corrections = list_corrections(store, run_ids)
    return {run_id: None if found is None else found.headline for run_id, found in corrections.items()}


def correct_score(store: Store, run_id: str) -> RunScore:
    """Return a run's corrected score in the form of other scores, without a mean if there is none to show.

    `judged` then counts labelled claims, and there are no bounds.
    """
    return _as_run_score(correct_runs(store, [run_id])[run_id])


def correct_summaries(store: Store, summaries: Sequence[RunSummary]) -> list[RunSummary]:
    """Return the runs with the corrected score in place of the judge's.

    `judged` of the score then counts labelled claims; bounds and segments are missing. A run
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


def count_settled(store: Store, run_id: str) -> int:
    """Return how many claims of a run's judged answers are settled, in a spot-check or elsewhere."""
    return spot_checks.count_labelled(store.db, run_id)[1]


def _correct_run(store: Store, run_id: str) -> Correction | None:
    for check in spot_checks.list_checks_of_run(store.db, run_id):
        if _frame(check, run_id) is not None:
            return correct_by_check(store, run_id, check)
    return None


def _frame(check: SpotCheck, run_id: str) -> Any:
    """Return the run's part of a spot-check's design; None if it lacks what an estimate needs."""
    runs: Any = check.design.get("runs") or {}
    return runs[run_id] if "strata" in runs.get(run_id, {}) else None


def correct_by_check(store: Store, run_id: str, check: SpotCheck) -> Correction:
    """Return the result of this spot-check alone for a run that it was drawn from.

    Raises:
        NotFound: the run does not exist, or the labels of the spot-check say nothing about its score.
    """
    run, frame = get_run(store, run_id), _frame(check, run_id)
    if frame is None:
        raise NotFound(f"Spot-check {check.name!r} was not drawn from run {run_id}, or in a way that is gone.")
    reached = spot_checks.get_reached(store.db, check.spot_check_id, run_id)
    claims = spot_checks.list_drawn_claims(store.db, run_id, spot_check_id=check.spot_check_id)
    given = labels_of_claims(store, run_id, [claim for claim, _ in claims])
    people = [
        people_in_check(check, Verdict(claim.verdict), labels) for (claim, _), labels in zip(claims, given, strict=True)
    ]
    unlabelled = [claim for (claim, _), found in zip(claims, people, strict=True) if found is None]
    settled = [claim for (claim, _), found in zip(claims, people, strict=True) if found and found.is_settled]
    skipped = sum(claim.place <= reached for claim in unlabelled)
    sample = make_sample(frame, claims, people)
    score = corrected_score(sample)
    if skipped < len(unlabelled):
        score = NotEnoughLabels(
            judge=sample.raw_judge,
            labelled=len(settled),
            needed=len(claims) - len(settled),
            message=f"{len(settled)} of the {len(claims)} drawn claims are labelled; the score is corrected "
            "after the last one was shown.",
        )
    needed, half_width = 0, _TARGETS[-1]
    if isinstance(score, CorrectedScore):
        half_width = next((width for width in _TARGETS if score.sampling_half_width > width), half_width)
        needed = labels_needed(sample, score, half_width=half_width)
        if run.live is not None and run.live.is_sampled:
            score = about_logged(score, rate=run.live.sample_rate, answers=frame["answers"])
    own = get_summary(store, run_id).score.mean
    # A sum of weights: 0.6249999999 would show as 0.62 next to a mean of 0.625, shown as 0.63.
    if own is not None and abs(own - score.judge) < _ROUNDING:
        score = replace(score, judge=own)
    answers, settled_claims = spot_checks.count_labelled(store.db, run_id)
    return Correction(
        check=check,
        run_id=run_id,
        run_name=run.name,
        score=score,
        labels=len(settled),
        labelled_rows=len({claim.row for claim in settled}),
        left_out=max(0, settled_claims - len(settled)),
        disagreements=sum(found is not None and found.source is VerdictSource.DISAGREEMENT for found in people),
        skipped=skipped,
        answers=frame["answers"],
        answers_since=max(0, answers - frame["answers"]),
        needed=needed,
        half_width=half_width,
    )


def labels_of_claims(store: Store, run_id: str, claims: Sequence[ClaimColumns]) -> list[list[Label]]:
    """Return all labels of each of these claims of a run, those given on equal claims of other answers too."""
    rows = [claim.row for claim in claims]
    given = stored_labels.list_labels_between(store.db, run_id, min(rows), max(rows)) if rows else {}
    return [[label for label in given.get(c.row, ()) if label.claim_number == c.number] for c in claims]


def labels_in_check(check: SpotCheck, labels: Sequence[Label]) -> list[Label]:
    """Return the labels of a claim that count in a spot-check, and the adjudication of these; see `counts_in_check`.

    Args:
        check: the spot-check.
        labels: all labels of the claim.
    """
    inside = [
        label
        for label in labels
        if counts_in_check(label, spot_check_id=check.spot_check_id, is_blind=check.is_blind)
        or label.role is LabelRole.ADJUDICATOR
        or label.kind is LabelKind.RETRACTION
    ]
    standing = standing_labels(inside)
    return standing if any(label.role is LabelRole.REVIEWER for label in standing) else []


def people_in_check(check: SpotCheck, judged: Verdict, labels: Sequence[Label]) -> EffectiveVerdict | None:
    """Return the reviewers' verdict on a claim in a spot-check; None if it was not labelled there.

    Args:
        check: the spot-check.
        judged: the judge's verdict, which counts if reviewers disagree.
        labels: all labels of the claim.
    """
    counting = labels_in_check(check, labels)
    return effective_verdict(judged, counting) if counting else None


def make_sample(
    frame: Any, claims: Sequence[tuple[ClaimColumns, int]], people: Sequence[EffectiveVerdict | None]
) -> SpotCheckSample:
    """Return the input of the estimate.

    Args:
        frame: the run's part of the spot-check's design.
        claims: each drawn claim with the number of claims of its answer.
        people: the reviewers' verdict on each; None without a label.
    """
    strata = tuple(Stratum(**totals) for totals in frame["strata"])
    position = {stratum.name: at for at, stratum in enumerate(strata)}
    is_settled = np.array([found is not None and found.is_settled for found in people], dtype=np.bool_)
    verdicts = [found.verdict if found is not None else None for found in people]
    supported = np.array([verdict is Verdict.SUPPORTED for verdict in verdicts], dtype=np.float64)
    return SpotCheckSample(
        strata=strata,
        stratum=np.array([position[claim.stratum] for claim, _ in claims], dtype=np.int64),
        pi=np.array([claim.pi for claim, _ in claims], dtype=np.float64),
        weight=np.array([1 / (frame["answers"] * number) for _, number in claims], dtype=np.float64),
        judge=np.array([claim.verdict == Verdict.SUPPORTED for claim, _ in claims], dtype=np.float64),
        people=np.where(is_settled, supported, np.nan),
        is_claim=np.array([verdict is not None for verdict in verdicts], dtype=np.bool_) | ~is_settled,
    )
