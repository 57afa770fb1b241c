"""ZIP archives that a tool writes as one file: their members' names, and one member at a time; nothing is unpacked."""

import io
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from faithview.domain.errors import UnreadableFile
from faithview.domain.optional_packages import require_packages
from faithview.formats.files.source import Source
from faithview.formats.limits.ceilings import current, hint
from faithview.formats.limits.json_value import load_json
from faithview.formats.limits.zip_directory import open_zip

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
                yield self._value(name, self._content(name, archive))

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
        """Return a member that is packed as Inspect packs its logs, which `zipfile` can unpack from Python 3.14 on."""
        require_packages("pyarrow", purpose="Reading a file that is packed with Zstandard")
        import pyarrow

        if member.flag_bits & 1:
            raise zipfile.BadZipFile("it is encrypted")
        stream = archive.fp
        if stream is None:
            raise zipfile.BadZipFile("it was closed")
        stream.seek(member.header_offset)
        header = stream.read(_LOCAL_HEADER_BYTES)
        if len(header) < _LOCAL_HEADER_BYTES:
            raise zipfile.BadZipFile("it is cut short")
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
        """Return a member's JSON value; raises UnreadableFile as `read` does, and where it is no JSON."""
        return self._value(name, self.read(name))

    def _value(self, name: str, content: bytes) -> object:
        try:
            return load_json(content)
        except ValueError as error:
            raise UnreadableFile(f"{name!r} in {self._source.name} cannot be read as JSON: {error}.") from error

    @contextmanager
    def _open(self) -> Iterator[zipfile.ZipFile]:
        with self._source.open_seekable() as stream, open_zip(stream, name=self._source.name) as archive:
            yield archive
