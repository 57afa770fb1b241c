"""Stores of calls from Python, each of which makes its own."""

import pytest


@pytest.fixture(autouse=True, scope="module")
def _quick_stores(quick_stores: None) -> None:
    """`evaluate` makes a store that vanishes; that it is whole is tested with the migrations."""
