"""The claim that could do most harm is shown next to what a chunk says, and labelled by those who may."""

import json

import pytest
from streamlit.testing.v1 import AppTest

from faithview.domain.project import Role
from faithview.services.container import Store
from faithview.services.review import queue
from faithview.services.review.labels import claim_history
from faithview.store import spot_checks
from faithview.ui import identity, membership, navigation
from tests.factories import C, N, S, draw_check, make_rows, say, store_rows
from tests.ui.conftest import OpenPage, words_of

_HEADING = "The claim that could do most harm"


def _card(app: AppTest) -> str:
    """Return what the card is sent, as text; "" where it is not drawn."""
    sent = [one.proto.mixed.json or one.proto.json for one in app.get("bidi_component")]
    return next((text for text in sent if "The claim in the judge's words" in text), "")


@pytest.fixture
def ann(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody who has given a name and may write."""
    monkeypatch.setattr(identity, "current_reviewer", lambda: "ann")


@pytest.fixture
def run(services: Store) -> str:
    """A run with a contradicted claim in its second answer and one in its third."""
    store_rows(services, "r", make_rows([(S, N), (S, C), (C,), (S,)]))
    return "r"


def test_the_worst_claim_is_shown_and_can_be_labelled_at_once(
    services: Store, open_page: OpenPage, run: str, ann: None
) -> None:
    app = open_page(navigation.OVERVIEW)
    assert _HEADING in words_of(app)
    assert json.loads(_card(app))["payload"]["answer"]["parts"][0]["text"] == "claim 3.1"
    assert "q3" in words_of(app)
    assert "1 more contradicted claim" in next(b.label for b in app.button if b.key == "overview.more")
    app.button(key=f"overview.label.{run}.3.1.supported").click().run()
    assert not app.exception
    assert [str(label.verdict) for label in claim_history(services, run, 3)] == ["supported"]
    # It stays, so that the label can be undone, until the page is opened anew.
    assert "claim 3.1" in _card(app)
    app.button(key=f"overview.label.{run}.3.1.undo").click().run()
    assert "claim 3.1" in _card(app)
    say(services, run, 3, 1, "supported")
    assert "claim 2.2" in _card(open_page(navigation.OVERVIEW))


def test_who_has_no_name_is_asked_for_it_at_the_first_label_and_a_viewer_cannot_label(
    services: Store, open_page: OpenPage, run: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_page(navigation.OVERVIEW)
    assert not [field for field in app.text_input if field.key == "first_label.name"]
    next(button for button in app.button if button.label == "Supported (1)").click().run()
    assert claim_history(services, run, 3) == []
    app.text_input(key="first_label.name").set_value("Ada")
    next(button for button in app.button if button.label == "Save the label").click().run()
    assert not app.exception
    assert [(label.reviewer, str(label.verdict)) for label in claim_history(services, run, 3)] == [("Ada", "supported")]
    monkeypatch.setattr(membership, "own_role", lambda: Role.VIEWER)
    app = open_page(navigation.OVERVIEW)
    assert not [button for button in app.button if button.label == "Supported (1)"]


def test_a_run_whose_claims_are_supported_has_no_such_claim(services: Store, open_page: OpenPage) -> None:
    store_rows(services, "r", make_rows([(S,), (S,)]))
    app = open_page(navigation.OVERVIEW)
    assert _HEADING not in words_of(app)
    assert _card(app) == ""


def test_the_answer_counts_as_seen_with_the_judge_s_verdict(
    services: Store, open_page: OpenPage, run: str, ann: None
) -> None:
    check = draw_check(services, run, size=6)
    open_page(navigation.OVERVIEW)
    for item in spot_checks.list_items(services.db, check):
        queue.label_and_advance(services, check, item.position, "supported", reviewer="ann")
    blind = {one.place.row: one.label.is_blind for one in queue.list_results(services, check, reviewer="ann")}
    assert blind == {1: True, 2: True, 3: False, 4: True}
