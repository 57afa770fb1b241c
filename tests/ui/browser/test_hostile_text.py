"""Every page shows the texts of a file verbatim and executes nothing in them."""

import csv
import io
import json

import pytest
from playwright.sync_api import Locator, expect

from faithview.domain.claim import Verdict
from faithview.domain.inbox import Facet, make_filter
from faithview.services.container import Store
from faithview.services.results import get_run, list_runs
from faithview.services.review.inbox import list_groups
from faithview.store.results import get_answer
from faithview.store.runs import count_runs
from faithview.ui.page_addresses import join_names
from tests.ui.browser.screen import Screen

pytestmark = pytest.mark.browser

_TAG = '<script>window.pwned=1</script><img src=x onerror="window.pwned=1">'
_MARKDOWN = "$x^2$ _y_ **b** :red[z] :material/home: [l](http://evil.example) `c` # h <b>t</b> &lt; ![i](http://evil.example/i.png)"
_RTL = "שלום עולם مرحبا"
_EMOJI = "👩‍👩‍👧 e\u0301"
_HOSTILE = f"{_TAG} {_MARKDOWN} {_RTL} {_EMOJI}"
# Control characters are shown by their pictures (U+2400 and so on), and what reorders text by its number.
_CONTROLS = "a\x07b\x1bc\u202ed"
_CONTROLS_SHOWN = "a\u2407b\u241bc⟨U+202E⟩d"

_QUESTION = f"Q {_HOSTILE}"
_ANSWER = f"Answer {_HOSTILE} {_CONTROLS}.\n\n# Not a heading\n\n- Inboxes hold 50 members."
_CHUNK = f"Chunk {_HOSTILE}. Inboxes hold 20 members."
_CHUNK_ID = f"id {_TAG} $y$"
_KEY = f"key\n\n# k **b** {_TAG} $z$ `t` [l](http://evil.example)"
_LINES = "two\n\n# lines [l](http://evil.example)"
_SEGMENT = f"segment {_MARKDOWN}"
_NAME = f"{_TAG} $x$ **b** :red[z] [l](http://evil.example) {_RTL}"
_NOTE = f"note <i>i</i> {_MARKDOWN}"

_JSONL = "\n".join(
    json.dumps(
        {
            "id": key,
            "question": _QUESTION,
            "answer": answer,
            "contexts": [{"id": _CHUNK_ID, "text": _CHUNK, "metadata": {_NOTE: _NOTE}}],
            "segment": _SEGMENT,
        }
    )
    for key, answer in ((_KEY, _ANSWER), (_LINES, "Inboxes hold 20 members."))
).encode()


@pytest.fixture
def screen(visitor: Screen) -> Screen:
    """One page for all tests of this file."""
    return visitor


@pytest.fixture(autouse=True)
def _nothing_was_carried_out(screen: Screen) -> object:
    """After each test: no script ran, and no markup of the file became part of the page."""
    yield
    assert screen.page.evaluate("window.pwned") is None
    for made in ("img[src=x]", "a[href*='evil']", "img[src*='evil']", ".katex"):
        expect(screen.main().locator(made)).to_have_count(0)


@pytest.fixture(scope="module")
def database(folder: object) -> str:
    """A store of its own: in it every name is hostile."""
    return f"sqlite:///{folder}/hostile.db"


@pytest.fixture
def run_id(screen: Screen, services: Store) -> str:
    """The run of the hostile file, uploaded as a person would; made once."""
    if count_runs(services.db):
        return list_runs(services)[0].run_id
    screen.visit("/upload")
    screen.upload(f"{_MARKDOWN.replace('/', '')}.jsonl", _JSONL)
    expect(screen.sheet()).to_contain_text(_QUESTION)
    # The cell is JSON, in which a quotation mark is escaped.
    expect(screen.sheet()).to_contain_text(_CHUNK.split('"')[0])
    screen.write(screen.page.get_by_label("Name of the run"), _NAME)
    screen.press("Judge the answers")
    screen.until(lambda: "run" in screen.parameters(), "the run is in the address")
    screen.until(lambda: _said(screen.main().get_by_role("heading", level=1)) == _NAME, "the name is the title")
    screen.sees("Complete · 2 of 2 answers")
    return screen.parameters()["run"]


def _text(screen: Screen, selector: str) -> str:
    text: str = screen.page.locator(selector).first.evaluate("e => e.textContent")
    return text


def _said(where: Locator) -> str:
    """The text, without the word joiners that keep Streamlit from making links."""
    return where.inner_text().replace("\u2060", "")


def test_upload_shows_preview_and_progress_verbatim(screen: Screen, run_id: str, services: Store) -> None:
    detail = get_answer(services.db, run_id, "1")
    assert (detail.sample.question, detail.sample.answer, detail.sample.key) == (_QUESTION, _ANSWER, _KEY)
    assert get_run(services, run_id).name == _NAME
    screen.visit("/upload", run=run_id)
    screen.until(lambda: _said(screen.main().get_by_role("heading", level=1)) == _NAME, "the name is the title")
    expect(screen.page.locator(".row").first).to_contain_text(_QUESTION)


def test_upload_shows_hostile_columns_verbatim(screen: Screen) -> None:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerows([[_MARKDOWN, "question", f"answer {_TAG}", "contexts"], ["a", "b", "Inboxes.", "Inboxes."]])
    screen.open("/upload")
    screen.upload("columns.csv", text.getvalue().encode())
    heads = screen.sheet().locator(".name")
    expect(heads).to_have_text([_MARKDOWN, "question", f"answer {_TAG}", "contexts"])
    expect(screen.role_of(f"answer {_TAG}")).to_be_visible()


def test_inspect_shows_every_text_verbatim(screen: Screen, run_id: str) -> None:
    screen.visit("/answers", run=run_id, row="1", claim="1")
    expect(screen.answer()).to_be_visible()
    assert _text(screen, ".pane.answer .question") == _QUESTION
    assert _text(screen, ".pane.answer .reading") == _ANSWER.replace(_CONTROLS, _CONTROLS_SHOWN)
    assert _text(screen, ".pane.chunks .reading") == _CHUNK
    assert _CHUNK_ID in _text(screen, ".pane.chunks article")
    assert _text(screen, ".pane.chunks dt") == _NOTE
    assert _text(screen, ".pane.chunks dd") == _NOTE
    assert _text(screen, "[data-faithview-list] .row .title") == _QUESTION
    line = screen.page.get_by_test_id("stCaptionContainer").filter(has_text="faithful").first
    assert " ".join(_KEY.split()) in _said(line)
    assert _SEGMENT in _said(line)
    expect(screen.main().get_by_role("heading", name="k b")).to_have_count(0)
    assert _NAME in (screen.widget(f"inspect.run.{run_id}").locator("input").get_attribute("value") or "") or (
        _NAME in screen.widget(f"inspect.run.{run_id}").inner_text()
    )
    screen.filter_by("Segment", _SEGMENT)
    screen.until_address(segment=join_names([_SEGMENT]))
    screen.visit("/answers", run=run_id, row="2")
    key = screen.page.get_by_test_id("stCaptionContainer").filter(has_text="two # lines").first
    expect(key).to_be_visible()


def test_overview_shows_names_verbatim(screen: Screen, run_id: str) -> None:
    screen.visit("/")
    assert _NAME in _said(screen.main())
    screen.open_expander("All runs")
    expect(screen.grid()).to_contain_text(_NAME)


def test_the_inbox_shows_claims_questions_runs_and_words_verbatim(screen: Screen, run_id: str, services: Store) -> None:
    every = [verdict.value for verdict in Verdict]
    groups = list_groups(
        services, make_filter("pwned", {Facet.VERDICT: every}), series=get_run(services, run_id).series
    )
    (group,) = groups.groups
    screen.visit("/claims", run=run_id, find="pwned", verdicts=group.verdict.value if group.verdict else "")
    row = screen.page.locator("[data-faithview-inbox] .row")
    expect(row).to_have_count(1)
    assert _text(screen, "[data-faithview-inbox] .open") == group.text.replace(_CONTROLS, _CONTROLS_SHOWN)
    assert _text(screen, "[data-faithview-inbox] .question") == _QUESTION
    assert _text(screen, "[data-faithview-inbox] .where") == f"only in {_NAME}"
    screen.visit("/claims", find=_TAG)
    expect(screen.widget("inbox.find").locator("input")).to_have_value(" ".join(_TAG.split()))


def test_check_shows_what_was_pasted_verbatim(screen: Screen) -> None:
    screen.visit("/try")
    screen.write(screen.page.get_by_label("Question"), _QUESTION)
    screen.write(screen.page.get_by_role("textbox", name="Answer", exact=True), _ANSWER)
    screen.write(screen.page.get_by_role("textbox", name="Chunks", exact=True), _CHUNK)
    screen.press("Check the answer")
    screen.settle()
    assert _text(screen, ".pane.answer .question") == _QUESTION
    assert _text(screen, ".pane.answer .reading") == _ANSWER.replace(_CONTROLS, _CONTROLS_SHOWN)
    assert _text(screen, ".pane.chunks .reading") == _CHUNK


@pytest.mark.parametrize("parameter", ["run", "row"])
def test_an_address_cannot_inject_markup(screen: Screen, run_id: str, parameter: str) -> None:
    screen.visit("/answers", **{"run": run_id, parameter: f"{_TAG} {_MARKDOWN}"})
    said = f"{_TAG} {_MARKDOWN}"
    screen.until(lambda: said in _said(screen.main()), "the page names what it does not have")
