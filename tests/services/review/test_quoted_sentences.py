"""A quote of a few words is shown with the sentence that it is from."""

import pytest

from faithview.domain.spans import Span
from faithview.services.nearest_passage import sentences_around

_TEXT = "Hours\nWe open at 9 a.m. on weekdays. The shop closes at 5. Call us.\nMore"


@pytest.mark.parametrize(
    ("quote", "sentence"),
    [
        ("at 5", "The shop closes at 5."),
        ("weekdays. The", "We open at 9 a.m. on weekdays. The shop closes at 5."),
        ("Hours", "Hours"),
        ("Call us.", "Call us."),
    ],
)
def test_a_quote_is_widened_to_its_sentences(quote: str, sentence: str) -> None:
    start = _TEXT.index(quote)
    assert sentences_around(_TEXT, Span(start=start, end=start + len(quote))).of(_TEXT) == sentence


def test_a_very_long_line_is_not_split() -> None:
    text = "A word. " * 5_000
    assert sentences_around(text, Span(start=0, end=1)).of(text) == "A"
