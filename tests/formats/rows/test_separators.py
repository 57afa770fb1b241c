"""What separates chunks in one text: counted, and guessed only where it is hardly anything else."""

import pytest

from faithview.formats.files.tables import RawRow
from faithview.formats.rows.contexts import find_separators

_MARKED = ("One chunk.\n---\nAnother.\n---\nA third.", "Only two.\n---\nHere.", "Two.\n---\n\nAgain.", "A lone one.")


def _find(*cells: object) -> tuple[list[tuple[str, int, int]], str | None] | None:
    found = find_separators(["ctx"], [RawRow(line=n, values={"ctx": cell}) for n, cell in enumerate(cells, start=1)])
    if found is None:
        return None
    return [(s.text, s.fewest, s.most) for s in found.offered], found.guessed


def test_a_mark_between_chunks_is_guessed_with_its_count() -> None:
    assert _find(*_MARKED) == ([("---", 1, 3), ("\n", 1, 5)], "---")


def test_blank_lines_are_offered_and_never_guessed() -> None:
    assert _find("One.\n\nTwo.", "One.\n\nTwo.\n\nThree.") == ([("\n\n", 2, 3), ("\n", 2, 3)], None)


def test_two_marks_are_offered_and_neither_is_guessed() -> None:
    found = _find("A.---B.|||C.---D.", "A.---B.|||C.---D.")
    assert found is not None
    assert [text for text, *_ in found[0]][:2] == ["|||", "---"]
    assert found[1] is None


def test_what_splits_few_cells_is_not_offered() -> None:
    assert _find("A --- B", "One.", "Two.") == ([], None)


@pytest.mark.parametrize("cell", ['["A list.", "Of two."]', "['a', 'b']", ["a", "b"], None, "", "n/a", '{"text": "a"}'])
def test_cells_that_are_no_plain_text_have_no_separator(cell: object) -> None:
    assert _find(cell, cell) is None


@pytest.mark.parametrize("cell", ["| a | b |\n|---|---|\n| 1 | 2 |\nIt is so.", "---\ntitle: x\n---\nIt is so."])
def test_dashes_of_a_table_or_of_a_documents_head_are_offered_and_not_guessed(cell: str) -> None:
    found = _find(cell, cell)
    assert found is not None
    offered, guessed = found
    assert "---" in [text for text, *_ in offered]
    assert guessed is None
