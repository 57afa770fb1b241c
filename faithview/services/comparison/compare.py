"""Compare two runs: pair their answers, test the difference, and find its causes."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from pydantic import TypeAdapter

from faithview.domain.comparison import Change
from faithview.domain.errors import InvalidInput
from faithview.domain.run import Run
from faithview.domain.views import View
from faithview.services.comparison.cautions import find_cautions
from faithview.services.comparison.changes import find_changes
from faithview.services.comparison.comparison import Comparison
from faithview.services.comparison.judge_noise import judge_noise
from faithview.services.comparison.pairing import AnswerPair, pair_runs
from faithview.services.container import Services
from faithview.services.results.runs import get_run
from faithview.services.review.corrected_score import HEADLINE_HALF_WIDTH, correct_run, is_headline
from faithview.stats import paired
from faithview.stats.corrected_difference import CorrectedDifference, NoCorrectedDifference, compare_corrected
from faithview.stats.decomposition import share_causes
from faithview.store.comparison import cached_comparisons, pair_decisions
from faithview.wording.corrected import difference_too_wide

__all__ = ["compare_runs"]

# Increase when the cached document changes in shape or meaning: older documents are then computed again.
_LAYOUT = 9
_DOCUMENT = TypeAdapter(Comparison)


def compare_runs(services: Services, baseline: str, candidate: str, *, view: View = View.JUDGE) -> Comparison:
    """Compare two runs, by id or unique name. The comparison is cached in the store until one of the runs changes.

    Raises:
        NotFound: there is no such run.
        InvalidInput: they are one and the same, no answer is in both, or the texts of one were deleted.
    """
    before, after = get_run(services, baseline), get_run(services, candidate)
    if before.run_id == after.run_id:
        raise InvalidInput(f"{before.name!r} cannot be compared with itself; name two runs.")
    stamp = f"{_LAYOUT} {cached_comparisons.make_stamp(services.db, before, after, view)}"

    def find_or_compute() -> Comparison:
        document = cached_comparisons.find_document(services.db, before, after, view, stamp=stamp)
        if document is not None:
            return _DOCUMENT.validate_json(document)
        comparison = _compute(services, before, after, view)
        document = _DOCUMENT.dump_json(comparison).decode()
        cached_comparisons.save_document(services.db, before, after, view, stamp=stamp, document=document)
        return comparison

    # In memory as well: reading a large document takes a tenth of a second, too long for every click on a page.
    subject = (before.run_id, after.run_id, view)
    comparison = services.comparison_cache.get("comparison", subject, stamp, find_or_compute)
    return replace(comparison, baseline=before, candidate=after)


def _compute(services: Services, before: Run, after: Run, view: View) -> Comparison:
    for run in (before, after):
        if run.texts_deleted_at is not None:
            raise InvalidInput(
                f"The texts of run {run.name!r} were deleted, so that its answers cannot be compared with others. Its "
                "score is still in its series' trend."
            )
    decisions = pair_decisions.list_decisions(services.db, before.run_id, after.run_id)
    runs = pair_runs(services.db, before, after, view=view, decisions=decisions)
    if not runs.pairs:
        raise InvalidInput(
            f"No answer of {before.name!r} is in {after.name!r}: neither ids nor questions are equal. Compare runs "
            "over the same questions, or give the rows an id."
        )
    scored = [pair for pair in runs.pairs if pair.is_scored]
    changes = find_changes(services.db, before, after, runs.pairs, view=view, decisions=decisions)
    scores = np.array([[p.before.score, p.after.score] for p in scored], dtype=np.float64).reshape(-1, 2)
    clusters = _cluster_numbers(scored)
    return Comparison(
        baseline=before,
        candidate=after,
        view=view,
        cautions=find_cautions(before, after, runs),
        pairing=runs.pairing,
        difference=paired.compare_pairs(scores[:, 0], scores[:, 1], clusters),
        faithful=paired.mcnemar(
            np.array([bool(pair.before.is_faithful) for pair in scored], dtype=np.bool_),
            np.array([bool(pair.after.is_faithful) for pair in scored], dtype=np.bool_),
            clusters,
        ),
        segments=paired.compare_segments([p.segment for p in scored], scores[:, 0], scores[:, 1], clusters),
        causes=share_causes([change.terms for change in changes], pairs=len(scored)),
        changes=tuple(sorted(changes, key=_worst_first)),
        noise=judge_noise(services, before, after, pairs=len(scored)),
        corrected=_compare_corrected(services, before, after) if view is View.CORRECTED else None,
    )


def _compare_corrected(services: Services, before: Run, after: Run) -> CorrectedDifference | NoCorrectedDifference:
    corrections = [correct_run(services, run.run_id) for run in (before, after)]
    baseline, candidate = (None if correction is None else correction.score for correction in corrections)
    is_final = all(correction is None or correction.is_final for correction in corrections)
    found = compare_corrected(baseline, candidate, is_final=is_final)
    if isinstance(found, NoCorrectedDifference) or is_headline(found.interval):
        return found
    # How many labels narrow a score is known, not how many narrow the difference of two.
    needed = {
        run.name: correction.headline_needed.labels
        for run, correction in zip((before, after), corrections, strict=True)
        if correction is not None and correction.headline_needed is not None and correction.headline_needed.labels
    }
    message = difference_too_wide(found.interval, needed, half_width=HEADLINE_HALF_WIDTH)
    return NoCorrectedDifference(message=message)


def _cluster_numbers(pairs: Sequence[AnswerPair]) -> paired.IntArray:
    """Number the questions of the pairs: answers to one question are not independent."""
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(pair.before.cluster, len(numbers)) for pair in pairs], dtype=np.int64)


def _worst_first(change: Change) -> tuple[float, int, int]:
    difference = change.difference
    if difference is None:
        # Answers that are judged on one side only come after those that fell and before those that did not change.
        return (-1e-9, change.candidate_row, 0)
    return (difference, change.candidate_row, 0)
