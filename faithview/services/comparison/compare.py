"""Compare two runs: pair their answers, test the difference, find its causes; and one pair of answers in full."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from pydantic import TypeAdapter

from faithview.domain.answer import AnswerDetail, View
from faithview.domain.certainty import Certainty
from faithview.domain.claim import Verdict
from faithview.domain.comparison import Change, ChunkPair, ClaimPair
from faithview.domain.errors import InvalidInput, NotFound
from faithview.domain.run import Run
from faithview.services.comparison.changes import AnswerPair, claim_decisions, find_changes, match_pairs, pair_runs
from faithview.services.comparison.compared_runs import Comparison, find_cautions
from faithview.services.comparison.judge_noise import judge_noise
from faithview.services.container import Store
from faithview.services.results import get_answer_at, get_run
from faithview.services.review.corrected_score import HEADLINE_HALF_WIDTH, correct_run, is_headline
from faithview.services.review.label_balance import find_balance
from faithview.services.review.labels import standing_certainties
from faithview.stats import paired
from faithview.stats.corrected_difference import CorrectedDifference, NoCorrectedDifference, compare_corrected
from faithview.stats.decomposition import share_causes
from faithview.store import compared_answers, comparisons
from faithview.wording.corrected_score import difference_too_wide

# Increase this when the cached document changes in shape or meaning; older documents are then recomputed.
_LAYOUT = 9
_DOCUMENT = TypeAdapter(Comparison)


def compare_runs(store: Store, baseline: str, candidate: str, *, view: View = View.JUDGE) -> Comparison:
    """Compare two runs, by id or unique name. The comparison is cached in the store until one of the runs changes.

    Raises:
        NotFound: there is no such run.
        InvalidInput: the runs are the same, have no answer in common, or the texts of one were deleted.
    """
    before, after = get_run(store, baseline), get_run(store, candidate)
    if before.run_id == after.run_id:
        raise InvalidInput(f"{before.name!r} cannot be compared with itself; name two runs.")
    stamp = f"{_LAYOUT} {comparisons.make_stamp(store.db, before, after, view)}"

    def find_or_compute() -> Comparison:
        document = comparisons.find_document(store.db, before, after, view, stamp=stamp)
        if document is not None:
            return _DOCUMENT.validate_json(document)
        comparison = _compute(store, before, after, view)
        document = _DOCUMENT.dump_json(comparison).decode()
        comparisons.save_document(store.db, before, after, view, stamp=stamp, document=document)
        return comparison

    # Cached in memory as well: reading a large document takes a tenth of a second, too long for every click.
    subject = (before.run_id, after.run_id, view)
    comparison = store.comparison_cache.get("comparison", subject, stamp, find_or_compute)
    return replace(comparison, baseline=before, candidate=after)


def _compute(store: Store, before: Run, after: Run, view: View) -> Comparison:
    # Single answers have no corrected score.
    shown = View.REVIEWED if view is View.CORRECTED else view
    decisions = comparisons.list_decisions(store.db, before.run_id, after.run_id)
    runs = pair_runs(store.db, before, after, view=shown, decisions=decisions)
    if not runs.pairs:
        raise InvalidInput(
            f"{before.name!r} and {after.name!r} have no ids or questions in common. Compare runs over the same "
            "questions, or give the rows an id."
        )
    scored = [pair for pair in runs.pairs if pair.is_scored]
    changes = find_changes(store.db, before, after, runs.pairs, view=shown, decisions=decisions)
    scores = np.array([[p.before.score, p.after.score] for p in scored], dtype=np.float64).reshape(-1, 2)
    clusters = _cluster_numbers(scored)
    labels = None
    if shown is View.REVIEWED:
        rows = [(pair.before.row, pair.after.row) for pair in runs.pairs]
        labels = find_balance(store, before.run_id, after.run_id, pairs=rows)
    comparison = Comparison(
        baseline=before,
        candidate=after,
        view=shown,
        cautions=find_cautions(before, after, runs, labels),
        pairing=runs.pairing,
        difference=paired.compare_pairs(scores[:, 0], scores[:, 1], clusters),
        faithful=paired.mcnemar(
            np.array([bool(pair.before.is_faithful) for pair in scored], dtype=np.bool_),
            np.array([bool(pair.after.is_faithful) for pair in scored], dtype=np.bool_),
            clusters,
        ),
        segments=paired.compare_segments([p.segment for p in scored], scores[:, 0], scores[:, 1], clusters),
        labels=labels,
        causes=share_causes([change.terms for change in changes], pairs=len(scored)),
        changes=tuple(sorted(changes, key=_worst_first)),
        noise=judge_noise(store, before, after, pairs=len(scored)),
        corrected=_compare_corrected(store, before, after) if view is View.CORRECTED else None,
    )
    return comparison if comparison.has_balanced_labels else _without_tests(comparison)


def _without_tests(comparison: Comparison) -> Comparison:
    """Return the comparison of the scores without a significance test."""
    return replace(
        comparison,
        difference=comparison.difference.untested(),
        faithful=comparison.faithful.untested(),
        segments=tuple(segment.untested() for segment in comparison.segments),
    )


def _compare_corrected(store: Store, before: Run, after: Run) -> CorrectedDifference | NoCorrectedDifference:
    corrections = [correct_run(store, run.run_id) for run in (before, after)]
    baseline, candidate = (None if correction is None else correction.score for correction in corrections)
    found = compare_corrected(baseline, candidate)
    if isinstance(found, NoCorrectedDifference) or is_headline(found.interval):
        return found
    # The number of labels needed is known for one score, not for the difference of two.
    needed = {
        run.name: correction.headline_needed.labels
        for run, correction in zip((before, after), corrections, strict=True)
        if correction is not None and correction.headline_needed is not None and correction.headline_needed.labels
    }
    message = difference_too_wide(found.interval, needed, half_width=HEADLINE_HALF_WIDTH)
    return NoCorrectedDifference(message=message)


def _cluster_numbers(pairs: Sequence[AnswerPair]) -> paired.IntArray:
    """Number the questions of the pairs, because answers to the same question are not independent."""
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(pair.before.cluster, len(numbers)) for pair in pairs], dtype=np.int64)


def _worst_first(change: Change) -> tuple[float, int, int]:
    difference = change.difference
    if difference is None:
        # Answers judged in one run only come after those that fell and before those that did not change.
        return (-1e-9, change.candidate_row, 0)
    return (difference, change.candidate_row, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class PairDetail:
    """Two paired answers in detail.

    `claims` and `chunks` contain indexes from 0 into the claims and the chunks of either answer. The verdicts follow
    the comparison's view; None if reviewers said that it is not a claim. Claims that reviewers added follow the
    judge's: `added_before` and `added_after` are their texts. The certainties are of the judge's own claims.
    """

    change: Change
    before: AnswerDetail
    after: AnswerDetail
    claims: tuple[ClaimPair, ...]
    chunks: tuple[ChunkPair, ...]
    verdicts_before: tuple[Verdict | None, ...]
    verdicts_after: tuple[Verdict | None, ...]
    added_before: tuple[str, ...]
    added_after: tuple[str, ...]
    certainties_before: tuple[Certainty, ...]
    certainties_after: tuple[Certainty, ...]


def get_pair(store: Store, comparison: Comparison, *, baseline_row: int, candidate_row: int) -> PairDetail:
    """Return two paired answers with everything that changed between them; raises NotFound.

    The terms come from the comparison, whose causes need the whole knowledge base, because it is not read again here.
    """
    before_run, after_run, view = comparison.baseline, comparison.candidate, comparison.view
    before = compared_answers.load_answers(store.db, before_run.run_id, view, position=baseline_row)
    after = compared_answers.load_answers(store.db, after_run.run_id, view, position=candidate_row)
    if not before or not after:
        raise NotFound(
            f"There is no row {baseline_row} in {before_run.name!r} or {candidate_row} in {after_run.name!r}."
        )
    change = find_change(comparison, baseline_row=baseline_row, candidate_row=candidate_row)
    decisions = comparisons.list_decisions(store.db, before_run.run_id, after_run.run_id)
    pair = AnswerPair(before=before[0], after=after[0], rule=change.rule)
    match = match_pairs(store.db, [pair], view=view, decisions=claim_decisions(decisions))[0]
    before_detail = get_answer_at(store, before_run.run_id, baseline_row)
    after_detail = get_answer_at(store, after_run.run_id, candidate_row)
    return PairDetail(
        change=change,
        before=before_detail,
        after=after_detail,
        claims=match.claims,
        chunks=match.chunks,
        verdicts_before=tuple(claim.verdict for claim in match.before_claims),
        verdicts_after=tuple(claim.verdict for claim in match.after_claims),
        added_before=tuple(claim.text for claim in match.before_claims if claim.text is not None),
        added_after=tuple(claim.text for claim in match.after_claims if claim.text is not None),
        certainties_before=standing_certainties(store, before_detail, view),
        certainties_after=standing_certainties(store, after_detail, view),
    )


def find_change(comparison: Comparison, *, baseline_row: int, candidate_row: int) -> Change:
    """Return the change between two rows; raises NotFound if nothing changed or the rows are not paired."""
    for change in comparison.changes:
        if change.baseline_row == baseline_row and change.candidate_row == candidate_row:
            return change
    raise NotFound(
        f"Nothing changed between row {baseline_row} of {comparison.baseline.name!r} and row {candidate_row} of "
        f"{comparison.candidate.name!r}, or the rows are not a pair."
    )
