"""Files of tools that record traces, in one way for all of them: a trace is one answer.

A tool says what each record of its file is about (`Part`), how a step and a score are written, and by which columns a
file is known (`TraceTool`). The parts of a trace are joined here, in any order, and become a row with the question,
the answer, the chunks and a column for each score.
"""

import fnmatch
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain

from faithview.domain.sample import Chunk
from faithview.formats.files.aliases import fold_name
from faithview.formats.files.report import RowProblem, Unit, preview_of
from faithview.formats.files.tables import RawRow, RawRows, Table
from faithview.formats.reading.named_scores import NamedScore, judged_by_names, score_cells
from faithview.formats.reading.objects import map_chunks
from faithview.formats.reading.reader import Judged, Match, Question, Reader, Row
from faithview.formats.reading.score_columns import pick_score
from faithview.formats.reading.values import as_list, as_object, text_of
from faithview.formats.rows.cells import BadCell, is_missing
from faithview.formats.rows.mapping import Mapping as ColumnMapping
from faithview.formats.spans.steps import Step, answer_in, from_outside, text_in

QUESTION, ANSWER, CONTEXTS, REFERENCE, MODEL_COLUMN = "question", "answer", "contexts", "reference", "model"
_STEPS_LEFT_OUT = "The steps of a trace are not stored with its answer by default (--map ignore= keeps them)."
Record = Mapping[str, object]


@dataclass(slots=True, kw_only=True)
class Part:
    """What one record of a file says about a trace, or what all of them say together.

    Attributes:
        line: the record's line; 0 if it is in another file.
        trace_id: the trace's id; "" for a trace that is whole in this record, and for scores that only name a step.
        about: the step that the scores are about, if they name no trace.
        values: the trace's own data.
        right: the right answer, or an output in which it is.
        steps: the steps, as the tool wrote them.
        scores: the scores, as the tool wrote them.
    """

    line: int = 0
    trace_id: str = ""
    about: str = ""
    values: dict[str, object] = field(default_factory=dict)
    right: object = None
    steps: list[Record] = field(default_factory=list)
    scores: list[Record] = field(default_factory=list)

    def add(self, part: "Part") -> None:
        """Add what another record says about the same trace."""
        self.values.update(part.values)
        self.steps.extend(part.steps)
        self.scores.extend(part.scores)


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceTool:
    """A tool that records traces, or one of its kinds of files.

    Attributes:
        name: the name of the format.
        title: its displayed name; the tool's name is before a bracket.
        signs: the columns that a file of the tool has, for each kind of file; in snake case, "context.span_id" for a
            key in the objects of a column, with `*` for any characters.
        parts: what a record says about traces; raises BadCell if it cannot be used.
        step: reads a step.
        score: reads a score.
        of_root: the trace's data in its outermost step.
        prefix: of the columns with scores.
        steps, scores: the columns with the steps and the scores as the tool wrote them.
        asked, gave: the columns with the input and the output of the whole trace.
        keys, references, timestamps: columns with the trace's id, the right answer and its time, the best first.
        objects: columns in which chunks are looked for if nothing was retrieved in a step.
        hallucination: the name of the tool's own score of which more is worse.
        beside: the usual name of another file with the scores.
    """

    name: str
    title: str
    signs: Sequence[AbstractSet[str]]
    parts: Callable[[Record], Iterator[Part]]
    step: Callable[[Record], Step] = lambda _: Step(step_id="")
    score: Callable[[Record], NamedScore] = lambda _: NamedScore(name="", value=None)
    of_root: Callable[[Record], Record] = lambda _: {}
    prefix: str = "score."
    steps: str = "spans"
    scores: str = "scores"
    asked: str = "input"
    gave: str = "output"
    keys: Sequence[str] = ("id",)
    references: Sequence[str] = ()
    timestamps: Sequence[str] = ()
    objects: Sequence[str] = ()
    hallucination: str = ""
    beside: str = ""


def objects_in(value: object) -> list[Record]:
    """Return the objects in a list, which may be a text; ids and other values in it are left out."""
    return [item for item in map(as_object, as_list(value)) if item]


def reader_of(tool: TraceTool) -> Reader:
    """Return the reader of the tool's files."""
    return Reader(
        name=tool.name,
        title=tool.title,
        recognise=partial(_recognise, tool),
        open=partial(_open, tool),
        judged=partial(_judged, tool),
    )


def _recognise(tool: TraceTool, table: Table) -> Match | None:
    if not _is_one_record(tool, table) and not _is_from(tool, table.columns, [row.values for row in table.head]):
        return None
    opened = _open(tool, table)

    def first_of(*names: str) -> str | None:
        return next((name for name in names if name in opened.columns), None)

    models = {text_of(row.values.get(MODEL_COLUMN)) for row in opened.head}
    mapping = ColumnMapping(
        question=QUESTION if _is_filled(QUESTION, opened) else None,
        answer=ANSWER if _is_filled(ANSWER, opened) else None,
        key=first_of(*tool.keys),
        segment=MODEL_COLUMN if len(models) > 1 else None,
        reference=first_of(REFERENCE, *tool.references),
        timestamp=first_of(*tool.timestamps, "timestamp"),
        ignore=(tool.steps,) if tool.steps in opened.columns else (),
    )
    asked: tuple[Question, ...] = ()
    if _is_filled(CONTEXTS, opened):
        mapping = replace(mapping, contexts=(CONTEXTS,))
    else:  # nothing was retrieved in a step; the chunks may be in an input or an output
        mapping, asked = map_chunks(opened.head, mapping, tool.objects)
    scores = [name for name in opened.columns if name.startswith(tool.prefix)]
    mapping, questions = pick_score(
        scores, opened.head, mapping, tool=_tool_name(tool), hallucination=f"{tool.prefix}{tool.hallucination}"
    )
    return Match(
        mapping=mapping,
        questions=(*asked, *questions),
        warnings=(_STEPS_LEFT_OUT,) if mapping.ignore else (),
        has_results=bool(scores),
    )


def _is_filled(column: str, table: Table) -> bool:
    return any(row.values.get(column) not in (None, []) for row in table.head)


def _tool_name(tool: TraceTool) -> str:
    return tool.title.partition(" (")[0]


def _is_one_record(tool: TraceTool, table: Table) -> bool:
    """Return whether the whole file is one record; other formats would take a list in it for the rows."""
    return table.document is not None and _is_from(tool, list(table.document), [table.document])


def _is_from(tool: TraceTool, columns: Sequence[str], records: Sequence[Record]) -> bool:
    names = {".".join(map(fold_name, column.split(".", 1))) for column in columns}
    inside = {sign.partition(".")[0] for signs in tool.signs for sign in signs if "." in sign}
    for column in columns:
        if (name := fold_name(column)) in inside:
            held = (item for record in records for item in objects_in(record.get(column)))
            names.update(f"{name}.{fold_name(key)}" for item in held for key in item)
    return any(all(fnmatch.filter(names, sign) for sign in signs) for signs in tool.signs)


def _open(tool: TraceTool, table: Table) -> Table:
    is_whole = _is_one_record(tool, table)
    unit: Unit = "row" if is_whole else table.unit
    is_joined = any(part.trace_id for part in _parts(tool, iter(table.head), unit) if isinstance(part, Part))
    other = table.beside(tool.beside) if tool.beside and is_joined else None
    if other is not None and _is_from(tool, other.columns, [row.values for row in other.head]):
        note = f"{_tool_name(tool)}'s scores were read from {other.name}."
        table = replace(table, notes=(*table.notes, note))
    elif other is not None:
        note = f"{other.name} next to {table.name} was not read: it has no scores of {_tool_name(tool)}."
        table, other = replace(table, notes=(*table.notes, note)), None

    def read() -> RawRows:
        own = iter((RawRow(1, table.whole),)) if is_whole else table.rows()
        others = other.rows() if other is not None else iter(())
        said = chain(_parts(tool, own, unit, is_whole=is_whole), _parts(tool, others, unit, is_other=True))
        return _traces(tool, said, unit)

    return table.with_rows(read, unit=unit)


def _parts(
    tool: TraceTool, rows: RawRows, unit: Unit, *, is_whole: bool = False, is_other: bool = False
) -> Iterator[Part | RowProblem]:
    """Yield what each record says; the parts of a file that is one record are counted."""
    for row in rows:
        if isinstance(row, RowProblem):
            yield row
            continue
        try:
            for number, part in enumerate(tool.parts(row.values), start=1):
                yield replace(part, line=0 if is_other else number if is_whole else row.line)
        except BadCell as error:
            yield RowProblem(line=row.line, reason=str(error), unit=unit)


def _traces(tool: TraceTool, parts: Iterable[Part | RowProblem], unit: Unit) -> RawRows:
    """Yield a row for each trace: at once for one that is whole in its record, and the others at the end."""
    joined: dict[str, Part] = {}
    apart: list[Part] = []
    for part in parts:
        if isinstance(part, RowProblem):
            yield part
        elif not part.steps and not part.values:
            apart.append(part)
        elif part.trace_id:
            joined.setdefault(part.trace_id, Part(line=part.line, values={"id": part.trace_id})).add(part)
        else:
            yield _row(tool, part, unit)
    trace_of: dict[str, str] = {}
    if any(part.about for part in apart):
        trace_of = {tool.step(step).step_id: name for name, trace in joined.items() for step in trace.steps}
    for part in apart:
        if trace := joined.get(part.trace_id or trace_of.get(part.about, "")):
            trace.add(part)
        elif part.line:  # another file may have the scores of other traces
            yield RowProblem(line=part.line, reason="the score is about a trace that is not in the file", unit=unit)
    yield from (_row(tool, trace, unit) for trace in joined.values())


def _row(tool: TraceTool, trace: Part, unit: Unit) -> RawRow | RowProblem:
    # A trimmed export may lack the ids of steps.
    read = enumerate(map(tool.step, trace.steps), start=1)
    steps = [step if step.step_id else replace(step, step_id=f"step {number}") for number, step in read]
    root = next(iter(from_outside(steps)), None)
    own = next((raw for raw, step in zip(trace.steps, steps, strict=True) if step is root), {})
    details = {name: value for step in steps for name, value in step.details.items()}
    values = {**details, **tool.of_root(own), **trace.values}
    question, answer, chunks = answer_in(steps, asked=values.get(tool.asked), gave=values.get(tool.gave))
    error = _error_in(values)
    if answer is None and error:
        reason = f"there is no answer: the run ended in the error {preview_of(error)!r}"
        return RowProblem(line=trace.line, reason=reason, unit=unit)
    # A score of the whole trace outweighs a step's of the same name.
    about = ("", root.step_id if root else "")
    scores = sorted(((tool.score(raw), raw) for raw in trace.scores), key=lambda pair: pair[0].about in about)
    given = [score.value for score, _ in scores if score.is_reference and not is_missing(score.value)]
    reference = given[-1] if given else text_in("answer", trace.right)
    began = min((step.start for step in steps if step.start), default=None)
    row = {
        **({"timestamp": began.isoformat()} if began and values.keys().isdisjoint(tool.timestamps) else {}),
        **values,
        QUESTION: question,
        ANSWER: answer,
        **({CONTEXTS: [_cell(chunk) for chunk in chunks]} if chunks else {}),
        **({REFERENCE: reference} if reference else {}),
        **({tool.steps: [dict(step) for step in trace.steps]} if len(steps) > 1 else {}),
        **({tool.scores: [dict(raw) for _, raw in scores]} if scores else {}),
        **score_cells((score for score, _ in scores), prefix=tool.prefix),
    }
    return RawRow(trace.line, row)


def _cell(chunk: Chunk) -> dict[str, object]:
    """Return a chunk in the form of a cell of contexts."""
    known = {"chunk_id": chunk.chunk_id or None, "score": chunk.score}
    present = {name: value for name, value in known.items() if value is not None}
    return {"text": chunk.text, **present, "metadata": dict(chunk.metadata)}


def _error_in(values: Record) -> str:
    error = values.get("error")
    return text_of(as_object(error).get("message", error)).strip()


def _judged(tool: TraceTool, row: Row) -> Judged:
    """Return the score with its reason, or why there is none; human scores become annotations."""
    scores = [tool.score(raw) for raw in objects_in(row.at(tool.scores))]
    found = judged_by_names(row, scores, prefix=tool.prefix)
    error = _error_in(row.cells)
    return replace(found, error=error) if found.score is None and not found.error and error else found
