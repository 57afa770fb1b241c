"""From a file to a run that can be looked at: detected, mapped, previewed, judged."""

import re

import pytest
from playwright.sync_api import expect

from faithview.domain.run import RunStatus
from faithview.services.container import Services
from faithview.services.results.answers import get_answer
from faithview.services.results.runs import get_run
from tests.ui.browser.files import csv_of, jsonl_gz_of
from tests.ui.browser.screen import Screen

pytestmark = pytest.mark.browser

_CHUNK = "Shared inboxes hold up to 20 members. Links expire after 7 days."
_ROWS = [
    {"Frage": "How many?", "Text A": "Shared inboxes hold up to 50 members.", "Text B": "x y z", "passages": _CHUNK},
    {"Frage": "How long?", "Text A": "Links expire after 7 days.", "Text B": "x y z", "passages": _CHUNK},
]


def _is_judged(screen: Screen, services: Services) -> str:
    """Wait until the run that the page has started is complete; return its id."""
    screen.until(lambda: "run" in screen.parameters(), "the run is in the address")
    run_id = screen.parameters()["run"]
    screen.sees(re.compile(r"Complete · \d+ of \d+ answers?"))
    assert get_run(services, run_id).status is RunStatus.COMPLETE
    return run_id


def test_a_file_with_columns_of_its_own_is_mapped_by_hand_judged_and_opened(screen: Screen, services: Services) -> None:
    screen.open("/upload")
    screen.upload("mine.csv", csv_of(_ROWS))
    screen.choose("upload.map.mine.csv.question", "Frage")
    screen.choose("upload.map.mine.csv.answer", "Text B")
    expect(screen.grid()).to_contain_text("x y z")
    screen.choose("upload.map.mine.csv.answer", "Text A")
    expect(screen.grid()).to_contain_text("Shared inboxes hold up to 50 members.")
    screen.page.get_by_label("Name of the run").fill("By hand")
    screen.press("Judge the answers")
    run_id = _is_judged(screen, services)
    screen.press("Open the run")
    screen.until(lambda: screen.path() == "/inspect", "the run opens")
    screen.settle()
    assert screen.parameters()["run"] == run_id
    assert get_run(services, run_id).name == "By hand"
    expect(screen.opened_row()).to_contain_text("How many?")
    assert screen.answer().evaluate("e => e.textContent") == "Shared inboxes hold up to 50 members."


def test_a_gzipped_file_of_known_shape_needs_no_mapping(screen: Screen, services: Services) -> None:
    rows = [
        {"id": "a", "question": "How many?", "answer": "Inboxes hold 20 members.", "contexts": [_CHUNK]},
        {"id": "b", "question": "How long?", "answer": "Links expire after 9 days.", "contexts": [_CHUNK]},
    ]
    screen.open("/upload")
    screen.upload("ragas.jsonl.gz", jsonl_gz_of(rows))
    screen.sees(re.compile(r"jsonl"))
    expect(screen.grid()).to_contain_text("Links expire after 9 days.")
    screen.press("Judge the answers")
    run_id = _is_judged(screen, services)
    assert [get_answer(services, run_id, key).sample.question for key in ("a", "b")] == ["How many?", "How long?"]


def test_the_worst_answers_lead_into_the_run_and_back(screen: Screen, services: Services) -> None:
    screen.open("/upload")
    screen.upload(
        "again.csv", csv_of([{"question": r["Frage"], "answer": r["Text A"], "contexts": r["passages"]} for r in _ROWS])
    )
    screen.press("Judge the answers")
    run_id = _is_judged(screen, services)
    screen.page.locator("[data-faithview-list] .row").first.click()
    screen.until(lambda: screen.path() == "/inspect", "the answer opens")
    screen.settle()
    expect(screen.answer()).to_contain_text("50 members")
    screen.page.go_back()
    screen.until(lambda: screen.path() == "/upload", "the progress is back")
    screen.settle()
    screen.sees("The worst answers so far")
    assert screen.path() == "/upload"
    assert screen.parameters()["run"] == run_id
    screen.press("Judge another file")
    screen.sees("One row per answer")
