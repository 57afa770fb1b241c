"""Texts that make careless code slow: repeated, nested, unbalanced, without spaces, without ends, full of values."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

# Each of these is repeated until the text is as long as wanted.
_VALUES = (
    "10% ",
    "10 % 20 % ",
    "$5 ",
    "1,000 ",
    "1, ",
    "1. ",
    "1.1 ",
    "1.1.1.1",
    "1/2 ",
    "3 1/2 ",
    "½ ",
    "12:30 ",
    "12:",
    "5 pm ",
    "9-5 pm ",
    "2021-05-03 ",
    "3/5/2021 ",
    "May 3, 2021 ",
    "Monday ",
    "Mon-Fri 9-5 ",
    "two dozen ",
    "a billion ",
    "twenty-one ",
    "half of the ",
    "first second ",
    "about 20 ",
    "over 20 under 30 ",
    "20 °C 68 °F ",
    "5 km 3 miles ",
    "1 day ",
    "one day ",
    "0",
    "1",
    "9",
    "1 ",
    "a1b2 ",
    "1e9 ",
    "-1 ",
    "+1 ",
    "[1]",
    "[1, 2, 3] ",
    "(passage 2) ",
    "#1 ",
)
_WORDS = (
    "a ",
    "a",
    "A",
    "A ",
    "the ",
    "word ",
    "Word ",
    "WORD ",
    "not ",
    "no not never ",
    "and ",
    "and or ",
    ", and ",
    "that ",
    "is is ",
    "does not say ",
    "I do not know. ",
    "yes no ",
    "Paris ",
    "New York ",
    "New York, New York, ",
    "U.S. ",
    "e.g. ",
    "Mr. ",
    "Dr. A. ",
    "a.b.c.",
    "etc. ",
    "x's ",
    "x'x",
    "don't ",
    "well-known-",
    "under_score_",
    "CamelCase",
    "ß",
    "é ",
    "e\u0301",
    "\u0301",
    "Ω ",
    "中",
    "中文。",
    "ไทย",
    "日本 ",
    "ｗｉｄｅ ",
    "😀",
    "👩\u200d👧",
    "\u200b",
    "\u202e",
    "\ufeff",
    "\u00ad",
)
_MARKS = (
    ".",
    "..",
    "... ",
    "!",
    "?!",
    ". ",
    ".\n",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "\t",
    " ",
    "  ",
    "\u00a0",
    "\u2028",
    "(",
    ")",
    "()",
    "(a ",
    "[",
    "]",
    "[[",
    "{",
    "}",
    "{}",
    '"',
    "'",
    "“",
    "”",
    '"a" ',
    "'a' ",
    "“a” ",
    "<",
    "<a>",
    "</a>",
    "<!--",
    "&amp;",
    "`",
    "```\n",
    "**",
    "**a** ",
    "_a_ ",
    "- ",
    "- a\n",
    "* a\n",
    "1. a\n",
    "# a\n",
    "> a\n",
    "---\n",
    "|",
    "|a|b|\n",
    "|-|-|\n",
    "a|b\n",
    "a\tb\n",
    "a: b\n",
    "a: ",
    "a=b ",
    "key: value; ",
    ":",
    ";",
    ",",
    ", ",
    "/",
    "\\",
    "\\n",
    "%",
    "% ",
    "$",
    "@",
    "#",
    "~",
    "^",
    "=",
)
_DATA = (
    '{"a": ',
    '{"a": 1}',
    '{"a": 1},',
    "[1,",
    '"a", ',
    "http://a.b/c ",
    "a@b.c ",
    "www.",
    "AAAA=",
    "0x00 ",
    "\\u0000",
    "%00",
)


def repeated(unit: str, size: int) -> str:
    """Return the unit over and over, as a text of about `size` bytes of UTF-8."""
    return unit * max(1, size // len(unit.encode("utf-8")))


def counting(size: int) -> str:
    """Return different numbers, none of which says the same as another."""
    return " ".join(f"{number} %" for number in range(1, max(2, size // 8)))


def words(size: int) -> str:
    """Return words that are all different."""
    return " ".join(f"word{number}x" for number in range(max(1, size // 10)))


def nested(size: int) -> str:
    """Return JSON that is nested as deep as it is long."""
    return "[" * (size // 2) + "]" * (size // 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A text that can be made as long as wanted; `name` is the repeated part as Python writes it."""

    kind: str
    name: str
    make: Callable[[int], str]


def _all_texts() -> Iterator[Text]:
    for kind, units in (("values", _VALUES), ("words", _WORDS), ("marks and ends", _MARKS), ("data", _DATA)):
        for unit in units:
            yield Text(kind=kind, name=repr(unit), make=partial(repeated, unit))
    for make in (counting, words, nested):
        yield Text(kind="not repeated", name=make.__name__, make=make)


TEXTS: tuple[Text, ...] = tuple(_all_texts())
