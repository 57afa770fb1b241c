"""Small files that unpack, or claim to unpack, to more than a machine has; each is written within seconds."""

import gzip
import io
import struct
import zipfile
from collections.abc import Mapping
from pathlib import Path
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


def far_row(path: Path) -> None:
    """Write a workbook whose second row has the number 999,999,999,999."""
    _workbook(path, [_SHEET + _CELLS % (1, b"answer") + _CELLS % (999_999_999_999, b"At nine.") + _SHEET_END])


def repeated_text(path: Path, *, rows: int = 1_100_000) -> None:
    """Write a parquet file whose answers are one text of a megabyte, which is written once."""
    _write_repeated(path, {"answer": _meant([0] * rows), "contexts": _meant([1] * rows)})


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


def open_quotes(path: Path, *, lines: int = 200_000) -> None:
    """Write CSV in which every line opens a quote that the next line closes and opens again."""
    path.write_bytes(_HEADER + b'x","\n' * lines)


def equal_columns(path: Path, *, columns: int = 40_000) -> None:
    """Write CSV with so many equal column names."""
    path.write_bytes(b",".join([b"a"] * columns) + b"\n" + b",".join([b"1"] * columns) + b"\n")


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
