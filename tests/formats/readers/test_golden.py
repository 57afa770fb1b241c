"""What is read from each file of the folder `files` stays as its golden document says (see `golden.py`)."""

import json
from pathlib import Path

import pytest

from tests.formats.readers.golden import as_text, golden_path, read_document
from tests.formats.readers.reading import SEEDS


@pytest.mark.parametrize("seed", SEEDS, ids=lambda path: path.name)
def test_a_file_is_read_as_its_golden_document_says(seed: Path) -> None:
    golden = json.loads(golden_path(seed).read_text(encoding="utf-8"))
    assert json.loads(as_text(read_document(seed))) == golden
