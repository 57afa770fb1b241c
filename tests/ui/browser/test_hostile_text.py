"""Every page shows the texts of a file verbatim and executes nothing in them."""

import json

import pytest
from playwright.sync_api import Locator, expect

from faithview.services.container import Store
from faithview.services.results import list_runs
from faithview.store.runs import count_runs
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
    # An example is cut, and the one of the chunks is JSON, in which a quotation mark is escaped.
    expect(screen.sheet()).to_contain_text(_QUESTION[:120])
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


def test_inspect_shows_every_text_verbatim(screen: Screen, run_id: str) -> None:
    screen.visit("/answers", run=run_id, row="1", claim="1")
    expect(screen.answer()).to_be_visible()
    assert _text(screen, ".reader .question") == _QUESTION
    assert _text(screen, ".reader .left .text") == _ANSWER.replace(_CONTROLS, _CONTROLS_SHOWN)
    assert _text(screen, ".reader .right .text") == _CHUNK
    assert _CHUNK_ID in _text(screen, ".reader article")
    assert _text(screen, ".reader dt") == _NOTE
    assert _text(screen, ".reader dd") == _NOTE
    assert _text(screen, ".reader .row .title") == _QUESTION


# Each page, once as it is and once with an address in which everything is hostile.
_PAGES = (
    *("/", "/try", "/upload", "/answers", "/review", "/claims", "/changes", "/weak-spots", "/trends", "/judges"),
    "/settings",
)


@pytest.mark.parametrize("path", _PAGES)
def test_no_page_carries_anything_out(screen: Screen, run_id: str, path: str) -> None:
    for given in ({"run": run_id}, dict.fromkeys(("run", "row", "claim", "baseline", "segment", "find"), _HOSTILE)):
        screen.visit(path, **given)
        screen.settle()
        assert screen.page.evaluate("window.pwned") is None
        assert screen.page.get_by_test_id("stException").count() == 0
