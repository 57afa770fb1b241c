"""Ugly files: each is read, with a reason for every row that is not, or refused by a sentence about its fault."""

import gzip
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from faithview.domain.errors import FaithViewError
from faithview.services.dataset_files import open_dataset
from tests.formats.made_files import as_json, as_jsonl, as_parquet, as_xlsx

HEADER = "question,answer,contexts\n"
ROW: dict[str, object] = {"question": "When?", "answer": "At nine.", "contexts": "It opens at nine."}
LINE = "When?,At nine.,It opens at nine.\n"
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(1000)


def _large_list(path: Path) -> None:
    row = json.dumps({**ROW, "contexts": ["It opens at nine. " * 1_000]}) + ",\n"
    with path.open("w") as stream:
        stream.write("[\n")
        for _ in range(300_000_000 // len(row)):
            stream.write(row)
        stream.write(json.dumps(ROW) + "]\n")


def _gzip_bomb(path: Path) -> None:
    with gzip.open(path, "wb") as stream:
        stream.write(HEADER.encode())
        for _ in range(200):
            stream.write(LINE.encode() * 30_000)


def _zip_bomb(path: Path) -> None:
    path.write_bytes(as_xlsx([ROW]))
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive, archive.open("xl/large.xml", "w") as stream:
        for _ in range(200):
            stream.write(bytes(1 << 20))


def _titled(path: Path) -> None:
    path.write_text(f"Evaluation of March,,\n{HEADER}{LINE}")


# A file's name; its bytes, or what writes it; how many rows are read, and how many refused or what the sentence names.
UGLY: dict[str, tuple[str, bytes | Callable[[Path], object], int, int | str]] = {
    "wrong encoding": ("a.csv", f"{HEADER}Où ?,Près de l’église.,L’été\n".encode("cp1252"), 1, 0),
    "UTF-8 with one broken byte": ("a.csv", f"{HEADER}Où ?,Ici.,".encode() + b"\xe9t\xe9\n", 0, "not UTF-8"),
    "unclosed quote": ("a.csv", f'{HEADER}{LINE}When?,"At nine.,It opens.\n{LINE}{LINE}'.encode(), 0, "line 3"),
    "quote inside a quoted cell": ("a.csv", f'{HEADER}{LINE}When?,"At "nine".",It opens.\n{LINE}'.encode(), 2, 1),
    "title row": ("a.csv", _titled, 1, 0),
    "one row per chunk": ("a.csv", f"{HEADER}{LINE}When?,At nine.,Closed on Mondays.\n".encode(), 1, 0),
    "JSON list of 300 MB": ("a.json", _large_list, 16_609, 0),
    "gzip bomb": ("a.csv.gz", _gzip_bomb, 0, "unpacks to over"),
    "ZIP bomb": ("a.xlsx", _zip_bomb, 0, "unpacks to over"),
    "truncated parquet": ("a.parquet", as_parquet([ROW])[:-20], 0, "truncated parquet"),
    "truncated gzip": ("a.csv.gz", gzip.compress(f"{HEADER}{LINE * 50}".encode())[:-12], 0, "truncated gzip"),
    "password-protected xlsx": ("a.xlsx", OLE + "EncryptedPackage".encode("utf-16-le"), 0, "password"),
    "old .xls": ("a.xls", OLE, 0, ".xls"),
    "PDF named .csv": ("a.csv", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj", 0, "PDF"),
    "empty file": ("a.csv", b"", 0, "empty"),
    "header only": ("a.csv", HEADER.encode(), 0, "no rows"),
    "duplicate headers": ("a.csv", b"question,answer,answer,contexts\nWhen?,At nine.,At ten.,It opens.\n", 1, 0),
    "NUL bytes": ("a.csv", f"{HEADER}{LINE}When?,At \0nine.,It opens.\n".encode(), 1, 1),
    "JSON with a trailing comma": ("a.json", as_json([ROW])[:-2] + b",\n]", 0, "JSON"),
    "JSON that is cut off": ("a.json", as_json([ROW, ROW])[:-20], 0, "truncated JSON"),
    "JSONL with one broken line": ("a.jsonl", as_jsonl([ROW]) + b'{"answer": "At\n' + as_jsonl([ROW]), 2, 1),
    "a number of 5,000 digits": ("a.json", as_json([ROW])[:-3] + b', "n": ' + b"9" * 5_000 + b"}]", 1, 0),
    "mixed line ends": ("a.csv", f"{HEADER}{LINE[:-1]}\r\n{LINE[:-1]}\r{LINE}".encode(), 3, 0),
    "a folder": ("folder", lambda path: path.mkdir(), 0, "is a folder"),
}  # fmt: skip


def write_ugly(fault: str, folder: Path) -> Path:
    """Write the file with this fault into a folder and return its path."""
    name, content, *_ = UGLY[fault]
    path = folder / name
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        content(path)
    return path


_SLOW = "JSON list of 300 MB"


@pytest.mark.parametrize(
    "fault", [fault for fault in UGLY if fault != _SLOW] + [pytest.param(_SLOW, marks=pytest.mark.process)]
)
def test_an_ugly_file_is_read_or_refused_by_its_fault(fault: str, tmp_path: Path) -> None:
    path = write_ugly(fault, tmp_path)
    *_, rows, refused = UGLY[fault]
    if isinstance(refused, str):
        with pytest.raises(FaithViewError, match=r"^[^\n]{10,300}[.?]$") as caught:
            open_dataset(path).read()
        assert refused in str(caught.value)
        assert path.name in str(caught.value)
        return
    report = open_dataset(path).as_guessed().survey().report
    assert (report.usable, report.problem_count) == (rows, refused)
    assert all(problem.reason and problem.line for problem in report.problems)
