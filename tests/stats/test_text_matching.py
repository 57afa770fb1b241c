"""Texts compared and paired: exact similarities, floors and what people refused."""

import pytest

from faithview.domain.pairing import TextPair
from faithview.stats.text_matching import TokenSortSimilarity, pair_chunk_texts, pair_claim_texts

SEATS = "The Team plan has ten seats."


def test_equal_texts_are_paired_at_the_highest_floor() -> None:
    same = [TextPair(before=0, after=0, similarity=1.0)]
    assert pair_claim_texts([SEATS], [SEATS], floor=1.0) == same
    assert pair_chunk_texts([SEATS], [SEATS], floor=1.0) == same
    assert TokenSortSimilarity().find_similar([SEATS], [SEATS], floor=1.0, best=5) == same
    assert TokenSortSimilarity().compare("seats ten", "Ten seats!") == 1.0


def test_claims_that_people_took_apart_are_not_paired_again() -> None:
    assert pair_claim_texts([SEATS], [SEATS], floor=0.5, refused=[(0, 0)]) == []
    other = "The Team plan has two seats."
    (pair,) = pair_claim_texts([SEATS], [SEATS, other], floor=0.5, refused=[(0, 0)])
    assert pair.after == 1


def test_the_best_questions_are_those_most_alike() -> None:
    asked = ["How many seats does the Team plan have?"]
    others = ["Where is my invoice?", "How many seats has the Team plan?", "How many seats does the Team plan get?"]
    (best,) = TokenSortSimilarity().find_similar(asked, others, floor=0.1, best=1)
    assert best.after == 2
    assert 0.9 < best.similarity < 1
    two = TokenSortSimilarity().find_similar(asked, others, floor=0.1, best=2)
    assert {pair.after for pair in two} == {1, 2}
    assert TokenSortSimilarity().find_similar(asked, others, floor=0.99, best=3) == []


@pytest.mark.parametrize("step", [1, 11, 37, 300])
@pytest.mark.parametrize("best", [1, 3])
def test_the_best_of_many_are_the_best_whatever_their_order(best: int, step: int) -> None:
    others = ["a" * (1 + at * step % 301) for at in range(301)]
    found = TokenSortSimilarity().find_similar(["a" * 301], others, floor=0.0, best=best)
    assert {len(others[pair.after]) for pair in found} == set(range(302 - best, 302))


def test_texts_that_are_less_alike_than_the_floor_are_not_paired() -> None:
    assert pair_claim_texts([SEATS], ["Refunds take three days."], floor=0.65) == []
    assert pair_chunk_texts([SEATS], ["Refunds take three days."], floor=0.6) == []
