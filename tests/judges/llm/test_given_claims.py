"""Claims that are known already are verified as they are, without a call that lists them."""

import asyncio
from collections.abc import Iterator, Sequence

import pytest

from faithview import Claim, Result, Sample, State
from faithview.domain.run import JudgeSpec
from faithview.domain.spans import Span
from faithview.judges.capabilities import SupportsGivenClaims
from faithview.judges.registry import create_judge
from tests.factories import S
from tests.vendor import Vendor, running

ANSWER = "Parking is free. It closes at 8 pm."
CLAIMS = (
    Claim(text="Parking is free.", verdict=S, spans=(Span(start=0, end=16),)),
    Claim(text="The car park closes at 8 pm.", verdict=S),
)
SAMPLE = Sample.of(ANSWER, ["Parking is free.", "The car park closes at 9 pm."], question="When?")


def _judge(method: str) -> SupportsGivenClaims:
    judge = create_judge(JudgeSpec(name="openai:m", method=method))
    assert isinstance(judge, SupportsGivenClaims)
    return judge


def _verify(method: str, sample: Sample = SAMPLE, claims: Sequence[Claim] = CLAIMS) -> Result:
    async def verify() -> Result:
        judge = _judge(method)
        try:
            return await judge.verify_with(sample, claims, judge.complete)
        finally:
            await judge.aclose()

    return asyncio.run(verify())


@pytest.fixture
def vendor(monkeypatch: pytest.MonkeyPatch) -> Iterator[Vendor]:
    with running() as started:
        for name, value in started.environment.items():
            monkeypatch.setenv(name, value)
        yield started


@pytest.mark.parametrize(("method", "calls"), [("claims", 1), ("per-claim", 2)])
def test_the_claims_are_verified_as_they_are(method: str, calls: int, vendor: Vendor) -> None:
    result = _verify(method)
    assert result.state is State.JUDGED
    assert [claim.text for claim in result.claims] == [claim.text for claim in CLAIMS]
    assert result.claims[0].spans[0].end == 16
    assert result.usage.llm_calls == vendor.calls == calls
    assert _judge(method).estimate_given([SAMPLE]).calls == pytest.approx(calls, abs=1)


def test_an_answer_without_chunks_asks_nothing(vendor: Vendor) -> None:
    assert _verify("claims", Sample.of(ANSWER, [])).state is State.EMPTY_CONTEXT
    assert vendor.calls == 0


@pytest.mark.parametrize("method", ["single", "nli", "qa", "sentence", "combined"])
def test_other_methods_say_that_they_cannot(method: str, vendor: Vendor) -> None:
    assert not _judge(method).verifies_given
    with pytest.raises(TypeError, match="lists the claims of an answer itself"):
        _verify(method)
    assert vendor.calls == 0
