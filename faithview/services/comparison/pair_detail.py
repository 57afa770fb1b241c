"""One pair of answers in full, with their claims and chunks matched."""

from dataclasses import dataclass

from faithview.domain.claim import Verdict
from faithview.domain.comparison import Change, ChunkPair, ClaimPair
from faithview.domain.errors import NotFound
from faithview.domain.views import AnswerDetail
from faithview.services.comparison.changes import match_pairs
from faithview.services.comparison.comparison import Comparison
from faithview.services.comparison.pair_decisions import claim_decisions
from faithview.services.comparison.pairing import AnswerPair
from faithview.services.container import Services
from faithview.services.results.answers import get_answer_at
from faithview.services.review.labels import standing_confidences
from faithview.store.comparison import compared_answers, pair_decisions

__all__ = ["PairDetail", "find_change", "get_pair"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairDetail:
    """Two answers that belong together.

    `claims` and `chunks` hold indexes from 0 into the claims and the chunks of either answer. The verdicts are those
    under the comparison's view, None where people said that something is no claim. Claims that people added come after
    the judge's: `added_before` and `added_after` are their texts. The confidences are the judge's in the verdicts on
    its own claims, None where people settled the verdict.
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
    confidences_before: tuple[float | None, ...]
    confidences_after: tuple[float | None, ...]


def get_pair(services: Services, comparison: Comparison, *, baseline_row: int, candidate_row: int) -> PairDetail:
    """Return two paired answers with everything that changed between them; raises NotFound.

    The terms come from the comparison: its causes need the whole knowledge base, which is not read again for a pair.
    """
    before_run, after_run, view = comparison.baseline, comparison.candidate, comparison.view
    before = compared_answers.load_answers(services.db, before_run.run_id, view, position=baseline_row)
    after = compared_answers.load_answers(services.db, after_run.run_id, view, position=candidate_row)
    if not before or not after:
        raise NotFound(
            f"There is no row {baseline_row} in {before_run.name!r} or {candidate_row} in {after_run.name!r}."
        )
    change = find_change(comparison, baseline_row=baseline_row, candidate_row=candidate_row)
    decisions = pair_decisions.list_decisions(services.db, before_run.run_id, after_run.run_id)
    pair = AnswerPair(before=before[0], after=after[0], rule=change.rule)
    match = match_pairs(services.db, [pair], view=view, decisions=claim_decisions(decisions))[0]
    before_detail = get_answer_at(services, before_run.run_id, baseline_row)
    after_detail = get_answer_at(services, after_run.run_id, candidate_row)
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
        confidences_before=standing_confidences(services, before_detail, view),
        confidences_after=standing_confidences(services, after_detail, view),
    )


def find_change(comparison: Comparison, *, baseline_row: int, candidate_row: int) -> Change:
    """Return the change between two rows; raises NotFound if nothing changed or the rows are not paired."""
    for change in comparison.changes:
        if change.baseline_row == baseline_row and change.candidate_row == candidate_row:
            return change
    raise NotFound(
        f"Nothing changed between row {baseline_row} of {comparison.baseline.name!r} and row {candidate_row} of "
        f"{comparison.candidate.name!r}, or they are no pair."
    )
