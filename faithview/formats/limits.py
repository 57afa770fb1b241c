"""The limits of reading a file, which keep a hostile file from taking all memory or very long."""

import io
import json
import os
import re
import struct
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import BinaryIO

from faithview.domain.errors import InvalidInput, UnreadableFile

VARIABLE = "FAITHVIEW_LIMITS"
_SIZES: Mapping[str, int] = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
_NUMBER = re.compile(r"(\d{1,15}) ?([kmgt]?)i?b?", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The limits.

    Attributes:
        unpacked: the most bytes that a compressed file may unpack to.
        ratio: the largest ratio of unpacked to packed size for a file of more than `small` bytes. Deflate packs zeros
            to a thousandth, and text to a tenth.
        small: bytes that any compressed file may unpack to.
        line: characters of one line, row, cell or item of a list.
        document: characters of a JSON file that is read as a whole because its rows are inside an object, and of all
            documents in a folder.
        values: values in one piece of JSON; each takes memory, however short. A list or an object counts
            as ten.
        columns: columns of a table.
        levels: the deepest nesting of a value. Real files nest a dozen levels.
        members: files in a ZIP archive or a folder.
        member: bytes of one file in a ZIP archive.
        footer: bytes of a parquet file's footer.
        page: bytes of one document in a folder.
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
    page: int = 16 << 20

    def is_bomb(self, packed: int, unpacked: int) -> bool:
        """Return whether compressed bytes unpack to more than any real file."""
        return unpacked > self.unpacked or (unpacked > self.small and unpacked > self.ratio * packed)

    def are_values_too_many(self, json: str | bytes) -> bool:
        """Return whether a piece of JSON may have more values than allowed, by its commas and brackets."""
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
            level = [inner for item in level for inner in _children(item) if isinstance(inner, Mapping | list | tuple)]
            if not level:
                return False
        return True


def current() -> Limits:
    """Return the limits in force.

    Raises:
        InvalidInput: `FAITHVIEW_LIMITS` names an unknown limit or an invalid size.
    """
    return parse_limits(os.environ.get(VARIABLE, ""))


def hint(name: str) -> str:
    """Return how to change a limit, as the end of a sentence."""
    return f"{VARIABLE}={name}=… sets another limit"


def too_packed(name: str, unpacked: int = 0) -> str:
    """Return the sentence about a file that unpacks to more than allowed; `unpacked` is its size if known."""
    if unpacked > (most := current().unpacked):
        return f"{name} unpacks to over {most:,} bytes; it was not read; {hint('unpacked')}."
    return f"{name} unpacks to over {current().ratio} times its size; it was not read; {hint('ratio')}."


@lru_cache(maxsize=8)
def parse_limits(text: str) -> Limits:
    """Return the limits with those that the text sets, as in "line=200MB, columns=50000".

    Raises:
        InvalidInput: there is no such limit, or its size is not a whole number above 0.
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


def _children(value: object) -> list[object]:
    if isinstance(value, Mapping):
        return list(value.values())
    return list(value) if isinstance(value, list | tuple) else []


# Matches strings and brackets; strings, so brackets in them are not counted.
_MARK = re.compile(r'"(?:[^"\\]++|\\.)*+"|[\[\]{}]', re.DOTALL)
# How much deeper a whole document may be than a row in it.
_ABOVE_A_ROW = 10
# Python refuses to read longer whole numbers; they stay texts.
_MOST_DIGITS = 4_000
_TOO_DEEP = "it nests more than {:,} levels deep"


def load_json(text: str | bytes) -> object:
    """Return the value of a JSON text; a whole number of thousands of digits stays a text.

    Raises:
        json.JSONDecodeError: the text is not JSON; the error says where.
        ValueError: the bytes are not text, the value nests too deep, or there are more values than allowed.
    """
    try:
        value = _loads(text)
    except RecursionError as error:
        raise ValueError(_TOO_DEEP.format(current().levels)) from error
    check_levels(value)
    return value


def load_document(text: str) -> object:
    """Return the value of a JSON text with rows somewhere in it. Parts that nest too deep are emptied.

    A row with such a part still nests deeper than a row may, so it is refused, and the others are not.

    Raises:
        json.JSONDecodeError: the text is not JSON; the error says where.
        ValueError: it has more values than allowed.
    """
    limits = current()
    try:
        value = _loads(text)
        if not limits.are_levels_too_many(value):
            return value
    except RecursionError:
        pass
    return _loads("".join(_shallow(text, limits.levels + _ABOVE_A_ROW)))


def find_end(text: str, start: int) -> int | None:
    """Return the end of the JSON list or object that begins at `start`; None if the text ends before it."""
    level = 0
    for mark in _MARK.finditer(text, start):
        if mark[0] in ("[", "{"):
            level += 1
        elif mark[0] in ("]", "}"):
            level -= 1
            if level == 0:
                return mark.end()
    return None


def check_levels(value: object) -> None:
    """Raise ValueError for a value that nests too deep."""
    limits = current()
    if limits.are_levels_too_many(value):
        raise ValueError(_TOO_DEEP.format(limits.levels))


def load_item(text: str, start: int) -> tuple[object, int]:
    """Return the item of a list that begins at `start`, and its end.

    Raises:
        json.JSONDecodeError: there is no complete JSON value; the error says where.
        ValueError: the value nests too deep to be read, or there are more values than allowed.
    """
    limits = current()
    if len(text) - start > limits.values // 10 and text[start] in "[{":
        # Only the item is counted, or the available part of one that continues beyond this part of the file.
        end = find_end(text, start)
        is_too_much = limits.are_values_too_many(text[start:end])
    else:
        is_too_much = False
    if is_too_much:
        raise ValueError(f"it has more than {limits.values:,} values; {hint('values')}")
    try:
        return _DECODER.raw_decode(text, start)
    except json.JSONDecodeError:
        raise
    except ValueError:
        return _LONG_NUMBERS.raw_decode(text, start)
    except RecursionError as error:
        raise ValueError(_TOO_DEEP.format(current().levels)) from error


def _loads(text: str | bytes) -> object:
    limits = current()
    if limits.are_values_too_many(text):
        raise ValueError(f"it has more than {limits.values:,} values; {hint('values')}")
    try:
        value: object = json.loads(text)
    except (json.JSONDecodeError, UnicodeDecodeError):
        raise
    except ValueError:
        value = json.loads(text, parse_int=_whole_number)
    return value


def _whole_number(digits: str) -> int | str:
    return int(digits) if len(digits) < _MOST_DIGITS else digits


def _shallow(text: str, levels: int) -> Iterator[str]:
    """Yield the parts of a JSON text, without the contents of lists and objects deeper than `levels`."""
    level = 0
    kept_to = 0
    for mark in _MARK.finditer(text):
        if mark[0] in ("[", "{"):
            level += 1
            if level == levels + 1:
                yield text[kept_to : mark.end()]
        elif mark[0] in ("]", "}"):
            if level == levels + 1:
                kept_to = mark.start()
            level -= 1
    yield text[kept_to:]


_DECODER = json.JSONDecoder()
_LONG_NUMBERS = json.JSONDecoder(parse_int=_whole_number)


_END = b"PK\x05\x06"
_END_BYTES = 22
_LONGEST_COMMENT = 1 << 16
_LOCATOR = b"PK\x06\x07"
_LOCATOR_BYTES = 20
_END64_BYTES = 56
# An entry takes 46 bytes and its name. Real names are shorter than this, and some tools add fields.
_BYTES_A_FILE = 1024


def open_zip(stream: BinaryIO, *, name: str) -> zipfile.ZipFile:
    """Open a ZIP file whose list of files is not too long.

    Args:
        stream: the file; it can be read in any order.
        name: its name in messages.

    Raises:
        UnreadableFile: it is damaged, or lists more files than allowed.
    """
    limits = current()
    try:
        files, list_bytes = _listed(stream)
        if files > limits.members or list_bytes > _BYTES_A_FILE * limits.members:
            raise UnreadableFile(
                f"{name} is a ZIP archive that lists more than {limits.members:,} files; it was not read; "
                f"{hint('members')}."
            )
        return zipfile.ZipFile(stream)
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OverflowError, struct.error) as error:
        raise UnreadableFile(f"{name} is a damaged or truncated xlsx or ZIP file.") from error


def _listed(stream: BinaryIO) -> tuple[int, int]:
    """Return how many files a ZIP file says it has, and how many bytes its list has."""
    size = stream.seek(0, io.SEEK_END)
    start = max(0, size - _END_BYTES - _LONGEST_COMMENT - _LOCATOR_BYTES)
    stream.seek(start)
    tail = stream.read()
    at = tail.rfind(_END)
    if at < 0 or at + _END_BYTES > len(tail):
        raise zipfile.BadZipFile("it has no end")
    files, list_bytes = struct.unpack("<HI", tail[at + 10 : at + 16])
    locator = tail[max(0, at - _LOCATOR_BYTES) : at]
    if len(locator) == _LOCATOR_BYTES and locator.startswith(_LOCATOR):
        stream.seek(struct.unpack("<Q", locator[8:16])[0])
        end64 = stream.read(_END64_BYTES)
        files64, bytes64 = struct.unpack("<QQ", end64[32:48])
        files, list_bytes = max(files, files64), max(list_bytes, bytes64)
    return files, list_bytes
