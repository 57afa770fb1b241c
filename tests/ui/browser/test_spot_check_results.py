"""A spot-check waits in its reviewers' own queues, knows what they have seen, and fits a small screen."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from faithview.domain.claim import ClaimRef
from faithview.domain.run import Run
from faithview.services.container import Store
from faithview.services.review import queue
from faithview.services.review.queue import list_queues
from faithview.store import spot_checks
from tests.factories import add_judged_run, draw_check, open_services, two_claim_samples
from tests.ui.browser.screen import Screen

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def database(folder: Path) -> str:
    return f"sqlite:///{folder / 'faithview.db'}"


@pytest.fixture(scope="module")
def run(database: str) -> Iterator[Run]:
    with open_services(database) as services:
        run = add_judged_run(services, two_claim_samples(20), "inboxes")
        yield run


def _draw(services: Store, run: Run, name: str, *, size: int = 6, people: int = 1, blind: bool = True) -> int:
    return draw_check(
        services, run.run_id, size=size, name=name, seed=7, reviewers_per_item=people, is_blind=blind, by="Ada"
    )


def _open_as(screen: Screen, name: str, path: str, **parameters: str) -> None:
    screen.review_as(name)
    screen.open(path, **parameters)


def test_a_spot_check_is_assigned_and_comes_first(run: Run, screen: Screen, services: Store) -> None:
    check = _draw(services, run, "For two", size=2, people=2)
    _draw(services, run, "Newer", size=2)
    _open_as(screen, "Bea", "/review")
    screen.widget(f"checks.assign.{check}").get_by_role("button").click()
    dialog = screen.page.get_by_role("dialog")
    field = dialog.get_by_role("combobox")
    screen.enter(field, "Bea")
    field.press("Escape")
    dialog.get_by_role("button", name="Save", exact=True).click()
    expect(screen.main().get_by_role("heading", level=2).first).to_have_text("Your queue")
    screen.sees("2 claims wait in your queue.")
    (assigned,) = [q.assigned for q in list_queues(services, "Bea") if q.check.spot_check_id == check]
    assert assigned == ("Bea",)


def test_an_answer_opened_on_inspect_is_no_longer_labelled_blind(run: Run, screen: Screen, services: Store) -> None:
    check = _draw(services, run, "Seen", size=4)
    drawn = spot_checks.list_items(services.db, check)[0]
    _open_as(screen, "Cleo", "/answers", run=run.run_id, row=drawn.key)
    expect(screen.claim(1)).to_be_visible()
    screen.settle()
    screen.open("/review", check=str(check))
    expect(screen.claim(1)).to_be_visible()
    expect(screen.page.get_by_text("Judge:")).to_have_count(0)
    screen.settle()
    screen.key("1")
    screen.until(lambda: spot_checks.get_queue_progress(services.db, check).done == 1, "the label is stored")
    (result,) = queue.list_results(services, check, reviewer="Cleo")
    assert result.place == ClaimRef(run_id=run.run_id, row=drawn.drawn.row, claim_number=drawn.drawn.claim_number)
    assert (result.label.is_blind, result.label.judge_seen) == (False, True)


def test_question_claim_and_buttons_are_in_view(run: Run, screen: Screen, services: Store) -> None:
    screen.page.set_viewport_size({"width": 1280, "height": 720})
    _open_as(screen, "Dan", "/review", check=str(_draw(services, run, "Small screen", size=3, blind=True)))
    for width, height in ((1280, 720), (820, 1180)):
        screen.page.set_viewport_size({"width": width, "height": height})
        expect(screen.claim(1)).to_be_visible()
        screen.settle()
        for words in ("Supported (1)", "Not a claim (5)", "Reveal the judge (R)", "Skip (S)"):
            button = screen.page.get_by_role("button", name=words, exact=True)
            expect(button).to_be_in_viewport(ratio=1)
        expect(screen.page.get_by_text("What do the chunks say about the claim?")).to_be_in_viewport(ratio=1)
