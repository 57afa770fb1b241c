"""Word differences: what stayed, what went, what came."""

from hypothesis import example, given
from hypothesis import strategies as st

from faithview.wording.word_diff import Change, Piece, diff_words, is_rewritten


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


def test_a_text_with_few_words_in_common_is_rewritten() -> None:
    assert not is_rewritten("one two three four five", "one two three four six")
    assert is_rewritten("one two three four five", "six seven three eight nine")
    assert not is_rewritten("the same", "the same")
    assert not is_rewritten("", "")
