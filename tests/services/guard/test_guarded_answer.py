"""Answers that do not pass are corrected, judged again, and never come back worse."""

import asyncio
import random
from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faithview import FaithfulnessGuard, GuardBlocked, GuardedAnswer
from faithview.domain.claim import Verdict
from faithview.domain.result import Result, State
from faithview.domain.sample import Sample
from faithview.services.guard.check import GuardCheck
from faithview.services.guard.correction import apply_edits, correct_answer
from faithview.services.guard.guard import rank_of
from tests.services.guard.scripted_answers import SentenceJudge
from tests.services.guard.test_rewriting import WritingJudge

CONTEXT = ["An invitation is valid for 7 days.", "Owners can invite people.", "Export covers the last 30 days."]


def guarded(answer: str, judge: SentenceJudge | None = None, *, threshold: float = 0.8) -> GuardedAnswer:
    with FaithfulnessGuard(judge or SentenceJudge(), threshold) as guard:
        return guard.guard_and_correct(answer=answer, context=CONTEXT)


def test_a_wrong_value_is_put_right_and_the_answer_passes() -> None:
    answer = "An invitation is valid for 14 days. Owners can invite people."
    with FaithfulnessGuard() as guard:
        seen = guard.guard_and_correct(answer=answer, context=CONTEXT, question="How long is an invitation valid?")
        correction = guard.correct(answer=answer, context=CONTEXT)
        sent = guard.enforce(answer=answer, context=CONTEXT)
        assert asyncio.run(guard.aenforce(answer=answer, context=CONTEXT)) == sent
        assert asyncio.run(guard.acorrect(answer=answer, context=CONTEXT)).answer == sent
    assert seen.answer == correction.answer == sent == "An invitation is valid for 7 days. Owners can invite people."
    assert (seen.changed, seen.passed, seen.before.passed, seen.after.passed) == (True, True, False, True)
    (edit,) = seen.edits
    assert (answer[edit.start : edit.end], edit.replacement, edit.claim_numbers) == ("14 days", "7 days", (1,))
    assert edit.reason == "Chunk 1 says “7 days”."


def test_an_answer_that_passes_comes_back_as_it_is_and_is_judged_once() -> None:
    judge = SentenceJudge()
    seen = guarded("Good 1. Good 2. Good 3. Good 4. Part 5.", judge)
    assert (seen.changed, seen.passed, len(seen.before.issues), len(judge.seen)) == (False, True, 1, 1)
    assert seen.after is seen.before


def test_with_a_threshold_of_one_every_issue_is_corrected() -> None:
    assert guarded("Good 1. Good 2. Good 3. Good 4. Bad 5.", threshold=1.0).answer == "Good 1. Good 2. Good 3. Good 4."


def test_usage_is_that_of_all_calls() -> None:
    seen = guarded("Good 1. False 2.")
    assert (seen.answer, seen.usage.llm_calls, seen.usage.prompt_tokens) == ("Good 1.", 2, 20)
    assert seen.usage.cost_usd == pytest.approx(0.02)


def test_a_second_correction_follows_where_the_second_judgement_finds_more() -> None:
    class Finds(SentenceJudge):
        """Finds no support for "Good 2." once "False 1." is gone."""

        async def judge(self, sample):  # type: ignore[no-untyped-def]  # a judge of a test, as users write it
            if "False" in sample.answer:
                return await super().judge(sample)
            text = sample.answer.replace("Good 2.", "Bad  2.")
            return await super().judge(type(sample).of(text, sample.chunks))

    answer = "False 1. Good 2. Good 3. Good 4."
    seen = guarded(answer, Finds())
    assert (seen.answer, seen.passed) == ("Good 3. Good 4.", True)
    assert apply_edits(answer, seen.edits) == seen.answer
    assert [edit.claim_numbers for edit in seen.edits] == [(1,), ()]


@pytest.mark.parametrize("answer", ["False 1.", "Bad 1. Bad 2.", "Hello! Bad 1."])
def test_where_nothing_is_supported_the_answer_is_blocked_and_not_emptied(answer: str) -> None:
    seen = guarded(answer)
    assert (seen.answer, seen.changed, seen.passed) == (answer, False, False)
    assert seen.notes == ("Nothing in this answer is supported, so there is nothing to keep.",)
    with FaithfulnessGuard(SentenceJudge()) as guard, pytest.raises(GuardBlocked) as blocked:
        guard.enforce(answer=answer, context=CONTEXT)
    assert isinstance(blocked.value.check, GuardedAnswer)
    assert blocked.value.result is blocked.value.check.before.result


def test_a_corrected_answer_that_cannot_be_judged_is_thrown_away() -> None:
    seen = guarded("Good 1. Bad 2.", SentenceJudge(fails_from=2))
    assert (seen.answer, seen.changed, seen.passed) == ("Good 1. Bad 2.", False, False)
    assert seen.notes == ("The corrected answer was discarded. It could not be judged: The model gave no JSON.",)


def test_a_corrected_answer_that_is_no_better_is_thrown_away() -> None:
    class Stubborn(SentenceJudge):
        async def judge(self, sample):  # type: ignore[no-untyped-def]  # a judge of a test, as users write it
            result = await super().judge(sample)
            if len(self.seen) == 1:
                return result
            return await super().judge(type(sample).of(sample.answer.replace("Good", "False"), sample.chunks))

    seen = guarded("Good 1. Bad 2.", Stubborn())
    assert (seen.answer, seen.changed, seen.edits) == ("Good 1. Bad 2.", False, ())
    assert seen.notes[-1].startswith("The corrected answer was discarded because it is no better: faithfulness 0.00")


@dataclass(slots=True)
class MoodyJudge(SentenceJudge):
    """Finds the same sentences each time, and says something else of them."""

    seed: int = 0

    async def judge(self, sample: Sample) -> Result:
        result = await super(MoodyJudge, self).judge(sample)
        chance = random.Random(f"{self.seed} {len(self.seen)}")
        claims = tuple(replace(claim, verdict=chance.choice(list(Verdict))) for claim in result.claims)
        return replace(result, claims=claims)


_SENTENCES = st.lists(st.sampled_from(["Good 1.", "Bad 2.", "- Part 3.", "False 4.", "Hello!", "Why:"]), min_size=1)


@given(_SENTENCES, st.sampled_from([" ", "\n", "\n\n"]), st.integers(0, 1_000), st.floats(0, 1))
def test_no_answer_comes_back_worse(sentences: list[str], between: str, seed: int, threshold: float) -> None:
    answer = between.join(sentences)
    seen = guarded(answer, MoodyJudge(seed=seed), threshold=threshold)
    assert rank_of(seen.after) >= rank_of(seen.before)
    assert seen.changed is (rank_of(seen.after) > rank_of(seen.before))
    assert seen.after.answer == seen.answer == apply_edits(answer, seen.edits)


def test_an_abstention_may_be_what_is_left() -> None:
    refusal = "I cannot tell from the context what it costs."
    seen = guarded(f"{refusal} Bad 1.")
    assert (seen.answer, seen.passed, seen.after.result.state) == (refusal, True, State.ABSTAINED)


@pytest.mark.parametrize(
    ("answer", "context", "note"),
    [
        ("This is unjudgeable.", CONTEXT, "It could not be judged: The model gave no JSON."),
        ("Bad 1.\x00", CONTEXT, "It could not be judged: The answer holds a NUL character at position 6"),
        ("Hello!", CONTEXT, None),
    ],
)
def test_what_cannot_be_corrected_comes_back_with_the_reason(answer: str, context: list[str], note: str | None) -> None:
    seen = guarded(answer)
    assert (seen.answer, seen.changed, seen.passed) == (answer, False, note is None)
    assert note is None or seen.notes[0].startswith(note)
    with FaithfulnessGuard(SentenceJudge()) as guard:
        assert guard.correct(answer=answer, context=context).changed is False


def test_without_correction_enforce_only_checks() -> None:
    with FaithfulnessGuard(SentenceJudge(), fallback="Ask a person.") as guard:
        assert guard.enforce(answer="Good 1. Bad 2.", context=CONTEXT) == "Good 1."
        assert guard.enforce(answer="Good 1. Bad 2.", context=CONTEXT, correct=False) == "Ask a person."
        assert asyncio.run(guard.aenforce(answer="Good 1. Bad 2.", context=CONTEXT, correct=False)) == "Ask a person."


@pytest.mark.parametrize("judge", [SentenceJudge(), WritingJudge(texts={"Bad 2.": "Good 2."})])
def test_other_answers_are_judged_while_one_is_corrected(judge: SentenceJudge) -> None:
    order: list[str] = []

    async def corrected(check: GuardCheck) -> None:
        await correct_answer(check, Sample.of(check.answer, CONTEXT), judge)
        order.append("corrected")

    async def judged(check: GuardCheck) -> None:
        order.append(check.answer)

    async def both(check: GuardCheck) -> None:
        await asyncio.gather(corrected(check), judged(check))

    with FaithfulnessGuard(judge) as guard:
        asyncio.run(both(guard.check(answer="Good 1. Bad 2.", context=CONTEXT)))
    assert order == ["Good 1. Bad 2.", "corrected"]
