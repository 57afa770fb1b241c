"""Before an update: what to check, and what it would break."""

import json
from typing import Any

import pytest
from faithview.domain.preflight import PreflightRecord, PreflightResult
from faithview.services.knowledge.preflight.plan import make_plan
from faithview.services.knowledge.preflight.preflights import (
    get_preflight,
    judge_preflight,
    list_preflights,
    save_plan,
)
from streamlit.testing.v1 import AppTest
from tests.services.knowledge.preflight.planted import KNOWLEDGE, QUESTIONS, add_run, check, chunks_of

from faithview.domain.run import Run
from faithview.services.container import Store
from faithview.services.knowledge.versions import load_version, save_knowledge_base
from faithview.services.results import list_runs
from faithview.services.runs.budget import Limits
from faithview.services.runs.worker import Workers
from faithview.ui import navigation
from tests.factories import S, make_claim, make_row, store_rows
from tests.ui.conftest import OpenPage, words_of

pytestmark = pytest.mark.process  # takes long

BEFORE = f"{navigation.CHANGES}?tab={navigation.BEFORE}"
HOSTILE = "<script>alert(1)</script> **b** $x$ :red[z]"
EDITED = {**KNOWLEDGE, "returns": KNOWLEDGE["returns"].replace("30 days", "14 days")}


def _said(app: AppTest) -> str:
    """What the page says, without the signs of Markdown."""
    return words_of(app).replace("\\", "").replace("**", "")


def _components(app: AppTest) -> str:
    return "".join(one.proto.mixed.json or one.proto.json for one in app.get("bidi_component"))


def _keys(app: AppTest) -> set[str]:
    return {button.key for button in app.button if button.key}


@pytest.fixture
def run(services: Store) -> Run:
    """A run over the stored version v1."""
    return add_run(services)


@pytest.fixture
def result(services: Store, run: Run) -> PreflightResult:
    """A finished preflight in which one claim breaks."""
    return check(services, run, chunks_of(EDITED), source="new.jsonl")


def _open(open_page: OpenPage, result: PreflightResult | PreflightRecord, **parameters: str) -> AppTest:
    record = result.record if isinstance(result, PreflightResult) else result
    return open_page(BEFORE, preflight=record.preflight_id, **parameters)


def test_without_a_stored_version_the_page_says_what_to_store(open_page: OpenPage) -> None:
    text = words_of(open_page(BEFORE))
    assert "No version of the knowledge base is stored yet. Store the one that your answers were made with" in text


def test_an_equal_version_has_nothing_to_check(services: Store, run: Run, open_page: OpenPage) -> None:
    save_knowledge_base(services, "v2", chunks_of(KNOWLEDGE))
    app = open_page(BEFORE)
    app.segmented_control(key="before.kind").set_value("Stored version").run()
    assert "has the same documents as v1, so there is nothing to check. Choose the changed files." in words_of(app)
    assert "before.start" not in _keys(app)


def test_a_file_that_cannot_be_read_is_explained(services: Store, run: Run, open_page: OpenPage) -> None:
    app = open_page(BEFORE)
    app.file_uploader(key="before.files").upload("kb.pdf", b"%PDF-1.7", "application/pdf").run()
    assert not app.exception
    assert any("PDF" in error.value for error in app.error)


def test_an_uploaded_version_is_judged_by_a_worker_and_its_result_names_the_claim(
    services: Store, run: Run, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[str] = []

    def judge(self: Workers, preflight_id: str, **_: Any) -> None:
        started.append(preflight_id)
        judge_preflight(services, preflight_id)

    monkeypatch.setattr(Workers, "start_preflight", judge)
    rows = [{"id": chunk.chunk_id, "text": chunk.text, "metadata": dict(chunk.metadata)} for chunk in chunks_of(EDITED)]
    content = "\n".join(map(json.dumps, rows)).encode()
    app = open_page(BEFORE)
    app.file_uploader(key="before.files").upload("new.jsonl", content, "application/jsonl").run()
    assert "1 document edited, none added, none removed; 3 unchanged" in _said(app)
    assert "judged again by the judge embedded. No text leaves this machine." in words_of(app)
    app.text_input(key="before.name").set_value("v2").run()
    app.button(key="before.start").click().run()
    text = words_of(app)
    (record,) = list_preflights(services)
    assert started == [record.preflight_id]
    assert (record.new_version, record.source) == ("v2", "new.jsonl")
    assert app.query_params["preflight"] == record.preflight_id
    assert "1 claim would break. It is in Orders." in text
    assert "Faithfulness **1.00 → 0.75**, n 4 answers." in text
    assert "Assumes the same answers and the same retrieval" in text
    drawn = _components(app)
    assert '"outcome": "Would break"' in drawn
    assert '"kind": "removed", "text": "30' in drawn


def test_segments_documents_and_outcomes_are_chosen_by_the_address(
    services: Store, result: PreflightResult, open_page: OpenPage
) -> None:
    app = _open(open_page, result)
    tables = [table.value for table in app.dataframe]
    assert tables[0]["name"].tolist()[0] == "Orders"
    assert tables[1]["name"].tolist() == ["± returns.md   Returns"]
    app = _open(open_page, result, where="segment:Account")
    assert "No claim matches both choices." in words_of(app)
    app.button(key="before.place.clear").click().run()
    assert '"outcome": "Would break"' in _components(app)
    app = _open(open_page, result, where="document:returns.md")
    assert '"outcome": "Would break"' in _components(app)


def test_questions_to_ask_again_are_listed(result: PreflightResult, open_page: OpenPage) -> None:
    app = _open(open_page, result, show="questions")
    assert app.dataframe[0].value["question"].tolist()[0] == QUESTIONS[0][1]


def test_texts_of_documents_are_never_markup(services: Store, open_page: OpenPage) -> None:
    texts = {**KNOWLEDGE, "returns": f"{KNOWLEDGE['returns']} {HOSTILE}"}
    save_knowledge_base(services, "v1", chunks_of(texts))
    rows = [make_row({"returns": texts["returns"]}, make_claim(f"Within 30 days. {HOSTILE}", S, "returns"), key="a")]
    run = store_rows(services, "old", rows, kb_version="v1")
    edited = texts["returns"].replace("30 days", "14 days")
    new = chunks_of({**texts, "returns": edited, "faq": edited.replace("14", "40")}, document=f"{HOSTILE}/{{name}}.md")
    found = check(services, run, new, source=f"{HOSTILE}.jsonl")
    save_knowledge_base(services, "v2", new)
    for show in ("claims", "questions"):
        app = _open(open_page, found, show=show)
        assert not app.exception
        as_markdown = (app.title, app.header, app.markdown, app.caption, app.info, app.warning, app.error)
        for one in (one for kind in as_markdown for one in kind):
            assert "<script>" not in one.value
            assert "**b**" not in one.value
            assert "$x$" not in one.value
    # In the components they are data: as they are, to be drawn as text.
    assert json.dumps(HOSTILE)[1:-1] in _components(_open(open_page, found))


def test_a_model_is_asked_only_after_its_calls_are_shown_and_agreed_to(
    services: Store, run: Run, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "key")
    started: list[Limits] = []
    monkeypatch.setattr(Workers, "start_preflight", lambda self, one, *, limits: started.append(limits))
    save_knowledge_base(services, "v2", chunks_of(EDITED))
    app = open_page(BEFORE)
    app.segmented_control(key="before.kind").set_value("Stored version").run()
    app.segmented_control(key="before.who").set_value("another").run()
    app.selectbox(key="before.judge").select("openai").run()
    model = app.selectbox(key="before.model.openai").options[0]
    app.selectbox(key="before.model.openai").select(model).run()
    assert "questions, answers and chunks are sent to api.openai.com. About 4 calls" in _said(app)
    assert app.button(key="before.start").disabled
    app.number_input(key="before.max_calls").set_value(3).run()
    app.checkbox(key="before.agreed.api.openai.com").check().run()
    assert list_preflights(services) == []
    app.button(key="before.start").click().run()
    assert [limits.max_calls for limits in started] == [3]
    (record,) = list_preflights(services)
    assert (record.judge.name, record.is_run_judge) == (f"openai:{model}", False)


def test_a_preflight_that_is_gone_is_said_to_be_gone(run: Run, open_page: OpenPage) -> None:
    assert "There is no preflight" in words_of(open_page(BEFORE, preflight="gone"))


def test_a_stopped_preflight_continues_and_one_under_way_is_cancelled(
    services: Store, run: Run, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = save_plan(services, make_plan(services, run.run_id, chunks_of(EDITED)))
    app = _open(open_page, record)
    assert "Judging the answers that it may affect" in words_of(app)
    assert "before.cancel" not in _keys(app)
    calls: list[str] = []
    monkeypatch.setattr(Workers, "start_preflight", lambda self, one, **_: calls.append(f"start {one}"))
    monkeypatch.setattr(Workers, "stop", lambda self, one, **_: calls.append(f"stop {one}"))
    app.button(key="before.continue").click().run()
    monkeypatch.setattr(Workers, "is_working", lambda *_: True)
    app.run()
    app.button(key="before.cancel").click().run()
    assert not app.exception
    assert calls == [f"start {record.preflight_id}", f"stop {record.preflight_id}"]


def test_a_worker_that_failed_says_why(
    services: Store, run: Run, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = save_plan(services, make_plan(services, run.run_id, chunks_of(EDITED)))
    monkeypatch.setattr(Workers, "find_error", lambda *_: "The limit of <b>5</b> calls is reached.")
    app = _open(open_page, record)
    assert [error.value.replace("\\", "") for error in app.error] == ["The limit of <b>5</b> calls is reached."]
    assert "before.continue" in _keys(app)


def test_an_earlier_preflight_is_listed_and_deleted(
    services: Store, result: PreflightResult, open_page: OpenPage
) -> None:
    app = open_page(BEFORE)
    (table,) = [table.value for table in app.dataframe]
    assert table["versions"].tolist() == ["v1 → new.jsonl"]
    assert table["broken"].tolist() == [1]
    app = _open(open_page, result)
    app.button(key="before.delete.yes").click().run()
    assert not app.exception
    assert list_preflights(services) == []
    assert "preflight" not in app.query_params


def test_the_sample_s_october_update_names_handovers_first(demo: Store, open_page: OpenPage) -> None:
    run = next(run for run in list_runs(demo) if run.kb_version == "2026-09")
    record = save_plan(
        demo, make_plan(demo, run.run_id, load_version(demo, "2026-10"), new_version="2026-10", source="2026-10")
    )
    judge_preflight(demo, record.preflight_id)
    app = _open(open_page, record)
    breaking = get_preflight(demo, record.preflight_id).counts.breaking
    assert f"{breaking} claims are overtaken by new passages. All of them are in Handovers." in words_of(app)
    assert app.dataframe[0].value["name"].tolist()[0] == "Handovers"
