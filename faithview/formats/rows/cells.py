"""What one cell holds: whether anything, as text, as a JSON value."""

import base64
import json
import math
from collections.abc import Iterable, Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal

from faithview.domain.sample import Json

_TEXT_KEYS = ("content", "text", "answer", "response", "output", "value")
_HUMAN_ROLES = ("human", "user")


class BadCell(ValueError):
    """A cell whose value cannot stand for what its column is mapped to; the text says why."""


def is_missing(value: object) -> bool:
    """Return whether a cell holds nothing: None, NaN, NaT, or a string of white space."""
    if value is None:
        return True
    if isinstance(value, str):
        return not value or value.isspace()
    if isinstance(value, float):
        return math.isnan(value)
    # NaT and NaN of numpy and pandas differ from themselves and need no import to be seen; an array answers with an
    # array, which is no bool.
    return (value != value) is True


def as_text(value: object, *, what: str) -> str | None:
    """Return a cell as text, None where it holds nothing.

    A whole float is written without its fraction (spreadsheets keep ids as floats); a message, that is an object with
    `content` or the like, gives its text.

    Raises:
        BadCell: it holds a list or an object without a text.
    """
    value = _plain(value)
    if is_missing(value):
        return None
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    if isinstance(value, int | float | Decimal | date | time):
        return str(value)
    if isinstance(value, Mapping):
        for key in _TEXT_KEYS:
            if isinstance(value.get(key), str):
                return str(value[key]) or None
        raise BadCell(f"the {what} is an object without a text (keys: {', '.join(map(str, value)) or 'none'})")
    if isinstance(value, list | tuple):
        if len(value) == 1:
            return as_text(value[0], what=what)
        raise BadCell(f"the {what} is a list of {len(value)} items and not one text")
    raise BadCell(f"the {what} is a {type(value).__name__} and not a text")


def as_question(value: object) -> str | None:
    """Return the question of a cell; of a conversation (a list of messages) the last message of the person.

    Raises:
        BadCell: it holds something else than a text or messages.
    """
    value = _plain(value)
    if isinstance(value, list) and len(value) > 1:
        asked = [item for item in value if isinstance(item, Mapping) and _role(item) in _HUMAN_ROLES]
        if asked:
            return as_text(asked[-1], what="question")
    return as_text(value, what="question")


def as_reference(value: object) -> str | None:
    """Return the reference answer of a cell; several acceptable answers are put on lines of their own.

    Raises:
        BadCell: it holds something else than texts.
    """
    value = _plain(value)
    if isinstance(value, list | tuple):
        texts = [as_text(item, what="reference") for item in value]
        return "\n".join(text for text in texts if text is not None) or None
    return as_text(value, what="reference")


def as_json(value: object) -> Json:
    """Return a cell as a value that JSON knows; NaN and NaT become None, nothing else is lost.

    Infinities, and decimals that no float holds exactly, become their text; bytes become text where they are UTF-8
    and base64 otherwise.
    """
    value = _plain(value)
    if value is None or isinstance(value, str | bool | int):
        # Subclasses (enums, numpy strings) are reduced to the plain type that every JSON writer takes.
        return value if value is None or type(value) in (str, bool, int) else _reduced(value)
    if isinstance(value, float):
        if math.isnan(value):
            return None
        return float(value) if math.isfinite(value) else str(float(value))
    if isinstance(value, Mapping):
        return {str(key): as_json(item) for key, item in value.items()}
    if isinstance(value, bytes | bytearray | memoryview):
        return _bytes_as_text(bytes(value))
    if isinstance(value, Decimal):
        return _decimal_as_json(value)
    if is_missing(value):
        return None
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, Iterable):
        return [as_json(item) for item in value]
    return str(value)


def json_text(value: object) -> str:
    """Return a value as JSON text in the characters it was written in."""
    return json.dumps(as_json(value), ensure_ascii=False)


def find_unstorable(value: Json) -> str | None:
    """Return what in the value no database or UTF-8 file can hold, in words; None where all of it can be stored."""
    if isinstance(value, str):
        if "\x00" in value:
            return "a NUL character"
        if value.isascii():
            return None
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            return "half a character (a lone surrogate)"
        return None
    if isinstance(value, list):
        return next((found for item in value if (found := find_unstorable(item))), None)
    if isinstance(value, dict):
        return next((found for pair in value.items() for part in pair if (found := find_unstorable(part))), None)
    return None


def _plain(value: object) -> object:
    """Turn arrays and scalars of numpy into lists and numbers, without importing numpy."""
    to_list = getattr(value, "tolist", None)
    return to_list() if callable(to_list) and not isinstance(value, memoryview | bytes) else value


def _role(message: Mapping[object, object]) -> str:
    return str(message.get("role") or message.get("type") or "").lower()


def _reduced(value: str | bool | int) -> Json:
    if isinstance(value, str):
        return str.__str__(value)
    return bool(value) if isinstance(value, bool) else int(value)


def _bytes_as_text(value: bytes) -> str:
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return base64.b64encode(value).decode("ascii")


def _decimal_as_json(value: Decimal) -> Json:
    if value.is_nan():
        return None
    if not value.is_finite():
        return str(value)
    if value == value.to_integral_value():
        return int(value)
    return float(value) if Decimal(repr(float(value))) == value else str(value)
