"""Which items of a list without numbers are those of an earlier list, of which a model was asked for some again."""

from collections import Counter, deque
from collections.abc import Mapping, Sequence
from typing import Any

_QUOTE = "quote"


def number_items(
    raw: Sequence[Any], known: Mapping[int, Any], *, lacking: Sequence[int], text: str, is_open: bool
) -> list[int]:
    """Return the number of each item in a reply; 0 for one that is about something else.

    An item is the one with the same text, or the one of those that are lacking with the same quote. A list as long as
    the earlier one is that list again: what its other items are about follows from their places.

    Args:
        raw: the items of the reply.
        known: the items of earlier replies by number; empty before there is one.
        lacking: the numbers of those that are asked for.
        text: the field with an item's text.
        is_open: whether the earlier list was cut off, so other items are new ones.
    """
    if not known:
        return list(range(1, len(raw) + 1))
    numbers = _by_text(raw, known, lacking, text)
    if is_open:
        new = iter(range(len(known) + 1, len(known) + len(raw) + 1))
        return [number or next(new) for number in numbers]
    if len(raw) == len(known):
        return [number or (place if place not in numbers else 0) for place, number in enumerate(numbers, start=1)]
    return _by_quote(raw, numbers, {n: known[n] for n in lacking if n not in numbers})


def text_of(item: object, field: str) -> str:
    """Return the text in a field in the form in which texts are compared; "" where there is none."""
    text = item.get(field) if isinstance(item, Mapping) else None
    return " ".join(text.casefold().split()) if isinstance(text, str) else ""


def _by_text(raw: Sequence[Any], known: Mapping[int, Any], lacking: Sequence[int], field: str) -> list[int]:
    """Match items by their texts; of equal texts, those that are lacking come first unless all of them came."""
    times = Counter(text_of(item, field) for item in raw)
    same: dict[str, list[int]] = {}
    for number, item in known.items():
        if words := text_of(item, field):
            same.setdefault(words, []).append(number)
    queues = {
        words: deque(found if times[words] >= len(found) else sorted(found, key=lambda n: n not in lacking))
        for words, found in same.items()
    }
    queued = [queues.get(text_of(item, field)) for item in raw]
    return [queue.popleft() if queue else 0 for queue in queued]


def _by_quote(raw: Sequence[Any], numbers: Sequence[int], lacking: Mapping[int, Any]) -> list[int]:
    """Match the items without a number to those that are lacking by their quotes, where only one has the same."""
    found = list(numbers)
    for place, item in enumerate(raw):
        words = text_of(item, _QUOTE)
        same = [n for n, other in lacking.items() if words and n not in found and text_of(other, _QUOTE) == words]
        if not found[place] and len(same) == 1:
            found[place] = same[0]
    return found
