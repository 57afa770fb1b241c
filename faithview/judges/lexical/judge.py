"""The lexical judge: split an answer into claims, compare them with the chunks, decide."""

from collections.abc import Sequence
from dataclasses import replace

from faithview.domain.claim import Claim
from faithview.domain.result import Result, State
from faithview.domain.sample import Sample
from faithview.domain.spans import Occurrences, Span
from faithview.judges.lexical.analysis import is_denied, read_answer, score_without_claims, support_of
from faithview.judges.lexical.scoring.model import (
    Model,
    answer_figures,
    kind_of,
    packaged_model,
    weakest_claims,
)
from faithview.judges.lexical.splitting.claims import SplitAnswer, first_claims, split_answer
from faithview.judges.lexical.verdicts import Decision, decide
from faithview.judges.text.tokens import within_reach

NAME = "lexical"

# A new number whenever the rules change a verdict; the model's digest follows it.
_RULES = "lexical/9"


class LexicalJudge:
    """Judges offline, without a key. Its only state is its model, so threads can share it."""

    def __init__(self, model: Model | None = None) -> None:
        self._model = model or packaged_model()

    @property
    def name(self) -> str:
        """Always "lexical"."""
        return NAME

    @property
    def fingerprint(self) -> str:
        """Version of the rules and digest of the model: runs with the same fingerprint are comparable."""
        return f"{_RULES}+{self._model.digest}"

    async def judge(self, sample: Sample) -> Result:
        """Judge one answer (see `judge_sample`)."""
        return self.judge_now(sample)

    def judge_now(self, sample: Sample) -> Result:
        """Do what `judge` does, in any thread."""
        return judge_sample(sample, self._model)

    async def aclose(self) -> None:
        """Nothing to release."""


def judge_sample(sample: Sample, model: Model | None = None) -> Result:
    """Judge one answer: the same sample always gives the same result.

    An answer without text makes no claims. If no chunk has any text, the state is `empty_context`, regardless of the
    answer says. An answer that only says that the context has no answer abstains.
    """
    whole = sample
    sample, warnings = within_reach(whole)
    split, left_out = first_claims(split_answer(sample.answer, sample.question))
    plain = judge_without_claims(sample, split, judge=NAME)
    result = plain or _judge_claims(sample, split, model or packaged_model())
    is_cut = len(sample.answer) < len(whole.answer) or bool(left_out)
    return replace(result, warnings=(*warnings, *left_out), is_cut=is_cut)


def judge_without_claims(sample: Sample, split: SplitAnswer, *, judge: str) -> Result | None:
    """Return the result where there is nothing to compare: no answer, no context or no claims; None otherwise."""
    if not sample.answer.strip():
        return Result(state=State.NO_CLAIMS, judge=judge, answer_score=1.0)
    if not sample.has_context:
        return Result(state=State.EMPTY_CONTEXT, judge=judge)
    if split.claims:
        return None
    state = State.ABSTAINED if split.refusals else State.NO_CLAIMS
    return Result(state=state, judge=judge, answer_score=score_without_claims(sample, split))


def _judge_claims(sample: Sample, split: SplitAnswer, model: Model) -> Result:
    reading = read_answer(sample, split)
    support = [
        support_of(probability, in_conflict=is_denied(comparison))
        for comparison, probability in zip(reading.comparisons, model.supports(reading.view), strict=True)
    ]
    answer_score = model.answer_support(answer_figures(support, reading.beside))
    # If the answer as a whole is probably not faithful, mark its weakest claims for checking.
    is_doubtful = answer_score < model.cuts.answer[kind_of(len(support), is_record=reading.context.is_record)]
    weakest = weakest_claims(support) if is_doubtful else set[int]()
    read = as_read(sample, split)
    decisions = [
        decide(read, comparison, reading.context, value, model.cuts, is_weak=number in weakest)
        for number, (comparison, value) in enumerate(zip(reading.comparisons, support, strict=True))
    ]
    return Result(state=State.JUDGED, judge=NAME, claims=anchored(sample, split, decisions), answer_score=answer_score)


def as_read(sample: Sample, split: SplitAnswer) -> Sample:
    """Return the sample with its answer as the claims were read, which comparisons point into."""
    return sample if split.reading == sample.answer else replace(sample, answer=split.reading)


def anchored(sample: Sample, split: SplitAnswer, decisions: Sequence[Decision]) -> tuple[Claim, ...]:
    """Return the claims with their places in the answer; in a reply to the question all words are at fault together."""
    occurrences = Occurrences(sample.answer)
    claims = []
    for statement, decision in zip(split.claims, decisions, strict=True):
        span: Span = occurrences.span_at(statement.start, statement.end)
        if statement.stated:
            places = [item._replace(start=span.start, end=span.end) for item in decision.mismatches]
            decision = decision._replace(mismatches=tuple(dict.fromkeys(places)))
        claims.append(decision.to_claim(split.text_of(statement), span))
    return tuple(claims)
