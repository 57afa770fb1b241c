"""Documentation is told from prose by its markup."""

import pytest

from faithview.domain.sample import Chunk
from faithview.judges.embedded.markup import markup_share


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("# Fees\n\n- one\n2. two\n| a | b |\nplain words", 4 / 5),
        ("You can set **bold** words", 1.0),
        ("It rained. The 3 - 2 win pleased them.\nNothing else.", 0.0),
        (" \n", 0.0),
    ],
)
def test_lines_with_markup_are_counted_and_blank_ones_are_not(text: str, share: float) -> None:
    assert markup_share([Chunk(chunk_id="1", text=text)]) == share


def test_no_chunks_have_none() -> None:
    assert markup_share([]) == 0.0
