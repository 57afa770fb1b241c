"""Which series a run joins, and runs moved to another."""

from dataclasses import replace
from datetime import timedelta

import pytest

from faithview import Sample
from faithview.domain.content_hashes import context_hash
from faithview.domain.pairing import Answer
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


def test_runs_over_the_same_questions_are_one_series_and_others_begin_their_own(db: Database) -> None:
    _store(db, "r1", HELP, name="Help w42")
    _store(db, "r2", SPORT, name="Sport", days=1)
    _store(db, "r3", [replace(s, question=f"  {(s.question or '').upper()}") for s in HELP], name="Help w43", days=2)
    assert _series_of(db) == {"r1": "Help", "r2": "Sport", "r3": "Help"}
    assert [(s.name, s.runs) for s in series.list_series(db)] == [("Help", 2), ("Sport", 1)]
    assert series.list_series(db)[0].newest_at == NOW + timedelta(days=2)


def test_the_returned_run_is_the_stored_one(db: Database) -> None:
    run = _store(db, "r1", HELP)
    assert run.series == "r1"
    assert runs.get_run(db, "r1", now=NOW).series == "r1"


@pytest.mark.parametrize(("shared", "name"), [(4, "A"), (2, "A"), (1, "B")])
def test_half_of_the_smaller_run_has_to_be_shared(db: Database, shared: int, name: str) -> None:
    _store(db, "r1", HELP, name="A")
    others = _samples("One?", "Two words?", "Three more words?", "Four is enough?")
    _store(db, "r2", [*HELP[:shared], *others[: 4 - shared]], name="B")
    assert _series_of(db)["r2"] == name


def test_a_few_rows_of_the_data_belong_to_its_series_and_the_whole_to_that_of_a_few(db: Database) -> None:
    _store(db, "r1", HELP, name="A")
    _store(db, "r2", HELP[:1], name="B", days=1)
    _store(db, "r3", HELP, name="C", days=2)
    assert set(_series_of(db).values()) == {"A"}


def test_the_newest_run_of_a_series_says_what_it_is_over(db: Database) -> None:
    _store(db, "r1", HELP, name="A")
    _store(db, "r2", SPORT, series="A", days=1)
    _store(db, "r3", HELP, name="C", days=2)
    assert _series_of(db)["r3"] == "C"


def test_of_several_series_the_one_that_shares_most_is_joined(db: Database) -> None:
    _store(db, "r1", HELP[:2], name="few")
    _store(db, "r2", [*HELP[:1], *SPORT], series="mixed", days=1)
    _store(db, "r3", HELP[:2], name="new", days=2)
    assert _series_of(db)["r3"] == "few"


def test_ids_count_where_the_questions_are_reworded_but_not_where_they_are_others(db: Database) -> None:
    _store(db, "r1", _samples("How do I share a folder?", "Who may invite guests?", keys="q"), name="A")
    _store(db, "r2", _samples("How do I share a folder with you?", "Who may invite other guests?", keys="q"), name="B")
    _store(db, "r3", _samples("Which team won the cup in 1954?", "How long is a marathon?", keys="q"), name="C")
    assert _series_of(db) == {"r1": "A", "r2": "A", "r3": "C"}


def test_row_numbers_are_no_ids_and_answers_without_questions_go_by_their_chunks(db: Database) -> None:
    first = [Sample.of("A summary.", ["The report of March."]), Sample(answer="Bare.")]
    other = [Sample.of("A summary.", ["The report of May."]), Sample(answer="Bare.")]
    _store(db, "r1", first, name="A")
    _store(db, "r2", other, name="B")
    _store(db, "r3", first, name="C")
    assert _series_of(db) == {"r1": "A", "r2": "B", "r3": "A"}


def test_checked_answers_are_joined_by_none_and_their_name_is_nobody_else_s(db: Database) -> None:
    _store(db, "r1", HELP[:1], series=CHECKED_ANSWERS)
    _store(db, "r2", HELP[:1], name="mine")
    _store(db, "r3", SPORT, name=CHECKED_ANSWERS)
    assert _series_of(db) == {"r1": CHECKED_ANSWERS, "r2": "mine", "r3": f"{CHECKED_ANSWERS} (2)"}
    assert [s.name for s in series.list_series(db)][-1] == CHECKED_ANSWERS


def test_two_data_sets_of_one_name_are_two_series(db: Database) -> None:
    _store(db, "r1", HELP, name="answers")
    _store(db, "r2", SPORT, name="answers (2)")
    assert _series_of(db) == {"r1": "answers", "r2": "answers (2)"}


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
    assert series.move_runs(db, ["r1"], "B") == 2
    assert _series_of(db) == {"r1": "B", "r2": "B", "r3": "A"}
    assert runs.get_run(db, "r1", now=NOW).revision == replace(first, revision=1).revision
    assert series.move_runs(db, ["r1"], "B") == 0


def test_a_series_is_renamed_and_joined_to_another(db: Database) -> None:
    _store(db, "r1", HELP, series="A")
    _store(db, "r2", SPORT, series="B")
    assert series.rename_series(db, "A", "C") == 1
    assert series.rename_series(db, "B", "C") == 1
    assert set(_series_of(db).values()) == {"C"}
    assert series.rename_series(db, "A", "D") == 0


def test_a_file_with_the_questions_of_a_series_and_other_ids_does_not_join_it(db: Database) -> None:
    questions = [str(sample.question) for sample in HELP]
    _store(db, "r1", _samples(*questions, keys="kb-"), name="Help centre")
    bench = _samples(*questions, keys="bench/extra-")
    placed = series.find_placement(db, "labelled", _answers(bench))
    assert (placed.series, placed.joins, placed.alike, placed.share) == ("labelled", False, "Help centre", 1.0)
    run = _store(db, "r2", bench, name="labelled")
    assert run.series == "labelled"
    again = series.explain_placement(db, run)
    assert (again.joins, again.alike) == (False, "Help centre")
    # The same ids join it, and so does a part of them.
    later = _store(db, "r3", _samples(*questions, keys="kb-")[:2], name="later", days=1)
    assert later.series == "Help centre"
    assert series.explain_placement(db, later).by_ids


def test_a_file_without_ids_does_not_join_a_series_that_has_them(db: Database) -> None:
    questions = [str(sample.question) for sample in HELP]
    _store(db, "r1", _samples(*questions, keys="kb-"), name="A")
    placed = series.find_placement(db, "B", _answers(HELP))
    assert (placed.series, placed.alike) == ("B", "A")
    _store(db, "r2", HELP, name="C")
    assert _series_of(db)["r2"] == "C"
    unnamed = series.find_placement(db, "D", _answers(HELP))
    assert (unnamed.series, unnamed.joins, unnamed.by_ids) == ("C", True, False)


def _answers(samples: list[Sample]) -> list[Answer]:
    return [
        Answer(
            row=row,
            key=sample.key or str(row),
            question=sample.question,
            context_hash=context_hash(sample.chunk_hashes.values()),
        )
        for row, sample in enumerate(samples, start=1)
    ]
