"""Shares in words ("three quarters of", "one in four", "by a tenth"), and the limits that a value may be."""

import re

from faithview.judges.lexical.values.model import Bound, Kind, Value
from faithview.judges.text.units import SMALL_NUMBERS

# "Three quarters of the voters" is 75 %; "three quarters of a cup" counts cups.
_SHARE = re.compile(
    r"\b(?P<parts>an?|one|two|three|four|five)[\s-](?P<size>quarter|third|fifth|tenth)s?"
    r"(?=\s+(?:of\s+(?!an?\b)|(?:more|less|fewer|smaller|larger|lower|higher|below|above|cheaper|off)\b))"
    r"|\bby\s+(?P<by_parts>an?|one|two|three|four|five)[\s-](?P<by_size>quarter|third|fifth|tenth)s?\b"
    r"|\b(?P<half>half)(?=\s+(?:of\s+)?(?:the|its|his|her|their|our|your|price|of)\b)"
    r"|\bone\s+in\s+(?P<one_in>two|three|four|five|ten)\b",
    re.IGNORECASE,
)
_SIZES = {"quarter": 4, "third": 3, "fifth": 5, "tenth": 10}
SHARE_WORDS = frozenset({"one", "half", *_SIZES, *(f"{size}s" for size in _SIZES)})

_AT_LEAST = re.compile(
    r"\b(?<!just )(?<!no )(?<!not )(?:over|more than|at least|no fewer than)\s+(?:[€£$]\s?)?\Z", re.IGNORECASE
)
_AT_MOST = re.compile(r"\b(?<!just )(?<!no )(?<!not )(?:under|less than|at most)\s+(?:[€£$]\s?)?\Z", re.IGNORECASE)
_LONGEST_LIMIT = 16


def find_shares(text: str, start: int, stop: int) -> list[Value]:
    """Return the shares of `text[start:stop]` that are written in words, as percentages."""
    shares = []
    for m in _SHARE.finditer(text, start, stop):
        many, size = (m["parts"] or m["by_parts"] or "a").lower(), (m["size"] or m["by_size"] or "").lower()
        parts = SMALL_NUMBERS[m["one_in"].lower()] if m["one_in"] else _SIZES.get(size, 2)
        number = 100 * SMALL_NUMBERS.get(many, 1.0) / parts
        # 33 % is a third for a writer.
        is_rough = not number.is_integer()
        shares.append(
            Value(
                kind=Kind.QUANTITY,
                start=m.start("by_parts") if m["by_parts"] else m.start(),
                end=m.end(),
                number=number,
                unit="percent",
                is_rough=is_rough,
                bound=bound_before(text, m.start()),
            )
        )
    return shares


def bound_before(text: str, first: int) -> Bound:
    """Return whether the value at `first` is a limit that writers round to: "over 20", "under 30 minutes"."""
    since = max(0, first - _LONGEST_LIMIT)
    if _AT_LEAST.search(text, since, first):
        return Bound.AT_LEAST
    return Bound.AT_MOST if _AT_MOST.search(text, since, first) else Bound.NONE
