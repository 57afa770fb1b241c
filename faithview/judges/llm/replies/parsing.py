"""A reply as the schema's object, or the reasons why it is none, in words for the model that wrote it."""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, get_args

import pydantic_core
from pydantic import BaseModel, ValidationError

from faithview.judges.llm.client import Finish, Reply
from faithview.judges.llm.replies.find_json import NoObject, Repairs, find_object, plain_text, without_reasoning
from faithview.judges.llm.replies.schemas import Quote

_M = TypeVar("_M", bound=BaseModel)

# A longer list of problems does not help the model.
_PROBLEMS_TOLD = 12

# The field that a reply can do without.
_CONFIDENCE = "confidence"

# Where a document begins: an object, or a list of objects.
_BEGIN = re.compile(r"\{(?=\s*\")|\[(?=\s*\{)")

_REFUSED = "the request was refused; only a report about the data is asked for, which is never harmful"
CUT_OFF = "the reply was cut off before its end; be briefer, and complete"


class Unusable(Exception):
    """A reply cannot be used, or not all of it.

    `problems` say why, in words for the model that wrote it. `rest` says what to reply with if a part can be used; None
    if nothing can.
    """

    def __init__(self, problems: Sequence[str], *, rest: str | None = None) -> None:
        shown = list(dict.fromkeys(problems))
        super().__init__("; ".join(shown))
        self.problems = tuple(shown[:_PROBLEMS_TOLD])
        self.rest = rest


def read_object(reply: Reply, names: Collection[str], repairs: Repairs, *, lists: str | None = None) -> dict[str, Any]:
    """Return the JSON object of a reply (see `find_object`).

    Raises:
        Unusable: the model refused or was cut off, or the text has no such object.
    """
    if reply.finish is Finish.REFUSED:
        raise Unusable([_REFUSED])
    if reply.finish is Finish.TRUNCATED:
        raise Unusable([CUT_OFF])
    if not reply.text.strip():
        raise Unusable(["the reply was empty"])
    try:
        return find_object(reply.text, names, repairs, lists=lists)
    except NoObject as error:
        raise Unusable([str(error)]) from error


def parse(reply: Reply, schema: type[_M], repairs: Repairs) -> _M:
    """Return the reply as the schema's object.

    Raises:
        Unusable: the model refused or was cut off, or the text has no such object.
    """
    parsed, wanted = parse_once(reply, schema, repairs)
    if wanted:
        raise Unusable(wanted)
    return parsed


def parse_once(reply: Reply, schema: type[_M], repairs: Repairs) -> tuple[_M, list[str]]:
    """Return the reply as the schema's object, and what of it is worth asking for once more (see `read_item`).

    Raises:
        Unusable: the model refused or was cut off, or the text has no such object.
    """
    found = read_object(reply, schema.model_fields, repairs, lists=list_field(schema))
    try:
        return read_item(found, schema, repairs)
    except ValidationError as error:
        raise Unusable(problems_of(error)) from error


def read_item(value: Any, schema: type[_M], repairs: Repairs) -> tuple[_M, list[str]]:
    """Return a value as the schema's object, and what of it is worth asking for once more.

    That is a confidence that cannot be read: it decides nothing, so the object is without one.

    Raises:
        ValidationError: something that decides is missing or cannot be read.
    """
    own = Repairs()
    try:
        parsed = schema.model_validate(value, context=own)
    except ValidationError as error:
        wrong = error.errors(include_url=False, include_input=False)
        if not isinstance(value, dict) or any(item["loc"] != (_CONFIDENCE,) for item in wrong):
            raise
        return schema.model_validate({**value, _CONFIDENCE: None}, context=repairs), problems_of(error)
    repairs.add(own)
    return parsed, []


def read_list_until_cut(text: str, field: str) -> list[Any]:
    """Return the items of a list in a document that was cut off, without the last one, which may not be whole."""
    try:
        text = without_reasoning(text)
    except NoObject:
        return []
    start = _BEGIN.search(text)
    if start is None:
        return []
    try:
        document = pydantic_core.from_json(text[start.start() :], allow_partial=True)
    except ValueError:
        return []
    items = document.get(field) if isinstance(document, dict) else document
    return items[:-1] if isinstance(items, list) else []


def list_field(schema: type[BaseModel]) -> str | None:
    """Return the field whose value a bare list is; None for a reply that is not a list of things."""
    name, field = next(iter(schema.model_fields.items()))
    items = get_args(field.annotation)
    return name if items and issubclass(items[0], BaseModel) and items[0] is not Quote else None


def problems_of(error: ValidationError, *, at: str = "") -> list[str]:
    """Return what is wrong with a value, by field; the value itself is not repeated, as it may be hostile."""
    found = []
    for item in error.errors(include_url=False, include_input=False):
        path = ".".join(str(part) for part in item["loc"])
        where = f"{at}{path}" if path else at.rstrip(".") or "the reply"
        message = item["msg"].removeprefix("Value error, ")
        if item["type"] == "missing":
            found.append(f"{where} is missing")
        elif item["type"] == "enum":
            found.append(f"{where} must be one of {item['ctx']['expected']}")
        else:
            found.append(f"{where}: {message[:1].lower()}{message[1:]}")
    return found


def out_of_range(noun: str, numbers: Iterable[int], expected: int) -> list[str]:
    """Return a sentence for each number that is none of 1..expected."""
    known = f"{noun}s are 1 to {expected}" if expected > 1 else f"{noun} 1 is the only one"
    return [f"there is no {noun} {number}; {known}" for number in sorted(set(numbers)) if not 1 <= number <= expected]


@dataclass(slots=True, kw_only=True)
class TakenObject(Generic[_M]):
    """The usable part of the replies to one question so far.

    `flaws` returns flaws to ask about once more, although the object is usable. `from_text` makes the object
    of a reply that is plain text; None if plain text is not a valid reply.
    """

    schema: type[_M]
    flaws: Callable[[_M], Sequence[str]]
    from_text: Callable[[str], _M] | None = None
    _flawed: _M | None = None
    _repairs: Repairs = field(default_factory=Repairs)

    def take(self, reply: Reply, repairs: Repairs) -> _M:
        """Return the object; the first one with flaws is used where the second has flaws too or cannot be used.

        Raises:
            Unusable: there is none that can be used, or one with flaws for the first time.
        """
        own = Repairs()
        try:
            parsed, wanted = self._parse(reply, own)
        except Unusable:
            if self._flawed is None:
                raise
            return self._use_flawed(self._flawed, repairs)
        flaws = [*wanted, *self.flaws(parsed)]
        if not flaws:
            repairs.add(own)
            return parsed
        if self._flawed is not None:
            return self._use_flawed(self._flawed, repairs)
        self._flawed, self._repairs = parsed, own
        raise Unusable(flaws)

    def settle(self, repairs: Repairs, *, partly: bool) -> _M | None:
        """Return the object with flaws if there is one: nothing more is asked for."""
        del partly  # an object that was cut off cannot be used
        return None if self._flawed is None else self._use_flawed(self._flawed, repairs)

    def _use_flawed(self, flawed: _M, repairs: Repairs) -> _M:
        repairs.add(self._repairs)
        return flawed

    def _parse(self, reply: Reply, repairs: Repairs) -> tuple[_M, list[str]]:
        try:
            return parse_once(reply, self.schema, repairs)
        except Unusable:
            if self.from_text is None or reply.finish is not Finish.COMPLETE:
                raise
            text = plain_text(reply.text, self.schema.model_fields)
            if text is None:
                raise
            return self.from_text(text), []
