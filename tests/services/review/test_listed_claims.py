"""Spot-checks of listed claims: about their list and nothing else."""

from typing import Any

import pytest

from faithview.domain.answer import AnswerFilter, View
from faithview.domain.claim import ClaimRef
from faithview.domain.errors import InvalidInput, NotFound
from faithview.domain.spot_check import SpotCheck
from faithview.services.container import Store
from faithview.services.review import queue
from faithview.services.review.corrected_score import correct_by_check, correct_run, score_list
from faithview.services.review.queue import QueueResult, list_results
from faithview.services.review.spot_checks import ClaimList, draw_from_list, draw_more
from faithview.stats.corrected_score import CorrectedScore, NotEnoughLabels
from faithview.store import retention, spot_checks
from faithview.store.settled_claims import list_settled_claims
from faithview.store.spot_checks import list_filtered_claims
from tests.factories import C, N, S, draw_check, label_check, make_rows, store_rows

# Of four claims of every answer the judge calls the first two supported.
JUDGED = (S, S, N, C)


def _store(services: Store, run_id: str = "r", *, rows: int = 10) -> None:
    store_rows(services, run_id, make_rows([JUDGED] * rows))


def _unsupported(run_id: str = "r", *, rows: int = 10) -> list[ClaimRef]:
    return [ClaimRef(run_id=run_id, row=row, claim_number=number) for row in range(1, rows + 1) for number in (3, 4)]


def _draw(services: Store, claims: list[ClaimRef], *, size: int, **more: object) -> int:
    listed = ClaimList(description="claims that are not supported", claims=claims)
    return draw_from_list(services, listed, size=size, created_by="eve", seed=5, **more)  # type: ignore[arg-type]  # the callers' own fields


def _places(services: Store, check: int) -> list[ClaimRef]:
    return [
        ClaimRef(run_id=i.drawn.run_id, row=i.drawn.row, claim_number=i.drawn.claim_number)
        for i in spot_checks.list_items(services.db, check)
    ]


def _label(services: Store, check: int, *, most: int = 1000, by: str = "ann") -> None:
    """Label in the order of the queue: people call every third claim that they get supported."""
    label_check(services, check, lambda item: S if item.position % 3 == 0 else C, by=by, most=most)


def _check(services: Store, check: int) -> SpotCheck:
    return spot_checks.get_spot_check(services.db, check)


def test_only_claims_of_the_list_are_drawn_each_equally_likely(services: Store) -> None:
    _store(services)
    check = _draw(services, [*_unsupported(), *_unsupported()], size=8)
    drawn = _places(services, check)
    assert len(drawn) == len(set(drawn)) == 8
    assert set(drawn) <= set(_unsupported())
    assert {item.drawn.inclusion_probability for item in spot_checks.list_items(services.db, check)} == {8 / 20}
    assert _check(services, check).population == "claims that are not supported"
    assert _check(services, check).run_ids == ("r",)


def test_the_estimate_is_the_share_of_the_list_that_people_call_supported(services: Store) -> None:
    _store(services)
    check = _draw(services, _unsupported(), size=9)
    assert isinstance(score_list(services, check).score, NotEnoughLabels)
    _label(services, check)
    correction = score_list(services, check)
    score = correction.score
    assert isinstance(score, CorrectedScore)
    assert score.judge == 0.0
    assert score.corrected.score == pytest.approx(3 / 9)
    assert 0 < score.corrected.interval.low < 3 / 9 < score.corrected.interval.high < 1
    assert (correction.answers, correction.labels, correction.is_headline) == (20, 9, False)
    assert correction.headline_needed is not None
    assert 0 < correction.headline_needed.labels <= 11


def test_a_list_that_is_labelled_whole_is_known(services: Store) -> None:
    _store(services)
    check = _draw(services, _unsupported(), size=100)
    _label(services, check)
    score = score_list(services, check).score
    assert isinstance(score, CorrectedScore)
    assert score.corrected.interval.low == score.corrected.interval.high == pytest.approx(6 / 20)


def test_its_labels_do_not_enter_the_corrected_score_of_the_run(services: Store) -> None:
    _store(services)
    check = _draw(services, _unsupported(), size=9)
    _label(services, check)
    assert correct_run(services, "r") is None
    with pytest.raises(NotFound, match="not drawn from run"):
        correct_by_check(services, "r", check)
    whole = draw_check(services, "r", size=12)
    correction = correct_run(services, "r")
    assert correction is not None
    assert (correction.check.spot_check_id, correction.labels) == (whole, 0)


def test_its_labels_stand_for_no_other_claims_of_the_run(services: Store) -> None:
    _store(services)
    check = _draw(services, _unsupported(), size=9)
    _label(services, check)
    assert {claim.pi for claim in list_settled_claims(services.db, ["r"])} == {None}


def test_a_list_of_all_claims_of_its_runs_is_drawn_as_the_runs(services: Store) -> None:
    _store(services, rows=5)
    every = [ClaimRef(run_id="r", row=row, claim_number=number) for row in range(1, 6) for number in range(1, 5)]
    check = _draw(services, every, size=6)
    assert _check(services, check).population is None
    correction = correct_run(services, "r")
    assert correction is not None
    assert correction.check.spot_check_id == check


def test_a_list_reaches_over_runs_and_is_read_in_the_order_of_its_queue(services: Store) -> None:
    _store(services)
    _store(services, "s")
    check = _draw(services, [*_unsupported(), *_unsupported("s")], size=12)
    assert {place.run_id for place in _places(services, check)} == {"r", "s"}
    _label(services, check, most=6)
    correction = score_list(services, check)
    assert (correction.answers, correction.labels) == (40, 6)
    assert isinstance(correction.score, NotEnoughLabels)


def test_more_are_drawn_from_what_is_left_of_the_list(services: Store) -> None:
    _store(services)
    check = _draw(services, _unsupported(), size=9)
    _label(services, check)
    before = _places(services, check)
    assert draw_more(services, check, 6, created_by="ann") == check
    after = _places(services, check)
    assert after[:9] == before
    assert len(set(after)) == 15
    assert {item.drawn.inclusion_probability for item in spot_checks.list_items(services.db, check)} == {15 / 20}
    assert isinstance(score_list(services, check).score, NotEnoughLabels)
    draw_more(services, check, 100, created_by="ann")
    assert set(_places(services, check)) == set(_unsupported())
    with pytest.raises(InvalidInput, match="Every claim in this list"):
        draw_more(services, check, 1, created_by="ann")


def test_more_of_a_run_are_another_spot_check_that_is_pooled(services: Store) -> None:
    _store(services)
    first = draw_check(services, "r", size=12)
    _label(services, first)
    second = draw_more(services, first, 10, created_by="ann")
    assert second != first
    _label(services, second)
    correction = correct_run(services, "r")
    assert correction is not None
    assert isinstance(correction.score, CorrectedScore)
    assert (correction.score.labelled, correction.labels) == (22, 22)


def test_a_list_shrinks_with_a_run_that_is_deleted(services: Store) -> None:
    _store(services)
    _store(services, "s")
    check = _draw(services, [*_unsupported(), *_unsupported("s")], size=40)
    _label(services, check)
    retention.delete_run(services.db, "s")
    correction = score_list(services, check)
    assert (correction.answers, correction.labels) == (20, 20)
    retention.delete_run(services.db, "r")
    with pytest.raises(NotFound, match="There is no spot-check"):
        score_list(services, check)


def test_what_is_not_a_claim_is_no_part_of_the_list(services: Store) -> None:
    _store(services)
    check = _draw(services, _unsupported(), size=20)
    for item in spot_checks.list_items(services.db, check):
        verdict = "not_a_claim" if item.position <= 4 else "supported" if item.position <= 8 else "contradicted"
        queue.label_and_advance(services, check, item.position, verdict, reviewer="ann")
    score = score_list(services, check).score
    assert isinstance(score, CorrectedScore)
    assert score.corrected.score == pytest.approx(4 / 16)


def test_who_drew_claims_of_one_verdict_knows_it_and_labels_them_with_open_eyes(services: Store) -> None:
    _store(services)
    check = _draw(services, _unsupported(), size=4)
    _label(services, check, by="eve", most=1)
    _label(services, check, by="ann", most=1)
    mixed = _draw(services, [*_unsupported(), ClaimRef(run_id="r", row=1, claim_number=1)], size=4)
    _label(services, mixed, by="eve", most=1)
    blind = {
        (check_id, by): [c.label.is_blind for c in _results(services, check_id, by)]
        for check_id, by in ((check, "eve"), (check, "ann"), (mixed, "eve"))
    }
    assert blind == {(check, "eve"): [False], (check, "ann"): [True], (mixed, "eve"): [True]}


def _results(services: Store, check: int, by: str) -> list[QueueResult]:
    return list_results(services, check, reviewer=by)


@pytest.mark.parametrize(
    ("claims", "description", "says"),
    [
        ([], "d", "No claim matches"),
        ([ClaimRef(run_id="gone", row=1, claim_number=1)], "d", "no longer has"),
        ([ClaimRef(run_id="r", row=1, claim_number=3)], "  ", "Describe the claims"),
    ],
)
def test_what_cannot_be_drawn_from_is_refused_and_nothing_is_stored(
    services: Store, claims: list[ClaimRef], description: str, says: str
) -> None:
    _store(services, rows=2)
    with pytest.raises(InvalidInput, match=says):
        draw_from_list(services, ClaimList(description=description, claims=claims), size=1, created_by="eve")
    assert spot_checks.list_spot_checks(services.db) == []


def test_a_filtered_list_of_a_run_gives_the_claims_that_it_is_about(services: Store) -> None:
    _store(services, rows=3)

    def listed(**filters: Any) -> set[tuple[int, int]]:
        found = list_filtered_claims(services.db, "r", AnswerFilter(**filters), view=View.JUDGE)
        return {(place.row, place.claim_number) for place in found}

    assert listed(verdicts=(C, N)) == {(row, number) for row in (1, 2, 3) for number in (3, 4)}
    assert listed(search="q2") == {(2, number) for number in (1, 2, 3, 4)}
    assert listed(search="q2", verdicts=(C,)) == {(2, 4)}
    assert listed(segments=("none like this",)) == set()
    assert len(listed()) == 12
