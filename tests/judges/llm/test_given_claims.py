"""Claims that are known already are verified as they are, without a call that lists them."""

import asyncio
from collections.abc import Iterator

import pytest

from faithview import Claim, Result, Sample, State
from faithview.domain.run import JudgeSpec
from faithview.domain.spans import Span
from faithview.judges.capabilities import AsksModel
from faithview.judges.registry import create_judge
from tests.factories import S
from tests.vendor import Vendor, configured

ANSWER = "Parking is free. It closes at 8 pm."
CLAIMS = (
    Claim(text="Parking is free.", verdict=S, spans=(Span(start=0, end=16),)),
    Claim(text="The car park closes at 8 pm.", verdict=S),
)
SAMPLE = Sample.of(ANSWER, ["Parking is free.", "The car park closes at 9 pm."], question="When?")


def _judge(method: str) -> AsksModel:
    judge = create_judge(JudgeSpec(name="openai:m", method=method))
    assert isinstance(judge, AsksModel)
    return judge


def _verify() -> Result:
    async def verify() -> Result:
        judge = _judge("claims")
        try:
            return await judge.verify_with(SAMPLE, CLAIMS, judge.complete)
        finally:
            await judge.aclose()

    return asyncio.run(verify())


@pytest.fixture
def vendor(monkeypatch: pytest.MonkeyPatch) -> Iterator[Vendor]:
    with configured(monkeypatch) as started:
        yield started


def test_the_claims_are_verified_as_they_are(vendor: Vendor) -> None:
    result = _verify()
    assert result.state is State.JUDGED
    assert [claim.text for claim in result.claims] == [claim.text for claim in CLAIMS]
    assert result.claims[0].spans[0].end == 16
    assert result.usage.llm_calls == vendor.calls == 1


@pytest.mark.parametrize("method", ["single", "per-claim", "nli", "qa", "sentence", "combined"])
def test_other_methods_say_that_they_do_not(method: str, vendor: Vendor) -> None:
    assert not _judge(method).verifies_given
    assert _judge("claims").verifies_given
