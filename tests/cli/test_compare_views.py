"""`faithview compare` and `faithview slices` under --view: whose figures they are, and which of them a gate uses."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from faithview.services.container import Store
from tests.cli.conftest import Command
from tests.factories import (
    N,
    S,
    draw_check,
    label_check,
    make_claim,
    make_row,
    open_services,
    say,
    store_rows,
)

_ANSWERS = 40


@pytest.fixture
def services(store: Path) -> Iterator[Store]:
    """Two runs of the same answers with the same verdicts."""
    store.parent.mkdir()
    with open_services(store) as built:
        for week, run_id in enumerate(("old", "new")):
            rows = [
                make_row(
                    {"doc": f"Room {n} is open."},
                    make_claim(f"Room {n} is open.", S, "doc"),
                    make_claim(f"Room {n} is blue.", N),
                    question=f"What of room {n}?",
                    key=f"q{n}",
                )
                for n in range(_ANSWERS)
            ]
            store_rows(built, run_id, rows, week=week)
        yield built


def _check(services: Store, run_id: str, *, wrong: int) -> None:
    """Label a spot-check of nearly all claims; of the first so many answers no claim is supported."""
    number = 2 * _ANSWERS - 4
    check = draw_check(services, run_id, size=number, name=run_id)
    label_check(services, check, lambda item: S if item.drawn.claim_number == 1 and item.drawn.row > wrong else N)


@pytest.mark.parametrize("view", ["reviewed", "corrected"])
def test_labels_on_one_run_fail_no_gate(faithview: Command, services: Store, view: str) -> None:
    for row in range(1, _ANSWERS + 1):
        say(services, "new", row, 2, "supported")
    done = faithview("compare", "new", "old", "--view", view, "--fail-on-regression")
    assert done.status == 0
    assert "0 claims of the candidate have labels, 40 of the baseline" in done.err
    assert "It is not known whether the " in done.err
    assert "1.00 -> 0.50, −0.500, not tested because the runs are not labelled in the same way" in done.out
    document = faithview("compare", "new", "old", "--view", view, "--json").document
    assert (document["view"], document["requested_view"]) == ("reviewed", view)
    assert (document["delta"], document["p_value"], document["delta_ci"]) == (-0.5, None, None)
    assert [caution["code"] for caution in document["cautions"]] == ["unbalanced_labels"]
    # By the judge's verdicts the two are the same.
    assert "p 1.00" in faithview("compare", "new", "old").out


def test_the_gate_of_the_corrected_view_is_about_the_corrected_scores(faithview: Command, services: Store) -> None:
    _check(services, "old", wrong=0)
    done = faithview("compare", "old", "new", "--view", "corrected", "--fail-on-regression")
    assert done.status == 0
    assert "whole runs\n  corrected     not known. The candidate has no spot-check" in done.out
    assert "pairs of answers, verdicts reviewed\n" in done.out
    _check(services, "new", wrong=20)
    done = faithview("compare", "old", "new", "--view", "corrected", "--fail-on-regression")
    assert done.status == 1
    assert "faithview: the corrected score fell: 0.50 -> 0.2" in done.err
    corrected = faithview("compare", "old", "new", "--view", "corrected", "--json").document["corrected"]
    assert corrected["is_significant"]
    assert corrected["ci"][0] < corrected["estimate"] < corrected["ci"][1] < 0
    # The other way round it rose.
    done = faithview("compare", "new", "old", "--view", "corrected", "--fail-on-regression")
    assert done.status == 0
    assert "note: No regression of the corrected score: 0.2" in done.err


def test_slices_of_the_corrected_view_are_reviewed_and_say_so(faithview: Command, services: Store) -> None:
    done = faithview("slices", "new", "--view", "corrected")
    assert "so a slice has none. These figures are reviewed" in done.err
    assert "Verdicts reviewed: " in done.out
    document = faithview("slices", "new", "--view", "corrected", "--json").document
    assert (document["view"], document["requested_view"]) == ("reviewed", "corrected")
    assert faithview("slices", "new").err == ""
