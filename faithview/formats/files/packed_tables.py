"""Checks the metadata of parquet files and Excel workbooks before a library relies on it."""

import io
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, BinaryIO

from faithview.domain.errors import UnreadableFile
from faithview.formats.limits import current, hint, open_zip, too_packed

_MAGIC = b"PAR1"
_FOOTER_END = 8
# A page header has a few dozen bytes, more only with statistics.
_PAGE_HEADER_BYTES = 64
# The size of a value without its text: a number, or the length prefix of a text.
_NUMBER_BYTES = 8
_LENGTH_BYTES = 4
_ROWS_A_SCAN = 1024
# Lists in files up to this size are always checked, because a file may understate their number of values.
_ALWAYS_SCANNED = 8 << 20
_BLOCK_BYTES = 1 << 20


def check_footer(stream: BinaryIO, *, name: str) -> None:
    """Raise UnreadableFile for a truncated parquet file, or one whose footer is too long."""
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
            f"{name} is a parquet file with a footer of {footer:,} bytes; it was not read; {hint('footer')}."
        )


class UnpackedCells:
    """Counts the unpacked size of a table while it is read: a text that is stored once counts for each use."""

    def __init__(self, stream: BinaryIO, *, name: str) -> None:
        self._packed = stream.seek(0, io.SEEK_END)
        stream.seek(0)
        self._name = name
        self._limits = current()
        self._unpacked = 0

    def add(self, cells: Iterable[object]) -> None:
        """Count the cells of a row; raises UnreadableFile if they exceed the size of any real file."""
        waiting = list(cells)
        while waiting:
            cell = waiting.pop()
            if isinstance(cell, str | bytes):
                self._unpacked += len(cell)
            elif isinstance(cell, Mapping):
                waiting.extend(cell.values())
            elif isinstance(cell, list | tuple):
                waiting.extend(cell)
            else:
                self._unpacked += _NUMBER_BYTES
        if self._limits.is_bomb(self._packed, self._unpacked):
            raise UnreadableFile(too_packed(self._name, self._unpacked))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Repeat:
    """The dictionary of a column of a row group: its texts have `size` bytes in all, and `values` refer to them."""

    group: int
    path: str
    size: int
    values: int
    is_list: bool


def check_pages(metadata: Any, stream: BinaryIO, *, name: str) -> int:
    """Return an upper bound of the bytes of dictionary texts that a row may repeat.

    Both the file's footer and the header of each first page are checked. A text that is stored once counts for each
    use.

    Args:
        metadata: the file's `pyarrow.parquet.FileMetaData`.
        stream: the file.
        name: its name in messages.

    Raises:
        UnreadableFile: it unpacks to more than any real file.
    """
    limits = current()
    packed = unpacked = repeated = 0
    repeats: list[_Repeat] = []
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
                    raise UnreadableFile(too_packed(name, page[1]))
                if start == column.dictionary_page_offset:
                    rows = metadata.row_group(group).num_rows
                    repeated = max(repeated, round(page[1] * column.num_values / max(1, rows)))
                    described = metadata.schema.column(number)
                    values = max(rows, column.num_values)
                    if described.physical_type == "BYTE_ARRAY":
                        is_list = described.max_repetition_level > 0
                        repeat = _Repeat(group=group, path=described.path, size=page[1], values=values, is_list=is_list)
                        repeats.append(repeat)
                    else:  # each value has the same size
                        unpacked += values * max(_NUMBER_BYTES, described.length)
    stream.seek(0)
    if limits.is_bomb(packed, unpacked) or repeated > limits.member:
        raise UnreadableFile(too_packed(name, unpacked))
    _check_repeats(repeats, stream, packed=packed, unpacked=unpacked, name=name)
    return repeated


def _check_repeats(repeats: list[_Repeat], stream: BinaryIO, *, packed: int, unpacked: int, name: str) -> None:
    """Refuse a file whose texts, counted for each use, are more than any real file has.

    First all texts of a column count for each of its values, then its longest one, and then the actual text of each
    value. That requires reading the columns, so it is done only for suspicious files.
    """
    if _are_harmless(repeats, packed=packed, unpacked=unpacked):
        return
    import pyarrow
    import pyarrow.parquet

    limits = current()
    try:
        # Keeps dictionary texts as dictionaries.
        file = pyarrow.parquet.ParquetFile(
            stream,
            pre_buffer=False,
            buffer_size=_BLOCK_BYTES,
            read_dictionary=sorted({repeat.path for repeat in repeats}),
        )
        longest = [replace(repeat, size=_longest(file, repeat)) for repeat in repeats]
        if _are_harmless(longest, packed=packed, unpacked=unpacked):
            return
        for repeat in repeats:
            for column in _columns(file, repeat, rows=_ROWS_A_SCAN):
                meant = _meant(column)
                unpacked += meant
                is_row_too_long = meant > limits.member and any(
                    _meant(column.slice(at, 1)) > limits.member for at in range(len(column))
                )
                if is_row_too_long or limits.is_bomb(packed, unpacked):
                    raise UnreadableFile(too_packed(name, unpacked))
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        raise UnreadableFile(f"{name} is a damaged or truncated parquet file.") from error
    finally:
        stream.seek(0)


def _are_harmless(repeats: list[_Repeat], *, packed: int, unpacked: int) -> bool:
    """Return whether rows and file stay small enough even if each value is the longest text."""
    limits = current()
    meant = [(repeat.size + _LENGTH_BYTES) * repeat.values for repeat in repeats]
    longest_row = max((size for size, repeat in zip(meant, repeats, strict=True) if repeat.is_list), default=0)
    if longest_row and packed < _ALWAYS_SCANNED:
        return False
    return longest_row <= limits.member and not limits.is_bomb(packed, unpacked + sum(meant))


def _columns(file: Any, repeat: _Repeat, *, rows: int) -> Iterator[Any]:
    """Yield a column of a row group, `rows` rows at a time."""
    for batch in file.iter_batches(batch_size=rows, row_groups=[repeat.group], columns=[repeat.path]):
        yield from batch.columns


def _longest(file: Any, repeat: _Repeat) -> int:
    """Return the bytes of the longest text in a column's dictionary."""
    import pyarrow.compute

    first = next(_columns(file, repeat, rows=1), None)
    leaves = [] if first is None else list(_leaves(first))
    if len(leaves) != 1 or not _is_of_texts(leaves[0]):
        return repeat.size
    return int(pyarrow.compute.max(pyarrow.compute.binary_length(leaves[0].dictionary)).as_py() or 0)


def _meant(column: Any) -> int:
    """Return how many bytes the values of a column have, each with its length."""
    import pyarrow.compute

    size = 0
    for leaf in _leaves(column):
        if _is_of_texts(leaf):
            lengths = pyarrow.compute.binary_length(leaf.dictionary)
            size += int(pyarrow.compute.sum(lengths.take(leaf.indices)).as_py() or 0) + _LENGTH_BYTES * len(leaf)
        else:
            size += leaf.nbytes
    return size


def _leaves(column: Any) -> Iterator[Any]:
    """Yield the values inside a column's lists and structures."""
    import pyarrow

    if pyarrow.types.is_struct(column.type):
        for part in column.flatten():
            yield from _leaves(part)
    elif pyarrow.types.is_nested(column.type):
        yield from _leaves(column.flatten())
    else:
        yield column


def _is_of_texts(leaf: Any) -> bool:
    import pyarrow

    if not pyarrow.types.is_dictionary(leaf.type):
        return False
    kind = leaf.type.value_type
    is_text = pyarrow.types.is_string(kind) or pyarrow.types.is_large_string(kind)
    return bool(is_text or pyarrow.types.is_binary(kind) or pyarrow.types.is_large_binary(kind))


def check_workbook(stream: BinaryIO, *, name: str) -> None:
    """Raise UnreadableFile for a workbook with a text that is longer than a line may be.

    XML readers keep a whole text in memory. Two "<" that are further apart have such a text between them.
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
    """Return the packed and unpacked bytes of a page, from its header in Thrift's compact form.

    The header begins with three whole numbers: the page's kind, its unpacked size and its packed size.
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
