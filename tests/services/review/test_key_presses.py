"""A press of a label key is answered once: it labels the claim of its mark, or it is refused with a reason."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from threading import Event

import pytest

from faithview.domain.claim import ClaimRef, Verdict
from faithview.domain.errors import FaithViewError, InvalidInput, NotFound
from faithview.domain.label import LabelKind
from faithview.domain.run import Run
from faithview.services.container import Store
from faithview.services.results import get_answer_at
from faithview.services.review import labels, queue
from faithview.services.review.key_presses import (
    CHANGED,
    UNDO,
    KeyPress,
    PressLog,
    do_marked,
    find_place,
    mark_claim,
    mark_found_claim,
    read_presses,
)
from faithview.services.review.labels import LabelProvenance
from faithview.store import spot_checks
from tests.factories import add_judged_run, draw_check, label_missed_claim, open_services, two_claim_samples

_ADA, _BEN = LabelProvenance(reviewer="Ada"), LabelProvenance(reviewer="Ben")


@pytest.fixture
def services(store_file: Path) -> Iterator[Store]:
    with open_services(store_file) as opened:
        yield opened


@pytest.fixture
def run(services: Store) -> Run:
    run = add_judged_run(services, two_claim_samples(3), "first")
    return run


def _mark(services: Store, run: Run, row: int, number: int) -> str:
    claim = get_answer_at(services, run.run_id, row).result.claims[number - 1]
    return mark_claim(run.run_id, row, number, claim.text)


def _press(sequence: int, action: str = "supported") -> KeyPress:
    return KeyPress(sequence=sequence, mark="m", action=action)


def test_a_mark_names_its_claim_and_the_label_goes_there(services: Store, run: Run) -> None:
    mark = _mark(services, run, 2, 2)
    assert find_place(mark) == ClaimRef(run_id=run.run_id, row=2, claim_number=2)
    do_marked(services, mark, "contradicted", _ADA)
    (label,) = labels.claim_history(services, run.run_id, 2)
    assert (label.claim_number, label.verdict, label.reviewer) == (2, Verdict.CONTRADICTED, "Ada")


def test_a_claim_that_is_another_one_by_now_is_not_labelled(services: Store, run: Run) -> None:
    with pytest.raises(InvalidInput, match=CHANGED):
        do_marked(services, mark_claim(run.run_id, 2, 2, "What it said before."), "supported", _ADA)
    assert not labels.claim_history(services, run.run_id, 2)


@pytest.mark.parametrize("ending", ["2:9:0000", "9:1:0000", "0:0:0000", "x:1:0", "1:found7:0", "1:²:0", "", ":::"])
def test_a_mark_of_no_claim_is_refused(services: Store, run: Run, ending: str) -> None:
    for mark in (f"{run.run_id}:{ending}", ending):
        with pytest.raises(FaithViewError):
            do_marked(services, mark, "supported", _ADA)
    with pytest.raises(NotFound):
        do_marked(services, None, "supported", _ADA)


def test_an_action_that_is_no_verdict_is_refused(services: Store, run: Run) -> None:
    with pytest.raises(InvalidInput):
        do_marked(services, _mark(services, run, 1, 1), "forward", _ADA)


def test_undo_takes_back_the_reviewers_own_label_of_the_marked_claim(services: Store, run: Run) -> None:
    for number, reviewer in ((1, _ADA), (2, _ADA), (1, _BEN)):
        do_marked(services, _mark(services, run, 1, number), "supported", reviewer)
    do_marked(services, _mark(services, run, 1, 1), UNDO, _ADA)
    *given, retraction = labels.claim_history(services, run.run_id, 1)
    assert (retraction.kind, retraction.retracts) == (LabelKind.RETRACTION, given[0].label_id)
    with pytest.raises(NotFound, match="no label on claim 1"):
        do_marked(services, _mark(services, run, 1, 1), UNDO, _ADA)


def test_a_claim_that_a_person_found_is_taken_back_by_them_alone(services: Store, run: Run) -> None:
    label = label_missed_claim(services, run.run_id, 1, start=0, end=7, verdict="not_mentioned", provenance=_ADA)
    mark = mark_found_claim(run.run_id, 1, label)
    for action, reviewer in (("supported", _ADA), (UNDO, _BEN)):
        with pytest.raises(InvalidInput):
            do_marked(services, mark, action, reviewer)
    do_marked(services, mark, UNDO, _ADA)
    with pytest.raises(NotFound):
        do_marked(services, mark, UNDO, _ADA)


def test_a_press_that_is_sent_again_is_done_once() -> None:
    log = PressLog()
    done: list[int] = []
    for batch in ([1, 2], [2, 1, 3], [1, 2, 3]):
        for press in log.unanswered([_press(sequence) for sequence in batch]):
            assert log.answer(press, partial(done.append, press.sequence))
    assert done == [1, 2, 3]
    assert log.acknowledged == 3
    assert not log.answer(_press(2), lambda: done.append(2))


def test_a_press_that_two_runs_of_the_script_see_at_once_is_done_once() -> None:
    log, press = PressLog(), KeyPress(sequence=1, mark="m", action="supported")
    begun, goes_on, done = Event(), Event(), []

    def label() -> None:
        begun.set()
        goes_on.wait(10)
        done.append(press)

    with ThreadPoolExecutor(2) as runs:
        first = runs.submit(log.answer, press, label)
        assert begun.wait(10)
        begun.clear()
        second = runs.submit(log.answer, press, label)
        assert not begun.wait(0.2), "the second run of the script does what the first one is about to"
        goes_on.set()
        assert [first.result(), second.result()] == [True, False]
    assert done == [press]


def test_a_refused_press_is_answered_with_the_reason_and_the_next_one_is_done() -> None:
    def fail() -> None:
        raise InvalidInput("No.")

    log = PressLog()
    assert not log.answer(_press(1), fail)
    assert not log.answer(_press(2), lambda: None, refusal="You may not.")
    assert log.answer(_press(3), lambda: None)
    assert [answer.refusal for answer in log.answers] == ["No.", "You may not.", None]


def test_a_press_that_was_cut_off_before_anything_was_stored_is_not_answered() -> None:
    log = PressLog()
    with pytest.raises(KeyboardInterrupt):
        log.answer(_press(1), _end_of_the_run)
    assert log.unanswered([_press(1)]) == [_press(1)]


def _end_of_the_run() -> None:
    raise KeyboardInterrupt


def test_what_is_no_press_is_left_out() -> None:
    good = {"sequence": 4.0, "mark": None, "action": "undo"}
    bad = [
        None,
        "1",
        {},
        {**good, "sequence": "4"},
        {**good, "sequence": True},
        {**good, "sequence": 0},
        {**good, "sequence": 1.5},
        {**good, "sequence": float("nan")},
        {**good, "sequence": float("inf")},
        {**good, "mark": 7},
        {**good, "mark": "x" * 1000},
        {**good, "action": None},
        {**good, "action": ""},
    ]
    assert read_presses({"presses": [*bad, good]}) == [KeyPress(sequence=4, mark=None, action="undo")]
    nothings: list[object] = [None, 3, [], {"presses": "abc"}, {"presses": None}, {}]
    for nothing in nothings:
        assert read_presses(nothing) == []


def test_a_queue_refuses_a_label_for_a_claim_that_is_not_at_its_place(services: Store, run: Run) -> None:
    check = draw_check(services, run.run_id, size=6, name="check", is_blind=True, by="Ada")
    first, second = (queue.get_claim(services, check, position, reviewer="Ada") for position in (1, 2))
    with pytest.raises(InvalidInput, match=CHANGED):
        queue.label_and_advance(services, check, 1, "supported", reviewer="Ada", mark=second.mark)
    assert spot_checks.get_queue_progress(services.db, check).done == 0
    queue.label_and_advance(services, check, 1, "supported", reviewer="Ada", mark=first.mark)
    assert spot_checks.get_queue_progress(services.db, check).done == 1
