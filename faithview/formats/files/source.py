"""The bytes of a file, from a path, from memory or from a ZIP archive, without gzip, and its encoding."""

import codecs
import gzip
import io
import re
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import BinaryIO, Literal, TypeAlias, cast

from faithview.domain.errors import UnreadableFile
from faithview.formats.limits import check_unpacked

Kind: TypeAlias = Literal["text", "parquet", "xlsx", "sqlite", "zip"]

_HEAD_BYTES = 1 << 16
_BLOCK_BYTES = 1 << 18
_SPOOL_BYTES = 64 << 20  # larger gzipped parquet and xlsx files are unpacked to disk
_GZIP = b"\x1f\x8b"
_KINDS: tuple[tuple[bytes, Kind], ...] = ((b"PAR1", "parquet"), (b"SQLite format 3\x00", "sqlite"))
# The beginnings, in lower case, of files that are often taken for tables.
_OTHERS = (
    (b"%pdf-", "is a PDF document; save its table as csv or xlsx."),
    (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        "is an old (.xls) or a password-protected Excel workbook; save it as .xlsx, without a password.",
    ),
    (b"<", "is a web page or an XML document and not a table; was it downloaded without a log-in?"),
    (_GZIP, "was gzipped twice; unpack it once."),
)
READABLE = "csv, tsv, json, jsonl, parquet or xlsx"
_ENDING = re.compile(
    r"(?<=.)\.(csv|tsv|txt|jsonl?|ndjson|parquet|pq|xlsx|db|sqlite3?|zip)(\.gz)?$|(?<=.)\.gz$", re.IGNORECASE
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
        self._raw: BinaryIO | None = None
        self.is_gzipped = False
        with self.open() as stream:
            self.is_gzipped = stream.read(len(_GZIP)) == _GZIP
        with self.open() as stream:
            self.head = stream.read(_HEAD_BYTES)
        if not self.head:
            raise UnreadableFile(f"{name} is empty.")

    @property
    def size(self) -> int:
        """The number of bytes as they are stored."""
        return len(self._content) if isinstance(self._content, bytes) else self._content.stat().st_size

    def start(self, codec: str) -> str:
        """Return the first characters of a text."""
        return codecs.getincrementaldecoder(codec)(ERRORS).decode(self.head)

    def format_of(self, content: str) -> str:
        """Return the format of a table with this content: "csv", or "csv.gz" if it is gzipped."""
        return f"{content}.gz" if self.is_gzipped else content

    @property
    def path(self) -> Path | None:
        """The path of the uncompressed bytes; None for a gzipped file and for bytes in memory."""
        return self._content if isinstance(self._content, Path) and not self.is_gzipped else None

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """Open the bytes from the start, decompressed.

        Raises:
            UnreadableFile: also in the block, for an error of reading.
        """
        try:
            with self._open_raw() as raw:
                yield cast(BinaryIO, gzip.GzipFile(fileobj=raw)) if self.is_gzipped else raw
        except EOFError as error:
            raise UnreadableFile(f"{self.name} is a truncated gzip file; get the whole file.") from error
        except (gzip.BadGzipFile, zlib.error) as error:
            raise UnreadableFile(f"{self.name} is a damaged gzip file: {error}.") from error
        except OSError as error:
            raise UnreadableFile(f"{self.name} cannot be read: {error.strerror or error}.") from error

    def blocks(self) -> Iterator[bytes]:
        """Yield the decompressed bytes.

        Raises:
            UnreadableFile: the compressed bytes are damaged, truncated, or unpack to more than any real file.
        """
        with self.open() as stream:
            while block := stream.read(_BLOCK_BYTES):
                if self.is_gzipped:
                    check_unpacked(self.name, packed=self.size, unpacked=stream.tell())
                yield block

    def open_seekable(self) -> BinaryIO:
        """Open the decompressed bytes for reading in any order; raises as `blocks` does."""
        if not self.is_gzipped:
            return self._open_raw()
        spool = cast(BinaryIO, tempfile.SpooledTemporaryFile(max_size=_SPOOL_BYTES))  # noqa: SIM115 - handed out
        spool.writelines(self.blocks())
        spool.seek(0)
        return spool

    def share_read(self) -> float:
        """Return the progress of the latest pass over the bytes, in [0, 1]."""
        if self._raw is None or self._raw.closed:
            return 1.0
        return min(1.0, self._raw.tell() / self.size)

    def _open_raw(self) -> BinaryIO:
        self._raw = io.BytesIO(self._content) if isinstance(self._content, bytes) else self._content.open("rb")
        return self._raw


def find_kind(source: Source) -> Kind:
    """Return which reader the file needs, by its content.

    Raises:
        UnreadableFile: it is a kind of file without rows; the text names the kind.
    """
    for start, kind in _KINDS:
        if source.head.startswith(start):
            return kind
    if source.head.startswith(b"PK\x03\x04"):
        with open_zip(source) as archive:
            return "xlsx" if "xl/workbook.xml" in archive.namelist() else "zip"
    start = source.head.lstrip()[:16].lower()
    for other, fault in _OTHERS:
        if start.startswith(other):
            raise UnreadableFile(f"{source.name} {fault}")
    return "text"


@contextmanager
def open_zip(source: Source) -> Iterator[zipfile.ZipFile]:
    """Open a ZIP archive; `zipfile` unpacks no file in it to more than the size that was checked here.

    Raises:
        UnreadableFile: it is damaged, encrypted, packed in an unknown way, or unpacks to more than any real file.
    """
    try:
        with source.open_seekable() as stream, zipfile.ZipFile(stream) as archive:
            unpacked = sum(member.file_size for member in archive.infolist())
            check_unpacked(source.name, packed=source.size, unpacked=unpacked)
            yield archive
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ValueError) as error:
        raise UnreadableFile(
            f"{source.name} is a damaged or truncated xlsx or ZIP file ({error}); get the whole file."
        ) from error


class Archive:
    """The files in a ZIP archive: `names` in the archive's order.

    Raises:
        UnreadableFile: the archive is damaged.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        with open_zip(source) as archive:
            self.names = tuple(archive.namelist())

    def read(self, name: str) -> bytes:
        """Return the bytes of a file in it; raises UnreadableFile if it cannot be unpacked."""
        with open_zip(self._source) as archive:
            return archive.read(name)


_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Decodes all texts: a lone surrogate makes its row unusable, and not the file.
ERRORS = "surrogatepass"
_CONTROLS = dict.fromkeys({*range(32), 0x7F} - {*b"\t\n\r\x0c\x1b"})
_MOST_CONTROLS = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Encoding:
    """The codec that decodes the whole file, with warnings about the choice."""

    codec: str
    warnings: tuple[str, ...] = ()


def find_encoding(source: Source) -> Encoding:
    """Return the encoding of a text file; all of its bytes decode with it.

    It is UTF-8, or UTF-16 if the file begins with its mark. A file whose first accented letter is not UTF-8 is read as
    Windows-1252, with a warning.

    Raises:
        UnreadableFile: binary data, bytes that do not decode, or a truncated gzip file.
    """
    codec = next((codec for mark, codec in _MARKS if source.head.startswith(mark)), "utf-8")
    head = source.head.decode(codec, "replace")
    if len(head) - len(head.translate(_CONTROLS)) > _MOST_CONTROLS * len(head):
        raise UnreadableFile(f"{source.name} contains binary data instead of text; FaithView reads {READABLE}.")
    place, is_first = _first_misfit(source, codec)
    if not place:
        return Encoding(codec=codec)
    if codec == "utf-8" and is_first and not _first_misfit(source, "cp1252")[0]:
        warning = (
            f"The file is not UTF-8 ({place}); it was read as Windows-1252. Check the accented letters, or save it as "
            "UTF-8."
        )
        return Encoding(codec="cp1252", warnings=(warning,))
    wanted = "UTF-8" if codec.startswith("utf-8") else "UTF-16"
    raise UnreadableFile(f"{source.name} is not {wanted}: {place}; save the file as UTF-8.")


def _first_misfit(source: Source, codec: str) -> tuple[str, bool]:
    """Return where the first byte is that does not decode, "" if all do, and whether only ASCII is before it."""
    decoder = codecs.getincrementaldecoder(codec)(ERRORS)
    line, is_ascii = 1, True
    for block in chain(source.blocks(), (b"",)):
        try:
            text = decoder.decode(block, final=not block)
        except UnicodeDecodeError as error:
            before = error.object[: error.start]
            line += before.count(b"\n")
            place = f"line {line} has the byte 0x{error.object[error.start]:02X}"
            return place, is_ascii and before.isascii()
        is_ascii = is_ascii and text.isascii()
        line += text.count("\n")
    return "", False
