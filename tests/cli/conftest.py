"""The command line, run in this process."""

import io
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from faithview.cli.main import main
from tests.vendor import Vendor, configured


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a command ended and what it printed."""

    status: int
    out: str
    err: str

    @property
    def document(self) -> dict[str, Any]:
        """The one JSON document on standard output, without its version, which comes first."""
        document: dict[str, Any] = json.loads(self.out)
        assert next(iter(document.items())) == ("schema_version", 1)
        return {name: value for name, value in document.items() if name != "schema_version"}


Command = Callable[..., Outcome]


class Terminal(io.StringIO):
    """Standard input as somebody types it."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Where the store is to be; it does not exist yet."""
    return tmp_path / "store" / "faithview.db"


@pytest.fixture
def vendor(monkeypatch: pytest.MonkeyPatch) -> Iterator[Vendor]:
    """A vendor's server that answers sensibly, where the SDKs look for it."""
    with configured(monkeypatch) as started:
        yield started


@pytest.fixture
def faithview(store: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """`faithview("run", "list", "--json")` as a user would run it, on a store of the test's own."""
    monkeypatch.setenv("FAITHVIEW_DB", f"sqlite:///{store}")

    def run(*arguments: object) -> Outcome:
        monkeypatch.setattr(sys, "argv", ["faithview", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        return Outcome(status=int(ended.value.code or 0), out=out, err=err)

    return run


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    """A file of three answers: right, wrong, and an abstention."""
    rows = [
        {
            "id": "a",
            "question": "When?",
            "answer": "The office opens at 9 am.",
            "team": "north",
            "note": "ключ",
            "contexts": ["The office opens at 9 am.", "Parking is free."],
        },
        {
            "id": "b",
            "question": "Where?",
            "answer": "Parking costs 5 euros.",
            "team": "south",
            "note": None,
            "contexts": ["Parking costs 7 euros."],
        },
        {
            "id": "c",
            "question": "Who?",
            "answer": "The context does not say who.",
            "team": "south",
            "note": "",
            "contexts": ["Parking is free."],
        },
    ]
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path
