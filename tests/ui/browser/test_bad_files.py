"""A bad file is refused in one clear sentence and stores nothing; an odd one is kept as it is."""

import gzip
import json
import re

import pytest
from playwright.sync_api import expect

from faithview.services.container import Store
from faithview.services.results import iterate_answers
from faithview.store.runs import count_runs
from tests.ui.browser.screen import Screen

pytestmark = pytest.mark.browser

_CHUNK = "Inboxes hold up to 20 members."


@pytest.fixture
def screen(visitor: Screen) -> Screen:
    """One page for all tests of this file."""
    return visitor


def _jsonl(*rows: dict[str, object]) -> bytes:
    return "".join(json.dumps({"contexts": [_CHUNK]} | row) + "\n" for row in rows).encode()


@pytest.fixture(scope="module")
def database(folder: object) -> str:
    """A store of its own, empty at first."""
    return f"sqlite:///{folder}/bad.db"


_UNREADABLE = {
    "empty.csv": b"",
    "blank.jsonl": b"\n\n",
    "binary.csv": bytes(range(256)) * 40,
    "picture.jsonl": b"\x89PNG\r\n\x1a\n" + bytes(200),
    "cut.jsonl.gz": gzip.compress(_jsonl({"answer": "a"}) * 50)[:-20],
    "broken.json": b'[{"answer": "a"',
    "header.csv": b"question,answer,contexts\n",
}


def test_what_cannot_be_read_is_refused_in_one_sentence(screen: Screen, services: Store) -> None:
    screen.open("/upload")
    for name, content in _UNREADABLE.items():
        screen.upload(name, content)  # in place of the file before
        said = screen.main().get_by_test_id("stAlert")
        expect(said).to_have_count(1)
        text = said.inner_text()
        assert name in text
        assert "Traceback" not in text
        assert len(text) < 400
        expect(screen.page.get_by_role("button", name="Judge the answers")).to_have_count(0)
        assert count_runs(services.db) == 0


def test_a_file_without_answers_is_previewed_only_when_they_are_named(screen: Screen, services: Store) -> None:
    screen.open("/upload")
    screen.upload("no-answer.csv", b"question,contexts\nq,c\n")
    expect(screen.main().get_by_test_id("stAlert").first).to_contain_text(re.compile("answer"))
    expect(screen.page.get_by_role("button", name="Judge the answers")).to_have_count(0)
    assert count_runs(services.db) == 0


def _judged(screen: Screen, name: str, content: bytes) -> str:
    screen.open("/upload")
    screen.upload(name, content)
    screen.press("Judge the answers")
    screen.until(lambda: "run" in screen.parameters(), "the run is in the address")
    screen.sees(re.compile("^Complete · "))
    return screen.parameters()["run"]


def test_odd_rows_are_kept_as_they_are_or_left_out_by_line(screen: Screen, services: Store) -> None:
    long = ("Inboxes hold up to 50 members, " + "and so on, " * 910 + "as they say. ") * 100  # a megabyte
    assert len(long) > 1_000_000
    rows: list[dict[str, object]] = [
        {"id": "same", "answer": "Inboxes hold 20 members."},
        {"id": "same", "answer": "Inboxes hold 50 members."},
        {"id": "none", "answer": "Inboxes hold 20 members.", "contexts": []},
        {"id": "bell", "answer": "Inboxes\x07 hold \x1b[31m20 members.\r\nYes\u2028."},
        {"id": "long", "answer": long},
        {"id": "void", "answer": None},
    ]
    run_id = _judged(screen, "odd.jsonl", _jsonl(*rows))
    screen.sees(re.compile("1 row left out"))
    answers = {detail.sample.key: detail for detail in iterate_answers(services, run_id)}
    assert sorted(answers) == ["bell", "long", "none", "same", "same#2"]
    assert answers["bell"].sample.answer == rows[3]["answer"]
    assert answers["long"].sample.answer == long
    assert answers["none"].result.state == "empty_context"
    for key, said in (("bell", "Inboxes\u2407 hold \u241b[31m20 members."), ("none", "nothing to check it against")):
        screen.open("/answers", run=run_id, row=key)
        expect(screen.page.locator(".view")).to_contain_text(said)
    screen.open("/answers", run=run_id, row="long", claim="1")
    expect(screen.page.get_by_role("button", name=re.compile("Show all .* more characters")).first).to_be_visible()


def test_other_encodings_are_read_or_refused_and_never_garbled(screen: Screen, services: Store) -> None:
    before = count_runs(services.db)
    text = "question;answer;contexts\nWie groß?;Postfächer fassen 20 Mitglieder.;Postfächer fassen 20 Mitglieder.\n"
    for encoding in ("utf-16", "utf-8-sig", "cp1252"):
        screen.open("/upload")
        screen.upload(f"{encoding}.csv", text.encode(encoding))
        refused = screen.main().get_by_test_id("stAlert").filter(has_text="encod")
        expect(refused.or_(screen.sheet()).first).to_be_attached()
        if screen.sheet().count():
            expect(screen.sheet()).to_contain_text("Postfächer")
    assert count_runs(services.db) == before


def test_a_run_without_a_name_is_not_started(screen: Screen, services: Store) -> None:
    before = count_runs(services.db)
    screen.open("/upload")
    screen.upload("fine.jsonl", _jsonl({"answer": "Inboxes hold 20 members."}))
    screen.begin_series()  # its chunk is that of the runs before
    screen.write(screen.page.get_by_label("Name of the run"), "   ")
    screen.press("Judge the answers")
    expect(screen.main().get_by_test_id("stAlert")).to_contain_text("name needs 1 to 200 characters")
    assert count_runs(services.db) == before
