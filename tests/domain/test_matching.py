"""Claims and chunks of two answers: equal ones, edited ones, and what people decided."""

from collections.abc import Collection, Sequence

import pytest

from faithview.domain.comparison import ChunkChange, ChunkPair, ClaimChange, ClaimPair
from faithview.domain.pairing import ChunkFacts, TextPair, match_chunks, match_claims


class Paired:
    """Pairs texts as it is told, and keeps what it was asked."""

    def __init__(self, *pairs: tuple[int, int]) -> None:
        self.pairs = pairs
        self.asked: list[tuple[list[str], list[str]]] = []
        self.sure: set[tuple[int, int]] = set()

    def claims(
        self, before: Sequence[str], after: Sequence[str], *, floor: float, refused: Collection[tuple[int, int]] = ()
    ) -> list[TextPair]:
        self.asked.append((list(before), list(after)))
        self.sure = set(refused)
        return [TextPair(before=i, after=j, similarity=0.75) for i, j in self.pairs]

    def chunks(
        self, before: Sequence[str], after: Sequence[str], *, floor: float, certain: Collection[tuple[int, int]] = ()
    ) -> list[TextPair]:
        return self.claims(before, after, floor=floor, refused=certain)


def no_texts() -> tuple[list[str], list[str]]:
    pytest.fail("Texts were asked for although no two are left to compare.")


def no_chunk_texts(_: Sequence[ChunkFacts]) -> list[str]:
    pytest.fail("Texts were asked for although no two are left to compare.")


def claim(baseline: int | None, candidate: int | None, similarity: float, change: ClaimChange) -> ClaimPair:
    return ClaimPair(baseline=baseline, candidate=candidate, similarity=similarity, change=change)


def chunk(name: str, text: str, rank: int = 1) -> ChunkFacts:
    return ChunkFacts(chunk_id=name, chunk_hash=text, rank=rank)


def test_claims_come_in_the_order_of_the_baseline_and_new_ones_last() -> None:
    paired = Paired((1, 0))
    found = match_claims(
        ["lost", "same", "old"],
        ["new words", "new", "same"],
        text_of=lambda: (["lost", "same", "old"], ["new words", "new", "same"]),
        pair_texts=paired.claims,
    )
    assert found == (
        claim(0, None, 0.0, ClaimChange.LOST),
        claim(1, 2, 1.0, ClaimChange.SAME),
        claim(2, 0, 0.75, ClaimChange.REWORDED),
        claim(None, 1, 0.0, ClaimChange.NEW),
    )
    assert paired.asked == [(["lost", "old"], ["new words", "new"])]


def test_texts_of_claims_are_read_only_where_both_sides_have_one_left() -> None:
    assert match_claims(["a", "b"], ["a"], text_of=no_texts, pair_texts=Paired().claims) == (
        claim(0, 0, 1.0, ClaimChange.SAME),
        claim(1, None, 0.0, ClaimChange.LOST),
    )
    assert match_claims([], ["a"], text_of=no_texts, pair_texts=Paired().claims) == (
        claim(None, 0, 0.0, ClaimChange.NEW),
    )


def test_claims_that_a_person_matched_say_whether_they_are_equal() -> None:
    found = match_claims(
        ["a", "b"], ["a", "c"], text_of=no_texts, pair_texts=Paired().claims, choices={(0, 0): True, (1, 1): True}
    )
    assert found == (claim(0, 0, 1.0, ClaimChange.SAME), claim(1, 1, 1.0, ClaimChange.REWORDED))


@pytest.mark.parametrize("choice", [(1, 0), (0, 1)])
def test_a_choice_about_a_claim_that_is_no_longer_there_changes_nothing(choice: tuple[int, int]) -> None:
    found = match_claims(["a"], ["a"], text_of=no_texts, pair_texts=Paired().claims, choices={choice: True})
    assert found == (claim(0, 0, 1.0, ClaimChange.SAME),)


def test_claims_that_a_person_took_apart_are_not_matched_though_they_are_equal() -> None:
    paired = Paired()
    found = match_claims(
        ["a", "b", "d"],
        ["a", "c", "d"],
        text_of=lambda: (["a", "b", "d"], ["a", "c", "d"]),
        pair_texts=paired.claims,
        # The last two are about claims of which one is matched already.
        choices={(0, 0): False, (1, 1): False, (2, 1): False, (1, 2): False},
    )
    assert [(pair.baseline, pair.candidate) for pair in found] == [(0, None), (1, None), (2, 2), (None, 0), (None, 1)]
    assert paired.sure == {(0, 0), (1, 1)}


def test_chunks_are_the_same_moved_edited_removed_or_added() -> None:
    paired = Paired((1, 0))
    baseline = [chunk("gone", "x", 1), chunk("kept", "same", 2), chunk("up", "up", 3), chunk("doc-7", "old", 4)]
    candidate = [chunk("up", "up", 1), chunk("kept", "same", 2), chunk("doc-7", "new", 3), chunk("more", "y", 4)]
    found = match_chunks(
        baseline, candidate, text_of=lambda chunks: [c.chunk_hash for c in chunks], pair_texts=paired.chunks
    )
    assert found == (
        ChunkPair(baseline=0, candidate=None, similarity=0.0, change=ChunkChange.REMOVED),
        ChunkPair(baseline=1, candidate=1, similarity=1.0, change=ChunkChange.SAME),
        ChunkPair(baseline=2, candidate=0, similarity=1.0, change=ChunkChange.MOVED),
        ChunkPair(baseline=3, candidate=2, similarity=0.75, change=ChunkChange.EDITED),
        ChunkPair(baseline=None, candidate=3, similarity=0.0, change=ChunkChange.ADDED),
    )
    assert paired.asked == [(["x", "old"], ["new", "y"])]
    assert paired.sure == {(1, 0)}


def test_texts_of_chunks_are_read_only_where_both_sides_have_one_left() -> None:
    one, two = chunk("a", "same"), chunk("b", "other")
    (_, removed) = match_chunks([one, two], [one], text_of=no_chunk_texts, pair_texts=Paired().chunks)
    (_, added) = match_chunks([one], [one, two], text_of=no_chunk_texts, pair_texts=Paired().chunks)
    assert removed.change is ChunkChange.REMOVED
    assert added.change is ChunkChange.ADDED
