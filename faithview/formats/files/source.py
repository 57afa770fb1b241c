"""The bytes of a file, from a path or from memory, without gzip, and its encoding."""

import codecs
import gzip
import io
import re
import tempfile
import weakref
import zipfile
import zlib
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import BinaryIO, Literal, TypeAlias

from faithview.domain.errors import UnreadableFile
from faithview.formats.limits import check_unpacked

Kind: TypeAlias = Literal["text", "parquet", "xlsx"]

_HEAD_BYTES = 1 << 16
_BLOCK_BYTES = 1 << 18
_GZIP = b"\x1f\x8b"
READABLE = "csv, tsv, json, jsonl, parquet or xlsx"
# The beginnings, in lower case, of files that are often taken for tables.
_OTHERS = (
    (b"%pdf-", "is a PDF document; save its table as csv or xlsx."),
    (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        "is an old (.xls) or a password-protected Excel workbook; save it as .xlsx, without a password.",
    ),
    (b"<", "is a web page or an XML document and not a table; was it downloaded without a log-in?"),
    (b"sqlite format 3", "is an SQLite database; export the table with the answers as csv or json."),
    (_GZIP, "was gzipped twice; unpack it once."),
)
_ENDING = re.compile(r"(?<=.)\.(csv|tsv|txt|jsonl?|ndjson|parquet|pq|xlsx)(\.gz)?$|(?<=.)\.gz$", re.IGNORECASE)


def without_ending(name: str) -> str:
    """Return a file's name without a known ending: "ragas-0.4.jsonl.gz" becomes "ragas-0.4".

    Other dots belong to the name.
    """
    return _ENDING.sub("", name)


class Source:
    """A file that can be read any number of times; a gzipped one is unpacked into a temporary file once.

    Args:
        content: the file's path, or the bytes.
        name: its name in messages.

    Raises:
        UnreadableFile: it does not exist, cannot be opened, is empty, or is a gzip file that is damaged, truncated or
            unpacks to more than any real file.
    """

    def __init__(self, content: Path | bytes, *, name: str) -> None:
        self.name = name
        self._content = content
        self._latest: BinaryIO | None = None
        with self.open() as stream:
            self.is_gzipped = stream.read(len(_GZIP)) == _GZIP
        if self.is_gzipped:
            self._content = self._unpack()
        with self.open() as stream:
            self.head = stream.read(_HEAD_BYTES)
        if not self.head:
            raise UnreadableFile(f"{name} is empty.")

    @property
    def size(self) -> int:
        """The number of bytes, unpacked."""
        return len(self._content) if isinstance(self._content, bytes) else self._content.stat().st_size

    def start(self, codec: str) -> str:
        """Return the first characters of a text."""
        return codecs.getincrementaldecoder(codec)(ERRORS).decode(self.head)

    def format_of(self, content: str) -> str:
        """Return the format of a table with this content: "csv", or "csv.gz" if it is gzipped."""
        return f"{content}.gz" if self.is_gzipped else content

    def open(self) -> BinaryIO:
        """Open the bytes from the start, for reading in any order; raises UnreadableFile if they cannot be opened."""
        try:
            content = self._content
            self._latest = io.BytesIO(content) if isinstance(content, bytes) else content.open("rb")
        except OSError as error:
            raise UnreadableFile(f"{self.name} cannot be read: {error.strerror or error}.") from error
        return self._latest

    def share_read(self) -> float:
        """Return the progress of the latest pass over the bytes, in [0, 1]."""
        if self._latest is None or self._latest.closed:
            return 1.0
        return min(1.0, self._latest.tell() / self.size)

    def _unpack(self) -> Path:
        packed = self.size
        with tempfile.NamedTemporaryFile(prefix="faithview-", delete=False) as unpacked, self.open() as stream:
            path = Path(unpacked.name)
            weakref.finalize(self, path.unlink)
            try:
                with gzip.GzipFile(fileobj=stream) as content:
                    while block := content.read(_BLOCK_BYTES):
                        unpacked.write(block)
                        check_unpacked(self.name, packed=packed, unpacked=content.tell())
            except EOFError as error:
                raise UnreadableFile(f"{self.name} is a truncated gzip file; get the whole file.") from error
            except (gzip.BadGzipFile, zlib.error) as error:
                raise UnreadableFile(f"{self.name} is a damaged gzip file: {error}.") from error
        return path


def find_kind(source: Source) -> Kind:
    """Return which reader the file needs, by its content.

    Raises:
        UnreadableFile: it is a kind of file without rows; the text names the kind.
    """
    if source.head.startswith(b"PAR1"):
        return "parquet"
    if source.head.startswith(b"PK\x03\x04"):
        _check_workbook(source)
        return "xlsx"
    start = source.head.lstrip()[:16].lower()
    for other, fault in _OTHERS:
        if start.startswith(other):
            raise UnreadableFile(f"{source.name} {fault}")
    return "text"


def _check_workbook(source: Source) -> None:
    """Refuse another ZIP archive, and one that unpacks to more than any real file; `zipfile` trusts the sizes in it."""
    try:
        with source.open() as stream, zipfile.ZipFile(stream) as archive:
            names, unpacked = archive.namelist(), sum(member.file_size for member in archive.infolist())
    except (zipfile.BadZipFile, ValueError) as error:
        raise UnreadableFile(
            f"{source.name} is a damaged or truncated xlsx or ZIP file ({error}); get the whole file."
        ) from error
    check_unpacked(source.name, packed=source.size, unpacked=unpacked)
    if "xl/workbook.xml" not in names:
        raise UnreadableFile(f"{source.name} looks like a ZIP archive; unpack it; FaithView reads {READABLE}.")


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
        UnreadableFile: binary data, or bytes that do not decode.
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
    with source.open() as stream:
        for block in chain(iter(lambda: stream.read(_BLOCK_BYTES), b""), (b"",)):
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
