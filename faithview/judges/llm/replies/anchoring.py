"""Finds the places of words that a model copied, even if it changed their spelling.

Models change whitespace, capitals, quotation marks and dashes, write "…" for words that they leave out, drop Markdown
marks, escape or unescape JSON, and take the number of the wrong chunk. The place that is returned is always exact, and
words that are nowhere have none: similar words are not used instead.
"""

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import zip_longest

from faithview.domain.claim import Evidence
from faithview.domain.sample import Chunk, Sample
from faithview.domain.spans import Span, find_quote, span_at
from faithview.judges.llm.replies.reading import Repair, Repairs
from faithview.judges.llm.replies.schemas import Quote, is_nothing

# A quote with fewer letters and digits than this is in another chunk by chance.
_LONG_ENOUGH = 12
# A shorter piece next to dots is found anywhere.
_PIECE = 3

_DOTS = re.compile(r"\s*(?:\[\s*(?:…|\.\.\.+)\s*\]|\(\s*(?:…|\.\.\.+)\s*\)|…|\.\.\.+)\s*")

_ALIKE = {
    **dict.fromkeys("'’‘‛`´ʼ", r"\\?['’‘‛`´ʼ]"),
    **dict.fromkeys('"“”„«»', r'\\?["“”„«»]'),
    **dict.fromkeys("-\u2010\u2011–—―−", "[-\u2010\u2011–—―−]"),
    "/": r"\\?/",
    "×": "[×x]",
}

# Characters that models add around a quote or drop at its ends.
_AT_ENDS = " \t\r\n\"“”„«»'’‘`*_.…\\"
# Between words: whitespace, also as an escape of JSON, and marks of Markdown.
_GAP = r"[*_`]*(?:\s|\\[nrt])+[*_`]*"
# Invisible characters, which texts from PDF files and web pages have within words.
_INVISIBLE = "[\u00ad\u200b\u200c\u200d\u2060]*"


def anchor(text: str, quote: str, *, occurrence: int = 1) -> Span | None:
    """Return the place of the quote in the text; None if it is not there, or if several places are possible.

    If the quote occurs only once, a wrong `occurrence` does not matter.
    """
    exact = find_quote(text, quote, occurrence=max(0, occurrence - 1))
    if exact is not None:
        return exact
    for form in _forms(quote):
        places = _places(text, form)
        if len(places) == 1:
            return span_at(text, *places[0])
        if places:
            return span_at(text, *places[occurrence - 1]) if 1 <= occurrence <= len(places) else None
    return None


def anchor_pieces(text: str, quote: str, *, occurrence: int = 1) -> tuple[Span, ...]:
    """Return the place of a quote; for one with "…" for omitted words, the places of its pieces, in order.

    All pieces must be in the text, each after the previous one; otherwise there is no place.
    """
    whole = anchor(text, quote, occurrence=occurrence)
    if whole is not None:
        return (whole,)
    pieces = [piece for piece in _DOTS.split(quote) if sum(c.isalnum() for c in piece) >= _PIECE]
    if len(pieces) < 2 and not _DOTS.search(quote.strip()):
        return ()
    spans: list[Span] = []
    at = 0
    for piece in pieces:
        place = next((p for form in _forms(piece) for p in _places(text, form) if p[0] >= at), None)
        if place is None:
            return ()
        spans.append(span_at(text, *place))
        at = place[1]
    return tuple(spans)


def anchor_claims(answer: str, quotes: Sequence[str], texts: Sequence[str] = ()) -> list[tuple[Span, ...]]:
    """Return the places of the claims' quotes in the answer; equal quotes are its occurrences in their order.

    A claim without a quote is looked for by its text, which may be the answer's words too.
    """
    seen: Counter[str] = Counter()
    found = []
    for quote, text in zip_longest(quotes, texts, fillvalue=""):
        words = quote if quote.strip() else text
        key = " ".join(words.casefold().split())
        seen[key] += 1
        found.append(anchor_pieces(answer, words, occurrence=seen[key]) or anchor_pieces(answer, words))
    return found


def evidence_from(quotes: Sequence[Quote], sample: Sample, repairs: Repairs) -> tuple[Evidence, ...]:
    """Return quotes as evidence, each with its exact place.

    Words that are not in the named chunk but in exactly one other belong to that one. Words that are nowhere keep the
    named chunk and have no place; if that chunk does not exist, they are left out.
    """
    return tuple(dict.fromkeys(quoted for item in quotes for quoted in _quoted(item, sample, repairs)))


def cited_chunks(evidence: Sequence[Evidence]) -> tuple[str, ...]:
    """Return the ids of the quoted chunks, each once, those with a verified quote first."""
    ranked = sorted(evidence, key=lambda item: not item.is_verified)
    return tuple(dict.fromkeys(item.chunk_id for item in ranked))


def _quoted(item: Quote, sample: Sample, repairs: Repairs) -> list[Evidence]:
    named = sample.chunks[item.chunk - 1] if 1 <= item.chunk <= len(sample.chunks) else None
    spans = anchor_pieces(named.text, item.quote) if named is not None else ()
    if named is not None and spans:
        return _evidence(named, spans)
    found = _found_elsewhere(item, sample)
    if found is not None:
        repairs[Repair.OTHER_CHUNK] += 1
        return _evidence(*found)
    if named is None:
        repairs[Repair.NO_CHUNK] += 1
        return []
    if is_nothing(item.quote):  # "none" is a quote only where a chunk has the word
        return []
    return [Evidence(chunk_id=named.chunk_id, quote=item.quote, span=None)]


def _found_elsewhere(item: Quote, sample: Sample) -> tuple[Chunk, tuple[Span, ...]] | None:
    """Return the one other chunk that has the words; None if they are few, or if none or several chunks have them."""
    if sum(c.isalnum() for c in item.quote) < _LONG_ENOUGH:
        return None
    others = [chunk for number, chunk in enumerate(sample.chunks, start=1) if number != item.chunk]
    found = [(chunk, spans) for chunk in others if (spans := anchor_pieces(chunk.text, item.quote))]
    return found[0] if len(found) == 1 else None


def _evidence(chunk: Chunk, spans: Sequence[Span]) -> list[Evidence]:
    return [Evidence(chunk_id=chunk.chunk_id, quote=span.of(chunk.text), span=span) for span in spans]


def _forms(quote: str) -> list[str]:
    """Return the quote as written, and without one level of JSON's escapes if it has any."""
    forms = [quote]
    if "\\" in quote:
        try:
            unescaped = json.loads(f'"{quote}"', strict=False)
        except ValueError:
            unescaped = quote.replace('\\"', '"').replace("\\n", "\n").replace("\\/", "/")
        forms.append(unescaped)
    return forms


def _places(text: str, quote: str) -> list[tuple[int, int]]:
    pattern = _loose_pattern(quote)
    return [match.span() for match in pattern.finditer(text)] if pattern is not None else []


@lru_cache(maxsize=256)
def _loose_pattern(quote: str) -> re.Pattern[str] | None:
    words = re.sub(r"[*`]+", "", quote.strip(_AT_ENDS)).split()
    if not words:
        return None
    core = _GAP.join(_INVISIBLE.join(_fold_character(c) for c in unicodedata.normalize("NFC", word)) for word in words)
    tail = quote.rstrip()[len(quote.rstrip(_AT_ENDS)) :]
    return re.compile(
        core + "".join(f"(?:{_fold_character(c)})?" for c in tail if c.isprintable() and not c.isspace()), re.I
    )


def _fold_character(character: str) -> str:
    known = _ALIKE.get(character)
    if known is not None:
        return known
    if character.isascii():
        return re.escape(character)
    forms = {character, unicodedata.normalize("NFD", character), unicodedata.normalize("NFKC", character)}
    escaped = json.dumps(character)[1:-1]
    return "(?:" + "|".join(re.escape(form) for form in sorted({*forms, escaped})) + ")"
