"""The choice of a judge names what is missing and the host; no model is asked before the button is pressed."""

import pytest
from streamlit.testing.v1 import AppTest

from faithview.services.container import Store
from faithview.services.results import list_runs
from faithview.ui import navigation
from tests.judges.cascade.test_asking_a_model import SAMPLE
from tests.ui.conftest import OpenPage, words_of
from tests.vendor import KEY, Vendor, running


def _without_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


def test_the_embedded_judge_says_that_nothing_leaves_this_machine(open_page: OpenPage) -> None:
    assert "Runs on this machine" in words_of(open_page(navigation.TRY))


def test_a_judge_without_a_key_is_offered_and_says_which_variable_to_set(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    _without_keys(monkeypatch)
    app = open_page(navigation.TRY)
    app.selectbox(key="check.judge").select("openai").run()
    assert not app.exception
    assert r"set OPENAI\_API\_KEY" in words_of(app)
    states = open_page(navigation.SETTINGS).table[0].value["state"]
    assert any(r"set OPENAI\_API\_KEY" in state for state in states)


@pytest.mark.parametrize("page", [navigation.TRY, f"{navigation.TRY}?tab=correct"])
def test_the_button_of_a_judge_that_cannot_run_says_why(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    _without_keys(monkeypatch)
    app = open_page(page)
    name = "check" if page == navigation.TRY else "guard"
    app.selectbox(key=f"{name}.judge").select("openai").run()
    assert app.button(key="check.submit").disabled
    assert r"The judge is not set up\. Needs a key\: set OPENAI\_API\_KEY" in words_of(app)
    app.selectbox(key=f"{name}.judge").select("embedded").run()
    assert not app.button(key="check.submit").disabled


def test_trying_one_answer_offers_a_model_for_what_the_judge_is_unsure_of(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    _without_keys(monkeypatch)
    monkeypatch.setattr("faithview.judges.registry.find_spec", lambda _: None)
    with running() as vendor:
        app = open_page(navigation.TRY)
        app.text_area(key="check.answer").input(SAMPLE.answer)
        app.text_area(key="check.chunks").input(SAMPLE.chunks[0].text)
        app.button(key="check.submit").click().run()
        assert not [button for button in app.button if button.key == "check.ask_model"]
        for name, value in vendor.environment.items():
            monkeypatch.setenv(name, value)
        app.run()
        assert app.button(key="check.ask_model").label == "Ask a model about 2 uncertain claims"
        app.button(key="check.ask_model").click().run()
        assert app.selectbox(key="check.judge").value == "cascade"
        app.selectbox(key="check.model.cascade").select("openai:gpt-6-luna").run()
        assert "About 1 call" in words_of(app)
        assert vendor.calls == 0
        app.button(key="check.submit").click().run()
        assert vendor.calls == 1
        assert "often wrong" not in words_of(app)
        assert r"Judged by cascade\:openai\:gpt\-6\-luna" in words_of(app)


def test_a_model_is_asked_only_after_the_button_was_pressed_and_its_answer_is_saved_without_asking_again(
    services: Store, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running() as vendor:
        for name, value in vendor.environment.items():
            monkeypatch.setenv(name, value)
        app = open_page(navigation.TRY)
        app.text_area(key="check.answer").input("Inboxes hold 50 members.")
        app.text_area(key="check.chunks").input("Inboxes hold 50 members.")
        app.button(key="check.submit").click().run()  # by the embedded judge
        app.selectbox(key="check.judge").select("openai").run()
        app.selectbox(key="check.model.openai").select("gpt-6-luna").run()
        assert not app.exception
        host = vendor.url.removeprefix("http://")
        assert host.replace(".", r"\.").replace(":", r"\:") in words_of(app)
        assert "About 1 call" in words_of(app)
        assert vendor.calls == 0
        app.button(key="check.submit").click().run()
        assert not app.exception
        assert vendor.calls == 1
        assert "1 call" in words_of(app)
        _edit_prompt(app, vendor)
        assert KEY not in words_of(app)
        app.button(key="check.save").click().run()
        asked = vendor.calls
    assert not app.exception
    (run,) = list_runs(services)
    assert run.judge.name == "openai:gpt-6-luna"
    assert "edited" in run.fingerprint
    assert asked == 2


def _edit_prompt(app: AppTest, vendor: Vendor) -> None:
    """A prompt without its placeholders is refused; one with them is tried out on what is pasted."""
    editor = app.text_area(key="check.prompt.single.strict")
    shipped = str(editor.value)
    editor.input("Only $answer.").run()
    assert r"lacks \$chunks" in words_of(app)
    app.text_area(key="check.prompt.single.strict").input(f"Be brief.\n\n{shipped}").run()
    assert vendor.calls == 1
    app.button(key="check.submit").click().run()
    assert not app.exception
    assert vendor.calls == 2
    assert "Be brief." in vendor.server.calls[-1].system
