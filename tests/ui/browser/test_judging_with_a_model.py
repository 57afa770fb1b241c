"""Judging with a model from the upload page, against a server that goes wrong, the key being in a secrets file."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from faithview import Sample
from faithview.domain.run import JudgeSpec, RunStatus
from faithview.services.container import Store
from faithview.services.results import get_run, get_summary, list_runs
from faithview.services.runs.create import is_batch_run
from faithview.store.results import get_answer
from tests.dashboard import Dashboard, start_dashboard
from tests.judges.cascade.test_asking_a_model import SAMPLE
from tests.judges.llm.batch_server import Batches
from tests.judges.llm.faults import Faults
from tests.judges.llm.server import Answer, Request
from tests.services.llm_runs import judge_run
from tests.ui.browser.files import jsonl_gz_of
from tests.ui.browser.screen import Screen
from tests.vendor import KEY, Vendor, running

pytestmark = pytest.mark.browser

_OPENAI = "A model at OpenAI, or at any server that speaks its protocol"


def _rows(what: str) -> list[dict[str, object]]:
    texts = [f"{what} number {n} holds." for n in range(12)]
    return [{"id": f"r{n}", "question": "Which?", "answer": t, "contexts": [t]} for n, t in enumerate(texts)]


class _Server:
    """Single calls that go wrong, and batches that never end."""

    def __init__(self) -> None:
        self.batches = Batches()
        self.batches.done = False
        self._calls = Faults(3)

    def __call__(self, request: Request) -> Answer:
        is_call = request.path.endswith(("/chat/completions", "/messages"))
        return self._calls(request) if is_call else self.batches(request)


@pytest.fixture(scope="module")
def script() -> _Server:
    return _Server()


@pytest.fixture(scope="module")
def vendor(script: _Server) -> Iterator[Vendor]:
    with running(script) as started:
        yield started


@pytest.fixture(scope="module")
def dashboard(database: str, folder: Path, vendor: Vendor) -> Iterator[Dashboard]:
    """The dashboard of somebody whose key for OpenAI stands in a secrets file and nowhere else."""
    (folder / ".streamlit").mkdir()
    secrets = {name: vendor.environment[name] for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL")}
    lines = [f'{name} = "{value}"\n' for name, value in secrets.items()]
    (folder / ".streamlit" / "secrets.toml").write_text("".join(lines), encoding="utf-8")
    empty = dict.fromkeys([*vendor.environment, "ANTHROPIC_AUTH_TOKEN"], "")
    environment = {**empty, "HOME": str(folder), "USERPROFILE": str(folder)}
    started = start_dashboard(database, log=folder / "dashboard.log", environment=environment)
    yield started
    started.stop()
    assert KEY not in (folder / "dashboard.log").read_text(encoding="utf-8")


def _choose_a_model(screen: Screen, vendor: Vendor, *, what: str) -> None:
    screen.open("/upload")
    screen.upload("rows.jsonl.gz", jsonl_gz_of(_rows(what)))
    screen.choose("upload.judge", _OPENAI)
    screen.choose("upload.model.openai", "gpt-6-luna")
    screen.sees(re.compile("Question, answer and chunks are sent to"))
    screen.sees(vendor.url.removeprefix("http://"))


def _run_id(screen: Screen) -> str:
    screen.until(lambda: "run" in screen.parameters(), "the run is in the address")
    return screen.parameters()["run"]


def test_a_file_is_judged_and_judged_again_though_one_call_in_five_goes_wrong(
    screen: Screen, services: Store, vendor: Vendor
) -> None:
    _choose_a_model(screen, vendor, what="Fact")
    screen.sees(re.compile("About 12 calls"))
    repeat = screen.widget("upload.repeat").locator("input")
    screen.enter(repeat, "2")
    screen.settle()
    screen.sees(re.compile("About 24 calls"))
    assert vendor.calls == 0
    screen.press("Judge the answers")
    run_id = _run_id(screen)
    screen.sees(re.compile(r"Complete · 12 of 12 answers · 0 failed"))
    run = get_run(services, run_id)
    assert run.judge.name == "openai:gpt-6-luna"
    # Gzipped JSON lines of known shape need no mapping.
    sample = get_answer(services.db, run_id, "r0").sample
    assert (sample.question, sample.answer, len(sample.chunks)) == ("Which?", "Fact number 0 holds.", 1)
    assert len(run.repeats) == 1
    screen.until(lambda: get_run(services, run.repeats[0]).status is RunStatus.COMPLETE, "the repeat is judged too")
    summaries = [get_summary(services, name) for name in (run_id, run.repeats[0])]
    assert [s.states["judged"] for s in summaries] == [12, 12]
    assert all(call.headers["authorization"] == f"Bearer {KEY}" for call in vendor.server.calls)
    expect(screen.main()).not_to_contain_text(KEY)


def test_a_batch_is_handed_in_without_limits_and_repeats_and_can_be_cancelled(
    screen: Screen, services: Store, vendor: Vendor, script: _Server
) -> None:
    _choose_a_model(screen, vendor, what="Rumour")
    screen.page.get_by_text("Use the vendor's batch API").click()
    screen.settle()
    for key in ("upload.repeat", "upload.max_calls", "upload.max_cost"):
        expect(screen.widget(key).locator("input")).to_be_disabled()
    screen.press("Judge the answers")
    run_id = _run_id(screen)
    screen.until(lambda: len(script.batches.submitted) == 1, "the batch is handed in")
    assert is_batch_run(services, get_run(services, run_id))
    assert [len(batch) for batch in script.batches.submitted.values()] == [12]
    screen.press("Cancel")
    screen.sees(re.compile("Cancelled · 0 of 12 answers"))


def test_the_uncertain_claims_of_a_run_are_asked_about_and_say_who_decided(
    screen: Screen, services: Store, vendor: Vendor
) -> None:
    asked = [Sample.of(SAMPLE.answer, [SAMPLE.chunks[0].text], question="What about inboxes?", key="q1")]
    run, _ = judge_run(services, asked, JudgeSpec())
    before = vendor.calls
    screen.open("/answers", run=run.run_id)
    screen.press("Ask a model about 2 uncertain claims")
    dialog = screen.page.get_by_role("dialog", name="Judge again with another judge")
    screen.choose("again.model.cascade", "openai:gpt-6-luna")
    expect(dialog).to_contain_text("About 1 call")
    assert vendor.calls == before
    dialog.get_by_text("Send them to").click()
    screen.settle()
    screen.press("Start the run")
    screen.until_page("/upload")
    screen.sees(re.compile("Complete · 1 of 1 answer"))
    made = next(one for one in list_runs(services) if one.judge.is_cascade)
    screen.visit("/answers", run=made.run_id)
    screen.sees(re.compile(r"decided by embedded 1 \(33%\), openai:gpt-6-luna 2 \(67%\)"))
    by = screen.page.locator(".claim .line").all_inner_texts()
    assert [("by openai:gpt-6-luna" in line, "by embedded" in line) for line in by].count((True, False)) == 2
    expect(screen.page.get_by_role("button", name="Ask a model")).to_have_count(0)
