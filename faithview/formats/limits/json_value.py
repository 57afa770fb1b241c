"""JSON values from their text, of a depth that everything behind them can walk through."""

import json
import re
from collections.abc import Iterator

from faithview.formats.limits.ceilings import current, hint

# Strings, so that brackets in them do not count, and brackets.
_MARK = re.compile(r'"(?:[^"\\]++|\\.)*+"|[\[\]{}]', re.DOTALL)
# How much deeper a whole document may be than a row in it.
_ABOVE_A_ROW = 10
# Python refuses to read longer whole numbers; they stay texts.
_MOST_DIGITS = 4_000
_TOO_DEEP = "it nests more than {:,} levels deep"


def load_json(text: str | bytes) -> object:
    """Return the value of a JSON text; a whole number of thousands of digits is a text.

    Raises:
        json.JSONDecodeError: the text is no JSON; it says where.
        ValueError: the bytes are no text, the value nests too deep, or there are more values than allowed.
    """
    try:
        value = _loads(text)
    except RecursionError as error:
        raise ValueError(_TOO_DEEP.format(current().levels)) from error
    check_levels(value)
    return value


def load_document(text: str) -> object:
    """Return the value of a JSON text with rows somewhere in it. What nests too deep is emptied.

    A row with such a part still nests deeper than a row may, so it is refused, and the others are not.

    Raises:
        json.JSONDecodeError: the text is no JSON; it says where.
        ValueError: it holds more values than allowed.
    """
    limits = current()
    try:
        value = _loads(text)
        if not limits.are_levels_too_many(value):
            return value
    except RecursionError:
        pass
    return _loads("".join(_shallow(text, limits.levels + _ABOVE_A_ROW)))


def find_end(text: str, start: int) -> int | None:
    """Return where the JSON list or object ends that begins at `start`; None where the text ends before it."""
    level = 0
    for mark in _MARK.finditer(text, start):
        if mark[0] in ("[", "{"):
            level += 1
        elif mark[0] in ("]", "}"):
            level -= 1
            if level == 0:
                return mark.end()
    return None


def check_levels(value: object) -> None:
    """Raise ValueError for a value that nests too deep."""
    limits = current()
    if limits.are_levels_too_many(value):
        raise ValueError(_TOO_DEEP.format(limits.levels))


def load_item(text: str, start: int) -> tuple[object, int]:
    """Return the item of a list that begins at `start`, and where it ends.

    Raises:
        json.JSONDecodeError: there is no whole JSON value; it says where.
        ValueError: the value nests too deep to be read, or there are more values than allowed.
    """
    limits = current()
    if len(text) - start > limits.values // 10 and text[start] in "[{":
        # Only the item is counted, and all there is of one that goes on behind this part of the file.
        end = find_end(text, start)
        is_too_much = limits.are_values_too_many(text[start:end])
    else:
        is_too_much = False
    if is_too_much:
        raise ValueError(f"it holds more than {limits.values:,} values; {hint('values')}")
    try:
        return _DECODER.raw_decode(text, start)
    except json.JSONDecodeError:
        raise
    except ValueError:
        return _LONG_NUMBERS.raw_decode(text, start)
    except RecursionError as error:
        raise ValueError(_TOO_DEEP.format(current().levels)) from error


def _loads(text: str | bytes) -> object:
    limits = current()
    if limits.are_values_too_many(text):
        raise ValueError(f"it holds more than {limits.values:,} values; {hint('values')}")
    try:
        value: object = json.loads(text)
    except (json.JSONDecodeError, UnicodeDecodeError):
        raise
    except ValueError:
        value = json.loads(text, parse_int=_whole_number)
    return value


def _whole_number(digits: str) -> int | str:
    return int(digits) if len(digits) < _MOST_DIGITS else digits


def _shallow(text: str, levels: int) -> Iterator[str]:
    """Yield the parts of a JSON text, without what is in lists and objects deeper than so many levels."""
    level = 0
    kept_to = 0
    for mark in _MARK.finditer(text):
        if mark[0] in ("[", "{"):
            level += 1
            if level == levels + 1:
                yield text[kept_to : mark.end()]
        elif mark[0] in ("]", "}"):
            if level == levels + 1:
                kept_to = mark.start()
            level -= 1
    yield text[kept_to:]


_DECODER = json.JSONDecoder()
_LONG_NUMBERS = json.JSONDecoder(parse_int=_whole_number)
