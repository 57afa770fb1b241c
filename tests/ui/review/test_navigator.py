"""A reviewer's way through a spot-check: never at a claim that somebody else has, and not losing the own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from faithview.services.container import Store
from faithview.services.review import queue
from faithview.ui.review.navigator import QueueNavigator
from tests.factories import add_judged_run, draw_check, open_services, two_claim_samples


@pytest.fixture
def services(store_file: Path) -> Iterator[Store]:
    with open_services(store_file) as opened:
        yield opened


@pytest.fixture
def check(services: Store) -> int:
    run = add_judged_run(services, two_claim_samples(3), "first")
    return draw_check(services, run.run_id, size=6, name="check", is_blind=False, by="Ada")


def _sit_down(services: Store, check: int, name: str) -> QueueNavigator:
    navigator = QueueNavigator(spot_check_id=check, reviewer=name)
    navigator.current(services)
    return navigator


def _item(services: Store, navigator: QueueNavigator) -> int:
    claim = navigator.current(services).claim
    assert claim is not None
    return claim.item.item_id


def test_going_back_passes_over_a_claim_that_somebody_else_has_taken_meanwhile(services: Store, check: int) -> None:
    ada = _sit_down(services, check, "Ada")
    ada.label(services, ada.mark or "", "supported", None)
    assert ada.position == 2
    ada.forward(services)  # 2 is left unlabelled and so given back
    assert ada.position == 3
    assert _sit_down(services, check, "Ben").position == 2
    assert ada.back(services)
    assert ada.position == 1, "Ada was shown the claim that Ben has."
    ada.forward(services)
    assert ada.position == 3


def test_a_claim_gone_back_to_is_leased_and_the_one_left_is_free(services: Store, check: int) -> None:
    ada = _sit_down(services, check, "Ada")
    ada.forward(services)
    ada.back(services)
    assert ada.position == 1
    assert not queue.hold_claim(services, _item(services, ada), reviewer="Ben")
    assert _sit_down(services, check, "Ben").position == 2


def test_where_others_have_all_that_was_left_there_is_no_way_back(services: Store, check: int) -> None:
    ada = _sit_down(services, check, "Ada")
    ada.forward(services)
    assert _sit_down(services, check, "Ben").position == 1
    assert not ada.back(services)
    assert ada.position == 2


def test_a_claim_taken_back_stays_with_its_reviewer(services: Store, check: int) -> None:
    ada = _sit_down(services, check, "Ada")
    ada.label(services, ada.mark or "", "supported", None)
    assert ada.undo(services)
    assert ada.position == 1
    assert _sit_down(services, check, "Ben").position == 3


def test_a_lease_is_renewed_while_the_claim_is_read_and_not_for_who_has_left(
    services: Store, check: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def hold(_services: Store, _item_id: int, *, reviewer: str) -> bool:
        asked.append(reviewer)
        return True

    monkeypatch.setattr(queue, "hold_claim", hold)
    ada = _sit_down(services, check, "Ada")
    ada.renew(services)
    assert asked == ["Ada"]
    ada.shown_at -= 16 * 60
    ada.renew(services)
    assert asked == ["Ada"]


def test_a_corrected_text_is_kept_with_the_label_and_alone_makes_a_new_one(services: Store, check: int) -> None:
    ada = _sit_down(services, check, "Ada")
    ada.label(services, ada.mark or "", "contradicted", None)
    ada.back(services)
    assert not ada.label(services, ada.mark or "", "contradicted", None)
    assert ada.label(services, ada.mark or "", "contradicted", None, "Inbox 1 holds 20 members.")
    (label,) = queue.get_claim(services, check, 1, reviewer="Ada").own
    assert label.corrected_text == "Inbox 1 holds 20 members."
