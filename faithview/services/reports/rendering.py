"""Fills the templates of reports; every text is escaped, and the page loads nothing.

Texts are cut into pieces at the ends of spans, so a template can mark each piece. A template draws charts as SVG from
their geometry, in the theme's colours, without scripts or image files.

"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache, partial
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined

from faithview.domain.certainty import Certainty
from faithview.domain.claim import Claim, Verdict
from faithview.domain.private_file import private
from faithview.domain.sample import Sample
from faithview.domain.scoring import Interval
from faithview.formats.files.atomic_file import atomic_file
from faithview.services.comparison.compared_runs import Comparison, WaterfallStep, waterfall_steps
from faithview.version import __version__
from faithview.wording import numbers as fmt
from faithview.wording import palette
from faithview.wording.numbers import VIEW_WORDS
from faithview.wording.verdict_styles import (
    NO_QUOTE,
    NOT_A_CLAIM_WORD,
    NOT_ANCHORED,
    QUOTE_NOT_FOUND,
    STYLES,
    style_name,
)
from faithview.wording.word_diff import Change, diff_words


def render(template: str, **values: Any) -> str:
    """Fill a template; raises if it names a missing value."""
    return (
        _environment()
        .get_template(template)
        .render(
            verdicts=STYLES,
            version=__version__,
            made_at=fmt.day_and_time(datetime.now(UTC)),
            **values,
        )
    )


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("faithview.services.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "signed": partial(fmt.signed, decimals=3),
        "signed_measure": partial(fmt.signed_measure, decimals=3),
        "share": fmt.share,
        "threshold": fmt.threshold,
        "fixed": fmt.fixed,
        "ends": fmt.ends,
        "percent": fmt.percent,
        "p_number": fmt.p_number,
        "p_value": fmt.p_value,
        "plus_minus": fmt.plus_minus,
        "day": fmt.day,
        "plural": fmt.plural,
        "verb": fmt.verb,
    }
    # Macros of an imported template see only globals.
    environment.globals |= {
        "palette": palette,
        "not_a_claim": NOT_A_CLAIM_WORD,
        "view_words": VIEW_WORDS,
        "quote_not_found": QUOTE_NOT_FOUND,
        "no_quote": NO_QUOTE,
        "not_anchored": NOT_ANCHORED,
    }
    return environment


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


_LABEL, _PLOT, _VALUE = 345.0, 405.0, 90.0
_ROW = 26.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One bar of a waterfall, or one dot with its interval; positions are in the units of `Figure.width`."""

    label: str
    value: str
    y: float
    left: float
    width: float
    kind: str
    dot: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A chart of horizontal rows; `words` describe it. `zero` is the position of 0 on the axis; None for no line."""

    width: float
    height: float
    label_width: float
    row: float
    bars: tuple[Bar, ...]
    words: str
    zero: float | None = None


def waterfall(comparison: Comparison) -> Figure | None:
    """Return a waterfall from the baseline's mean to the candidate's, by cause; None if nothing is scored."""
    steps = waterfall_steps(comparison)
    if not steps:
        return None
    low = min(min(step.start, step.end) for step in steps)
    high = max(max(step.start, step.end) for step in steps)
    margin = max(0.01, 0.08 * (high - low))
    scale = _Scale(low - margin, high + margin)
    bars = [_bar(step, row, scale) for row, step in enumerate(steps)]
    words = "; ".join(f"{bar.label} {bar.value}" for bar in bars)
    return Figure(
        width=_LABEL + _PLOT + _VALUE,
        height=_ROW * len(bars),
        label_width=_LABEL,
        row=_ROW,
        bars=tuple(bars),
        words=f"From the baseline's mean to the candidate's: {words}.",
    )


def dots(rows: Sequence[tuple[str, float, Interval | None]], *, is_difference: bool) -> Figure:
    """Return one row per dot with its interval: means, or differences around a line at 0."""
    ends = [end for _, value, interval in rows for end in (value, *((interval.low, interval.high) if interval else ()))]
    low, high = (min([0.0, *ends]), max([0.0, *ends])) if is_difference else (min([1.0, *ends]), max([0.0, *ends]))
    margin = max(0.02, 0.05 * (high - low))
    scale = _Scale(low - margin, high + margin)
    bars = []
    for row, (label, value, interval) in enumerate(rows):
        left, right = (scale.x(interval.low), scale.x(interval.high)) if interval else (scale.x(value), scale.x(value))
        shown = fmt.signed(value, decimals=3) if is_difference else fmt.share(value)
        bars.append(
            Bar(
                label=label,
                value=shown,
                y=row * _ROW,
                left=left,
                width=max(1.0, right - left),
                kind="dot",
                dot=scale.x(value),
            )
        )
    return Figure(
        width=_LABEL + _PLOT + _VALUE,
        height=_ROW * len(bars),
        label_width=_LABEL,
        row=_ROW,
        bars=tuple(bars),
        words="; ".join(f"{bar.label} {bar.value}" for bar in bars),
        zero=scale.x(0.0) if is_difference else None,
    )


class _Scale:
    def __init__(self, low: float, high: float) -> None:
        self._low, self._span = low, max(high - low, 1e-9)

    def x(self, value: float) -> float:
        return round(_LABEL + _PLOT * (value - self._low) / self._span, 2)


def _bar(step: WaterfallStep, row: int, scale: _Scale) -> Bar:
    if step.side is None:
        value, kind = fmt.share(step.end), "level"
        left, right = _LABEL, scale.x(step.end)
    else:
        value, kind = fmt.signed(step.end - step.start, decimals=3), "won" if step.side.is_won else "lost"
        left, right = sorted((scale.x(step.start), scale.x(step.end)))
    return Bar(label=step.label, value=value, y=row * _ROW, left=left, width=max(1.0, right - left), kind=kind)


def write_report(text: str, destination: Path) -> None:
    """Write a report; the file appears complete or not at all.

    Raises:
        InvalidInput: the file cannot be written, or `destination` is a folder.
    """
    with atomic_file(destination) as temporary, open(temporary, "x", opener=private, encoding="utf-8") as out:
        out.write(text)
