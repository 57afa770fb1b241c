"""Words that can be taken out of a sentence alone: an element of a list ("A, B and C"), and what is in brackets."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from faithview.domain.claim import Claim, Mismatch
from faithview.judges.text.lexicon import FUNCTION_WORDS, word_set
from faithview.judges.text.sentences import Range
from faithview.judges.text.tokens import tokenize

_BEFORE = re.compile(r"(?P<comma>,)?\s(?P<word>(?:and|or)\s)?\Z")
_AFTER = re.compile(r"(?P<comma>,\s?)?(?P<word>\s?(?:and|or)\s)?")
_LONGEST_SEPARATOR = 6
_MOST_WORDS = 3

# "between A and B", "both A and B", "A rather than B": such a list needs all its elements.
_NEEDS_ALL = word_set("between both either neither from whether than")


class Cut(NamedTuple):
    """`[start, end)` of the answer becomes `text`."""

    start: int
    end: int
    text: str = ""


def take_out(answer: str, claim: Claim) -> tuple[Cut, ...]:
    """Return how to take the words that no chunk has out of a claim that is partly supported; none if not cleanly.

    Clean are one element of a list whose other elements look alike, and one pair of brackets with all the words.
    """
    faults = claim.mismatches
    if not faults or any(fault.chunk_id is not None for fault in faults):
        return ()
    span = next((s for s in claim.spans if all(s.start <= f.start and f.end <= s.end for f in faults)), None)
    if span is None:
        return ()
    within = (span.start, span.end)
    return _brackets(answer, within, faults) or (_element(answer, within, faults[0]) if len(faults) == 1 else ())


def _brackets(answer: str, within: Range, faults: Sequence[Mismatch]) -> tuple[Cut, ...]:
    for match in re.finditer(r"[ \t]\([^()\n]*\)", answer[slice(*within)]):
        start, end = within[0] + match.start(), within[0] + match.end()
        if all(start < fault.start and fault.end < end for fault in faults):
            return (Cut(start, end),)
    return ()


def _element(answer: str, within: Range, fault: Mismatch) -> tuple[Cut, ...]:
    start, end = fault.start, fault.end
    before = _BEFORE.search(answer, max(within[0], start - _LONGEST_SEPARATOR), start)
    after = _AFTER.match(answer, end, within[1])
    if before is None or after is None or not _looks_like_element(answer[start:end]):
        return ()
    if before["word"]:
        return _last(answer, within, fault, Cut(before.start(), end), before["word"])
    if before["comma"] and after["word"]:
        # "A, B and C" without B; after two elements no comma stays: "A, B, and C" becomes "A and C".
        has_more = _comma_before(answer, within[0], before.start(), answer[start:end]) is not None
        stop = end + 1 if after["comma"] and not has_more else end
        return (Cut(before.start(), stop),)
    if before["comma"] and after["comma"]:
        return (Cut(before.start(), end),)
    return ()


def _last(answer: str, within: Range, fault: Mismatch, cut: Cut, word: str) -> tuple[Cut, ...]:
    """Return how to take out the element after "and", which then stands before the one that becomes the last."""
    if answer[fault.end : fault.end + 1] not in ("", ".", ",", ";", ")", "!", "\n") and fault.end < within[1]:
        return ()  # "A and B are": the verb is for two
    alike = answer[fault.start : fault.end]
    comma = _comma_before(answer, within[0], cut.start, alike)
    if comma is not None:
        second = _comma_before(answer, within[0], comma, alike)
        is_oxford = answer[cut.start] == "," and second is not None
        return Cut(comma, comma + 2, f", {word}" if is_oxford else f" {word}"), cut
    words = tokenize(answer, within[0], fault.start)
    if "," in answer[within[0] : cut.start] or any(token.word.lower in _NEEDS_ALL for token in words):
        return ()
    return (cut,)


def _comma_before(answer: str, start: int, end: int, alike: str) -> int | None:
    """Return where the comma before the element that ends here is; None where what ends here is no element."""
    at = answer.rfind(", ", start, end)
    if at < 0:
        return None
    element = answer[at + 2 : end].rstrip(", ")
    is_alike = _looks_like_element(element) and element[:1].isupper() == alike[:1].isupper()
    return at if is_alike else None


def _looks_like_element(text: str) -> bool:
    tokens = tokenize(text)
    if not 1 <= len(tokens) <= _MOST_WORDS or any(token.word.lower in FUNCTION_WORDS for token in tokens):
        return False
    is_small = len(tokens) == 1
    return is_small or all(text[token.start].isupper() or text[token.start].isdigit() for token in tokens)
