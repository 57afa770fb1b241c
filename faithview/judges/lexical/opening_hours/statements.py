"""What a claim says of opening hours: which days, which times, open or closed. What is not understood is left out."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from faithview.judges.lexical.opening_hours.groups import Chain, chains_of, find_items
from faithview.judges.lexical.opening_hours.lexer import ALL_DAY, CLOSED, MEALS, OPEN_BEFORE_DAYS, Days, Time
from faithview.judges.text.tokens import Token


class StatementKind(StrEnum):
    """What is said: a time of opening or closing (or either), that it is open or closed, for how many days."""

    OPENS = "opens"
    CLOSES = "closes"
    EITHER = "either"
    OPEN = "open"
    CLOSED = "closed"
    COUNT = "count"
    ALL_DAY = "all day"
    MEAL = "meal"


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One thing said at `[start, end)`, which is right if it is right for one of the `choices` of days.

    `minutes`: the times that the writer may mean, after midnight. `count`: days a week. `meal`: "lunch". `is_only`:
    the days are all those on which it is open, as it is said.
    """

    kind: StatementKind
    start: int
    end: int
    choices: tuple[Days, ...] = ()
    minutes: frozenset[int] = frozenset()
    count: int = 0
    meal: str = ""
    is_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a claim says of hours, in its order, and all days that it names there."""

    statements: tuple[Statement, ...]
    days: tuple[Days, ...]


def read_hours(text: str, start: int, end: int, tokens: Sequence[Token]) -> Reading:
    """Return what `text[start:end]`, whose words are `tokens`, says of opening hours."""
    items = find_items(text, end, tokens)
    statements: list[Statement] = []
    for chain in chains_of(text, items, start, end):
        statements += _times_statements(text, chain)
        statements += _closed_statements(text, chain)
        statements += _open_statements(text, chain)
    whole = ALL_DAY.search(text, start, end)
    if whole:
        statements.append(Statement(kind=StatementKind.ALL_DAY, start=whole.start("what"), end=whole.end("what")))
    named = tuple(item for item in items if isinstance(item, Days))
    return Reading(statements=tuple(sorted(statements, key=lambda s: (s.start, s.end))), days=named)


def _times_statements(text: str, chain: Chain) -> Iterator[Statement]:
    roles = _roles(text, chain)
    for group in _groups(chain, roles):
        choices = _choices(text, chain, group)
        for at in group:
            item, role = chain.items[at], roles[at]
            if isinstance(item, Time) and role is not None:
                yield Statement(kind=role, start=item.start, end=item.end, minutes=item.minutes, choices=choices)


_VERB = re.compile(
    r"(?:\bnot|n['’]t)\s(?:be\s)?open\suntil\b"
    r"|\b(?:(?P<opens>opens?|opening|starts?|starting|begins?|beginning|from|come\sin)"
    r"|(?P<closes>closes?|closing|until|till?|ends?|ending|extend\w*|shuts?|shutting)"
    r"|(?P<between>between)|(?P<closed>closed))\b",
    re.IGNORECASE,
)
_VAGUE = re.compile(
    r"\b(?:around|about|approximately|roughly|nearly|past|after|before|by|near|or|instead|than|early|late|rang\w+|vary\w*|varies|"
    r"depend\w*|never|sometimes)\b",
    re.IGNORECASE,
)
_RANGE_SIGN = re.compile(r"\s*(?:[-–—]|to|until|till|through)\s*(?:about\s)?", re.IGNORECASE)


def _roles(text: str, chain: Chain) -> dict[int, StatementKind | None]:
    """Return what each time of a chain is, None where it is not clear."""
    roles: dict[int, StatementKind | None] = {}
    verb: StatementKind | None = None  # the last one said, for "opens at 9 on Monday and (at) 10 on Sunday"
    is_range = False
    for at, item in enumerate(chain.items):
        gap = text[slice(*chain.gaps[at])]
        own, is_between, is_break = _read_verbs(gap, is_before_time=isinstance(item, Time))
        if own is not None:
            verb, is_range = own, False
        if not isinstance(item, Time):
            continue
        before = chain.items[at - 1] if at else None
        after = text[item.end : item.end + 5].lower()
        if isinstance(before, Time) and (_RANGE_SIGN.fullmatch(gap) or (is_range and gap.strip() == "and")):
            is_said_before = roles.get(at - 1) is None and not is_range
            roles[at - 1] = (
                None if is_said_before and at - 1 in roles and _is_vague(text, chain, at - 1) else StatementKind.OPENS
            )
            roles[at], is_range, verb = StatementKind.CLOSES, True, StatementKind.EITHER
            continue
        is_range = is_between
        if is_between and verb is StatementKind.CLOSES:
            return dict.fromkeys(range(len(chain.items)))
        if is_break or _is_vague(text, chain, at) or after.startswith((" or ", ", or ")):
            roles[at] = None
        else:
            roles[at] = own or verb or StatementKind.EITHER
    return roles


class _Verbs(NamedTuple):
    """What the words before a time or days say: that it opens or closes (the last such word), "between", "closed"."""

    own: StatementKind | None
    is_between: bool
    is_break: bool


def _read_verbs(gap: str, *, is_before_time: bool) -> _Verbs:
    own: StatementKind | None = None
    is_between = is_break = False
    for m in _VERB.finditer(gap):
        kind = m.lastgroup
        if kind == "closed":
            is_break = True
        elif kind == "between":
            is_between = True
        elif kind == "closes":
            own = StatementKind.CLOSES
        elif m[0].lower() != "from" or (own is not StatementKind.CLOSES and is_before_time):
            own = StatementKind.OPENS
    return _Verbs(own, is_between, is_break)


def _is_vague(text: str, chain: Chain, at: int) -> bool:
    return _VAGUE.search(text, *chain.gaps[at]) is not None and "as early as" not in text[slice(*chain.gaps[at])]


def _groups(chain: Chain, roles: dict[int, StatementKind | None]) -> list[list[int]]:
    """Return the times that share their days: those in a row, as long as none of them says the same again."""
    groups: list[list[int]] = []
    for at, item in enumerate(chain.items):
        if not isinstance(item, Time):
            continue
        if groups and groups[-1][-1] == at - 1 and roles[at] not in [roles[other] for other in groups[-1]]:
            groups[-1].append(at)
        else:
            groups.append([at])
    return groups


def _choices(text: str, chain: Chain, group: Sequence[int]) -> tuple[Days, ...]:
    """Return the days that the times may be of: those bound most closely, before or after; none where none stand."""
    first, last = group[0], group[-1]
    choices: list[tuple[int, Days]] = []
    if first > 0:
        days = chain.items[first - 1]
        if isinstance(days, Days):
            gap = text[slice(*chain.gaps[first])]
            if days.left_out and _WHEN.search(gap):
                days = days.only_left_out()
            # "(2 pm on Saturdays) and closes at 11 pm": what stood in brackets is over.
            if not (")" in gap and _PARTS.search(gap)):
                choices.append((_closeness(gap, is_after=False), _own_part(text, chain, first - 1, days)))
    if last + 1 < len(chain.items):
        days = chain.items[last + 1]
        if isinstance(days, Days):
            gap = text[slice(*chain.gaps[last + 1])]
            # "9 pm on Friday and Saturday from noon": one of the days may belong to what follows.
            is_shared = (
                last + 2 < len(chain.items) and _closeness(text[slice(*chain.gaps[last + 2])], is_after=False) > 1
            )
            choices.append((_closeness(gap, is_after=True), days.as_some() if is_shared and days.is_list else days))
    if choices:
        closest = max(closeness for closeness, _ in choices)
        return tuple(days for closeness, days in choices if closeness == closest)
    return ()


def _own_part(text: str, chain: Chain, at: int, days: Days) -> Days:
    """Return the days before a time; only some of them where those that stand first may belong to what is before them.

    "Closed Monday, Tuesday to Friday 9-5" and "9 pm on Thursday, Friday from noon".
    """
    gap = text[slice(*chain.gaps[at])]
    is_timed = at > 0 and isinstance(chain.items[at - 1], Time) and _closeness(gap, is_after=True) > 1
    return days.as_some() if days.is_list and (is_timed or CLOSED.search(gap)) else days


_WHEN = re.compile(r"\bwhen\b|\bwhich\b", re.IGNORECASE)
_PARTS = re.compile(r"\b(?:and|while|but|with|whereas|or|then|however)\b|;", re.IGNORECASE)
_BINDS_AFTER = re.compile(r"[\s(]*(?:on|from|every|each|for|during|over|through|throughout)\b", re.IGNORECASE)


def _closeness(gap: str, *, is_after: bool) -> int:
    """Return how closely a gap binds a time to days, 0 to 3."""
    if _WHEN.search(gap) and not is_after:
        return 3
    if _PARTS.search(gap):
        return 0
    if "," in gap:
        return 1
    return 3 if is_after and _BINDS_AFTER.match(gap) else 2


_TO_DAYS = re.compile(
    r"[\s(:]*(?:(?:on|every|each|from|the|all|both|only|during|for|over|entirely|completely|between)\s+)*[\s(]*\Z",
    re.IGNORECASE,
)
_FROM_DAYS = re.compile(
    r"[\s,:(]*(?:(?:it|they|we|is|are|stays?|remains?|being|when|which|will|be|the|restaurant|business|store|shop)\s+|\w+['’]s\s+)*\Z",
    re.IGNORECASE,
)


def _closed_statements(text: str, chain: Chain) -> Iterator[Statement]:
    for at, (start, end) in enumerate(chain.gaps):
        for m in CLOSED.finditer(text, start, end):
            before = chain.items[at - 1] if at else None
            after = chain.items[at] if at < len(chain.items) else None
            days: Days | None = None
            if isinstance(after, Days) and m["off"] is None and _TO_DAYS.match(text, m.end(), end):
                follows = chain.items[at + 1] if at + 1 < len(chain.items) else None
                is_shared = (
                    isinstance(follows, Time) and _closeness(text[slice(*chain.gaps[at + 1])], is_after=False) > 1
                )
                days = after.as_some() if is_shared and after.is_list else after
            elif isinstance(before, Days) and not isinstance(after, Time) and _FROM_DAYS.match(text, start, m.start()):
                is_when = before.left_out and _WHEN.search(text, start, m.start())
                days = before.only_left_out() if is_when else before
            if days is not None and not days.is_some_of_week:
                yield Statement(kind=StatementKind.CLOSED, start=m.start(), end=m.end(), choices=(days,))


def _open_statements(text: str, chain: Chain) -> Iterator[Statement]:
    named = [item for item in chain.items if isinstance(item, Days)]
    for at, item in enumerate(chain.items):
        if not isinstance(item, Days):
            continue
        if item.count:
            yield Statement(kind=StatementKind.COUNT, start=item.start, end=item.end, count=item.count)
            continue
        m = OPEN_BEFORE_DAYS.search(text, *chain.gaps[at])
        if m is None or item.is_some_of_week:
            # "open from 9 am to 5 pm Monday to Thursday": that it is open on them comes with the times.
            continue
        yield Statement(
            kind=StatementKind.OPEN, start=item.start, end=item.end, choices=(item,), is_only=len(named) == 1
        )
        for meal in MEALS.findall(m[0]):
            yield Statement(kind=StatementKind.MEAL, start=item.start, end=item.end, choices=(item,), meal=meal.lower())
