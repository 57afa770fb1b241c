"""What separates chunks in one text: counted, and guessed only where it is hardly anything else."""

import pytest

from faithview.formats.files.tables import RawRow
from faithview.formats.rows.contexts import DASHES, find_separators

_MARKED = ("One chunk.\n---\nAnother.\n---\nA third.", "Only two.\n---\nHere.", "Two.\n---\n\nAgain.", "A lone one.")


def _find(*cells: object) -> dict[str, tuple[int, int]] | None:
    return find_separators(["ctx"], [RawRow(line=n, values={"ctx": cell}) for n, cell in enumerate(cells, start=1)])


def test_separators_are_found_with_the_chunks_that_they_make() -> None:
    assert _find(*_MARKED) == {DASHES: (1, 3), "\n": (1, 5)}
    assert _find("One.\n\nTwo.", "One.\n\nTwo.\n\nThree.") == {"\n\n": (2, 3), "\n": (2, 3)}


def test_what_splits_few_cells_is_not_offered() -> None:
    assert _find("A | B", "One.", "Two.") == {}


@pytest.mark.parametrize("cell", ['["A list.", "Of two."]', "['a' 'b']", ["a", "b"], None, "", "n/a", '{"text": "a"}'])
def test_cells_that_are_no_plain_text_have_no_separator(cell: object) -> None:
    assert _find(cell, cell) is None


@pytest.mark.parametrize("cell", ["| a | b |\n|---|---|\n| 1 | 2 |\nIt is so.", "---\ntitle: x\n---\nIt is so."])
def test_dashes_of_a_table_or_of_a_documents_head_separate_no_chunks(cell: str) -> None:
    assert DASHES not in (_find(cell, cell) or {})
