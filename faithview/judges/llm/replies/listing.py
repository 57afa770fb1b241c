"""A reply that is a list of rulings: those that can be used are kept, and the rest is asked for again."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from faithview.judges.llm.client import Finish, Reply
from faithview.judges.llm.replies.parsing import (
    Unusable,
    out_of_range,
    problems_of,
    read_list_until_cut,
    read_object,
)
from faithview.judges.llm.replies.repairs import Repair, Repairs

_M = TypeVar("_M", bound=BaseModel)
_Item = TypeVar("_Item", bound=BaseModel)


@dataclass(frozen=True, slots=True, kw_only=True)
class Form(Generic[_M, _Item]):
    """What is asked for.

    Attributes:
        schema: the whole reply.
        name: the field with the list.
        item: one item.
        kind: what an item is ("ruling").
        noun: what an item is about ("claim").
        count: how many things items are about; None where the first reply decides.
        number: the field with the number of what it is about; None where the place in the list is its number.
        problems: what is wrong with an item of the right shape; nothing where it can be used.
        missing: what the reply lacks besides; nothing where it can be used.
        listed: the texts of things by number as a list for the model, where it has not seen their numbers.
    """

    schema: type[_M]
    name: str
    item: type[_Item]
    kind: str
    noun: str
    count: int | None
    number: str | None
    problems: Callable[[_Item], Sequence[str]] = lambda _: ()
    missing: Callable[[_M], Sequence[str]] = lambda _: ()
    listed: Callable[[Mapping[int, str]], str] = lambda _: ""


@dataclass(slots=True)
class Taken(Generic[_M, _Item]):
    """What is taken from the replies to one question so far."""

    form: Form[_M, _Item]
    head: _M | None = None
    items: dict[int, _Item] = field(default_factory=dict)
    count: int | None = None
    _listed: dict[int, Mapping[str, Any]] = field(default_factory=dict)  # what was asked for again, by number

    def take(self, reply: Reply, repairs: Repairs) -> tuple[_M, list[_Item]]:
        """Return the reply without its list, and the items in the order of their numbers.

        Raises:
            Unusable: it is not whole yet.
        """
        form = self.form
        count = self.count if self.count is not None else form.count
        if reply.finish is Finish.TRUNCATED and form.number is not None and count is not None:
            self._keep(read_list_until_cut(reply.text, form.name), count, repairs)
            if self.items:
                repairs.note(Repair.CUT_OFF)
        try:
            found = read_object(reply, form.schema.model_fields, repairs, lists=form.name)
        except Unusable as unusable:
            raise self._unusable(unusable.problems, count, {}) from unusable
        raw = found.get(form.name)
        if not isinstance(raw, list):
            raise self._unusable([f"{form.name} is missing"], count, {})
        self._take_head(found, repairs)
        if count is None:
            count = self.count = len(raw)
        problems = self._keep(raw, count, repairs)
        if problems or self.head is None:
            raise self._unusable(problems, count, dict(enumerate(raw, start=1)))
        return self.head, [self.items[number] for number in sorted(self.items)]

    def _take_head(self, found: Mapping[str, Any], repairs: Repairs) -> None:
        if self.head is not None:
            return
        form = self.form
        try:
            head = form.schema.model_validate({**found, form.name: []}, context=repairs)
        except ValidationError as error:
            raise Unusable(problems_of(error)) from error
        missing = form.missing(head) if not found.get(form.name) else ()
        if missing:
            raise Unusable(missing)
        self.head = head

    def _keep(self, raw: Sequence[Any], count: int, repairs: Repairs) -> list[str]:
        """Keep the items that can be used; return what is wrong with the others.

        Raises:
            Unusable: a number is none of those asked for, so the others may be those of their neighbours.
        """
        form = self.form
        good: dict[int, list[_Item]] = {}
        problems: dict[int | None, list[str]] = {}
        for place, item in enumerate(raw, start=1):
            number, parsed, wrong = self._read(item, place, repairs)
            if parsed is not None and number is not None and not wrong:
                good.setdefault(number, []).append(parsed)
            else:
                problems.setdefault(number, []).extend(wrong)
        strangers = out_of_range(form.noun, [*good, *(n for n in problems if n is not None)], count)
        if strangers:
            raise Unusable(strangers)
        for number, versions in good.items():
            if all(version == versions[0] for version in versions):
                self.items.setdefault(number, versions[0])
            else:
                problems.setdefault(number, []).append(
                    f"{form.noun} {number} comes more than once, with different content"
                )
        said = [text for number, texts in problems.items() if number not in self.items for text in texts]
        silent = [n for n in range(1, count + 1) if n not in self.items and n not in problems]
        return said + [f"the {form.kind} for {form.noun} {number} is missing" for number in silent]

    def _read(self, item: Any, place: int, repairs: Repairs) -> tuple[int | None, _Item | None, list[str]]:
        """Return an item's number, the item if it has the right shape, and what is wrong with it."""
        form = self.form
        own = Repairs()
        number = self._place(place, item) if form.number is None else None
        try:
            parsed = form.item.model_validate(item, context=own)
        except ValidationError as error:
            if number is None and isinstance(item, Mapping) and isinstance(item.get(form.number), int):
                number = item[form.number]
            at = f"{form.name}.{place - 1}." if number is None else f"{form.noun} {number}: "
            return number, None, problems_of(error, at=at)
        if form.number is not None:
            number = int(getattr(parsed, form.number))
        wrong = [f"{form.noun} {number} {text}" for text in form.problems(parsed)]
        if not wrong:
            repairs.add(own)
        return number, parsed, wrong

    def _place(self, place: int, item: object) -> int:
        """Return which thing an item without a number is about: after a second question the one with its words."""
        if not self._listed:
            return place
        words = _text_of(item)
        return next((number for number, listed in self._listed.items() if words and _text_of(listed) == words), 0)

    def _unusable(self, problems: Sequence[str], count: int | None, raw: Mapping[int, Any]) -> Unusable:
        form = self.form
        if not self.items or count is None:
            self._forget()
            return Unusable(problems)
        lacking = [number for number in range(1, count + 1) if number not in self.items]
        nouns = form.noun if len(lacking) == 1 else f"{form.noun}s"
        rest = (
            f"Reply in the same form again, with the {form.kind} for {nouns} {_words(lacking)} alone. "
            f"The {form.kind}s for the other {form.noun}s are kept."
        )
        if form.number is None:
            known = self._listed or raw
            self._listed = {number: known[number] for number in lacking if _text_of(known.get(number))}
            if len(self._listed) < len(lacking):
                self._forget()
                return Unusable(problems)
            rest += form.listed({number: str(item["text"]) for number, item in self._listed.items()})
        return Unusable(problems, rest=rest)

    def _forget(self) -> None:
        """Begin anew: nothing of the replies so far can be used."""
        self.items.clear()
        self._listed.clear()
        self.count = self.head = None


def _text_of(item: object) -> str:
    text = item.get("text") if isinstance(item, Mapping) else None
    return " ".join(text.casefold().split()) if isinstance(text, str) else ""


def _words(numbers: Sequence[int]) -> str:
    texts = [str(number) for number in numbers]
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"
