"""Texts are split, folded and stemmed the same way for what is asked and what is marked."""

import pytest

from faithview.stats.search_words import stems_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Invitations are valid", ("invit", "are", "valid")),
        ("An e-mail costs $3,000.", ("an", "e", "mail", "cost", "3", "000")),
        ("ÉTÉ in Tromsø, Córdoba", ("ete", "in", "tromsø", "cordoba")),
        ("Straße STRASSE", ("strass", "strass")),
        ("東京の", ("東", "京", "の")),
        ("snake_case 14days", ("snake", "case", "14day")),
        ("— !? 👩\u200d👧", ()),
    ],
)
def test_words_are_split_folded_and_stemmed(text: str, words: tuple[str, ...]) -> None:
    assert stems_of(text) == words
