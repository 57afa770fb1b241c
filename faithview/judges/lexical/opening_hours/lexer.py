"""The words for days, times and hours in a claim, and the items that they make."""

import re
from dataclasses import dataclass, replace
from typing import Self

from faithview.judges.lexical.opening_hours.schedule import WEEK, WEEKEND, WORKDAYS, day_number, days_between
from faithview.judges.text.vocabulary import read_word_sets

_NOON = 12 * 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Days:
    """Days at `[start, end)`. `days` are all that are meant; on those `named` it must be open, others may be closed.

    `left_out` are those after "except". `is_some`: what is said need be so on one of them only ("most weekdays").
    `is_rest`: "all other days". `count`: "six days a week". `is_except`: "except Sunday" as it stands.
    `last_day`: the one that stands last, from which "to Friday" may go on.
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
        return self._with(other, days_between(first, last), is_list=self.is_list)

    def joined(self, other: Self) -> Self:
        """Return these days and others, or these without more days: "daily except Monday and Tuesday"."""
        return self._with(other, other.days, named=other.named, is_list=True)

    def _with(self, other: Self, days: frozenset[int], *, is_list: bool, named: frozenset[int] | None = None) -> Self:
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
        """Return the days where what is said may be meant of one of them only."""
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
# Without one of these words nothing is said of hours.
TELLING = _WORDS["telling"]
# The first words of what ITEM finds; those of one that is a number are digits.
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

# Words that may stand between days and times of a sentence about hours.
LINKS = _WORDS["links"]

# What has hours of its own, and words after which nothing is said of hours now.
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
