"""The opening hours that a record gives, day by day: `"hours": {"Monday": "17:0-1:30", "Sunday": "closed"}`."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from faithview.judges.lexical.passages.index import Passage

DAY_NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
WORKDAYS = frozenset(range(5))
WEEKEND = frozenset({5, 6})
WEEK = WORKDAYS | WEEKEND

_NOON = 12 * 60
MINUTES_A_DAY = 24 * 60


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenRange:
    """Open from `opens` to `closes`, minutes after midnight below 1440, with the places where the chunk says them.

    A range that closes when it opens or earlier in the day ends on the next day.
    """

    opens: int
    closes: int
    opens_span: tuple[int, int]
    closes_span: tuple[int, int]

    @property
    def length(self) -> int:
        """Minutes from opening to closing, 1 to 1440."""
        return (self.closes - self.opens - 1) % MINUTES_A_DAY + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class DayHours:
    """The hours of a listed day; no ranges where it is closed. `place` is the position of its passage."""

    place: int
    ranges: tuple[OpenRange, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """The hours of a week by its days, Monday 0; a day that is not listed is closed."""

    days: dict[int, DayHours]

    @property
    def open_days(self) -> frozenset[int]:
        """The days with hours."""
        return frozenset(day for day, hours in self.days.items() if hours.ranges)

    def ranges_of(self, day: int) -> tuple[OpenRange, ...]:
        """Return when it is open on a day; nothing where it is closed."""
        return self.days[day].ranges if day in self.days else ()

    def place_of(self, day: int) -> int:
        """Return the position of the passage that tells of a day, or of the nearest listed one before or after it."""
        return self.days[min(self.days, key=lambda other: (abs(other - day), other))].place


def read_schedule(passages: Sequence[Passage], texts: Sequence[str]) -> Schedule | None:
    """Return the opening hours in the records; None if there are none, or several that differ."""
    weeks: list[dict[int, DayHours]] = []
    for position, passage in enumerate(passages):
        for day, hours in _days_told(passage, texts[passage.chunk], position):
            if not weeks or (day in weeks[-1] and not _is_later_same_day(weeks[-1][day], hours)):
                weeks.append({})
            known = weeks[-1].get(day)
            if known is not None:
                hours = DayHours(place=known.place, ranges=(*known.ranges, *hours.ranges))
            weeks[-1][day] = hours
    schedules = [Schedule(days=days) for days in weeks if any(hours.ranges for hours in days.values())]
    if not schedules or any(_times(other) != _times(schedules[0]) for other in schedules[1:]):
        return None
    return schedules[0]


def _is_later_same_day(known: DayHours, more: DayHours) -> bool:
    """Return whether these are later hours of the same day, "12:00-14:00" and "17:00-22:00"."""
    return bool(known.ranges and more.ranges) and known.ranges[-1].closes < more.ranges[0].opens


def _times(schedule: Schedule) -> list[list[tuple[int, int]]]:
    return [[(r.opens, r.closes) for r in schedule.ranges_of(day)] for day in sorted(WEEK)]


_DAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:days?)?"
_DAY_NUMBERS = {name[:3].lower(): number for number, name in enumerate(DAY_NAMES)}
_DAYS = re.compile(
    rf"(?P<first>{_DAY})\.?(?:\s*(?:-|–|—|_to_|to|through)\s*(?P<last>{_DAY})\.?|[\s,/&_]+(?:and\s+)?(?P<second>{_DAY})\.?)?"
    r"|(?P<weekdays>weekdays?)|(?P<weekend>weekends?)|(?P<daily>daily|every\s?day|all\s(?:week|days))",
    re.IGNORECASE,
)
_CLOCK = r"(?:\d{1,2}(?:[:.]\d{1,2})?(?::\d\d)?\s?(?:[ap]\.?m\b\.?)?|noon|midnight)"
_RANGE = re.compile(
    rf"(?P<opens>{_CLOCK})\s*(?:-|–|—|to|until|till)\s*(?P<closes>{_CLOCK})"
    r"|(?P<whole>(?:open\s)?24\s?(?:hours|h|/7))|(?P<closed>closed|null|none|nil|off|n/a)",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"[\s\"'\[\],;&]*(?:and\s)?")
_AFTER_DAYS = re.compile(r"[\s\"':=(]*")
_LONGEST_LINE = 160

# Hours that are not those of the whole place.
_OTHER_HOURS = re.compile(r"happy|kitchen|delivery|brunch|special|pickup|holiday")


def _days_told(passage: Passage, text: str, position: int) -> Iterator[tuple[int, DayHours]]:
    """Yield the days whose hours a field or a line tells, in its order."""
    if passage.end - passage.start > _LONGEST_LINE:
        return
    keys = "/".join(passage.path).lower()
    in_hours = not keys or (("hour" in keys or "open" in keys) and not _OTHER_HOURS.search(keys))
    days = _days_of(passage.path[-1]) if passage.path else frozenset()
    if not in_hours and (len(passage.path) > 1 or not days):
        return  # "specials": {"Monday": "17:00-19:00"}
    at = passage.start
    if passage.path:
        key = re.compile(rf"[\"']?{re.escape(passage.path[-1])}[\"']?\s*[:=]\s*").match(text, at)
        at = key.end() if key else at
    elif not _DAYS.match(text, _AFTER_DAYS.match(text, at).end()):  # type: ignore[union-attr]  # it matches nothing too
        return
    if days:
        ranges = _ranges_at(text, at, passage.end)
        if ranges is not None:
            yield from ((day, DayHours(place=position, ranges=ranges[0])) for day in sorted(days))
    elif in_hours:
        yield from _lines_told(text, at, passage.end, position)


def _lines_told(text: str, at: int, stop: int, position: int) -> list[tuple[int, DayHours]]:
    """Return what "Mon-Fri 9am-5pm; Sat 10am-4pm" tells; nothing where a part of it is anything else."""
    hours: list[tuple[int, DayHours]] = []
    while at < stop:
        start = _BETWEEN.match(text, at, stop)
        at = start.end() if start else at
        if at >= stop:
            break
        named = _DAYS.match(text, at, stop)
        if named is None:
            return []
        after = _AFTER_DAYS.match(text, named.end(), stop)
        ranges = _ranges_at(text, after.end() if after else named.end(), stop, is_last=False)
        if ranges is None:
            return []
        hours += [(day, DayHours(place=position, ranges=ranges[0])) for day in sorted(_days_of(named[0]))]
        at = ranges[1]
    return hours


def _days_of(key: str) -> frozenset[int]:
    """Return the days that a key names, "Mon", "Monday-Friday", "weekdays", "sat_sun"; empty if it names another."""
    m = _DAYS.fullmatch(key.strip())
    if m is None:
        return frozenset()
    if m["first"]:
        first = day_number(m["first"])
        if m["second"]:
            return frozenset({first, day_number(m["second"])})
        return days_between(first, day_number(m["last"])) if m["last"] else frozenset({first})
    return WORKDAYS if m["weekdays"] else WEEKEND if m["weekend"] else WEEK


def day_number(name: str) -> int:
    """Return the number of a weekday, Monday 0, by the first three letters of its name."""
    return _DAY_NUMBERS[name[:3].lower()]


def days_between(first: int, last: int) -> frozenset[int]:
    """Return the days from one to another, both included; Saturday to Monday goes over the end of the week."""
    return frozenset((first + step) % 7 for step in range((last - first) % 7 + 1))


def _ranges_at(text: str, at: int, stop: int, *, is_last: bool = True) -> tuple[tuple[OpenRange, ...], int] | None:
    """Return the ranges at a place and their end; None if something else is there."""
    ranges: list[OpenRange] = []
    end = at
    while True:
        sep = _BETWEEN.match(text, end, stop)
        m = _RANGE.match(text, sep.end() if sep else end, stop)
        if m is None:
            break
        end = m.end()
        open_range = _range_of(m)
        if open_range is not None:
            ranges.append(open_range)
    if end == at or (is_last and text[end:stop].strip(" \"'])},.;")):
        return None
    return tuple(ranges), end


def _range_of(m: re.Match[str]) -> OpenRange | None:
    if m["closed"]:
        return None
    if m["whole"]:
        return OpenRange(opens=0, closes=0, opens_span=m.span(), closes_span=m.span())
    closes = _minutes(m["closes"], None)
    opens = _minutes(m["opens"], m["closes"])
    if closes < opens and m["opens"].isdigit() and m["closes"].isdigit() and closes <= _NOON:
        closes += _NOON  # "9-5"
    # Yelp writes "0:0-0:0" for a day on which it is closed.
    if opens == closes == 0:
        return None
    return OpenRange(opens=opens, closes=closes, opens_span=m.span("opens"), closes_span=m.span("closes"))


def _minutes(clock: str, closing: str | None) -> int:
    """Return minutes after midnight; "9-11am" and "2-5pm" have the first one's half of the day from the second."""
    lower = clock.lower()
    if lower in ("noon", "midnight"):
        return _NOON if lower == "noon" else 0
    parts = [int(part) for part in re.findall(r"\d+", lower)]
    hour, minute = parts[0], parts[1] if len(parts) > 1 else 0
    half = lower.rstrip(". m")[-1:]
    if half in ("a", "p"):
        return (hour % 12 + (12 if half == "p" else 0)) % 24 * 60 + minute
    if closing is not None and closing.lower().rstrip(". m")[-1:] in ("a", "p"):
        end = _minutes(closing, None)
        later = (hour % 12 * 60 + minute) + (_NOON if end > _NOON else 0)
        return later if later < end else hour % 12 * 60 + minute
    return hour % 24 * 60 + minute


def clock_like(theirs: str, mine: str) -> str:
    """Return a time of a record ("22:0") as the answer writes its own: "10 pm", or else "22:00"."""
    m = re.fullmatch(r"(\d{1,2}):(\d{1,2})", theirs)
    if m is None or int(m[1]) > 24 or int(m[2]) > 59:
        return theirs
    hour, minute = int(m[1]) % 24, int(m[2])
    half = re.search(r"(\s?)([ap])(\.?)(m)(\.?)\Z|\bnoon\Z|\bmidnight\Z|\bmidday\Z", mine, re.IGNORECASE)
    if half is None:
        # "3:2" may be a result.
        return f"{hour}:{minute:02}" if re.fullmatch(r"\d{1,2}:\d\d", mine) else theirs
    if minute == 0 and hour in (0, 12):
        return "noon" if hour else "midnight"
    letter = "p" if hour >= 12 else "a"
    shown = f"{hour % 12 or 12}" + (f":{minute:02}" if minute or ":" in mine else "")
    if half[2] is None:
        return f"{shown} {letter}m"
    letter = letter.upper() if half[2].isupper() else letter
    return f"{shown}{half[1]}{letter}{half[3]}{half[4]}{half[5]}"
