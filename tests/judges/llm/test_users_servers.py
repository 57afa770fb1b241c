"""Ollama, vLLM, LM Studio, llama.cpp, Azure and gateways as users set them up, and what a wrong setting costs."""

from collections.abc import Callable
from typing import Any

import pytest

from faithview.domain.result import Result, State
from faithview.domain.sample import Sample
from tests.judges.llm import users_servers
from tests.judges.llm.judging import KEY, VENDORS, judge_against
from tests.judges.llm.server import Answer, Drop, Request, Server, Status, sensible
from tests.judges.llm.users_servers import LlamaCpp, Ollama, has_form

_SAMPLES = [Sample.of(f"Fact number {n} holds.", [f"Fact number {n} holds."], key=str(n)) for n in range(100)]


def _judge(script: Callable[[Request], Answer], count: int, vendor: str = "openai") -> tuple[list[Result], Server]:
    return judge_against(script, _SAMPLES[:count], vendor=vendor, method="single")


# How many calls ten answers take, those that find out what the server knows included.
@pytest.mark.parametrize(
    ("script", "calls"),
    [
        (users_servers.ollama, 10),
        (users_servers.vllm_with_a_short_context, 12),
        (users_servers.lm_studio, 11),
        (users_servers.llama_cpp, 17),  # the SDK repeats a call with status 500
        (users_servers.reasoning_model, 10),
        (users_servers.azure_with_an_old_model, 11),
        (users_servers.reasons_up_to_the_limit, 20),
    ],
)
def test_a_server_as_users_set_it_up_judges_every_answer(script: Callable[[Request], Answer], calls: int) -> None:
    results, server = _judge(script, 10)
    assert [result.state for result in results] == [State.JUDGED] * 10, results[0].error
    assert len(server.calls) == calls


def test_a_server_that_does_not_heed_schemas_gets_the_form_in_words() -> None:
    results, server = judge_against(
        users_servers.takes_schemas_and_does_not_heed_them, _SAMPLES[:10], method="single", concurrency=1
    )
    assert [result.state for result in results] == [State.JUDGED] * 10, results[0].error
    assert sum(not users_servers.has_form(call) for call in server.calls) == 1
    assert len(server.calls) == 11


def test_a_text_that_a_filter_refuses_fails_with_what_it_said() -> None:
    (result,), _ = _judge(users_servers.azure_with_a_filter, 1)
    assert result.state is State.FAILED
    assert "content management policy" in (result.error or "")


def test_a_refusal_is_asked_for_once_more_and_told() -> None:
    (result,), server = _judge(users_servers.refuses, 1)
    assert result.state is State.FAILED
    assert "refused" in (result.error or "")
    assert len(server.calls) == 2


@pytest.mark.parametrize("vendor", VENDORS)
@pytest.mark.parametrize(
    ("script", "told"),
    [
        (users_servers.wrong_key, "status 401: Incorrect API key provided. Check the key."),
        (users_servers.no_credit, "Insufficient credits"),
        (users_servers.ollama_without_the_model, "Check the model's name and the address."),
        (users_servers.azure_without_the_deployment, "Check the model's name and the address."),
        (users_servers.gateway_without_the_model, "m is not a valid model ID"),
    ],
)
def test_a_wrong_key_or_model_stops_after_the_first_call(
    vendor: str, script: Callable[[Request], Answer], told: str
) -> None:
    results, server = _judge(script, 100, vendor=vendor)
    assert len(server.calls) == 1
    assert {result.state for result in results} == {State.FAILED}
    assert len({result.error for result in results}) == 1
    assert told in (results[0].error or "")
    assert KEY not in (results[0].error or "")


def test_a_wrong_address_stops_after_the_attempts_of_one_call() -> None:
    results, server = _judge(lambda _: Drop(), 100)
    assert len(server.calls) == 7
    assert {result.state for result in results} == {State.FAILED}


def test_one_text_that_a_firewall_refuses_costs_one_answer_and_not_the_run() -> None:
    def script(request: Request) -> Answer:
        return Status(code=403, message="Blocked.") if "number 7 " in request.user else sensible(request)

    results, _ = _judge(script, 20)
    assert [result.state is State.FAILED for result in results] == [n == 7 for n in range(20)]


# 24,000 characters: 6,000 tokens of the stand-ins.
_LONG = "The depot in Ghent keeps every spare part for eleven years. " * 400
_ASKED: dict[str, Any] = {"method": "claims", "concurrency": 1}


def _ask(script: Callable[[Request], Answer], answer: str, chunk: str, **options: str) -> tuple[Result, Server]:
    (result,), server = judge_against(script, [Sample.of(answer, [chunk])], **{**_ASKED, **options})
    return result, server


def test_ollama_judges_with_a_schema_and_is_told_not_to_think() -> None:
    result, server = _ask(
        Ollama(models=("m:latest",)), "It costs 5 euros.", "It costs 6 euros.", reasoning="none", examples="on"
    )
    assert [claim.verdict.value for claim in result.claims] == ["contradicted"], result.error
    assert result.warnings == ()
    assert [call.body["response_format"]["type"] for call in server.calls] == ["json_schema"] * 2
    assert {call.body["reasoning_effort"] for call in server.calls} == {"none"}


def test_a_prompt_that_ollama_cuts_off_is_told_and_passes_no_guard() -> None:
    result, _ = _ask(Ollama(models=("m",)), "It costs 5 euros.", f"It costs 6 euros. {_LONG}")
    assert [claim.verdict.value for claim in result.claims] == ["supported"]  # wrong, and it looks like any other
    assert result.is_cut
    assert [warning for warning in result.warnings if "2,048 tokens" in warning and "a longer context" in warning]
    longer, _ = _ask(Ollama(models=("m",), context=16_384), "It costs 5 euros.", f"It costs 6 euros. {_LONG}")
    assert [claim.verdict.value for claim in longer.claims] == ["contradicted"]
    assert (longer.is_cut, longer.warnings) == (False, ())


@pytest.mark.parametrize(
    ("script", "told"),
    [
        (Ollama(models=("m",), shifts=False), "the prompt is longer than the context length"),
        (LlamaCpp(name="m"), "exceeds the available context size (4096 tokens)"),
    ],
)
def test_a_prompt_that_is_refused_fails_its_answer_alone(script: Callable[[Request], Answer], told: str) -> None:
    samples = [Sample.of("It is so.", [chunk], key=str(n)) for n, chunk in enumerate(("It is so.", _LONG, "It is so."))]
    results, _ = judge_against(script, samples, **_ASKED)
    assert [result.state for result in results] == [State.JUDGED, State.FAILED, State.JUDGED]
    assert told in (results[1].error or "")


@pytest.mark.parametrize(
    "said",
    [
        "Failed to initialize samplers: failed to parse grammar",
        "Failed to initialize samplers: std::exception",
        "JSON schema conversion failed: Unrecognized schema",
    ],
)
def test_a_grammar_that_llama_cpp_cannot_make_is_told_in_the_prompt(said: str) -> None:
    result, server = _ask(LlamaCpp(name="m", grammar_error=said), "It costs 5 euros.", "It costs 6 euros.")
    assert [claim.verdict.value for claim in result.claims] == ["contradicted"], result.error
    assert ["response_format" in call.body for call in server.calls] == [True, False, False]
    assert has_form(server.calls[-1])


def test_llama_cpp_is_waited_for_while_it_loads_the_model() -> None:
    result, server = _ask(LlamaCpp(name="m", loads=2), "It costs 6 euros.", "It costs 6 euros.")
    assert [claim.verdict.value for claim in result.claims] == ["supported"], result.error
    assert len(server.calls) == 4
