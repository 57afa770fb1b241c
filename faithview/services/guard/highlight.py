"""An answer as HTML with its problems marked: all of it is escaped, and `<mark>` is the only element."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise

from faithview.domain.claim import WORST_FIRST
from faithview.domain.spans import Span
from faithview.services.guard.issue import Issue
from faithview.wording.numbers import listed
from faithview.wording.verdicts import VERDICTS

# HTML drops NUL and cannot hold half a surrogate pair.
_NOT_IN_HTML = re.compile("[\x00\ud800-\udfff]")
_REPLACEMENT = "\ufffd"

_ZERO_WIDTH_JOINER = "\u200d"
_EMOJI_MODIFIERS = range(0x1F3FB, 0x1F400)


def highlight(answer: str, issues: Sequence[Issue]) -> str:
    """Return the answer as HTML in which `<mark>` stands around each problem; its text is the answer's.

    A mark has the verdict in `data-verdict`, the numbers of its claims in `data-claims`, and both in words in `title`,
    so that nothing depends on colour. Marks neither overlap nor nest; where claims overlap, the mark has the worst
    verdict. A mark covers whole characters as people see them, even where a span cuts one (an emoji with a skin tone).

    Characters that HTML cannot hold (NUL, half a surrogate pair) become U+FFFD. Put the HTML into an element: it is not
    safe inside an attribute, a script or a style.
    """
    pieces: list[str] = []
    for start, end, covering in _segments(answer, issues):
        text = _escaped(answer[start:end])
        pieces.append(_mark(text, covering) if covering else text)
    return "".join(pieces)


def _segments(answer: str, issues: Sequence[Issue]) -> Iterator[tuple[int, int, list[Issue]]]:
    """Yield the answer's stretches in order, each with the issues that cover all of it."""
    starts: dict[int, list[Issue]] = {}
    ends: dict[int, list[Issue]] = {}
    for issue in issues:
        for span in issue.spans:
            start, end = _whole_characters(answer, span)
            if start < end:
                starts.setdefault(start, []).append(issue)
                ends.setdefault(end, []).append(issue)
    covering: list[Issue] = []
    for start, end in pairwise(sorted({0, len(answer), *starts, *ends})):
        for issue in ends.get(start, ()):
            covering.remove(issue)
        covering += starts.get(start, ())
        yield start, end, list(covering)


def _mark(text: str, covering: Sequence[Issue]) -> str:
    verdict = min((issue.claim.verdict for issue in covering), key=WORST_FIRST.index)
    numbers = sorted({issue.number for issue in covering})
    words = listed([f"{number}" for number in numbers])
    title = f"{'Claim' if len(numbers) == 1 else 'Claims'} {words}: {VERDICTS[verdict].word}"
    claims = " ".join(str(number) for number in numbers)
    return f'<mark data-verdict="{verdict.value}" data-claims="{claims}" title="{escape(title)}">{text}</mark>'


def _escaped(text: str) -> str:
    # A parser reads a carriage return as a line feed unless it is escaped.
    return escape(_NOT_IN_HTML.sub(_REPLACEMENT, text)).replace("\r", "&#13;")


def _whole_characters(answer: str, span: Span) -> tuple[int, int]:
    start, end = min(span.start, len(answer)), min(span.end, len(answer))
    while start > 0 and _joins(answer, start):
        start -= 1
    while end < len(answer) and _joins(answer, end):
        end += 1
    return start, end


def _joins(answer: str, at: int) -> bool:
    """Return whether the code points before and after this place are shown as one character."""
    before, after = answer[at - 1], answer[at]
    if before + after == "\r\n":
        return True
    is_emoji_after = ord(after) in _EMOJI_MODIFIERS or after == _ZERO_WIDTH_JOINER
    return is_emoji_after or before == _ZERO_WIDTH_JOINER or unicodedata.category(after) in ("Mn", "Me", "Mc")
