"""What a finished spot-check found: agreement, mistakes by kind, the score, and how many labels more would tell."""

from collections import Counter

import pytest

from faithview import Verdict
from faithview.domain.spot_check import QueueItem
from faithview.services.container import Store
from faithview.services.review import disagreements, queue
from faithview.services.review.corrected_score import correct_run
from faithview.services.review.spot_check_result import CheckResult, MistakeKind, get_check_result
from faithview.stats.corrected_score import NotEnoughLabels
from faithview.store import retention, spot_checks
from tests.factories import C, N, S, draw_check, label_check, make_rows, say, store_rows

# The arithmetic is the same on every engine; test_corrected_score.py and tests/store ask both.
pytestmark = pytest.mark.parametrize("store_url", ["sqlite"], indirect=True)


JUDGED = (S, S, N, C)


def _store(services: Store, run_id: str = "r", *, rows: int = 15) -> None:
    store_rows(services, run_id, make_rows([JUDGED] * rows, about=f"{run_id} "))


def _draw(services: Store, *, size: int = 12, people: int = 1, runs: tuple[str, ...] = ("r",)) -> int:
    return draw_check(services, *runs, size=size, seed=4, reviewers_per_item=people)


def _label(services: Store, check: int, wrong: dict[int, str], *, by: str = "ann", most: int = 1000) -> None:
    """Label with the judge's verdict, except at the positions of `wrong`."""

    def said(item: QueueItem) -> str:
        return wrong.get(item.position, JUDGED[item.place.claim_number - 1])

    label_check(services, check, said, by=by, most=most)


def _position(services: Store, check: int, judged: Verdict) -> int:
    return next(
        item.position
        for item in spot_checks.list_items(services.db, check)
        if JUDGED[item.place.claim_number - 1] is judged
    )


def _result(services: Store, check: int) -> CheckResult:
    return get_check_result(services, check)


def test_mistakes_are_told_by_kind(services: Store) -> None:
    _store(services)
    check = _draw(services, size=30)
    first, alarm, other = (_position(services, check, judged) for judged in (S, C, N))
    last = [item.position for item in spot_checks.list_items(services.db, check)][-1]
    _label(services, check, {first: "contradicted", alarm: "supported", other: "contradicted", last: "not_a_claim"})
    result = _result(services, check)
    assert (result.claims, result.compared, result.agreed, result.blind) == (30, 30, 26, 30)
    assert (result.tied, result.unlabelled) == (0, 0)
    assert Counter(mistake.kind for mistake in result.mistakes) == Counter(MistakeKind)
    places = [item.place for item in spot_checks.list_items(services.db, check)]
    assert [mistake.place for mistake in result.mistakes] == sorted(
        (mistake.place for mistake in result.mistakes), key=places.index
    )
    (missed,) = [mistake for mistake in result.mistakes if mistake.kind is MistakeKind.MISSED]
    assert (missed.judged, missed.people, missed.text.split()[0]) == (S, C, "r")


def test_the_score_is_the_runs_corrected_one_and_more_labels_aim_at_the_next_precision(services: Store) -> None:
    _store(services)
    check = _draw(services)
    _label(services, check, {1: "contradicted", 2: "supported"}, most=1)
    before = _result(services, check)
    assert isinstance(before.scores[0].score, NotEnoughLabels)
    assert before.needed == 0
    _label(services, check, {1: "contradicted", 2: "supported"})
    result = _result(services, check)
    (found,) = result.scores
    assert found == correct_run(services, "r")
    assert (found.run_id, found.run_name) == ("r", "r")
    assert result.half_width == 0.10
    assert 0 < result.needed <= 48


def test_a_change_of_labels_changes_the_result(services: Store) -> None:
    _store(services)
    check = _draw(services)
    _label(services, check, {12: "not_mentioned" if _last(services, check) is not N else "supported"})
    assert len(_result(services, check).mistakes) == 1
    queue.undo_last(services, check, reviewer="ann")
    after = _result(services, check)
    assert (after.mistakes, after.unlabelled) == ((), 1)


def _last(services: Store, check: int) -> Verdict:
    return JUDGED[spot_checks.list_items(services.db, check)[-1].place.claim_number - 1]


def test_ties_are_no_mistakes_until_somebody_settles_them(services: Store) -> None:
    _store(services)
    check = _draw(services, people=2)
    at = _position(services, check, S)
    _label(services, check, {})
    _label(services, check, {at: "contradicted"}, by="ben")
    tied = _result(services, check)
    assert (tied.tied, tied.compared, tied.agreed, tied.mistakes) == (1, 11, 11, ())
    (place,) = disagreements.list_disagreements(services)
    disagreements.adjudicate(services, place.run_id, place.row, place.claim_number, "contradicted", reviewer="cy")
    settled = _result(services, check)
    assert (settled.tied, settled.compared, settled.agreed) == (0, 12, 11)
    assert [mistake.place for mistake in settled.mistakes] == [place]


def test_labels_given_elsewhere_say_nothing_here(services: Store) -> None:
    _store(services)
    check = _draw(services)
    place = spot_checks.list_items(services.db, check)[0].place
    say(services, "r", place.row, place.claim_number, "not_a_claim")
    result = _result(services, check)
    assert (result.compared, result.unlabelled) == (0, 12)


def test_a_run_that_is_deleted_leaves_the_others(services: Store) -> None:
    _store(services)
    _store(services, "s")
    check = _draw(services, size=20, runs=("r", "s"))
    _label(services, check, {})
    assert [found.run_id for found in _result(services, check).scores] == ["r", "s"]
    retention.delete_run(services.db, "s")
    result = _result(services, check)
    assert [found.run_id for found in result.scores] == ["r"]
    assert result.claims == sum(1 for _ in spot_checks.list_items(services.db, check)) < 20


@pytest.mark.parametrize("size", [60, 1000])
def test_everything_labelled_leaves_nothing_to_label(services: Store, size: int) -> None:
    _store(services)
    check = _draw(services, size=size)
    _label(services, check, {1: "not_a_claim"})
    assert _result(services, check).needed == 0
