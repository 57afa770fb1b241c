"""What a judge's sentence quotes from a chunk, and whether the words stand there.

A quotation is text in double quotation marks after the name of a chunk and a verb of saying, up to where the sentence
ends or speaks of something else: in "Chunk 2 says “7 days”, the answer “14 days”." only “7 days” is a chunk's.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

_SAYS = r"(?:says|states|reads|writes|notes|gives|lists|mentions|specifies|leaves|tells)\b"
_QUOTE = r"“(?P<curly>[^“”]+)”|(?<!\w)\"(?P<straight>[^\"\n]+)\"(?!\w)|«(?P<angled>[^«»]+)»"
# What ends the words of the chunk: the end of the sentence, somebody else's words, or a denial.
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
    """Return what a text quotes from chunks, in order; `chunk_ids` are the ids of the chunks that it may name."""
    if not chunk_ids or not any(mark in text for mark in '“"«'):
        return []
    ids = "|".join(re.escape(chunk_id) for chunk_id in sorted(chunk_ids, key=len, reverse=True))
    names = re.compile(rf"(?<![\w-])[\[(]?(?P<id>{ids})[\])]?,?\s+(?:\w+\s+)?{_SAYS}")
    leads = list(names.finditer(text))
    # What stands behind the name of another chunk is that one's.
    starts = [lead.start() for lead in leads]
    return [
        quotation
        for match, end in zip(leads, [*starts[1:], len(text)], strict=False)
        for quotation in _quotations_between(text, match["id"], match.end(), end)
    ]


def stands_in(words: str, text: str) -> bool:
    """Return whether a text has these words: in one place, or around each gap that an ellipsis marks.

    Case, white space and the punctuation at the ends do not count.
    """
    if words in text:  # nearly always, and a chunk may have a million characters
        return True
    folded = _fold(text)
    pieces = [_fold(piece).strip(_EDGE) for piece in _ELLIPSIS.split(words)]
    return all(piece in folded for piece in pieces)


def without_false_quotations(text: str, chunks: Mapping[str, str]) -> str:
    """Return the text with the quotation marks taken from words that the named chunk does not have.

    They are marked as the judge's own words: a reader trusts what stands in quotation marks. `chunks` are the chunks'
    texts by id.
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
