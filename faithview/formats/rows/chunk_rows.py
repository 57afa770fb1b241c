"""Tables with one row per retrieved chunk or step, whose rows are joined into answers."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from faithview.formats.files.aliases import fold_name
from faithview.formats.files.report import RowProblem
from faithview.formats.files.tables import RawRow, RawRows, Table
from faithview.formats.rows.cells import is_missing, parsed, value_at
from faithview.formats.rows.contexts import CHUNK_TEXT_KEYS, is_plain_text
from faithview.formats.rows.mapping import Mapping as ColumnMapping

_HALF = 0.5
# Columns that identify the chunk of an answer in a row.
_OF_CHUNK = re.compile(
    r"(.*_)?(rank|position|chunk|passage|doc|document|context|node|hit|similarity|distance|page|title|url|source"
    r"|section|file|filename|rang|quelle|titel|seite|fuente|pasaje|fragmento)"
    r"(_(id|ids|no|nr|number|num|index|idx|rank|score|name|title|url|source|page|type|date))*|score|k|n|index"
)


def has_chunk_rows(head: Sequence[RawRow], mapping: ColumnMapping) -> bool | None:
    """Return whether a file has one row per chunk, judged by its first rows; None if it may have.

    It has if most rows share their question and answer with another row that has another chunk, and they differ only in
    columns about a chunk. If they differ in more, or the question is not known, they may be several answers.
    """
    if mapping.answer is None or len(mapping.contexts) != 1:
        return False
    (column,) = mapping.contexts
    cells = [row.values.get(column) for row in head]
    if not all(is_missing(cell) or (isinstance(cell, str) and is_plain_text(cell)) for cell in cells):
        return False
    groups = [group for group in _answers(head, mapping) if len(_values(column, group)) == len(group) > 1]
    if not groups or sum(map(len, groups)) < _HALF * len(head):
        return False
    if not all(_question_and_answer(group[0], mapping)[0] for group in groups):
        return None
    others = {name for name in _columns(groups) if not _OF_CHUNK.fullmatch(fold_name(name))}
    others -= {column, mapping.question, mapping.answer}
    # A cell that is filled only in the first row of each answer applies to the others.
    is_told = any(len(_values(name, group) - {""}) > 1 for name in others for group in groups)
    return None if is_told else True


def joined_rows(table: Table, mapping: ColumnMapping) -> RawRows:
    """Yield one row per answer, made of the rows with its question and answer.

    The whole file is read before the first row, because rows of one answer may be far apart; problems come first.

    A chunk is an object with its text and with the cells that differ between the rows of one answer. Everything else is
    as in the first of these rows.
    """
    (column,) = mapping.contexts
    kept = {*mapping.columns, mapping.score, mapping.hallucination, mapping.claims, mapping.error, mapping.judge}
    rows = []
    for row in table.rows():
        if isinstance(row, RowProblem):
            yield row
        else:
            rows.append(row)
    answers = _answers(rows, mapping)
    moved = {name for name in _columns(answers) - kept if any(len(_values(name, group)) > 1 for group in answers)}
    for group in answers:
        with_chunk = [row.values for row in group if not is_missing(row.values.get(column))]
        values = {name: value for name, value in group[0].values.items() if name not in moved}
        if mapping.context_ids in values:
            values[mapping.context_ids] = [cells.get(mapping.context_ids) for cells in with_chunk]
        chunks = []
        for cells in with_chunk:
            own = {name: value for name, value in cells.items() if name in moved and not is_missing(value)}
            chunks.append({**own, "text": cells[column]})
        yield RawRow(group[0].line, {**values, column: chunks})


def _answers(rows: Iterable[RawRow], mapping: ColumnMapping) -> list[list[RawRow]]:
    """Return the rows of each answer, in the order of their first ones.

    An empty cell of the question or the answer means that of the row above, as in a sheet with merged cells.
    """
    answers: dict[object, list[RawRow]] = {}
    above = ("", "")
    for row in rows:
        question, answer = _question_and_answer(row, mapping)
        has_chunk = not is_missing(row.values.get(mapping.contexts[0]))
        if not (above[1] and (question or answer or has_chunk) and (question or above[0], answer or above[1]) == above):
            above = (question, answer)
        # A row without an answer has a problem of its own.
        answers.setdefault(above if above[1] else row.line, []).append(row)
    return list(answers.values())


def _question_and_answer(row: RawRow, mapping: ColumnMapping) -> tuple[str, str]:
    return _line(value_at(row.values, mapping.question or "")), _line(value_at(row.values, mapping.answer or ""))


def _columns(groups: Iterable[Sequence[RawRow]]) -> set[str]:
    return {name for group in groups for row in group for name in row.values}


def _values(name: str, group: Iterable[RawRow]) -> set[str]:
    """Return the different cells of a column."""
    return {_line(row.values.get(name)) for row in group}


def _line(value: object) -> str:
    return "" if is_missing(value) else " ".join(str(value).split())


# Shorter texts occur in many cells by chance.
_MIN_WORDS = 3


def holds_answer(column: str, mapping: ColumnMapping, head: Sequence[RawRow]) -> bool:
    """Return whether the column has the answer's own text and so cannot be the chunks, judged by the first rows.

    A chunk may contain all words of an answer. A column has the answer itself if in half of the rows a text in it is
    equal to it, or is the whole conversation: the question and the answer.
    """
    hits = []
    for row in head:
        question, answer = (text.lower() for text in _question_and_answer(row, mapping))
        texts = [_line(text).lower() for text in _texts(row.values.get(column))]
        if texts and len(answer.split()) >= _MIN_WORDS:
            is_told = bool(question) and any(question in text and answer in text for text in texts)
            hits.append(answer in texts or is_told)
    return bool(hits) and sum(hits) >= _HALF * len(hits)


def _texts(value: object) -> Iterator[str]:
    """Yield the texts in a cell: of an object that can be a chunk its text, of another one all."""
    value = parsed(value)
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, Mapping):
        text = next((value[key] for key in CHUNK_TEXT_KEYS if isinstance(value.get(key), str)), None)
        yield from _texts(list(value.values()) if text is None else text)
