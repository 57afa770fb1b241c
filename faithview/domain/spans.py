"""Where a quote stands in a text: spans as code-point offsets with an occurrence index, and their verification."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Span:
    """A half-open range `[start, end)` of Unicode code points; `text[start:end]` is exactly the quoted text.

    `occurrence` counts from 0 which of the (possibly overlapping) occurrences of that quote in the text this one is, so
    that the place can be found again after the text around it has changed.
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
    return Span(start=start, end=end, occurrence=_count_before(text, text[start:end], start))


def find_quote(text: str, quote: str, *, occurrence: int = 0) -> Span | None:
    """Return the span of the quote's n-th occurrence (from 0), or None where the text does not hold it verbatim."""
    if not quote:
        return None
    at = text.find(quote)
    for _ in range(occurrence):
        if at < 0:
            break
        at = text.find(quote, at + 1)
    return None if at < 0 else Span(start=at, end=at + len(quote), occurrence=occurrence)


def is_verbatim(text: str, quote: str, span: Span | None) -> bool:
    """Return whether the quote stands in the text exactly where the span says."""
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


def _count_before(text: str, quote: str, start: int) -> int:
    count, at = 0, text.find(quote)
    while 0 <= at < start:
        count += 1
        at = text.find(quote, at + 1)
    return count
