"""How much of a file is read, so a hostile or broken one ends in a sentence and not in a full memory."""

import json
from collections.abc import Mapping

from faithview.domain.errors import UnreadableFile

# A compressed file may unpack to `RATIO` times its size, at least to `SMALL` and at most to `UNPACKED` bytes. Deflate
# packs zeros to a thousandth, and text to a tenth.
RATIO = 100
SMALL = 64 << 20
UNPACKED = 16 << 30
# Characters of one line, and of one item of a JSON list.
LINE = 64 << 20
# Characters of JSON that is read as a whole because its rows are inside an object, and of all documents in a folder.
DOCUMENT = 256 << 20
# Bytes of one document in a folder.
PAGE = 16 << 20
COLUMNS = 20_000
# How deep a value may nest. Real files nest a dozen levels.
LEVELS = 100
_TOO_DEEP = f"it nests more than {LEVELS} levels deep"
# Python refuses to convert longer whole numbers, so they stay texts.
_MOST_DIGITS = 4_000


def check_unpacked(name: str, *, packed: int, unpacked: int) -> None:
    """Raise UnreadableFile if a file of `packed` bytes unpacks to more than any real file."""
    most = min(UNPACKED, max(SMALL, RATIO * packed))
    if unpacked > most:
        raise UnreadableFile(
            f"{name} unpacks to over {most:,} bytes, far more than a table of its size; it was not read. If you trust "
            "it, unpack it yourself, or save it as csv."
        )


def check_levels(value: object) -> None:
    """Raise ValueError for a value of mappings and lists that nests too deep; without recursion."""
    level = [value]
    for _ in range(LEVELS + 1):
        inside = [list(item.values()) if isinstance(item, Mapping) else item for item in level]
        level = [one for item in inside if isinstance(item, list | tuple) for one in item if not isinstance(one, str)]
        if not level:
            return
    raise ValueError(_TOO_DEEP)


def decode_json(text: str, start: int = 0) -> tuple[object, int]:
    """Return the JSON value that begins at `start`, and its end; a whole number of thousands of digits stays a text.

    Raises:
        json.JSONDecodeError: there is no complete value, or it nests too deep; the error says where.
    """
    try:
        return _DECODER.raw_decode(text, start)
    except RecursionError as error:
        raise json.JSONDecodeError(_TOO_DEEP, text, start) from error


def load_json(text: str) -> object:
    """Return the value of a JSON text; a whole number of thousands of digits stays a text.

    Raises:
        json.JSONDecodeError: the text is not JSON; the error says where.
        ValueError: the value nests too deep.
    """
    try:
        value: object = _DECODER.decode(text)
    except RecursionError as error:
        raise json.JSONDecodeError(_TOO_DEEP, text, 0) from error
    check_levels(value)
    return value


_DECODER = json.JSONDecoder(parse_int=lambda digits: int(digits) if len(digits) < _MOST_DIGITS else digits)
