"""Local models rule on claims that another judge has listed, as a cascade asks them to."""

import asyncio
from pathlib import Path

import pytest

from faithview.domain.claim import Claim, Verdict
from faithview.domain.errors import JudgeFailed, JudgeUnavailable
from faithview.domain.result import Result, State
from faithview.domain.run import JudgeSpec
from faithview.domain.sample import Sample
from faithview.domain.spans import span_at
from faithview.judges.capabilities import SupportsVerifying
from faithview.judges.registry import create_judge
from tests.judges.local.conftest import MakeModel, judge_once
from tests.judges.local.tiny_models import hand_set_nli

pytestmark = pytest.mark.torch

_ANSWER = "The lake is very deep. The hill is green."


def _verify(name: str, sample: Sample, claims: list[Claim]) -> Result:
    async def use() -> Result:
        judge = create_judge(JudgeSpec(name=name))
        assert isinstance(judge, SupportsVerifying)
        try:
            return await judge.verify(sample, claims)
        finally:
            await judge.aclose()

    return asyncio.run(use())


@pytest.mark.parametrize("word", ["agrees", "denies"])
def test_a_given_claim_gets_the_verdict_that_the_judge_gives_its_own(model: MakeModel, word: str) -> None:
    name = f"nli:{model(hand_set_nli)}"
    sample = Sample.of(_ANSWER, [f"The lake is deep {word}.", "The green hill is far away."])
    alone = judge_once(name, sample).claims
    given = [Claim(text=claim.text, verdict=Verdict.PARTIALLY_SUPPORTED, spans=claim.spans) for claim in alone]
    assert _verify(name, sample, given).claims == alone
    assert _verify(name, sample, given[1:]).claims == alone[1:]


def test_a_cascade_sends_its_unsure_claims_to_the_model(model: MakeModel) -> None:
    folder: Path = model(hand_set_nli)
    answer = "The inbox holds up to 50 members. Owners can invite people. Refunds take two weeks."
    chunk = "Shared inboxes hold up to 20 members. Owners can add members. Refunds are paid within 14 days."
    sample = Sample.of(answer, [chunk])
    result = judge_once(f"cascade:nli:{folder}", sample)
    assert (result.state, result.judge) == (State.JUDGED, f"cascade:nli:{folder}")
    assert [claim.decided_by for claim in result.claims] == [f"nli:{folder}", f"nli:{folder}", "embedded"]
    by_model = judge_once(f"nli:{folder}", sample).claims
    assert [(c.verdict, c.support_score, c.explanation) for c in result.claims[:2]] == [
        (c.verdict, c.support_score, c.explanation) for c in by_model[:2]
    ]
    everything = judge_once(f"cascade:nli:{folder}", sample, cascade_share="1")
    assert {claim.decided_by for claim in everything.claims} == {f"nli:{folder}"}


def test_a_model_that_is_not_there_is_missed_before_the_first_answer(tmp_path: Path) -> None:
    with pytest.raises(JudgeUnavailable, match=r"has no config\.json"):
        create_judge(JudgeSpec(name=f"cascade:nli:{tmp_path}"))


def test_a_model_that_cannot_be_loaded_fails_the_answer(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}", encoding="utf-8")
    sample = Sample.of(_ANSWER, ["The lake is deep."])
    with pytest.raises(JudgeFailed, match=r"nli:\S+ was asked about 2 of 2 claims: "):
        judge_once(f"cascade:nli:{tmp_path}", sample, cascade_share="1")


def test_span_of_a_given_claim_is_kept(model: MakeModel) -> None:
    place = span_at(_ANSWER, 23, len(_ANSWER))
    given = Claim(text="The hill, to be exact, is green.", verdict=Verdict.NOT_MENTIONED, spans=(place,))
    (ruled,) = _verify(f"nli:{model(hand_set_nli)}", Sample.of(_ANSWER, ["The hill agrees."]), [given]).claims
    assert (ruled.text, ruled.spans, ruled.verdict) == (given.text, (place,), Verdict.SUPPORTED)
