"""What goes wrong between here and a model, over real HTTP and through the real SDKs."""

import asyncio
import json
from collections import Counter

import pytest

from faithview.domain.result import Result, State
from faithview.domain.sample import Sample
from faithview.judges.llm.judge import LlmJudge
from tests.judges.llm.faults import Faults
from tests.judges.llm.judging import KEY, VENDORS, judge_against, with_judge
from tests.judges.llm.server import Answer, Drop, Hang, Raw, Request, Say, Script, Status, sensible

both_vendors = pytest.mark.parametrize("vendor", VENDORS)

_SAMPLE = Sample.of("Paris is the capital.", ["Paris is the capital of France."], question="Which?", key="1")


def _samples(count: int) -> list[Sample]:
    return [Sample.of(f"Fact number {n} holds.", [f"Fact number {n} holds."], key=str(n)) for n in range(count)]


def _first_then_sensible(*faults: Answer) -> Script:
    """The first requests meet these faults, all later ones get a sensible reply."""
    left = list(faults)

    def script(request: Request) -> Answer:
        return left.pop(0) if left else sensible(request)

    return script


@both_vendors
@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(Status(code=429, headers={"retry-after": "0.05"}), id="429 with Retry-After"),
        pytest.param(Status(code=429, headers={"retry-after-ms": "50"}), id="429 with retry-after-ms"),
        pytest.param(Status(code=429), id="429 without Retry-After"),
        pytest.param(Status(code=500), id="500"),
        pytest.param(Status(code=503), id="503"),
        pytest.param(Status(code=529), id="529 overloaded"),
        pytest.param(Drop(), id="dropped connection"),
        pytest.param(
            Raw(content=b'{"id": "c-1", "choices": []}' * 50, cut=100), id="body cut off by a lost connection"
        ),
    ],
)
def test_a_passing_trouble_is_tried_again_and_not_counted_as_a_call(vendor: str, fault: Answer) -> None:
    (result,), server = judge_against(_first_then_sensible(fault, fault), [_SAMPLE], vendor=vendor, method="single")
    assert result.state is State.JUDGED, result.error
    assert len(server.calls) == 3
    assert result.usage.llm_calls == 1


@both_vendors
def test_a_reply_that_does_not_come_in_time_is_asked_for_again(vendor: str) -> None:
    (result,), server = judge_against(
        _first_then_sensible(Hang()), [_SAMPLE], vendor=vendor, method="single", timeout_s=0.5
    )
    assert result.state is State.JUDGED, result.error
    assert len(server.calls) == 2


_BAD_REPLIES = {
    "cut-off JSON": (Say(text='{"claims": [{"text": "Paris is the'), "Invalid JSON"),
    "prose": (Say(text="I think it is fine."), "no JSON object"),
    "a web page": (Raw(content=b"<html>bad gateway</html>", content_type="text/html"), "no JSON object"),
    "half of a body": (Raw(content=b'{"id": "c-1", "choi', content_type="application/json"), "Invalid JSON"),
    "empty": (Say(text=""), "the reply was empty"),
    "another shape": (Say(text='{"verdict": "supported"}'), "no JSON object with `claims`"),
    "truncated by the token limit": (
        Say(text=json.dumps({"claims": [], "abstained": False}), finish="truncated"),
        "cut off",
    ),
    "refused": (Say(text="I cannot help with that.", finish="refused"), "refused"),
}


@both_vendors
@pytest.mark.parametrize("name", _BAD_REPLIES)
def test_a_bad_reply_is_repaired_once_with_what_was_wrong_with_it(vendor: str, name: str) -> None:
    bad, told = _BAD_REPLIES[name]
    (result,), server = judge_against(_first_then_sensible(bad), [_SAMPLE], vendor=vendor, method="single")
    assert result.state is State.JUDGED, result.error
    assert result.usage.llm_calls == len(server.calls) == 2
    first, second = server.calls
    assert "could not be used" not in first.user
    assert "# Your earlier reply could not be used" in second.user
    assert told in second.user


@both_vendors
@pytest.mark.parametrize("name", _BAD_REPLIES)
def test_a_reply_that_stays_bad_fails_the_row_with_the_reply_kept(vendor: str, name: str) -> None:
    bad, told = _BAD_REPLIES[name]
    (result,), server = judge_against(lambda _: bad, [_SAMPLE], vendor=vendor, method="single")
    assert result.state is State.FAILED
    assert result.claims == ()
    assert result.faithfulness is None
    assert told in (result.error or "")
    assert result.raw_reply == (bad.text if isinstance(bad, Say) else bad.content.decode())
    # What failed is paid for too. A model that refuses, or does not come to an end, twice is not asked a third time.
    assert (
        result.usage.llm_calls == len(server.calls) == (2 if isinstance(bad, Say) and bad.finish != "complete" else 4)
    )


@both_vendors
def test_a_question_whose_repair_was_broken_too_is_asked_once_more(vendor: str) -> None:
    broken = Say(text='{"claims": [{"text": "Paris is the')
    (result,), _ = judge_against(
        _first_then_sensible(broken, broken, broken), [_SAMPLE], vendor=vendor, method="single"
    )
    assert result.state is State.JUDGED, result.error
    assert result.usage.llm_calls == 4


def _is_repair(request: Request) -> bool:
    return "# Your earlier reply could not be used" in request.user


_TRANSPORT_FAULTS: dict[str, Answer] = {
    "429": Status(code=429, headers={"retry-after-ms": "10"}),
    "500": Status(code=500),
    "dropped": Drop(),
    "cut off": Raw(content=b'{"id": "c-1", "choices": []}' * 50, cut=100),
}


@both_vendors
@pytest.mark.parametrize("name", _TRANSPORT_FAULTS)
def test_a_fault_on_the_way_does_not_use_up_the_repair(vendor: str, name: str) -> None:
    bad, fault = Say(text="I think it is fine."), _TRANSPORT_FAULTS[name]
    (result,), server = judge_against(
        _first_then_sensible(bad, fault, fault, fault), [_SAMPLE], vendor=vendor, method="single"
    )
    assert result.state is State.JUDGED, result.error
    assert [_is_repair(call) for call in server.calls] == [False, True, True, True, True]
    assert result.usage.llm_calls == 2


def test_a_reply_cut_off_by_the_token_limit_gets_twice_the_room() -> None:
    cut = Say(text="{", finish="truncated")
    _, server = judge_against(_first_then_sensible(cut), [_SAMPLE], method="single", max_tokens="500")
    assert [call.body["max_completion_tokens"] for call in server.calls] == [500, 1000]


@pytest.mark.parametrize("around", ["```json\n{}\n```", "Here: {}", "<think>Let me see.</think>\n{}"])
def test_a_reply_with_text_around_it_takes_no_second_call_and_says_so(around: str) -> None:
    (result,), server = judge_against(
        lambda r: Say(text=around.replace("{}", sensible(r).text)), [_SAMPLE], method="single"
    )
    assert (result.state, len(server.calls)) == (State.JUDGED, 1)
    assert result.warnings == ("Repaired: a reply was not exactly in the requested form.",)


@both_vendors
@pytest.mark.parametrize("seed", [7, 8])
def test_every_row_is_judged_though_one_call_in_five_goes_wrong(vendor: str, seed: int) -> None:
    faults = Faults(seed)
    results, server = judge_against(faults, _samples(100), vendor=vendor, latency_s=0.005, timeout_s=3.0)
    assert Counter(result.error for result in results) == {None: 100}
    assert {result.faithfulness for result in results} == {1.0}  # as without faults
    assert [result.claims[0].text for result in results] == [f"Fact number {n} holds." for n in range(100)]
    assert min(faults.met.values()) >= 3, faults.met
    assert sum(r.usage.llm_calls for r in results) == 200 + faults.met["malformed"]
    assert len(server.calls) == 200 + faults.met.total()


@both_vendors
def test_a_row_that_can_never_be_parsed_is_the_only_one_that_fails(vendor: str) -> None:
    def script(request: Request) -> Answer:
        return Say(text='{"claims": [') if "Fact number 42 holds" in request.user else sensible(request)

    results, _ = judge_against(script, _samples(100), vendor=vendor)
    assert [n for n, result in enumerate(results) if result.state is not State.JUDGED] == [42]
    assert results[42].raw_reply == '{"claims": ['


@both_vendors
def test_a_rate_limit_holds_back_every_call_and_not_only_the_one_that_met_it(vendor: str) -> None:
    limited = {"until": 0.0}

    def script(request: Request) -> Answer:
        if not limited["until"]:
            limited["until"] = request.at + 0.5
            return Status(code=429, headers={"retry-after": "0.5"})
        return sensible(request)

    _, server = judge_against(script, _samples(40), vendor=vendor, method="single", concurrency=4, latency_s=0.01)
    early = [call for call in server.calls if call.at < limited["until"] - 0.05]
    assert len(early) <= 4  # those that were on their way already
    assert len(server.calls) == 41


@both_vendors
def test_not_more_calls_are_under_way_than_asked_for(vendor: str) -> None:
    _, server = judge_against(sensible, _samples(30), vendor=vendor, method="single", concurrency=5, latency_s=0.02)
    assert server.busiest == 5
    assert server.connections <= 5  # connections are kept and used again


@both_vendors
def test_a_wrong_key_fails_every_row_after_one_call_and_is_not_shown(vendor: str) -> None:
    refusal = Status(code=401, message=f"Incorrect API key provided: {KEY}. Bearer {KEY}")

    async def use(judge: LlmJudge) -> list[Result]:
        return [await judge.judge(sample) for sample in _samples(5)]

    results, server = with_judge(lambda _: refusal, use, vendor=vendor)
    assert [result.state for result in results] == [State.FAILED] * 5
    assert len(server.calls) == 1
    assert "status 401" in (results[0].error or "")
    assert all(KEY not in repr(result) for result in results)


def test_a_used_up_quota_stops_the_run() -> None:
    refusal = Status(code=429, message="You exceeded your current quota.", error_code="insufficient_quota")
    results, server = judge_against(lambda _: refusal, _samples(5))
    assert {result.state for result in results} == {State.FAILED}
    assert "exceeded your current quota" in (results[0].error or "")
    assert len(server.calls) == 7  # the attempts of one call


@both_vendors
def test_a_vendor_that_asks_to_wait_for_an_hour_is_given_up(vendor: str) -> None:
    (result,), server = judge_against(
        lambda _: Status(code=429, headers={"retry-after": "3600"}), [_SAMPLE], vendor=vendor
    )
    assert result.state is State.FAILED
    assert "status 429" in (result.error or "")
    assert len(server.calls) == 1


@both_vendors
def test_a_server_that_stays_down_fails_the_row_and_says_which(vendor: str) -> None:
    (result,), _ = judge_against(lambda _: Drop(), [_SAMPLE], vendor=vendor)
    assert result.state is State.FAILED
    assert "could not be reached" in (result.error or "")
    assert "127.0.0.1" in (result.error or "")


@both_vendors
def test_cancelling_a_judgement_ends_it_at_once(vendor: str) -> None:
    async def use(judge: LlmJudge) -> None:
        task = asyncio.create_task(judge.judge(_SAMPLE))
        await asyncio.sleep(0.2)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(task, 2)

    with_judge(lambda _: Hang(), use, vendor=vendor)
