"""The quotes that bear a verdict: sentences of the chunks, cut to the clause where that is enough."""

from typing import NamedTuple

from faithview.domain.sample import Sample
from faithview.domain.spans import Span, span_at
from faithview.judges.lexical.comparison.comparison import Comparison
from faithview.judges.lexical.retrieval.index import Context
from faithview.judges.lexical.retrieval.passage import Passage, Window

# A second place is quoted only where it says nearly as much as the first.
_NEARLY_AS_MUCH = 0.85

_MOST_QUOTES = 3


class Quote(NamedTuple):
    """A piece of a chunk, verbatim."""

    chunk_id: str
    text: str
    span: Span


def collect_quotes(sample: Sample, comparison: Comparison, context: Context) -> tuple[Quote, ...]:
    """Return the quotes that bear on the claim, the most telling first; those against it where there is a conflict."""
    if comparison.conflict is not None:
        passages = [comparison.conflict.passage]
    elif comparison.windows:
        passages = _supporting_passages(comparison, context)
    else:
        passages = []
    quotes = []
    for passage in passages[:_MOST_QUOTES]:
        text = sample.chunks[passage.chunk].text
        span = span_at(text, passage.start, passage.end)
        quotes.append(Quote(chunk_id=sample.chunks[passage.chunk].chunk_id, text=span.of(text), span=span))
    return tuple(quotes)


def _supporting_passages(comparison: Comparison, context: Context) -> list[Passage]:
    best = comparison.windows[0]
    passages = _telling(best, context)
    for window in comparison.windows[1:]:
        is_elsewhere = context.passages[window.first].chunk != context.passages[best.first].chunk
        if is_elsewhere and window.recall >= _NEARLY_AS_MUCH * best.recall:
            passages += _telling(window, context)
    return passages


def _telling(window: Window, context: Context) -> list[Passage]:
    """Return the passages of a window that hold words of the claim which those before them do not, fullest first."""
    passages = [(p, _stems_of_claim(p, window)) for p in context.passages[window.first : window.last + 1]]
    passages.sort(key=lambda item: (-len(item[1]), item[0].start))
    telling, seen = [], set[str]()
    for passage, stems in passages:
        if stems - seen:
            telling.append(passage)
            seen |= stems
    return telling


def _stems_of_claim(passage: Passage, window: Window) -> frozenset[str]:
    return window.stems.intersection([token.word.stem for token in passage.tokens])
