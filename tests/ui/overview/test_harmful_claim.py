"""The claim that could do most harm is shown next to what the chunks say."""

import pytest

from faithview.services.container import Store
from faithview.ui import identity, navigation
from tests.factories import C, N, S, make_rows, say, store_rows
from tests.ui.conftest import OpenPage, words_of

_HEADING = "The claim that could do most harm"


@pytest.fixture
def ann(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody who has given a name and may write."""
    monkeypatch.setattr(identity, "current_reviewer", lambda: "ann")


@pytest.fixture
def run(services: Store) -> str:
    """A run with a contradicted claim in its second answer and one in its third."""
    store_rows(services, "r", make_rows([(S, N), (S, C), (C,), (S,)]))
    return "r"


def test_the_worst_claim_is_shown(services: Store, open_page: OpenPage, run: str, ann: None) -> None:
    app = open_page(navigation.OVERVIEW)
    assert _HEADING in words_of(app)
    worst = {"claim 2.2": (2, 2), "claim 3.1": (3, 1)}  # both are contradicted
    (shown,) = worst.keys() & {text.value for text in app.text}
    row, number = worst.pop(shown)
    assert f"q{row}" in words_of(app)
    assert "1 more contradicted claim" in next(b.label for b in app.button if b.key == "overview.more")
    say(services, run, row, number, "supported")
    assert worst.keys() <= {text.value for text in open_page(navigation.OVERVIEW).text}


def test_a_run_whose_claims_are_supported_has_no_such_claim(services: Store, open_page: OpenPage) -> None:
    store_rows(services, "r", make_rows([(S,), (S,)]))
    app = open_page(navigation.OVERVIEW)
    assert _HEADING not in words_of(app)
