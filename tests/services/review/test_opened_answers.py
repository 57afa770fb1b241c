"""Who has opened an answer with the judge's verdicts in sight labels its claims knowing them."""

from pathlib import Path

import pytest

from faithview import Verdict
from faithview.domain.errors import InvalidInput
from faithview.services.container import Store
from faithview.services.review import queue
from faithview.services.review.label_files import export_labels, import_labels, write_labels
from faithview.store import spot_checks
from tests.factories import C, S, draw_check, make_rows, say, store_rows


def _store(services: Store, run_id: str = "r") -> int:
    store_rows(services, run_id, make_rows([(S, C)] * 2))
    return draw_check(services, run_id, size=4)


def _position(services: Store, check: int, row: int, claim: int) -> int:
    items = spot_checks.list_items(services.db, check)
    return next(i.position for i in items if (i.drawn.row, i.drawn.claim_number) == (row, claim))


def _say(services: Store, check: int, row: int, claim: int, verdict: str, *, by: str = "ann") -> None:
    queue.label_and_advance(services, check, _position(services, check, row, claim), verdict, reviewer=by)


def test_a_label_on_a_claim_of_an_opened_answer_is_not_blind(services: Store) -> None:
    check = _store(services)
    queue.note_opened(services, [("r", 1), ("r", 1), ("gone", 7)], reviewer="ann")
    for by in ("ann", "ben"):
        for row in (1, 2):
            _say(services, check, row, 1, "supported", by=by)
    blind = {
        (by, result.place.row): (result.label.is_blind, result.label.judge_seen)
        for by in ("ann", "ben")
        for result in queue.list_results(services, check, reviewer=by)
    }
    assert blind == {
        ("ann", 1): (False, True),
        ("ann", 2): (True, False),
        ("ben", 1): (True, False),
        ("ben", 2): (True, False),
    }


def test_a_blind_spot_check_hides_the_judge_until_the_label_even_where_the_answer_was_opened(
    services: Store,
) -> None:
    check = _store(services)
    queue.note_opened(services, [("r", 1)], reviewer="ann")
    position = _position(services, check, 1, 2)
    assert queue.get_claim(services, check, position, reviewer="ann").judged is None
    _say(services, check, 1, 2, "supported")
    judged = queue.get_claim(services, check, position, reviewer="ann").judged
    assert judged is not None
    assert judged.verdict is Verdict.CONTRADICTED


def test_a_blind_label_stays_once_its_answer_was_opened(services: Store) -> None:
    check = _store(services)
    _say(services, check, 1, 2, "supported")
    queue.note_opened(services, [("r", 1)], reviewer="ann")
    with pytest.raises(InvalidInput, match="seen the judge's verdict since"):
        queue.undo_last(services, check, reviewer="ann")
    _say(services, check, 1, 2, "contradicted")
    (result,) = queue.list_results(services, check, reviewer="ann")
    assert (result.label.verdict, result.label.is_blind) == (Verdict.SUPPORTED, True)
    assert result.second_thought is not None
    assert result.second_thought.verdict is Verdict.CONTRADICTED


def test_second_labels_are_exported_beside_the_blind_ones_and_come_back(services: Store, tmp_path: Path) -> None:
    check = _store(services)
    _say(services, check, 1, 2, "supported")
    queue.note_opened(services, [("r", 1)], reviewer="ann")
    _say(services, check, 1, 2, "contradicted")
    say(services, "r", 2, 1, "supported", by="ben")
    rows = export_labels(services, "r")
    assert [(row.claim_id, row.verdict, row.blind, row.counts) for row in rows] == [
        ("r-1-2", "supported", True, True),
        ("r-1-2", "contradicted", False, False),
        ("r-2-1", "supported", False, True),
    ]
    _store(services, "s")
    for row in rows:
        row.claim_id = row.claim_id.replace("r-", "s-")
    file = tmp_path / "labels.csv"
    write_labels(rows, file)
    assert import_labels(services, "s", file).added == 3
    again = export_labels(services, "s")
    assert [(row.claim_id, row.verdict, row.counts) for row in again] == [
        (row.claim_id, row.verdict, row.counts) for row in rows
    ]
    assert import_labels(services, "s", file).known == 3
