"""Which runs of a series are compared where nobody names any."""

import pytest

from faithview import Result, Sample
from faithview.domain.run import RunStatus
from faithview.domain.series import CHECKED_ANSWERS
from faithview.services.comparison.baselines import find_pair, find_previous
from faithview.services.container import Store
from faithview.store import runs
from tests.factories import NOW, S, make_claim, make_row, make_run, store_rows

CHUNKS = {"a": "So it is."}
SERIES = "Help"


def _rows(*questions: str) -> list[tuple[Sample, Result]]:
    return [make_row(CHUNKS, make_claim("So it is.", S, "a"), question=question) for question in questions]


def _pair(services: Store, series: str | None = SERIES) -> tuple[str, str] | None:
    pair = find_pair(services, series)
    return None if pair is None else (pair[0].run_id, pair[1].run_id)


def test_the_two_newest_comparable_runs_are_a_pair(services: Store) -> None:
    assert _pair(services) is None
    for week, name in enumerate(("oldest", "older", "newest")):
        store_rows(services, name, _rows("A?", "B?"), week=week, series=SERIES)
    store_rows(services, "other judge", _rows("A?", "B?"), week=3, series=SERIES, fingerprint="other")
    store_rows(services, "other questions", _rows("C?", "D?"), week=4, series=SERIES)
    store_rows(services, "other series", _rows("A?", "B?"), week=5, series="Other")
    assert _pair(services) == ("older", "newest")
    assert _pair(services, "Other") is None


def test_repeats_and_unfinished_runs_are_in_no_pair(services: Store) -> None:

    store_rows(services, "a", _rows("A?"), series=SERIES)
    repeat = make_run("r", series=SERIES, repeat_of="a", status=RunStatus.COMPLETE)
    runs.create_run(services.db, repeat, [sample for sample, _ in _rows("A?")])
    runs.create_run(services.db, make_run("p", series=SERIES), [sample for sample, _ in _rows("A?")])
    assert _pair(services) is None
    assert runs.count_runs(services.db, series=SERIES) == 3


def test_runs_by_two_judges_are_a_pair_where_no_judge_has_two(services: Store) -> None:
    store_rows(services, "a", _rows("A?"), series=SERIES)
    store_rows(services, "b", _rows("A?"), week=1, series=SERIES, fingerprint="other")
    assert _pair(services) == ("a", "b")


@pytest.mark.parametrize("series", [SERIES, None])
def test_runs_without_shared_questions_are_no_pair(services: Store, series: str | None) -> None:
    store_rows(services, "a", _rows("A?"), series=SERIES)
    store_rows(services, "b", _rows("B?"), week=1, series=SERIES)
    assert _pair(services, series) is None


def test_checked_answers_are_no_pair(services: Store) -> None:
    store_rows(services, "a", _rows("A?"), series=CHECKED_ANSWERS)
    store_rows(services, "b", _rows("A?"), week=1, series=CHECKED_ANSWERS)
    assert _pair(services, CHECKED_ANSWERS) is None
    assert _pair(services, None) is None


def test_the_previous_run_is_of_the_same_series(services: Store) -> None:
    store_rows(services, "a", _rows("A?"), series=SERIES)
    store_rows(services, "b", _rows("A?"), week=1, series="Other")
    last = store_rows(services, "c", _rows("A?"), week=2, series=SERIES)
    previous = find_previous(services, last)
    assert previous is not None
    assert previous.run_id == "a"
    assert last.as_of > NOW
