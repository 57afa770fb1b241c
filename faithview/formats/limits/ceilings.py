"""How much of a file is read: the ceilings that keep one hostile file from taking all memory or all day.

`FAITHVIEW_LIMITS` sets any of them: `FAITHVIEW_LIMITS="line=200MB, columns=50000"`.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache

from faithview.domain.errors import InvalidInput

VARIABLE = "FAITHVIEW_LIMITS"
_SIZES: Mapping[str, int] = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
_NUMBER = re.compile(r"(\d{1,15}) ?([kmgt]?)i?b?", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The ceilings.

    Attributes:
        unpacked: bytes that a compressed file may unpack to.
        ratio: how many times its size a file of more than `small` bytes may unpack to. Deflate packs zeros to a
            thousandth, and text to a tenth.
        small: bytes that any compressed file may unpack to.
        line: characters of one line, row, cell or item of a list.
        document: characters of a JSON file that is read as a whole because its rows lie inside an object.
        values: values in one piece of JSON; each of them takes memory, however short it is. A list or an object counts
            as ten.
        columns: columns of a table.
        levels: how deep a value may nest. Real files nest a dozen levels.
        members: files in a ZIP archive.
        member: bytes of one file in a ZIP archive.
        footer: bytes that a parquet file may need to describe itself.
    """

    unpacked: int = 64 << 30
    ratio: int = 100
    small: int = 64 << 20
    line: int = 64 << 20
    document: int = 512 << 20
    values: int = 20_000_000
    columns: int = 20_000
    levels: int = 100
    members: int = 200_000
    member: int = 256 << 20
    footer: int = 64 << 20

    def is_bomb(self, packed: int, unpacked: int) -> bool:
        """Return whether compressed bytes unpack to more than any real file does."""
        return unpacked > self.unpacked or (unpacked > self.small and unpacked > self.ratio * packed)

    def are_values_too_many(self, json: str | bytes) -> bool:
        """Return whether a piece of JSON may hold more values than allowed, by its commas and brackets."""
        if len(json) < self.values // 10:
            return False
        if isinstance(json, str):
            commas, brackets = json.count(","), json.count("[") + json.count("{")
        else:
            commas, brackets = json.count(b","), json.count(b"[") + json.count(b"{")
        return commas + 10 * brackets > self.values

    def are_levels_too_many(self, value: object) -> bool:
        """Return whether a value of mappings and lists nests deeper than allowed, without recursion."""
        level: list[object] = [value]
        for _ in range(self.levels + 1):
            level = [inner for item in level for inner in _parts(item) if isinstance(inner, Mapping | list | tuple)]
            if not level:
                return False
        return True


def current() -> Limits:
    """Return the ceilings in force.

    Raises:
        InvalidInput: `FAITHVIEW_LIMITS` names a ceiling that there is not, or no size.
    """
    return parse_limits(os.environ.get(VARIABLE, ""))


def hint(name: str) -> str:
    """Return how to raise a ceiling, as the end of a sentence."""
    return f"{VARIABLE}={name}=… sets another limit"


def too_packed(name: str, unpacked: int = 0) -> str:
    """Return the sentence on a file that unpacks to more than allowed, to so many bytes where that is known."""
    if unpacked > (most := current().unpacked):
        return f"{name} unpacks to over {most:,} bytes; it was not read; {hint('unpacked')}."
    return f"{name} unpacks to over {current().ratio} times its size; it was not read; {hint('ratio')}."


@lru_cache(maxsize=8)
def parse_limits(text: str) -> Limits:
    """Return the ceilings with those that the text sets, as in "line=200MB, columns=50000".

    Raises:
        InvalidInput: there is no such ceiling, or its size is no whole number above 0.
    """
    known = [field.name for field in fields(Limits)]
    chosen: dict[str, int] = {}
    for item in filter(None, (part.strip() for part in text.split(","))):
        name, _, size = (part.strip() for part in item.partition("="))
        number = _NUMBER.fullmatch(size)
        if name not in known:
            raise InvalidInput(f"{VARIABLE} sets {name!r}; the limits are {', '.join(known)}.")
        if number is None or not (count := int(number[1]) * _SIZES[number[2].lower()]):
            raise InvalidInput(f"{VARIABLE} sets {name} to {size!r}; give a whole number, with KB, MB or GB after it.")
        chosen[name] = count
    return Limits(**chosen)


def _parts(value: object) -> list[object]:
    if isinstance(value, Mapping):
        return list(value.values())
    return list(value) if isinstance(value, list | tuple) else []
