"""Texts without marks: as long as before, and only what a reader of the rendered text sees."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faithview.judges.text.sentences import plain_lines, plain_words, tidy


def plain(text: str) -> str:
    return tidy(plain_words(plain_lines(text)))


@pytest.mark.parametrize(
    ("marked", "read"),
    [
        ("Within **30 days** of *delivery*, __unused__.", "Within 30 days of delivery, unused."),
        ("Set `max_days` to ``30``.", "Set max_days to 30."),
        ("Read the [returns page](https://x.y/a_(b)) first.", "Read the returns page first."),
        ("Read **[the page](https://x.y)** or [**it**](u).", "Read the page or it."),
        ("Read [the page][2] and [1][2].", "Read the page and."),
        ("A logo ![logo](logo.png) is shown.", "A logo is shown."),
        ("Within 30 days [1].", "Within 30 days."),
        ("Within 30 days.[1][2]", "Within 30 days."),
        ("Within 30 days [1, 2], not [3-5] later.", "Within 30 days, not later."),
        ("Within 30 days.[^1]", "Within 30 days."),
        ("Within 30 days【4:0†source】.", "Within 30 days."),
        ("Within 30 days.¹", "Within 30 days."),
        ("Items¹ can be returned² late.", "Items can be returned late."),
        ("Within 30 days [doc1].", "Within 30 days."),
        ("Within 30 days [Source: returns.md].", "Within 30 days."),
        ("Within 30 days [returns.md].", "Within 30 days."),
        ("Within 30 days (see returns.md).", "Within 30 days."),
        ("Within 30 days (Source: Returns policy).", "Within 30 days."),
        ("Within 30 days (Passage 2).", "Within 30 days."),
        ("Within 30 days (2).", "Within 30 days."),
        ("Within 30 days (https://x.y/returns).", "Within 30 days."),
        ("<p>Within <b>30 days</b></p>", "Within 30 days"),
        ("Within 30 days<sup>1</sup>.", "Within 30 days."),
        ("Within&nbsp;30 days", "Within 30 days"),
        ("Costs 5\\$ \\[net\\]", "Costs 5 $ [net ]"),
    ],
)
def test_marks_are_taken_away(marked: str, read: str) -> None:
    assert plain(marked) == read


@pytest.mark.parametrize(
    "text",
    [
        "The room has 20 m² and 60 km² of garden.",
        "It holds 10³ items of 5 feet² each.",
        "There are two (2) bags and 3 (4) boxes.",
        "Set max_days and min_days in config.yaml.",
        "It is 2 * 3 and a ** b and 2**3.",
        "Type <your-name> if x < 5 and y > 3.",
        "Open from 9 to 5 (from Monday to Friday).",
        "Enter [your name] (in 3 days).",
        "Go to https://x.y/a_b_c to pay.",
        "Python's snake_case_names stay.",
        "It has 4★ and ✓.",
    ],
)
def test_what_only_looks_like_a_mark_stays(text: str) -> None:
    assert plain(text) == text


def test_marks_inside_code_stay() -> None:
    assert plain("Pass `**options` or `list[1]`.") == "Pass **options or list[1]."


@given(
    st.lists(
        st.sampled_from(
            ["**", "`", "[", "](u)", "[1]", "(2)", "<b>", "<br>", "&amp;", "```\n", " a", "1", "¹", "_", "\\", "【1】"]
        )
    ).map("".join)
)
def test_every_offset_remains_valid(text: str) -> None:
    lines = plain_lines(text)
    words = plain_words(lines)
    assert len(words) == len(lines) == len(text)
    assert all(new in (old, " ", "\n") or old == "&" for old, new in zip(text, words, strict=True))
