"""Numbers, quantities, money, dates, times and shares in a text, as values that can be compared."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from faithview.judges.text.tokens import Token
from faithview.judges.text.units import (
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
    """The kinds of values; values of different kinds never contradict each other."""

    NUMBER = "number"
    QUANTITY = "quantity"
    DATE = "date"
    TIME = "time"
    ORDINAL = "ordinal"
    WEEKDAY = "weekday"


class Bound(StrEnum):
    """Whether a value is a limit: "over 20" says that there are 20 and more, "under 20" that there are fewer."""

    NONE = ""
    AT_LEAST = "at least"
    AT_MOST = "at most"


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """A value at `[start, end)`.

    `number` is in base units of `unit` (a dimension or a currency, "" for a plain number), minutes after midnight for a
    time, 1-7 for a weekday, and unused for a date, whose `date` is (year, month, day) with 0 for what is not said.
    `written` is the size of the unit as it was written. `is_rough`: "about", "nearly".
    """

    kind: Kind
    start: int
    end: int
    number: float = 0.0
    unit: str = ""
    written: float = 1.0
    date: tuple[int, int, int] = (0, 0, 0)
    is_rough: bool = False
    bound: Bound = Bound.NONE


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


# "Three quarters of the voters" is 75%; "three quarters of a cup" counts cups.
_SHARE = re.compile(
    r"\b(?P<parts>an?|one|two|three|four|five)[\s-](?P<size>quarter|third|fifth|tenth)s?"
    r"(?=\s+(?:of\s+(?!an?\b)|(?:more|less|fewer|smaller|larger|lower|higher|below|above|cheaper|off)\b))"
    r"|\bby\s+(?P<by_parts>an?|one|two|three|four|five)[\s-](?P<by_size>quarter|third|fifth|tenth)s?\b"
    r"|\b(?P<half>half)(?=\s+(?:of\s+)?(?:the|its|his|her|their|our|your|price|of)\b)"
    r"|\bone\s+in\s+(?P<one_in>two|three|four|five|ten)\b",
    re.IGNORECASE,
)
_SIZES = {"quarter": 4, "third": 3, "fifth": 5, "tenth": 10}
SHARE_WORDS = frozenset({"one", "half", *_SIZES, *(f"{size}s" for size in _SIZES)})

_AT_LEAST = re.compile(
    r"\b(?<!just )(?<!no )(?<!not )(?:over|more than|at least|no fewer than)\s+(?:[€£$]\s?)?\Z", re.IGNORECASE
)
_AT_MOST = re.compile(r"\b(?<!just )(?<!no )(?<!not )(?:under|less than|at most)\s+(?:[€£$]\s?)?\Z", re.IGNORECASE)
_LONGEST_LIMIT = 16


def find_shares(text: str, start: int, stop: int) -> list[Value]:
    """Return the shares of `text[start:stop]` that are written in words, as percentages."""
    shares = []
    for m in _SHARE.finditer(text, start, stop):
        many, size = (m["parts"] or m["by_parts"] or "a").lower(), (m["size"] or m["by_size"] or "").lower()
        parts = SMALL_NUMBERS[m["one_in"].lower()] if m["one_in"] else _SIZES.get(size, 2)
        number = 100 * SMALL_NUMBERS.get(many, 1.0) / parts
        # Writers call 33% a third.
        is_rough = not number.is_integer()
        shares.append(
            Value(
                kind=Kind.QUANTITY,
                start=m.start("by_parts") if m["by_parts"] else m.start(),
                end=m.end(),
                number=number,
                unit="percent",
                is_rough=is_rough,
                bound=bound_before(text, m.start()),
            )
        )
    return shares


def bound_before(text: str, first: int) -> Bound:
    """Return whether the value at `first` is a limit that writers round to: "over 20", "under 30 minutes"."""
    since = max(0, first - _LONGEST_LIMIT)
    if _AT_LEAST.search(text, since, first):
        return Bound.AT_LEAST
    return Bound.AT_MOST if _AT_MOST.search(text, since, first) else Bound.NONE


_SMALL = "|".join(SMALL_NUMBERS)
_TEN = "|".join(TENS)
_ORDINAL = "|".join(ORDINALS)
_NUMBER = re.compile(
    rf"""(?P<cur>(?:US|A|C)?\$|[€£¥₹]|\b(?:USD|EUR|GBP)\s)?\s?
      (?:(?<![\w.,])(?P<mixed>\d+(?:[\s-]|\sand\s)\d/\d{{1,2}}|\d/\d{{1,2}})(?![\d/])
       | (?<![A-Za-z_\d])(?:(?<=[^\d][.,])|(?<![.,]))
         (?P<digits>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?(?!\d)|\d+(?:\.\d+)?)(?:\s?(?P<vulgar>[½¼¾⅓⅔⅛⅜⅝⅞]))?
       | (?P<fraction>[½¼¾⅓⅔⅛⅜⅝⅞])
       | \b(?P<word>(?:(?:{_TEN})(?:[\s-](?:{_SMALL}))?|{_SMALL}|half\ a|half\ an|
            a(?=\s(?:hundred|thousand|million|billion|dozen)\b)|
            an?(?=\s(?:minute|hour|day|week|fortnight|month|year|decade|century)\b)|
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
         | [\s-]?(?:and\sa\shalf[\s-](?P<halfunit>[A-Za-z]+)|
            (?:US\s|Swiss\s|Canadian\s|Australian\s|business\s|working\s|calendar\s|consecutive\s|full\s|more\s|additional\s|square\s|cubic\s|fluid\s)?(?P<unit>[A-Za-z]+)(?P<andhalf>\sand\sa\shalf\b)?))?
    """,
    re.IGNORECASE | re.VERBOSE,
)
_RANGE_JOINT = re.compile(r"\s?(?:[-–—]|to|and|or|through)\s?\Z", re.IGNORECASE)
_LIST_END = re.compile(r",? (?:and|or) \Z", re.IGNORECASE)
_ROUGH = re.compile(
    r"\b(?:about|around|approximately|roughly|nearly|almost|some|circa|close to|just under|just over)"
    r"\s+(?:[€£$]\s?)?\Z",
    re.IGNORECASE,
)
_LONGEST_ROUGH = 16
_IS_LIMIT = re.compile(
    r"(?:['’]s)?\s(?:after|before|later|earlier|ago|notice|and a half|or (?:more|less))\b", re.IGNORECASE
)
_LIMITS = re.compile(
    r"\b(?:within|in|after|have|has|had|get|gets|is|about|nearly|almost|before|for|than|least|lasts?|takes?|every|to|or|and|by)\s\Z",
    re.IGNORECASE,
)


# "(passage 2)", "Step 3:", "[1]": numbers that point at a place and count nothing.
_POINTER = re.compile(
    r"(?:\b(?:passages?|steps?|documents?|sources?|chunks?|sections?|chapters?|pages?|figures?|tables?|paragraphs?|items?|"
    r"references?|options?|methods?|tips?|examples?|reasons?|note|no\.|refs?)\s+(?:\d+(?:\s?(?:,|and|or|&|-|–|to)\s?))*|\[(?:\d+,\s?)*|#)\Z",
    re.IGNORECASE,
)
_LONGEST_POINTER = 24
# A quick test: a reference has a letter, "[" or "#" before it, which most numbers in a column do not have.
_MAY_POINT = re.compile(r"[^\W\d_]|[\[#]")

# "2  Heat the oil" in a text whose line breaks were lost: the number of a step.
_STEP = re.compile(r"\d{1,2}[.)]?\s+(?=[A-Z])")


def find_values(text: str, start: int = 0, end: int | None = None) -> list[Value]:
    """Return the values of `text[start:end]` in their order, with offsets into the whole text."""
    stop = len(text) if end is None else end
    return _values_in(text, start, stop, [(start, stop)], has_dates=True, has_times=True, has_shares=True)


# Possible prefixes of a value that belong to it: "US$ ", "a ".
_LONGEST_BEFORE = 8


def values_among(tokens: Sequence[Token], text: str, start: int, end: int) -> list[Value]:
    """Return what `find_values` does, given the tokens of `text[start:end]`: it looks only where one may be a value."""
    likely = [token for token in tokens if token.word.may_be_value]
    if not likely:
        return []
    places = [(max(start, token.start - _LONGEST_BEFORE), token.end) for token in likely]
    has_dates = any(token.word.may_be_date for token in tokens)
    return _values_in(
        text,
        places[0][0],
        end,
        places,
        has_dates=has_dates,
        has_times=has_dates or any(_may_be_time(token, text) for token in likely),
        has_shares=any(token.word.lower in SHARE_WORDS for token in likely),
    )


def values_in_cell(text: str, start: int, end: int) -> list[Value]:
    """Return the values in a cell, which is read separately: its neighbour in "20,50" is not part of a number."""
    # At the very beginning "25 EUR" would be the number of a step.
    shift = start - len(_BEFORE_CELL)
    values = find_values(_BEFORE_CELL + text[start:end])
    return [replace(value, start=value.start + shift, end=value.end + shift) for value in values]


_BEFORE_CELL = "| "


def _may_be_time(token: Token, text: str) -> bool:
    """Return whether a word that may be a value may be a time of day: it has a colon, or an "am" or "pm" after it."""
    word = token.word
    if not word.is_number:
        return not word.lower.isalpha()  # "9 to5pm"
    return ":" in word.lower or text[token.end : token.end + 2].lstrip()[:1] in _HALVES


_HALVES = frozenset("aApP")


def _values_in(
    text: str,
    start: int,
    stop: int,
    places: Sequence[tuple[int, int]],
    *,
    has_dates: bool,
    has_times: bool,
    has_shares: bool,
) -> list[Value]:
    values = [
        *(find_dates(text, start, stop) if has_dates else ()),
        *(find_times(text, start, stop) if has_times else ()),
        *(find_shares(text, start, stop) if has_shares else ()),
    ]
    taken = [(v.start, v.end) for v in values]
    numbers = _numbers(text, stop, places, taken)
    return sorted([*values, *numbers], key=lambda v: (v.start, v.end)) if values else numbers


def _matches(text: str, stop: int, places: Sequence[tuple[int, int]]) -> Iterator[re.Match[str]]:
    """Yield the numbers before `stop`; each has one of the places `[start, end)` in it, which come in their order."""
    at = 0
    for start, end in places:
        while at < end:
            m = _NUMBER.search(text, max(at, start), stop)
            if m is None:
                return
            at = m.end()
            yield m


def _numbers(text: str, stop: int, places: Sequence[tuple[int, int]], taken: list[tuple[int, int]]) -> list[Value]:
    numbers: list[Value] = []
    for m in _matches(text, stop, places):
        first = m.start("cur") if m["cur"] else m.end() - len(m[0].lstrip())
        if (numbers and first < numbers[-1].end) or (taken and is_taken(first, m.end(), taken)):
            continue
        value = _value_at(text, m, first, stop)
        if value is None:
            continue
        if numbers and value.unit and not numbers[-1].unit and numbers[-1].kind is Kind.NUMBER:
            between = text[numbers[-1].end : value.start]
            if len(between) <= 9 and _RANGE_JOINT.match(between):
                numbers[-1] = _with_unit(numbers[-1], value)
                if _LIST_END.match(between):
                    _give_unit(numbers, text)
        numbers.append(value)
    return numbers


def _give_unit(numbers: list[Value], text: str) -> None:
    """Give the numbers of a list the unit that its end has: "5, 10 and 20 euros" are three prices."""
    for at in range(len(numbers) - 2, -1, -1):
        low, high = numbers[at], numbers[at + 1]
        is_year = _FIRST_YEAR <= low.number <= _LAST_YEAR
        if low.kind is not Kind.NUMBER or low.unit or is_year or text[low.end : high.start] != ", ":
            return
        numbers[at] = _with_unit(low, high)


_FIRST_YEAR, _LAST_YEAR = 1000, 2100


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
    is_after_word = _is_after_word(text, first)
    rough = is_after_word and _ROUGH.search(text, max(0, first - _LONGEST_ROUGH), first) is not None
    bound = bound_before(text, first) if is_after_word else Bound.NONE
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
        if not (m["digits"] and _FIRST_YEAR <= number <= _LAST_YEAR):
            return None
        return Value(kind=Kind.NUMBER, start=first, end=after.end("decade"), number=number, unit="decade")
    return _quantity(m, after, number, first, rough=rough, bound=bound)


def _is_after_word(text: str, first: int) -> bool:
    """Return whether a letter is before the value, with at most whitespace and a currency sign between them."""
    before = text[max(0, first - _LONGEST_ROUGH) : first].rstrip()
    if before.endswith(_SIGNS):
        before = before[:-1].rstrip()
    return before[-1:].isalpha()


_SIGNS = ("€", "£", "$")


def _is_pointer(text: str, m: re.Match[str], first: int, number: float) -> bool:
    if m["cur"] or not m["digits"] or number >= 1000:
        return False
    since = max(0, first - _LONGEST_POINTER)
    if _MAY_POINT.search(text, since, first) and _POINTER.search(text, since, first):
        return True
    begins = first == 0 or text[first - 1] in "\n.!?:" or text[max(0, first - 2) : first] in (". ", "! ", "? ", ": ")
    return begins and _STEP.match(text, first) is not None


def _quantity(
    m: re.Match[str], after: re.Match[str], number: float, first: int, *, rough: bool, bound: Bound
) -> Value | None:
    end = m.end()
    if after["scale"] and not (m["word"] and m["word"].lower().endswith(after["scale"].lower())):
        number *= SCALES[after["scale"].lower()]
        end = after.end("scale")
    unit, size = _unit_of(m, after)
    if after["halfunit"] or (after["andhalf"] and unit):
        number += 0.5
    if (
        unit == "duration"
        and m["word"]
        and m["word"].lower() in ("one", "a", "an")
        and number == 1
        and not _LIMITS.search(m.string, max(0, first - _LONGEST_ROUGH), first)
        and not _IS_LIMIT.match(m.string, after.end("unit"))
    ):
        return None  # "one day" tells a story, and "5 a day" a rate; "within a day" is a limit
    if unit:
        end = max(end, *(after.end(g) for g in ("sign", "percent", "kmh", "halfunit", "unit", "andhalf")))
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
            bound=bound,
        )
    # "one" is mostly a pronoun, and "a couple of" things are any few.
    if m["word"] and m["word"].lower() in ("one", "a", "an", "a couple of", "half a", "half an") and end == m.end():
        return None
    return Value(kind=Kind.NUMBER, start=first, end=end, number=number, is_rough=rough, bound=bound)


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
        if rest.startswith((" c", " f")) and (not rest[2:3].isalpha() or rest[2:4] in ("el", "en", "ah")):
            return ("celsius" if rest[1] == "c" else "fahrenheit"), 1.0
    return UNITS.get(word, ("", 1.0))


def _number_of(m: re.Match[str]) -> float:
    if m["digits"]:
        return _finite(m["digits"].replace(",", "")) + (FRACTIONS[m["vulgar"]] if m["vulgar"] else 0.0)
    if m["fraction"]:
        return FRACTIONS[m["fraction"]]
    if m["mixed"]:
        whole, _, part = m["mixed"].lower().replace(" and ", " ").replace("-", " ").rpartition(" ")
        above, below = part.split("/")
        return _finite(whole or "0") + (float(above) / float(below) if float(below) else 0.0)
    if m["bare"]:
        return 12.0
    return _number_in_words(m["word"].lower())


def _number_in_words(words: str) -> float:
    if words.startswith("half"):
        return 0.5 * next((size for scale, size in SCALES.items() if words.endswith(f" {scale}")), 1.0)
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
            current += SMALL_NUMBERS.get(word, TENS.get(word, 1.0 if word in ("a", "an") else 0.0))
    return min(total + current, _LARGEST)


# A number up to here is still finite in any unit and on any scale: centuries are seconds, and a trillion is 10^12.
_LARGEST_DIGITS = 280
_LARGEST = 10.0**_LARGEST_DIGITS
_MOST_EXCESS = 10**6


def _finite(digits: str) -> float:
    """Return the number of these digits; a longer one than a float can hold is some number beyond all others.

    Infinity would equal anything. Numbers of hundreds of digits keep their order, and differ where their lengths or
    leading digits do.
    """
    whole = digits.partition(".")[0].lstrip("0")
    excess = len(whole) - _LARGEST_DIGITS
    if excess <= 0:
        return float(digits)
    return _LARGEST * (min(excess, _MOST_EXCESS) + float(f"0.{whole[:17]}"))


def _is_unit_before(text: str, at: int) -> bool:
    # "one second", "a second": the unit of time and no ordinal.
    return text[max(0, at - 4) : at].lower().endswith((" a ", "one ", "per "))
