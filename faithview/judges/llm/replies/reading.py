"""A reply as the schema's object, or the reasons why it is none, in words for the model that wrote it."""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, TypeVar

import pydantic_core
from pydantic import BaseModel, ValidationError

from faithview.judges.llm.client import Finish, Reply
from faithview.judges.llm.replies.schemas import WrittenAnswer

_M = TypeVar("_M", bound=BaseModel)
_Item = TypeVar("_Item", bound=BaseModel)

CUT_OFF = "the reply was cut off before its end; be briefer, and complete"
_REFUSED = "the request was refused; only a report about the data is asked for, which is never harmful"
# A longer list of problems does not help the model.
_PROBLEMS_TOLD = 12

# Reasoning before the reply. Its beginning is missing where it is a part of the model's prompt, and the channels are
# those of models whose server does not take them apart.
_TAGS = "think|thinking|thought|thoughts|reasoning|reflection|analysis|scratchpad"
_REASONING = re.compile(rf"\s*<({_TAGS})\b[^>]*>.*?(</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_END_OF_REASONING = re.compile(rf"</(?:{_TAGS})>|<\|channel\|>final<\|message\|>", re.IGNORECASE)
_INVISIBLE = "\ufeff\u200b\u200c\u200d\u2060 \t\r\n"
# An object, and no brace in prose.
_OBJECT = re.compile(r'\{\s*["}]')
_FENCE = re.compile(r"```[\w-]*\n(.*?)\n?```", re.DOTALL)


class Repair(StrEnum):
    """One kind of repair, in the words of a warning."""

    FORM = "a reply was not exactly in the requested form"
    OTHER_CHUNK = "a quote is in another chunk than the one named"
    NO_CHUNK = "a quote from a chunk that does not exist was removed"
    NO_CLAIM = "a statement about the chunks or the answer was listed as a claim"
    ASKED_AGAIN = "a reply was requested again"


Repairs = Counter[Repair]


class Unusable(Exception):
    """A reply cannot be used; `problems` say why, in words for the model that wrote it."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = list(dict.fromkeys(problems))[:_PROBLEMS_TOLD]
        super().__init__("; ".join(self.problems))


@dataclass(slots=True)
class Found(Generic[_M]):
    """A reply as an object. `is_cut`: only the items before the end of a cut-off list are there."""

    value: _M
    is_cut: bool = False
    is_exact: bool = True


def read_reply(reply: Reply, schema: type[_M]) -> Found[_M]:
    """Return the one JSON object of a reply, without reasoning, code fences and prose around it.

    Raises:
        Unusable: the model refused, or the text has no such object, or several that differ.
    """
    if reply.finish is Finish.REFUSED:
        raise Unusable([_REFUSED])
    text = without_reasoning(reply.text)
    if reply.finish is Finish.TRUNCATED:
        return Found(_validated(_whole_items(text, schema), schema), is_cut=True)
    document = _plain_answer(text) if schema is WrittenAnswer else None
    value = _validated(document or _find_object(text, schema), schema)
    try:
        is_exact = json.loads(reply.text) == value.model_dump(mode="json")
    except (ValueError, RecursionError):
        is_exact = False
    return Found(value, is_exact=is_exact)


def without_reasoning(text: str) -> str:
    """Return the text after the model's reasoning; "" for a text that ends within it."""
    text = text.strip(_INVISIBLE)
    while (match := _REASONING.match(text)) is not None:
        text = text[match.end() :].lstrip()
    # An end without a beginning, unless it is in the reply itself.
    end = _END_OF_REASONING.search(text)
    return text if end is None or text.lstrip("`json \n\t").startswith("{") else text[end.end() :].lstrip()


def _plain_answer(text: str) -> dict[str, Any] | None:
    """Return an answer that a model gives in plain text where an object was asked for; None for a broken object."""
    bare = fenced[1] if (fenced := _FENCE.fullmatch(text)) else text
    return None if not bare or _OBJECT.match(bare) or '"answer":' in bare else {"answer": bare.strip()}


def _find_object(text: str, schema: type[BaseModel]) -> dict[str, Any]:
    """Return the object that has a field of the schema.

    Nothing inside a broken object is looked at: it may be what the model quotes from a hostile text.
    """
    decoder = json.JSONDecoder(strict=False)
    found: list[dict[str, Any]] = []
    at = 0
    while (start := _OBJECT.search(text, at)) is not None:
        try:
            value, at = decoder.raw_decode(text, start.start())
        except json.JSONDecodeError as error:
            raise Unusable([f"Invalid JSON: {error.msg} at character {error.pos - start.start()}"]) from error
        except RecursionError:
            raise Unusable(["the reply nests too deep"]) from None
        if schema.model_fields.keys() & value.keys() and value not in found:
            found.append(value)
    if len(found) > 1:
        raise Unusable([f"the reply has {len(found)} JSON objects that differ; reply with one"])
    if not found:
        fields = " and ".join(f"`{name}`" for name in schema.model_fields)
        raise Unusable([f"the reply has no JSON object with {fields}" if text else "the reply was empty"])
    return found[0]


def _whole_items(text: str, schema: type[BaseModel]) -> dict[str, Any]:
    """Return the list in a document that was cut off, without its last item, which may not be whole."""
    name = next(iter(schema.model_fields))
    start = _OBJECT.search(text)
    try:
        document = pydantic_core.from_json(text[start.start() :], allow_partial=True) if start else {}
    except ValueError:
        document = {}
    items = document.get(name)
    if not isinstance(items, list) or len(items) < 2:
        raise Unusable([CUT_OFF])
    return {name: items[:-1]}


def _validated(document: Mapping[str, Any], schema: type[_M]) -> _M:
    try:
        return schema.model_validate(document)
    except ValidationError as error:
        raise Unusable([_problem(item) for item in error.errors(include_url=False, include_input=False)]) from error


def _problem(item: Mapping[str, Any]) -> str:
    """Return what is wrong with a value; the value itself is not repeated, as it may be hostile."""
    where = ".".join(str(part) for part in item["loc"]) or "the reply"
    if item["type"] == "missing":
        return f"{where} is missing"
    if item["type"] == "enum":
        return f"{where} must be one of {item['ctx']['expected']}"
    return f"{where}: {item['msg'].removeprefix('Value error, ')}"


def by_number(items: Sequence[_Item], noun: str, count: int, *, is_cut: bool = False) -> dict[int, _Item]:
    """Return the items about things 1 to `count` by their numbers, which are in the field `noun`.

    Raises:
        Unusable: one is missing (unless the list `is_cut`), is about nothing that was asked, or comes twice.
    """
    found: dict[int, _Item] = {}
    problems = []
    for item in items:
        number = getattr(item, noun)
        if not 1 <= number <= count:
            problems.append(f"there is no {noun} {number}: the last is {count}")
        elif found.setdefault(number, item) != item:
            problems.append(f"{noun} {number} comes more than once, with different content")
    if not is_cut:
        missing = [number for number in range(1, count + 1) if number not in found]
        problems += [f"{noun} {number} is missing" for number in missing]
    if problems:
        raise Unusable(problems)
    return dict(sorted(found.items()))
