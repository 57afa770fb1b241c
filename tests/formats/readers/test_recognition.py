"""Each file of the folder belongs to the reader it is named after, and to no other, in any order of its columns."""

import csv
import io
import json
from pathlib import Path

import pytest

from faithview.formats.read import open_table
from faithview.formats.readers.registry import READERS
from faithview.services.dataset_files import open_dataset
from tests.formats.readers.reading import FILES, SEEDS, files_beside

_WITHOUT_FILES = {"faithview", "labelled", "canonical"}  # their tests make their own


def _reader_of(path: Path) -> str:
    """Return the reader's name that the file's name, or that of its folder, begins with."""
    name = path.relative_to(FILES).parts[0].replace("_", "-")
    known = [reader.name for reader in READERS if name.startswith(reader.name.replace("_", "-"))]
    assert known, f"{name} is named after no reader"
    return max(known, key=len)


def _reversed(value: object) -> object:
    if isinstance(value, dict):
        return {key: _reversed(inner) for key, inner in reversed(value.items())}
    return [_reversed(item) for item in value] if isinstance(value, list) else value


def _shuffled(path: Path) -> bytes | None:
    """Return the file with its columns and keys in reverse order; None for files whose columns have none."""
    if path.suffix == ".csv":
        rows = list(csv.reader(io.StringIO(path.read_text(encoding="utf-8"))))
        out = io.StringIO()
        csv.writer(out).writerows(row[::-1] for row in rows)
        return out.getvalue().encode()
    if path.suffix not in (".json", ".jsonl"):
        return None
    text = path.read_text(encoding="utf-8")
    try:
        return json.dumps(_reversed(json.loads(text))).encode()
    except ValueError:
        return "".join(json.dumps(_reversed(json.loads(line))) + "\n" for line in text.splitlines()).encode()


@pytest.mark.parametrize("path", SEEDS, ids=lambda path: path.name)
def test_a_file_is_recognised_by_its_own_reader_only(path: Path) -> None:
    others = [reader for reader in READERS if reader.name not in (_reader_of(path), "canonical")]
    for content in (path, _shuffled(path)):
        if content is not None:
            assert open_dataset(content, name=path.name, others=files_beside(path)).detection.reader.name == _reader_of(
                path
            )
            # So the order of the readers, of which the first one wins, decides nothing for it.
            table = open_table(content, name=path.name, others=files_beside(path))
            assert [reader.name for reader in others if reader.recognise(table)] == []


def test_every_reader_has_a_file() -> None:
    assert {reader.name for reader in READERS} - {_reader_of(path) for path in SEEDS} == _WITHOUT_FILES
