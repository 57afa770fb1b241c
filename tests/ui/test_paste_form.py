"""The form of the page Try one answer is as it was after a visit to another page."""

from faithview.ui import navigation
from tests.ui.conftest import OpenPage


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
