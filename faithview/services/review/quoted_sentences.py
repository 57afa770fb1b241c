"""The whole sentences around a quote: a judge may quote a few words, which say little by themselves."""

from faithview.domain.spans import Span
from faithview.judges.text.sentences import split_sentences_quickly

# In a longer line the quote is shown alone: splitting a whole book takes too long.
_LONGEST = 20_000


def sentences_around(text: str, span: Span) -> Span:
    """Return the span of the sentences that a quote touches, within its lines; the quote itself in a very long line."""
    first = text.rfind("\n", 0, span.start) + 1
    last = text.find("\n", span.end)
    last = len(text) if last < 0 else last
    if last - first > _LONGEST:
        return span
    sentences = split_sentences_quickly(text, first, last)
    touched = [(start, end) for start, end in sentences if start < span.end and span.start < end]
    if not touched:
        return span
    return Span(start=min(span.start, touched[0][0]), end=max(span.end, touched[-1][1]))
