"""The answers of two runs side by side: paired, and counted where they cannot be compared."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from faithview.domain import pairing
from faithview.domain.comparison import Pairing, PairRule, Unpaired
from faithview.domain.identity import fold
from faithview.domain.run import Run
from faithview.domain.views import View
from faithview.store.comparison.compared_answers import StoredAnswer, load_answers
from faithview.store.comparison.comparisons import PairChoice
from faithview.store.database import Database


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
        """The segment, as the later run has it."""
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
    """All pairs by the baseline's order, and what is told about the others."""

    pairs: tuple[AnswerPair, ...]
    pairing: Pairing


def pair_runs(db: Database, before: Run, after: Run, *, view: View, choices: Sequence[PairChoice]) -> PairedRuns:
    """Pair the answers of two runs."""
    baseline = {answer.row: answer for answer in load_answers(db, before.run_id, view)}
    candidate = {answer.row: answer for answer in load_answers(db, after.run_id, view)}
    found = pairing.pair_answers(
        [_facts(answer) for answer in baseline.values()],
        [_facts(answer) for answer in candidate.values()],
        choices={
            (choice.baseline_row, choice.candidate_row): choice.belong_together
            for choice in choices
            if choice.baseline_claim is None and choice.candidate_claim is None
        },
    )
    pairs = tuple(AnswerPair(before=baseline[b], after=candidate[c], rule=rule) for b, c, rule in found.pairs)
    rules = Counter(pair.rule for pair in pairs)
    unscored = Counter(f"{pair.before.state}, {pair.after.state}" for pair in pairs if not pair.is_scored)
    return PairedRuns(
        pairs=pairs,
        pairing=Pairing(
            rules={rule: rules[rule] for rule in PairRule if rules[rule]},
            scored=sum(pair.is_scored for pair in pairs),
            unscored=dict(sorted(unscored.items())),
            key_conflicts=found.key_conflicts,
            only_in_baseline=tuple(_unpaired(baseline[row]) for row in found.only_in_baseline),
            only_in_candidate=tuple(_unpaired(candidate[row]) for row in found.only_in_candidate),
            suggestions=found.suggestions,
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
