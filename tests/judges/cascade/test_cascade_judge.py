"""The first judge decides what is outside the cuts, the second one the rest, and failures stay failures."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

from faithview.domain.claim import Claim, ClaimType, Importance, Mismatch, Severity, Verdict
from faithview.domain.errors import JudgeFailed
from faithview.domain.result import Result, State, Usage
from faithview.domain.sample import Sample
from faithview.domain.spans import span_at
from faithview.judges.capabilities import AsksModel, SupportsVerifying
from faithview.judges.cascade.cuts import USUAL, Cuts
from faithview.judges.cascade.judge import CascadeJudge
from faithview.judges.embedded.judge import EmbeddedJudge

_SAMPLE = Sample.of("Ants eat. Bees fly. Cats purr. Dogs bark.", ["Bees fly. Dogs bark."])
_SUPPORTS = (0.1, 0.5, 0.79, 0.95)


class _First:
    """A judge that says the same of every answer."""

    name = "first"
    fingerprint = "first/1"

    def __init__(self, result: Result) -> None:
        self._result = result
        self.is_closed = False

    async def judge(self, sample: Sample) -> Result:
        return self.judge_now(sample)

    def judge_now(self, _sample: Sample) -> Result:
        return self._result

    async def aclose(self) -> None:
        self.is_closed = True


class _Asked:
    """A judge that finds every claim supported and remembers what it was asked; `outcome` takes its place."""

    name = "second:m"
    fingerprint = "second:m/1"

    def __init__(self, outcome: Result | Exception | None = None) -> None:
        self._outcome = outcome
        self.asked: list[tuple[str, ...]] = []
        self.is_closed = False

    async def judge(self, sample: Sample) -> Result:
        raise NotImplementedError

    async def verify(self, _sample: Sample, claims: Sequence[Claim]) -> Result:
        self.asked.append(tuple(claim.text for claim in claims))
        if isinstance(self._outcome, Exception):
            raise self._outcome
        return self._outcome or _ruled(claims)

    async def aclose(self) -> None:
        self.is_closed = True


def _ruled(claims: Sequence[Claim]) -> Result:
    ruled = tuple(
        Claim(text=f"{c.text}!", verdict=Verdict.SUPPORTED, support_score=0.9, confidence=0.8, explanation="I say so.")
        for c in claims
    )
    return Result(
        state=State.JUDGED,
        judge="second:m",
        claims=ruled,
        suggestions=("Less.",),
        warnings=("w2",),
        usage=Usage(llm_calls=1),
    )


def _judged() -> Result:
    claims = []
    for support, text in zip(_SUPPORTS, ("Ants eat.", "Bees fly.", "Cats purr.", "Dogs bark."), strict=True):
        at = _SAMPLE.answer.index(text)
        claims.append(
            Claim(
                text=text,
                verdict=Verdict.NOT_MENTIONED,
                spans=(span_at(_SAMPLE.answer, at, at + len(text)),),
                support_score=support,
                confidence=0.5,
                explanation="Not sure.",
                claim_type=ClaimType.FACTUAL,
                importance=Importance.LOW,
                severity=Severity.HIGH,
                correction="No.",
                mismatches=(Mismatch(at, at + 2),),
            )
        )
    return Result(state=State.JUDGED, judge="first", claims=tuple(claims), answer_score=0.05, warnings=("w1",))


def _judge(first: Result, asked: SupportsVerifying, cuts: Cuts = USUAL) -> Result:
    return asyncio.run(CascadeJudge(_First(first), asked, cuts).judge(_SAMPLE))


def test_only_the_claims_between_the_cuts_are_asked_about_and_together() -> None:
    asked = _Asked()
    result = _judge(_judged(), asked)
    assert asked.asked == [("Bees fly.", "Cats purr.")]
    assert [claim.decided_by for claim in result.claims] == ["first", "second:m", "second:m", "first"]
    assert (result.state, result.judge, result.usage.llm_calls) == (State.JUDGED, "cascade:second:m", 1)


def test_a_decided_claim_has_the_other_judges_reasons_and_none_of_the_first_ones() -> None:
    first = _judged()
    before, after = first.claims[1], _judge(first, _Asked()).claims[1]
    assert after == Claim(
        text=before.text,
        spans=before.spans,
        claim_type=before.claim_type,
        importance=before.importance,
        verdict=Verdict.SUPPORTED,
        support_score=0.9,
        confidence=0.8,
        explanation="I say so.",
        decided_by="second:m",
    )


def test_the_other_claims_stay_as_they_are() -> None:
    first = _judged()
    result = _judge(first, _Asked())
    for number in (0, 3):
        assert result.claims[number] == replace(first.claims[number], decided_by="first")
    assert (result.suggestions, result.warnings) == (("Less.",), ("w1", "w2"))


def test_an_answer_is_as_faithful_as_its_weakest_claim_once_a_verdict_has_changed() -> None:
    assert _judge(_judged(), _Asked()).answer_score == 0.1


def test_a_sure_answer_asks_nobody_and_keeps_its_score() -> None:
    asked = _Asked()
    result = _judge(_judged(), asked, Cuts(1.0, 0.0))
    assert asked.asked == []
    assert {claim.decided_by for claim in result.claims} == {"first"}
    assert (result.answer_score, result.usage, result.judge) == (0.05, Usage(), "cascade:second:m")


@pytest.mark.parametrize("state", [State.NO_CLAIMS, State.ABSTAINED, State.EMPTY_CONTEXT])
def test_an_answer_without_claims_asks_nobody(state: State) -> None:
    asked = _Asked()
    result = _judge(Result(state=state, judge="first"), asked)
    assert (result.state, result.judge, asked.asked) == (state, "cascade:second:m", [])


def test_an_answer_fails_with_the_judge_that_was_asked() -> None:
    failed = Result(state=State.FAILED, judge="second:m", error="It refused.", raw_reply="no", usage=Usage(llm_calls=2))
    result = _judge(_judged(), _Asked(failed))
    assert (result.state, result.claims, result.judge) == (State.FAILED, (), "cascade:second:m")
    assert result.error == "second:m was asked about 2 of 4 claims: It refused."
    assert (result.raw_reply, result.usage.llm_calls) == ("no", 2)


def test_a_judge_that_raises_is_an_error_that_says_what_it_was_asked() -> None:
    with pytest.raises(JudgeFailed, match=r"second:m was asked about 2 of 4 claims: It does not fit\."):
        _judge(_judged(), _Asked(JudgeFailed("It does not fit.")))


def test_a_judge_that_answers_about_fewer_claims_fails() -> None:
    result = _judge(_judged(), _Asked(_ruled(_judged().claims[:1])))
    assert (result.state, result.error) == (
        State.FAILED,
        "second:m was asked about 2 of 4 claims: 1 of 2 rulings came back.",
    )


def test_both_judges_and_the_cuts_are_in_the_fingerprint() -> None:
    first, asked = _First(_judged()), _Asked()
    assert CascadeJudge(first, asked, USUAL).fingerprint == "cascade:second:m/1/0.2-0.8/cascade/1/first/1"
    others = {CascadeJudge(first, asked, Cuts(low, 1 - low)).fingerprint for low in (0.1, 0.2, 0.2001)}
    assert len(others) == 3


def test_both_judges_are_closed() -> None:
    first, asked = _First(_judged()), _Asked()
    asyncio.run(CascadeJudge(first, asked, USUAL).aclose())
    assert (first.is_closed, asked.is_closed) == (True, True)


def test_a_cascade_without_a_model_to_pay_promises_no_budget_and_no_batches() -> None:
    judge = CascadeJudge(EmbeddedJudge(), _Asked(), USUAL)
    assert not isinstance(judge, AsksModel)


def test_with_nothing_to_send_it_gives_what_the_default_judge_gives() -> None:
    sample = Sample.of(
        "Inboxes hold 20 members. Owners may add some.", ["An inbox holds 20 members. Owners add members."]
    )
    alone = EmbeddedJudge().judge_now(sample)
    both = asyncio.run(CascadeJudge(EmbeddedJudge(), _Asked(), Cuts(1.0, 0.0)).judge(sample))
    claims = tuple(replace(claim, decided_by="embedded") for claim in alone.claims)
    assert both == replace(alone, judge="cascade:second:m", claims=claims)
