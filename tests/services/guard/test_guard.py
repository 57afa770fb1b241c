"""Answers are checked before they are sent: what passes, what is blocked, and why."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import faithview
from faithview import Chunk, FaithfulnessGuard, GuardBlocked, Result, Sample, Verdict
from faithview.domain.errors import InvalidInput, JudgeUnavailable
from faithview.domain.result import State
from faithview.domain.sample import Context
from faithview.judges.base import Judge
from faithview.judges.capabilities import SupportsThreads
from faithview.judges.embedded.judge import EmbeddedJudge
from faithview.judges.lexical.judge import LexicalJudge
from faithview.wording.guard import sent_finding
from tests.services.scripted import ScriptedJudge

CONTEXT = ["The office opens at 9 am on weekdays.", "Parking is free for guests."]
GOOD = "Parking is free for guests."
BAD = "The office opens at 11 am on weekdays. Parking is free for guests."


@pytest.fixture(scope="module")
def guard() -> FaithfulnessGuard:
    return FaithfulnessGuard()


def test_a_supported_answer_passes(guard: FaithfulnessGuard) -> None:
    check = guard.check(answer=GOOD, context=CONTEXT, question="What does parking cost?")
    assert (check.passed, check.score, check.issues, check.reason) == (True, 1.0, (), "")
    assert check.highlighted == GOOD
    assert check.result.state is State.JUDGED


def test_a_contradicted_claim_is_marked_numbered_and_given_as_the_reason(guard: FaithfulnessGuard) -> None:
    check = guard.check(answer=BAD, context=CONTEXT)
    (issue,) = check.issues
    assert (check.passed, check.score, issue.number) == (False, 0.5, 1)
    assert issue.claim.verdict is Verdict.CONTRADICTED
    assert [span.of(BAD) for span in issue.spans] == ["The office opens at 11 am on weekdays."]
    assert check.highlighted == (
        '<mark data-verdict="contradicted" data-claims="1" title="Claim 1: contradicted">'
        "The office opens at 11 am on weekdays.</mark> Parking is free for guests."
    )
    assert check.reason == (
        "1 of 2 claims is supported (0.50), below the threshold of 0.80. The chunks contradict 1 claim."
    )


def test_an_answer_may_pass_with_issues() -> None:
    with FaithfulnessGuard(threshold=0.5) as lax:
        check = lax.check(answer=f"{GOOD} The office opens at 9 am on weekdays, after a meeting.", context=CONTEXT)
        invented = lax.check(answer=f"{GOOD} The director keeps four llamas.", context=CONTEXT)
    assert (check.passed, len(check.issues)) == (True, 1)
    assert (invented.passed, invented.score) == (False, 0.5)
    assert invented.reason == ("1 of 2 claims is not supported (faithfulness 0.50). The chunks do not mention 1 claim.")


@pytest.mark.parametrize("answer", ["I cannot tell from the context.", "Hello!", ""])
def test_an_answer_that_states_nothing_passes(guard: FaithfulnessGuard, answer: str) -> None:
    check = guard.check(answer=answer, context=CONTEXT, question="Who is the director?")
    assert (check.passed, check.score) == (True, 1.0)
    assert check.result.no_claims


@pytest.mark.parametrize("answer", ["No.", "No, it does not.", "Never."])
def test_a_wrong_no_does_not_pass(guard: FaithfulnessGuard, answer: str) -> None:
    question = "Does the office open at 9 am on weekdays?"
    check = guard.check(answer=answer, context=CONTEXT, question=question)
    assert (check.passed, check.score) == (False, 0.0)
    assert [issue.claim.verdict for issue in check.issues] == [Verdict.CONTRADICTED]
    assert check.highlighted.count("<mark") == 1
    assert guard.check(answer="Yes, it does.", context=CONTEXT, question=question).passed


@pytest.mark.parametrize("context", [[], ["  "]], ids=["none", "blank"])
def test_without_context_nothing_passes(guard: FaithfulnessGuard, context: list[str]) -> None:
    check = guard.check(answer=GOOD, context=context)
    assert (check.passed, check.score) == (False, None)
    assert check.reason == "No chunk with text was retrieved for this answer: nothing to check it against."


def test_an_answer_that_cannot_be_judged_does_not_pass() -> None:
    with FaithfulnessGuard(ScriptedJudge()) as guard:
        failed, broken = (guard.check(answer=answer, context=CONTEXT) for answer in ("fail", "bug"))
    assert (failed.passed, failed.score) == (False, None)
    assert failed.reason.startswith("It could not be judged: The model gave no JSON")
    assert "ZeroDivisionError" in broken.reason


@pytest.mark.parametrize("judge", ["lexical", "embedded"])
@pytest.mark.parametrize("beginning", [GOOD, "Hello!"])
def test_an_answer_whose_end_was_not_looked_at_does_not_pass(judge: str, beginning: str) -> None:
    with FaithfulnessGuard(judge) as guard:
        check = guard.check(answer=f"{beginning}{' ' * 100_000}Parking costs 900 euros.", context=CONTEXT)
    assert (check.passed, check.issues) == (False, ())
    assert check.reason == "The judge did not read all of this answer and its chunks; shorten them."
    finding = sent_finding(check.result, check.result, passed=False, changed=False)
    assert finding.endswith("**Blocked:** the judge did not read all of the answer and its chunks.")


def test_a_text_that_no_store_can_hold_does_not_pass(guard: FaithfulnessGuard) -> None:
    check = guard.check(answer="Parking\x00 is free \ud83d.", context=CONTEXT)
    assert not check.passed
    assert "NUL character at position 7" in check.reason
    assert check.highlighted == "Parking\ufffd is free \ufffd."


def test_enforce_returns_the_answer_the_fallback_or_raises_with_the_result(guard: FaithfulnessGuard) -> None:
    assert guard.enforce(answer=GOOD, context=CONTEXT) == GOOD
    with pytest.raises(GuardBlocked, match="1 of 2 claims is supported") as blocked:
        guard.enforce(answer=BAD, context=CONTEXT, correct=False)
    assert blocked.value.result.verdicts == (Verdict.CONTRADICTED, Verdict.SUPPORTED)
    with FaithfulnessGuard(fallback="Please ask a person.") as with_fallback:
        assert with_fallback.enforce(answer=BAD, context=CONTEXT, correct=False) == "Please ask a person."
        sent = asyncio.run(with_fallback.aenforce(answer=BAD, context=CONTEXT, correct=False))
        assert sent == "Please ask a person."


def test_a_context_is_one_string_a_chunk_or_several(guard: FaithfulnessGuard) -> None:
    contexts: tuple[Context, ...] = (
        CONTEXT[1],
        Chunk(text=CONTEXT[1], chunk_id="kb-1"),
        [Chunk(text=CONTEXT[1]), CONTEXT[0]],
    )
    assert [guard.check(answer=GOOD, context=context).passed for context in contexts] == [True] * 3


def test_a_generator_is_a_context_for_every_judgement_of_a_call(guard: FaithfulnessGuard) -> None:
    seen = guard.guard_and_correct(answer=BAD, context=(text for text in CONTEXT))
    assert (seen.passed, seen.changed) == (True, True)


def test_a_context_of_another_type_does_not_pass_and_is_named(guard: FaithfulnessGuard) -> None:
    check = guard.check(answer=GOOD, context={"words": GOOD})
    assert not check.passed
    assert "a mapping with `text` (or `content`, or `page_content`); it has only 'words'." in check.reason


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"answer": None}, "answer must be a string, not None"),
        ({"answer": GOOD, "question": 5}, "question must be a string, not int"),
    ],
)
def test_what_is_no_text_is_refused_by_name(guard: FaithfulnessGuard, asked: dict[str, Any], words: str) -> None:
    for call in (guard.check, guard.correct, guard.guard_and_correct, guard.enforce):
        with pytest.raises(InvalidInput, match=words):
            call(**{"context": CONTEXT, **asked})
    with pytest.raises(InvalidInput, match=words):
        asyncio.run(guard.acheck(**{"context": CONTEXT, **asked}))


def test_one_guard_serves_threads_and_loops_at_once() -> None:
    judge = ScriptedJudge(delay=0.05)
    answers = [f"{'x' * number}." for number in range(12)]

    async def on_a_loop(guard: FaithfulnessGuard) -> list[int]:
        checks = await asyncio.gather(*(guard.acheck(answer=answer, context=CONTEXT) for answer in answers))
        return [len(check.answer) for check in checks]

    with FaithfulnessGuard(judge) as guard, ThreadPoolExecutor(12) as pool:
        in_threads = pool.map(lambda answer: guard.check(answer=answer, context=CONTEXT), answers)
        assert asyncio.run(on_a_loop(guard)) == list(range(1, 13))
        assert [check.answer for check in in_threads] == answers
    assert judge.most_at_once >= 12
    assert judge.closed == 1


class _ComputingJudge(ScriptedJudge):
    """Computes as the rules do, and stays with one answer until it is let go."""

    def __init__(self, stays_with: str) -> None:
        super().__init__()
        self.has_begun, self.may_end = threading.Event(), threading.Event()
        self._stays_with = stays_with

    def judge_now(self, sample: Sample) -> Result:
        if sample.answer == self._stays_with:
            self.has_begun.set()
            assert self.may_end.wait(30)
        return LexicalJudge().judge_now(sample)


def test_an_answer_that_takes_long_keeps_no_other_waiting() -> None:
    judge = _ComputingJudge(stays_with=BAD)

    async def both(guard: FaithfulnessGuard) -> tuple[bool, bool]:
        long = asyncio.create_task(guard.acheck(answer=BAD, context=CONTEXT))
        assert await asyncio.to_thread(judge.has_begun.wait, 30)
        short = await guard.acheck(answer=GOOD, context=CONTEXT)
        judge.may_end.set()
        return (await long).passed, short.passed

    with FaithfulnessGuard(judge) as guard:
        assert asyncio.run(both(guard)) == (False, True)


@pytest.mark.parametrize("judge", [LexicalJudge(), EmbeddedJudge()])
def test_judges_that_only_compute_judge_in_threads(judge: Judge) -> None:
    assert isinstance(judge, SupportsThreads)
    samples = [Sample.of(answer, CONTEXT) for answer in (GOOD, BAD)] * 4
    with ThreadPoolExecutor(4) as pool:
        in_threads = list(pool.map(judge.judge_now, samples))
    assert in_threads == [asyncio.run(judge.judge(sample)) for sample in samples]


def test_a_wrong_threshold_or_judge_is_refused_at_once() -> None:
    with pytest.raises(InvalidInput, match="between 0 and 1, not 80"):
        FaithfulnessGuard(threshold=80)
    with pytest.raises(JudgeUnavailable, match="No judge named 'gpt5'"):
        FaithfulnessGuard("gpt5")
    with pytest.raises(InvalidInput, match="does not call a model"):
        FaithfulnessGuard(method="single")


def test_faithview_offers_the_guard_by_name() -> None:
    assert {"FaithfulnessGuard", "GuardBlocked", "GuardCheck"} <= set(dir(faithview))
