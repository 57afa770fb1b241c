"""Read a user's file as samples: open it, detect its format, map its columns, read its rows.

    table = open_table(Path("answers.csv"), name="answers.csv")
    detection = detect(table)
    mapping = detection.mapping.override(parse_mapping(["answer=reply"], columns=table.columns))
    report = ReadReport()
    for item in read_rows(table, mapping, report=report):
        ...                                # a Row with its sample, or a RowProblem

Delimited text, JSON Lines and JSON lists are read row by row, parquet in batches, so memory does not grow with the
file.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from faithview.formats.files.columnar import open_parquet, open_xlsx
from faithview.formats.files.delimited import open_delimited
from faithview.formats.files.json_text import open_json, starts_like_json
from faithview.formats.files.source import Source, find_encoding, find_kind
from faithview.formats.files.tables import Table
from faithview.formats.readers.registry import detect as detect
from faithview.formats.reading.reader import Detection as Detection
from faithview.formats.rows.samples import read_rows as read_rows


def open_table(source: Path | bytes, *, name: str, others: Sequence[Path] = ()) -> Table:
    """Open a file by its content; its name is only used in messages.

    A text file is read once from start to end to check its encoding.

    Args:
        source: the file's path, or the bytes.
        name: the file's name in messages.
        others: companion files, for a format in several files (`Table.beside`). Without them, files in
            its folder are used.

    Raises:
        UnreadableFile: the file cannot be read; the text says why in one sentence.
    """
    # With another name, the path is that of a copy, for example of standard input, without companion files.
    folder = source.parent if isinstance(source, Path) and source.name == name else None
    table = _open(Source(source, name=name))
    return replace(table, beside=lambda wanted: _beside(wanted, folder=folder, others=others))


def _open(opened: Source) -> Table:
    kind = find_kind(opened)
    if kind != "text":
        return open_parquet(opened) if kind == "parquet" else open_xlsx(opened)
    encoding = find_encoding(opened)
    return open_json(opened, encoding) if starts_like_json(opened, encoding) else open_delimited(opened, encoding)


def _beside(name: str, *, folder: Path | None, others: Sequence[Path]) -> Table | None:
    """Return the companion file that the user named, by its name or as the only one; else that in the folder."""
    named = [path for path in others if path.name.removesuffix(".gz") == name]
    named = named or (list(others) if len(others) == 1 else [])
    inside = [folder / name, folder / f"{name}.gz"] if folder is not None else []
    path = next((path for path in named or inside if path.is_file()), None)
    return None if path is None else _open(Source(path, name=path.name))
