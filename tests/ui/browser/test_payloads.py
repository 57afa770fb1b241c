"""Hostile texts in the store and in the address do nothing on any page (all: tests/performance/payloads.py)."""

import re
from pathlib import Path

import pytest

from tests.dashboard import ROOT
from tests.hostile_store import fill
from tests.payloads import PAGES, PARAMETERS, PAYLOADS, addresses, find_damage
from tests.ui.browser.screen import Screen

pytestmark = pytest.mark.browser


@pytest.fixture
def screen(visitor: Screen) -> Screen:
    """One page for all tests of this file."""
    return visitor


@pytest.fixture(scope="module")
def there(folder: Path) -> dict[str, str]:
    """The address of what is in a store in which every text is hostile."""
    return fill(f"sqlite:///{folder}/payloads.db")


@pytest.fixture(scope="module")
def database(folder: Path, there: dict[str, str]) -> str:
    """That store."""
    return f"sqlite:///{folder}/payloads.db"


def test_there_are_enough_of_them() -> None:
    assert len(set(PAYLOADS)) >= 125


def test_every_parameter_that_a_page_reads_is_among_them() -> None:
    sources = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "faithview" / "ui").rglob("*.py"))]
    named = {name for text in sources for name in re.findall(r'AddressField\("(\w+)"', text)}
    assert len(named) > 20
    assert named - set(PARAMETERS) == set()


@pytest.mark.parametrize("path", PAGES)
def test_a_page_stays_whole(screen: Screen, there: dict[str, str], path: str) -> None:
    every = list(addresses())
    hostile = every[PAGES.index(path) % len(every)].parameters
    for parameters in ({}, hostile, {**hostile, **there}):
        screen.visit(path, **parameters)
        assert find_damage(screen.page) == []
