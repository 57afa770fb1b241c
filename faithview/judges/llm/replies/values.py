# ruff: noqa: SIM905 - lists of words are read as words
"""What a model's way to write a value is read as: other case, numbers as text, "none" for nothing, 95 for 0.95.

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
# Around a word of a closed list: "Verdict: supported", "not supported by the chunks".
_AROUND = re.compile(
    r"^(?:verdict|label|the_claim_is|claim_is|it_is|is)_|_claim$"
    r"|_(?:by|in|from|with)_(?:(?:the|any|provided|given|retrieved)_)*"
    r"(?:chunks?|contexts?|sources?|passages?|documents?|texts?|evidence|information)(?:_(?:and_)?\d+)*$"
)
_NUMBER = re.compile(r"[^\d-]{0,20}(\d{1,6})(?:\.0+)?\D{0,3}")
_WRITTEN_NUMBER = re.compile(r"-?(?:\d+(?:[.,]\d+)?|[.,]\d+)")
_PERCENT = re.compile(r"\s*(?:%|per\s?cent\b)", re.IGNORECASE)
_OUT_OF = re.compile(r"\s*(?:/|\bout of\b)\s*", re.IGNORECASE)
# A number above this and up to 100 is a percentage. A smaller one may be on a scale from 1 to 5 or from 1 to 10.
_LEAST_PERCENTAGE = 10

# How probable a verdict is by the words that models have for it, in the form of `_folded`. No word means less than 0.5,
# because a verdict that is less probable would not have been chosen.
_CONFIDENCE_WORDS: Mapping[str, float] = {
    **dict.fromkeys(
        "certain absolutely_certain completely_certain very_certain absolute definite definitely full complete total "
        "sure very_sure absolutely_sure".split(),
        0.99,
    ),
    **dict.fromkeys(
        "very_high extremely_high highest very_strong very_confident extremely_confident very_likely almost_certain "
        "nearly_certain near_certain".split(),
        0.95,
    ),
    **dict.fromkeys("high strong confident highly_confident highly_likely quite_sure".split(), 0.9),
    **dict.fromkeys("medium_high moderately_high fairly_high quite_high fairly_confident likely probable".split(), 0.8),
    **dict.fromkeys("medium moderate mid middle average fair moderately_confident somewhat_confident".split(), 0.7),
    **dict.fromkeys("medium_low moderately_low fairly_low".split(), 0.6),
    **dict.fromkeys(
        "low very_low extremely_low lowest minimal weak uncertain unsure not_sure not_certain not_confident "
        "unlikely guess".split(),
        0.5,
    ),
}
_FILLER = re.compile(r"(?:^|_)(?:confidence|level|is|the|my)(?=_|$)")


def is_nothing(text: str) -> bool:
    """Return whether a text is a word for no value: "none", "n/a"."""
    return text.strip().casefold() in _NOTHING


def note(info: ValidationInfo, repair: Repair) -> None:
    """Count a repair in the validation's context, if it has a counter."""
    if isinstance(info.context, Repairs):
        info.context.note(repair)


def one_of(kind: type[StrEnum], also: Mapping[str, StrEnum] | None = None) -> BeforeValidator:
    """Read a word of a closed list, in any case, with spaces or hyphens, and with words around it that say nothing.

    `also` are other words by member.
    """
    words = dict(also or {}) | {_folded(member.value): member for member in kind}

    def read(value: Any, info: ValidationInfo) -> Any:
        if not isinstance(value, str):
            return value
        folded = _folded(value)
        member = words.get(folded) or words.get(_AROUND.sub("", folded))
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
    share = _share_in(value) if isinstance(value, str) else _as_share(value)
    if share is None or (share == value and not isinstance(value, str)):
        return value
    note(info, Repair.VALUE)
    return share


def _as_share(value: Any) -> float | None:
    """Return a number that can only be a percentage as a share, and any other as it is; None for what is no number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value / 100 if _LEAST_PERCENTAGE < value <= 100 else float(value)


def _share_in(text: str) -> float | None:
    """Return the one share that a text names: "0,95", "about 95 %", "9/10", "High (0.9)"; None if it is not one."""
    numbers = list(_WRITTEN_NUMBER.finditer(text))
    values = [float(number[0].replace(",", ".")) for number in numbers]
    if len(values) == 2 and _OUT_OF.fullmatch(text[numbers[0].end() : numbers[1].start()]) and values[1] >= 1:
        return values[0] / values[1]
    if len(values) != 1:
        return None
    return values[0] / 100 if _PERCENT.match(text, numbers[0].end()) else _as_share(values[0])


def _read_confidence(value: Any, info: ValidationInfo) -> Any:
    if value is None or (isinstance(value, str) and is_nothing(value)):
        note(info, Repair.LEFT_OUT)
        return None
    word = _FILLER.sub("", _folded(value)).strip("_") if isinstance(value, str) else ""
    if word not in _CONFIDENCE_WORDS:
        return _read_share(value, info)
    note(info, Repair.VALUE)
    return _CONFIDENCE_WORDS[word]


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
CONFIDENCE = BeforeValidator(_read_confidence)
FLAG = BeforeValidator(_read_flag)
TEXT = BeforeValidator(_read_text)
TEXT_OR_NONE = BeforeValidator(_read_text_or_none)
LIST = BeforeValidator(_read_list)
QUOTES = BeforeValidator(_read_quotes)


def _folded(word: str) -> str:
    return re.sub(r"[\W_]+", "_", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", word).casefold()).strip("_")
