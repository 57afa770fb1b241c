"""The one JSON object of a reply, and a count of what was repaired on the way to it."""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator
from enum import StrEnum
from typing import Any, NoReturn

from faithview.domain.result import REPAIRED


class Repair(StrEnum):
    """One kind of repair, in the words of a warning."""

    OTHER_TEXT = "text around the JSON object was removed"
    NOTATION = "the JSON object was not valid JSON"
    WRAPPED = "the JSON object was inside another value"
    VALUE = "a value was not in the requested form"
    LEFT_OUT = "a field that decides nothing was left out or could not be read"
    OTHER_CHUNK = "a quote is in another chunk than the one named"
    NO_CHUNK = "a quote from a chunk that does not exist was removed"
    NO_CLAIM = "a statement about the chunks or the answer was listed as a claim"
    CUT_OFF = "a reply was cut off, and the rest was requested"
    ASKED_AGAIN = "a part of a reply was requested again"
    ASKED_ANEW = "a whole reply was requested again"


# The warning on an answer if the model never finished a list.
CUT_SHORT = "The judge's replies were cut off, so a part of the answer was not judged."


# The warning on an answer if the server seems to have left out a part of a question about it.
PROMPT_CUT = (
    "The server counted {tokens:,} tokens in a prompt of {letters:,} letters and digits, so it probably cut the prompt "
    "off: give the model a longer context, and judge the answer again without the verdict cache."
)


class Repairs:
    """Counts the repairs of one answer; `is_cut` says that a part of it was not judged, as replies were cut off.

    `prompt_cut` is the warning that the server probably cut off a prompt about it; None if it did not.
    """

    def __init__(self) -> None:
        self._counts: Counter[Repair] = Counter()
        self.is_cut = False
        self.prompt_cut: str | None = None

    def note(self, repair: Repair, times: int = 1) -> None:
        """Count a repair."""
        self._counts[repair] += times

    def add(self, other: "Repairs") -> None:
        """Count what another counted: the repairs of a reply count once the reply is used."""
        self._counts += other._counts
        self.is_cut = self.is_cut or other.is_cut
        self.prompt_cut = self.prompt_cut or other.prompt_cut

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is missing, then one warning for each kind of repair, in a fixed order, with how often it happened."""
        repaired = tuple(
            f"{REPAIRED}{kind.value}" + (f" ({count} times)" if (count := self._counts[kind]) > 1 else "") + "."
            for kind in Repair
            if self._counts[kind]
        )
        missing = (self.prompt_cut, CUT_SHORT if self.is_cut else None)
        return (*(warning for warning in missing if warning is not None), *repaired)


# Reasoning before the reply. The beginning is missing where it is a part of the model's prompt, and the channels are
# those of models whose server does not take them apart.
_TAGS = "think|thinking|thought|thoughts|reasoning|reflection|analysis|scratchpad"
_REASONING = re.compile(rf"\s*<({_TAGS})\b[^>]*>.*?</\1>", re.DOTALL | re.IGNORECASE)
_OPEN_REASONING = re.compile(rf"\s*<({_TAGS})\b[^>]*>", re.IGNORECASE)
_END_OF_REASONING = re.compile(rf"</(?:{_TAGS})>|<\|channel\|>final<\|message\|>", re.IGNORECASE)

_INVISIBLE = "\ufeff\u200b\u200c\u200d\u2060"
# More than any model writes; and how many characters are looked at for the ends of what turns out to be no object.
_MOST_CHARACTERS = 2_000_000
_MOST_LOOKED_AT = 2_000_000
_DEEPEST = 4  # values inside values: a document as a string in a tool call in a list

# A string, or a character that must not be outside one.
_STRING_OR_FAULT = re.compile(
    r'"(?:[^"\\]|\\.)*"|(?P<comma>,)(?=\s*+(?://[^\n]*+\s*+)*+[}\]])|(?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z))|(?P<word>\b(?:None|True|False)\b)',
    re.DOTALL,
)
_PYTHON = {"None": "null", "True": "true", "False": "false"}
_UNKNOWN_ESCAPE = re.compile(r'\\(?:(["\\/bfnrt]|u[0-9a-fA-F]{4})|(\')|(.))', re.DOTALL)

_FENCED = re.compile(r"(?:```|~~~)[\w-]*\n(.*?)\n?(?:```|~~~)", re.DOTALL)

# Characters after the "{" of an object that are rare after one in prose.
_OBJECT = re.compile(r'\{\s*(?:["}]|//|/\*)')


class NoObject(Exception):
    """A text has no JSON object that could be the reply; the text says why, for the model that wrote it."""


def find_object(text: str, names: Collection[str], repairs: Repairs, *, lists: str | None = None) -> dict[str, Any]:
    """Return the JSON object of a reply.

    Args:
        text: the reply.
        names: the fields that the object may have; an object with none of them is not the reply.
        repairs: counts what had to be done.
        lists: the field that a bare list is the value of; None if a list is not the reply.

    Raises:
        NoObject: there is none, it cannot be read, or there are several that differ.
    """
    if len(text) > _MOST_CHARACTERS:
        raise NoObject(f"the reply has more than {_MOST_CHARACTERS:,} characters")
    try:
        try:
            value: Any = json.loads(text, parse_constant=_refuse_constant)
        except ValueError:
            value = _only(list(_json_values(text, repairs)), names, repairs, lists=lists)
        return _unwrapped(value, names, repairs, lists=lists)
    except RecursionError:
        raise NoObject("the reply nests too deep") from None


def without_reasoning(text: str) -> str:
    """Return the text after the model's reasoning.

    Raises:
        NoObject: the text ends within its reasoning.
    """
    while (match := _REASONING.match(text)) is not None:
        text = text[match.end() :].lstrip()
    if _OPEN_REASONING.match(text):
        raise NoObject("the reply ends within its reasoning; reply with the JSON object at once")
    # An end without a beginning, unless it is in the reply itself.
    end = _END_OF_REASONING.search(text)
    if end is not None and not text.lstrip("`json \n\t").startswith("{"):
        text = text[end.end() :].lstrip()
    return text


def plain_text(text: str, names: Collection[str]) -> str | None:
    """Return what a model says in plain text where an object was asked for; None if the text is JSON, or empty.

    A JSON string is the text in it, and so is the one text of an object with one field of another name. `names` are the
    fields of the object that was asked for: a text with one of them is that object, broken.
    """
    try:
        bare = without_reasoning(text.strip(_INVISIBLE + " \t\r\n"))
    except NoObject:
        return None
    fenced = _FENCED.fullmatch(bare)
    bare = (fenced[1] if fenced else bare).strip()
    try:
        value = json.loads(bare)
    except RecursionError:
        return None
    except ValueError:
        is_broken = _OBJECT.match(bare) or any(re.search(rf'"{re.escape(name)}"\s*:', bare) for name in names)
        return None if is_broken else bare or None
    if isinstance(value, dict) and len(value) == 1:
        value = next(iter(value.values()))
        return value.strip() or None if isinstance(value, str) else None
    if isinstance(value, str):
        return value.strip() or None
    return None if isinstance(value, dict | list) else bare  # "42" is an answer


def _only(values: list[Any], names: Collection[str], repairs: Repairs, *, lists: str | None) -> Any:
    """Return the one value that is the reply; equal ones are one."""
    fitting = [value for value in values if _fits(value, names, lists=lists)]
    if not fitting:
        fields = " and ".join(f"`{name}`" for name in names)
        raise NoObject(
            f"the reply has no JSON object with {fields}" if values else "the reply has no JSON object; Invalid JSON"
        )
    if any(value != fitting[0] for value in fitting):
        raise NoObject(f"the reply has {len(fitting)} JSON objects that differ; reply with one")
    return fitting[0]


def _fits(value: Any, names: Collection[str], *, lists: str | None) -> bool:
    try:
        _unwrapped(value, names, Repairs(), lists=lists)
    except NoObject:
        return False
    return True


def _json_values(text: str, repairs: Repairs) -> Iterator[Any]:
    """Yield the JSON values of a text that has more than one JSON document in it."""
    bare = without_reasoning(text.strip(_INVISIBLE + " \t\r\n"))
    at = end_of_last = looked_through = 0
    has_other_text = bare != text.strip()
    while (start := _next_value(bare, at)) is not None:
        mended, end = _mend(bare, start)
        if mended is None:
            looked_through += end - start
            if looked_through > _MOST_LOOKED_AT:
                raise NoObject("the reply has no JSON object, and many brackets without an end")
            if not _OBJECT.match(bare, start):
                at = start + 1  # a brace or a bracket in prose
                continue
            raise NoObject(_what_is_wrong(bare[start:]))
        value, is_clean = mended
        has_other_text |= bool(bare[end_of_last:start].strip())
        if not is_clean:
            repairs.note(Repair.NOTATION)
        yield value
        at = end_of_last = end
    has_other_text |= bool(bare[end_of_last:].strip())
    if has_other_text and end_of_last:
        repairs.note(Repair.OTHER_TEXT)


def _next_value(text: str, at: int) -> int | None:
    """Return where the next object begins, or a list of objects."""
    match = re.compile(r"\{|\[(?=\s*\{)").search(text, at)
    return None if match is None else match.start()


def _mend(text: str, start: int) -> tuple[tuple[Any, bool] | None, int]:
    """Return the value that begins at `start` and whether it was proper JSON, or None; and how far was looked."""
    decoder = json.JSONDecoder(strict=False, parse_constant=_refuse_constant)
    try:
        value, end = decoder.raw_decode(text, start)
    except ValueError:
        pass
    else:
        return (value, not _has_raw_line_end(text[start:end])), end
    stop = _end_of_value(text, start)
    if stop is None:
        return None, len(text)
    try:
        return (decoder.decode(_STRING_OR_FAULT.sub(_mended, text[start:stop])), False), stop
    except ValueError:
        return None, stop


def _has_raw_line_end(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return True
    return False


def _end_of_value(text: str, start: int) -> int | None:
    """Return the place after the bracket that closes the one at `start`; None if nothing does."""
    depth = 0
    for match in re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?(?:\*/|\Z)|[{}\[\]]', re.DOTALL).finditer(text, start):
        if match[0] in "{[":
            depth += 1
        elif match[0] in "}]":
            depth -= 1
            if depth == 0:
                return match.end()
    return None


def _mended(match: re.Match[str]) -> str:
    if match["comma"] or match["comment"]:
        return ""
    if match["word"]:
        return _PYTHON[match["word"]]
    # \' is what some models write for '; another unknown escape is a backslash of the text itself.
    return _UNKNOWN_ESCAPE.sub(lambda m: m[0] if m[1] else ("'" if m[2] else f"\\\\{m[3]}"), match[0])


def _unwrapped(value: Any, names: Collection[str], repairs: Repairs, *, lists: str | None) -> dict[str, Any]:
    for _ in range(_DEEPEST):
        if isinstance(value, dict) and any(name in value for name in names):
            return value
        inner = _inside(value, names, lists)
        if inner is None:
            break
        repairs.note(Repair.WRAPPED)
        value = inner
    fields = " and ".join(f"`{name}`" for name in names)
    raise NoObject(f"the reply is not a JSON object with {fields}")


def _inside(value: Any, names: Collection[str], lists: str | None) -> Any:
    """Return what a value is a wrapper of; None if it is none."""
    if isinstance(value, str):
        try:
            return json.loads(value, parse_constant=_refuse_constant)
        except ValueError:
            return None
    if isinstance(value, list):
        is_wrapper = len(value) == 1 and (lists is None or any(name in value[0] for name in names))
        if is_wrapper:
            return value[0]
        return {lists: value} if lists is not None and all(isinstance(item, dict) for item in value) else None
    if isinstance(value, dict):
        arguments = value.get("arguments", value.get("parameters"))  # a tool call, written out
        if arguments is not None and set(value) <= {"name", "type", "id", "arguments", "parameters"}:
            return arguments
        return next(iter(value.values())) if len(value) == 1 else None
    return None


def _what_is_wrong(text: str) -> str:
    try:
        json.loads(text.rstrip("`\n "), parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        is_cut = error.pos >= len(text.rstrip("`\n ")) or _end_of_value(text, 0) is None
        kind = "the JSON object has no end" if is_cut else f"near character {error.pos} of the JSON object: {error.msg}"
        return f"Invalid JSON: {kind}"
    except ValueError as error:
        return f"Invalid JSON: {error}"
    return "Invalid JSON"


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")
