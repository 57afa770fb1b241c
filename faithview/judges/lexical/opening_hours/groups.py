"""The days and times of a claim, and the rows of them that are about opening hours."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from faithview.judges.lexical.opening_hours.lexer import (
    BEGINS_ITEM,
    ITEM,
    JOINT,
    LINKS,
    OTHERS,
    RANGE_JOINT,
    SAYS_HOURS,
    WORD,
    Days,
    Time,
    day_item,
    time_item,
)
from faithview.judges.text.tokens import Token


@dataclass(frozen=True, slots=True)
class Chain:
    """Items in a row with nothing but words of hours between them, and the gaps before, between and after them."""

    items: Sequence[Days | Time]
    gaps: Sequence[tuple[int, int]]


def find_items(text: str, end: int, tokens: Sequence[Token]) -> list[Days | Time]:
    """Return the days and times among the words of a claim that ends at `end`.

    Ranges and lists of days are one item: "Monday to Thursday, and Sunday", "daily except Monday".
    """
    merged: list[Days | Time] = []
    for item in _items(text, end, tokens):
        last = merged[-1] if merged else None
        joined = _merge(text, last, item) if isinstance(item, Days) and isinstance(last, Days) else None
        if joined is not None:
            merged[-1] = joined
            continue
        merged.append(item)
    return _with_exceptions_first(merged)


def chains_of(text: str, items: Sequence[Days | Time], start: int, end: int) -> Iterator[Chain]:
    """Yield the chains that are about hours."""
    at = 0
    while at < len(items):
        stop = at + 1
        while stop < len(items) and _links(text, items[stop - 1].end, items[stop].start):
            stop += 1
        before = items[at - 1].end if at else start
        after = items[stop].start if stop < len(items) else end
        first = _links_back(text, before, items[at].start)
        gaps = [
            (first, items[at].start),
            *((one.end, other.start) for one, other in zip(items[at:], items[at + 1 : stop], strict=False)),
            (items[stop - 1].end, _links_on(text, items[stop - 1].end, after)),
        ]
        chain = Chain(items=items[at:stop], gaps=gaps)
        if not _is_of_another(text, before, first) and _is_about_hours(text, chain, starts=first == start):
            yield chain
        at = stop


def _items(text: str, end: int, tokens: Sequence[Token]) -> Iterator[Days | Time]:
    at = 0
    for token in tokens:
        lower = token.word.lower.removesuffix("'s").removesuffix("’s")
        if token.start < at or not (lower in BEGINS_ITEM or lower[0].isdigit()):
            continue
        m = ITEM.match(text, token.start, end)
        if m is not None:
            at = m.end()
            yield time_item(m) if m["time"] else day_item(m)


def _with_exceptions_first(items: list[Days | Time]) -> list[Days | Time]:
    """Take "except for Mondays, ..." that stands first from the "daily" after it."""
    for at, (first, item) in enumerate(pairwise(items)):
        if not (isinstance(first, Days) and first.is_except and isinstance(item, Days) and item.is_plain):
            continue
        if first.left_out < item.days:
            items[at + 1] = replace(item.without(first), start=item.start, end=item.end)
    return items


def _merge(text: str, last: Days, item: Days) -> Days | None:
    between = text[last.end : item.start]
    is_between = between.strip().lower() == "and" and text[: last.start].lower().endswith("between ")
    if item.is_except:
        return last.without(item) if not between.strip(" ,(") and last.is_plain else None
    if not item.is_plain:
        return None
    if last.last_day is not None and len(item.days) == 1 and (is_between or RANGE_JOINT.fullmatch(between)):
        return last.up_to(item)
    if JOINT.fullmatch(between) and (last.is_plain or (last.left_out and len(item.days) == 1)):
        return last.joined(item)
    return None


def _is_about_hours(text: str, chain: Chain, *, starts: bool) -> bool:
    if any(SAYS_HOURS.search(text, *gap) for gap in chain.gaps):
        return True
    has_range = sum(isinstance(item, Time) for item in chain.items) >= 2
    return starts and has_range and any(isinstance(item, Days) for item in chain.items)


def _is_link(word: str) -> bool:
    return word.lower() in LINKS or (word[0].isupper() and word.lower() not in OTHERS)


def _links(text: str, start: int, end: int) -> bool:
    return all(_is_link(m[0]) for m in WORD.finditer(text, start, end))


def _links_back(text: str, start: int, end: int) -> int:
    """Return where the words of hours before `end` begin."""
    words = list(WORD.finditer(text, start, end))
    first = end
    for at, m in enumerate(reversed(words)):
        if not _is_link(m[0]):
            return first
        first = m.start() if at < len(words) - 1 else start
    return start


def _links_on(text: str, start: int, end: int) -> int:
    for m in WORD.finditer(text, start, end):
        if not _is_link(m[0]):
            return m.start()
    return end


def _is_of_another(text: str, start: int, first: int) -> bool:
    """Return whether the words before a chain are about the hours of a kitchen, of a happy hour, or about the past."""
    words = [m[0].lower() for m in WORD.finditer(text, start, first)]
    return bool(words) and words[-1] in OTHERS
