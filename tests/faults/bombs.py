"""Small files that unpack, or claim to unpack, to more than a machine has; each is written within seconds."""

import gzip
import io
import json
import struct
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

_MB = 1 << 20
_GB = 1 << 30
_HEADER = b"question,answer,contexts\n"
_CELLS = b'<row r="%d"><c t="inlineStr"><is><t>%s</t></is></c></row>'
_SHEET = (
    b'<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
)
_SHEET_END = b"</sheetData></worksheet>"
_BOOK = {
    "[Content_Types].xml": '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" '
    'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" '
    'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override '
    'PartName="/xl/worksheets/sheet1.xml" '
    'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>',
    "_rels/.rels": '<?xml version="1.0"?><Relationships '
    'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" '
    'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" '
    'Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": '<?xml version="1.0"?><workbook '
    'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="s" '
    'sheetId="1" r:id="rId1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": '<?xml version="1.0"?><Relationships '
    'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" '
    'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" '
    'Target="worksheets/sheet1.xml"/></Relationships>',
}


def gzip_bomb(path: Path, *, size: int = 10 * _GB) -> None:
    """Write about 10 MB of gzip that unpack to so many bytes of CSV."""
    row = b'When?,At nine.,"It opens at nine."\n'
    member = gzip.compress(row * (10 * _MB // len(row)))
    with path.open("wb") as stream:
        stream.write(gzip.compress(_HEADER))
        for _ in range(size // (10 * _MB)):
            stream.write(member)


def gzip_line(path: Path, *, size: int = _GB) -> None:
    """Write gzip that unpacks to one line of JSON."""
    member = gzip.compress(b"x" * _MB)
    with path.open("wb") as stream:
        stream.write(gzip.compress(b'{"answer": "'))
        for _ in range(size // _MB):
            stream.write(member)


def far_row(path: Path) -> None:
    """Write a workbook whose second row has the number 999,999,999,999."""
    _workbook(path, [_SHEET + _CELLS % (1, b"answer") + _CELLS % (999_999_999_999, b"At nine.") + _SHEET_END])


def far_cells(path: Path, *, rows: int = 50_000) -> None:
    """Write a workbook whose rows have one cell each, in the last column that there is."""
    cells = b"".join(b'<row r="%d"><c r="ZZZ%d"><v>1</v></c></row>' % (row, row) for row in range(1, rows))
    _workbook(path, [_SHEET + cells + _SHEET_END])


def long_cell(path: Path, *, size: int = _GB) -> None:
    """Write a workbook with a cell of so many bytes."""
    start, end = (_CELLS % (2, b"@")).split(b"@")
    block = b"a" * _MB
    _workbook(path, [_SHEET + _CELLS % (1, b"answer") + start, *[block] * (size // _MB), end + _SHEET_END])


def wide_book(path: Path) -> None:
    """Write a workbook whose shared texts unpack to 200 MB, in ten thousand entities of entities."""
    entity = b"".join(b'<!ENTITY e%d "%s">' % (n, b"&e%d;" % (n - 1) * 10) for n in range(1, 10))
    _workbook(
        path,
        [
            b'<?xml version="1.0"?><!DOCTYPE w [<!ENTITY e0 "aaaaaaaaaa">'
            + entity
            + b"]><w><sheetData>&e9;</sheetData></w>"
        ],
    )


def parquet_zeros(path: Path, *, size: int = 10 * _GB) -> None:
    """Write `PAR1` and so many zeros, without taking their room on the disk."""
    with path.open("wb") as stream:
        stream.write(b"PAR1")
        stream.truncate(size)


def parquet_footer(path: Path, *, size: int = 4 * _GB) -> None:
    """Write a parquet file whose description of itself claims to have 2 GB of zeros."""
    with path.open("wb") as stream:
        stream.write(b"PAR1")
        stream.truncate(size)
        stream.seek(size)
        stream.write(struct.pack("<I", 2 * _GB - 16) + b"PAR1")


def parquet_page(path: Path, *, size: int = _GB) -> None:
    """Write a parquet file with one text of so many bytes that packs to a few."""
    import pyarrow
    import pyarrow.parquet

    texts = pyarrow.array(["a" * (size // 4)] * 3)
    table = pyarrow.table({"answer": texts, "contexts": pyarrow.array(["b"] * 3)})
    pyarrow.parquet.write_table(table, path, compression="zstd", use_dictionary=False, write_statistics=False)


def parquet_dictionary(path: Path, *, rows: int = 3_000) -> None:
    """Write a parquet file whose rows all hold one text of a megabyte, which is written once."""
    import pyarrow
    import pyarrow.parquet

    text = "It opens at nine. " * (_MB // 18)
    indices = pyarrow.array([0] * rows, pyarrow.int32())
    texts = pyarrow.DictionaryArray.from_arrays(indices, pyarrow.array([text]))
    table = pyarrow.table({"answer": pyarrow.array(["At nine."] * rows), "contexts": texts})
    pyarrow.parquet.write_table(table, path, compression="zstd", dictionary_pagesize_limit=4 * _MB)


def repeated_text(path: Path, *, rows: int = 1_100_000) -> None:
    """Write a parquet file whose answers are one text of a megabyte, which is written once."""
    _write_repeated(path, {"answer": _meant([0] * rows), "contexts": _meant([1] * rows)})


def repeated_in_a_list(path: Path, *, values: int = 50_000) -> None:
    """Write a parquet file with a thousand short rows and one whose list means one text of a megabyte so often."""
    import pyarrow

    offsets = pyarrow.array([*range(1_000), 999 + values], pyarrow.int32())
    lists = pyarrow.ListArray.from_arrays(offsets, _meant([1] * 999 + [0] * values))
    _write_repeated(path, {"answer": pyarrow.array(["At nine."] * 1_000), "contexts": lists})


def understated_list(path: Path, *, values: int = 50_000) -> None:
    """Write the same with an end that says there are 8,192 values."""
    repeated_in_a_list(path, values=values)
    content = path.read_bytes()
    start = len(content) - 8 - struct.unpack("<I", content[-8:-4])[0]
    end = content[start:-8].replace(_thrift(values + 999), _thrift(8_192))
    path.write_bytes(content[:start] + end + content[-8:])


def _thrift(number: int) -> bytes:
    number, found = number << 1, []
    while number > 0x7F:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*found, number])


def _meant(indices: list[int]) -> Any:
    import pyarrow

    texts = pyarrow.array(["It opens at nine. " * (_MB // 18), "At nine."])
    return pyarrow.DictionaryArray.from_arrays(pyarrow.array(indices, pyarrow.int32()), texts)


def _write_repeated(path: Path, columns: Mapping[str, Any]) -> None:
    import pyarrow
    import pyarrow.parquet

    table = pyarrow.table(dict(columns))
    pyarrow.parquet.write_table(table, path, compression="zstd", dictionary_pagesize_limit=4 * _MB, store_schema=False)


def shared_text(path: Path, *, cells: int = 120_000) -> None:
    """Write a workbook with one shared text of 32,000 characters in so many cells."""
    names = b"".join(b'<c t="inlineStr"><is><t>%s</t></is></c>' % name for name in (b"answer", b"contexts"))
    title = b'<row r="1">' + names + b"</row>"
    row = b'<row r="%d"><c t="s"><v>0</v></c><c t="s"><v>0</v></c></row>'
    rows = b"".join(row % number for number in range(2, cells // 2 + 2))
    _workbook(path, [_SHEET + title + rows + _SHEET_END])
    text = b"It opens at nine. " * (32_000 // 18)
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    kinds = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts["xl/sharedStrings.xml"] = b'<sst xmlns="%s"><si><t>%s</t></si></sst>' % (main.encode(), text)
    parts["[Content_Types].xml"] = parts["[Content_Types].xml"].replace(
        b"</Types>",
        b'<Override PartName="/xl/sharedStrings.xml" ContentType="application/'
        b'vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/></Types>',
    )
    parts["xl/_rels/workbook.xml.rels"] = parts["xl/_rels/workbook.xml.rels"].replace(
        b"</Relationships>",
        b'<Relationship Id="rId2" Type="%s/sharedStrings" Target="sharedStrings.xml"/></Relationships>'
        % kinds.encode(),
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)


def zip_members(path: Path, *, members: int = 1_000_000) -> None:
    """Write a ZIP file that lists a million files."""
    name = b"%07d"
    entry = struct.Struct("<4s4B4HL2L5H2L")
    with path.open("wb") as stream:
        stream.write(b"PK\x03\x04" + bytes(26))
        start = stream.tell()
        for number in range(members):
            stream.write(
                entry.pack(b"PK\x01\x02", 20, 0, 20, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0) + name % number
            )
        size = stream.tell() - start
        end64 = stream.tell()
        stream.write(struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, members, members, size, start))
        stream.write(struct.pack("<4sLQL", b"PK\x06\x07", 0, end64, 1))
        stream.write(struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0))


def nested_zip(path: Path, *, levels: int = 1_000) -> None:
    """Write a ZIP file in a ZIP file, and so on."""
    content = b'{"answer": "At nine."}'
    for level in range(levels):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(f"{level}.zip", content)
        content = packed.getvalue()
    path.write_bytes(content)


def zip_of_zeros(path: Path, *, size: int = 10 * _GB) -> None:
    """Write a ZIP file with a JSON file of so many zeros, as tools pack their logs."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("header.json", '{"version": 2, "status": "success", "eval": {}}')
    _append(path, "samples/1_epoch_1.json", [b"0" * _MB] * (size // _MB))


def endless_json(path: Path, *, size: int = _GB) -> None:
    """Write a JSON list whose first item never ends."""
    with path.open("wb") as stream:
        stream.write(b'[{"answer": "')
        for _ in range(size // _MB):
            stream.write(b"x" * _MB)


def long_line(path: Path, *, size: int = _GB) -> None:
    """Write CSV whose second line never ends."""
    with path.open("wb") as stream:
        stream.write(_HEADER)
        for _ in range(size // _MB):
            stream.write(b"x" * _MB)


def open_quotes(path: Path, *, lines: int = 200_000) -> None:
    """Write CSV in which every line opens a quote that the next line closes and opens again."""
    path.write_bytes(_HEADER + b'x","\n' * lines)


def equal_columns(path: Path, *, columns: int = 40_000) -> None:
    """Write CSV with so many equal column names."""
    path.write_bytes(b",".join([b"a"] * columns) + b"\n" + b",".join([b"1"] * columns) + b"\n")


def many_columns(path: Path, *, columns: int = 2_000_000) -> None:
    """Write CSV with so many columns."""
    path.write_bytes(b",".join(b"c%d" % number for number in range(columns)) + b"\n1\n")


def many_keys(path: Path, *, rows: int = 1_000) -> None:
    """Write JSON Lines in which every row has a thousand keys of its own."""
    with path.open("w") as stream:
        for row in range(rows):
            keys = {f"k{row}_{number}": 1 for number in range(1_000)}
            stream.write(json.dumps({"answer": "a", "contexts": ["b"], **keys}) + "\n")


def wide_document(path: Path, *, size: int = 100 * _MB) -> None:
    """Write a JSON object of lists in lists, each as wide as the file is long."""
    path.write_bytes(b'{"a": [' + b"[]," * (size // 3) + b"[]]}")


def _workbook(path: Path, sheet: list[bytes]) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in _BOOK.items():
            archive.writestr(name, text)
    _append(path, "xl/worksheets/sheet1.xml", sheet)


def _append(path: Path, name: str, blocks: list[bytes]) -> None:
    with (
        zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open(name, "w", force_zip64=True) as stream,
    ):
        for block in blocks:
            stream.write(block)


BOMBS: Mapping[str, Callable[[Path], None]] = MappingProxyType(
    {
        "far-row.xlsx": far_row,
        "far-cells.xlsx": far_cells,
        "long-cell.xlsx": long_cell,
        "entities.xlsx": wide_book,
        "10-gb.csv.gz": gzip_bomb,
        "one-line.jsonl.gz": gzip_line,
        "zeros.parquet": parquet_zeros,
        "footer.parquet": parquet_footer,
        "page.parquet": parquet_page,
        "dictionary.parquet": parquet_dictionary,
        "repeated.parquet": repeated_text,
        "repeated-list.parquet": repeated_in_a_list,
        "understated.parquet": understated_list,
        "shared-text.xlsx": shared_text,
        "members.zip": zip_members,
        "nested.zip": nested_zip,
        "zeros.eval": zip_of_zeros,
        "endless.json": endless_json,
        "long-line.csv": long_line,
        "open-quotes.csv": open_quotes,
        "equal-columns.csv": equal_columns,
        "many-columns.csv": many_columns,
        "many-keys.jsonl": many_keys,
        "wide.json": wide_document,
    }
)
