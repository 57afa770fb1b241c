"""Servers that speak a vendor's protocol only in part are asked in a way that they know, found out once."""

from collections import Counter

import pytest

from faithview.domain.result import State
from faithview.domain.sample import Sample
from tests.judges.llm.judging import VENDORS, judge_against
from tests.judges.llm.server import Answer, Request, Say, Status, sensible

both_vendors = pytest.mark.parametrize("vendor", VENDORS)

_SAMPLES = [Sample.of("It is so.", ["It is so."], key=str(n)) for n in range(3)]


def _knows_no_schema(request: Request) -> Answer:
    if "response_format" in request.body or "output_config" in request.body:
        return Status(code=400, message="Unsupported parameter: response_format.json_schema / output_config")
    return sensible(request)


@both_vendors
def test_a_server_without_structured_output_gets_the_schema_in_the_instructions(vendor: str) -> None:
    results, server = judge_against(_knows_no_schema, _SAMPLES, vendor=vendor, concurrency=1)
    assert [(r.state, r.usage.llm_calls) for r in results] == [(State.JUDGED, 2)] * 3, results[0].error
    assert len(server.calls) == 6 + 1  # it is found out once, and not for each answer
    last = server.calls[-1]
    assert "# The form of the reply" in last.system
    assert '"confidence"' in last.system


def test_a_server_that_knows_only_max_tokens_is_sent_that() -> None:
    def script(request: Request) -> Answer:
        if "max_completion_tokens" in request.body:
            return Status(code=400, message="Unrecognized request argument supplied: max_completion_tokens")
        return sensible(request)

    results, server = judge_against(script, _SAMPLES, concurrency=1)
    assert {r.state for r in results} == {State.JUDGED}
    assert Counter("max_tokens" in call.body for call in server.calls) == {True: 6, False: 1}


@both_vendors
def test_another_bad_request_fails_the_row_with_what_the_server_said(vendor: str) -> None:
    (result,), server = judge_against(
        lambda _: Status(code=400, message="This model's maximum context length is 8192 tokens."),
        _SAMPLES[:1],
        vendor=vendor,
    )
    assert result.state is State.FAILED
    assert "maximum context length is 8192" in (result.error or "")
    assert len(server.calls) == 2  # with a schema, and with the form in the prompt


@both_vendors
def test_no_sampling_parameter_is_sent(vendor: str) -> None:
    _, server = judge_against(sensible, _SAMPLES[:1], vendor=vendor)
    sent = {name for call in server.calls for name in call.body}
    assert not sent & {"temperature", "top_p", "top_k", "seed"}


def test_anthropic_may_cache_what_is_sent_again() -> None:
    _, server = judge_against(sensible, _SAMPLES[:1], vendor="anthropic", method="per-claim")
    extract, verify = (call.body for call in server.calls)
    mark = {"type": "ephemeral"}
    assert extract["system"][0]["cache_control"] == verify["system"][0]["cache_control"] == mark
    chunks, task = verify["messages"][0]["content"]
    assert chunks["cache_control"] == mark  # the next claim is asked about the same chunks
    assert "cache_control" not in task
    _, server = judge_against(sensible, _SAMPLES[:1], vendor="anthropic", method="claims")
    assert "cache_control" not in str(server.calls[1].body["messages"])  # writing to a cache costs, and nobody reads it


def test_a_reply_cut_off_twice_at_the_longest_is_a_failed_row_and_not_a_refused_request() -> None:
    cut = Say(text="{", finish="truncated")
    (result,), server = judge_against(lambda _: cut, _SAMPLES[:1], vendor="anthropic", timeout_s=600)
    assert [call.body["max_tokens"] for call in server.calls] == [16_000, 32_000]
    assert "cut off" in (result.error or "")
