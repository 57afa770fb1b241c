"""Numbers, quantities, money, dates and times in a text, as values that can be compared.

"Two dozen" is 24, "3 km" is "3,000 m", "May 3rd 2021" is "2021-05-03" and "5 pm" is "17:00". A range is its two ends.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from faithview.judges.lexical.units import (
    FRACTIONS,
    MONEY,
    MONTHS,
    NEEDS_NUMBER_CLOSE,
    ORDINALS,
    SCALES,
    SMALL_NUMBERS,
    TENS,
    UNITS,
    WEEKDAYS,
)


class Kind(StrEnum):
    """What a value says; values of different kinds never contradict each other."""

    NUMBER = "number"
    QUANTITY = "quantity"
    DATE = "date"
    TIME = "time"
    ORDINAL = "ordinal"
    WEEKDAY = "weekday"


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """A value at `[start, end)`.

    `number` is in base units of `unit` (a dimension or a currency, "" for a plain number), minutes after midnight for a
    time, 1-7 for a weekday, and unused for a date, whose `date` is (year, month, day) with 0 for what is not said.
    `written` is the size of the unit as it was written. `is_rough`: "about", "nearly", "over".
    """

    kind: Kind
    start: int
    end: int
    number: float = 0.0
    unit: str = ""
    written: float = 1.0
    date: tuple[int, int, int] = (0, 0, 0)
    is_rough: bool = False


_MONTH = r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
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

_SMALL = "|".join(SMALL_NUMBERS)
_TEN = "|".join(TENS)
_ORDINAL = "|".join(ORDINALS)
_NUMBER = re.compile(
    rf"""(?P<cur>(?:US|A|C)?\$|[€£¥₹]|\b(?:USD|EUR|GBP)\s)?\s?
      (?:(?<![\w.,])(?P<mixed>\d+[\s-]\d/\d{{1,2}}|\d/\d{{1,2}})(?![\d/])
       | (?<![A-Za-z_\d])(?:(?<=[^\d][.,])|(?<![.,]))(?P<digits>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?(?!\d)|\d+(?:\.\d+)?)(?P<vulgar>[½¼¾⅓⅔⅛⅜⅝⅞])?
       | (?P<fraction>[½¼¾⅓⅔⅛⅜⅝⅞])
       | \b(?P<word>(?:(?:{_TEN})(?:[\s-](?:{_SMALL}))?|{_SMALL}|half\ a|half\ an|a(?=\s(?:hundred|thousand|million|billion|dozen)\b)|
            a\ couple\ of|a\ quarter\ of\ an?)
            (?:\s(?:hundred|thousand|million|billion)(?:\s(?:and\s)?(?:(?:{_TEN})(?:[\s-](?:{_SMALL}))?|{_SMALL}))?)*)\b
       | \b(?P<ordword>(?:(?:{_TEN})-)?(?:{_ORDINAL}))\b(?!\s(?:of\sall|,))
       | \b(?P<bare>dozen)\b
      )""",
    re.IGNORECASE | re.VERBOSE,
)
_AFTER = re.compile(
    r"""(?P<ord>st|nd|rd|th)\b
      | (?P<decade>['’]?s)\b
      | (?:[\s-]?(?P<scale>hundred|thousand|million|billion|trillion|dozens?|bn|mn|k)\b)?
        (?:\s?(?P<sign>%|°\s?[CF]?\b|°|€|£|¥|¢)
         | [\s-]?per\s?cent(?:age)?\b(?P<percent>)
         | \s?(?P<kmh>km/h|kmph)\b
         | [\s-]?(?:and\sa\shalf[\s-](?P<halfunit>[A-Za-z]+)|(?:US\s|business\s|working\s|calendar\s|consecutive\s|full\s|more\s|additional\s|square\s|cubic\s|fluid\s)?(?P<unit>[A-Za-z]+)))?
    """,
    re.IGNORECASE | re.VERBOSE,
)
_RANGE_JOINT = re.compile(r"\s?(?:[-–—]|to|and|or|through)\s?\Z", re.IGNORECASE)
_ROUGH = re.compile(
    r"\b(?:about|around|approximately|roughly|nearly|almost|over|more than|some|circa|close to|just under|just over|up to|under|less than)\s+(?:[€£$]\s?)?\Z",
    re.IGNORECASE,
)
_LONGEST_ROUGH = 16


# "(passage 2)", "Step 3:", "[1]": numbers that point at a place and count nothing.
_POINTER = re.compile(
    r"(?:\b(?:passages?|steps?|documents?|sources?|chunks?|sections?|chapters?|pages?|figures?|tables?|paragraphs?|items?|"
    r"references?|options?|methods?|tips?|examples?|reasons?|note|no\.|refs?)\s+(?:\d+(?:\s?(?:,|and|&|-|–|to)\s?))*|\[(?:\d+,\s?)*|#)\Z",
    re.IGNORECASE,
)
_LONGEST_POINTER = 24

# "2  Heat the oil" in a text whose line breaks were lost: the number of a step.
_STEP = re.compile(r"\d{1,2}[.)]?\s+(?=[A-Z])")


def find_values(text: str, start: int = 0, end: int | None = None) -> list[Value]:
    """Return the values of `text[start:end]` in their order, with offsets into the whole text."""
    stop = len(text) if end is None else end
    found = [*_dates(text, start, stop), *_times(text, start, stop)]
    taken = [(v.start, v.end) for v in found]
    numbers = _numbers(text, start, stop, taken)
    return sorted([*found, *numbers], key=lambda v: (v.start, v.end)) if found else numbers


# Words that alone make a value; every other value begins with a digit.
VALUE_WORDS = frozenset(
    {*SMALL_NUMBERS, *TENS, *ORDINALS, *SCALES, *MONTHS, *WEEKDAYS, *(f"{day}s" for day in WEEKDAYS)}
    | {"half", "quarter", "couple", "noon", "midday", "midnight"}
)


def is_same(one: Value, other: Value) -> bool:
    """Return whether the two say the same, as far as both say anything: "May 2021" is in "3 May 2021"."""
    if Kind.DATE in (one.kind, other.kind):
        return _is_same_date(one, other)
    if one.kind is not other.kind and not ({one.kind, other.kind} <= {Kind.NUMBER, Kind.QUANTITY}):
        return False
    if one.unit and other.unit and one.unit != other.unit:
        return _is_same_temperature(one, other)
    if one.unit != other.unit:  # "24" and "24 hours": one of them leaves its unit out
        return _is_near(one.number / one.written, other.number / other.written, 1e-6)
    tolerance = 1e-6
    if one.written != other.written and one.unit not in MONEY:
        tolerance = 0.04  # converted and rounded: 12 mi is 20 km for a writer
    if one.is_rough or other.is_rough:
        tolerance = max(tolerance, 0.05)
    return _is_near(one.number, other.number, tolerance)


def can_differ(one: Value, other: Value) -> bool:
    """Return whether the two are of a kind, so that in the same place one would contradict the other."""
    if Kind.DATE in (one.kind, other.kind):
        return one.kind is other.kind and any(a and b for a, b in zip(one.date, other.date, strict=True))
    temperatures = {"celsius", "fahrenheit", "degree"}
    units = {one.unit, other.unit}
    return one.kind is other.kind and (one.unit == other.unit or units <= temperatures or units <= MONEY)


def _is_near(a: float, b: float, tolerance: float) -> bool:
    return abs(a - b) <= tolerance * max(abs(a), abs(b))


def _is_same_temperature(one: Value, other: Value) -> bool:
    units = {one.unit, other.unit}
    if units == {"celsius", "fahrenheit"}:
        celsius, fahrenheit = (one, other) if one.unit == "celsius" else (other, one)
        return abs(celsius.number * 9 / 5 + 32 - fahrenheit.number) <= 2
    return "degree" in units and units <= {"celsius", "fahrenheit", "degree"} and one.number == other.number


def _is_same_date(one: Value, other: Value) -> bool:
    if one.kind is not other.kind:
        # A bare number may be the year of a date.
        number, date = (one, other) if other.kind is Kind.DATE else (other, one)
        return number.kind is Kind.NUMBER and date.date[0] != 0 and number.number == date.date[0]
    pairs = list(zip(one.date, other.date, strict=True))
    shared = [a == b for a, b in pairs if a and b]
    return bool(shared) and all(shared)


def _dates(text: str, start: int, stop: int) -> list[Value]:
    found = []
    for m in _DATE.finditer(text, start, stop):
        date = _date_of(m)
        if date is not None:
            found.append(Value(kind=Kind.DATE, start=m.start(), end=m.end(), date=date))
    ends = [(v.start, v.end) for v in found]
    for m in _MONTH_ALONE.finditer(text, start, stop):
        if not _is_taken(m.start(), m.end(), ends):
            found.append(Value(kind=Kind.DATE, start=m.start(), end=m.end(), date=(0, MONTHS[m[0].lower()], 0)))
    for m in _WEEKDAY.finditer(text, start, stop):
        number = WEEKDAYS[m[0].lower().removesuffix("s")]
        found.append(Value(kind=Kind.WEEKDAY, start=m.start(), end=m.end(), number=float(number)))
    return found


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


def _times(text: str, start: int, stop: int) -> list[Value]:
    found = []
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
        found.append(Value(kind=Kind.TIME, start=m.start(), end=m.end(), number=float(minutes)))
    for m in _TIME_RANGE.finditer(text, start, stop):
        hour = int(m["h"])
        if 1 <= hour <= 12:
            # "9-5 pm" begins in the morning, "2-5 pm" does not.
            is_after_noon = m["half"].lower() == "p" and hour % 12 < int(m["to"]) % 12
            minutes = (hour % 12 + (12 if is_after_noon else 0)) * 60
            found.append(Value(kind=Kind.TIME, start=m.start(), end=m.end("h"), number=float(minutes)))
    return found


def _is_taken(start: int, end: int, taken: list[tuple[int, int]]) -> bool:
    return any(a < end and start < b for a, b in taken)


def _numbers(text: str, start: int, stop: int, taken: list[tuple[int, int]]) -> list[Value]:
    found: list[Value] = []
    for m in _NUMBER.finditer(text, start, stop):
        first = m.start("cur") if m["cur"] else m.end() - len(m[0].lstrip())
        if (found and first < found[-1].end) or (taken and _is_taken(first, m.end(), taken)):
            continue
        value = _value_at(text, m, first, stop)
        if value is None:
            continue
        if found and value.unit and not found[-1].unit and found[-1].kind is Kind.NUMBER:
            between = text[found[-1].end : value.start]
            if len(between) <= 9 and _RANGE_JOINT.match(between):
                found[-1] = _with_unit(found[-1], value)
        found.append(value)
    return found


def _with_unit(low: Value, high: Value) -> Value:
    return Value(
        kind=high.kind,
        start=low.start,
        end=low.end,
        number=low.number * high.written,
        unit=high.unit,
        written=high.written,
        is_rough=low.is_rough,
    )


def _value_at(text: str, m: re.Match[str], first: int, stop: int) -> Value | None:
    rough = _ROUGH.search(text, max(0, first - _LONGEST_ROUGH), first) is not None
    if m["ordword"]:
        tens, _, last = m["ordword"].lower().rpartition("-")
        if m["ordword"].lower() == "second" and _is_unit_before(text, first):
            return None
        number = TENS.get(tens, 0.0) + ORDINALS[last]
        return Value(kind=Kind.ORDINAL, start=first, end=m.end(), number=number)
    number = _number_of(m)
    after = _AFTER.match(text, m.end(), stop)
    if after is None or _is_pointer(text, m, first, number):
        return None
    if after["ord"]:
        return Value(kind=Kind.ORDINAL, start=first, end=after.end("ord"), number=number)
    if after["decade"]:
        if not (m["digits"] and 1000 <= number <= 2100):
            return None
        return Value(kind=Kind.NUMBER, start=first, end=after.end("decade"), number=number, unit="decade")
    return _quantity(m, after, number, first, rough=rough)


def _is_pointer(text: str, m: re.Match[str], first: int, number: float) -> bool:
    if m["cur"] or not m["digits"] or number >= 1000:
        return False
    if _POINTER.search(text, max(0, first - _LONGEST_POINTER), first):
        return True
    begins = first == 0 or text[first - 1] in "\n.!?:" or text[max(0, first - 2) : first] in (". ", "! ", "? ", ": ")
    return begins and _STEP.match(text, first) is not None


def _quantity(m: re.Match[str], after: re.Match[str], number: float, first: int, *, rough: bool) -> Value | None:
    end = m.end()
    if after["scale"] and not (m["word"] and m["word"].lower().endswith(after["scale"].lower())):
        number *= SCALES[after["scale"].lower()]
        end = after.end("scale")
    unit, size = _unit_of(m, after)
    if after["halfunit"]:
        number += 0.5
    if unit and m["word"] and m["word"].lower() == "one" and unit == "duration":
        return None  # "one day", "one minute" mostly tell a story
    if unit:
        end = max(end, *(after.end(g) for g in ("sign", "percent", "kmh", "halfunit", "unit")))
        if unit in MONEY and m["cur"]:
            end = max(m.end(), after.end("scale"))
        return Value(
            kind=Kind.QUANTITY,
            start=first,
            end=end,
            number=number * size,
            unit=unit,
            written=size,
            is_rough=rough,
        )
    # "one" is mostly a pronoun, and "a couple of" things are any few.
    if m["word"] and m["word"].lower() in ("one", "a", "a couple of", "half a", "half an") and end == m.end():
        return None
    return Value(kind=Kind.NUMBER, start=first, end=end, number=number, is_rough=rough)


_CURRENCIES = {"€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "eur": "EUR", "gbp": "GBP"}


def _unit_of(m: re.Match[str], after: re.Match[str]) -> tuple[str, float]:
    if m["cur"]:
        return _CURRENCIES.get(m["cur"].strip().lower(), "USD"), 1.0
    if after["sign"]:
        return UNITS.get(after["sign"].lower().replace(" ", ""), ("", 1.0))
    if after["percent"] is not None:
        return "percent", 1.0
    if after["kmh"]:
        return "speed", 1.0
    word = (after["halfunit"] or after["unit"] or "").lower()
    if word in ("c", "f") and after["unit"].isupper():
        return ("celsius" if word == "c" else "fahrenheit"), 1.0
    if word == "in" or (word in NEEDS_NUMBER_CLOSE and after.start("unit") - m.end() > 1):
        return "", 1.0
    if word in ("degrees", "degree"):
        rest = after.string[after.end() : after.end() + 12].lower()
        if rest.startswith((" c", " f")) and rest[2:3] in "ce fa":
            return ("celsius" if rest[1] == "c" else "fahrenheit"), 1.0
    return UNITS.get(word, ("", 1.0))


def _number_of(m: re.Match[str]) -> float:
    if m["digits"]:
        return float(m["digits"].replace(",", "")) + (FRACTIONS[m["vulgar"]] if m["vulgar"] else 0.0)
    if m["fraction"]:
        return FRACTIONS[m["fraction"]]
    if m["mixed"]:
        whole, _, part = m["mixed"].replace("-", " ").rpartition(" ")
        above, below = part.split("/")
        return float(whole or 0) + (float(above) / float(below) if float(below) else 0.0)
    if m["bare"]:
        return 12.0
    return _number_in_words(m["word"].lower())


def _number_in_words(words: str) -> float:
    if words.startswith("half"):
        return 0.5
    if words.startswith("a quarter"):
        return 0.25
    if words.startswith("a couple"):
        return 2.0
    total, current = 0.0, 0.0
    for word in re.split(r"[\s-]+", words):
        if word in SCALES:
            current = max(current, 1.0) * SCALES[word]
            if SCALES[word] >= 1000:
                total, current = total + current, 0.0
        else:
            current += SMALL_NUMBERS.get(word, TENS.get(word, 1.0 if word == "a" else 0.0))
    return total + current


def _is_unit_before(text: str, at: int) -> bool:
    # "one second", "a second": the unit of time and no ordinal.
    return text[max(0, at - 4) : at].lower().endswith((" a ", "one ", "per "))
