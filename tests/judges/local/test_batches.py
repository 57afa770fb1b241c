"""Batches by tokens."""

from hypothesis import given
from hypothesis import strategies as st

from faithview.judges.local.networks import Encoded, batches, padded


@given(st.lists(st.integers(min_value=1, max_value=50), max_size=60), st.integers(min_value=1, max_value=200))
def test_every_input_is_in_one_batch_and_no_batch_is_larger_than_allowed(lengths: list[int], most: int) -> None:
    found = list(batches(lengths, most))
    assert sorted(number for batch in found for number in batch) == list(range(len(lengths)))
    for batch in found:
        width = max(lengths[number] for number in batch)
        assert len(batch) == 1 or width * len(batch) <= most


def test_inputs_of_like_length_share_a_batch() -> None:
    assert list(batches([2, 9, 2, 10], 20)) == [[3, 1], [0, 2]]


def test_padding_is_masked_and_sides_are_left_out_where_there_are_none() -> None:
    tokens, mask, sides = padded([Encoded([5, 6, 7], [0, 0, 1]), Encoded([8], [0])], 1)
    assert tokens.tolist() == [[5, 6, 7], [8, 1, 1]]
    assert mask.tolist() == [[1, 1, 1], [1, 0, 0]]
    assert sides is not None
    assert sides.tolist() == [[0, 0, 1], [0, 0, 0]]
    assert padded([Encoded([5])], 0)[2] is None
