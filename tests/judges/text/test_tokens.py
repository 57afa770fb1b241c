"""Texts as words: what splitting a text keeps is what tokenising it finds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faithview.judges.text.tokens import split_at_words, tokenize


@pytest.mark.parametrize("text", ["", " ", "Refunds take 3,000 days.", "Noël's e-mail — 東京は3.5", "don’t stop"])
def test_pieces_at_odd_places_are_the_words(text: str) -> None:
    pieces = split_at_words(text)
    assert "".join(pieces) == text
    assert pieces[1::2] == [text[token.start : token.end] for token in tokenize(text)]


@given(st.text(max_size=60))
def test_no_text_loses_a_character(text: str) -> None:
    pieces = split_at_words(text)
    assert "".join(pieces) == text
    assert pieces[1::2] == [text[token.start : token.end] for token in tokenize(text)]
