"""A label key labels the claim that was marked when it went down, however fast the keys and however slow the server."""

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Dialog

from faithview.domain.run import Run
from faithview.services.container import Store
from faithview.services.results import get_answer_at
from faithview.store import spot_checks
from tests.dashboard import Dashboard
from tests.factories import add_judged_run, draw_check, open_services
from tests.label_presses import (
    CLAIMS,
    RECORDER,
    compare,
    many_claim_samples,
    press_in_queue,
    press_on_inspect,
    read_page,
    start_slow_dashboard,
)
from tests.ui.browser.screen import Screen

pytestmark = pytest.mark.browser

_DELAY_S = 2.0
_PAUSES_MS = (50, 150, 400)


@pytest.fixture(scope="module")
def database(folder: Path) -> str:
    return f"sqlite:///{folder / 'faithview.db'}"


@pytest.fixture(scope="module")
def run(database: str) -> Iterator[Run]:
    with open_services(database) as services:
        run = add_judged_run(services, many_claim_samples(4), "inboxes")
        yield run


@pytest.fixture(scope="module")
def dashboard(database: str, folder: Path, run: Run) -> Iterator[Dashboard]:
    running = start_slow_dashboard(database, log=folder / "slow.log", delay_s=_DELAY_S)
    yield running
    running.stop()


def _sit_down(screen: Screen, name: str, path: str, **parameters: str) -> None:
    screen.page.add_init_script(RECORDER)
    screen.review_as(name)
    screen.open(path, **parameters)
    screen.until(lambda: read_page(screen.page)["answer"] is not None, "a claim is on screen")
    screen.settle()


def _new_name() -> str:
    """A reviewer who has not labelled in an earlier try."""
    return f"Ada {uuid.uuid4().hex[:6]}"


def test_on_inspect_every_label_is_on_the_claim_that_was_marked(run: Run, screen: Screen, services: Store) -> None:
    name, key = _new_name(), get_answer_at(services, run.run_id, 1).sample.key
    _sit_down(screen, name, "/answers", run=run.run_id, row=key, order="file")
    for pause in _PAUSES_MS:
        press_on_inspect(screen.page, answers=1, pause_ms=pause)
        screen.page.keyboard.press("Escape")
    screen.page.keyboard.press("ArrowRight")
    screen.page.keyboard.press("j")
    screen.page.keyboard.press("4")  # the answer that J opens is not there yet, and the last one is no longer marked
    assert "the next answer was not on screen yet" in read_page(screen.page)["said"]
    figures = compare(screen.page, services, run, reviewer=name)
    assert (figures.stored, figures.refused, figures.wrong, figures.lost) == (3 * CLAIMS, 1, 0, 0), figures


def test_in_the_queue_every_label_is_on_the_claim_that_was_marked(run: Run, screen: Screen, services: Store) -> None:
    name = _new_name()
    check = draw_check(services, run.run_id, size=12, name="check", is_blind=False, by=name)
    _sit_down(screen, name, "/review", check=str(check))
    for pause, taken in zip(_PAUSES_MS, (2, 2, 1), strict=True):
        press_in_queue(screen.page, taken=taken, pause_ms=pause)
    assert "was not on screen yet" in read_page(screen.page)["said"]
    figures = compare(screen.page, services, run, reviewer=name)
    assert (figures.stored, figures.wrong, figures.lost) == (5, 0, 0), figures
    assert figures.refused > 5
    assert spot_checks.get_queue_progress(services.db, check).done == 5


def test_closing_the_tab_warns_while_a_label_is_on_its_way(run: Run, screen: Screen, services: Store) -> None:
    name = _new_name()
    check = draw_check(services, run.run_id, size=3, name="check", seed=2, is_blind=False, by=name)
    _sit_down(screen, name, "/review", check=str(check))
    asked: list[str] = []

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    screen.page.on("dialog", stay)
    screen.page.keyboard.press("1")
    screen.page.close(run_before_unload=True)
    screen.until(lambda: asked == ["beforeunload"], "the browser asks whether to leave")
    screen.until(lambda: spot_checks.get_queue_progress(services.db, check).done == 1, "the label is stored")
    screen.until(lambda: not read_page(screen.page)["isOnTheWay"], "the page knows that it is")
    screen.settle()
    with screen.page.expect_event("close"):
        screen.page.close(run_before_unload=True)
    assert asked == ["beforeunload"]
