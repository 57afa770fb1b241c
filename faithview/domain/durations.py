"""Spans of time as people write them: 90d, 12h, 4w."""

import re

from faithview.domain.errors import InvalidInput

_SPAN = re.compile(r"(\d{1,5}(?:\.\d{1,3})?)\s*([hdw])")
_DAYS = {"h": 1 / 24, "d": 1.0, "w": 7.0}


def parse_days(text: str) -> float:
    """Return how many days a text such as "90d", "12h" or "4w" names; raises InvalidInput for any other text."""
    match = _SPAN.fullmatch(text.strip().lower())
    if match is None:
        raise InvalidInput(f"The time {text!r} cannot be read; write 90d, 12h or 4w.")
    return float(match[1]) * _DAYS[match[2]]
