"""Hostile texts in the store and in the address do nothing on any page (all: tests/performance/payloads.py)."""

from pathlib import Path

import pytest

from tests.payloads import PAGES, PAYLOADS, addresses, find_damage
from tests.performance.payloads import fill
from tests.ui.browser.screen import Screen

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def database(folder: Path) -> str:
    """A store in which every text is hostile."""
    url = f"sqlite:///{folder}/payloads.db"
    fill(url)
    return url


def test_there_are_enough_of_them() -> None:
    assert len(set(PAYLOADS)) >= 125


@pytest.mark.parametrize("path", PAGES)
def test_a_page_stays_whole(screen: Screen, path: str) -> None:
    every = list(addresses())
    for parameters in ({}, every[PAGES.index(path) % len(every)].parameters):
        screen.open(path, **parameters)
        assert find_damage(screen.page) == []
