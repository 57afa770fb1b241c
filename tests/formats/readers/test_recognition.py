"""Each file of the folder belongs to the reader it is named after, ahead of all others, in any order of its columns."""

import csv
import io
import json
from pathlib import Path

import pytest

from faithview.formats.readers.registry import READERS
from faithview.services.dataset_files import open_dataset
from tests.formats.readers.reading import FILES, SEEDS, files_beside

# Further than this ahead nobody is asked which of two formats it is (`formats/readers/registry.py`).
_MARGIN = 0.03
_WITHOUT_FILES = {"faithview", "labelled", "canonical"}  # their tests make their own


def _reader_of(path: Path) -> str:
    """Return the reader's name that the file's name, or that of its folder, begins with."""
    name = path.relative_to(FILES).parts[0].replace("_", "-")
    known = [reader.name for reader in READERS if name.startswith(reader.name.replace("_", "-"))]
    assert known, f"{name} is named after no reader"
    return max(known, key=len)


# promptfoo's table has the columns of a prompt behind it.
_IN_ORDER = ("promptfoo-0.121.csv",)


def _reversed(value: object) -> object:
    if isinstance(value, dict):
        return {key: _reversed(inner) for key, inner in reversed(value.items())}
    return [_reversed(item) for item in value] if isinstance(value, list) else value


def _shuffled(path: Path) -> bytes | None:
    """Return the file with its columns and keys in reverse order; None for files whose columns have none."""
    if path.name in _IN_ORDER:
        return None
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
    for content in (path, _shuffled(path)):
        if content is None:
            continue
        found = open_dataset(content, name=path.name, others=files_beside(path)).detection
        assert found.reader.name == _reader_of(path)
        if found.runner_up is not None:
            assert found.runner_up.schema == "canonical"
            assert found.confidence - found.runner_up.score >= _MARGIN


def test_every_reader_has_a_file() -> None:
    assert {reader.name for reader in READERS} - {_reader_of(path) for path in SEEDS} == _WITHOUT_FILES
