"""Ctrl+K and "?" work on every page, and the arrows and Enter lead to what was found."""

import pytest
from playwright.sync_api import Locator, expect

from tests.ui.browser.screen import Screen

pytestmark = pytest.mark.browser


def _found(screen: Screen, words: str) -> Locator:
    screen.key("Control+k")
    field = screen.page.get_by_role("combobox", name="Search runs, answers, claims and chunk ids")
    expect(field).to_be_focused()
    field.fill(words)
    return screen.page.get_by_role("listbox", name="Found").get_by_role("option")


def test_arrows_and_enter_open_what_was_found(screen: Screen) -> None:
    screen.open("/trends")
    options = _found(screen, "handover")
    expect(options.first).to_have_attribute("aria-selected", "true")
    expect(options.first).to_contain_text("handover")
    screen.page.keyboard.press("ArrowDown")
    expect(options.nth(1)).to_have_attribute("aria-selected", "true")
    screen.page.keyboard.press("Enter")
    screen.page.wait_for_url("**/answers?*row=*")
    screen.settle()


def test_a_search_without_a_result_says_so_and_escape_closes_it(screen: Screen) -> None:
    screen.open("/settings")
    options = _found(screen, "zebra crossing")
    sheet = screen.page.get_by_role("dialog", name="Search")
    expect(sheet.get_by_text("Nothing found.")).to_be_visible()
    expect(options).to_have_count(0)
    screen.page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()


def test_a_question_mark_opens_the_keys_unless_one_types(screen: Screen) -> None:
    screen.open("/claims")
    sheet = screen.page.get_by_role("dialog", name="Keys")
    screen.key("?")
    expect(sheet.get_by_text("label the ticked claims")).to_be_visible()
    screen.page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    screen.visit("/try")
    question = screen.page.get_by_label("Question")
    question.press_sequentially("Why?")
    expect(question).to_have_value("Why?")
    expect(sheet).to_be_hidden()
