"""Dates, months, weekdays and times of day in a text."""

import re

from faithview.judges.lexical.values.model import Kind, Value
from faithview.judges.text.units import MONTHS, WEEKDAYS

_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|"
    r"Sep(?:t(?:ember)?)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
)
_DATE = re.compile(
    rf"""\b(?:
        (?P<iso>\d{{4}}-\d{{1,2}}-\d{{1,2}})(?!\d)
      | (?P<slash>\d{{1,2}}[/.]\d{{1,2}}[/.]\d{{4}})(?!\d)
      | (?P<m1>{_MONTH})\b\.?\s+(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?(?:,?\s+(?P<y1>[12]\d{{3}}))?(?![\w%]|[.:/]\d)
      | (?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<m2>{_MONTH})\b\.?(?:,?\s+(?P<y2>[12]\d{{3}})\b)?
      | (?P<m3>{_MONTH})\b\.?,?\s+(?:of\s+)?(?P<y3>[12]\d{{3}})\b
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_MONTH_ALONE = re.compile(
    r"\b(?:January|February|April|June|July|August|September|October|November|December)\b"
    r"|(?<=\b[Ii]n )(?:March|May)\b|(?<=\bof )(?:March|May)\b|(?<=\b[Bb]y )(?:March|May)\b"
)
_WEEKDAY = re.compile(r"\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b")
_TIME = re.compile(
    r"""\b(?:(?P<h>[01]?\d|2[0-4])(?::(?P<m>[0-5]?\d))?\s?(?P<half>[ap])\.?\s?m\b\.?
          | (?P<h24>[01]?\d|2[0-4]):(?P<m24>[0-5]?\d)(?![\d:])
          | (?P<name>noon|midday|midnight)\b)""",
    re.IGNORECASE | re.VERBOSE,
)
# "9-5 pm" and "9 to 11 am": the first hour takes its half of the day from the second.
_TIME_RANGE = re.compile(
    r"\b(?P<h>1?\d)(?P<between>\s?(?:[-–—]|to|until)\s?)(?=(?P<to>1?\d)(?::[0-5]\d)?\s?(?P<half>[ap])\.?m\b)",
    re.IGNORECASE,
)


def find_dates(text: str, start: int, stop: int) -> list[Value]:
    """Return the dates, months and weekdays of `text[start:stop]`."""
    dates = []
    for m in _DATE.finditer(text, start, stop):
        date = _date_of(m)
        if date is not None:
            dates.append(Value(kind=Kind.DATE, start=m.start(), end=m.end(), date=date))
    ends = [(v.start, v.end) for v in dates]
    for m in _MONTH_ALONE.finditer(text, start, stop):
        if not is_taken(m.start(), m.end(), ends):
            dates.append(Value(kind=Kind.DATE, start=m.start(), end=m.end(), date=(0, MONTHS[m[0].lower()], 0)))
    for m in _WEEKDAY.finditer(text, start, stop):
        number = WEEKDAYS[m[0].lower().removesuffix("s")]
        dates.append(Value(kind=Kind.WEEKDAY, start=m.start(), end=m.end(), number=float(number)))
    return dates


def _date_of(m: re.Match[str]) -> tuple[int, int, int] | None:
    if m["iso"]:
        year, month, day = map(int, m["iso"].split("-"))
    elif m["slash"]:
        first, second, year = map(int, re.split(r"[/.]", m["slash"]))
        # 3/5/2021 is 5 March for one reader and 3 May for another: only an unambiguous one says its day and month.
        if first > 12:
            day, month = first, second
        elif second > 12:
            month, day = first, second
        else:
            day, month = (first, second) if first == second else (0, 0)
    else:
        name = m["m1"] or m["m2"] or m["m3"]
        month = MONTHS[name.lower()]
        day = int(m["d1"] or m["d2"] or 0)
        year = int(m["y1"] or m["y2"] or m["y3"] or 0)
        if name[0].islower() and name.lower() in ("may", "march") and not year:
            return None  # "you may 2 days later", "march 3 miles"
    return (year, month, day) if month <= 12 and day <= 31 else None


def find_times(text: str, start: int, stop: int) -> list[Value]:
    """Return the times of day of `text[start:stop]`, those of a range such as "9-5 pm" included."""
    times = []
    for m in _TIME.finditer(text, start, stop):
        if m["name"]:
            minutes = 0 if m["name"].lower() == "midnight" else 720
        elif m["half"]:
            hour = int(m["h"])
            if not 1 <= hour <= 12:
                continue
            minutes = (hour % 12 + (12 if m["half"].lower() == "p" else 0)) * 60 + int(m["m"] or 0)
        else:
            minutes = int(m["h24"]) % 24 * 60 + int(m["m24"])
        times.append(Value(kind=Kind.TIME, start=m.start(), end=m.end(), number=float(minutes)))
    for m in _TIME_RANGE.finditer(text, start, stop):
        hour = int(m["h"])
        if 1 <= hour <= 12:
            # "9-5 pm" begins in the morning, "2-5 pm" does not.
            is_after_noon = m["half"].lower() == "p" and hour % 12 < int(m["to"]) % 12
            minutes = (hour % 12 + (12 if is_after_noon else 0)) * 60
            times.append(Value(kind=Kind.TIME, start=m.start(), end=m.end("h"), number=float(minutes)))
    return times


def is_taken(start: int, end: int, taken: list[tuple[int, int]]) -> bool:
    """Return whether the range overlaps one of those taken."""
    return any(a < end and start < b for a, b in taken)
