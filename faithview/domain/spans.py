"""The place of a quote in a text, and the quotes from chunks in a judge's sentence.

A span has code-point offsets and an occurrence index, and is verified. A quote in a sentence is text in double
quotation marks after the name of a chunk and a verb of saying, up to where the sentence ends or turns to something
else: in "Chunk 2 says “7 days”, the answer “14 days”." only “7 days” is a chunk's.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

# Shorter texts are searched quote by quote; longer ones by the first characters of all quotes at once.
_LONG_TEXT = 20_000
_HEADS = (96, 48, 24, 12)


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Span:
    """A half-open range `[start, end)` of Unicode code points; `text[start:end]` is exactly the quoted text.

    `occurrence`, from 0, is the number of this occurrence among the (possibly overlapping) ones of that quote in the
    text, so the place can be found again after the text around it has changed.
    """

    start: int
    end: int
    occurrence: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end:
            raise ValueError(f"A span needs 0 <= start < end, got [{self.start}, {self.end}).")

    def of(self, text: str) -> str:
        """Return the text that the span covers."""
        return text[self.start : self.end]

    def overlaps(self, other: "Span") -> bool:
        """Return whether the two spans share at least one code point."""
        return self.start < other.end and other.start < self.end


def span_at(text: str, start: int, end: int) -> Span:
    """Return the span `[start, end)` of the text with its occurrence index.

    Raises:
        ValueError: the range is empty or not inside the text.
    """
    if end > len(text):
        raise ValueError(f"A span ends at {end}, but the text has {len(text)} characters.")
    return Span(start=start, end=end, occurrence=_count_between(text, text[start:end], 0, start))


def find_quote(text: str, quote: str, *, occurrence: int = 0) -> Span | None:
    """Return the span of the quote's n-th occurrence (from 0), or None if it is not verbatim in the text."""
    if not quote:
        return None
    at = text.find(quote)
    for _ in range(occurrence):
        if at < 0:
            break
        at = text.find(quote, at + 1)
    return None if at < 0 else Span(start=at, end=at + len(quote), occurrence=occurrence)


def is_verbatim(text: str, quote: str, span: Span | None) -> bool:
    """Return whether the quote is in the text exactly where the span says."""
    return span is not None and span.end <= len(text) and span.of(text) == quote


def merge_spans(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the union of the ranges, sorted, with overlapping and touching ones joined."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged


class Occurrences:
    """Spans of one text with their occurrence indices, for an answer of any length with any number of claims.

    `quotes` are the ranges that will be asked for, needed if there are many different ones: a long text is then
    searched once for all of them, by their first characters. Searching a megabyte for each would take minutes.
    """

    def __init__(self, text: str, quotes: Iterable[tuple[int, int]] = ()) -> None:
        self._text = text
        self._counted: dict[str, tuple[int, int]] = {}
        self._places: dict[str, list[int]] = {}
        if len(text) < _LONG_TEXT:
            return
        heads = {head for start, end in quotes if (head := _head(text[start:end]))}
        for length in {len(head) for head in heads}:
            for at in range(len(text) - length + 1):
                piece = text[at : at + length]
                if piece in heads:
                    self._places.setdefault(piece, []).append(at)

    def span_at(self, start: int, end: int) -> Span:
        """Return the span `[start, end)` with its occurrence index; raises ValueError as `span_at` does."""
        if not 0 <= start < end <= len(self._text):
            return span_at(self._text, start, end)
        quote = self._text[start:end]
        # Counting continues from the last count of the same quote, so ten thousand equal sentences take one pass.
        count, at = self._counted.get(quote, (0, 0))
        if at > start:
            count, at = 0, 0
        places = self._places.get(_head(quote))
        if places is None:
            count += _count_between(self._text, quote, at, start)
        else:
            between = places[bisect_left(places, at) : bisect_left(places, start)]
            count += sum(self._text.startswith(quote, place) for place in between)
        self._counted[quote] = (count, start)
        return Span(start=start, end=end, occurrence=count)


def _head(quote: str) -> str:
    """Return the quote's first characters, enough to distinguish it from most others; "" for a short quote."""
    return next((quote[:length] for length in _HEADS if len(quote) >= length), "")


def _count_between(text: str, quote: str, first: int, end: int) -> int:
    """Count the occurrences of the quote that begin in `[first, end)`."""
    count, at = 0, text.find(quote, first)
    while 0 <= at < end:
        count += 1
        at = text.find(quote, at + 1)
    return count


_SAYS = r"(?:says|states|reads|writes|notes|gives|lists|mentions|specifies|leaves|tells)\b"
_QUOTE = r"“(?P<curly>[^“”]+)”|(?<!\w)\"(?P<straight>[^\"\n]+)\"(?!\w)|«(?P<angled>[^«»]+)»"
# Ends the words of the chunk: the end of the sentence, words of another source, or a denial.
_STEP = re.compile(
    rf"{_QUOTE}|(?P<end>[.!?;](?=\s|$)|\n|\b(?:answer|claim|response|question|not|never|nothing|while|whereas|but|unlike|than"
    r"|rather|instead|contrary|contradict\w*|against)\b)",
    re.IGNORECASE,
)
_ELLIPSIS = re.compile(r"\s*(?:\[?…\]?|\[?\.\.\.\]?)\s*")
_EDGE = " \t\n.,;:!?"

_NOT_QUOTED = "{words} (the judge's words, not the chunk's)"


class Quotation(NamedTuple):
    """Words that a sentence quotes from a chunk; `[start, end)` is their place with the quotation marks."""

    chunk_id: str
    words: str
    start: int
    end: int


def find_quotations(text: str, chunk_ids: Mapping[str, object]) -> list[Quotation]:
    """Return a text's quotes from chunks, in order; `chunk_ids` are the ids of the chunks that it may name."""
    if not chunk_ids or not any(mark in text for mark in '“"«'):
        return []
    ids = "|".join(re.escape(chunk_id) for chunk_id in sorted(chunk_ids, key=len, reverse=True))
    names = re.compile(rf"(?<![\w-])[\[(]?(?P<id>{ids})[\])]?,?\s+(?:\w+\s+)?{_SAYS}")
    leads = list(names.finditer(text))
    # Quotes after the name of another chunk belong to that one.
    starts = [lead.start() for lead in leads]
    return [
        quotation
        for match, end in zip(leads, [*starts[1:], len(text)], strict=False)
        for quotation in _quotations_between(text, match["id"], match.end(), end)
    ]


def stands_in(words: str, text: str) -> bool:
    """Return whether a text has these words; an ellipsis marks a gap.

    Case, whitespace and the punctuation at the ends do not count.
    """
    if words in text:  # nearly always, and a chunk may have a million characters
        return True
    folded = _fold(text)
    pieces = [_fold(piece).strip(_EDGE) for piece in _ELLIPSIS.split(words)]
    return all(piece in folded for piece in pieces)


def without_false_quotations(text: str, chunks: Mapping[str, str]) -> str:
    """Return the text without quotation marks around words that the named chunk does not have.

    They are marked as the judge's own words, because readers trust quoted text. `chunks` are the chunks' texts by id.
    """
    for quotation in reversed(find_quotations(text, chunks)):
        if not stands_in(quotation.words, chunks[quotation.chunk_id]):
            text = text[: quotation.start] + _NOT_QUOTED.format(words=quotation.words) + text[quotation.end :]
    return text


def _quotations_between(text: str, chunk_id: str, at: int, end: int) -> Iterator[Quotation]:
    while (step := _STEP.search(text, at, end)) is not None and step["end"] is None:
        words = step["curly"] or step["straight"] or step["angled"]
        yield Quotation(chunk_id, words, step.start(), step.end())
        at = step.end()


def _fold(text: str) -> str:
    return " ".join(text.casefold().split())
