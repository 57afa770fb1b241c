"""Queues of one's own: whose they are, what is left in them, and what waits for somebody else."""

import pytest

from faithview import Verdict
from faithview.domain.errors import InvalidInput, NotFound
from faithview.services.container import Store
from faithview.services.review import queue
from faithview.services.review.queue import ReviewerQueue
from faithview.store import spot_checks
from tests.factories import C, S, draw_check, make_rows, say, store_rows


def _store(services: Store, *, people: int = 1, rows: int = 4) -> int:
    store_rows(services, "r", make_rows([(S, C)] * rows))
    return draw_check(services, "r", size=4, reviewers_per_item=people)


def _label(services: Store, check: int, position: int, by: str) -> None:
    queue.label_and_advance(services, check, position, Verdict.SUPPORTED, reviewer=by)


def _of(services: Store, check: int, reviewer: str) -> ReviewerQueue:
    (found,) = [q for q in queue.list_queues(services, reviewer) if q.check.spot_check_id == check]
    return found


def test_a_spot_check_is_in_the_queues_of_those_it_is_assigned_to(services: Store) -> None:
    check = _store(services)
    assert _of(services, check, "ben").assigned == ()
    queue.assign_check(services, check, ["cy", " ben  b. ", "cy"], assigned_by="ann")
    queue.assign_check(services, check, ["cy"], assigned_by="ann")
    assert _of(services, check, "ben").assigned == ("ben b.", "cy")
    queue.unassign_check(services, check, "cy")
    assert _of(services, check, "ben").assigned == ("ben b.",)


def test_what_is_left_and_what_waits_is_counted_for_each_reviewer(services: Store) -> None:
    check = _store(services, people=2)
    for position in (1, 2, 3):
        _label(services, check, position, "ann")
    _label(services, check, 1, "ben")
    ann, ben, cy = (_of(services, check, name).open for name in ("ann", "ben", "cy"))
    assert (ann.left, ann.started, ann.waiting) == (1, 0, 2)
    assert (ben.left, ben.started, ben.waiting) == (3, 2, 0)
    assert (cy.left, cy.started, cy.waiting) == (3, 2, 0)
    queue.undo_last(services, check, reviewer="ann")
    assert _of(services, check, "ann").open.waiting == 1


def test_labels_given_outside_a_spot_check_leave_its_queue_as_it_is(services: Store) -> None:
    check = _store(services)
    item = spot_checks.list_items(services.db, check)[0].place
    say(services, item.run_id, item.row, item.claim_number, "supported", by="ann")
    assert _of(services, check, "ann").open.left == 4


def test_a_finished_spot_check_leaves_nothing_open(services: Store) -> None:
    check = _store(services)
    for position in range(1, 5):
        _label(services, check, position, "ann")
    found = _of(services, check, "ben")
    assert found.is_done
    assert (found.open.left, found.open.waiting) == (0, 0)


def test_reviewers_are_those_who_labelled_and_those_who_were_asked_to(services: Store) -> None:
    check = _store(services)
    assert spot_checks.list_reviewers(services.db) == []
    _label(services, check, 1, "zoe")
    queue.assign_check(services, check, ["Ben"], assigned_by="ann")
    assert spot_checks.list_reviewers(services.db) == ["Ben", "zoe"]


@pytest.mark.parametrize("names", [[], ["  "], ["x" * 101], ["nul \0"]])
def test_a_name_that_cannot_be_a_reviewers_is_refused_and_nothing_is_assigned(
    services: Store, names: list[str]
) -> None:
    check = _store(services)
    with pytest.raises(InvalidInput):
        queue.assign_check(services, check, names, assigned_by="ann")
    assert [q.assigned for q in queue.list_queues(services, "ann")] == [()]


def test_an_unknown_spot_check_cannot_be_assigned(services: Store) -> None:
    with pytest.raises(NotFound):
        queue.assign_check(services, 7, ["ben"], assigned_by="ann")
