"""Claim, answer and evidence are linked by mouse and keyboard, and text is text, in a real browser."""

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.browser import collect_errors, new_context
from tests.dashboard import Dashboard, free_port, start_server
from tests.ui.browser.screen import stay_open

pytestmark = pytest.mark.browser

Open = Callable[..., Page]


@pytest.fixture(scope="session")
def gallery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the page with the reader, without a slash at its end."""
    port = free_port()
    script = str(Path(__file__).with_name("gallery.py"))
    command = [sys.executable, "-m", "streamlit", "run", script, "--server.address=127.0.0.1", f"--server.port={port}"]
    command += ["--server.headless=true", "--server.fileWatcherType=none"]
    log = tmp_path_factory.mktemp("gallery") / "server.log"
    server: Dashboard = start_server(command, port=port, log=log, environment={})
    yield server.url
    server.stop()


@pytest.fixture(scope="module")
def profile(browser: Browser, gallery: str) -> Iterator[BrowserContext]:
    """The browser profile of one module: its tests share what the browser has fetched, not their pages."""
    with new_context(browser) as context:
        context.set_default_timeout(45_000)
        expect.set_options(timeout=45_000)
        stay_open(context, gallery)
        yield context


@pytest.fixture
def chromium_page(profile: BrowserContext) -> Iterator[Page]:
    """A browser's page of 1440 x 900; the test fails where the page logs an error."""
    page = profile.new_page()
    errors = collect_errors(page)
    yield page
    page.close()
    assert not errors, f"The page logged errors: {errors}"


@pytest.fixture
def opened(chromium_page: Page, gallery: str) -> Open:
    """A function that opens the page on an answer: `opened("linked", claim=2)`."""

    def open_answer(row: str, claim: int | None = None) -> Page:
        chromium_page.goto(f"{gallery}/?row={row}" + ("" if claim is None else f"&claim={claim}"))
        expect(_chunks(chromium_page)).to_be_visible()
        return chromium_page

    return open_answer


def _answer(page: Page) -> Locator:
    return page.locator(".left")


def _chunks(page: Page) -> Locator:
    return page.locator(".right")


def _claim(page: Page, number: int) -> Locator:
    return page.locator(f".claim[data-claim='{number}']")


def _selected(page: Page) -> Locator:
    return page.locator(".claim[aria-current=true]")


def _lit(pane: Locator) -> list[str]:
    return [text for text in pane.locator(".mark.lit").all_inner_texts() if text]


def _is_inside(pane: Locator, inner: Locator) -> bool:
    outer_box, box = pane.bounding_box(), inner.bounding_box()
    assert outer_box is not None
    assert box is not None
    return outer_box["y"] <= box["y"] and box["y"] + box["height"] <= outer_box["y"] + outer_box["height"]


def _wait_until(condition: Callable[[], bool], page: Page) -> None:
    deadline = time.monotonic() + 45
    while not condition():
        assert time.monotonic() < deadline, "It did not happen within 45 s."
        page.wait_for_timeout(50)


def test_clicking_a_claim_highlights_its_words_and_its_evidence_and_scrolls_to_them(opened: Open) -> None:
    page = opened("linked")
    evidence = _chunks(page).locator(".mark[data-claim='3']")
    assert not _is_inside(_chunks(page), evidence)
    _claim(page, 3).click()
    assert _lit(_answer(page)) == ["links expire after 7 days"]
    assert _lit(_chunks(page)) == ["Links expire after 7 days."]
    _wait_until(lambda: _is_inside(_chunks(page), evidence), page)
    expect(page.get_by_text("Open: linked, claim 3")).to_be_visible()
    assert "claim=3" in page.url


def test_clicking_evidence_selects_the_claim_and_highlights_its_words(opened: Open) -> None:
    page = opened("linked")
    _chunks(page).locator(".mark[data-claim='2']").last.click()
    expect(_selected(page)).to_have_attribute("data-claim", "2")
    assert "up to 50 members" in "".join(_lit(_answer(page)))


def test_supported_claims_are_folded_below_the_others_and_open_when_one_is_selected(opened: Open) -> None:
    page = opened("folded")
    fold = page.get_by_role("button", name="2 supported")
    expect(fold).to_have_attribute("aria-expanded", "false")
    expect(_claim(page, 1)).to_be_hidden()
    expect(_claim(page, 2)).to_be_visible()
    fold.click()
    expect(_claim(page, 1)).to_be_visible()
    fold.click()
    for number in (2, 1, 3):
        page.keyboard.press("ArrowRight")
        expect(_selected(page)).to_have_attribute("data-claim", str(number))
    expect(_claim(page, 3)).to_be_visible()


def test_arrows_step_through_the_claims_and_escape_clears(opened: Open) -> None:
    page = opened("linked")
    _claim(page, 1).click()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(_selected(page)).to_have_attribute("data-claim", "3")
    expect(_claim(page, 3)).to_be_focused()
    assert _lit(_chunks(page)) == ["Links expire after 7 days."]
    page.keyboard.press("ArrowUp")
    expect(_selected(page)).to_have_attribute("data-claim", "2")
    page.keyboard.press("Escape")
    expect(_selected(page)).to_have_count(0)
    assert _lit(_answer(page)) == []
    expect(page.get_by_text("Open: linked, claim None")).to_be_visible()


def test_several_claims_on_the_same_words_are_all_drawn_and_each_click_goes_to_the_next(opened: Open) -> None:
    page = opened("linked")
    words = _answer(page).locator(".mark[data-claim='2']")
    outer = words.locator("xpath=ancestor::*[@data-claim='1']")
    expect(outer).to_have_count(1)
    lines = [mark.evaluate("e => getComputedStyle(e).textDecorationStyle") for mark in (outer, words)]
    assert lines == ["dashed", "wavy"]
    offsets = [mark.evaluate("e => parseFloat(getComputedStyle(e).textUnderlineOffset)") for mark in (outer, words)]
    assert offsets[0] < offsets[1], "The underlines lie beneath each other."
    words.click()
    expect(_selected(page)).to_have_attribute("data-claim", "2")
    words.click()
    expect(_selected(page)).to_have_attribute("data-claim", "1")
    assert "".join(_lit(_answer(page))).startswith("Inboxes hold")


def test_marks_lie_on_the_right_words_after_emoji(opened: Open) -> None:
    page = opened("linked")
    assert _answer(page).locator(".mark[data-claim='4']").inner_text() == "Phones ring."
    text = _answer(page).locator(".text").evaluate("e => e.textContent")
    assert text == "👩‍👩‍👧 Inboxes hold up to 50 members and links expire after 7 days. Phones ring."


def test_a_long_chunk_that_no_claim_is_based_on_shows_its_first_lines_and_opens(opened: Open) -> None:
    page = opened("large")
    chunk = page.locator("article").first
    before = chunk.bounding_box()
    chunk.get_by_role("button", name="Show all").click()
    after = chunk.bounding_box()
    assert before is not None
    assert after is not None
    assert after["height"] > 2 * before["height"]


def test_a_digit_labels_the_claim_on_screen_and_what_follows_waits_for_it(opened: Open) -> None:
    page = opened("linked", claim=2)
    page.keyboard.press("4")
    page.keyboard.press("1")  # is not taken: the first is being stored
    page.keyboard.press("j")
    expect(page.get_by_text("Open: hostile, claim None, labels ['linked 2 contradicted']")).to_be_visible()
    page.keyboard.press("3")  # no claim is chosen
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("Open: hostile, claim 1")).to_be_visible()
    page.keyboard.press("5")
    expect(page.get_by_text("labels ['linked 2 contradicted', 'hostile 1 not_a_claim']")).to_be_visible()


def test_back_opens_what_was_open_before(opened: Open) -> None:
    page = opened("linked", claim=2)
    page.keyboard.press("j")
    expect(page.get_by_text("Open: hostile")).to_be_visible()
    page.go_back()
    expect(page.get_by_text("Open: linked, claim 2")).to_be_visible()
    expect(_selected(page)).to_have_attribute("data-claim", "2")


def test_markup_is_shown_as_text_and_nothing_runs(opened: Open) -> None:
    page = opened("hostile", claim=1)
    bad = "<script>window.pwned=1</script><img src=x onerror='window.pwned=1'>"
    expect(_answer(page).locator(".question")).to_have_text(bad)
    expect(_answer(page).locator(".text")).to_contain_text(bad)
    expect(_chunks(page).locator(".text")).to_have_text(bad)
    expect(_claim(page, 1)).to_contain_text("quote not found in <b>id</b>")
    expect(page.locator(".row").nth(1)).to_contain_text(bad)
    assert page.locator(".reader img, .reader script").count() == 0
    assert page.evaluate("window.pwned") is None


def test_j_and_k_go_from_answer_to_answer(opened: Open) -> None:
    page = opened("linked")
    page.keyboard.press("j")
    expect(page.get_by_text("Open: hostile")).to_be_visible()
    expect(page.locator(".row[aria-selected=true]")).to_have_attribute("data-key", "hostile")
    page.keyboard.press("j")
    page.keyboard.press("k")
    page.keyboard.press("k")
    expect(page.get_by_text("Open: linked")).to_be_visible()
    page.keyboard.press("k")
    expect(page.locator(".row[aria-selected=true]")).to_have_attribute("data-key", "linked")
    _wait_until(lambda: "row=linked" in page.url, page)


def test_typing_j_and_k_types_them(opened: Open) -> None:
    page = opened("linked")
    note = page.get_by_label("Note")
    note.click()
    page.keyboard.type("jjkj")
    page.wait_for_timeout(400)
    expect(note).to_have_value("jjkj")
    expect(page.locator(".row[aria-selected=true]")).to_have_attribute("data-key", "linked")


def test_enter_opens_the_row_in_focus(opened: Open) -> None:
    page = opened("linked")
    page.locator(".row[data-key=linked]").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".row[data-key=failed]")).to_be_focused()
    expect(page.get_by_text("Open: linked")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Open: failed")).to_be_visible()


def test_three_panes_are_read_in_a_narrow_place_too(opened: Open) -> None:
    page = opened("linked")
    page.set_viewport_size({"width": 720, "height": 900})
    _claim(page, 3).click()
    _wait_until(lambda: _is_inside(page.locator(".left"), _claim(page, 3)), page)
    evidence = _chunks(page).locator(".mark[data-claim='3']")
    _wait_until(lambda: _is_inside(_chunks(page), evidence), page)
