"""A run goes on whatever happens to the pages that watch it, and every one of them sees how far it is."""

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from faithview.domain.result import State
from faithview.domain.run import RunStatus
from faithview.services.container import Store
from faithview.services.results import cancel_run, delete_run, get_progress, get_run, get_summary, list_runs
from tests.dashboard import Dashboard, start_dashboard
from tests.ui.browser.files import csv_of, many_rows
from tests.ui.browser.screen import Screen

pytestmark = pytest.mark.browser

# So many that a run lasts several seconds: long enough to be reloaded, joined, left and cancelled.
_ROWS = 1_200
_RUNNING = re.compile(rf"Running · [1-9][\d,]* of {_ROWS:,} answers")
_COMPLETE = re.compile(rf"Complete · {_ROWS:,} of {_ROWS:,} answers")


@pytest.fixture(scope="module")
def database(folder: Path) -> str:
    """An empty store: the module's own runs are the only ones."""
    return f"sqlite:///{folder}/empty.db"


@pytest.fixture(scope="module")
def dashboard(database: str, folder: Path) -> Iterator[Dashboard]:
    """The module's own dashboard: its runs go on after their tests, and end with it."""
    started = start_dashboard(database, log=folder / "dashboard.log")
    yield started
    started.stop()


@pytest.fixture
def running(screen: Screen, services: Store) -> Iterator[str]:
    """The only run there is, under way and watched on the screen; cancelled at the end where it still is."""
    _forget_runs(services)
    screen.open("/upload")
    screen.upload("many.csv", csv_of(many_rows(_ROWS)))
    screen.press("Judge the answers")
    screen.until(lambda: "run" in screen.parameters(), "the run is in the address")
    run_id = screen.parameters()["run"]
    screen.sees(_RUNNING)
    yield run_id
    cancel_run(services, run_id)


def _forget_runs(services: Store) -> None:
    """Delete every run, for one that an earlier try has left half done would ask to be resumed as well."""
    for run in list_runs(services):
        cancel_run(services, run.run_id)
        deadline = time.monotonic() + 60
        while get_run(services, run.run_id).status is RunStatus.RUNNING and time.monotonic() < deadline:
            time.sleep(0.05)
        delete_run(services, run.run_id)


def _wait_until_complete(services: Store, run_id: str, screen: Screen) -> None:
    """Wait as long as answers are being judged: how long a run takes is the machine's matter, not this test's."""
    before = get_progress(services, run_id)

    def has_moved() -> bool:
        return get_progress(services, run_id) != before

    while before.status is RunStatus.RUNNING:
        screen.until(has_moved, f"the run goes on after {before.done} answers")
        before = get_progress(services, run_id)
    assert before.status is RunStatus.COMPLETE


def test_a_reload_and_another_person_see_the_progress_and_the_run_completes_though_all_close_their_pages(
    screen: Screen, other_screen: Screen, running: str, services: Store
) -> None:
    screen.page.reload()
    screen.sees(_RUNNING)
    other_screen.page.goto(f"{other_screen.url}/upload?run={running}")
    other_screen.sees(_RUNNING)
    screen.page.goto("about:blank")
    other_screen.page.goto("about:blank")
    before = get_progress(services, running).done
    screen.until(lambda: get_progress(services, running).done > before, "the run goes on with no page open")
    screen.page.goto(f"{screen.url}/upload?run={running}")
    other_screen.page.goto(f"{other_screen.url}/upload?run={running}")
    _wait_until_complete(services, running, screen)
    screen.sees(_COMPLETE)
    other_screen.sees(_COMPLETE)
    progress = get_progress(services, running)
    assert (progress.done, progress.failed, progress.status) == (_ROWS, 0, RunStatus.COMPLETE)
    other_screen.open("/answers", run=running)
    expect(other_screen.page.locator(".reader .row")).to_have_count(50)


def test_a_run_is_cancelled_and_resumed_and_judges_no_answer_twice(
    screen: Screen, running: str, services: Store
) -> None:
    screen.press("Cancel")
    screen.sees(re.compile("Cancelled · "))
    done = get_progress(services, running).done
    assert 0 < done < _ROWS
    screen.open("/")
    screen.sees(re.compile(r"is cancelled: .* judged"))
    screen.main().get_by_role("link", name="Resume").click()
    screen.until_page("/upload")
    screen.press("Resume")
    screen.sees(re.compile("Running · "))
    _wait_until_complete(services, running, screen)
    screen.sees(_COMPLETE)
    assert get_summary(services, running).states[State.JUDGED] == _ROWS
