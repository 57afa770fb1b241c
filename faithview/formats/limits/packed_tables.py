"""What parquet files and Excel workbooks say about themselves, checked before a library believes it."""

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any, BinaryIO

from faithview.domain.errors import UnreadableFile
from faithview.formats.limits.ceilings import current, hint, too_packed
from faithview.formats.limits.zip_directory import open_zip

_MAGIC = b"PAR1"
_FOOTER_END = 8
# A page's description is a few dozen bytes, and longer only where it holds statistics.
_PAGE_HEADER_BYTES = 64
_BLOCK_BYTES = 1 << 20


def check_footer(stream: BinaryIO, *, name: str) -> None:
    """Raise UnreadableFile for a parquet file that is cut short, or whose description of itself is too long."""
    size = stream.seek(0, io.SEEK_END)
    stream.seek(max(0, size - _FOOTER_END))
    tail = stream.read(_FOOTER_END)
    stream.seek(0)
    if len(tail) < _FOOTER_END or not tail.endswith(_MAGIC):
        raise UnreadableFile(f"{name} is a damaged or truncated parquet file: it has no end.")
    (footer,) = struct.unpack("<I", tail[:4])
    limits = current()
    if footer > limits.footer:
        raise UnreadableFile(
            f"{name} is a parquet file that takes {footer:,} bytes to describe itself; it was not read; "
            f"{hint('footer')}."
        )


def check_pages(metadata: Any, stream: BinaryIO, *, name: str) -> int:
    """Return how many bytes of texts that are written once a row may repeat, at most.

    Both are asked: what the file's end says of each column, and what each first page says of itself.

    Args:
        metadata: the file's `pyarrow.parquet.FileMetaData`.
        stream: the file.
        name: what messages call it.

    Raises:
        UnreadableFile: it unpacks to more than any real file does.
    """
    limits = current()
    packed = unpacked = repeated = 0
    for group in range(metadata.num_row_groups):
        for number in range(metadata.num_columns):
            column = metadata.row_group(group).column(number)
            packed += max(0, column.total_compressed_size)
            unpacked += max(0, column.total_uncompressed_size)
            for start in (column.data_page_offset, column.dictionary_page_offset):
                if start is None or not start > 0:
                    continue
                stream.seek(start)
                page = _page_bytes(stream.read(_PAGE_HEADER_BYTES))
                if page is None:
                    continue
                if limits.is_bomb(*page):
                    raise UnreadableFile(too_packed(name))
                if start == column.dictionary_page_offset:
                    values_a_row = column.num_values / max(1, metadata.row_group(group).num_rows)
                    repeated = max(repeated, round(page[1] * values_a_row))
    stream.seek(0)
    if limits.is_bomb(packed, unpacked) or repeated > limits.member:
        raise UnreadableFile(too_packed(name))
    return repeated


def check_workbook(stream: BinaryIO, *, name: str) -> None:
    """Raise UnreadableFile for a workbook with a text that is longer than a line may be.

    XML readers hold a whole text. Two "<" further apart than that have such a text between them.
    """
    most = current().line
    with open_zip(stream, name=name) as archive:
        for member in archive.infolist():
            if member.file_size <= most or not member.filename.startswith("xl/"):
                continue
            since = 0
            for block in _blocks(archive, member, name=name):
                first, last = block.find(b"<"), block.rfind(b"<")
                if since + (len(block) if first < 0 else first) > most:
                    raise UnreadableFile(f"{name} has a cell of more than {most:,} bytes; {hint('line')}.")
                since = since + len(block) if first < 0 else len(block) - last
    stream.seek(0)


def _blocks(archive: zipfile.ZipFile, member: zipfile.ZipInfo, *, name: str) -> Iterator[bytes]:
    try:
        with archive.open(member) as stream:
            while block := stream.read(_BLOCK_BYTES):
                yield block
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError) as error:
        raise UnreadableFile(f"{name} is a damaged Excel workbook: {error}.") from error


def _page_bytes(header: bytes) -> tuple[int, int] | None:
    """Return how many bytes a page has packed and unpacked, by its header in Thrift's compact form.

    The header begins with three whole numbers: the page's kind, its size unpacked and its size packed.
    """
    numbers: list[int] = []
    at = 0
    while len(numbers) < 3:
        if at >= len(header) or header[at] != 0x15:  # a whole number in the next field
            return None
        value, shift, at = 0, 0, at + 1
        while at < len(header):
            byte = header[at]
            value |= (byte & 0x7F) << shift
            shift, at = shift + 7, at + 1
            if byte < 0x80:
                break
        numbers.append((value >> 1) ^ -(value & 1))
    _, unpacked, packed = numbers
    return packed, unpacked
