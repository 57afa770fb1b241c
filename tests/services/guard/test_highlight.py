"""The highlight is safe HTML: its text is the answer's, `<mark>` its only element, and nothing in it runs."""

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faithview.domain.claim import Verdict
from faithview.domain.spans import Occurrences, span_at
from faithview.services.guard.check import Issue, highlight
from tests.factories import make_claim

PAYLOADS: list[str] = json.loads((Path(__file__).parent / "injections.json").read_text(encoding="utf-8"))
_MARK = re.compile(r'<mark data-verdict="[a-z_]+" data-claims="[\d ]+" title="Claims? [^"<>&]+">|</mark>')


def issue(answer: str, start: int, end: int, verdict: Verdict = Verdict.CONTRADICTED, number: int = 1) -> Issue:
    span = span_at(answer, start, end)
    return Issue(number=number, claim=make_claim("c", verdict, spans=(span,)), spans=(span,))


def shown(answer: str) -> str:
    """The text that a page shows of the answer."""
    return re.sub("[\x00\ud800-\udfff]", "\ufffd", answer)


def markings(answer: str) -> Iterator[str]:
    """The answer marked in every way that could break it: whole, in halves, at each cut, overlapping."""
    length = len(answer)
    yield highlight(answer, [])
    yield highlight(answer, [issue(answer, 0, length)])
    for at in range(1, length):
        yield highlight(answer, [issue(answer, 0, at), issue(answer, at, length, Verdict.NOT_MENTIONED, 2)])
    for at in range(0, length - 2, 5):
        yield highlight(answer, [issue(answer, at, at + 2), issue(answer, at + 1, length, Verdict.NOT_MENTIONED, 2)])


def test_without_its_marks_the_html_is_the_escaped_answer() -> None:
    for payload in PAYLOADS:
        for html in markings(payload):
            text = _MARK.sub("", html)
            assert not re.search(r"[<>\"']", text)
            # `unescape` knows no way to keep a carriage return but this.
            assert unescape(text.replace("&#13;", "\r")) == shown(payload)


@given(st.text(max_size=40), st.lists(st.tuples(st.integers(0, 40), st.integers(1, 40)), max_size=5))
def test_marks_neither_nest_nor_overlap_and_the_text_is_the_answers(answer: str, places: list[tuple[int, int]]) -> None:
    issues = [
        issue(answer, start, min(len(answer), start + length), list(Verdict)[number % 4], number + 1)
        for number, (start, length) in enumerate(places)
        if start < len(answer)
    ]
    html = highlight(answer, issues)
    tags = re.findall(r"</?mark", html)
    assert tags == ["<mark", "</mark"] * (len(tags) // 2)
    assert unescape(_MARK.sub("", html).replace("&#13;", "\r")) == shown(answer)


def test_where_claims_overlap_the_mark_names_both_and_has_the_worst_verdict() -> None:
    answer = "0123456789"
    spans = Occurrences(answer)
    first = make_claim("a", Verdict.PARTIALLY_SUPPORTED, spans=(spans.span_at(0, 6),))
    second = make_claim("b", Verdict.CONTRADICTED, spans=(spans.span_at(4, 8),))
    html = highlight(
        answer,
        [Issue(number=n, claim=claim, spans=claim.spans) for n, claim in ((1, first), (2, second))],
    )
    assert html == (
        '<mark data-verdict="partially_supported" data-claims="1" title="Claim 1: partially supported">0123</mark>'
        '<mark data-verdict="contradicted" data-claims="1 2" title="Claims 1 and 2: contradicted">45</mark>'
        '<mark data-verdict="contradicted" data-claims="2" title="Claim 2: contradicted">67</mark>89'
    )


@pytest.mark.browser
def test_in_a_browser_nothing_runs_and_the_text_is_exactly_the_answer() -> None:
    cases = [(html, shown(payload)) for payload in PAYLOADS for html in markings(payload)]
    script = """(cases) => {
        const wrong = [];
        window.hit = 0;
        for (const [html, text] of cases) {
            const box = document.createElement("div");
            document.body.append(box);
            box.innerHTML = html;
            const others = [...box.querySelectorAll("*")].filter((element) => element.localName !== "mark");
            const names = new Set([...box.querySelectorAll("mark")].flatMap((mark) => mark.getAttributeNames()));
            const known = ["data-verdict", "data-claims", "title"];
            if (others.length || box.textContent !== text || [...names].some((name) => !known.includes(name)))
                wrong.push([html, box.textContent]);
        }
        return wrong;
    }"""
    from tests.browser import launch

    with launch() as browser:
        page = browser.new_page()
        page.set_content("<!doctype html><title>t</title><body></body>")
        requests: list[str] = []
        page.on("request", lambda request: requests.append(request.url))
        wrong = page.evaluate(script, [list(case) for case in cases])
        page.wait_for_timeout(500)
        hit = page.evaluate("window.hit")
        page.close()
    assert (wrong[:3], hit, requests) == ([], 0, [])
