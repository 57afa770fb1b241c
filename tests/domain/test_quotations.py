"""Words that a judge quotes from a chunk stand in the chunk, or lose their quotation marks."""

import pytest

from faithview.domain.claim import Claim, Verdict, verify_claims
from faithview.domain.sample import Sample
from faithview.domain.spans import find_quotations, stands_in, without_false_quotations

_CHUNKS = {"1": "Shared inboxes hold 20 members.\nLinks expire  after 7 days.", "kb-1.2": "Exports last 30 days."}


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("Chunk 1 says “7 days”, the answer “14 days”.", [("1", "7 days")]),
        ('Chunk kb-1.2 clearly states that "Exports last 30 days".', [("kb-1.2", "Exports last 30 days")]),
        ("Chunk 1 says “7 days” and “20 members”; “14” is not in the chunks.", [("1", "7 days"), ("1", "20 members")]),
        ("Chunk [kb-1.2] says «30 days».", [("kb-1.2", "30 days")]),
        ("Chunk 1 leaves this open: “nothing here”.", [("1", "nothing here")]),
        ("Chunk 1 does not say “14 days”.", []),
        ("Chunk 1 contradicts “14 days”.", []),
        ("The answer says “14 days”. Chunk 1 is silent.", []),
        ("Chunk 1 says nothing of “14 days”.", []),
        ("Chunk 1 says part of this; “14 days” is not in the chunks.", []),
        ("Chunk 1 says otherwise, while the claim has “14 days”.", []),
        ("Chunk 3 says “what it likes”.", []),
        ("Page 21 says “what it likes”.", []),
        ('A 5" screen', []),
        ("", []),
    ],
)
def test_what_a_sentence_quotes_from_a_chunk_is_found(text: str, quoted: list[tuple[str, str]]) -> None:
    found = find_quotations(text, _CHUNKS)
    assert [(quotation.chunk_id, quotation.words) for quotation in found] == quoted
    assert all(text[q.start + 1 : q.end - 1] == q.words for q in found)


@pytest.mark.parametrize(
    ("words", "stands"),
    [
        ("7 days", True),
        ("links expire after 7 days", True),
        ("Shared inboxes … after 7 days.", True),
        ("Shared inboxes ... after 14 days", False),
        ("14 days", False),
        ("20 members,", True),
    ],
)
def test_case_white_space_and_gaps_do_not_make_a_quotation_false(words: str, stands: bool) -> None:
    assert stands_in(words, _CHUNKS["1"]) is stands


def test_words_that_the_chunk_does_not_have_lose_their_quotation_marks_and_true_ones_keep_them() -> None:
    text = "Chunk 1 says “20 members” and “after 14 days”, the answer “50”."
    fixed = without_false_quotations(text, _CHUNKS)
    assert fixed == (
        "Chunk 1 says “20 members” and after 14 days (the judge's words, not the chunk's), the answer “50”."
    )
    assert without_false_quotations(fixed, _CHUNKS) == fixed


def test_words_behind_the_name_of_another_chunk_are_that_ones_and_are_marked_once() -> None:
    text = "Chunk 1 says that kb-1.2 states “14 days” in full."
    (quotation,) = find_quotations(text, _CHUNKS)
    assert (quotation.chunk_id, quotation.words) == ("kb-1.2", "14 days")
    assert without_false_quotations(text, _CHUNKS) == (
        "Chunk 1 says that kb-1.2 states 14 days (the judge's words, not the chunk's) in full."
    )


def test_every_judges_explanation_is_checked_when_its_claims_are_verified() -> None:
    sample = Sample.of("Links expire after 14 days.", ["Links expire after 7 days."])
    claim = Claim(
        text="Links expire after 14 days.", verdict=Verdict.CONTRADICTED, explanation="Chunk 1 says “9 days”."
    )
    (verified,) = verify_claims([claim], sample)
    assert verified.explanation == "Chunk 1 says 9 days (the judge's words, not the chunk's)."
