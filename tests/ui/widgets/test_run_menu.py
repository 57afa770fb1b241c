"""A run says which of its claims are to be checked, and offers to ask a model about those its judge is unsure of."""

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from faithview import Sample, Verdict
from faithview.domain.run import JudgeSpec, RunStatus
from faithview.services.container import Store
from faithview.services.judge_catalogue import caution_about
from faithview.services.results import list_runs
from faithview.store import labels
from faithview.ui import navigation
from faithview.wording import numbers as fmt
from tests.factories import make_claim, make_label, make_result, make_run, store_run
from tests.judges.cascade.test_asking_a_model import SAMPLE, SURE_SAMPLE, UNSURE
from tests.ui.conftest import OpenPage, words_of
from tests.vendor import KEY

_KEYS = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL")
_RESULT = make_result(
    replace(make_claim(UNSURE[0], Verdict.SUPPORTED, confidence=0.72), support_score=0.72),
    replace(make_claim(UNSURE[1], Verdict.NOT_MENTIONED, confidence=0.7), support_score=0.3),
)


@pytest.fixture(autouse=True)
def _without_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in _KEYS:
        monkeypatch.delenv(name, raising=False)
    # Whether PyTorch is installed here decides nothing.
    monkeypatch.setattr("faithview.judges.registry.find_spec", lambda _: None)


def _store(services: Store, judge: JudgeSpec, sample: Sample = SAMPLE) -> None:
    run = make_run("r1", judge=judge, series="Inboxes", status=RunStatus.COMPLETE)
    store_run(services.db, [sample], [_RESULT], run=run)


def _has(app: AppTest, key: str) -> bool:
    return any(button.key == key for button in app.button)


def test_a_run_lists_the_claims_to_check_until_they_are_labelled(services: Store, open_page: OpenPage) -> None:
    _store(services, JudgeSpec())
    app = open_page(navigation.ANSWERS, run="r1", row="mixed", claim="1")
    assert "check this" in _drawn(app)
    assert app.button(key="inspect.to_check").label == "1 to check"
    app.button(key="inspect.to_check").click().run()
    assert app.query_params["label"] == "to_check"
    assert not _has(app, "inspect.to_check")
    labels.add_labels(services.db, [("r1", 1, make_label(Verdict.SUPPORTED, 1))])
    app = open_page(navigation.ANSWERS, run="r1", row="mixed", claim="1")
    assert not _has(app, "inspect.to_check")
    assert "check this" not in words_of(app)


def _drawn(app: AppTest) -> str:
    return "".join(one.proto.mixed.json or one.proto.json for one in app.get("bidi_component"))


def test_of_a_run_by_another_judge_nothing_is_to_be_checked(
    services: Store, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    _store(services, JudgeSpec(name="openai:some-model"))
    app = open_page(navigation.ANSWERS, run="r1")
    assert not _has(app, "inspect.to_check")
    assert not _has(app, "inspect.ask_model")
    assert "often wrong" not in words_of(app)


def test_where_no_model_is_set_up_none_is_offered(services: Store, open_page: OpenPage) -> None:
    _store(services, JudgeSpec())
    assert fmt.literal(caution_about(JudgeSpec())) in words_of(open_page(navigation.OVERVIEW))
    assert not any("Ask a model" in button.label for button in open_page(navigation.ANSWERS).button)


@pytest.mark.parametrize("page", [navigation.ANSWERS])
def test_a_model_is_offered_for_the_uncertain_claims_with_calls_and_cost_before_it_is_asked(
    services: Store, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    _store(services, JudgeSpec())
    app = open_page(page)
    (button,) = [button for button in app.button if "Ask a model" in button.label]
    assert button.label == "Ask a model about 2 uncertain claims"
    app.session_state["again.model.cascade"] = "openai:gpt-6-luna"  # AppTest runs no fragment: a choice closes a dialog
    button.click().run()
    assert app.selectbox(key="again.judge").value == "cascade"
    assert all(name.startswith("openai:") for name in app.selectbox(key="again.model.cascade").options)
    said = words_of(app)
    assert "About 1 call" in said
    assert r"Where a claim is uncertain, question, answer and chunks are sent to **api\.openai\.com**" in said
    assert app.button(key="again.start").disabled
    assert [run.run_id for run in list_runs(services)] == ["r1"]


@pytest.mark.parametrize(("share", "calls"), [(None, "No call is needed"), (1.0, "About 1 call")])
def test_the_share_of_the_claims_decides_about_the_calls(
    services: Store, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch, share: float | None, calls: str
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    _store(services, JudgeSpec(), SURE_SAMPLE)  # the default judge is sure of it now
    app = open_page(navigation.ANSWERS)
    app.session_state["again.model.cascade"] = "openai:gpt-6-luna"
    app.session_state["again.cascade_share"] = share
    app.button(key="inspect.ask_model").click().run()
    assert app.select_slider(key="again.cascade_share").value == share
    assert calls in words_of(app)
