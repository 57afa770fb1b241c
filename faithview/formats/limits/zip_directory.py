"""How much a ZIP file lists, read from its last bytes: a list of a million files is not read to be counted."""

import io
import struct
import zipfile
from typing import BinaryIO

from faithview.domain.errors import UnreadableFile
from faithview.formats.limits.ceilings import current, hint

_END = b"PK\x05\x06"
_END_BYTES = 22
_LONGEST_COMMENT = 1 << 16
_LOCATOR = b"PK\x06\x07"
_LOCATOR_BYTES = 20
_END64_BYTES = 56
# A listed file takes 46 bytes and its name. Real names are shorter than this, and some tools add fields.
_BYTES_A_FILE = 1024


def open_zip(stream: BinaryIO, *, name: str) -> zipfile.ZipFile:
    """Open a ZIP file whose list of files is not too long.

    Args:
        stream: the file; it can be read in any order.
        name: what messages call it.

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
    """Return how many files a ZIP file lists by its own word, and how many bytes the list has."""
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
