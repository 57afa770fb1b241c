"""The encoding of a text file, checked on the whole file before the first row is read."""

import codecs
import re
from dataclasses import dataclass
from itertools import chain

from faithview.domain.errors import UnreadableFile
from faithview.formats.files.source import READABLE, Source

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# How every text is decoded: half a character (a lone surrogate) costs the row that it is in, and not the file.
ERRORS = "surrogatepass"
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\r\x0c\x1b")) + b"\x7f"
# Cyrillic, Polish or Chinese text in a legacy encoding would decode as Windows-1252 without an error, but as
# nonsense. It contains one of these: bytes that Windows-1252 leaves undefined; three letters above
# ASCII in a row; a sign where only a letter can stand; a sequence that is UTF-8 (the file then mixes encodings).
_UNDEFINED = rb"[\x81\x8d\x8f\x90\x9d]"
_LETTERS_IN_A_ROW = rb"[\xc0-\xd6\xd8-\xf6\xf8-\xff]{3}"
_SIGN_IN_A_WORD = (
    rb"[A-Za-z][\x80\x82-\x89\x8b\x91\x93-\x95\x98\x99\x9b\xa1-\xa9\xab-\xac\xae-\xb3\xb5\xb6\xb8\xb9\xbb-\xbf][A-Za-z]"
)
_UTF8_SEQUENCE = rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}"
_NOT_CP1252 = re.compile(b"|".join((_UNDEFINED, _LETTERS_IN_A_ROW, _SIGN_IN_A_WORD, _UTF8_SEQUENCE)))
_LONGEST_PATTERN = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Encoding:
    """The codec that decodes the whole file, with warnings about the choice."""

    codec: str
    warnings: tuple[str, ...] = ()


def find_encoding(source: Source) -> Encoding:
    """Return the encoding of a text file; all of its bytes decode with it.

    Raises:
        UnreadableFile: binary data, only white space, bytes of an unknown encoding, or a truncated gzip file.
    """
    codec = _codec_by_mark(source.head) or _utf16_without_mark(source.head) or "utf-8"
    if codec == "utf-8" and _looks_binary(source.head):
        raise UnreadableFile(f"{source.name} holds binary data instead of text; FaithView reads {READABLE}.")
    misfit = _first_misfit(source, codec)
    if misfit is None:
        return Encoding(codec=codec)
    if codec == "utf-8" and _is_surely_cp1252(source):
        return Encoding(
            codec="cp1252",
            warnings=(
                f"The file is not UTF-8 (byte {misfit.position} is 0x{misfit.byte:02X}); it was read as Windows-1252. "
                "Check the accented letters, or save it as UTF-8.",
            ),
        )
    wanted = "UTF-8" if codec.startswith("utf-8") else codec.upper()
    raise UnreadableFile(
        f"{source.name} is not {wanted}: byte {misfit.position} (0x{misfit.byte:02X}, line {misfit.line}) is "
        "invalid; save the file as UTF-8."
    )


def _codec_by_mark(head: bytes) -> str | None:
    return next((codec for mark, codec in _MARKS if head.startswith(mark)), None)


def _utf16_without_mark(head: bytes) -> str | None:
    """Detect UTF-16 without a mark: in western text every other byte is NUL, as in no other encoding."""
    sample = head[:4096]
    pairs = len(sample) // 2
    if pairs < 4:
        return None
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    if odd > 0.4 * pairs and even < 0.05 * pairs:
        return "utf-16-le"
    if even > 0.4 * pairs and odd < 0.05 * pairs:
        return "utf-16-be"
    return None


def _looks_binary(head: bytes) -> bool:
    controls = len(head) - len(head.translate(None, _CONTROLS))
    try:
        codecs.getincrementaldecoder("utf-8")(ERRORS).decode(head)
    except UnicodeDecodeError:
        return controls > 0.02 * len(head)
    return controls > 0.3 * len(head)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Misfit:
    """The first byte that does not decode; position and line count from 1."""

    position: int
    line: int
    byte: int


def _first_misfit(source: Source, codec: str) -> _Misfit | None:
    decoder = codecs.getincrementaldecoder(codec)(ERRORS)
    position, line = 1, 1
    has_text = False
    for block in chain(source.blocks(), (b"",)):
        # The decoder reports positions within what it was given: its own remainder and this block.
        pending = len(decoder.getstate()[0])
        try:
            text = decoder.decode(block, final=not block)
        except UnicodeDecodeError as error:
            line += error.object.count(b"\n", pending, error.start)
            return _Misfit(position=position - pending + error.start, line=line, byte=error.object[error.start])
        has_text = has_text or (bool(text) and not text.isspace())
        position += len(block)
        line += block.count(b"\n")
    if not has_text:
        raise UnreadableFile(f"{source.name} contains only white space.")
    return None


def _is_surely_cp1252(source: Source) -> bool:
    tail = b""
    for block in source.blocks():
        window = tail + block
        if _NOT_CP1252.search(window):
            return False
        tail = window[-_LONGEST_PATTERN:]
    return True
