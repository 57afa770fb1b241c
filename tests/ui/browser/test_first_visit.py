"""Eight things that somebody new to FaithView does with the sample, without reading anything first."""

import re
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from faithview.services.container import Store
from faithview.services.results import get_run, list_runs
from faithview.services.review.labels import claim_history
from faithview.store.results import get_answer
from tests.browser import VIEWPORT
from tests.ui.browser.files import csv_of
from tests.ui.browser.screen import Screen

pytestmark = pytest.mark.browser

_CHUNK = "Shared inboxes hold up to 20 members. Links expire after 7 days."
_THREE_ROWS = [
    {"question": "How many?", "answer": "Shared inboxes hold up to 50 members.", "contexts": _CHUNK},
    {"question": "How long?", "answer": "Links expire after 7 days.", "contexts": _CHUNK},
    {"question": "Which?", "answer": "Shared inboxes hold up to 20 members.", "contexts": _CHUNK},
]


@pytest.fixture(scope="module")
def demo_url(whole_sample_file: Path, folder: Path) -> str:
    """The URL of a store with the whole sample: the first thing that `make run` shows."""
    return f"sqlite:///{shutil.copy(whole_sample_file, folder / 'sample.db')}"


def _is_in_first_screen(element: Locator) -> bool:
    box = element.bounding_box()
    return box is not None and box["y"] >= 0 and box["y"] + box["height"] <= VIEWPORT[1]


def _open_first_wrong_claim(screen: Screen) -> tuple[str, str, int]:
    """Open the most harmful claim from Overview by one click; return its run, row and number."""
    screen.open("/")
    screen.click_row(screen.main().get_by_test_id("stDataFrame").first, 1, x=100)
    screen.until_page("/answers")
    expect(screen.selected_claim()).to_be_visible()
    at = screen.parameters()
    return at["run"], at["row"], int(at["claim"])


def test_the_first_screen_says_what_fell_and_when_and_where(screen: Screen) -> None:
    screen.open("/")
    fall = screen.main().get_by_text(re.compile(r"−0\.08 on 19 October after")).first
    expect(fall).to_contain_text("88% of the loss is in Handovers")
    assert _is_in_first_screen(fall)


def test_one_click_says_why(screen: Screen) -> None:
    screen.open("/")
    screen.main().get_by_role("link", name="Why").last.click()
    screen.until_page("/changes")
    screen.sees(re.compile(r"Faithfulness fell by 0\.08"))
    causes = screen.main().get_by_role("heading", name="Why", level=2)
    assert _is_in_first_screen(causes)
    screen.sees(re.compile(r"\d+ of \d+ broken claims touch a changed document"))


def test_the_first_wrong_claim_is_one_click_away_with_its_evidence(screen: Screen, services: Store) -> None:
    run_id, row, number = _open_first_wrong_claim(screen)
    claim = get_answer(services.db, run_id, row).result.claims[number - 1]
    screen.until(lambda: bool(screen.lit("chunks")), "the words of the chunk are lit")
    assert any(item.quote and screen.lit("chunks")[0] in item.quote for item in claim.evidence)
    assert "".join(screen.lit("answer"))


def test_one_key_labels_it(screen: Screen, services: Store) -> None:
    screen.review_as("Ann")
    run_id, row, number = _open_first_wrong_claim(screen)
    position = get_answer(services.db, run_id, row).position
    before = len(claim_history(services, run_id, position))
    screen.selected_claim().click()
    screen.key("1")
    screen.until(lambda: len(claim_history(services, run_id, position)) > before, "the label is stored")
    label = claim_history(services, run_id, position)[-1]
    assert (label.reviewer, label.claim_number, str(label.verdict)) == ("Ann", number, "supported")


def test_two_runs_are_compared_by_choosing_them(screen: Screen, services: Store) -> None:
    newest, *_, oldest = [run for run in list_runs(services) if run.judge.name == "embedded"]
    screen.open("/")
    screen.page.get_by_test_id("stSidebar").get_by_role("link", name="Changes").click()
    screen.until_page("/changes")
    for key, run in (("compare.before", oldest), ("compare.now", newest)):
        name = run.name.removeprefix(f"{run.series} ")
        screen.widget(key).locator("button").last.click()
        screen.page.get_by_role("option", name=re.compile(re.escape(name))).first.click()
        screen.settle()
    screen.until_address(baseline=oldest.run_id, candidate=newest.run_id)
    screen.sees(re.compile(r"pairs\)"))


def test_three_rows_of_a_csv_file_become_a_run(screen: Screen, services: Store) -> None:
    screen.open("/upload")
    screen.upload("three.csv", csv_of(_THREE_ROWS))
    screen.press("Judge the answers")
    screen.until(lambda: "run" in screen.parameters(), "the run is in the address")
    screen.sees("Complete · 3 of 3 answers")
    assert get_run(services, screen.parameters()["run"]).name == "three"
    screen.press("Inspect the worst")
    screen.until_page("/answers")
    expect(screen.answer()).to_contain_text("50 members")


def test_back_leads_back_and_the_sidebar_keeps_the_run(screen: Screen, services: Store) -> None:
    run_id, row, _ = _open_first_wrong_claim(screen)
    screen.row(next(key for key in screen.listed() if key != row)).click()
    screen.until(lambda: screen.parameters().get("row") != row, "another answer is open")
    screen.settle()
    screen.page.go_back()
    screen.until_address(row=row)
    expect(screen.opened_row()).to_have_attribute("data-key", row)
    screen.page.get_by_test_id("stSidebar").get_by_role("link", name="Weak spots").click()
    screen.until_page("/weak-spots")
    screen.until_address(run=run_id, row=None)
    screen.page.go_back()
    screen.until_address(row=row)


def test_a_copied_link_shows_somebody_else_the_same_claim(screen: Screen, other_screen: Screen) -> None:
    _open_first_wrong_claim(screen)
    chosen = screen.selected_claim().inner_text()
    other_screen.page.goto(screen.page.url)
    other_screen.settle()
    expect(other_screen.selected_claim()).to_have_text(chosen, use_inner_text=True)
