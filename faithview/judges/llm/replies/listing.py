"""A reply that is a list of rulings: those that can be used are kept, and the rest is asked for again.

A model that is asked for the rest may send the whole list again, in other words, or with a new version of a ruling that
was kept. What is kept is not replaced, and each of the others is taken for the one that it is about.

Some flaws are worth one more question and no more: a quote that is missing, or a confidence that cannot be read. A
ruling with such a flaw is used unchanged once the model was told of it.
"""

from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from faithview.judges.llm.client import Finish, Reply
from faithview.judges.llm.replies.find_json import Repair, Repairs
from faithview.judges.llm.replies.parsing import (
    CUT_OFF,
    Unusable,
    out_of_range,
    problems_of,
    read_item,
    read_list_until_cut,
    read_object,
)

_QUOTE = "quote"


def number_items(
    raw: Sequence[Any], known: Mapping[int, Any], *, lacking: Sequence[int], text: str, is_open: bool
) -> list[int]:
    """Return the number of each item in a reply; 0 for one that is about something else.

    An item is the one with the same text, or the one of those that are lacking with the same quote. A list as long as
    the earlier one is that list again: what its other items are about follows from their places.

    Args:
        raw: the items of the reply.
        known: the items of earlier replies by number; empty before there is one.
        lacking: the numbers of those that are asked for.
        text: the field with an item's text.
        is_open: whether the earlier list was cut off, so other items are new ones.
    """
    if not known:
        return list(range(1, len(raw) + 1))
    numbers = _by_text(raw, known, lacking, text)
    if is_open:
        new = iter(range(len(known) + 1, len(known) + len(raw) + 1))
        return [number or next(new) for number in numbers]
    if len(raw) == len(known):
        return [number or (place if place not in numbers else 0) for place, number in enumerate(numbers, start=1)]
    return _by_quote(raw, numbers, {n: known[n] for n in lacking if n not in numbers})


def text_of(item: object, field: str) -> str:
    """Return the text in a field in the form in which texts are compared; "" if there is none."""
    text = item.get(field) if isinstance(item, Mapping) else None
    return " ".join(text.casefold().split()) if isinstance(text, str) else ""


def _by_text(raw: Sequence[Any], known: Mapping[int, Any], lacking: Sequence[int], field: str) -> list[int]:
    """Match items by their texts; of equal texts, those that are lacking come first unless all of them came."""
    times = Counter(text_of(item, field) for item in raw)
    same: dict[str, list[int]] = {}
    for number, item in known.items():
        if words := text_of(item, field):
            same.setdefault(words, []).append(number)
    queues = {
        words: deque(found if times[words] >= len(found) else sorted(found, key=lambda n: n not in lacking))
        for words, found in same.items()
    }
    queued = [queues.get(text_of(item, field)) for item in raw]
    return [queue.popleft() if queue else 0 for queue in queued]


def _by_quote(raw: Sequence[Any], numbers: Sequence[int], lacking: Mapping[int, Any]) -> list[int]:
    """Match the items without a number to those that are lacking by their quotes, where only one has the same."""
    found = list(numbers)
    for place, item in enumerate(raw):
        words = text_of(item, _QUOTE)
        same = [n for n, other in lacking.items() if words and n not in found and text_of(other, _QUOTE) == words]
        if not found[place] and len(same) == 1:
            found[place] = same[0]
    return found


_M = TypeVar("_M", bound=BaseModel)
_Item = TypeVar("_Item", bound=BaseModel)


@dataclass(frozen=True, slots=True, kw_only=True)
class Form(Generic[_M, _Item]):
    """The list that is asked for.

    Attributes:
        schema: the whole reply.
        name: the field with the list.
        item: one item.
        kind: what an item is ("ruling").
        noun: what an item is about ("claim").
        count: how many things the items are about; None if the first reply decides.
        number: the field with the number of what it is about; None if the place in the list is its number.
        text: the field that tells items without a number apart.
        problems: what is wrong with an item of the right shape; nothing where it can be used.
        flaws: what is asked for once more, though an item can be used without it.
        missing: what the reply lacks besides; nothing where it can be used.
        listed: the texts of things by number as a list for the model, where it has not seen their numbers.
        may_be_cut: whether the items of a cut-off reply are used though the model never comes to the end of the list.
    """

    schema: type[_M]
    name: str
    item: type[_Item]
    kind: str
    noun: str
    count: int | None
    number: str | None
    text: str = "text"
    problems: Callable[[_Item], Sequence[str]] = lambda _: ()
    flaws: Callable[[_Item], Sequence[str]] = lambda _: ()
    missing: Callable[[_M], Sequence[str]] = lambda _: ()
    listed: Callable[[Mapping[int, str]], str] = lambda _: ""
    may_be_cut: bool = False


@dataclass(slots=True)
class _Version(Generic[_Item]):
    """One item of a reply, with what is wrong with it; `item` is None if it does not have the right form."""

    number: int | None
    item: _Item | None
    problems: list[str] = field(default_factory=list)
    flaws: list[str] = field(default_factory=list)
    repairs: Repairs = field(default_factory=Repairs)


@dataclass(slots=True)
class Taken(Generic[_M, _Item]):
    """The usable part of the replies to one question so far."""

    form: Form[_M, _Item]
    head: _M | None = None
    items: dict[int, _Item] = field(default_factory=dict)
    _flawed: dict[int, _Version[_Item]] = field(default_factory=dict)
    _told: set[int] = field(default_factory=set)  # the model was told what is wrong with these
    _broken: set[int] = field(default_factory=set)  # a version of these could not be used
    _known: dict[int, Any] = field(default_factory=dict)  # items without a number, as they came first
    _count: int | None = None
    _is_open: bool = False  # the list went on where it was cut off
    _was_cut: bool = False

    def __post_init__(self) -> None:
        """Begin with as many things as the form knows."""
        self._count = self.form.count

    def take(self, reply: Reply, repairs: Repairs) -> tuple[_M, dict[int, _Item]]:
        """Return the reply without its list, and the items by their numbers, in order.

        Raises:
            Unusable: it is not whole yet.
        """
        before = len(self.items) + len(self._flawed)
        problems = self._take_reply(reply, repairs)
        is_further = len(self.items) + len(self._flawed) > before
        self._use_flawed(self._told, repairs)
        if self._is_whole:
            return self._result()
        if reply.finish is Finish.TRUNCATED:
            if is_further:
                repairs.note(Repair.CUT_OFF)
            elif (settled := self.settle(repairs, partly=True)) is not None:
                return settled  # the next reply would be cut off in the same place
        raise self._unusable(problems)

    def settle(self, repairs: Repairs, *, partly: bool) -> tuple[_M, dict[int, _Item]] | None:
        """Return what can be used when nothing more is asked for; None if something that decides is missing.

        With `partly`, the items of cut-off replies are used though others are missing, where the form allows it.
        """
        if self._count is None or not (self.items or self._flawed):
            return None
        lacking = set(self._lacking()) - set(self._flawed)
        if lacking or self._is_open:
            if not (partly and self._was_cut and self.form.may_be_cut) or lacking & self._broken:
                return None
            repairs.is_cut = True
        elif self.head is None and not self._has_default_head:
            return None
        self._use_flawed(set(self._flawed), repairs)
        return self._result()

    @property
    def _is_whole(self) -> bool:
        is_closed = self._count is not None and not self._is_open
        return is_closed and (self.head is not None or self._has_default_head) and not self._lacking()

    @property
    def _has_default_head(self) -> bool:
        return self._was_cut and self.form.may_be_cut

    def _result(self) -> tuple[_M, dict[int, _Item]]:
        head = self.head
        if head is None:  # it comes after the list, and every reply was cut off in the list
            head = self.form.schema.model_validate({self.form.name: []})
        return head, dict(sorted(self.items.items()))

    def _lacking(self) -> list[int]:
        return [number for number in range(1, (self._count or 0) + 1) if number not in self.items]

    def _take_reply(self, reply: Reply, repairs: Repairs) -> list[str]:
        """Keep what can be used of a reply; return what is wrong with the rest."""
        form = self.form
        if reply.finish is Finish.TRUNCATED:
            return self._take_cut(reply, repairs)
        try:
            found = read_object(reply, form.schema.model_fields, repairs, lists=form.name)
        except Unusable as unusable:
            return list(unusable.problems)
        raw = found.get(form.name)
        if not isinstance(raw, list):
            return [f"{form.name} is missing"]
        self._take_head(found, repairs)
        problems = self._keep(raw, repairs)
        self._is_open = False
        return problems

    def _take_cut(self, reply: Reply, repairs: Repairs) -> list[str]:
        raw = read_list_until_cut(reply.text, self.form.name)
        if not raw:
            return [CUT_OFF]
        self._was_cut = True
        if self.form.number is None and not self._known:
            self._is_open = True
        return [*self._keep(raw, repairs), CUT_OFF]

    def _take_head(self, found: Mapping[str, Any], repairs: Repairs) -> None:
        if self.head is not None:
            return
        form = self.form
        try:
            head = form.schema.model_validate({**found, form.name: []}, context=repairs)
        except ValidationError as error:
            raise Unusable(problems_of(error)) from error
        missing = () if found.get(form.name) or self._known else form.missing(head)
        if missing:
            raise Unusable(missing)
        self.head = head

    def _keep(self, raw: Sequence[Any], repairs: Repairs) -> list[str]:
        """Keep the items that can be used; return what is wrong with the others.

        If a number is none of those asked for, nothing is kept: the other numbers may be those of their neighbours.
        """
        form = self.form
        numbers: Sequence[int | None] = self._number(raw) if form.number is None else [None] * len(raw)
        found: dict[int | None, list[_Version[_Item]]] = {}
        for place, (item, number) in enumerate(zip(raw, numbers, strict=True), start=1):
            if number != 0:
                version = self._read_version(item, place, number)
                found.setdefault(version.number, []).append(version)
        count = self._count or 0
        strangers = out_of_range(form.noun, [number for number in found if number is not None], count)
        if strangers:
            return strangers
        said = {number: self._keep_one(number, versions, repairs) for number, versions in found.items()}
        texts = [text for number, problems in said.items() if number not in self.items for text in problems]
        silent = [n for n in self._lacking() if n not in found and n not in self._flawed]
        return texts + [f"the {form.kind} for {form.noun} {number} is missing" for number in silent]

    def _keep_one(self, number: int | None, versions: Sequence[_Version[_Item]], repairs: Repairs) -> list[str]:
        """Keep what can be used of the versions of one item; return what is wrong with them."""
        problems = [problem for version in versions for problem in version.problems]
        usable = [version for version in versions if not version.problems]
        if number is None:
            return problems
        if not usable:
            self._broken.add(number)
            return problems
        first = usable[0]
        if any(version.item != first.item for version in usable):
            return [*problems, f"{self.form.noun} {number} comes more than once, with different content"]
        if number in self.items or first.item is None:
            return problems
        earlier = self._flawed.get(number)
        if not first.flaws:
            self.items[number] = first.item
            self._flawed.pop(number, None)
            repairs.add(first.repairs)
        elif earlier is None or len(first.flaws) < len(earlier.flaws):
            self._flawed[number] = first
        return [*problems, *first.flaws]

    def _use_flawed(self, numbers: set[int], repairs: Repairs) -> None:
        """Use the items with these numbers as they are."""
        for number in sorted(numbers & set(self._flawed)):
            version = self._flawed.pop(number)
            if version.item is not None:
                self.items[number] = version.item
                repairs.add(version.repairs)

    def _read_version(self, item: Any, place: int, number: int | None) -> _Version[_Item]:
        """Return an item with its number, if it has the right shape, and what is wrong with it."""
        form = self.form
        own = Repairs()
        try:
            parsed, flaws = read_item(item, form.item, own)
        except ValidationError as error:
            if number is None and isinstance(item, Mapping) and isinstance(item.get(form.number), int):
                number = item[form.number]
            at = f"{form.name}.{place - 1}." if number is None else f"{form.noun} {number}: "
            return _Version(number, None, problems_of(error, at=at))
        if form.number is not None:
            number = int(getattr(parsed, form.number))
        return _Version(
            number,
            parsed,
            [f"{form.noun} {number} {text}" for text in form.problems(parsed)],
            [f"{form.noun} {number}: {text}" for text in flaws]
            + [f"{form.noun} {number} {text}" for text in form.flaws(parsed)],
            own,
        )

    def _number(self, raw: Sequence[Any]) -> list[int]:
        """Return which thing each item without a number is about: 0 for one that was not asked for."""
        numbers = number_items(raw, self._known, lacking=self._lacking(), text=self.form.text, is_open=self._is_open)
        self._known.update({n: item for n, item in zip(numbers, raw, strict=True) if n and n not in self._known})
        self._count = len(self._known)
        return numbers

    def _unusable(self, problems: Sequence[str]) -> Unusable:
        form = self.form
        if self._count is None or not (self.items or self._flawed):
            self._forget()
            return Unusable(problems)
        lacking = self._lacking()
        rest = (
            f"Reply in the same form again, with {self._wanted(lacking)} alone. "
            f"What you replied for the other {form.noun}s is kept."
        )
        if form.number is None:
            shown = self._known if self._is_open else {number: self._known[number] for number in lacking}
            texts = {number: str(item[form.text]) for number, item in shown.items() if text_of(item, form.text)}
            if len(texts) < len(shown):
                self._forget()
                return Unusable(problems)
            rest += form.listed(texts)
        self._told |= set(self._flawed)
        return Unusable(problems, rest=rest)

    def _wanted(self, lacking: Sequence[int]) -> str:
        form = self.form
        nouns = form.noun if len(lacking) == 1 else f"{form.noun}s"
        wanted = [f"the {form.kind} for {nouns} {_number_words(lacking)}"] if lacking else []
        if self._is_open:
            wanted.append(f"every {form.noun} of the answer that comes after {form.noun} {self._count}")
        return " and ".join(wanted)

    def _forget(self) -> None:
        """Start again: no reply so far can be used."""
        self.items.clear()
        self._flawed.clear()
        self._known.clear()
        self._broken.clear()
        self._told.clear()
        self._is_open = self._was_cut = False
        self._count, self.head = self.form.count, None


def _number_words(numbers: Sequence[int]) -> str:
    texts = [str(number) for number in numbers]
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"
