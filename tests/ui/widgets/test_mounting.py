"""The components draw any text, and receive texts as data, never as part of a page or a script."""

from pathlib import Path

from streamlit.testing.v1 import AppTest

_GALLERY = str(Path(__file__).with_name("gallery.py"))


def _open(row: str, claim: str | None = None) -> AppTest:
    app = AppTest.from_file(_GALLERY, default_timeout=30)
    app.query_params["row"] = row
    if claim is not None:
        app.query_params["claim"] = claim
    return app.run()


def test_hostile_texts_are_only_in_the_data() -> None:
    app = _open("hostile")
    assert not app.exception
    view = app.get("bidi_component")[1].proto
    assert "<script>window.pwned=1</script>" in view.mixed.json or "<script>window.pwned=1</script>" in view.json
    assert "pwned" not in view.html_content + view.css_content + view.js_content


def test_no_script_builds_markup_from_text() -> None:
    for view in _open("linked").get("bidi_component"):
        for way in (
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "createContextualFragment",
            "eval(",
        ):
            assert way not in view.proto.js_content


def test_a_link_to_a_claim_opens_it() -> None:
    assert _open("linked", "3").text[0].value == "Open: linked, claim 3"


def test_a_link_to_an_unknown_claim_opens_the_answer() -> None:
    assert _open("linked", "99").text[0].value == "Open: linked, claim None"


def test_a_link_to_an_unknown_row_opens_none() -> None:
    assert _open("nowhere").text[0].value == "Open: linked, claim None"
