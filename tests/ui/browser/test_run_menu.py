"""Runs are renamed, archived, brought back, deleted and judged again in the dashboard."""

import re

import pytest
from playwright.sync_api import expect

from faithview.services.container import Store
from faithview.services.results import get_run, list_runs
from tests.ui.browser.screen import Screen

pytestmark = pytest.mark.browser


@pytest.fixture
def screen(visitor: Screen) -> Screen:
    """One page for all tests of this file."""
    return visitor


def _menu(screen: Screen, run_id: str) -> None:
    screen.open("/answers", run=run_id)
    screen.page.get_by_role("button", name="Manage", exact=True).click()
    screen.settle()  # what closes the menu has an effect only once the page knows that it is open


def test_a_run_is_renamed_and_noted_on(screen: Screen, services: Store) -> None:
    run = list_runs(services)[0]
    _menu(screen, run.run_id)
    screen.write(screen.page.get_by_label("Name", exact=True), "October *audit*")
    screen.write(screen.page.get_by_label("Note", exact=True), "Before the <b>update</b>")
    screen.press("Save name and note")
    screen.until(lambda: get_run(services, run.run_id).name == "October *audit*", "the name is stored")
    screen.until(lambda: get_run(services, run.run_id).note == "Before the <b>update</b>", "the note is stored")
    screen.visit("/answers", run=run.run_id)
    screen.sees("Before the <b>update</b>")


def test_a_run_is_archived_and_brought_back(screen: Screen, services: Store) -> None:
    run = list_runs(services)[0]
    before = [one.run_id for one in list_runs(services)]
    _menu(screen, run.run_id)
    screen.press("Archive")
    screen.until(lambda: run.run_id not in [one.run_id for one in list_runs(services)], "the run is archived")
    screen.visit("/")
    screen.sees("Archived (1 run)")
    expect(screen.grid().nth(1)).to_be_attached()
    expect(screen.grid().nth(1)).not_to_contain_text(run.name)
    screen.visit("/answers", run=run.run_id)
    screen.sees(re.compile("Archived on .* leave it out by default"))
    screen.press("Restore")
    screen.until(lambda: [one.run_id for one in list_runs(services)] == before, "the run is back")


def test_the_answers_are_judged_again_by_another_judge(screen: Screen, services: Store) -> None:
    run = list_runs(services)[-1]
    known = {one.run_id for one in list_runs(services)}
    _menu(screen, run.run_id)
    screen.press("Judge again with …")
    dialog = screen.page.get_by_role("dialog", name="Judge again with another judge")
    expect(dialog).to_contain_text("Runs on this machine")
    screen.press("Start the run")
    screen.until_page("/upload")
    screen.sees(re.compile(r"Complete · \d+ of \d+ answers?"))
    (made,) = [one for one in list_runs(services) if one.run_id not in known]
    assert (made.name, made.series, made.as_of) == (f"{run.name} (embedded)", run.series, run.as_of)


def test_a_run_is_deleted_after_the_page_has_said_what_goes(screen: Screen, services: Store) -> None:
    run = list_runs(services)[-1]
    _menu(screen, run.run_id)
    screen.press("Delete…")
    dialog = screen.page.get_by_role("dialog", name="Delete the run?")
    expect(dialog).to_contain_text(re.compile(r"also deletes \d+ answers(,| and) \d+ claims"))
    screen.press("Cancel")
    expect(dialog).to_have_count(0)
    assert get_run(services, run.run_id).run_id == run.run_id
    _menu(screen, run.run_id)
    screen.press("Delete…")
    screen.press("Delete run")
    screen.until(lambda: run.run_id not in [one.run_id for one in list_runs(services)], "the run is deleted")
