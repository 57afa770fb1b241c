"""Tables with one row per retrieved chunk or step, whose rows are joined into answers."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from faithview.formats.files.aliases import find_columns, fold_name
from faithview.formats.files.report import RowProblem
from faithview.formats.files.tables import RawRow, RawRows, Table
from faithview.formats.rows.cells import TEXT_KEYS, is_missing, parsed, value_at
from faithview.formats.rows.contexts import has_text, is_plain_text
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


def without_answers(mapping: ColumnMapping, head: Sequence[RawRow]) -> tuple[str, ...]:
    """Return the columns of the contexts without those with the answer's own text in their objects."""
    rows = [(row, answer) for row in head if (answer := _comparable(row, mapping.answer))]
    return tuple(
        column
        for column in mapping.contexts
        if not any(is_own and answer in text for row, answer in rows for text, is_own in _texts(row.values.get(column)))
    )


def holds_answer(column: str, mapping: ColumnMapping, head: Sequence[RawRow]) -> bool:
    """Return whether the column has the answer's own text and so cannot be the chunks, judged by the head.

    A chunk may contain all words of an answer. A column has the answer itself if an object in it has it under another
    key than the text of a chunk, or if in half of the rows a text is equal to it, or is the whole conversation: the
    question and the answer.
    """
    if mapping.answer is None or mapping.answer == column:
        return False
    if not without_answers(mapping.override({"contexts": (column,)}), head):
        return True
    hits = []
    for row in head:
        answer, question = _comparable(row, mapping.answer), _comparable(row, mapping.question)
        texts = [text for text, _ in _texts(row.values.get(column))]
        if answer and texts:
            is_told = bool(question) and any(question in text and answer in text for text in texts)
            hits.append(answer in texts or is_told)
    return bool(hits) and sum(hits) >= _HALF * len(hits)


def _texts(value: object, *, is_own: bool = False) -> Iterator[tuple[str, bool]]:
    """Yield the texts in a cell as `_folded`, and whether each is a value of a step or a message and no chunk."""
    value = parsed(value)
    if isinstance(value, str):
        yield _folded(value), is_own
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item, is_own=is_own)
    elif isinstance(value, Mapping):
        if has_text(value) and not is_own and not _is_message(value):
            yield _folded(_text_in(value)), False
            return
        for key, inner in value.items():
            is_step = isinstance(parsed(inner), str) or bool(find_columns("answer", [str(key)]))
            yield from _texts(inner, is_own=is_step)


def _is_message(value: Mapping[object, object]) -> bool:
    return "role" in value or str(value.get("type")).lower() in ("ai", "human", "assistant", "user")


def _text_in(value: Mapping[object, object]) -> str:
    return next((text for key in TEXT_KEYS if isinstance(text := value.get(key), str)), "")


def _comparable(row: RawRow, path: str | None) -> str:
    """Return a cell's text as `_folded`; "" if it is not a text or too short to compare."""
    value = None if path is None else value_at(row.values, path)
    if isinstance(value, list | tuple) and len(value) == 1:
        value = value[0]
    if isinstance(value, Mapping):
        value = _text_in(value)
    text = _folded(value) if isinstance(value, str) else ""
    return text if len(text.split()) >= _MIN_WORDS else ""


def _folded(text: str) -> str:
    """Return a text in lower case with single spaces."""
    return " ".join(text.split()).lower()
