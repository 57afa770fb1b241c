"""Reads FaithView's own export, also inside another tool's file: its cells, and its claims."""

from collections.abc import Mapping
from dataclasses import replace
from math import isfinite

from faithview.domain.claim import (
    Claim,
    ClaimType,
    Evidence,
    HallucinationType,
    Importance,
    Mismatch,
    Severity,
    Verdict,
)
from faithview.domain.label import NOT_A_CLAIM, LabelRole
from faithview.domain.result import Usage
from faithview.domain.scoring import State
from faithview.domain.spans import Span, span_at
from faithview.formats.exporters.exporter import PREFIX
from faithview.formats.files.tables import RawRow, Table
from faithview.formats.reading.reader import Annotation, Judged, Match, Remark, Row
from faithview.formats.reading.values import as_list, as_object, as_score, as_time, text_of
from faithview.formats.rows.cells import BadCell, as_number, is_missing, value_at
from faithview.formats.rows.mapping import Mapping as ColumnMapping

# Cells of the export itself; the row's original extra columns keep their own names.
OWN = "faithview export: "
SAMPLE = ("key", "question", "answer", "segment", "chunks", "reference", "timestamp")
RESULT = (
    "schema_version",
    "state",
    "error",
    "faithfulness",
    "is_faithful",
    "claims",
    "missed_claims",
    "suggestions",
    "metrics",
    "warnings",
    "answer_score",
    "usage",
    "seconds",
    "raw_reply",
    "judge",
    "judge_result",
)
# Read under its own name, as in the files of sampled live answers.
CHANCE = "inclusion_probability"
MAPPING = ColumnMapping(
    question=f"{OWN}question",
    answer=f"{OWN}answer",
    contexts=(f"{OWN}chunks",),
    key=f"{OWN}key",
    segment=f"{OWN}segment",
    reference=f"{OWN}reference",
    timestamp=f"{OWN}timestamp",
    ignore=tuple(f"{OWN}{name}" for name in (*SAMPLE, *RESULT)),
)
COLUMNS = MAPPING.ignore
_COUNTS = ("llm_calls", "cached_calls", "prompt_tokens", "cached_prompt_tokens", "completion_tokens")
# The range of whole numbers in a database.
_MOST_COUNTED = 2**31


def own_cells(values: Mapping[str, object], extra: Mapping[str, object]) -> dict[str, object]:
    """Return a row of the export with its own cells separated from the row's extra columns."""
    cells: dict[str, object] = dict(extra)
    for name, value in values.items():
        if name == CHANCE:
            cells[name] = value
        elif name == "chunks":
            cells[f"{OWN}{name}"] = [_without_unknown_score(chunk) for chunk in as_list(value)]
        else:
            cells[f"{OWN}{name}"] = value
    return cells


def _without_unknown_score(chunk: object) -> object:
    if not isinstance(chunk, Mapping):
        return chunk
    return {key: value for key, value in chunk.items() if key != "score" or value is not None}


def judged(row: Row) -> Judged:
    """Return the result in a row of the export, with reviewers' labels; raises BadCell if it is damaged."""
    cells = {name.removeprefix(OWN): row.cells[name] for name in row.cells if name.startswith(OWN)}
    answer = row.sample.answer
    items = [as_object(item) for item in as_list(cells.get("claims"))]
    claims = tuple(_claim(item, answer) for item in items)
    # In the reviewed view, state and score follow the reviewers; the judge's own are in separate cells.
    result = {**cells, **as_object(cells.get("judge_result"))}
    state = _state(result.get("state"))
    if claims:  # a reviewed export in which every claim is labelled "not a claim"
        state = State.JUDGED
    judge = text_of(cells.get("judge"))
    if state in (State.FAILED, State.PENDING, State.EMPTY_CONTEXT):
        error = text_of(cells.get("error")) or ("The answer had not been judged yet." if state is State.PENDING else "")
        failed = None if state is State.EMPTY_CONTEXT else State.FAILED
        return Judged(
            error=error or None,
            state=failed or state,
            judge=judge,
            raw_reply=text_of(cells.get("raw_reply")) or None,
            usage=_usage(cells.get("usage")),
            seconds=_amount(cells.get("seconds")) or 0.0,
        )
    return Judged(
        # With claims it is computed from them, and a reviewed export has another one.
        score=None if claims or state is not State.JUDGED else as_score(result.get("faithfulness")),
        claims=claims,
        state=state if claims or state is not State.JUDGED else None,
        judge=judge,
        suggestions=tuple(text_of(item) for item in as_list(cells.get("suggestions"))),
        metrics={str(name): score for name, score in _metrics(cells.get("metrics"))},
        notes=tuple(text_of(item) for item in as_list(cells.get("warnings"))),
        annotations=_annotations(items, cells),
        remarks=_remarks(items),
        answer_score=_number(cells.get("answer_score")),
        usage=_usage(cells.get("usage")),
        seconds=_amount(cells.get("seconds")) or 0.0,
    )


def _metrics(value: object) -> list[tuple[str, float]]:
    found = ((str(name), as_score(score)) for name, score in as_object(value).items())
    return [(name, score) for name, score in found if score is not None]


def _state(value: object) -> State:
    try:
        return State(str(value))
    except ValueError:
        raise BadCell(f"there is no state {value!r}") from None


def _claim(item: Mapping[str, object], answer: str) -> Claim:
    try:
        return Claim(
            text=text_of(item.get("text")),
            verdict=Verdict(str(item.get("verdict"))),
            spans=tuple(span for pair in as_list(item.get("answer_spans")) if (span := _span(pair, answer))),
            confidence=_number(item.get("confidence")),
            support_score=_number(item.get("support_score")),
            explanation=text_of(item.get("explanation")),
            claim_type=ClaimType(str(item["claim_type"])) if item.get("claim_type") else None,
            importance=Importance(str(item["importance"])) if item.get("importance") else None,
            hallucination_type=HallucinationType(str(item["hallucination_type"]))
            if item.get("hallucination_type")
            else None,
            severity=Severity(str(item["severity"])) if item.get("severity") else None,
            correction=None if is_missing(item.get("correction")) else text_of(item["correction"]),
            supporting_chunk_ids=tuple(text_of(i) for i in as_list(item.get("supporting_chunk_ids"))),
            evidence=tuple(_evidence(as_object(part)) for part in as_list(item.get("evidence"))),
            mismatches=tuple(_mismatch(as_object(part)) for part in as_list(item.get("mismatches"))),
            decided_by=text_of(item.get("decided_by")) or None,
        )
    except ValueError as error:
        raise BadCell(f"a claim of the export cannot be read: {error}") from error


def _span(pair: object, answer: str) -> Span | None:
    match pair:
        case [int() as start, int() as end] if 0 <= start < end <= len(answer):
            return span_at(answer, start, end)
    return None


def _evidence(item: Mapping[str, object]) -> Evidence:
    start, end = item.get("start"), item.get("end")
    has_place = isinstance(start, int) and isinstance(end, int) and 0 <= start < end
    # The occurrence of the quote is determined when the claim is checked against its chunk.
    span = Span(start=start, end=end, occurrence=0) if has_place else None  # type: ignore[arg-type]  # just checked
    return Evidence(chunk_id=text_of(item.get("chunk_id")), quote=text_of(item.get("quote")), span=span)


def _mismatch(item: Mapping[str, object]) -> Mismatch:
    start, end, chunk_start, chunk_end = (
        value if isinstance(value, int) else 0
        for value in (item.get("start"), item.get("end"), item.get("chunk_start"), item.get("chunk_end"))
    )
    chunk_id = text_of(item.get("chunk_id")) or None
    return Mismatch(start, end, chunk_id, chunk_start, chunk_end)


def _number(value: object) -> float | None:
    number = _amount(value)
    return number if number is not None and number <= 1 else None


def _usage(value: object) -> Usage:
    given = as_object(value)
    counts = {name: given.get(name) for name in _COUNTS}
    known = {name: count for name, count in counts.items() if isinstance(count, int) and 0 <= count < _MOST_COUNTED}
    return Usage(**known, cost_usd=_amount(given.get("cost_usd")))


def _amount(value: object) -> float | None:
    """Return a finite number that is not negative, in CSV also from text; None for anything else."""
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    number = as_number(value)
    return number if isfinite(number) and number >= 0 else None


def _annotations(items: list[Mapping[str, object]], cells: Mapping[str, object]) -> tuple[Annotation, ...]:
    """Return the labels on claims, in the order in which they were given, and on claims that the judge had missed."""
    found = [
        _annotation(as_object(label), claim_number=number)
        for number, item in enumerate(items, start=1)
        for label in as_list(item.get("labels"))
    ]
    found += [_annotation(as_object(label), claim_number=None) for label in as_list(cells.get("missed_claims"))]
    return tuple(item for item in found if item is not None)


def _annotation(label: Mapping[str, object], *, claim_number: int | None) -> Annotation | None:
    word = str(label.get("verdict"))
    start, end = label.get("start"), label.get("end")
    span = (start, end) if isinstance(start, int) and isinstance(end, int) else None
    try:
        verdict = None if word == NOT_A_CLAIM else Verdict(word)
        role = LabelRole(str(label.get("role") or LabelRole.REVIEWER))
    except ValueError:
        return None
    return Annotation(
        verdict=verdict,
        reviewer=text_of(label.get("reviewer")),
        claim_number=claim_number,
        span=span,
        note=text_of(label.get("note")),
        at=as_time(label.get("at")),
        role=role,
        is_blind=label.get("blind") is True,
        corrected_text=text_of(label.get("corrected_text")),
        seconds=_amount(label.get("seconds")),
    )


def _remarks(items: list[Mapping[str, object]]) -> tuple[Remark, ...]:
    """Return the notes on claims that do not belong to a label."""
    return tuple(
        Remark(
            claim_number=number, author=text_of(note["author"]), text=text_of(note["text"]), at=as_time(note.get("at"))
        )
        for number, item in enumerate(items, start=1)
        for note in map(as_object, as_list(item.get("notes")))
        if text_of(note.get("author")) and text_of(note.get("text"))
    )


_SIGN = f"{PREFIX}state"
# Most formats have the fields in objects inside a row, such as `metadata`, and none has them deeper.
_DEPTH = 2


def has_own_columns(table: Table) -> bool:
    """Return whether the first row of a table has fields that FaithView wrote into another tool's format."""
    return _SIGN in _split(table.first, _DEPTH)[0]


def has_own_fields(values: Mapping[str, object]) -> bool:
    """Return whether an object itself has such fields."""
    return _SIGN in values


def match_own(match: Match) -> Match:
    """Return the match of another tool's file for one that FaithView wrote and reads completely."""
    why = f"The fields that begin with {PREFIX!r} are those of `faithview export`."
    return replace(
        match,
        mapping=MAPPING,
        reasons=(*match.reasons, why),
        questions=(),
        has_results=True,
    )


def open_own(table: Table, mapping: ColumnMapping) -> Table:
    """Return the rows as those of FaithView's export, with their original extra columns restored.

    Args:
        table: the file with the tool's rows.
        mapping: where the tool's format has question, answer, reference and chunks.
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
        given: list[object] = [
            {**chunk, "text": text.get("text") if isinstance(text, Mapping) else text}
            for chunk, text in zip(chunks, texts, strict=True)
        ]
    else:  # the chunks were changed since the export
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
    """Return FaithView's fields and the other cells; an object with only such fields is dropped."""
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


def _without(cells: dict[str, object], path: str) -> dict[str, object]:
    """Return the cells without the one at a path; an object with nothing else is dropped as well."""
    if path in cells:
        return {name: value for name, value in cells.items() if name != path}
    name, dot, inner = path.partition(".")
    value = cells.get(name)
    if not dot or not isinstance(value, Mapping) or inner not in value:
        return cells
    others = {key: item for key, item in value.items() if key != inner}
    return {key: item for key, item in {**cells, name: others}.items() if key != name or others}
