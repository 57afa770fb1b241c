"""Sentences that a model rewrites: what is taken, what is refused, and that all other words stay."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from faithview import FaithfulnessGuard
from faithview.domain.result import Usage
from faithview.domain.sample import Sample
from faithview.judges.capabilities import FlawedSentence, Writing
from tests.services.guard.scripted_answers import SentenceJudge

CONTEXT = ["Good is 7. See https://example.org/help for Anna's rules.", "Berlin is nice."]


@dataclass(slots=True)
class WritingJudge(SentenceJudge):
    """Rewrites each sentence to what `texts` says of it; a text that is missing is an error."""

    texts: dict[str, str] = field(default_factory=dict)
    asked: list[FlawedSentence] = field(default_factory=list)
    error: str | None = None
    breaks: bool = False

    async def rewrite(self, sample: Sample, sentences: Sequence[FlawedSentence]) -> Writing:
        self.asked += sentences
        usage = Usage(llm_calls=1, prompt_tokens=5, cost_usd=0.01)
        if self.breaks:
            raise ZeroDivisionError("oops")
        if self.error:
            return Writing(texts=(), usage=usage, writer="w", error=self.error)
        return Writing(texts=tuple(self.texts.get(s.text, s.text) for s in sentences), usage=usage, writer="w/rewrite")


def corrected(answer: str, judge: WritingJudge) -> tuple[str, tuple[str, ...]]:
    with FaithfulnessGuard(judge) as guard:
        correction = guard.correct(answer=answer, context=CONTEXT, question="How good is it?")
    return correction.answer, correction.notes


def test_only_unfaithful_sentences_are_rewritten_and_all_others_stay() -> None:
    answer = "# Title\n\n- Good 1.  Bad 2.\n- **Good** 3. False 4, really.\n"
    judge = WritingJudge(texts={"Bad 2.": "Good is 7.", "False 4, really.": "Good, really."})
    with FaithfulnessGuard(judge, 1.0) as guard:
        seen = guard.guard_and_correct(answer=answer, context=CONTEXT)
    assert seen.answer == "# Title\n\n- Good 1.  Good is 7.\n- **Good** 3. Good, really.\n"
    assert [sentence.text for sentence in judge.asked] == ["Bad 2.", "False 4, really."]
    assert [edit.reason for edit in seen.edits] == ["Rewritten by w/rewrite."] * 2
    assert (seen.passed, seen.usage.llm_calls, seen.usage.prompt_tokens) == (True, 3, 25)


def test_an_empty_text_removes_the_sentence() -> None:
    assert corrected("Good 1. Bad 2. Good 3.", WritingJudge(texts={"Bad 2.": ""})) == ("Good 1. Good 3.", ())


@pytest.mark.parametrize(
    "text",
    [
        "Good is 8.",
        "Good, says Zacharias.",
        "Good, see https://evil.example/x.",
        "Good, mail me@evil.example.",
        "Good **is** it.",
        "Good <b>is</b> it.",
        "Good [is](x).",
        "Good " + "is " * 40 + "it.",
        "Bad 2.",
    ],
)
def test_a_rewriting_that_brings_something_new_is_refused_and_its_sentence_goes(text: str) -> None:
    answer, notes = corrected("Good 1. Bad 2. Good 3.", WritingJudge(texts={"Bad 2.": text}))
    assert answer == "Good 1. Good 3."
    is_same = text == "Bad 2."
    assert len(notes) == (0 if is_same else 1)


@pytest.mark.parametrize("fault", ["error", "breaks"])
def test_where_the_model_fails_the_answer_is_corrected_without_it(fault: str) -> None:
    judge = WritingJudge(error="No reply." if fault == "error" else None, breaks=fault == "breaks")
    answer, notes = corrected("Good 1. Bad 2.", judge)
    assert answer == "Good 1."
    reason = "No reply." if fault == "error" else "ZeroDivisionError: oops"
    assert notes == (f"The model could not rewrite the answer, so it was corrected without one: {reason}",)


@pytest.mark.parametrize(
    "text", ["Good is 5.", "Good is 7.", "Good is seven.", "Good is Anna's.", "Good, see https://example.org/help."]
)
def test_a_rewriting_may_use_what_the_sentence_and_the_chunks_have(text: str) -> None:
    answer, notes = corrected("Good 1. Bad 5.", WritingJudge(texts={"Bad 5.": text}))
    assert (answer, notes) == (f"Good 1. {text}", ())


def test_where_the_rewritten_answer_is_no_better_the_sentence_goes() -> None:
    with FaithfulnessGuard(WritingJudge(texts={"Bad 2.": "False it is."})) as guard:
        seen = guard.guard_and_correct(answer="Good 1. Bad 2.", context=CONTEXT)
    assert (seen.answer, seen.passed) == ("Good 1.", True)


def test_a_rewriting_fits_into_the_place_of_its_sentence() -> None:
    judge = WritingJudge(texts={"Bad 2.": " Good\nis it. "})
    assert corrected("Good 1. Bad 2. Good 3.", judge)[0] == "Good 1. Good is it. Good 3."
