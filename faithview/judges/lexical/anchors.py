"""Spans with their occurrence index, for many quotes of one text that are asked for in their order."""

from faithview.domain.spans import Span


class Occurrences:
    """Counts the occurrences of quotes in one text.

    Counting goes on from where the last count of the same quote ended, so that a text of one sentence repeated ten
    thousand times is gone through once and not ten thousand times.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._counted: dict[str, tuple[int, int]] = {}

    def span_at(self, start: int, end: int) -> Span:
        """Return the span `[start, end)` of the text with its occurrence index."""
        quote = self._text[start:end]
        count, at = self._counted.get(quote, (0, -1))
        if at > start:
            count, at = 0, -1
        if at == start:
            return Span(start=start, end=end, occurrence=count)
        found = self._text.find(quote, at + 1)
        number = count + 1 if at >= 0 else 0
        while 0 <= found < start:
            found = self._text.find(quote, found + 1)
            number += 1
        self._counted[quote] = (number, start)
        return Span(start=start, end=end, occurrence=number)
