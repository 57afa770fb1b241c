"""What is put right, what is removed with an unsupported claim, and that all the rest stays as it was."""

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faithview import Correction, FaithfulnessGuard
from faithview.domain.claim import Claim, Mismatch, Verdict
from faithview.domain.sample import Chunk, Sample
from faithview.domain.spans import Occurrences
from faithview.services.guard.check import GuardCheck
from faithview.services.guard.correction import Edit, apply_edits, compose, correct_answer
from tests.factories import make_claim, make_result
from tests.services.guard.scripted_answers import SentenceJudge


def corrected(answer: str) -> Correction:
    with FaithfulnessGuard(SentenceJudge()) as guard:
        return guard.correct(answer=answer, context="A chunk.")


def judged(answer: str, *claims: Claim, chunk: str = "A chunk.") -> Correction:
    """The correction of an answer whose claims are known; the chunk has the id 1."""
    sample = Sample(answer=answer, chunks=(Chunk(text=chunk, chunk_id="1"),))
    return asyncio.run(correct_answer(GuardCheck.of(answer, make_result(*claims)), sample, SentenceJudge()))


def contradicted(answer: str, mine: str, chunk: str, theirs: str) -> Claim:
    start, there = answer.index(mine), chunk.index(theirs)
    mismatch = Mismatch(start, start + len(mine), "1", there, there + len(theirs))
    spans = (Occurrences(answer).span_at(0, len(answer)),)
    return make_claim(answer, Verdict.CONTRADICTED, spans=spans, mismatches=(mismatch,))


@pytest.mark.parametrize(
    ("answer", "mine", "theirs", "expected"),
    [
        ("It is valid for 14 days.", "14 days", "7 days", "It is valid for 7 days."),
        ("Two weeks are given to reply.", "Two weeks", "three weeks", "Three weeks are given to reply."),
        ("It costs $19 a month.", "$19", "€29", "It costs €29 a month."),
        ("It is stored in Dublin.", "Dublin", "Frankfurt am Main", "It is stored in Frankfurt am Main."),
        ("| a |\n|---|\n| 3 May 2021 |", "3 May 2021", "5 June 2022", "| a |\n|---|\n| 5 June 2022 |"),
    ],
)
def test_the_chunks_value_takes_the_place_of_a_wrong_one(answer: str, mine: str, theirs: str, expected: str) -> None:
    chunk = f"The chunk says {theirs} instead."
    correction = judged(answer, contradicted(answer, mine, chunk, theirs), chunk=chunk)
    assert correction.answer == expected
    (edit,) = correction.edits
    assert (answer[edit.start : edit.end], edit.claim_numbers) == (mine, (1,))
    assert edit.reason.startswith("Chunk 1 says")


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [("not", "This is a sentence of a chunk that says otherwise"), ("3 hours", "ages"), ("ages", "3 hours")],
)
def test_a_value_does_not_take_the_place_of_other_words(mine: str, theirs: str) -> None:
    answer = f"It does take {mine}."
    correction = judged(answer, contradicted(answer, mine, theirs, theirs), chunk=theirs)
    assert (correction.answer, correction.changed) == (answer, False)  # nothing would be left


def test_where_the_chunks_value_does_not_help_the_sentence_goes() -> None:
    answer = "The limit is 600 requests a minute per key on Team and 1,200 on Scale. Above it the status is 429."
    context = "The limit is 120 requests a minute per key on Team and 600 on Scale. Above it the status is 429."
    with FaithfulnessGuard() as guard:
        seen = guard.guard_and_correct(answer=answer, context=context)
    assert (seen.answer, seen.passed) == ("Above it the status is 429.", True)
    assert apply_edits(answer, seen.edits) == seen.answer


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Bad 1. Good 2. Good 3.", "Good 2. Good 3."),
        ("Good 1. Bad 2. Good 3.", "Good 1. Good 3."),
        ("Good 1. Good 2. Bad 3.", "Good 1. Good 2."),
        ("Good 1. Bad 2. [2]\n\nGood 3. [3]", "Good 1.\n\nGood 3. [3]"),
        ("Good 1.\n\nBad 2.\n\nGood 3.\n", "Good 1.\n\nGood 3.\n"),
        ("Good 1.\n\nBad 2.\n", "Good 1.\n"),
        ("Good 1.\r\nBad 2.\r\nGood 3.", "Good 1.\r\nGood 3."),
        ("- Good 1.\n- Bad 2.\n- Bad 3.\n\nGood 4.", "- Good 1.\n\nGood 4."),
        ("- Bad 1.\n- Good 2. Bad 3.\n", "- Good 2.\n"),
        ("1. Good 1.\n2. Bad 2.\n3. Good 3.", "1. Good 1.\n3. Good 3."),
        ("* **Bees:** Bad 1.\n* Good 2.", "* Good 2."),
        ("> Good 1.\n> Bad 2.", "> Good 1."),
        ("Good 1.\n\n```sh\nrun Bad 2.\n\nmore\n```\n\nGood 3.", "Good 1.\n\nGood 3."),
        ("| a | b |\n|---|---|\n| x | Good 1. |\n| y | Bad 2. |", "| a | b |\n|---|---|\n| x | Good 1. |"),
        # what introduces only what was removed
        ("Good 1.\n\n| a | b |\n|---|---|\n| y | Bad 2. |", "Good 1."),
        ("There are options:\n- Bad 1.\n- Bad 2.\n\nGood 3.", "Good 3."),
        ("- Insects:\n  - Bad 1.\n  - Bad 2.\n- Good 3.", "- Good 3."),
        ("# A\n\nGood 1.\n\n# B\n\n## C\n\nBad 2.\n\n# D\n\nGood 3.", "# A\n\nGood 1.\n\n# D\n\nGood 3."),
        # marks that belong together
        ("Good 1. **Bad 2. Bad 3.**", "Good 1."),
    ],
)
def test_sentences_items_and_rows_without_a_supported_claim_go(answer: str, expected: str) -> None:
    assert corrected(answer).answer == expected


@pytest.mark.parametrize(
    "answer", ["**Good 1. Bad 2.**", "“Good 1. Bad 2.”", "| a | b |\n|---|---|\n| Good 1. | Bad 2. |"]
)
def test_what_cannot_be_separated_from_a_supported_claim_stays_with_a_note(answer: str) -> None:
    correction = corrected(answer)
    assert (correction.answer, correction.changed, len(correction.notes)) == (answer, False, 1)


def test_edits_name_their_claims_and_their_reasons() -> None:
    (edit,) = corrected("Good 1. Bad 2.").edits
    assert (edit.start, edit.end, edit.replacement, edit.claim_numbers) == (7, 14, "", (2,))
    assert edit.reason == "The chunks do not mention this."


_PIECES = st.sampled_from(
    [
        "Ants have six legs", "bees dance at noon", "It costs 5 euros", "Yes", "The plan has 10 seats", "[1]",
        ".", ". ", "! ", "? ", ", and ", ", ", "; ", " but ", ": ", ":\n", "\n", "\n\n", "\r\n", "- ", "  - ", "1. ",
        "# Title\n", "Title\n---\n", "***\n", "> ", "**", "“", "”", "(", ")", "`", "```\n", "| a | b |\n",
        "|---|---|\n", "\u2028", "é́", "👩🏽‍🚀", "مرحبا. ", "価格は五円。", "\t", "    ", "<b>", "[x]: y\n",
    ]
)  # fmt: skip
_ANSWERS = st.lists(_PIECES, min_size=1, max_size=14).map("".join).filter(str.strip)
_CHUNK = "The plan has 20 seats. It costs 7 euros. Ants have eight legs."


@st.composite
def _judged(data: st.DrawFn) -> tuple[str, list[Claim]]:
    answer = data(_ANSWERS)
    occurrences = Occurrences(answer)
    claims = []
    for _ in range(data(st.integers(1, 5))):
        start = data(st.integers(0, len(answer) - 1))
        end = data(st.integers(start + 1, len(answer)))
        at = data(st.integers(start, end - 1))
        there = data(st.integers(0, len(_CHUNK) - 2))
        mismatch = Mismatch(at, data(st.integers(at + 1, end)), "1", there, data(st.integers(there + 1, len(_CHUNK))))
        verdict = data(st.sampled_from(list(Verdict)))
        mismatches = () if verdict is Verdict.SUPPORTED else (mismatch,)
        spans = (occurrences.span_at(start, end),)
        claims.append(make_claim(answer[start:end], verdict, spans=spans, mismatches=mismatches))
    return answer, claims


@settings(max_examples=4 * settings().max_examples)
@given(_judged())
def test_nothing_changes_outside_the_edits_and_supported_claims_stay(given_: tuple[str, list[Claim]]) -> None:
    answer, claims = given_
    correction = judged(answer, *claims, chunk=_CHUNK)
    edits = correction.edits
    assert correction.answer == apply_edits(answer, edits)
    places = [place for edit in edits for place in (edit.start, edit.end)]
    assert places == sorted(places)
    for claim in claims:
        if claim.verdict is Verdict.SUPPORTED:
            (span,) = claim.spans
            cut = [answer[max(span.start, edit.start) : min(span.end, edit.end)] for edit in edits]
            assert not any(character.isalpha() for character in "".join(cut))


@settings(max_examples=4 * settings().max_examples)
@given(st.data())
def test_two_corrections_one_after_the_other_are_one(data: st.DataObject) -> None:
    answer = data.draw(st.text(alphabet="abc \n", min_size=1, max_size=30))
    first = data.draw(_edited(answer))
    between = apply_edits(answer, first)
    second = data.draw(_edited(between).filter(lambda edits: not _cuts_a_replacement(first, edits)))
    both = compose(first, second, ())
    assert apply_edits(answer, both) == apply_edits(between, second)


@st.composite
def _edited(data: st.DrawFn, text: str) -> tuple[Edit, ...]:
    places = sorted(data(st.sets(st.integers(0, len(text)), max_size=6)))
    return tuple(
        Edit(start=a, end=b, replacement=data(st.sampled_from(["", "x", "new words"])), claim_numbers=(), reason="r")
        for a, b in zip(places[::2], places[1::2], strict=False)
    )


def _cuts_a_replacement(first: tuple[Edit, ...], second: tuple[Edit, ...]) -> bool:
    longer = 0
    inside: set[int] = set()
    for edit in first:
        inside |= set(range(edit.start + longer + 1, edit.start + longer + len(edit.replacement)))
        longer += len(edit.replacement) - (edit.end - edit.start)
    return any(place in inside for edit in second for place in (edit.start, edit.end))
