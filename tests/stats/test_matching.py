"""Pairing the items of two sides."""

import pytest

from faithview.stats.matching import match


def test_equal_keys_are_paired_in_their_order_and_the_first_key_goes_first() -> None:
    before = [("a", "x"), ("b", "y"), (None, "y")]
    after = [(None, "y"), ("b", "z"), ("c", "y")]
    pairs = match(before, after, lambda item: item[0], lambda item: item[1])
    assert pairs == [(0, None, 0.0), (1, 1, 1.0), (2, 0, 1.0), (None, 2, 0.0)]


def test_the_rest_is_paired_by_similar_texts_with_the_largest_sum() -> None:
    before = ["Starter costs 9 euros a month.", "The office opens at eight.", "Refunds take 14 days."]
    after = ["Refunds take 30 days.", "Starter costs 9 euros a month.", "Nobody is at home."]
    pairs = match(before, after, lambda text: text, text=lambda text: text)
    assert [pair[:2] for pair in pairs] == [(0, 1), (1, None), (2, 0), (None, 2)]
    assert pairs[2][2] == pytest.approx(0.9, abs=0.05)


@pytest.mark.parametrize(("before", "after"), [([], ["a"]), (["a"], []), ([], [])])
def test_an_empty_side_has_no_pairs(before: list[str], after: list[str]) -> None:
    pairs = match(before, after, text=lambda text: text)
    assert all(None in pair for pair in pairs)
    assert len(pairs) == len(before) + len(after)
