"""A spot-check ends with a result, waits in its reviewers' own queues, and its claims carry notes."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from faithview.domain.claim import ClaimRef
from faithview.domain.run import Run
from faithview.services.container import Services
from faithview.services.review import queue, reveals
from faithview.services.review.teams.assignments import list_queues
from faithview.services.review.teams.notes import read_thread
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


def _draw(services: Services, run: Run, name: str, *, size: int = 6, people: int = 1, blind: bool = True) -> int:
    return draw_check(
        services, run.run_id, size=size, name=name, seed=7, reviewers_per_item=people, is_blind=blind, by="Ada"
    )


def _open_as(screen: Screen, name: str, path: str, **parameters: str) -> None:
    screen.page.context.add_cookies([{"name": "faithview_reviewer", "value": name, "url": screen.url}])
    screen.open(path, **parameters)


def test_the_last_label_shows_the_result_and_the_list_shows_it_too(
    run: Run, screen: Screen, services: Services
) -> None:
    check = _draw(services, run, "Weekly")
    _open_as(screen, "Ada", "/review", check=str(check))
    for position in range(1, 7):
        screen.sees(f"Claim {position} of 6.")
        expect(screen.claim(1)).to_be_visible()
        screen.settle()
        screen.key("1")
    screen.sees("People and judge agree on")
    screen.sees("The judge made")
    expect(screen.main().get_by_test_id("stDataFrame")).to_be_visible()
    screen.open("/review")
    expect(screen.main().get_by_role("heading", name="Results")).to_be_visible()
    screen.sees("People and judge agree on")
    screen.widget(f"result.{check}.open").get_by_role("button").click()
    screen.until_address(check=str(check))
    screen.settle()  # the list has a button of the same name
    more = screen.widget(f"result.{check}.more").get_by_role("button")
    more.click()
    screen.sees("Claim 1 of")
    newest = queue.list_spot_checks(services)[0]
    assert newest.spot_check_id != check
    screen.until_address(check=str(newest.spot_check_id))


def test_an_assigned_spot_check_is_first_in_its_reviewer_s_queue_and_then_waits_for_a_second(
    run: Run, screen: Screen, services: Services
) -> None:
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
    screen.settle()
    screen.widget(f"checks.open.{check}").get_by_role("button").click()
    for position in (1, 2):
        expect(screen.claim(1)).to_be_visible()
        screen.settle()
        screen.key("1")
        if position == 1:
            screen.until(
                lambda: queue.get_queue_progress(services, check).by_reviewer == {"Bea": 1}, "the label is stored"
            )
    screen.sees("You are done.")
    screen.sees("2 claims wait for a second reviewer")


def test_a_note_is_written_in_the_queue_and_hidden_from_other_blind_reviewers(
    run: Run, screen: Screen, other_screen: Screen, services: Services
) -> None:
    check = _draw(services, run, "Noted", size=3, people=2)
    # Neither has labelled a claim in another test, so both are shown the first.
    place = queue.place_of(queue.list_items(services, check)[0])
    _open_as(screen, "Dora", "/review", check=str(check))
    screen.page.get_by_role("button", name="Notes", exact=True).click()
    screen.settle()
    screen.write(screen.page.get_by_role("textbox", name="Note").last, "Which plan is meant?")
    screen.settle()
    screen.page.get_by_role("button", name="Add note", exact=True).click()
    screen.until(lambda: bool(read_thread(services, place, reader="Dora").notes), "the note is stored")
    expect(screen.page.get_by_test_id("stText").get_by_text("Which plan is meant?")).to_be_visible()
    _open_as(other_screen, "Eve", "/review", check=str(check))
    other_screen.page.get_by_role("button", name="Notes (1)", exact=True).click()
    expect(other_screen.page.get_by_text("1 note by others, shown with the judge's verdict.")).to_be_visible()
    expect(other_screen.page.get_by_text("Which plan is meant?")).to_have_count(0)


def test_an_answer_opened_on_inspect_is_no_longer_labelled_blind(run: Run, screen: Screen, services: Services) -> None:
    check = _draw(services, run, "Seen", size=4)
    drawn = queue.list_items(services, check)[0]
    _open_as(screen, "Cleo", "/inspect", run=run.run_id, row=drawn.key)
    expect(screen.claim(1)).to_be_visible()
    screen.settle()
    screen.open("/review", check=str(check))
    expect(screen.claim(1)).to_be_visible()
    expect(screen.page.get_by_text("Judge:")).to_have_count(0)
    screen.settle()
    screen.key("1")
    screen.until(lambda: queue.get_queue_progress(services, check).done == 1, "the label is stored")
    (result,) = reveals.list_results(services, check, reviewer="Cleo")
    assert result.place == ClaimRef(run_id=run.run_id, row=drawn.drawn.row, claim_number=drawn.drawn.claim_number)
    assert (result.label.is_blind, result.label.judge_seen) == (False, True)


def test_question_claim_and_buttons_are_in_view(run: Run, screen: Screen, services: Services) -> None:
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
