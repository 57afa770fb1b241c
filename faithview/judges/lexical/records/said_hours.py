"""A claim's statements about opening hours: which days, which times, open or closed."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise
from typing import NamedTuple, Self

from faithview.judges.lexical.records.schedule import WEEK, WEEKEND, WORKDAYS, day_number, days_between
from faithview.judges.text.tokens import Token, read_word_sets

_NOON = 12 * 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Days:
    """Days at `[start, end)`. `days` are all that are meant; on those `named` it must be open, others may be closed.

    `left_out` are those after "except". `is_some`: the statement need be true on one of them only ("most weekdays").
    `is_rest`: "all other days". `count`: "six days a week". `is_except`: a literal "except Sunday".
    `last_day`: the last one named, which "to Friday" may continue.
    """

    start: int
    end: int
    days: frozenset[int]
    named: frozenset[int]
    left_out: frozenset[int] = frozenset()
    is_some: bool = False
    is_rest: bool = False
    count: int = 0
    is_except: bool = False
    last_day: int | None = None
    is_list: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether it can be one of a list."""
        return not (self.is_some_of_week or self.is_except or self.left_out)

    @property
    def is_some_of_week(self) -> bool:
        """Whether it is not said which days are meant."""
        return self.is_some or self.is_rest or bool(self.count)

    def up_to(self, other: Self) -> Self:
        """Return these days and those from their last one to another: "Monday to Friday", also of those left out."""
        (last,) = other.days
        first = last if self.last_day is None else self.last_day
        return self._extended_by(other, days_between(first, last), is_list=self.is_list)

    def joined(self, other: Self) -> Self:
        """Return these days and others, or these without more days: "daily except Monday and Tuesday"."""
        return self._extended_by(other, other.days, named=other.named, is_list=True)

    def _extended_by(
        self, other: Self, days: frozenset[int], *, is_list: bool, named: frozenset[int] | None = None
    ) -> Self:
        if self.left_out:
            left = self.left_out | days
            return replace(
                self,
                end=other.end,
                days=self.days - left,
                named=self.named - left,
                left_out=left,
                last_day=other.last_day,
            )
        return replace(
            self,
            end=other.end,
            days=self.days | days,
            named=self.named | (days if named is None else named),
            last_day=other.last_day,
            is_list=is_list,
        )

    def without(self, other: Self) -> Self:
        """Return these days except those that another one leaves out."""
        left = other.left_out
        return replace(
            self, end=other.end, days=self.days - left, named=self.named - left, left_out=left, last_day=other.last_day
        )

    def only_left_out(self) -> Self:
        """Return the days that were left out: "except Sunday, when ..."."""
        return replace(self, days=self.left_out, named=self.left_out, left_out=frozenset())

    def as_some(self) -> Self:
        """Return these days for a statement that need be true on one of them only."""
        return replace(self, is_some=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Time:
    """A time of day at `[start, end)`; `minutes` are those it may mean, two where morning or evening is not said."""

    start: int
    end: int
    minutes: frozenset[int]


# Short names only with a capital: "sat" and "sun" are words.
_NAME = (
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
    r"|(?-i:(?:Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun|MON|TUE|WED|THU|FRI|SAT|SUN)\b\.?))(?:['’]s)?"
)
_EXCEPT = (
    r"(?:except(?:ing)?(?:\sfor|\son)?|other\sthan(?:\son)?|apart\sfrom|excluding|save\sfor|aside\sfrom|besides|"
    r"with\sthe\sexception\sof|but(?:\snot)?)"
)
_HOURS_OF_DAY = r"(?:in\sthe\s(?:morning|afternoon|evening)|at\snight)"
ITEM = re.compile(
    rf"""\b(?:
      (?P<time>
        (?P<past>half\spast\s)?(?P<name>noon|mid-?day|midnight)
      | (?P<h>[01]?\d|2[0-4])(?:[:.](?P<m>[0-5]\d))?
        (?:\s?(?P<half>[ap])(?:\.\s?m\b\.?|\s?m\b)|\so['’]clock|\s(?P<part>{_HOURS_OF_DAY}))
      | (?P<h24>[01]?\d|2[0-4]):(?P<m24>[0-5]?\d)(?![\d:])
      | (?P<low>1?\d)(?=\s?(?:[-–—]|to|until|till)\s?1?\d(?::[0-5]\d)?\s?[ap]\.?m\b)
      | (?:(?<=from\s)|(?<=open\s)|(?<=\d[-–—])|(?<=until\s)|(?<=till\s)|(?<=\d\sto\s)|(?<=at\s)|(?<=hours:\s))
        (?P<bare>1?\d)(?=\s?(?:[-–—](?=\d)|to\s\d|on\s|daily|every\s|[,.;)]|\Z|{_NAME}))
      )
    | (?P<except>{_EXCEPT}\s+(?:the\s)?(?:(?P<out>{_NAME})|(?P<outend>weekends?)))
    | (?P<day>{_NAME})
    | (?P<vague>(?:most|some|certain|selected|select|many)\s
        (?:(?:other\s)?(?:days|nights|evenings)|week\s?(?:days?|nights?|ends?)|of\sthe\sweek)|mid-?week)
    | (?P<rest>(?:(?:all|any|every|the|its)\s)*(?:other|remaining)\s(?:days?|nights?)(?:\sof\sthe\sweek)?|
        (?:the\s)?rest\sof\sthe\sweek|otherwise)
    | (?P<count>(?:(?:only\s|just\s)?(?P<n>one|two|three|four|five|six|[1-6])\sdays?\s(?:a|per|each|every)\sweek))
    | (?P<daily>daily|nightly|every\s?(?:single\s)?(?:day|night|evening)(?:\sof\sthe\sweek)?|
        (?:all\s)?(?:seven|7)\s(?:days|nights)(?:\s(?:a|per|of\sthe|each)\sweek)?)
    | (?P<each>each\s(?:day|night|evening)|all\sof\sthese\sdays|(?:all|on)\sthese\sdays|
        all\s(?:week|days)(?:\slong)?|throughout\sthe\sweek)
    | (?P<work>week\s?-?(?:days?|nights?)|during\sthe\sweek)
    | (?P<end>week-?ends?(?!\s(?:brunch|special)))
    )(?:\b|(?<=\.))""",
    re.IGNORECASE | re.VERBOSE,
)

_WORDS = read_word_sets(__package__, "hours.toml")
# A sentence without one of these words is not about hours.
TELLING = _WORDS["telling"]
# The first words of ITEM matches that are not digits.
BEGINS_ITEM = _WORDS["begins_item"]

_COUNTS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}


def day_item(m: re.Match[str]) -> Days:
    """Return the days that a match of ITEM names."""
    start, end = m.span()
    if m["except"]:
        left = WEEKEND if m["outend"] else frozenset({day_number(m["out"])})
        return Days(
            start=start, end=end, days=WEEK - left, named=frozenset(), left_out=left, is_except=True, last_day=max(left)
        )
    if m["day"]:
        day = frozenset({day_number(m["day"])})
        return Days(start=start, end=end, days=day, named=day, last_day=min(day))
    if m["daily"]:
        return Days(start=start, end=end, days=WEEK, named=WEEK)
    if m["work"]:
        return Days(start=start, end=end, days=WORKDAYS, named=frozenset())
    if m["end"]:
        return Days(start=start, end=end, days=WEEKEND, named=frozenset())
    if m["count"]:
        count = _COUNTS.get(m["n"].lower()) or int(m["n"])
        return Days(start=start, end=end, days=WEEK, named=frozenset(), count=count)
    is_some = bool(m["vague"] or m["rest"])
    days = WORKDAYS if m["vague"] and ("week" in m["vague"].lower() and "of the" not in m["vague"].lower()) else WEEK
    if m["vague"] and "end" in m["vague"].lower():
        days = WEEKEND
    return Days(start=start, end=end, days=days, named=frozenset(), is_some=is_some, is_rest=bool(m["rest"]))


def time_item(m: re.Match[str]) -> Time:
    """Return the time that a match of ITEM says."""
    if m["name"]:
        minutes = {(0 if m["name"].lower() == "midnight" else _NOON) + (30 if m["past"] else 0)}
    elif m["half"] or m["part"]:
        hour, minute = int(m["h"]) % 12, int(m["m"] or 0)
        half = m["half"] or ("a" if m["part"].lower().endswith("morning") else "p")
        minutes = {(hour + (12 if half.lower() == "p" else 0)) * 60 + minute}
    else:
        hour = int(m["h24"] or m["low"] or m["bare"] or m["h"])
        minute = int(m["m24"] or m["m"] or 0)
        minutes = {hour % 24 * 60 + minute}
        if 1 <= hour <= 12:
            minutes = {hour % 12 * 60 + minute, hour % 12 * 60 + minute + _NOON}
    return Time(start=m.start(), end=m.end(), minutes=frozenset(minutes))


WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)*|[$€£%]")

# Words that may occur between the days and times of a sentence about opening hours.
LINKS = _WORDS["links"]

# Things with their own hours, and words after which no present hours follow.
OTHERS = _WORDS["others"]

SAYS_HOURS = re.compile(
    r"\b(?<!was\s)(?<!were\s)(?:opens?|opening|closes|closing|closed|shuts?|hours|operat(?:es?|ing)|doors|"
    r"(?<=not\s)close|welcom(?:es|ing)|off)\b",
    re.IGNORECASE,
)
CLOSED = re.compile(
    r"(?:\b(?<!was\s)(?<!were\s)(?<!not\s)(?<!n['’]t\s)(?:closed|shut)|"
    r"(?:\bnot|n['’]t)\s(?:be\s)?open(?!\suntil)|\b(?P<off>off))\b",
    re.IGNORECASE,
)
OPEN_BEFORE_DAYS = re.compile(
    r"(?<!not\s)(?<!n't\s)(?<!n’t\s)\b(?:open|opens|operates?|operating)\b"
    r"(?:[\s,:(]+(?:only|just|on|from|for|the|to|public|guests|customers|visitors|business|service|lunch|"
    r"dinner|breakfast|and|also|between|all|both|doors|its))*[\s,:(]*\Z",
    re.IGNORECASE,
)
MEALS = re.compile(r"\b(lunch|dinner|breakfast)\b", re.IGNORECASE)
ALL_DAY = re.compile(
    r"\b(?:open|operates?|operating)\b[^.;,]{0,12}?"
    r"(?P<what>(?:24|twenty-four)[\s-]hours(?:\s(?:a|per|every|each)\sday)?|24/7|"
    r"(?:a)?round\sthe\sclock)",
    re.IGNORECASE,
)

JOINT = re.compile(r"\s*(?:,|/|&|,?\s*and|,?\s*or|as\swell\sas|plus|,?\s*&)\s*(?:(?:the|on\sthe)\s)?", re.IGNORECASE)
RANGE_JOINT = re.compile(r"\s*(?:[-–—]|to|through|thru|until|till)\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Chain:
    """Items in a row with nothing but words of hours between them, and the gaps before, between and after them."""

    items: Sequence[Days | Time]
    gaps: Sequence[tuple[int, int]]


def find_items(text: str, end: int, tokens: Sequence[Token]) -> list[Days | Time]:
    """Return the days and times among the words of a claim that ends at `end`.

    Ranges and lists of days are one item: "Monday to Thursday, and Sunday", "daily except Monday".
    """
    merged: list[Days | Time] = []
    for item in _days_and_times(text, end, tokens):
        last = merged[-1] if merged else None
        joined = _merge(text, last, item) if isinstance(item, Days) and isinstance(last, Days) else None
        if joined is not None:
            merged[-1] = joined
            continue
        merged.append(item)
    return _with_exceptions_first(merged)


def chains_of(text: str, items: Sequence[Days | Time], start: int, end: int) -> Iterator[Chain]:
    """Yield the chains that are about hours."""
    at = 0
    while at < len(items):
        stop = at + 1
        while stop < len(items) and _links(text, items[stop - 1].end, items[stop].start):
            stop += 1
        before = items[at - 1].end if at else start
        after = items[stop].start if stop < len(items) else end
        first = _links_back(text, before, items[at].start)
        gaps = [
            (first, items[at].start),
            *((one.end, other.start) for one, other in zip(items[at:], items[at + 1 : stop], strict=False)),
            (items[stop - 1].end, _links_on(text, items[stop - 1].end, after)),
        ]
        chain = Chain(items=items[at:stop], gaps=gaps)
        if not _is_of_another(text, before, first) and _is_about_hours(text, chain, starts=first == start):
            yield chain
        at = stop


def _days_and_times(text: str, end: int, tokens: Sequence[Token]) -> Iterator[Days | Time]:
    at = 0
    for token in tokens:
        lower = token.word.lower.removesuffix("'s").removesuffix("’s")
        if token.start < at or not (lower in BEGINS_ITEM or lower[0].isdigit()):
            continue
        m = ITEM.match(text, token.start, end)
        if m is not None:
            at = m.end()
            yield time_item(m) if m["time"] else day_item(m)


def _with_exceptions_first(items: list[Days | Time]) -> list[Days | Time]:
    """Subtract a leading "except for Mondays, ..." from the "daily" after it."""
    for at, (first, item) in enumerate(pairwise(items)):
        if not (isinstance(first, Days) and first.is_except and isinstance(item, Days) and item.is_plain):
            continue
        if first.left_out < item.days:
            items[at + 1] = replace(item.without(first), start=item.start, end=item.end)
    return items


def _merge(text: str, last: Days, item: Days) -> Days | None:
    between = text[last.end : item.start]
    is_between = between.strip().lower() == "and" and text[: last.start].lower().endswith("between ")
    if item.is_except:
        return last.without(item) if not between.strip(" ,(") and last.is_plain else None
    if not item.is_plain:
        return None
    if last.last_day is not None and len(item.days) == 1 and (is_between or RANGE_JOINT.fullmatch(between)):
        return last.up_to(item)
    if JOINT.fullmatch(between) and (last.is_plain or (last.left_out and len(item.days) == 1)):
        return last.joined(item)
    return None


def _is_about_hours(text: str, chain: Chain, *, starts: bool) -> bool:
    if any(SAYS_HOURS.search(text, *gap) for gap in chain.gaps):
        return True
    has_range = sum(isinstance(item, Time) for item in chain.items) >= 2
    return starts and has_range and any(isinstance(item, Days) for item in chain.items)


def _is_link(word: str) -> bool:
    return word.lower() in LINKS or (word[0].isupper() and word.lower() not in OTHERS)


def _links(text: str, start: int, end: int) -> bool:
    return all(_is_link(m[0]) for m in WORD.finditer(text, start, end))


def _links_back(text: str, start: int, end: int) -> int:
    """Return where the words of hours before `end` begin."""
    words = list(WORD.finditer(text, start, end))
    first = end
    for at, m in enumerate(reversed(words)):
        if not _is_link(m[0]):
            return first
        first = m.start() if at < len(words) - 1 else start
    return start


def _links_on(text: str, start: int, end: int) -> int:
    for m in WORD.finditer(text, start, end):
        if not _is_link(m[0]):
            return m.start()
    return end


def _is_of_another(text: str, start: int, first: int) -> bool:
    """Return whether the words before a chain are about the hours of a kitchen, of a happy hour, or about the past."""
    words = [m[0].lower() for m in WORD.finditer(text, start, first)]
    return bool(words) and words[-1] in OTHERS


class StatementKind(StrEnum):
    """The kind of statement: a time of opening or closing (or either), open or closed, or a number of days."""

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
    the days are all those on which it is open, as stated.
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
    """A claim's statements about hours, in order, and all days that it names there."""

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
    """Return the kind of each time of a chain, None if it is not clear."""
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
    """The meaning of the words before a time or days: opens or closes (the last such word), "between", "closed"."""

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
    """Return the days that the times may belong to: the closest ones before or after; empty if there are none."""
    first, last = group[0], group[-1]
    choices: list[tuple[int, Days]] = []
    if first > 0:
        days = chain.items[first - 1]
        if isinstance(days, Days):
            gap = text[slice(*chain.gaps[first])]
            if days.left_out and _WHEN.search(gap):
                days = days.only_left_out()
            # "(2 pm on Saturdays) and closes at 11 pm": the text in brackets has ended.
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
    """Return the days before a time, marked `is_some` if the first ones may belong to the words before them.

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
            # "open from 9 am to 5 pm Monday to Thursday": the times that follow make these days open.
            continue
        yield Statement(
            kind=StatementKind.OPEN, start=item.start, end=item.end, choices=(item,), is_only=len(named) == 1
        )
        for meal in MEALS.findall(m[0]):
            yield Statement(kind=StatementKind.MEAL, start=item.start, end=item.end, choices=(item,), meal=meal.lower())
