"""Before an update: what to check, and the comparison that says what it would break."""

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from faithview.domain.run import JudgeSpec, Run, RunStatus
from faithview.services.comparison.compared_runs import Comparison
from faithview.services.container import Store
from faithview.services.knowledge.preflight import begin_preflight, list_preflights, plan_preflight
from faithview.services.knowledge.versions import save_knowledge_base
from faithview.services.results import get_run
from faithview.services.runs.create import judge_here
from faithview.services.runs.worker import Workers
from faithview.ui import navigation
from tests.factories import S, make_claim, make_row, store_rows
from tests.services.knowledge.preflight_cases import KNOWLEDGE, add_run, check, chunks_of
from tests.ui.conftest import OpenPage, words_of

pytestmark = pytest.mark.process  # takes long

BEFORE = f"{navigation.CHANGES}?tab={navigation.BEFORE}"
HOSTILE = "<script>alert(1)</script> **b** $x$ :red[z]"
EDITED = {**KNOWLEDGE, "returns": KNOWLEDGE["returns"].replace("30 days", "14 days")}


def _said(app: AppTest) -> str:
    """What the page says, without the signs of Markdown."""
    return words_of(app).replace("\\", "").replace("**", "")


def _keys(app: AppTest) -> set[str]:
    return {button.key for button in app.button if button.key}


@pytest.fixture
def run(services: Store) -> Run:
    """A run over the stored version v1."""
    return add_run(services)


@pytest.fixture
def found(services: Store, run: Run) -> Comparison:
    """A finished preflight in which one claim breaks."""
    comparison = check(services, run, chunks_of(EDITED), new_version="new.jsonl")
    assert comparison is not None
    return comparison


def _begin(services: Store, run: Run) -> tuple[Run, Run]:
    pair = begin_preflight(services, plan_preflight(services, run.run_id, chunks_of(EDITED)))
    assert pair is not None
    return pair


def _open(open_page: OpenPage, before: Run, after: Run) -> AppTest:
    return open_page(navigation.CHANGES, baseline=before.run_id, candidate=after.run_id)


def test_without_a_stored_version_the_page_says_what_to_store(open_page: OpenPage) -> None:
    assert "faithview kb add VERSION FILE" in words_of(open_page(BEFORE))


def test_an_equal_version_has_nothing_to_check(services: Store, run: Run, open_page: OpenPage) -> None:
    save_knowledge_base(services, "v2", chunks_of(KNOWLEDGE))
    app = open_page(BEFORE)
    app.segmented_control(key="before.kind").set_value("Stored version").run()
    assert "has the same documents as v1" in words_of(app)
    assert "before.start" not in _keys(app)


def test_a_new_document_alone_breaks_nothing(services: Store, run: Run, open_page: OpenPage) -> None:
    save_knowledge_base(services, "v2", chunks_of({**KNOWLEDGE, "wifi": "The shop in Basel has free internet."}))
    app = open_page(BEFORE)
    app.segmented_control(key="before.kind").set_value("Stored version").run()
    assert "no claim would break" in _said(app)
    assert "before.start" not in _keys(app)


def test_a_file_that_cannot_be_read_is_explained(services: Store, run: Run, open_page: OpenPage) -> None:
    app = open_page(BEFORE)
    app.file_uploader(key="before.files").upload("kb.pdf", b"%PDF-1.7", "application/pdf").run()
    assert not app.exception
    assert any("PDF" in error.value for error in app.error)


def test_an_uploaded_version_is_judged_by_a_worker_and_compared(
    services: Store, run: Run, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[str] = []

    def judge(self: Workers, run_id: str, **_: Any) -> None:
        started.append(run_id)
        judge_here(services, get_run(services, run_id))

    monkeypatch.setattr(Workers, "start", judge)
    rows = [{"id": chunk.chunk_id, "text": chunk.text, "metadata": dict(chunk.metadata)} for chunk in chunks_of(EDITED)]
    content = "\n".join(map(json.dumps, rows)).encode()
    app = open_page(BEFORE)
    app.file_uploader(key="before.files").upload("new.jsonl", content, "application/jsonl").run()
    assert "1 document edited, none added, none removed; 3 unchanged" in _said(app)
    assert "on this machine." in words_of(app)
    app.button(key="before.start").click().run()
    ((before, after),) = list_preflights(services)
    assert started == [after.run_id]
    assert after.kb_version == "new.jsonl"
    assert (before.status, get_run(services, after.run_id).status) == (RunStatus.COMPLETE, RunStatus.COMPLETE)


def test_the_comparison_says_that_it_shows_a_preflight(
    services: Store, found: Comparison, run: Run, open_page: OpenPage
) -> None:
    app = _open(open_page, found.baseline, found.candidate)
    assert "A preflight" in _said(app)
    assert "1 claim would break" in _said(app)
    # An address without runs does not come back to it.
    assert "A preflight" not in _said(open_page(navigation.CHANGES))


def test_texts_of_documents_are_never_markup(services: Store, open_page: OpenPage) -> None:
    texts = {**KNOWLEDGE, "returns": f"{KNOWLEDGE['returns']} {HOSTILE}"}
    save_knowledge_base(services, "v1", chunks_of(texts))
    rows = [make_row({"returns": texts["returns"]}, make_claim(f"Within 30 days. {HOSTILE}", S, "returns"), key="a")]
    run = store_rows(services, "old", rows, kb_version="v1")
    new = chunks_of({**texts, "returns": texts["returns"].replace("30", "14")}, document=f"{HOSTILE}/{{name}}.md")
    comparison = check(services, run, new, new_version=f"{HOSTILE}.jsonl")
    assert comparison is not None
    for app in (_open(open_page, comparison.baseline, comparison.candidate), open_page(BEFORE)):
        assert not app.exception
        as_markdown = (app.title, app.header, app.markdown, app.caption, app.info, app.warning, app.error)
        for one in (one for kind in as_markdown for one in kind):
            assert "<script>" not in one.value
            assert "**b**" not in one.value
            assert "$x$" not in one.value


def test_texts_leave_this_machine_only_once_a_person_has_agreed(
    services: Store, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "key")
    started: list[str] = []
    monkeypatch.setattr(Workers, "start", lambda self, one, **_: started.append(one))
    save_knowledge_base(services, "v1", chunks_of(KNOWLEDGE))
    rows = [make_row({"returns": KNOWLEDGE["returns"]}, make_claim("Within 30 days.", S, "returns"), key="a")]
    store_rows(services, "old", rows, kb_version="v1", judge=JudgeSpec(name="openai:gpt-6-luna", method="single"))
    save_knowledge_base(services, "v2", chunks_of(EDITED))
    app = open_page(BEFORE)
    app.segmented_control(key="before.kind").set_value("Stored version").run()
    assert "questions, answers and chunks are sent to api.openai.com. About" in _said(app)
    assert app.button(key="before.start").disabled
    app.checkbox(key="before.agreed.api.openai.com").check().run()
    assert list_preflights(services) == []
    app.button(key="before.start").click().run()
    ((_, after),) = list_preflights(services)
    assert started == [after.run_id]


def test_a_stopped_preflight_continues_and_one_under_way_is_cancelled(
    services: Store, run: Run, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, after = _begin(services, run)
    app = _open(open_page, before, after)
    assert "before.cancel" not in _keys(app)
    started: list[str] = []
    monkeypatch.setattr(Workers, "start", lambda self, one, **_: started.append(one))
    app.button(key="before.continue").click().run()
    assert started == [after.run_id]
    monkeypatch.setattr(Workers, "is_working", lambda *_: True)
    app = _open(open_page, before, after)
    app.button(key="before.cancel").click().run()
    assert not app.exception
    assert get_run(services, after.run_id).status is RunStatus.CANCELLED


def test_a_worker_that_failed_says_why(
    services: Store, run: Run, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, after = _begin(services, run)
    monkeypatch.setattr(Workers, "find_error", lambda *_: "The limit of <b>5</b> calls is reached.")
    app = _open(open_page, before, after)
    assert [error.value.replace("\\", "") for error in app.error] == ["The limit of <b>5</b> calls is reached."]
    assert "before.continue" in _keys(app)


def test_an_earlier_preflight_is_listed_and_deleted(services: Store, found: Comparison, open_page: OpenPage) -> None:
    (table,) = [table.value for table in open_page(BEFORE).dataframe]
    assert table["versions"].tolist() == ["v1 → new.jsonl"]
    app = _open(open_page, found.baseline, found.candidate)
    app.button(key="before.delete.yes").click().run()
    assert not app.exception
    assert list_preflights(services) == []
    assert app.query_params.get("candidate") is None
