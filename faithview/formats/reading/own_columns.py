"""Files in another tool's shape that FaithView wrote: its own fields in them, and the rows that follow from these."""

from collections.abc import Mapping
from dataclasses import replace

from faithview.formats.export import from_safe_cell
from faithview.formats.exporters.exporter import PREFIX
from faithview.formats.files.tables import RawRow, Table
from faithview.formats.reading.match import Match
from faithview.formats.reading.own_rows import COLUMNS, MAPPING, own_cells
from faithview.formats.reading.values import as_list, as_object, text_of
from faithview.formats.rows.mapping import Mapping as ColumnMapping
from faithview.formats.rows.paths import value_at

_SIGN = f"{PREFIX}state"
# What an exported data set says of each row.
DATASET_TAGS, DATASET_HELD_OUT = "dataset_tags", "dataset_held_out"
# Objects inside a row, such as `metadata`, hold the fields in most shapes; in none are they deeper.
_DEPTH = 2


def has_own_columns(table: Table) -> bool:
    """Return whether the first row of a table holds fields that FaithView wrote into another tool's shape."""
    return _SIGN in _split(table.first, _DEPTH)[0]


def has_own_fields(values: Mapping[str, object]) -> bool:
    """Return whether an object holds such fields itself."""
    return _SIGN in values


def is_guarded_dataset(table: Table) -> bool:
    """Return whether a table is a data set that FaithView exported as CSV, where apostrophes stand before formulas."""
    return table.format.startswith(("csv", "tsv")) and {DATASET_TAGS, DATASET_HELD_OUT} <= set(table.columns)


def unguarded(table: Table) -> Table:
    """Return such a data set with the texts and the columns' names as they were: the same rows, so the same version."""
    return table.with_rows(
        lambda: (
            RawRow(row.line, {from_safe_cell(name): _unguarded_cell(value) for name, value in row.values.items()})
            if isinstance(row, RawRow)
            else row
            for row in table.rows()
        ),
        unit=table.unit,
        columns=tuple(map(from_safe_cell, table.columns)),
    )


def _unguarded_cell(value: object) -> object:
    return from_safe_cell(value) if isinstance(value, str) else value


def match_own(match: Match) -> Match:
    """Return the match of another tool's file for one that FaithView wrote, and so reads whole."""
    why = f"The fields that begin with {PREFIX!r} are those of `faithview export`."
    return replace(
        match,
        mapping=MAPPING,
        reasons=(*match.reasons, why),
        questions=(),
        has_results=True,
    )


def open_own(table: Table, mapping: ColumnMapping) -> Table:
    """Return the rows as those of FaithView's export; the columns that came with them are columns again.

    Args:
        table: the file with the tool's rows.
        mapping: where the tool's shape has question, answer, reference and chunks.
    """
    rows = table.with_rows(
        lambda: (_own_row(row, mapping) if isinstance(row, RawRow) else row for row in table.rows()), unit=table.unit
    )
    return table.with_rows(rows.read, unit=table.unit, columns=tuple(dict.fromkeys((*COLUMNS, *rows.columns))))


def _own_row(row: RawRow, mapping: ColumnMapping) -> RawRow:
    fields, rest = _split(row.values, _DEPTH)
    own = {name.removeprefix(PREFIX): value for name, value in fields.items()}
    extra = as_object(own.pop("extra", None))
    texts = as_list(value_at(row.values, mapping.contexts[0])) if mapping.contexts else []
    chunks = [as_object(chunk) for chunk in as_list(own.get("chunks"))]
    if len(texts) == len(chunks):
        given: list[object] = [{**chunk, "text": _text(text)} for chunk, text in zip(chunks, texts, strict=True)]
    else:  # somebody has changed the chunks since
        given = list(texts)
    cells = {
        "reference": value_at(row.values, mapping.reference) if mapping.reference else None,
        **own,
        "question": value_at(row.values, mapping.question) if mapping.question else None,
        "answer": value_at(row.values, mapping.answer) if mapping.answer else None,
        "chunks": given,
    }
    used = (mapping.question, mapping.answer, *mapping.contexts, mapping.context_ids, mapping.reference, mapping.score)
    for path in used:
        rest = _without(rest, path) if path else rest
    if mapping.key and text_of(rest.get(mapping.key)) == text_of(own.get("key")):
        rest = _without(rest, mapping.key)
    return RawRow(row.line, own_cells(cells, {**rest, **extra}))


def _split(values: Mapping[str, object], depth: int) -> tuple[dict[str, object], dict[str, object]]:
    """Return FaithView's fields and the other cells; an object in which there are only such fields is no cell."""
    own = {name: value for name, value in values.items() if name.startswith(PREFIX)}
    rest = {name: value for name, value in values.items() if name not in own}
    if depth > 0:
        for name, value in list(rest.items()):
            may_hold = isinstance(value, Mapping) or (isinstance(value, str) and _SIGN in value)
            inner, others = _split(as_object(value), depth - 1) if may_hold else ({}, {})
            if inner:
                own |= inner
                rest[name] = others
                if not others:
                    del rest[name]
    return own, rest


def _text(item: object) -> object:
    return item.get("text") if isinstance(item, Mapping) else item


def _without(cells: dict[str, object], path: str) -> dict[str, object]:
    """Return the cells without the one at a path; an object that holds nothing else is no cell either."""
    if path in cells:
        return {name: value for name, value in cells.items() if name != path}
    name, dot, inner = path.partition(".")
    value = cells.get(name)
    if not dot or not isinstance(value, Mapping) or inner not in value:
        return cells
    others = {key: item for key, item in value.items() if key != inner}
    return {key: item for key, item in {**cells, name: others}.items() if key != name or others}
