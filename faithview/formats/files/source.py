"""The bytes of a file, from a path or from memory, without gzip; and the kind of the file."""

import gzip
import io
import re
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Literal, TypeAlias, cast

from faithview.domain.errors import UnreadableFile
from faithview.formats.limits.ceilings import current, too_packed
from faithview.formats.limits.zip_directory import open_zip

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
    """Return a file's name without its ending, if that is one of a file of rows: "ragas-0.4.jsonl.gz" is "ragas-0.4".

    Other dots belong to the name.
    """
    return _ENDING.sub("", name)


@dataclass(frozen=True, slots=True, kw_only=True, weakref_slot=True)
class HeldFile:
    """A file that lies on disk as long as this object is held, an upload say; then whoever made it deletes it.

    Attributes:
        path: where it is; its name there means nothing, and no file beside it belongs to it.
        size: in bytes.
        digest: the SHA-256 of the bytes, in hexadecimal digits.
    """

    path: Path
    size: int
    digest: str


class Source:
    """A file that can be read any number of times.

    Args:
        content: the file's path, a file that is held for as long as this object is, or the bytes.
        name: what messages call it.

    Raises:
        UnreadableFile: it does not exist, cannot be opened, is empty or is a gzip file that is cut short.
    """

    def __init__(self, content: Path | HeldFile | bytes, *, name: str) -> None:
        self.name = name
        self._held = content  # a held file stays for as long as it can be read from here
        self._content: Path | bytes = content.path if isinstance(content, HeldFile) else content
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
        """Open the bytes, decompressed, so that they can be read in any order.

        Raises:
            UnreadableFile: the compressed bytes are damaged or cut short.
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
                # What has been unpacked so far is held against what has been read for it: a bomb is known at once.
                if isinstance(stream, _ClosingGzip) and current().is_bomb(stream.packed_bytes(), count):
                    raise UnreadableFile(too_packed(self.name))
                yield block

    @property
    def path(self) -> Path | None:
        """Where the bytes lie as they are; None for a gzipped file and for bytes in memory."""
        return self._content if isinstance(self._content, Path) and not self.is_gzipped else None

    def share_read(self) -> float:
        """Return how far the pass over the bytes is that was begun last, in [0, 1]."""
        try:
            size = len(self._content) if isinstance(self._content, bytes) else self._content.stat().st_size
            return min(1.0, self._reading.tell() / size) if self._reading is not None else 0.0
        except ValueError:  # it has ended and is closed
            return 1.0

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Turn what can go wrong while bytes are read into one clear sentence."""
        try:
            yield
        except EOFError as error:
            raise UnreadableFile(f"{self.name} is a gzip file that is cut short; get the whole file.") from error
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
