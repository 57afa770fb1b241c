"""Pair the answers of two runs, and count those that cannot be compared."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from faithview.domain import pairing
from faithview.domain.comparison import Pairing, PairRule, Unpaired
from faithview.domain.content_hashes import fold
from faithview.domain.run import Run
from faithview.domain.views import View
from faithview.stats.text_matching import TokenSortSimilarity
from faithview.store.comparison.compared_answers import StoredAnswer, load_answers
from faithview.store.comparison.pair_decisions import PairDecision
from faithview.store.database import Database

__all__ = ["AnswerPair", "PairedRuns", "pair_runs"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerPair:
    """Two answers that belong together."""

    before: StoredAnswer
    after: StoredAnswer
    rule: PairRule

    @property
    def is_scored(self) -> bool:
        """Whether both sides have a score."""
        return self.before.score is not None and self.after.score is not None

    @property
    def segment(self) -> str | None:
        """The segment in the later run, else that in the earlier one."""
        return self.after.segment if self.after.segment is not None else self.before.segment

    @property
    def has_changed_answer(self) -> bool:
        """Whether the texts of the answers differ by more than white space."""
        return self.before.answer != self.after.answer and fold(self.before.answer) != fold(self.after.answer)

    @property
    def has_changed_context(self) -> bool:
        """Whether other chunks were retrieved; their order does not count."""
        return self.before.context_hash != self.after.context_hash


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedRuns:
    """All pairs in the order of the baseline, with counts of them and of the answers without a partner."""

    pairs: tuple[AnswerPair, ...]
    pairing: Pairing


def pair_runs(db: Database, before: Run, after: Run, *, view: View, decisions: Sequence[PairDecision]) -> PairedRuns:
    """Pair the answers of two runs."""
    baseline = {answer.row: answer for answer in load_answers(db, before.run_id, view)}
    candidate = {answer.row: answer for answer in load_answers(db, after.run_id, view)}
    result = pairing.pair_answers(
        [_facts(answer) for answer in baseline.values()],
        [_facts(answer) for answer in candidate.values()],
        similarity=TokenSortSimilarity(),
        choices={
            (decision.baseline_row, decision.candidate_row): decision.belong_together
            for decision in decisions
            if decision.baseline_claim is None and decision.candidate_claim is None
        },
    )
    pairs = tuple(AnswerPair(before=baseline[b], after=candidate[c], rule=rule) for b, c, rule in result.pairs)
    rules = Counter(pair.rule for pair in pairs)
    unscored = Counter(f"{pair.before.state}, {pair.after.state}" for pair in pairs if not pair.is_scored)
    return PairedRuns(
        pairs=pairs,
        pairing=Pairing(
            rules={rule: rules[rule] for rule in PairRule if rules[rule]},
            scored=sum(pair.is_scored for pair in pairs),
            unscored=dict(sorted(unscored.items())),
            key_conflicts=result.key_conflicts,
            only_in_baseline=tuple(_unpaired(baseline[row]) for row in result.only_in_baseline),
            only_in_candidate=tuple(_unpaired(candidate[row]) for row in result.only_in_candidate),
            suggestions=result.suggestions,
        ),
    )


def _facts(answer: StoredAnswer) -> pairing.Answer:
    return pairing.Answer(
        row=answer.row,
        key=answer.key,
        question=answer.question,
        context_hash=answer.context_hash,
        external_ids=answer.external_ids,
    )


def _unpaired(answer: StoredAnswer) -> Unpaired:
    return Unpaired(row=answer.row, key=answer.key, question=answer.question, state=answer.state)
