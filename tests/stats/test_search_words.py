"""Texts are split, folded and stemmed the same way for what is asked and what is marked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faithview.stats.search_words import find_words, stems_of


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


@pytest.mark.parametrize(
    ("text", "query", "marked"),
    [
        ("Two invitations were valid.", "valid invite", ["invitations", "valid"]),
        ("Members' limit.", '"members limit"', ["Members", "limit"]),
        ("Tromsø 東京 été", "tromsø 京 ETE", ["Tromsø", "京", "été"]),
        ("days ... days", "days", ["days", "days"]),
        ("nothing here", "absent", []),
        ("nothing here", "— !", []),
        ("nothing here", "", []),
    ],
)
def test_what_is_found_is_marked(text: str, query: str, marked: list[str]) -> None:
    assert [text[start:end] for start, end in find_words(text, query)] == marked


@given(st.text(), st.text())
def test_marked_words_are_apart(text: str, query: str) -> None:
    ends = [0, *(end for _, end in find_words(text, query + text))]
    assert all(
        end <= start < stop <= len(text)
        for end, (start, stop) in zip(ends, find_words(text, query + text), strict=False)
    )
