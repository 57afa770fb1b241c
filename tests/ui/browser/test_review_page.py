"""Reviewers label claims with the keyboard, and nothing of the judge reaches the browser before a blind label."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import WebSocket, expect

from faithview.domain.claim import Claim, Verdict
from faithview.domain.run import Run
from faithview.services.container import Store
from faithview.services.review import disagreements, queue
from faithview.store import spot_checks
from tests.factories import add_judged_run, draw_check, open_services, two_claim_samples
from tests.ui.browser.screen import Screen

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def database(folder: Path) -> str:
    return f"sqlite:///{folder / 'faithview.db'}"


@pytest.fixture(scope="module")
def runs(database: str) -> dict[str, Run]:
    """A run for each reviewer, for a claim that one has labelled blind is not drawn for another."""
    with open_services(database) as services:
        return {
            name: add_judged_run(services, two_claim_samples(10, first=first), name)
            for name, first in (("Ada", 101), ("Cleo", 201), ("Dora", 301))
        }


def _sit_down(screen: Screen, name: str, services: Store, runs: dict[str, Run]) -> int:
    """Open a new blind spot-check of six claims."""
    check = draw_check(services, runs[name].run_id, size=6, name="A small one", seed=3, by=name)
    screen.review_as(name)
    screen.open("/review", check=str(check))
    expect(screen.claim(1)).to_be_visible()
    return check


def _shows(screen: Screen, services: Store, check: int, place: int) -> None:
    text = queue.get_claim(services, check, place, reviewer="nobody").text
    expect(screen.claim(1).locator(".said")).to_have_text(text)
    screen.sees(f"Claim {place} ·")
    screen.settle()


def _labelled(services: Store, check: int) -> int:
    return spot_checks.get_queue_progress(services.db, check).done


def test_a_whole_spot_check_is_done_with_the_keyboard(runs: dict[str, Run], screen: Screen, services: Store) -> None:
    check = _sit_down(screen, "Ada", services, runs)
    items = spot_checks.get_queue_progress(services.db, check).items
    _shows(screen, services, check, 1)
    for key, place in (("4", 2), ("j", 3), ("k", 2), ("u", 1), ("s", 2), ("4", 3)):
        screen.key(key)
        _shows(screen, services, check, place)
    assert _labelled(services, check) == 1
    screen.key("k")
    screen.sees("You:")
    expect(screen.claim(1).locator(".verdict")).to_be_visible()
    screen.key("1")  # it is labelled blind, so the key does nothing
    screen.page.go_back()
    _shows(screen, services, check, 3)
    for place in (*range(4, items + 1), 1):
        screen.key("4")
        _shows(screen, services, check, place)
    screen.key("4")
    screen.sees(f"{items} of {items} claims labelled")
    screen.sees("Reviewers and judge agree on")
    assert _labelled(services, check) == items
    assert queue.get_claim(services, check, 2, reviewer="Ada").own[-1].verdict is Verdict.CONTRADICTED


def test_keys_rest_while_a_note_is_written_and_too_quick_ones_label_nothing_else(
    runs: dict[str, Run], screen: Screen, services: Store
) -> None:
    check = _sit_down(screen, "Cleo", services, runs)
    note = screen.page.get_by_role("textbox", name="Note")
    note.click()
    screen.page.keyboard.type("1 2 3 4 5 jk su?")
    screen.page.wait_for_timeout(500)
    assert (note.input_value(), _labelled(services, check)) == ("1 2 3 4 5 jk su?", 0)
    note.blur()
    screen.settle()
    for _ in range(3):  # before the next claim is on screen
        screen.page.keyboard.press("4")
    _shows(screen, services, check, 2)
    (own,) = queue.get_claim(services, check, 1, reviewer="Cleo").own
    assert (own.verdict, own.note, _labelled(services, check)) == (Verdict.CONTRADICTED, "1 2 3 4 5 jk su?", 1)


def _judged(services: Store, check: int, place: int) -> Claim:
    return disagreements.get_labelled_claim(
        services, queue.get_claim(services, check, place, reviewer="nobody").item.place
    ).judged


def test_nothing_of_the_judge_reaches_the_browser_before_the_label(
    runs: dict[str, Run], screen: Screen, services: Store
) -> None:
    frames: list[bytes] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda data: frames.append(data.encode() if isinstance(data, str) else data))

    screen.page.on("websocket", listen)
    check = _sit_down(screen, "Dora", services, runs)
    place = next(at for at in range(1, 7) if _judged(services, check, at).evidence)
    for at in range(2, place + 1):
        screen.key("j")
        _shows(screen, services, check, at)
    judged = _judged(services, check, place)
    received = b"".join(frames)
    assert _text(judged.text) in received, "The frames were not read."
    assert judged.explanation
    verdicts = (f'"verdict": "{judged.verdict}"'.encode(), f'"verdict":"{judged.verdict}"'.encode())
    for secret in (_text(judged.explanation), *verdicts, b"cited by claim"):
        assert secret not in received, f"{secret!r} reached the browser before the label."
    expect(screen.chunks().locator(".mark")).to_have_count(0)
    expect(screen.chunks().locator(".lit")).to_have_count(0)
    screen.key("3")
    screen.until(lambda: queue.get_claim(services, check, place, reviewer="Dora").is_labelled, "the label is stored")
    screen.key("k")
    _shows(screen, services, check, place)
    expect(screen.claim(1)).to_contain_text(judged.explanation)
    revealed = b"".join(frames)
    assert _text(judged.explanation) in revealed
    assert any(form in revealed for form in verdicts), "A verdict would not have been seen."


def _text(words: str) -> bytes:
    return json.dumps(words)[1:-1].encode()
