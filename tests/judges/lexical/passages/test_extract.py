"""Numbers, quantities, dates and times as values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faithview.judges.lexical.passages.equality import can_differ, is_same
from faithview.judges.lexical.passages.values import Bound, Kind, find_values, values_among
from faithview.judges.text.tokens import tokenize

SAME = [
    ("two dozen", "24"),
    ("24", "24.0"),
    ("3 km", "3,000 m"),
    ("May 3rd 2021", "2021-05-03"),
    ("May 3, 2021", "3 May 2021"),
    ("May 2021", "3 May 2021"),
    ("in 2021", "3 May 2021"),
    ("5 pm", "17:00"),
    ("noon", "12:00"),
    ("half an hour", "30 minutes"),
    ("one and a half hours", "90 minutes"),
    ("25%", "twenty-five percent"),
    ("25 per cent", "25 %"),
    ("$1.5 million", "1,500,000 dollars"),
    ("12 months", "1 year"),
    ("1/2 cup", "½ cup"),
    ("a hundred and fifty people", "150 people"),
    ("the 3rd", "the third"),
    ("212°F", "100 °C"),
    ("about 3,000 people", "3,012 people"),
    ("12 miles", "20 km"),
    ("two thousand and twenty-one", "2021"),
]
DIFFERENT = [
    ("24 hours", "48 hours"),
    ("3 km", "3 m"),
    ("3 May 2021", "5 May 2021"),
    ("May 2021", "June 2021"),
    ("5 pm", "5 am"),
    ("25%", "52%"),
    ("$5", "€5"),
    ("third", "fourth"),
    ("Monday", "Tuesday"),
    ("180 °C", "200 °C"),
    ("the 1980s", "the 1990s"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_value_in_other_words(one: str, other: str) -> None:
    (left,), (right,) = find_values(one), find_values(other)
    assert is_same(left, right)
    assert is_same(right, left)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_values_that_contradict_each_other(one: str, other: str) -> None:
    (left,), (right,) = find_values(one), find_values(other)
    assert not is_same(left, right)
    assert not is_same(right, left)
    assert can_differ(left, right)


@pytest.mark.parametrize(
    "text",
    [
        "one of them",
        "passage 2",
        "[3]",
        "(Step 4)",
        "v2.0.1",
        "GPT4",
        "you may go",
        "no numbers here",
        "a second later on",
    ],
)
def test_what_is_no_value(text: str) -> None:
    assert [value for value in find_values(text) if value.kind is not Kind.ORDINAL] == []


def test_a_misspelt_month_is_no_date() -> None:
    assert [value.kind for value in find_values("on Sepember 5")] == [Kind.NUMBER]


def test_both_ends_of_a_range_have_the_unit() -> None:
    low, high = find_values("It takes 8-12 minutes.")
    assert (low.number, low.unit) == (480, "duration")
    assert (high.number, high.unit) == (720, "duration")


def test_the_numbers_of_a_list_have_the_unit_of_its_end() -> None:
    assert [(v.number, v.unit) for v in find_values("5, 10 and 20 euros")] == [(5, "EUR"), (10, "EUR"), (20, "EUR")]
    assert [v.unit for v in find_values("in 2019, 10 or 20 euros")] == ["", "EUR", "EUR"]
    assert [v.unit for v in find_values("5 rooms, 10 and 20 euros")] == ["", "EUR", "EUR"]


@pytest.mark.parametrize(
    ("text", "bound"),
    [("more than 5", Bound.AT_LEAST), ("no more than 5", Bound.NONE), ("not less than 5", Bound.NONE)],
)
def test_no_more_than_is_no_lower_limit(text: str, bound: Bound) -> None:
    assert [value.bound for value in find_values(text)] == [bound]


def test_a_range_of_hours_takes_its_half_of_the_day_from_the_second() -> None:
    assert sorted(value.number for value in find_values("open 9-5 pm")) == [540, 1020]
    assert sorted(value.number for value in find_values("open 2-5 pm")) == [840, 1020]


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("It costs $1.5 million now.", "$1.5 million"),
        ("within 24 hours of", "24 hours"),
        ("On May 3rd, 2021, it", "May 3rd, 2021"),
        ("some 12 per cent of", "12 per cent"),
        ("at 5 p.m. sharp", "5 p.m."),
    ],
)
def test_a_value_is_quoted_with_its_unit(text: str, quote: str) -> None:
    (value,) = find_values(text)
    assert text[value.start : value.end] == quote


_PIECES = (
    *("US$ 5 million", "twenty-five", "two and a half", "a hundred", "3 May 2021", "2018/19", "half of the cups"),
    *("9-5 pm", "½", "two thirds of the crop", "(1,234)", "the first", "a couple of days", "12:30", "B6", "350 °F"),
    *("red apples grow", "so,", "every Monday", "by noon", "9 to5pm", "2021-05-03", "3/5/2021"),
    *("7 PM", "at 10:15am", "midnight", "in May", "Mondays", "8 a.m.", "September", "1.5 pm", "to 9", "5 apples"),
)


@given(st.lists(st.sampled_from(_PIECES), max_size=8).map(" ".join))
def test_looking_only_where_a_word_may_be_a_value_finds_the_same(text: str) -> None:
    assert values_among(tokenize(text), text, 0, len(text)) == find_values(text)
