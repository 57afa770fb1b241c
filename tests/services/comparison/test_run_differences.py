"""What differs between two runs, what is the same, and what the runs do not state."""

from collections.abc import Mapping
from dataclasses import replace

from faithview.domain.result import Result
from faithview.domain.sample import Sample
from faithview.services.comparison.run_differences import compare_settings, differences_words
from faithview.services.container import Store
from faithview.services.results import get_run
from tests.factories import S, make_claim, make_row, store_rows

_OPEN = {"open": "It opens at 9."}
_TWO = {**_OPEN, "park": "Parking is free."}


def _row(chunks: Mapping[str, str], key: str, **extra: str) -> tuple[Sample, Result]:
    sample, result = make_row(chunks, make_claim("It opens at 9.", S, "open"), key=key)
    return replace(sample, extra=extra), result


def test_settings_that_differ_that_are_the_same_and_that_are_unknown(services: Store) -> None:
    store_rows(services, "old", [_row(_OPEN, "a", model="small"), _row(_OPEN, "b", model="small")])
    store_rows(services, "new", [_row(_TWO, "a", model="[large](x)"), _row(_OPEN, "b", model="[large](x)")], week=1)
    found = compare_settings(services, get_run(services, "old"), get_run(services, "new"))
    assert found["model"] == ("small", "[large](x)")
    assert found["prompt"] == (None, None)
    assert found["top-k"] == ("1", "2")
    words = differences_words(found)
    assert words.startswith("**Differs:** model small → \\[large\\]")
    assert "top-k 1 → 2" in words
    assert "Same: judge, threshold." in words
    assert "Unknown: prompt" in words


def test_a_setting_that_one_run_states_is_unknown_with_its_value(services: Store) -> None:
    store_rows(services, "old", [_row(_OPEN, "a")])
    store_rows(services, "new", [_row(_OPEN, "a", model="large")], week=1)
    words = differences_words(compare_settings(services, get_run(services, "old"), get_run(services, "new")))
    assert words.startswith("**No known setting differs**. Same: ")
    assert "model before (now large)" in words
