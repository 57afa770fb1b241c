"""Damaged files of tools end in rows or in one clear sentence, never in a traceback."""

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from faithview.domain.errors import FaithViewError
from faithview.services.dataset_files import open_dataset
from faithview.services.imports import find_results, preview_file, to_result
from tests.damage import cut, double, encode, flip
from tests.formats.readers.reading import SEEDS, files_beside

# Files of annotations, scores or right answers alone end in a sentence that says so, damaged or not; an archive
# whose checksum is wrong is refused whole.
_EACH = 8
_VALUES: tuple[object, ...] = (
    None,
    True,
    0,
    -1.5,
    1e308,
    "",
    "NaN",
    "[",
    "{'a': 1}",
    "\x00",
    "\ud800",
    [],
    [[]],
    {},
    {"text": 3},
)


def _swap(content: bytes, chance: random.Random) -> bytes:
    """Put a value of another type somewhere into JSON; anything else is flipped."""
    try:
        document = json.loads(content)
    except ValueError:
        return flip(content, chance)
    holders: list[tuple[object, object]] = []

    def collect(value: object) -> None:
        pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for key, item in pairs:
            holders.append((value, key))
            collect(item)

    collect(document)
    for _ in range(chance.randint(1, 4)):
        holder, key = chance.choice(holders)
        holder[key] = chance.choice(_VALUES)  # type: ignore[index]  # a list or a dict with this key
    return json.dumps(document).encode()


_MUTATIONS: tuple[Callable[[bytes, random.Random], bytes], ...] = (cut, flip, double, encode, _swap, _swap)


def _outcome(damaged: bytes, others: list[Path]) -> str:
    """Read a file as the command line would; return the sentence that refuses it, "" where it has rows."""
    try:
        dataset = open_dataset(damaged, name="file", others=others)
        preview_file(dataset, for_results=True)
        if not dataset.detection.has_results:
            dataset.read()
            return ""
        found = find_results(dataset)
    except FaithViewError as error:
        return str(error)
    for sample, judged in found.iterate():
        to_result(judged, sample, judge=found.judge, threshold=0.8)
    return ""


@pytest.mark.parametrize("path", SEEDS, ids=lambda path: path.name)
def test_a_damaged_file_ends_in_rows_or_in_one_sentence(path: Path) -> None:
    chance = random.Random(path.name)
    content = path.read_bytes()
    damaged = [chance.choice(_MUTATIONS)(content, chance) for _ in range(_EACH)]
    outcomes = [_outcome(item, files_beside(path)) for item in damaged]
    assert [text for text in outcomes if "\n" in text or (text and not text.endswith((".", "?")))] == []
