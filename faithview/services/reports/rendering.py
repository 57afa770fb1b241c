"""Fills the templates of reports, in HTML or in Markdown; every value is escaped, and the page loads nothing.

A report's template has its sentences once. `blocks.html` and `blocks.markdown` say how a paragraph, a table or a marked
text is written in each format. Texts are cut into pieces at the ends of spans, so a template can mark each piece.
"""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache, partial
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from faithview.domain.certainty import Certainty
from faithview.domain.claim import Claim, Verdict
from faithview.domain.private_file import private
from faithview.domain.sample import Sample
from faithview.domain.scoring import Interval
from faithview.formats.files.atomic_file import atomic_file
from faithview.services.reports import ReportFormat
from faithview.version import __version__
from faithview.wording import numbers as fmt
from faithview.wording import palette
from faithview.wording.verdict_styles import (
    NO_QUOTE,
    NOT_A_CLAIM_WORD,
    NOT_ANCHORED,
    QUOTE_NOT_FOUND,
    STYLES,
    style_name,
)
from faithview.wording.word_diff import Change, diff_words

# What Markdown, HTML in it or a formula would take for its own; and what begins a list, a heading or a rule.
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~$&])")
_LINE_START = re.compile(r"^(\d+(?=[.)](?:\s|$))|(?=[-+=](?:\s|$|[-=])))")


def render(template: str, file_format: ReportFormat = ReportFormat.HTML, **values: Any) -> str:
    """Fill a template; raises if it names a missing value."""
    page = _environment(file_format).get_template(template)
    text = page.render(made_at=fmt.day_and_time(datetime.now(UTC)), **values)
    return text if file_format is ReportFormat.HTML else re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


@cache
def _environment(file_format: ReportFormat) -> Environment:
    environment = Environment(
        loader=PackageLoader("faithview.services.reports"),
        autoescape=True,
        finalize=_escape_markdown if file_format is ReportFormat.MARKDOWN else None,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "signed": partial(fmt.signed, decimals=3),
        "signed_measure": partial(fmt.signed_measure, decimals=3),
        "signed_ends": partial(fmt.signed_ends, decimals=3),
        "share": fmt.share,
        "threshold": fmt.threshold,
        "fixed": fmt.fixed,
        "ends": fmt.ends,
        "percent": fmt.percent,
        "p_number": fmt.p_number,
        "p_value": fmt.p_value,
        "day": fmt.day,
        "plural": fmt.plural,
        "verb": fmt.verb,
        "quoted_lines": _quoted_lines,
        "marked": _marked,
        "one_line": lambda text: _shown(_LINE_START.sub(r"\1\\", " ".join(text.split()))),
        "code_span": lambda text: _shown(fmt.code(text)),
    }
    # Macros of an imported template see only globals.
    environment.globals |= {
        "blocks": f"blocks.{file_format}",
        "page": f"page.{file_format}",
        "version": __version__,
        "palette": palette,
        "styles": STYLES,
        "not_a_claim": NOT_A_CLAIM_WORD,
        "quote_not_found": QUOTE_NOT_FOUND,
        "no_quote": NO_QUOTE,
        "not_anchored": NOT_ANCHORED,
    }
    return environment


def _shown(markdown: str) -> Markup:
    """Return Markdown, in which every value is escaped, as what no template escapes again."""
    return Markup(markdown)  # noqa: S704 - Markdown, not HTML


def _escape_markdown(value: object) -> Markup:
    """Return a value as one line that Markdown shows as it is; Markup stays, because it is escaped already."""
    return value if isinstance(value, Markup) else _shown(re.sub(r"\s+", " ", _SPECIAL.sub(r"\\\1", str(value))))


def _marked(text: str, sign: str) -> Markup:
    """Return a text in Markdown with a sign around each line, inside the spaces at its ends."""
    lines = _SPECIAL.sub(r"\\\1", text).split("\n")
    return _shown("\n".join(re.sub(r"\S(?:.*\S)?", lambda words: sign + words[0] + sign, line) for line in lines))


def _quoted_lines(text: Markup) -> Markup:
    """Return an escaped text as a quote in Markdown; two spaces at the end keep a line apart from the next."""
    lines = [_LINE_START.sub(r"\1\\", line.strip()) for line in text.replace("****", "").splitlines()]
    return _shown("  \n".join(f"> {line}" for line in lines if line))


class Piece(NamedTuple):
    """A piece of a text; `mark` is a claim's style or a change, "" for none; `numbers` are claims that end there."""

    text: str
    mark: str
    numbers: tuple[int, ...] = ()


class Quoted(NamedTuple):
    """A chunk that a verdict rests on, with its quotes marked; `missing` are quotes that it does not contain.

    With `is_nearest`, it rests on none, and the quotes are the nearest passages. `text` is empty if it contains no
    quote, because the beginning of a chunk is not evidence.
    """

    chunk_id: str
    text: list[Piece]
    missing: tuple[str, ...] = ()
    is_nearest: bool = False


def mark_claims(
    answer: str, claims: Sequence[Claim], verdicts: Sequence[Verdict | None], certainties: Sequence[Certainty]
) -> list[Piece]:
    """Return the answer in pieces, each with the name of its claims' worst style and their numbers from 1."""
    spans = [
        (span.start, span.end, number, style_name(verdict, certainty))
        for number, (claim, verdict, certainty) in enumerate(
            zip(claims, verdicts[: len(claims)], certainties, strict=True), start=1
        )
        if verdict is not None
        for span in claim.spans
    ]
    cuts = sorted({0, len(answer), *(at for start, end, _, _ in spans for at in (start, end))})
    pieces = []
    for start, end in pairwise(cuts):
        on = [(number, style) for first, last, number, style in spans if first <= start and end <= last]
        worst = next((name for name in STYLES if any(style == name for _, style in on)), "")
        ending = tuple(number for number, _ in on if any(n == number and last == end for _, last, n, _ in spans))
        pieces.append(Piece(answer[start:end], worst, ending))
    return pieces


def mark_quotes(text: str, spans: Sequence[tuple[int, int]], *, around: int = 160) -> list[Piece]:
    """Return a chunk with its quotes marked, cut to the text around them; without quotes, the start of the chunk."""
    if not spans:
        return [Piece(text if len(text) <= 2 * around else f"{text[: 2 * around]} …", "")]
    first, last = min(start for start, _ in spans), max(end for _, end in spans)
    begin, stop = max(0, first - around), min(len(text), last + around)
    cuts = sorted({begin, stop, *(at for span in spans for at in span)})
    pieces = [Piece("… ", "")] if begin else []
    for start, end in pairwise(cuts):
        quoted = any(low <= start and end <= high for low, high in spans)
        pieces.append(Piece(text[start:end], "quote" if quoted else ""))
    return [*pieces, Piece(" …", "")] if stop < len(text) else pieces


def mark_evidence(claim: Claim, sample: Sample) -> list[Quoted]:
    """Return the chunks that a claim's verdict rests on, best first, cut to the text around their quotes."""
    texts = {chunk.chunk_id: chunk.text for chunk in sample.chunks}
    quoted = []
    for chunk_id in dict.fromkeys([*claim.supporting_chunk_ids, *(item.chunk_id for item in claim.evidence)]):
        here = [item for item in claim.evidence if item.chunk_id == chunk_id]
        spans = [(item.span.start, item.span.end) for item in here if item.span is not None]
        missing = tuple(item.quote for item in here if item.span is None)
        text = mark_quotes(texts[chunk_id], spans) if spans else []
        quoted.append(Quoted(chunk_id, text, missing, is_nearest=bool(claim.evidence and not claim.grounds)))
    return quoted


def mark_changes(old: str, new: str) -> list[Piece]:
    """Return both versions of a text as one, with removed and added words marked."""
    return [Piece(piece.text, "" if piece.kind is Change.SAME else piece.kind.value) for piece in diff_words(old, new)]


class Bar(NamedTuple):
    """A bar in a table's cell, with a dot on it or none; all in percent of the cell's width."""

    left: float
    width: float
    dot: float | None = None


def bars(rows: Sequence[tuple[float, float, float | None]]) -> list[Bar]:
    """Return ranges, each with a dot or None, as bars on one axis that holds them all."""
    low, high = min((row[0] for row in rows), default=0.0), max((row[1] for row in rows), default=1.0)
    scale = 100 / max(high - low, 1e-9)

    def place(value: float) -> float:
        return round((value - low) * scale, 1)

    return [Bar(place(a), round(place(b) - place(a), 1), None if dot is None else place(dot)) for a, b, dot in rows]


def dots(rows: Sequence[tuple[float | None, Interval | None]]) -> list[Bar]:
    """Return values with their intervals as bars with dots."""
    return bars([(i.low, i.high, v or 0.0) if i else (v or 0.0, v or 0.0, v or 0.0) for v, i in rows])


def write_report(text: str, destination: Path) -> None:
    """Write a report; the file appears complete or not at all.

    Raises:
        InvalidInput: the file cannot be written, or `destination` is a folder.
    """
    with atomic_file(destination) as temporary, open(temporary, "x", opener=private, encoding="utf-8") as out:
        out.write(text)
