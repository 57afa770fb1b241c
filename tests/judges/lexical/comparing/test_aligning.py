"""A claim and a sentence laid side by side: which words are alike, and where the edits are."""

from collections.abc import Sequence

import pytest

from faithview.judges.lexical.comparing.edits import align, bound_of
from faithview.judges.text.tokens import Token, tokenize

SENTENCE = "In winter the hall is heated from 6 am, and the bar opens an hour later."


def _edits(claim: str, sentence: str = SENTENCE) -> list[tuple[str, str, int, int]]:
    """Return of each edit the claim's words, the sentence's, and how many words are alike on each side."""
    alignment = align(tokenize(claim), tokenize(sentence), sentence)
    return [
        (_written(claim, edit.mine), _written(sentence, edit.theirs), edit.before, edit.after)
        for edit in alignment.edits
    ]


def _written(text: str, words: Sequence[Token]) -> str:
    return text[words[0].start : words[-1].end] if words else ""


@pytest.mark.parametrize(
    ("claim", "wanted"),
    [
        (SENTENCE, []),
        ("the hall is heated from 6 am", []),
        ("In winter the hall is heated from six am", []),
        ("In winter the hall is cooled from 6 am", [("cooled", "heated", 5, 3)]),
        ("In winter the hall heated from 6 am", [("", "is", 4, 4)]),
        ("In winter the hall is heated from 7 pm", [("7 pm", "6 am", 7, 0)]),
        ("In summer the hall is heated", [("In summer", "In winter", 0, 4)]),
        ("Dogs may run free", []),
    ],
)
def test_edits_are_what_differs_between_words_that_are_alike(
    claim: str, wanted: list[tuple[str, str, int, int]]
) -> None:
    assert _edits(claim) == wanted


@pytest.mark.parametrize(
    ("words", "sign"),
    [
        ("at least two", 1),
        ("over two", 1),
        ("up to two", -1),
        ("at most two", -1),
        ("no more than two", -1),
        ("not less than two", 1),
        ("none shorter than two", 1),
        ("never over two", -1),
        ("two", 0),
        ("over two and under four", 0),
    ],
)
def test_a_limit_is_read_with_the_negation_before_it(words: str, sign: int) -> None:
    assert bound_of(tokenize(words)) == sign
