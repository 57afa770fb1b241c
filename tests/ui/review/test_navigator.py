"""A reviewer's way through a spot-check."""

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


def test_a_corrected_text_is_kept_with_the_label_and_alone_makes_a_new_one(services: Store, check: int) -> None:
    ada = QueueNavigator(spot_check_id=check, reviewer="Ada")
    ada.current(services)
    ada.label(services, ada.mark or "", "contradicted", None)
    ada.back(services)
    assert not ada.label(services, ada.mark or "", "contradicted", None)
    assert ada.label(services, ada.mark or "", "contradicted", None, "Inbox 1 holds 20 members.")
    (label,) = queue.get_claim(services, check, 1, reviewer="Ada").own
    assert label.corrected_text == "Inbox 1 holds 20 members."
