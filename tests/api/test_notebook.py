"""What a notebook shows of results, runs and comparisons: looked at in a real browser, with texts that mean harm."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Request

from faithview import Chunk, Evidence, JudgedAnswer, Result, Sample, State, Store, Verdict, evaluate, open_store
from faithview.domain.run import JudgeSpec
from faithview.services.runs.create import RunRequest, save_judged
from tests import browser as browsers
from tests.factories import make_claim, make_result

pytestmark = pytest.mark.browser

_HARM = (
    "<script>window.pwned=1</script><img src=x onerror='window.pwned=1'><svg onload='window.pwned=1'>"
    "</style><style>*{background:url(http://evil.example/s)}</style></details></div></div><iframe src='//evil.example'>"
    "<a href='javascript:window.pwned=1'>l</a> {{ 7 * 7 }} {% raw %} $x^2$ **b** \" ' & &lt;b&gt; \u202ertl\u2066"
    "<link rel=stylesheet href=http://evil.example/c><base href=http://evil.example><meta http-equiv=refresh content=0>"
)
_LONG = "unbroken" * 60


def answer(text: str, chunk: str, verdict: Verdict, *, key: str = "q1", harm: str = "") -> JudgedAnswer:
    chunk_id = f"kb-1{harm}"
    claim = make_claim(
        f"{text}{harm}",
        verdict,
        chunk_id,
        spans=(),
        confidence=0.6,
        explanation=f"Chunk 1 says something else. {harm}",
        correction=f"{chunk}{harm}",
        evidence=(Evidence(chunk_id=chunk_id, quote=f"nowhere {harm}", span=None),),
    )
    sample = Sample(
        answer=f"{text} {harm}",
        question=f"How many fit? {harm}",
        key=f"{key}{harm}"[:480],
        segment=f"billing{harm}"[:480],
        chunks=(Chunk(text=f"{chunk} {harm}", chunk_id=chunk_id),),
    )
    result = Result(state=State.JUDGED, judge=f"openai:m{harm}", claims=(claim,))
    return JudgedAnswer.of(result, sample)


def failed(harm: str) -> JudgedAnswer:
    sample = Sample.of(f"No {harm}", ["x"], key=f"q9{harm}"[:480])
    return JudgedAnswer.of(make_result(state=State.FAILED, error=f"No model {harm}"), sample)


def save(store: Store, name: str, answers: list[JudgedAnswer]) -> None:
    pairs = [(item.sample, item) for item in answers]
    save_judged(store, pairs, RunRequest(name=name[:190], judge=JudgeSpec(name="lexical")))


@pytest.fixture
def store(store_file: Path) -> Iterator[Store]:
    with open_store(f"sqlite:///{store_file}") as opened:
        yield opened


def everything(store: Store, harm: str) -> dict[str, str]:
    """Every kind of output, by name; with `harm` in every text that is not FaithView's own."""
    right = answer("Shared inboxes hold up to 20 members.", "Shared inboxes hold up to 20 members.", Verdict.SUPPORTED)
    wrong = answer("Shared inboxes hold 50.", "Shared inboxes hold up to 20 members.", Verdict.CONTRADICTED, harm=harm)
    before = replace(right, sample=replace(right.sample, key=wrong.sample.key, question=wrong.sample.question))
    other = answer("Owners can add members.", "Owners can add members.", Verdict.PARTIALLY_SUPPORTED, key="q2")
    save(store, f"before {harm}", [before, other])
    save(store, f"after {harm}", [wrong, other, failed(harm)])
    after, first = (summary.run.run_id for summary in store.runs())
    row = {"answer": f"Owners can add members. {harm}", "contexts": ["Owners can add members."]}
    with pytest.warns(UserWarning, match="cannot be read"):
        unread = evaluate([row, {**row, "answer": [harm, harm]}, {**row, harm: "a\x00"}], judge="lexical")
    return {
        "answer": wrong._repr_html_(),
        "supported": right._repr_html_(),
        "failed": failed(harm)._repr_html_(),
        "run": store.run(after)._repr_html_(),
        "unread": unread._repr_html_(),
        "runs": store.runs()._repr_html_(),
        "comparison": store.compare(first, after)._repr_html_(),
    }


def page_of(outputs: dict[str, str], *, dark: bool) -> str:
    colours = "background:#111;color:#eee" if dark else "background:#fff;color:#111"
    cells = "".join(f"<div class='cell' data-name='{name}'>{html}</div>" for name, html in outputs.items())
    return (
        "<!doctype html><html lang='en'><head><title>Notebook</title></head>"
        f"<body style='{colours};font-family:serif'><main>{cells}</main></body></html>"
    )


@pytest.fixture
def show(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Shows a page; at the end nothing was asked for, nothing ran and nobody complained."""
    asked: list[str] = []
    pages: list[Page] = []

    def note(request: Request) -> None:
        if not request.url.startswith(("about:", "data:")):
            asked.append(request.url)

    def open_page(html: str, *, width: int = 1000) -> Page:
        page = browsers.new_context(browser).new_page()
        page.set_viewport_size({"width": width, "height": 900})
        pages.append(page)
        page.on("request", note)
        page.on("dialog", lambda dialog: asked.append(dialog.message))
        page.set_content(html)
        # As Jupyter puts outputs into its page.
        page.evaluate("for (const cell of document.querySelectorAll('.cell')) cell.innerHTML = cell.innerHTML")
        page.wait_for_timeout(200)
        return page

    yield open_page
    for page in pages:
        assert page.evaluate("window.pwned") is None
        page.context.close()
    assert asked == []


def test_texts_are_shown_as_they_are_and_nothing_runs_or_is_loaded(store: Store, show: Callable[..., Page]) -> None:
    outputs = everything(store, _HARM)
    page = show(page_of(outputs, dark=False))
    for element in ("script", "img", "iframe", "link", "base", "meta", "a", "object", "embed", "[onload]", "[onerror]"):
        assert page.locator(f".cell {element}").count() == 0, element
    assert page.locator(".cell > *").count() == len(outputs)
    assert page.locator(".cell > .faithview.mathjax_ignore.tex2jax_ignore").count() == len(outputs)
    shown = " ".join(_HARM.split())
    for name in outputs:
        text = " ".join((page.locator(f"[data-name={name}]").text_content() or "").split())
        assert name == "supported" or "<script>window.pwned=1</script>" in text, name
        assert name not in ("answer", "failed") or shown in text, name


def test_verdicts_are_told_apart_without_colour_and_figures_have_interval_and_n(store: Store) -> None:
    outputs = everything(store, "")
    assert "✕ probably contradicted" in outputs["answer"]
    assert "not faithful, faithfulness 0.00, 1 of 1 claim is not supported" in outputs["answer"]
    assert "No model" in outputs["failed"]
    run = " ".join(outputs["run"].split())
    assert re.search(r"faithfulness 0\.00 \([^)]*n 2\)", run)
    assert "0 of 2 judged answers (threshold 0.80)" in run
    assert "0.00–0.33 if the answers without a score counted as 0 or as 1" in run
    assert "2 rows could not be read" in " ".join(outputs["unread"].split())
    assert "row 2: the answer is a list of 2 items" in outputs["unread"]
    comparison = " ".join(outputs["comparison"].split())
    assert "−0.50" in comparison
    assert "n 2 pairs" in comparison
    assert "1 only in the candidate" in comparison


@pytest.mark.parametrize("dark", [True, False])
def test_colours_can_be_read(store: Store, show: Callable[..., Page], dark: bool) -> None:
    page = show(page_of(everything(store, ""), dark=dark))
    found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa"]})
    assert found.violations_count == 0, found.generate_report()


def test_nothing_is_wider_than_its_cell(store: Store, show: Callable[..., Page]) -> None:
    page = show(page_of(everything(store, _LONG), dark=False), width=380)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_a_long_answer_is_cut_and_says_so() -> None:
    claims = tuple(make_claim(f"Claim {n}.", Verdict.SUPPORTED) for n in range(50))
    sample = Sample.of("a" * 10_000, ["x"])
    html = JudgedAnswer.of(make_result(*claims), sample)._repr_html_()
    assert "more characters)" in html
    assert "20 more rows" in html
    assert len(html) < 40_000
