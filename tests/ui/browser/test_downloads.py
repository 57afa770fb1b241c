"""Reports that open without a network."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Download, expect

from faithview.domain.answer import AnswerFilter
from faithview.services.container import Store
from faithview.services.results import list_runs
from faithview.store.answers import list_answers
from tests import browser as browsers
from tests.ui.browser.screen import Screen

pytestmark = pytest.mark.browser


@pytest.fixture
def screen(visitor: Screen) -> Screen:
    """One page for all tests of this file."""
    return visitor


def _download(screen: Screen, key: str, choice: str) -> Download:
    screen.widget(key).get_by_role("button").first.click()
    with screen.page.expect_download() as started:
        screen.page.get_by_role("button", name=choice, exact=True).click()
    screen.key("Escape")
    return started.value


def _content(download: Download) -> bytes:
    return Path(download.path()).read_bytes()


def test_a_runs_report_opens_from_disk_with_the_network_off(screen: Screen, services: Store, browser: Browser) -> None:
    run = list_runs(services)[0]
    screen.visit("/answers", run=run.run_id)
    with screen.page.expect_download() as saved:
        screen.press("Report")
    whole = saved.value
    figures = _download(screen, "inspect.report", "HTML, figures only")
    question = list_answers(services.db, run.run_id, AnswerFilter(), limit=1).rows[0].question or ""
    assert question in _content(whole).decode()
    assert question not in _content(figures).decode()
    file = Path(whole.path()).with_suffix(".html")
    file.write_bytes(_content(whole))
    with browsers.new_context(browser) as context:
        context.set_offline(True)
        page = context.new_page()
        errors = browsers.collect_errors(page)
        page.goto(file.as_uri())
        expect(page.get_by_text(run.name).first).to_be_visible()
        assert not errors
        page.emulate_media(media="print", color_scheme="dark")
        expect(page.locator("body")).to_have_css("background-color", "rgb(255, 255, 255)")


def test_a_runs_report_is_offered_as_markdown(screen: Screen, services: Store) -> None:
    run = list_runs(services)[0]
    screen.visit("/answers", run=run.run_id)
    download = _download(screen, "inspect.report", "Markdown, figures only")
    assert download.suggested_filename.endswith("-report.md")
    assert _content(download).decode().startswith(f"# {run.name}\n\nAnswers of ")
