"""Which runs the compare page opens on where nobody names any: those around the last step that is more than chance."""

from faithview import Result, Sample
from faithview.services.container import Store
from faithview.services.run_pairs import find_default_pair
from tests.factories import N, S, make_claim, make_row, store_rows

CHUNKS = {"a": "So it is."}
SERIES = "Help"
_ANSWERS = 40


def _rows(wrong: int) -> list[tuple[Sample, Result]]:
    """Answers of one claim each, of which so many are not supported."""
    return [
        make_row(CHUNKS, make_claim("So it is.", N if at < wrong else S, "a"), question=f"{at}?", key=str(at))
        for at in range(_ANSWERS)
    ]


def _store(services: Store, *wrong: int, fingerprint: str = "lexical/1", first: int = 0) -> None:
    for week, number in enumerate(wrong, start=first):
        store_rows(services, f"week {week}", _rows(number), week=week, series=SERIES, fingerprint=fingerprint)


def _pair(services: Store) -> tuple[str, str, bool] | None:
    found = find_default_pair(services, SERIES)
    return None if found is None else (found.baseline.run_id, found.candidate.run_id, found.is_step)


def test_the_last_step_that_is_more_than_chance_is_the_pair(services: Store) -> None:
    assert _pair(services) is None
    _store(services, 1, 20, 2, 1, 2)
    assert _pair(services) == ("week 1", "week 2", True)


def test_without_such_a_step_the_newest_two_runs_are_the_pair(services: Store) -> None:
    _store(services, 1, 2, 1)
    assert _pair(services) == ("week 1", "week 2", False)


def test_a_step_from_one_judge_to_another_is_none(services: Store) -> None:
    _store(services, 1, 2)
    _store(services, 30, 30, fingerprint="other", first=2)
    assert _pair(services) == ("week 2", "week 3", False)
