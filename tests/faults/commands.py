"""The commands that use a store, those that only look and those that change something, over a store with three runs."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROWS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Files:
    """Files that the commands read, and the folder that they write into."""

    folder: Path
    rows: Path
    results: Path
    labels: Path
    documents: Path


def prepare(folder: Path, run: Callable[..., object]) -> Files:
    """Write the files and fill the store: `run("evaluate", ...)` is the command line over it."""
    row = {"question": "When does it open?", "contexts": ["It opens at nine. Parking is free."]}
    rows = [{"id": str(n), **row, "answer": f"It opens at {n}. Parking is free."} for n in range(ROWS)]
    files = Files(
        folder=folder,
        rows=_write(folder / "rows.jsonl", rows),
        results=_write(folder / "results.jsonl", [{**row, "faithfulness": 1.0} for row in rows]),
        labels=folder / "labels.jsonl",
        documents=_write(folder / "documents.jsonl", [{"id": "1", "text": "It opens at nine."}]),
    )
    for name in ("a", "b"):
        run("evaluate", files.rows, "--judge", "lexical", "--name", name)
    run("import", files.results, "--name", "i")
    exported = folder / "a.jsonl"
    run("export", "a", "--format", "jsonl", "-o", exported)
    claims = [json.loads(line)["claims"][0]["claim_id"] for line in exported.read_text("utf-8").splitlines()[:3]]
    _write(files.labels, [{"claim_id": claim, "verdict": "supported", "reviewer": "ann"} for claim in claims])
    return files


def looking(files: Files) -> list[tuple[object, ...]]:
    """Return the commands that change nothing."""
    return [
        ("runs", "--json"),
        ("show", "a", "--json"),
        ("compare", "a", "b", "--json"),
        ("slices", "a"),
        ("report", "a", "-o", files.folder / "report.html"),
        ("export", "a", "--format", "csv", "-o", files.folder / "a.csv"),
        ("labels", "a"),
        ("agreement", "a"),
        ("series", "list"),
        ("spot-check", "list"),
        ("event", "list"),
        ("alert", "list"),
        ("kb", "list"),
        ("db", "check"),
    ]


def changing(files: Files) -> list[tuple[object, ...]]:
    """Return the commands that change something."""
    return [
        ("evaluate", files.rows, "--judge", "lexical", "--name", "c"),
        ("import", files.results, "--name", "j"),
        ("resume", "a"),
        ("resume", "a", "--retry-failed"),
        ("rejudge", "a", "--judge", "lexical"),
        ("watch", "--once"),
        ("note", "a", "text"),
        ("archive", "b"),
        ("restore", "b"),
        ("rename", "b", "new"),
        ("label", "a", files.labels),
        ("spot-check", "draw", "a", "--size", "5"),
        ("event", "add", "New prompt", "--at", "2026-01-01T00:00:00Z"),
        ("alert", "add", "--below", "0.5"),
        ("kb", "add", "v2", files.documents),
        ("delete", "i", "--yes"),
    ]


def _write(path: Path, rows: Sequence[Mapping[str, object]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path
