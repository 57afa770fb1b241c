"""Downloads: tables that are safe to open in a spreadsheet, and reports that open without a network."""

import csv
import io
import json
from pathlib import Path

import pyarrow.parquet
import pytest
from playwright.sync_api import Browser, Download, expect

from faithview.domain.answer import AnswerFilter, Order
from faithview.services.container import Store
from faithview.services.results import list_runs, list_summaries
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


def test_the_runs_table_holds_every_run_as_csv(screen: Screen, services: Store) -> None:
    screen.visit("/")
    screen.open_expander("All runs")
    download = _download(screen, "overview.download", "CSV, for a spreadsheet")
    assert download.suggested_filename == "runs-judge.csv"
    rows = list(csv.DictReader(io.StringIO(_content(download).decode("utf-8-sig"), newline="")))
    summaries = list_summaries(services)
    assert [row["run"] for row in rows] == [summary.run.name for summary in summaries]
    assert [float(row["faithfulness"]) for row in rows] == [summary.score.mean for summary in summaries]


def test_the_file_has_all_answers_that_match_the_filters(screen: Screen, services: Store) -> None:
    run = list_runs(services)[0]
    screen.visit("/answers", run=run.run_id, segment="Billing")
    download = _download(screen, "inspect.download", "JSON Lines")
    rows = [json.loads(line) for line in _content(download).decode().splitlines()]
    expected = list_answers(
        services.db, run.run_id, AnswerFilter(segments=("Billing",)), order=Order.HARM, limit=500
    ).rows
    assert [row["key"] for row in rows] == [row.key for row in expected]
    assert {row["segment"] for row in rows} == {"Billing"}


def test_changes_points_and_sources_come_as_parquet(screen: Screen) -> None:
    for path, key, column in (
        ("/changes", "compare.download", "difference"),
        ("/trends", "trends.download", "faithfulness"),
        ("/weak-spots?tab=sources", "sources.download", "fault"),
    ):
        screen.visit(path)
        table = pyarrow.parquet.read_table(io.BytesIO(_content(_download(screen, key, "Parquet"))))
        assert table.num_rows > 0
        assert column in table.column_names


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
