"""Word differences: what stayed, what went, what came."""

from hypothesis import example, given
from hypothesis import strategies as st

from faithview.wording.word_diff import Change, Piece, changed_ranges, diff_words, is_rewritten


def test_a_changed_figure_is_one_word_out_and_one_in() -> None:
    assert diff_words("Up to 50 members share it.", "Up to 20 members share it.") == (
        Piece(Change.SAME, "Up to "),
        Piece(Change.REMOVED, "50 "),
        Piece(Change.ADDED, "20 "),
        Piece(Change.SAME, "members share it."),
    )


def test_equal_texts_are_one_piece_and_white_space_is_no_change() -> None:
    assert diff_words("a b", "a b") == (Piece(Change.SAME, "a b"),)
    assert [piece.kind for piece in diff_words("a b", "a\n\nb")] == [Change.SAME]


def test_a_text_that_came_whole_is_added_and_nothing_is_nothing() -> None:
    assert diff_words("", "new text") == (Piece(Change.ADDED, "new text"),)
    assert diff_words("old", "") == (Piece(Change.REMOVED, "old"),)
    assert diff_words("", "") == ()


def test_of_huge_texts_the_common_beginning_and_end_are_told_apart_from_the_rest() -> None:
    before, after = "word " * 30_000, " more" * 30_000
    assert diff_words(f"{before}old thing{after}", f"{before}new thing{after}") == (
        Piece(Change.SAME, before),
        Piece(Change.REMOVED, "old"),
        Piece(Change.ADDED, "new"),
        Piece(Change.SAME, f" thing{after}"),
    )


@example(old=" ", new="\x00")
@given(old=st.text(max_size=60), new=st.text(max_size=60))
def test_each_side_can_be_read_back_from_the_pieces(old: str, new: str) -> None:
    pieces = diff_words(old, new)

    assert "".join(piece.text for piece in pieces if piece.kind is not Change.REMOVED) == new
    before = "".join(piece.text for piece in pieces if piece.kind is not Change.ADDED)
    assert "".join(before.split()) == "".join(old.split())


def test_the_changed_words_of_each_side_have_their_place() -> None:
    old, new = "Up to 50 members share it. Dogs too.", "Up to 20 members share it."
    removed, added = changed_ranges(old, new)
    assert [old[start:end] for start, end in removed] == ["50", "Dogs too."]
    assert [new[start:end] for start, end in added] == ["20"]
    assert changed_ranges("a b", "a\n\nb") == ([], [])
    assert changed_ranges("", "") == ([], [])


def test_of_huge_texts_all_between_the_common_ends_counts_as_changed() -> None:
    old, new = f"{'a ' * 60_000}x{' b' * 60_000}", f"{'a ' * 60_000}yz{' b' * 60_000}"
    removed, added = changed_ranges(old, new)
    assert [old[start:end] for start, end in removed] == ["x"]
    assert [new[start:end] for start, end in added] == ["yz"]
    assert changed_ranges(old, old) == ([], [])


@given(st.text("ab .\n", max_size=30), st.text("ab .\n", max_size=30))
def test_what_is_outside_the_changed_ranges_reads_the_same(old: str, new: str) -> None:
    kept = []
    for text, ranges in zip((old, new), changed_ranges(old, new), strict=True):
        assert ranges == sorted(ranges)
        bounds = [0, *(at for pair in ranges for at in pair), len(text)]
        pieces = [text[start:end] for start, end in zip(bounds[::2], bounds[1::2], strict=True)]
        kept.append("".join("".join(pieces).split()))
    assert kept[0] == kept[1]


def test_a_text_with_few_words_in_common_is_rewritten() -> None:
    assert not is_rewritten("one two three four five", "one two three four six")
    assert is_rewritten("one two three four five", "six seven three eight nine")
    assert not is_rewritten("the same", "the same")
    assert not is_rewritten("", "")
