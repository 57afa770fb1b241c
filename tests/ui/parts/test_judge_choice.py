"""The choice of a judge names what is missing and the host; no model is asked before the button is pressed."""

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from faithview.services.container import Services
from faithview.services.results.runs import list_runs
from faithview.ui.shell import nav
from tests.vendor import KEY, Vendor, running

OpenPage = Callable[..., AppTest]


def _texts(app: AppTest) -> str:
    parts = [*app.markdown, *app.caption, *app.info, *app.error]
    return "\n".join(str(part.value) for part in parts)


def _without_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


def test_the_embedded_judge_says_that_nothing_leaves_this_machine(open_page: OpenPage) -> None:
    assert "Nothing leaves this machine" in _texts(open_page(nav.CHECK))


def test_a_judge_without_a_key_is_offered_and_says_which_variable_to_set(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    _without_keys(monkeypatch)
    app = open_page(nav.CHECK)
    app.selectbox(key="check.judge").select("openai").run()
    assert not app.exception
    assert r"set OPENAI\_API\_KEY" in _texts(app)
    assert r"set OPENAI\_API\_KEY" in _texts(open_page(nav.SETTINGS))


def test_a_model_is_asked_only_after_the_button_was_pressed_and_its_answer_is_saved_without_asking_again(
    services: Services, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running() as vendor:
        for name, value in vendor.environment.items():
            monkeypatch.setenv(name, value)
        app = open_page(nav.CHECK)
        app.text_area(key="check.answer").input("Inboxes hold 50 members.")
        app.text_area(key="check.chunks").input("Inboxes hold 50 members.")
        app.button(key="check.submit").click().run()  # by the embedded judge
        app.selectbox(key="check.judge").select("openai").run()
        app.selectbox(key="check.model.openai").select("gpt-6-luna").run()
        assert not app.exception
        host = vendor.url.removeprefix("http://")
        assert host.replace(".", r"\.").replace(":", r"\:") in _texts(app)
        assert "About 2 calls" in _texts(app)
        assert vendor.calls == 0
        app.button(key="check.submit").click().run()
        assert not app.exception
        assert vendor.calls == 2
        assert "2 calls" in _texts(app)
        _edit_prompt(app, vendor)
        assert KEY not in _texts(app)
        app.button(key="check.save").click().run()
        asked = vendor.calls
    assert not app.exception
    (run,) = list_runs(services)
    assert run.judge.name == "openai:gpt-6-luna"
    assert "edited" in run.fingerprint
    assert asked == 4


def _edit_prompt(app: AppTest, vendor: Vendor) -> None:
    """A prompt without its placeholders is refused; one with them is tried out on what is pasted."""
    editor = app.text_area(key="check.prompt.claims.strict")
    shipped = str(editor.value)
    editor.input("Only $answer.").run()
    assert r"lacks \$chunks" in _texts(app)
    app.text_area(key="check.prompt.claims.strict").input(f"Be brief.\n\n{shipped}").run()
    assert vendor.calls == 2
    app.button(key="check.submit").click().run()
    assert not app.exception
    assert vendor.calls == 4
    assert "Be brief." in vendor.server.calls[-1].system
