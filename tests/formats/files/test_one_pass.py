"""Large files are read in one pass: nothing is begun again for each row."""

import io
import json
import zipfile
from typing import BinaryIO

import pytest

from faithview.formats import limits
from faithview.formats.files.source import Archive, Source
from faithview.formats.limits import load_item
from faithview.services.dataset_files import open_dataset


class _CountingSource(Source):
    """A file that counts how often it is opened."""

    opened = 0

    def open_seekable(self) -> BinaryIO:
        self.opened += 1
        return super().open_seekable()


def test_the_members_of_an_archive_are_read_with_its_directory_read_once() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for number in range(50):
            archive.writestr(f"samples/{number}.json", json.dumps({"number": number}))
    source = _CountingSource(packed.getvalue(), name="log.eval")
    opened = Archive(source)
    before = source.opened
    assert list(opened.each_json(opened.names)) == [{"number": number} for number in range(50)]
    assert source.opened == before + 1


def test_only_an_item_itself_is_held_against_the_limit_of_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(limits.VARIABLE, "values=40")
    rows: list[dict[str, object]] = [{"answer": "a", "contexts": ["c"], "n": number} for number in range(20)]
    text = json.dumps(rows)
    assert load_item(text, 1) == (rows[0], text.index("}") + 1)
    rows[7]["n"] = list(range(50))
    samples, report = open_dataset(json.dumps(rows).encode(), name="x").read()
    assert len(samples) == 19
    assert [(problem.line, "more than 40 values" in problem.reason) for problem in report.problems] == [(8, True)]
