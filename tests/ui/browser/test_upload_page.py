"""From a file to a run that can be looked at: guessed, changed, counted, judged, and where to go next."""

import re

import pytest
from playwright.sync_api import expect

from faithview.domain.claim import Verdict
from faithview.domain.run import RunStatus
from faithview.services.container import Store
from faithview.services.results import get_run
from faithview.store.results import get_answer
from tests.browser import VIEWPORT
from tests.ui.browser.files import csv_of
from tests.ui.browser.screen import Screen

pytestmark = pytest.mark.browser

_CHUNK = "Shared inboxes hold up to 20 members. Links expire after 7 days."
_ROWS = [
    {"Frage": "How many?", "Text A": "Shared inboxes hold up to 50 members.", "Text B": "x y z", "passages": _CHUNK},
    {"Frage": "How long?", "Text A": "Links expire after 7 days.", "Text B": "x y z", "passages": _CHUNK},
]
_QUESTIONS = (
    "How many members has an inbox?",
    "When does a link expire?",
    "What does a seat cost?",
    "Is there a trial?",
)
_REPLIES = (
    "Shared inboxes hold up to 50 members.",
    "Links expire after 7 days.",
    "A seat costs 12 euros a month for everybody.",
    "There is a trial of 30 days for new teams.",
)
_BLOB = "Shared inboxes hold up to 20 members.\n---\nLinks expire after 7 days.\n---\nA seat costs 12 euros a month."


@pytest.fixture
def screen(visitor: Screen) -> Screen:
    """One page for all tests of this file."""
    return visitor


def _odd(dates: tuple[str, ...], *, rows: int = 12) -> bytes:
    return csv_of(
        [
            {
                "ticket_no": str(4711 + at),
                "customer_msg": _QUESTIONS[at % 4],
                "bot_reply": _REPLIES[at % 4],
                "ctx_blob": _BLOB,
                "area": ("billing", "inbox")[at % 2],
                "handled_on": dates[at % len(dates)],
                "agent_score": str(at % 5),
            }
            for at in range(rows)
        ]
    )


def _is_judged(screen: Screen, services: Store) -> str:
    """Wait until the run that the page has started is complete; return its id."""
    screen.until(lambda: "run" in screen.parameters(), "the run is in the address")
    run_id = screen.parameters()["run"]
    screen.sees(re.compile(r"Complete · \d+ of \d+ answers?"))
    assert get_run(services, run_id).status is RunStatus.COMPLETE
    return run_id


def test_an_odd_file_is_guessed_judged_with_one_click_and_leads_on(screen: Screen, services: Store) -> None:
    screen.visit("/upload")
    screen.upload("export_oct.csv", _odd(("2026-10-19",)))
    for column, role in (
        ("ticket_no", "Kept as it is"),
        ("customer_msg", "Question"),
        ("bot_reply", "Answer"),
        ("ctx_blob", "Chunks"),
        ("area", "Kept as it is"),
        ("handled_on", "Time"),
        ("agent_score", "Kept as it is"),
    ):
        expect(screen.role_of(column)).to_have_text(role)
    expect(screen.sheet()).to_contain_text("guessed by its content")
    screen.sees("12 answers, 3 chunks each, 19 Oct 2026")
    assert "--map" not in screen.main().inner_text()
    start = screen.page.get_by_role("button", name="Judge the answers")
    in_view = f"e => e.getBoundingClientRect().bottom <= {VIEWPORT[1]}"
    screen.until(lambda: start.evaluate(in_view), "nobody has to scroll to find the button")
    screen.press("Judge the answers")
    first = _is_judged(screen, services)
    answer = get_answer(services.db, first, "1").sample
    assert (answer.question, answer.answer, len(answer.chunks)) == (_QUESTIONS[0], _REPLIES[0], 3)
    assert answer.extra == {"ticket_no": "4711", "area": "billing", "agent_score": "0"}
    screen.sees(re.compile(r"Faithfulness is 0\.\d\d \(.*n 12\)\. \d+ of \d+ claims .* are not fully supported"))
    screen.press("Inspect the worst")
    screen.until_page("/answers")
    assert screen.parameters()["run"] == first
    worst = get_answer(services.db, first, screen.parameters()["row"]).result
    assert worst.faithfulness == 0.0
    assert worst.claims[int(screen.parameters()["claim"]) - 1].verdict is Verdict.CONTRADICTED

    screen.visit("/upload")
    screen.upload("export_nov.csv", _odd(("2026-11-19",)))
    screen.press("Judge the answers")
    second = _is_judged(screen, services)
    screen.press("Compare with export_oct")
    screen.until_page("/changes")
    assert (screen.parameters()["baseline"], screen.parameters()["candidate"]) == (first, second)


def test_columns_that_compete_are_said_by_hand_and_the_worst_answers_lead_into_the_run_and_back(
    screen: Screen, services: Store
) -> None:
    screen.visit("/upload")
    # Both columns say what the chunk says, so neither names nor words tell them apart.
    screen.upload("mine.csv", csv_of([{**row, "Text B": row["Text A"].upper()} for row in _ROWS]))
    screen.sees(re.compile("Which column is Answer"))
    expect(screen.page.get_by_role("button", name="Judge the answers")).to_have_count(0)
    assert "--map" not in screen.main().inner_text()
    screen.give_role("Text A", "Answer")
    screen.write(screen.page.get_by_label("Name of the run"), "By hand")
    screen.press("Judge the answers")
    run_id = _is_judged(screen, services)
    assert get_run(services, run_id).name == "By hand"
    assert get_answer(services.db, run_id, "1").sample.extra == {"Text B": _ROWS[0]["Text A"].upper()}
    screen.press("Open the run")
    screen.until_page("/answers")
    assert screen.parameters()["run"] == run_id
    expect(screen.opened_row()).to_contain_text("How many?")
    expect(screen.answer()).to_have_js_property("textContent", "Shared inboxes hold up to 50 members.")
    screen.page.go_back()
    screen.until_page("/upload")

    screen.sees("The worst answers")
    screen.click_row(screen.main().get_by_test_id("stDataFrame"), 1, x=200)
    screen.until_page("/answers")
    expect(screen.answer()).to_contain_text("50 members")
    screen.page.go_back()
    screen.until_page("/upload")
    screen.sees("The worst answers")
    assert screen.path() == "/upload"
    assert screen.parameters()["run"] == run_id
    screen.press("Judge another file")
    screen.sees("One row per answer")
