"""Texts are split, folded and stemmed the same way for what is stored, what is asked and what is marked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faithview.stats.search_words import find_phrases, parse_query, split_words, stems_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Invitations are valid", ("invit", "are", "valid")),
        ("An e-mail costs $3,000.", ("an", "e", "mail", "cost", "3", "000")),
        ("ÉTÉ in Tromsø, Córdoba", ("ete", "in", "tromsø", "cordoba")),
        ("Straße STRASSE", ("strass", "strass")),
        ("東京の", ("東", "京", "の")),
        ("हिन्दी में", ("हिन्दी", "में")),
        ("snake_case 14days ½", ("snake", "case", "14days", "12")),
        ("— !? 👩\u200d👧", ()),
    ],
)
def test_words_are_split_folded_and_stemmed(text: str, words: tuple[str, ...]) -> None:
    assert stems_of(text) == words


@given(st.text(max_size=60))
def test_words_without_their_places_are_those_with_places(text: str) -> None:
    assert stems_of(text) == tuple(word.stem for word in split_words(text))


@pytest.mark.parametrize(
    ("query", "phrases"),
    [
        ("valid invitation", [("valid",), ("invit",)]),
        ('"Members limit" of', [("member", "limit"), ("of",)]),
        ("“Members limit” member", [("member", "limit"), ("member",)]),
        ('e-mail "unclosed end', [("e", "mail"), ("unclos", "end")]),
        ("valid valid VALID", [("valid",)]),
        ('NEAR(a b) OR -c* "" words:x', [("near", "a"), ("b",), ("or",), ("c",), ("word", "x")]),
        ("— !?", []),
        ("", []),
    ],
)
def test_a_query_is_words_and_phrases_and_nothing_else(query: str, phrases: list[tuple[str, ...]]) -> None:
    assert parse_query(query) == phrases


def test_a_query_of_many_words_is_cut() -> None:
    assert len(parse_query(" ".join(f"w{n}" for n in range(1000)))) == 64


@pytest.mark.parametrize(
    ("text", "query", "marked"),
    [
        ("Two invitations were valid.", "valid invite", ["invitations", "valid"]),
        ("The limit of members. Members' limit.", '"members limit"', ["Members' limit"]),
        ("14 days, not 7 days", '"14 days" "days not"', ["14 days, not"]),
        ("ÉTÉ", "ete", ["ÉTÉ"]),
        ("Tromsø 東京の été", "tromsø 京の ETE", ["Tromsø", "京の", "été"]),
        ("days ... days", "days", ["days", "days"]),
        ("one two three", '"one two" "two three"', ["one two three"]),
        ("東京東京", "東京", ["東京東京"]),
        ("one two", '"one two three"', []),
        ("nothing here", "absent", []),
    ],
)
def test_what_is_found_is_marked(text: str, query: str, marked: list[str]) -> None:
    assert [text[start:end] for start, end in find_phrases(text, parse_query(query))] == marked


@given(st.text())
def test_words_are_apart_and_hold_what_databases_take(text: str) -> None:
    words = split_words(text)
    ends = [0, *(word.end for word in words)]
    assert all(end <= word.start < word.end <= len(text) for end, word in zip(ends, words, strict=False))
    assert all(word.stem and not set(word.stem) & set("'\"\\ \x00") for word in words)


def test_words_beside_characters_of_unspaced_scripts_stand_where_they_are() -> None:
    text = "ab東京cd!éf"
    assert [text[w.start : w.end] for w in split_words(text)] == ["ab", "東", "京", "cd", "éf"]


def test_very_long_words_are_compared_as_they_are_and_cut() -> None:
    # Up to 40 letters are stemmed; and no word is longer than 200 characters.
    assert stems_of("a" * 39 + "s") == ("a" * 39,)
    assert stems_of("a" * 40 + "s") == ("a" * 40 + "s",)
    assert stems_of("7" * 300) == ("7" * 200,)
