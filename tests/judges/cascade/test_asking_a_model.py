"""A cascade that asks an LLM, over HTTP and both vendors' SDKs: one call, repairs, failures, estimates and batches."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import TypeVar

import pytest

from faithview.domain.claim import Verdict
from faithview.domain.result import Result, State
from faithview.domain.sample import Sample
from faithview.judges.capabilities import AsksModel, FlawedSentence, SupportsRewriting
from faithview.judges.cascade.cuts import USUAL, cuts_for
from faithview.judges.cascade.llm import LlmCascade
from faithview.judges.embedded.judge import EmbeddedJudge
from tests.judges.llm.batch_server import Batches
from tests.judges.llm.judging import VENDORS, make_judge
from tests.judges.llm.server import Answer, Request, Say, Script, Server, fenced, sensible, serving
from tests.judges.llm.test_batch import finish

both_vendors = pytest.mark.parametrize("vendor", VENDORS)

# The default judge is unsure of the first two claims and sure of the third.
UNSURE = ("The inbox holds up to 50 members.", "Owners can invite people.")
SURE = "Refunds take two weeks."
SAMPLE = Sample.of(
    " ".join((*UNSURE, SURE)),
    ["Shared inboxes hold up to 20 members. Owners can add members. Refunds are paid within 14 days."],
    question="What about inboxes?",
    key="mixed",
)
SURE_SAMPLE = Sample.of(SURE, [SAMPLE.chunks[0].text], key="sure")

_T = TypeVar("_T")


def _with_cascade(
    script: Script, use: Callable[[LlmCascade], Awaitable[_T]], *, vendor: str = "openai", share: float | None = None
) -> tuple[_T, Server]:
    async def run() -> tuple[_T, Server]:
        async with serving(script) as (server, url):
            cuts = USUAL if share is None else cuts_for(share)
            judge = LlmCascade(EmbeddedJudge(), make_judge(vendor, url), cuts)
            try:
                return await use(judge), server
            finally:
                await judge.aclose()

    return asyncio.run(run())


def _judge(script: Script, sample: Sample = SAMPLE, **how: object) -> tuple[Result, Server]:
    return _with_cascade(script, lambda judge: judge.judge(sample), **how)  # type: ignore[arg-type]  # as given above


def _listed(request: Request) -> list[str]:
    return [json.loads(line)["text"] for line in fenced(request.user, "claims").split("\n")]


@both_vendors
def test_all_unsure_claims_of_an_answer_are_asked_about_in_one_call(vendor: str) -> None:
    result, server = _judge(sensible, vendor=vendor)
    (call,) = server.calls
    assert (call.schema, _listed(call)) == ("Verification", list(UNSURE))
    assert fenced(call.user, "answer") == SAMPLE.answer
    assert [claim.decided_by for claim in result.claims] == [f"{vendor}:m", f"{vendor}:m", "embedded"]
    assert [claim.explanation for claim in result.claims[:2]] == ["Chunk 1 says so."] * 2
    assert [claim.text for claim in result.claims] == [*UNSURE, SURE]
    assert all(claim.spans and claim.verdict is Verdict.SUPPORTED for claim in result.claims)
    assert (result.usage.llm_calls, result.usage.prompt_tokens, result.judge) == (1, 1_000, f"cascade:{vendor}:m")


@both_vendors
def test_a_sure_answer_makes_no_call(vendor: str) -> None:
    result, server = _judge(sensible, SURE_SAMPLE, vendor=vendor)
    assert (server.requests, result.usage.llm_calls, result.state) == ([], 0, State.JUDGED)
    assert [claim.decided_by for claim in result.claims] == ["embedded"]


def test_the_share_decides_how_many_claims_are_sent() -> None:
    everything, server = _judge(sensible, share=1.0)
    assert _listed(server.calls[0]) == [*UNSURE, SURE]
    assert {claim.decided_by for claim in everything.claims} == {"openai:m"}
    nothing, server = _judge(sensible, share=0.0)
    assert (server.calls, {claim.decided_by for claim in nothing.claims}) == ([], {"embedded"})


def test_a_missing_ruling_is_asked_for_again() -> None:
    def first_only(request: Request) -> Answer:
        if request.number > 1:
            return sensible(request)
        reply = json.loads(sensible(request).text)
        return Say(text=json.dumps({**reply, "rulings": reply["rulings"][:1]}))

    result, server = _judge(first_only)
    assert len(server.calls) == 2
    assert [claim.decided_by for claim in result.claims] == ["openai:m", "openai:m", "embedded"]


@both_vendors
@pytest.mark.parametrize("finish", ["complete", "truncated"])
def test_a_ruling_that_never_comes_fails_the_answer_and_keeps_no_unsure_verdict(vendor: str, finish: str) -> None:
    def first_only(request: Request) -> Answer:
        reply = json.loads(sensible(request).text)
        return Say(text=json.dumps({**reply, "rulings": reply["rulings"][:1]}), finish=finish)

    result, server = _judge(first_only, vendor=vendor)
    assert (result.state, result.claims) == (State.FAILED, ())
    assert result.error is not None
    assert result.error.startswith(f"{vendor}:m was asked about 2 of 3 claims: ")
    assert result.raw_reply is not None
    assert result.usage.llm_calls == len(server.calls) > 1


def test_an_estimate_counts_the_answers_with_a_claim_to_send() -> None:
    async def use(judge: LlmCascade) -> list[int]:
        assert isinstance(judge, AsksModel)
        return [judge.estimate(samples).calls for samples in ([SAMPLE], [SURE_SAMPLE], [SAMPLE, SURE_SAMPLE, SAMPLE])]

    found, server = _with_cascade(sensible, use)
    assert (found, server.requests) == ([1, 0, 2], [])


def test_the_model_corrects_sentences_for_the_guard() -> None:
    async def use(judge: LlmCascade) -> str | None:
        assert isinstance(judge, SupportsRewriting)
        return (await judge.rewrite(SAMPLE, [FlawedSentence(text=UNSURE[0], wrong=())])).error

    error, server = _with_cascade(sensible, use)
    assert (error, len(server.calls)) == (None, 1)


@both_vendors
def test_batches_give_what_judging_at_once_gives(vendor: str) -> None:
    at_once = {sample.key: _judge(sensible, sample, vendor=vendor)[0] for sample in (SAMPLE, SURE_SAMPLE)}

    async def use() -> dict[str, Result]:
        async with serving(Batches()) as (_, url):
            judge = LlmCascade(EmbeddedJudge(), make_judge(vendor, url), USUAL)
            assert isinstance(judge, AsksModel)
            results = await finish(lambda: judge, [SAMPLE, SURE_SAMPLE])
            await judge.aclose()
        return results

    results = asyncio.run(use())
    assert {key: result.claims for key, result in results.items()} == {k: r.claims for k, r in at_once.items()}
