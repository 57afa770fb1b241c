"""Texts that contain others, for passages that were split or joined."""

import pytest

from faithview.stats.text_matching import find_contained

WHOLE = "Items can be returned within 30 days. The refund is paid to the card that was used."


@pytest.mark.parametrize(
    ("part", "share"),
    [
        ("Items can be returned within 30 days.", 1.0),
        ("ITEMS can be returned, within 30 days", 1.0),
        ("Items can be returned within 14 days.", 6 / 7),
        ("The refund is paid to the card that was used. Items can be returned", 10 / 14),
    ],
)
def test_the_share_is_that_of_the_words_in_the_same_order(part: str, share: float) -> None:
    (pair,) = find_contained([part], [WHOLE], floor=0.5)
    assert (pair.before, pair.after) == (0, 0)
    assert pair.similarity == pytest.approx(share)


def test_a_part_below_the_floor_or_without_three_words_in_a_row_is_not_found() -> None:
    assert find_contained(["Items can be returned within 14 weeks of sale"], [WHOLE], floor=0.9) == []
    assert find_contained(["used card refund", "30 days", ""], [WHOLE], floor=0.1) == []


def test_every_pair_is_returned() -> None:
    pairs = find_contained(
        ["one two three", "four five six"], ["zero one two three", "four five six one two three"], floor=1
    )
    assert [(pair.before, pair.after) for pair in pairs] == [(0, 0), (0, 1), (1, 1)]


def test_a_sentence_of_very_many_texts_is_not_compared() -> None:
    footer = "write to the support team"
    assert find_contained([footer], [f"{footer} {number}" for number in range(40)], floor=0.5) == []
