"""Queues: every item to as many people as wanted, and to nobody twice."""

from dataclasses import replace
from typing import Any

import pytest

from faithview import Sample, Verdict
from faithview.domain.claim import ClaimRef
from faithview.domain.errors import NotFound
from faithview.domain.label import Label, LabelKind
from faithview.domain.spot_check import DrawnClaim, QueueItem, SpotCheck
from faithview.store import labels, spot_checks
from faithview.store.database import Database
from tests.factories import NOW, make_label, make_result, store_run

RUN = "r1"


def _draw(db: Database, claims: int = 4, *, people: int = 1) -> int:
    store_run(db, [Sample.of("a", ["c"]) for _ in range(claims)], [make_result(Verdict.SUPPORTED)] * claims)
    return _check(db, claims, people=people)


def _check(db: Database, claims: int, *, people: int = 1) -> int:
    drawn = [
        DrawnClaim(place=ClaimRef(run_id=RUN, row=n, claim_number=1), stratum="all", inclusion_probability=0.5)
        for n in range(1, claims + 1)
    ]
    check = SpotCheck(spot_check_id=0, name="n", created_at=NOW, created_by="ann", reviewers_per_item=people)
    return spot_checks.create_spot_check(db, check, drawn)


def _take(db: Database, check: int, by: str, **more: Any) -> QueueItem | None:
    return spot_checks.find_next_item(db, check, reviewer=by, **more)


def _position(item: QueueItem | None) -> int | None:
    return None if item is None else item.position


def _label(db: Database, check: int, item: QueueItem | None, by: str) -> Label:
    assert item is not None
    label = make_label(Verdict.SUPPORTED, item.place.claim_number, by=by, spot_check_id=check, is_blind=True)
    return labels.add_label(db, label, run_id=RUN, position=item.place.row)


def test_each_item_goes_to_as_many_people_as_wanted_and_to_nobody_twice(db: Database) -> None:
    check = _draw(db, 2, people=2)
    assert [_position(_take(db, check, by)) for by in ("ann", "bob", "eve")] == [1, 1, 1]
    _label(db, check, _take(db, check, "ann"), "ann")
    assert _position(_take(db, check, "ann")) == 2
    _label(db, check, _take(db, check, "bob"), "bob")
    assert spot_checks.get_queue_progress(db, check).done == 1
    _label(db, check, _take(db, check, "ann"), "ann")
    assert _take(db, check, "ann") is None
    _label(db, check, _take(db, check, "eve"), "eve")
    assert _take(db, check, "bob") is None  # two have labelled the second
    progress = spot_checks.get_queue_progress(db, check)
    assert (progress.items, progress.done, dict(progress.by_reviewer)) == (2, 2, {"ann": 2, "bob": 1, "eve": 1})


def test_skipped_items_and_those_before_a_place_are_left_out(db: Database) -> None:
    check = _draw(db, 3)
    first = _take(db, check, "ann")
    assert first is not None
    assert _position(_take(db, check, "ann", skip=[first.item_id])) == 2
    assert _position(_take(db, check, "ann", after=2)) == 3


def test_a_label_taken_back_opens_its_item_again(db: Database) -> None:
    check = _draw(db, 1)
    label = _label(db, check, _take(db, check, "ann"), "ann")
    assert _take(db, check, "bob") is None
    found = labels.find_last_label(db, check, reviewer="ann")
    assert found == (RUN, 1, replace(label, inclusion_probability=0.5))
    taken = replace(label, kind=LabelKind.RETRACTION, verdict=None, retracts=label.label_id)
    labels.add_label(db, taken, run_id=RUN, position=1)
    assert labels.find_last_label(db, check, reviewer="ann") is None
    assert spot_checks.get_queue_progress(db, check).done == 0
    assert _position(_take(db, check, "bob")) == 1


def test_a_label_given_outside_the_spot_check_does_not_close_its_item(db: Database) -> None:
    check = _draw(db, 1)
    label = make_label(Verdict.SUPPORTED)
    labels.add_label(db, label, run_id=RUN, position=1)
    assert _position(_take(db, check, "ann")) == 1


def test_a_stored_label_has_the_probability_of_its_draw(db: Database) -> None:
    check = _draw(db, 1)
    first = _label(db, check, _take(db, check, "ann"), "ann")
    ((position, label),) = labels.list_labels(db, RUN)
    assert (position, label) == (1, replace(first, inclusion_probability=0.5))


def test_a_draw_of_what_is_not_there_stores_nothing(db: Database) -> None:
    store_run(db, [Sample.of("a", ["c"])], [make_result(Verdict.SUPPORTED)])
    with pytest.raises(NotFound, match="no claim"):
        _check(db, 2)
    assert spot_checks.list_spot_checks(db) == []
    with pytest.raises(NotFound):
        spot_checks.find_next_item(db, 1, reviewer="ann")
