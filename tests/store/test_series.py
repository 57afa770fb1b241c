"""Series: listed, and runs moved to another; on both engines."""

from dataclasses import replace
from datetime import timedelta

from faithview import Sample
from faithview.domain.run import Run
from faithview.domain.series import CHECKED_ANSWERS
from faithview.store import runs, series
from faithview.store.database import Database
from tests.factories import NOW, make_run


def _samples(*questions: str, keys: str = "") -> list[Sample]:
    return [
        Sample(answer=f"About {question}.", question=question, key=f"{keys}{number}" if keys else "")
        for number, question in enumerate(questions, start=1)
    ]


HELP = _samples("How do I share a folder?", "Who may invite guests?", "Where is my invoice?", "Can I pay by card?")
SPORT = _samples("Which team won the cup in 1954?", "How long is a marathon?", "Who invented basketball?")


def _store(db: Database, run_id: str, samples: list[Sample], *, days: int = 0, **fields: str) -> Run:
    run = make_run(run_id, as_of=NOW + timedelta(days=days), **fields)  # type: ignore[arg-type]  # texts only
    return runs.create_run(db, run, samples)


def _series_of(db: Database) -> dict[str, str]:
    return {run.run_id: run.series for run in runs.list_runs(db, now=NOW)}


def test_series_are_listed_with_the_newest_answers_first_and_checked_answers_last(db: Database) -> None:
    _store(db, "r1", HELP, series="Help")
    _store(db, "r2", SPORT, series="Sport", days=1)
    _store(db, "r3", HELP, series="Help", days=2)
    _store(db, "r4", HELP[:1], series=CHECKED_ANSWERS, days=3)
    assert [(s.name, s.runs) for s in series.list_series(db)] == [("Help", 2), ("Sport", 1), (CHECKED_ANSWERS, 1)]
    assert series.list_series(db)[0].newest_at == NOW + timedelta(days=2)


def test_runs_are_listed_and_counted_by_series(db: Database) -> None:
    _store(db, "r1", HELP, series="it's 100 %")
    _store(db, "r2", SPORT, days=1)
    assert [run.run_id for run in runs.list_runs(db, now=NOW, series="it's 100 %")] == ["r1"]
    assert (runs.count_runs(db), runs.count_runs(db, series="it's 100 %")) == (2, 1)
    assert runs.list_runs(db, now=NOW, series="\x00") == []


def test_runs_move_with_their_repeats_and_keep_their_revision(db: Database) -> None:
    first = _store(db, "r1", HELP, series="A")
    _store(db, "r2", HELP, series="A", repeat_of="r1")
    _store(db, "r3", HELP, series="A")
    assert series.move_run(db, "r1", "B") == 2
    assert _series_of(db) == {"r1": "B", "r2": "B", "r3": "A"}
    assert runs.get_run(db, "r1", now=NOW).revision == replace(first, revision=1).revision
    assert series.move_run(db, "r1", "B") == 0


def test_a_series_is_renamed_and_joined_to_another(db: Database) -> None:
    _store(db, "r1", HELP, series="A")
    _store(db, "r2", SPORT, series="B")
    assert series.rename_series(db, "A", "C") == 1
    assert series.rename_series(db, "B", "C") == 1
    assert set(_series_of(db).values()) == {"C"}
    assert series.rename_series(db, "A", "D") == 0
