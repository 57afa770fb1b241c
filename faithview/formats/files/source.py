"""The bytes of a file, from a path, from memory or from a ZIP archive, without gzip, and its encoding."""

import codecs
import gzip
import io
import re
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import BinaryIO, Literal, TypeAlias, cast

from faithview.domain.errors import UnreadableFile
from faithview.formats.limits import current, hint, load_json, open_zip, too_packed

Kind: TypeAlias = Literal["text", "parquet", "xlsx", "sqlite", "zip"]

HEAD_BYTES = 1 << 16
_BLOCK_BYTES = 1 << 18
_SPOOL_BYTES = 64 << 20  # larger compressed parquet and xlsx files are unpacked to disk
_GZIP = b"\x1f\x8b"
_ZIP = b"PK\x03\x04"
_SQLITE = b"SQLite format 3\x00"
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_SIGNATURES = (
    (b"%PDF-", "a PDF document"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"ARROW1", "an Arrow (Feather) file; save it as parquet"),
    (b"BZh", "a bzip2 archive; unpack it"),
    (b"\xfd7zXZ\x00", "an xz archive; unpack it"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive; unpack it"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive; unpack it"),
    (b"Rar!", "a RAR archive; unpack it"),
    (b"PK\x05\x06", "an empty ZIP archive"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90", "a program"),
    (b"\x93NUMPY", "a NumPy array"),
    (b"\x80\x04\x95", "a Python pickle"),
    (b"OggS", "an Ogg recording"),
    (b"ID3", "an MP3 recording"),
    (_GZIP, "a file that was gzipped twice; unpack it once"),
)
_MARKUP = ((b"<!doctype html", "a web page (HTML)"), (b"<html", "a web page (HTML)"), (b"<?xml", "an XML document"))
READABLE = "csv, tsv, json, jsonl, parquet or xlsx"
_ENDING = re.compile(
    r"(?<=.)\.(csv|tsv|txt|jsonl?|ndjson|parquet|pq|xlsx|db|sqlite3?|eval|zip)(\.gz)?$|(?<=.)\.gz$", re.IGNORECASE
)


def without_ending(name: str) -> str:
    """Return a file's name without a known ending: "ragas-0.4.jsonl.gz" becomes "ragas-0.4".

    Other dots belong to the name.
    """
    return _ENDING.sub("", name)


class Source:
    """A file that can be read any number of times.

    Args:
        content: the file's path, or the bytes.
        name: its name in messages.

    Raises:
        UnreadableFile: it does not exist, cannot be opened, is empty or is a truncated gzip file.
    """

    def __init__(self, content: Path | bytes, *, name: str) -> None:
        self.name = name
        self._content = content
        self._reading: BinaryIO | None = None
        with self.reading(), self._open_raw() as stream:
            start = stream.read(len(_GZIP))
        if not start:
            raise UnreadableFile(f"{name} is empty.")
        self.is_gzipped = start == _GZIP
        with self.reading(), self.open() as stream:
            self.head = stream.read(HEAD_BYTES)
        if not self.head:
            raise UnreadableFile(f"{name} is an empty gzip file.")

    def open(self) -> BinaryIO:
        """Open the bytes from the start, decompressed."""
        raw = self._open_raw()
        return cast(BinaryIO, _ClosingGzip(raw)) if self.is_gzipped else raw

    def open_seekable(self) -> BinaryIO:
        """Open the decompressed bytes for reading in any order.

        Raises:
            UnreadableFile: the compressed bytes are damaged or truncated.
        """
        if not self.is_gzipped:
            return self._open_raw()
        spool = cast(BinaryIO, tempfile.SpooledTemporaryFile(max_size=_SPOOL_BYTES))  # noqa: SIM115 - handed out
        for block in self.blocks():
            spool.write(block)
        spool.seek(0)
        return spool

    def blocks(self) -> Iterator[bytes]:
        """Yield the decompressed bytes in blocks."""
        count = 0
        with self.reading(), self.open() as stream:
            while block := stream.read(_BLOCK_BYTES):
                count += len(block)
                # Comparing the unpacked bytes with the packed ones detects a bomb at once.
                if isinstance(stream, _ClosingGzip) and current().is_bomb(stream.packed_bytes(), count):
                    raise UnreadableFile(too_packed(self.name))
                yield block

    @property
    def path(self) -> Path | None:
        """The path of the uncompressed bytes; None for a gzipped file and for bytes in memory."""
        return self._content if isinstance(self._content, Path) and not self.is_gzipped else None

    def share_read(self) -> float:
        """Return the progress of the latest pass over the bytes, in [0, 1]."""
        try:
            size = len(self._content) if isinstance(self._content, bytes) else self._content.stat().st_size
            return min(1.0, self._reading.tell() / size) if self._reading is not None else 0.0
        except ValueError:  # it has ended and is closed
            return 1.0

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Turn errors of reading into one clear sentence."""
        try:
            yield
        except EOFError as error:
            raise UnreadableFile(f"{self.name} is a truncated gzip file; get the whole file.") from error
        except (gzip.BadGzipFile, zlib.error) as error:
            raise UnreadableFile(f"{self.name} is a damaged gzip file: {error}.") from error
        except FileNotFoundError as error:
            raise UnreadableFile(f"There is no file {self.name}.") from error
        except IsADirectoryError as error:
            raise UnreadableFile(f"{self.name} is a folder; name a file.") from error
        except OSError as error:
            raise UnreadableFile(f"{self.name} cannot be read: {error.strerror or error}.") from error

    def _open_raw(self) -> BinaryIO:
        self._reading = io.BytesIO(self._content) if isinstance(self._content, bytes) else self._content.open("rb")
        return self._reading


class _ClosingGzip(gzip.GzipFile):
    """A gzip reader that also closes the underlying file."""

    def __init__(self, raw: BinaryIO) -> None:
        super().__init__(fileobj=raw, mode="rb")
        self._raw_stream = raw

    def packed_bytes(self) -> int:
        """Return how many compressed bytes have been read."""
        return self._raw_stream.tell()

    def close(self) -> None:
        super().close()
        self._raw_stream.close()


def find_kind(source: Source) -> Kind:
    """Return which reader the file needs, by its content.

    Raises:
        UnreadableFile: it is a kind of file without rows; the text names the kind.
    """
    head = source.head
    if head.startswith(b"PAR1"):
        return "parquet"
    if head.startswith(_SQLITE):
        return "sqlite"
    if head.startswith(_ZIP):
        return _kind_of_zip(source)
    if head.startswith(_OLE):
        raise UnreadableFile(_describe_ole(source))
    for signature, what in _SIGNATURES:
        if head.startswith(signature):
            raise UnreadableFile(f"{source.name} looks like {what}; FaithView reads {READABLE}.")
    if head[257:262] == b"ustar":
        raise UnreadableFile(f"{source.name} looks like a tar archive; unpack it; FaithView reads {READABLE}.")
    start = head.lstrip()[:16].lower()
    for tag, what in _MARKUP:
        if start.startswith(tag):
            raise UnreadableFile(f"{source.name} looks like {what}; FaithView reads {READABLE}.")
    return "text"


def _kind_of_zip(source: Source) -> Kind:
    with source.open_seekable() as stream, open_zip(stream, name=source.name) as archive:
        names = archive.namelist()
        packed = sum(member.compress_size for member in archive.infolist())
        unpacked = sum(member.file_size for member in archive.infolist())
    if current().is_bomb(packed, unpacked):
        raise UnreadableFile(too_packed(source.name))
    if "xl/workbook.xml" in names:
        return "xlsx"
    for part, meaning in (
        ("xl/workbook.bin", "a binary Excel workbook (.xlsb); save it as .xlsx"),
        ("word/", "a Word document"),
        ("ppt/", "a PowerPoint file"),
        ("content.xml", "an OpenDocument file; save it as .xlsx"),
    ):
        if any(name.startswith(part) for name in names):
            raise UnreadableFile(f"{source.name} looks like {meaning}; FaithView reads {READABLE}.")
    return "zip"


def _describe_ole(source: Source) -> str:
    encrypted = "EncryptedPackage".encode("utf-16-le")
    if any(encrypted in block for block in source.blocks()):
        return f"{source.name} is password-protected; save it without a password."
    return f"{source.name} looks like an old Excel workbook (.xls) or Office document; save it as .xlsx."


_ZSTANDARD = 93
_LOCAL_HEADER_BYTES = 30


class Archive:
    """The members of a ZIP file.

    Raises:
        UnreadableFile: the archive is damaged, or has more members than any tool writes.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        with self._open() as archive:
            self._members = {member.filename: member for member in archive.infolist()}

    @property
    def names(self) -> tuple[str, ...]:
        """The members' names, in the archive's order."""
        return tuple(self._members)

    def read(self, name: str) -> bytes:
        """Return the bytes of a member.

        Raises:
            UnreadableFile: there is no such member, or it is damaged, encrypted, packed in an unknown way or too large.
        """
        with self._open() as archive:
            return self._content(name, archive)

    def each_json(self, names: Iterable[str]) -> Iterator[object]:
        """Yield the JSON values of members, in one pass over the archive. Raises UnreadableFile as `read_json` does."""
        with self._open() as archive:
            for name in names:
                yield self._parse_file(name, self._content(name, archive))

    def _content(self, name: str, archive: zipfile.ZipFile) -> bytes:
        member = self._members.get(name)
        if member is None:
            raise UnreadableFile(f"{self._source.name} has no {name!r} in it.")
        limits = current()
        if member.file_size > limits.member or limits.is_bomb(member.compress_size, member.file_size):
            raise UnreadableFile(
                f"{name!r} in {self._source.name} has {member.file_size:,} bytes; it was not read; {hint('member')}."
            )
        try:
            if member.compress_type == _ZSTANDARD:
                content = self._read_zstandard(member, archive, most=limits.member)
            else:
                with archive.open(member) as stream:
                    content = stream.read(limits.member + 1)
        except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError) as error:
            raise UnreadableFile(f"{name!r} in {self._source.name} cannot be unpacked: {error}.") from error
        if len(content) > limits.member:  # the archive's own figure was wrong
            raise UnreadableFile(f"{name!r} in {self._source.name} is larger than the archive says; it was not read.")
        return content

    def _read_zstandard(self, member: zipfile.ZipInfo, archive: zipfile.ZipFile, *, most: int) -> bytes:
        """Return a member packed with Zstandard, as Inspect's logs are; `zipfile` supports it from Python 3.14."""
        import pyarrow

        if member.flag_bits & 1:
            raise zipfile.BadZipFile("it is encrypted")
        stream = archive.fp
        if stream is None:
            raise zipfile.BadZipFile("it was closed")
        stream.seek(member.header_offset)
        header = stream.read(_LOCAL_HEADER_BYTES)
        if len(header) < _LOCAL_HEADER_BYTES:
            raise zipfile.BadZipFile("it is truncated")
        name_bytes, extra_bytes = struct.unpack("<HH", header[26:30])
        stream.seek(name_bytes + extra_bytes, io.SEEK_CUR)
        packed = stream.read(member.compress_size)
        try:
            with pyarrow.CompressedInputStream(pyarrow.BufferReader(packed), "zstd") as unpacked:
                content = unpacked.read(most + 1)
        except (OSError, pyarrow.ArrowException) as error:
            raise zipfile.BadZipFile(str(error)) from error
        if zlib.crc32(content) != member.CRC and len(content) <= most:
            raise zipfile.BadZipFile("its checksum is wrong")
        return bytes(content)

    def read_json(self, name: str) -> object:
        """Return a member's JSON value; raises UnreadableFile as `read` does, and if it is not JSON."""
        return self._parse_file(name, self.read(name))

    def _parse_file(self, name: str, content: bytes) -> object:
        try:
            return load_json(content)
        except ValueError as error:
            raise UnreadableFile(f"{name!r} in {self._source.name} cannot be read as JSON: {error}.") from error

    @contextmanager
    def _open(self) -> Iterator[zipfile.ZipFile]:
        with self._source.open_seekable() as stream, open_zip(stream, name=self._source.name) as archive:
            yield archive


_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, because it begins with UTF-16's mark
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Decodes all texts: a lone surrogate makes its row unusable, and not the file.
ERRORS = "surrogatepass"
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\r\x0c\x1b")) + b"\x7f"
# Cyrillic, Polish or Chinese text in a legacy encoding would decode as Windows-1252 without an error, but as
# nonsense. It contains one of these: bytes that Windows-1252 leaves undefined; three letters above
# ASCII in a row; a sign where only a letter is possible; a sequence that is UTF-8 (the file then mixes encodings).
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
        UnreadableFile: binary data, only whitespace, bytes of an unknown encoding, or a truncated gzip file.
    """
    codec = _codec_by_mark(source.head) or _utf16_without_mark(source.head) or "utf-8"
    if codec == "utf-8" and _looks_binary(source.head):
        raise UnreadableFile(f"{source.name} contains binary data instead of text; FaithView reads {READABLE}.")
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
    """Detect UTF-16 without a mark: in western text every other byte is NUL, which no other encoding has."""
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
        # The decoder reports positions within its input: its own remainder and this block.
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
        raise UnreadableFile(f"{source.name} contains only whitespace.")
    return None


def _is_surely_cp1252(source: Source) -> bool:
    tail = b""
    for block in source.blocks():
        window = tail + block
        if _NOT_CP1252.search(window):
            return False
        tail = window[-_LONGEST_PATTERN:]
    return True
