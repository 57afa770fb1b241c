"""What a model's way to write a value is read as: other case, numbers as text, "none" for nothing.

Only the way of writing is free. A word that is none of the known ones, a number out of bounds or an empty text stays
what it is and is refused.
"""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from pydantic import BeforeValidator, ValidationInfo

from faithview.judges.llm.replies.repairs import Repair, Repairs

_NOTHING = frozenset({"", "none", "null", "nil", "n/a", "na", "not applicable", "-", "\u2013", "\u2014"})
_TRUTH = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_NUMBER = re.compile(r"[^\d-]{0,20}(\d{1,6})(?:\.0+)?\D{0,3}")
_SHARE = re.compile(r"([01]?[.,]\d+|[01]|\d{1,3}(?:\.\d+)?\s*%)")


def is_nothing(text: str) -> bool:
    """Return whether a text is a word for no value: "none", "n/a"."""
    return text.strip().casefold() in _NOTHING


def note(info: ValidationInfo, repair: Repair) -> None:
    """Count a repair in the validation's context, if it has a counter."""
    if isinstance(info.context, Repairs):
        info.context.note(repair)


def one_of(kind: type[StrEnum], also: Mapping[str, StrEnum] | None = None) -> BeforeValidator:
    """Read a word of a closed list, in any case and with spaces or hyphens; `also` are other words by member."""
    words = {_folded(member.value): member for member in kind} | dict(also or {})

    def read(value: Any, info: ValidationInfo) -> Any:
        if not isinstance(value, str):
            return value
        member = words.get(_folded(value))
        if member is not None and member.value != value:
            note(info, Repair.VALUE)
        return value if member is None else member

    return BeforeValidator(read)


def one_of_or_none(kind: type[StrEnum]) -> BeforeValidator:
    """Read a word of a closed list that decides nothing: what cannot be read is None."""
    words = {_folded(member.value): member for member in kind}

    def read(value: Any, info: ValidationInfo) -> Any:
        member = words.get(_folded(value)) if isinstance(value, str) else None
        if value is not None and (member is None or member.value != value):
            is_known = member is not None or (isinstance(value, str) and is_nothing(value))
            note(info, Repair.VALUE if is_known else Repair.LEFT_OUT)
        return member

    return BeforeValidator(read)


def _read_number(value: Any, info: ValidationInfo) -> Any:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    elif isinstance(value, str) and (match := _NUMBER.fullmatch(value.strip())):
        value = int(match[1])
    else:
        return value
    note(info, Repair.VALUE)
    return value


def _read_share(value: Any, info: ValidationInfo) -> Any:
    if isinstance(value, str) and (match := _SHARE.fullmatch(value.strip())):
        note(info, Repair.VALUE)
        text = match[1].replace(",", ".")
        return float(text.rstrip("% ")) / 100 if text.endswith("%") else float(text)
    return value


def _read_flag(value: Any, info: ValidationInfo) -> Any:
    truth = None if isinstance(value, bool) else _TRUTH.get(str(value).strip().casefold())
    if truth is None:
        return value
    note(info, Repair.VALUE)
    return truth


def _read_text(value: Any, info: ValidationInfo) -> Any:
    if value is None:
        note(info, Repair.LEFT_OUT)
        return ""
    return value


def _read_text_or_none(value: Any, info: ValidationInfo) -> Any:
    if isinstance(value, str) and is_nothing(value):
        note(info, Repair.VALUE)
        return None
    return value


def _read_list(value: Any, info: ValidationInfo) -> Any:
    if isinstance(value, list) and None not in value:
        return value
    note(info, Repair.VALUE)
    if value is None or (isinstance(value, str) and is_nothing(value)):
        return []
    return [item for item in value if item is not None] if isinstance(value, list) else [value]


def _read_quotes(value: Any, info: ValidationInfo) -> Any:
    """Read a list of quotes; one without words is none, and one without a chunk's number has the number 0."""
    quotes = []
    for item in _read_list(value, info):
        if isinstance(item, str):
            item = {"quote": item}
        if not isinstance(item, dict):
            return value
        words = item.get("quote")
        if words is None or (isinstance(words, str) and not words.strip()):
            note(info, Repair.LEFT_OUT)
            continue
        if item.get("chunk") is None:
            note(info, Repair.LEFT_OUT)
            item = {**item, "chunk": 0}
        quotes.append(item)
    return quotes


NUMBER = BeforeValidator(_read_number)
SHARE = BeforeValidator(_read_share)
FLAG = BeforeValidator(_read_flag)
TEXT = BeforeValidator(_read_text)
TEXT_OR_NONE = BeforeValidator(_read_text_or_none)
LIST = BeforeValidator(_read_list)
QUOTES = BeforeValidator(_read_quotes)


def _folded(word: str) -> str:
    return re.sub(r"[\W_]+", "_", word.casefold()).strip("_")
