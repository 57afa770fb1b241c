"""Tables with one row per retrieved chunk or step, whose rows are joined into answers."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from faithview.formats.files.aliases import find_columns, fold_name
from faithview.formats.files.report import RowProblem
from faithview.formats.files.tables import RawRow, RawRows, Table
from faithview.formats.rows.cells import TEXT_KEYS, BadCell, as_text, is_missing, parsed, value_at
from faithview.formats.rows.contexts import has_text, is_plain_text
from faithview.formats.rows.mapping import Mapping as ColumnMapping

_OFTEN = 0.5
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
    groups = [group for group in _groups_in(head, mapping) if _have_different(group, column)]
    if not groups or sum(map(len, groups)) < _OFTEN * len(head):
        return False
    differing = _differing(groups) - {column, mapping.question, mapping.answer}
    of_rows = {name for name in differing if not _OF_CHUNK.fullmatch(fold_name(name))}
    # A cell that is filled only in the first row of each answer applies to the others.
    of_rows -= {name for name in of_rows if not any(_is_filled(name, group[1:]) for group in groups)}
    is_numbered = of_rows == {mapping.key} and len(differing) > 1
    has_question = all(_question_and_answer(group[0], mapping)[0] for group in groups)
    return True if has_question and (not of_rows or is_numbered) else None


def joined_rows(table: Table, mapping: ColumnMapping) -> RawRows:
    """Yield one row per answer, made of the rows with its question and answer.

    The whole file is read before the first row, because rows of one answer may be far apart; problems come first.

    A chunk is an object with its text and with the cells that differ between the rows of one answer. Everything else is
    as in the first of these rows.
    """
    (column,) = mapping.contexts
    kept = {*mapping.columns, mapping.score, mapping.hallucination, mapping.claims, mapping.error, mapping.judge}
    moved = _differing(_groups_in(table.head, mapping)) - kept
    for group in _answers(table.rows(), mapping):
        if isinstance(group, RowProblem):
            yield group
            continue
        first = group[0]
        with_chunk = [row.values for row in group if not is_missing(row.values.get(column))]
        own = [{name: values[name] for name in moved if not is_missing(values.get(name))} for values in with_chunk]
        values = {name: value for name, value in first.values.items() if name not in moved}
        if mapping.context_ids in values:
            values[mapping.context_ids] = [cells.get(mapping.context_ids) for cells in with_chunk]
        chunks = [{**more, "text": cells[column]} for more, cells in zip(own, with_chunk, strict=True)]
        yield RawRow(first.line, {**values, column: chunks})


def _groups_in(head: Sequence[RawRow], mapping: ColumnMapping) -> list[list[RawRow]]:
    """Return the groups of several rows among the first ones."""
    return [group for group in _answers(head, mapping) if isinstance(group, list) and len(group) > 1]


def _answers(rows: Iterable[RawRow | RowProblem], mapping: ColumnMapping) -> Iterator[list[RawRow] | RowProblem]:
    """Yield the rows of each answer, in the order of their first ones; problems come first."""
    answers: dict[object, list[RawRow]] = {}
    for group in _groups(rows, mapping):
        if isinstance(group, RowProblem):
            yield group
            continue
        named = _question_and_answer(group[0], mapping)
        # A row without an answer has a problem of its own.
        answers.setdefault(named if named[1] else group[0].line, []).extend(group)
    yield from answers.values()


def _groups(rows: Iterable[RawRow | RowProblem], mapping: ColumnMapping) -> Iterator[list[RawRow] | RowProblem]:
    """Yield groups of consecutive rows with the same question and answer, and problems unchanged."""
    group: list[RawRow] = []
    for row in rows:
        if isinstance(row, RowProblem):
            yield row
        elif group and _continues(row, group[0], mapping):
            group.append(row)
        else:
            if group:
                yield group
            group = [row]
    if group:
        yield group


def _continues(row: RawRow, first: RawRow, mapping: ColumnMapping) -> bool:
    """Return whether a row has a further chunk of the first one's answer; its other cells are equal or empty."""
    question, answer = _question_and_answer(row, mapping)
    of_first = _question_and_answer(first, mapping)
    if not of_first[1] or (question or of_first[0], answer or of_first[1]) != of_first:
        return False
    return bool(question) or bool(answer) or _is_filled(mapping.contexts[0], [row])


def _question_and_answer(row: RawRow, mapping: ColumnMapping) -> tuple[str, str]:
    question, answer = (_line(value_at(row.values, path or "")) for path in (mapping.question, mapping.answer))
    return question, answer


def _line(value: object) -> str:
    return "" if is_missing(value) else " ".join(str(value).split())


def _have_different(group: Sequence[RawRow], column: str) -> bool:
    return len({_line(row.values.get(column)) for row in group}) == len(group)


def _differing(groups: Iterable[Sequence[RawRow]]) -> set[str]:
    """Return the columns with different cells within a group."""
    return {
        name for group in groups for name in group[0].values if len({_line(row.values.get(name)) for row in group}) > 1
    }


def _is_filled(name: str, rows: Iterable[RawRow]) -> bool:
    return any(not is_missing(row.values.get(name)) for row in rows)


# Shorter texts occur in many cells by chance.
_MIN_WORDS = 3
_HALF = 0.5
_MOST_LEVELS = 12


def without_answers(mapping: ColumnMapping, head: Sequence[RawRow]) -> tuple[str, ...]:
    """Return the columns of the contexts without those with the answer's own text in their objects."""
    if mapping.answer is None:
        return mapping.contexts
    return tuple(column for column in mapping.contexts if not _in_objects(column, mapping.answer, head))


def holds_answer(column: str, mapping: ColumnMapping, head: Sequence[RawRow]) -> bool:
    """Return whether the column has the answer's own text and so cannot be the chunks, judged by the head.

    A chunk may contain all words of an answer. A column has the answer itself if its cells are equal to it, if they are
    texts with both the question and the answer, or if an object in them has it under another key than the text of a
    chunk.
    """
    if mapping.answer is None or mapping.answer == column:
        return False
    if _in_objects(column, mapping.answer, head):
        return True
    pairs = [
        (_comparable_text(row, mapping.answer), _comparable_text(row, mapping.question), _comparable_text(row, column))
        for row in head
    ]
    told = [(answer, question, cell) for answer, question, cell in pairs if answer and cell]
    hits = [cell == answer or bool(question and question in cell and answer in cell) for answer, question, cell in told]
    return (bool(hits) and sum(hits) >= _HALF * len(hits)) or _is_item(column, mapping.answer, head)


def _is_item(column: str, answer: str, head: Sequence[RawRow]) -> bool:
    """Return whether one of the texts in the column's lists is equal to the answer in each of several rows."""
    rows = [(text, parsed(row.values.get(column))) for row in head if (text := _comparable_text(row, answer))]
    lists = [(text, cell) for text, cell in rows if isinstance(cell, list | tuple)]
    return len(lists) > 1 and all(any(_folded(_item_text(item)) == text for item in cell) for text, cell in lists)


def _item_text(item: object) -> str:
    try:
        return as_text(item, what="item") or ""
    except BadCell:
        return ""


def _in_objects(column: str, answer: str, head: Sequence[RawRow]) -> bool:
    return any(
        bool(text := _comparable_text(row, answer))
        and _has_own(parsed(row.values.get(column)), text, is_answer=False, level=0)
        for row in head
    )


def _has_own(value: object, answer: str, *, is_answer: bool, level: int) -> bool:
    """Return whether the answer is in a value, outside any possible chunk."""
    value = parsed(value)
    if isinstance(value, str):
        return is_answer and answer in _folded(value)
    if level > _MOST_LEVELS:
        return False
    if isinstance(value, list | tuple):
        return any(_has_own(item, answer, is_answer=is_answer, level=level + 1) for item in value)
    if not isinstance(value, Mapping) or (has_text(value) and not _is_message(value) and not is_answer):
        return False
    return any(
        _has_own(
            inner,
            answer,
            is_answer=isinstance(parsed(inner), str) or bool(find_columns("answer", [str(key)])),
            level=level + 1,
        )
        for key, inner in value.items()
    )


def _is_message(value: Mapping[object, object]) -> bool:
    return "role" in value or str(value.get("type")).lower() in ("ai", "human", "assistant", "user")


def _comparable_text(row: RawRow, path: str | None) -> str:
    """Return a cell as text in lower case with single spaces; "" if it is not a text or too short to compare."""
    value = None if path is None else value_at(row.values, path)
    if isinstance(value, list | tuple) and len(value) == 1:
        value = value[0]
    if isinstance(value, Mapping):
        value = next((value[key] for key in TEXT_KEYS if isinstance(value.get(key), str)), None)
    try:
        text = "" if is_missing(value) else _folded(as_text(value, what="cell") or "")
    except BadCell:
        return ""
    return text if len(text.split()) >= _MIN_WORDS else ""


def _folded(text: str) -> str:
    return " ".join(text.split()).lower()
