"""`faithview import`, and what every reading command says of a file: preview, questions, dates, standard input."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Command

RAGAS: list[dict[str, Any]] = [
    {"user_input": "q1", "response": "It is 330 m.", "retrieved_contexts": "['It is 330 m.']", "faithfulness": 1.0},
    {"user_input": "q2", "response": "In 1887.", "retrieved_contexts": "['It opened in 1889.']", "faithfulness": ""},
]


def _file(path: Path, rows: list[dict[str, Any]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def test_results_become_a_run_without_judging(faithview: Command, tmp_path: Path) -> None:
    done = faithview("import", _file(tmp_path / "ragas.csv", RAGAS), "--json")
    assert done.status == 3  # it has a failed row
    document = done.document
    assert (document["name"], document["judge"], document["method"]) == ("ragas (judged by Ragas)", "Ragas", "imported")
    assert (document["faithfulness"], document["states"]["judged"], document["states"]["failed"]) == (1.0, 1, 1)
    assert document["llm_calls"] == 0
    assert "read as: Ragas." in done.err
    assert "1 row came without a usable result" in done.err
    again = faithview("resume", document["run_id"], "--retry-failed")
    assert (again.status, "whose results were imported" in again.err) == (2, True)


def test_a_preview_shows_what_is_taken_for_what_and_stores_nothing(
    faithview: Command, tmp_path: Path, store: Path
) -> None:
    file = _file(tmp_path / "ragas.csv", RAGAS)
    shown = faithview("import", file, "--preview")
    assert shown.status == 0
    for text in (
        "Ragas",
        "score         'faithfulness'",
        "It is 330 m.",
        "gave this answer",
    ):
        assert text in shown.out
    document = faithview("evaluate", file, "--preview", "--json").document
    assert document["fields"] == {
        "question": "user_input",
        "answer": "response",
        "contexts": ["retrieved_contexts"],
    }
    (chunk,) = document["rows"][0]["sample"]["chunks"]
    assert (chunk["chunk_id"], chunk["text"]) == ("1", "It is 330 m.")
    assert not store.exists()


def test_what_is_ambiguous_is_asked_and_the_answer_is_named(faithview: Command, tmp_path: Path, store: Path) -> None:
    file = _file(tmp_path / "x.csv", [{"answer": "a", "context": "c", "grounded": "yes", "faithful_label": "no"}])
    asked = faithview("import", file)
    assert asked.status == 2
    assert "Say which with --map score=grounded or --map score=faithful_label." in asked.err
    assert not store.exists()
    assert "question: 'grounded' and" in faithview("import", file, "--preview").err
    assert faithview("import", file, "--map", "score=grounded", "--json").document["faithfulness"] == 1.0


def test_a_file_can_come_from_standard_input(
    faithview: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = _file(tmp_path / "ragas.csv", RAGAS).read_bytes()
    for command in ("import", "evaluate"):
        stream = io.TextIOWrapper(io.BytesIO(content))
        monkeypatch.setattr("sys.stdin", stream)
        done = faithview(command, "-", "--judge" if command == "evaluate" else "--name", "lexical", "--json")
        # One row came without a score: a run with a failed row.
        assert (done.status, done.document["rows"]) == (3 if command == "import" else 0, 2)


def _dates(tmp_path: Path, dates: list[str]) -> Path:
    rows = [{"question": f"q{n}", "answer": "a", "context": "a", "date": date} for n, date in enumerate(dates)]
    return _file(tmp_path / "dates.csv", rows)


def _times(faithview: Command, tmp_path: Path, run: dict[str, Any]) -> list[str | None]:
    out = tmp_path / "out.jsonl"
    assert faithview("export", run["run_id"], "--format", "jsonl", "-o", out).status == 0
    return [json.loads(line)["timestamp"] for line in out.read_text(encoding="utf-8").splitlines()]


def test_the_order_of_day_and_month_is_decided_for_the_whole_column(faithview: Command, tmp_path: Path) -> None:
    file = _dates(tmp_path, ["03/04/2026", "12/31/2025", "01/02/2026"])
    done = faithview("evaluate", file, "--judge", "lexical", "--json")
    assert "days and months are month first" in done.err
    assert _times(faithview, tmp_path, done.document) == [
        "2026-03-04T00:00:00+00:00",
        "2025-12-31T00:00:00+00:00",
        "2026-01-02T00:00:00+00:00",
    ]


@pytest.mark.parametrize(
    ("option", "first"),
    [("day-first", "2026-04-03T00:00:00+00:00"), ("%m/%d/%Y", "2026-03-04T00:00:00+00:00"), (None, None)],
)
def test_dates_that_say_nothing_of_their_order_are_asked_about(
    faithview: Command, tmp_path: Path, option: str | None, first: str | None
) -> None:
    more = [] if option is None else ["--date-format", option]
    done = faithview("evaluate", _dates(tmp_path, ["03/04/2026"]), "--judge", "lexical", "--json", *more)
    assert _times(faithview, tmp_path, done.document) == [first]
    assert ("Add --date-format" in done.err) is (option is None)


def test_the_help_names_the_fields(faithview: Command) -> None:
    for command in ("evaluate", "import"):
        text = " ".join(faithview(command, "--help").out.split())
        for name in ("contexts", "context_ids", "timestamp", "hallucination", "context_separator", "score_range"):
            assert name in text
