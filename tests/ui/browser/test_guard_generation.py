"""A person has a model answer on the guard page: it is judged, tried again, and every attempt can be looked at."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from faithview.services.container import Store
from faithview.services.results import get_run, iterate_answers
from tests.dashboard import Dashboard, start_dashboard
from tests.judges.llm.server import Answer, Request, Say, Status, sensible
from tests.ui.browser.screen import Screen
from tests.vendor import KEY, Vendor, running

pytestmark = pytest.mark.browser

_CHUNKS = "Shared inboxes hold up to 20 members.\n\nLinks expire after 7 days."
_WRONG = "Shared inboxes hold up to 50 members. Links expire after 7 days."
_RIGHT = "Shared inboxes hold up to 20 members."


class _Model:
    """Answers in turn; any other question sensibly."""

    def __init__(self) -> None:
        self.answers: list[str | Status] = []

    def __call__(self, request: Request) -> Answer:
        if request.schema != "WrittenAnswer":
            return sensible(request)
        answer = self.answers.pop(0)
        return Say(text=json.dumps({"answer": answer})) if isinstance(answer, str) else answer


@pytest.fixture(scope="module")
def model() -> _Model:
    return _Model()


@pytest.fixture(scope="module")
def vendor(model: _Model) -> Iterator[Vendor]:
    with running(model) as started:
        yield started


@pytest.fixture(scope="module")
def dashboard(database: str, folder: Path, vendor: Vendor) -> Iterator[Dashboard]:
    """The dashboard with a model to ask."""
    started = start_dashboard(database, log=folder / "dashboard.log", environment=dict(vendor.environment))
    yield started
    started.stop()
    assert KEY not in (folder / "dashboard.log").read_text(encoding="utf-8")


def _generate(screen: Screen, *, question: str) -> None:
    screen.open("/try", tab="correct")
    screen.pick("Generate")
    screen.choose("guard.model_to_ask.openai", "gpt-6-luna")
    screen.write(screen.page.get_by_label("Question"), question)
    screen.write(screen.page.get_by_role("textbox", name="Chunks", exact=True), _CHUNKS)
    screen.press("Generate and check")
    screen.settle()


def test_the_attempts_stand_in_their_order_and_each_opens(screen: Screen, model: _Model, services: Store) -> None:
    model.answers = [_WRONG, _RIGHT]
    _generate(screen, question="How many members?")
    screen.sees(re.compile("Passes at attempt 2: the one claim is supported"))
    attempts = screen.page.get_by_role("radiogroup", name="Attempts")
    expect(attempts.get_by_role("radio")).to_have_count(2)
    expect(attempts).to_contain_text("✕ Attempt 1")
    expect(attempts).to_contain_text("✓ Attempt 2, the best")
    screen.sees("The model was told that claim 1 of attempt 1 is not supported.")
    second = screen.page.get_by_role("region", name="Attempt 2", exact=True)
    expect(second.locator("ins")).to_have_text(["20"])
    attempts.get_by_text("Attempt 1").click()
    screen.settle()
    expect(screen.page.get_by_role("region", name="Attempt 2", exact=True)).to_have_count(0)
    expect(screen.page.get_by_role("region", name="Attempt 1", exact=True).locator("mark")).not_to_have_count(0)
    screen.press("Save as a run")
    screen.page.get_by_role("button", name="Save", exact=True).click()
    screen.until_page("/answers")
    run = get_run(services, screen.parameters()["run"])
    assert [d.sample.answer for d in iterate_answers(services, run.run_id)] == [_WRONG, _RIGHT]


def test_an_attempt_without_an_answer_says_why_and_the_best_of_the_rest_is_shown(screen: Screen, model: _Model) -> None:
    model.answers = [Status(code=400, message="no such thing"), _WRONG, _WRONG]
    _generate(screen, question="How long do links live?")
    screen.sees(re.compile("Blocked: none of 3 attempts passes. In the best, attempt 2"))
    attempts = screen.page.get_by_role("radiogroup", name="Attempts")
    expect(attempts).to_contain_text("no answer")
    attempts.get_by_text("Attempt 1").click()
    screen.sees(re.compile("no such thing"))
    expect(screen.main()).not_to_contain_text(KEY)


def test_where_no_answer_came_at_all_the_page_says_so(screen: Screen, model: _Model, vendor: Vendor) -> None:
    model.answers = [Status(code=400, message="out of order")] * 3
    _generate(screen, question="Is anybody there?")
    screen.sees(re.compile("The model gave no answer in 3 attempts"))
    calls = vendor.calls
    screen.enter(screen.page.get_by_role("spinbutton", name="Retries"), "1")
    screen.sees(re.compile("Press Generate and check"))
    assert vendor.calls == calls
