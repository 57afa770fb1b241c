"""Answers that are generated from the chunks only, judged, and tried again."""

import asyncio
import json
import threading
from collections.abc import Callable

import pytest

from faithview import (
    FaithfulnessGuard,
    GenerationFailed,
    GenerationRequest,
    agenerate_with_validation,
    generate_with_validation,
)
from faithview.domain.errors import InvalidInput, InvalidSample, JudgeUnavailable
from faithview.domain.run import JudgeSpec
from faithview.judges.base import Judge
from faithview.judges.registry import create_judge
from tests.judges.llm.server import Answer, Request, Say, Status, fenced
from tests.services.guard.scripted_answers import SentenceJudge
from tests.vendor import running

CONTEXT = ["The office opens at 9 am on weekdays.", "Parking is free for guests."]
QUESTION = "When does the office open?"


def says(*answers: str) -> Callable[[GenerationRequest], str]:
    return lambda request: answers[request.attempt - 1]


def test_a_first_answer_that_passes_is_the_only_attempt() -> None:
    made = generate_with_validation(
        question=QUESTION, context=CONTEXT, generator=says("The office opens at 9 am on weekdays.")
    )
    assert (made.answer, made.validated, made.abstained, made.best) == (made.attempts[0].answer, True, False, 0)
    (attempt,) = made.attempts
    assert (attempt.number, attempt.error, attempt.passed, made.check.score) == (1, None, True, 1.0)
    assert attempt.seconds > 0


def test_a_retry_is_told_which_claims_were_rejected_and_passes() -> None:
    requests: list[GenerationRequest] = []

    def generator(request: GenerationRequest) -> str:
        requests.append(request)
        return "Good 1. Bad 2. Part 3." if request.attempt == 1 else "Good 1."

    made = generate_with_validation(
        question=QUESTION, context=CONTEXT, generator=generator, judge=SentenceJudge(), max_retries=2
    )
    assert (made.answer, made.validated, made.best, len(made.attempts)) == ("Good 1.", True, 1, 2)
    assert [[claim.text for claim in request.rejected] for request in requests] == [[], ["Bad 2.", "Part 3."]]
    assert [request.attempt for request in requests] == [1, 2]
    assert "Bad 2." in fenced(requests[1].prompt, "rejected")
    assert made.usage.llm_calls == 2


def test_what_is_said_on_a_retry_is_never_part_of_what_an_answer_is_judged_against() -> None:
    judge = SentenceJudge()
    made = generate_with_validation(
        question=QUESTION,
        context=CONTEXT,
        judge=judge,
        max_retries=3,
        generator=lambda request: f"Bad {request.attempt}. {' '.join(claim.text for claim in request.rejected)}",
    )
    assert not made.validated
    assert len(judge.seen) == 4
    assert {tuple(chunk.text for chunk in sample.chunks) for sample in judge.seen} == {tuple(CONTEXT)}
    assert {sample.question for sample in judge.seen} == {QUESTION}


def test_a_claim_that_the_retry_repeats_is_still_not_supported() -> None:
    # With the real judge: a rejected claim must not become its own evidence.
    llama = "The director keeps four llamas in the garden."
    made = generate_with_validation(
        question="Who is the director?", context=CONTEXT, generator=says(llama, llama, llama)
    )
    assert [attempt.passed for attempt in made.attempts] == [False] * 3
    assert {attempt.check.score for attempt in made.attempts if attempt.check} == {0.0}


def test_the_best_attempt_comes_back_where_none_passes() -> None:
    answers = ("Bad 1. Bad 2.", "Good 1. Bad 2.", "False 1. Good 2. Good 3.")
    made = generate_with_validation(question=QUESTION, context=CONTEXT, generator=says(*answers), judge=SentenceJudge())
    assert (made.answer, made.validated, made.best, len(made.attempts)) == ("Good 1. Bad 2.", False, 1, 3)
    assert [attempt.check.score for attempt in made.attempts if attempt.check] == [0.0, 0.5, pytest.approx(2 / 3)]


def test_an_attempt_that_could_not_be_judged_is_never_the_best_beside_judged_ones() -> None:
    answers = ("False 1. Good 2. Good 3.", "It is unjudgeable.", "False 1. Good 2.")
    made = generate_with_validation(question=QUESTION, context=CONTEXT, generator=says(*answers), judge=SentenceJudge())
    assert (made.answer, made.best) == (answers[0], 0)


def test_an_abstention_is_valid_and_says_that_it_is_one() -> None:
    made = generate_with_validation(
        question="Who is the director?",
        context=CONTEXT,
        generator=says("The context does not say who the director is."),
    )
    assert (made.validated, made.abstained) == (True, True)


def test_a_failed_call_is_an_attempt_with_an_error() -> None:
    def generator(request: GenerationRequest) -> str:
        if request.attempt == 1:
            raise ConnectionError("gone")
        return " " if request.attempt == 2 else "Good 1."

    made = generate_with_validation(question=QUESTION, context=CONTEXT, generator=generator, judge=SentenceJudge())
    assert [attempt.error for attempt in made.attempts] == ["ConnectionError: gone", "The model wrote nothing.", None]
    assert (made.answer, made.best) == ("Good 1.", 2)


def test_where_all_fail_one_error_says_so() -> None:
    with pytest.raises(
        GenerationFailed, match=r"The model gave no answer in 3 attempts. The last error: ZeroDivisionError"
    ) as failed:
        generate_with_validation(question=QUESTION, context=CONTEXT, generator=lambda _: str(1 / 0))
    assert [attempt.number for attempt in failed.value.attempts] == [1, 2, 3]


def test_an_async_generator_runs_on_the_callers_loop_with_a_guard_that_stays_open() -> None:
    async def main() -> bool:
        here = asyncio.get_running_loop()

        async def generator(_: GenerationRequest) -> str:
            assert asyncio.get_running_loop() is here
            return "Good 1."

        with FaithfulnessGuard(SentenceJudge()) as guard:
            first = await agenerate_with_validation(
                question=QUESTION, context=CONTEXT, generator=generator, judge=guard
            )
            return first.validated and guard.check(answer="Good 1.", context=CONTEXT).passed

    assert asyncio.run(main())


@pytest.mark.parametrize("vendor", ["openai", "anthropic"])
def test_a_vendors_model_writes_and_what_it_costs_is_counted(vendor: str, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = ["The office opens at 11 am.", "The office opens at 9 am on weekdays."]

    def script(request: Request) -> Answer:
        return Say(text=json.dumps({"answer": answers[request.number - 1]}))

    with running(script) as server:
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
        made = generate_with_validation(question=QUESTION, context=CONTEXT, generator=f"{vendor}:m")
    assert (made.answer, made.validated, made.best) == (answers[1], True, 1)
    assert (made.usage.llm_calls, made.usage.prompt_tokens) == (2, 2000)
    rejected = fenced(server.server.calls[1].user, "rejected")
    assert json.loads(rejected)["claim"] == "The office opens at 11 am."


def test_a_vendor_that_refuses_the_key_is_one_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    with running(lambda _: Status(code=401, message="wrong key")) as server:
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
        with pytest.raises(GenerationFailed, match=r"status 401"):
            generate_with_validation(question=QUESTION, context=CONTEXT, generator="openai:m")


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"question": " "}, InvalidInput, "question is empty"),
        ({"question": None}, InvalidInput, "question is empty"),
        ({"context": [" "]}, InvalidInput, "nothing to answer from"),
        ({"context": ["a\x00b"]}, InvalidSample, "NUL"),
        ({"max_retries": -1}, InvalidInput, "0 or more, not -1"),
        ({"generator": "embedded"}, InvalidInput, "cannot write answers"),
        ({"generator": "gpt5"}, JudgeUnavailable, "No judge named"),
        ({"judge": "gpt5"}, JudgeUnavailable, "No judge named"),
    ],
)
def test_what_cannot_be_used_is_refused(change: dict[str, object], error: type[Exception], words: str) -> None:
    arguments: dict[str, object] = {"question": QUESTION, "context": CONTEXT, "generator": says("x"), **change}
    with pytest.raises(error, match=words):
        generate_with_validation(**arguments)  # type: ignore[arg-type]  # wrong on purpose


def test_the_event_loop_goes_on_while_the_judge_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    goes_on = threading.Event()
    seen: list[bool] = []

    def build(spec: JudgeSpec) -> Judge:
        seen.append(goes_on.wait(10))
        return create_judge(spec)

    async def both() -> bool:
        made = asyncio.create_task(
            agenerate_with_validation(question=QUESTION, context=CONTEXT, generator=says(CONTEXT[0]), judge="lexical")
        )
        await asyncio.sleep(0)
        asyncio.get_running_loop().call_soon(goes_on.set)
        return (await made).validated

    monkeypatch.setattr("faithview.services.guard.guard.create_judge", build)
    assert asyncio.run(both())
    assert seen == [True]
