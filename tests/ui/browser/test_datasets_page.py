"""The Data sets page: from a data set to a row that is tagged and held out; and Upload, which knows rows again."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from faithview.domain.dataset import NamedDataset, Part, RowFilter
from faithview.services import datasets
from faithview.services.container import Store
from faithview.services.dataset_documents import write_rows
from faithview.store import datasets as stored_datasets
from tests.ui.browser.screen import Screen

pytestmark = pytest.mark.browser


@pytest.fixture
def screen(visitor: Screen) -> Screen:
    """One page for all tests of this file."""
    return visitor


@pytest.fixture
def dataset(services: Store) -> NamedDataset:
    """The data set of the demo's weekly runs."""
    return datasets.list_datasets(services)[0]


def test_a_row_is_found_opened_tagged_and_held_out(screen: Screen, services: Store, dataset: NamedDataset) -> None:
    version = datasets.get_version(dataset)
    screen.visit("/upload", tab="versions")
    expect(screen.page.get_by_role("heading", level=1)).to_have_text("Upload")
    screen.sees(f"{dataset.name}, version {version.number}: {version.rows} rows")
    everything = stored_datasets.list_rows(services.db, dataset.dataset_id, version.version_id, RowFilter(), limit=200)
    # Not one that the first of two tries has changed.
    wanted = next(row for row in everything[7:] if not row.tags and not row.is_held_out)
    assert wanted.sample.question is not None
    # By its words, with Enter, as with a keyboard alone.
    field = screen.page.get_by_placeholder("Search questions, answers, references and chunks")
    screen.enter(field, wanted.sample.question.upper())
    screen.until_address(search=wanted.sample.question.upper())
    screen.settle()
    expect(screen.widget("datasets-row").get_by_text(wanted.sample.question).first).to_be_visible()

    screen.write(screen.page.get_by_placeholder("Your name"), "Ada")
    screen.press("Save name")
    screen.settle()
    screen.write(screen.page.get_by_placeholder("A tag"), "hard")
    screen.press("Tag this question")
    screen.settle()
    expect(screen.page.get_by_role("button", name="Remove hard", exact=True)).to_be_visible()
    screen.press("Hold this question out")
    screen.settle()
    expect(screen.page.get_by_role("button", name="Stop holding it out", exact=True)).to_be_visible()
    held_out = stored_datasets.list_rows(
        services.db, dataset.dataset_id, version.version_id, RowFilter(part=Part.HELD_OUT), limit=200
    )
    assert (wanted.subject, ("hard",)) in {(row.subject, row.tags) for row in held_out}

    screen.enter(field, "")
    screen.until_address(search=None)
    screen.settle()
    screen.pick("The rest")
    screen.until_address(part="rest")
    assert stored_datasets.count_rows(
        services.db, dataset.dataset_id, version.version_id, RowFilter(part=Part.REST)
    ) == version.rows - len(held_out)
    screen.settle()
    screen.press("Hold out a share")
    screen.settle()
    screen.press("Draw them")
    fifth = -(-datasets.count_parts(services, dataset, version).questions // 5)
    screen.sees(re.compile(rf"\d+ rows on {fifth} questions held out"))
    counts = datasets.count_parts(services, dataset, version)
    assert counts.held_out_questions == fifth
    screen.sees(f"{counts.held_out_rows} rows on {fifth} questions held out")


def test_an_older_version_and_the_runs_over_it_are_a_click_away(
    screen: Screen, services: Store, dataset: NamedDataset
) -> None:
    older = dataset.versions[-2]
    screen.open("/upload", tab="versions")
    screen.click_row(screen.main().get_by_test_id("stDataFrame").nth(0), 2, x=30)
    screen.until_address(version=str(older.number))
    screen.settle()
    screen.sees(f"{dataset.name}, version {older.number}: {older.rows} rows")
    (run, *_) = datasets.list_runs_over(services, older)
    screen.click_row(screen.main().get_by_test_id("stDataFrame").nth(1), 1, x=30)
    screen.until_page("/answers")
    assert screen.parameters()["run"] == run.run_id


def test_an_address_that_names_nothing_says_so_and_shows_what_there_is(screen: Screen, dataset: NamedDataset) -> None:
    screen.visit("/upload", tab="versions", dataset="<b>no such</b>", version="77", part="none", key="nope")
    screen.sees("There is no data set <b>no such</b> in this store.")
    screen.sees(f"{dataset.name}, version")


def test_upload_says_that_the_same_rows_were_judged_before(
    screen: Screen, services: Store, dataset: NamedDataset, tmp_path: Path
) -> None:
    version = datasets.get_version(dataset)
    file = tmp_path / "rows.jsonl"
    write_rows(services, dataset, version, RowFilter(), destination=file, file_format="jsonl")
    lines = file.read_text(encoding="utf-8").splitlines()[::-1]
    assert json.loads(lines[0])["answer"]
    screen.visit("/upload").upload("again.jsonl", "\n".join(lines).encode())
    screen.sees("These rows were judged before:")
    screen.press("Open that run")
    screen.until_page("/answers")
    assert screen.parameters()["run"] == datasets.list_runs_over(services, version)[0].run_id
