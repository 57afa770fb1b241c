"""The embedded judge itself: the parts in their order."""

from faithview.domain.claim import Claim
from faithview.domain.result import Result, State
from faithview.domain.sample import Sample
from faithview.domain.spans import Span
from faithview.judges.lexical.anchors import Occurrences
from faithview.judges.lexical.claims import split_answer
from faithview.judges.lexical.compare import compare
from faithview.judges.lexical.features import claim_features
from faithview.judges.lexical.model import support_probability
from faithview.judges.lexical.pooling import answer_probability
from faithview.judges.lexical.retrieve import Context
from faithview.judges.lexical.verdict import Decision, decide

NAME = "lexical"

# A new number whenever a verdict can change: runs of different versions are not compared unawares.
FINGERPRINT = "lexical/1"


class LexicalJudge:
    """Judges without a network, a key or a model file. It holds no state, so it may be shared."""

    @property
    def name(self) -> str:
        """Always "lexical"."""
        return NAME

    @property
    def fingerprint(self) -> str:
        """Name and version of the rules and figures."""
        return FINGERPRINT

    async def judge(self, sample: Sample) -> Result:
        """Judge one answer (see `judge_sample`)."""
        return judge_sample(sample)

    async def aclose(self) -> None:
        """Nothing to release."""


def judge_sample(sample: Sample) -> Result:
    """Judge one answer: the same sample always gives the same result.

    An answer without text makes no claims. With no text in any chunk there is nothing to judge against, whatever the
    answer says. An answer whose only statements say that the context does not tell abstains.
    """
    if not sample.answer.strip():
        return Result(state=State.NO_CLAIMS, judge=NAME, answer_score=1.0)
    if not sample.has_context:
        return Result(state=State.EMPTY_CONTEXT, judge=NAME)
    split = split_answer(sample.answer)
    if not split.claims:
        state = State.ABSTAINED if split.refusals else State.NO_CLAIMS
        return Result(state=state, judge=NAME, answer_score=1.0)
    context = Context(sample.chunks, sample.question)
    decisions: list[Decision] = []
    for position, statement in enumerate(split.claims):
        comparison = compare(sample.answer, statement.start, statement.end, context)
        features = claim_features(
            comparison, context, is_item=statement.is_item, position=position, claims=len(split.claims)
        )
        decisions.append(decide(sample, comparison, context, support_probability(features)))
    return Result(
        state=State.JUDGED,
        judge=NAME,
        claims=_anchored(sample, decisions),
        answer_score=answer_probability([decision.support for decision in decisions]),
    )


def _anchored(sample: Sample, decisions: list[Decision]) -> tuple[Claim, ...]:
    occurrences = Occurrences(sample.answer)
    claims = []
    for decision in decisions:
        span: Span = occurrences.span_at(decision.start, decision.end)
        claims.append(decision.to_claim(sample.answer[decision.start : decision.end], span))
    return tuple(claims)
