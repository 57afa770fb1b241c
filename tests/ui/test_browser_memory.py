"""The form of the check page is as it was after a visit to another page; what the browser kept is looked at first."""

from collections.abc import Mapping

import pytest

from faithview.ui import browser_memory, navigation, session
from tests.ui.conftest import OpenPage

_SPLITS = ("Empty lines", "Lines of ---", "Nothing")
_GOOD = {"check.question": "q", "check.answer": "a", "check.chunks": "c", "check.split": "Nothing"}


def test_a_sent_form_and_its_verdict_are_there_after_other_pages(open_page: OpenPage) -> None:
    app = open_page(navigation.TRY)
    app.text_input(key="check.question").set_value("How many?")
    app.text_area(key="check.answer").set_value("Inboxes hold 50 members.")
    app.text_area(key="check.chunks").set_value("Inboxes hold 20 members.\n---\nBlue.")
    app.button_group(key="check.split").set_value("Lines of ---")
    app.button(key="check.submit").click().run()
    assert any("Not faithful" in one.value for one in app.markdown)
    app.switch_page(navigation.UPLOAD).run()
    app.switch_page(navigation.TRY).run()
    assert not app.exception
    assert app.text_input(key="check.question").value == "How many?"
    assert app.text_area(key="check.answer").value == "Inboxes hold 50 members."
    assert app.text_area(key="check.chunks").value == "Inboxes hold 20 members.\n---\nBlue."
    assert app.session_state["check.split"] == "Lines of ---"
    assert any("Not faithful" in one.value for one in app.markdown)
    assert "50 members" not in str(app.query_params)


@pytest.mark.parametrize(
    ("draft", "is_taken"),
    [
        (_GOOD, True),
        ({**_GOOD, "check.split": "Commas"}, False),
        ({**_GOOD, "check.answer": 7}, False),
        ({"check.answer": "a"}, False),
        ("a", False),
        (None, False),
    ],
)
def test_only_a_whole_form_of_texts_is_taken_from_the_browser(
    monkeypatch: pytest.MonkeyPatch, draft: object, is_taken: bool
) -> None:
    filled: dict[str, object] = {}
    monkeypatch.setattr(session, "widget_value", lambda _key: {"draft": draft})
    monkeypatch.setattr(session, "set_widgets", lambda values: filled.update(values))
    browser_memory.take_draft(_SPLITS)
    assert filled == (dict(draft) if is_taken and isinstance(draft, Mapping) else {})
