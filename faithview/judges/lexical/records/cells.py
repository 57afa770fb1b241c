"""Checks claims about a cell of a table, or about a field of one of several records.

"The Pro plan costs $20" is right or wrong by the cell in the row "Pro" and the column "Price", regardless of the
others.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from faithview.judges.lexical.comparing.comparison import (
    ALIGNED_ELSEWHERE,
    MOST_VALUES,
    Comparison,
    Conflict,
    ConflictKind,
    content_stems,
    share_found,
)
from faithview.judges.lexical.passages.equality import is_same
from faithview.judges.lexical.passages.index import Context, Passage
from faithview.judges.lexical.passages.values import Bound, Kind, Value, values_in_cell
from faithview.judges.lexical.records.grids import Cell, Grid, Header, RecordView
from faithview.judges.text.lexicon import NEGATIONS, concept_of, word_set
from faithview.judges.text.polarity import denies
from faithview.judges.text.tokens import Token, word_of
from faithview.judges.text.units import MONEY

# A claim that compares, adds up or supposes is not about one cell.
_RECKONS = word_set(
    """more less than difference differ differs save saves saving savings cheaper dearer total together altogether both
    combined twice double triple average sum each respectively compared versus extra additional another remaining
    left longer shorter faster slower between if unless would could needs need upgrade upgrading from almost nearly
    every all most least lowest highest cheapest fastest either neither or except only other others unlike new newly
    opened added hired gained lost sold joined tested"""
)
_SUPPOSES = word_set(
    "if unless until need needs upgrade upgrading want wants extra add-on addon except unlike like higher above"
)


def find_cell_conflict(comparison: Comparison, records: RecordView) -> Conflict | None:
    """Return the cell that the claim is about and that says otherwise, or None."""
    if len(comparison.values) > MOST_VALUES or not records.grids:
        return None
    claim = _Claim(comparison)
    for grid in records.grids:
        conflict = _value_conflict(claim, grid, records.context) or _flag_conflict(claim, grid)
        if conflict is not None:
            return conflict
    return None


class _Claim:
    """A claim's words by the concepts they say."""

    def __init__(self, comparison: Comparison) -> None:
        self.comparison = comparison
        self.tokens = comparison.tokens
        self.lowers = {token.word.lower for token in comparison.tokens}
        self.first: dict[str, Token] = {}
        for token in reversed(comparison.tokens):
            self.first[concept_of(token.word.stem)] = token
        self.concepts = frozenset(self.first)

    def after(self, value: Value) -> int:
        """Return where the word after a value begins, -1 for none."""
        return next((t.start for t in self.tokens if t.start >= value.end), -1)

    def part_of(self, start: int) -> list[Token]:
        """Return the words between the two nearest words such as "but" around a place."""
        before = [n for n, t in enumerate(self.tokens) if t.word.lower in _TURNS and t.start <= start]
        after = [n for n, t in enumerate(self.tokens) if t.word.lower in _TURNS and t.start > start]
        return self.tokens[before[-1] if before else 0 : after[0] if after else len(self.tokens)]

    def is_limit(self, value: Value) -> bool:
        """Return whether "up to" is before a value: a limit is exact."""
        before = [t.word.lower for t in self.tokens if t.end <= value.start][-2:]
        return before == ["up", "to"]

    def beside(self, value: Value) -> set[str]:
        """Return the concepts of the words around a value."""
        words = [t for t in self.tokens if t.word.is_content]
        before = [t for t in words if t.end <= value.start][-_BESIDE:]
        after = [t for t in words if t.start >= value.end][:_BESIDE]
        return {concept_of(t.word.stem) for t in (*before, *after)}


_BESIDE = 3
_TURNS = word_set("but though although while whereas yet however")


def _named(headers: Sequence[Header], claim: _Claim) -> list[int]:
    """Return the headers that the claim says in full, without those that are a part of another such one."""
    concepts = claim.concepts
    full = [n for n, header in enumerate(headers) if header.stems and header.stems <= concepts]
    if len(full) > _MOST_NAMED:
        return full
    return [n for n in full if not any(headers[n].stems < headers[other].stems for other in full)]


# A claim that names more rows than this is not about a single row.
_MOST_NAMED = 12

# In longer rows and columns, the words next to a value do not identify a cell.
_MOST_CELLS = 200


def _the_one(headers: Sequence[Header], claim: _Claim) -> int | None:
    """Return the one header that the claim names; None if it has a word that only another header has."""
    named = _named(headers, claim)
    if len(named) != 1:
        return None
    concepts = claim.concepts
    touched = any(n != named[0] and not header.unique.isdisjoint(concepts) for n, header in enumerate(headers))
    return None if touched else named[0]


def _value_conflict(claim: _Claim, grid: Grid, context: Context) -> Conflict | None:
    comparison = claim.comparison
    if not comparison.values or not _RECKONS.isdisjoint(claim.lowers):
        return None
    # Values for which the cell of a named row and column decides alone.
    settled: set[int] = set()
    for line in _claimed_lines(grid, claim):
        stated = [(cell, _values_of(cell, grid, context)) for cell in line.cells]
        for value in comparison.values:
            if value.start in settled or _is_of_name(value, line, claim):
                continue
            if line.is_cell and any(_is_comparable(value, v, cell, grid) for cell, values in stated for v in values):
                settled.add(value.start)
            differing = _cell_for(value, claim, grid, stated, is_sure=line.is_cell)
            if differing is None:
                continue
            cell, other = differing
            if _is_said_elsewhere(value, cell, stated, claim, grid, context):
                continue
            return _conflict(
                ConflictKind.VALUE, cell, claim_span=(value.start, value.end), passage_span=(other.start, other.end)
            )
    return None


class _Line(NamedTuple):
    """The cells of a row or of a column that a claim names, with its header; `is_cell`: row and column are named."""

    cells: list[Cell]
    header: Header
    is_cell: bool


def _is_of_name(value: Value, line: _Line, claim: _Claim) -> bool:
    """Return whether a value belongs to the name of the line, or counts what has the name: "two singles"."""
    own = {claim.first[stem].start for stem in line.header.stems}
    if any(value.start <= at < value.end for at in own):
        return True
    # If the claim names both headers of a table, either can be what the number counts.
    is_table = line.cells[0].passage.field is not line.cells[0].field
    return claim.after(value) in own and not (line.is_cell and is_table)


def _claimed_lines(grid: Grid, claim: _Claim) -> Iterator[_Line]:
    """Yield the cell, then the row, then the column that the claim names, as far as it names them.

    In a single record a column is a single field, and naming it is enough.
    """
    row, column = _the_one(grid.rows, claim), _the_one(grid.columns, claim)
    in_row = [cell for cell in grid.cells if cell.row == row]
    in_column = [cell for cell in grid.cells if cell.column == column]
    if len(grid.rows) == 1:
        if column is not None:
            yield _Line(in_column, grid.columns[column], is_cell=True)
        return
    lines = []
    if row is not None and column is not None:
        lines.append(_Line([cell for cell in in_row if cell.column == column], grid.rows[row], is_cell=True))
    if row is not None:
        lines.append(_Line(in_row, grid.rows[row], is_cell=False))
    if column is not None and len(grid.columns) > 1:
        lines.append(_Line(in_column, grid.columns[column], is_cell=False))
    yield from (line for line in lines if 0 < len(line.cells) <= _MOST_CELLS)


def _values_of(cell: Cell, grid: Grid, context: Context) -> list[Value]:
    """Return the values in a cell, a bare number in the unit that its header tells."""
    text = context.texts[cell.passage.chunk]
    values = [
        value
        for value in values_in_cell(text, cell.field.value_start, cell.field.value_end)
        if not _GOES_ON.match(text, value.end)
    ]
    headers = (grid.columns[cell.column], grid.rows[cell.row])
    named = next((header for header in headers if header.unit), None)
    if named is None:
        return values
    return [
        replace(v, kind=Kind.QUANTITY, unit=named.unit, number=v.number * named.size, written=named.size)
        if v.kind is Kind.NUMBER and not v.unit
        else v
        for v in values
    ]


# Not numbers: "7.3.1", and digits inside a name.
_GOES_ON = re.compile(r"[.:/]\d|_")


def _is_comparable(value: Value, other: Value, cell: Cell, grid: Grid) -> bool:
    if value.unit in MONEY and other.kind is Kind.NUMBER:
        return grid.columns[cell.column].is_price or grid.rows[cell.row].is_price
    if value.kind is Kind.DATE or other.kind is Kind.DATE:
        return value.kind is other.kind and all(a and b for a, b in zip(value.date[1:], other.date[1:], strict=True))
    return value.kind is other.kind and value.unit == other.unit and value.kind not in (Kind.ORDINAL, Kind.WEEKDAY)


def _cell_for(
    value: Value, claim: _Claim, grid: Grid, stated: Sequence[tuple[Cell, list[Value]]], *, is_sure: bool
) -> tuple[Cell, Value] | None:
    """Return the cell that the value is about and its own value; None if it agrees or no cell is meant."""
    beside = claim.beside(value)
    # Cells of a row differ by the headers of their columns, those of a column by their rows'.
    in_row = len({cell.row for cell, _ in stated}) == 1
    scored: list[tuple[int, Cell, list[Value]]] = []
    for cell, values in stated:
        comparable = [other for other in values if _is_comparable(value, other, cell, grid)]
        header = grid.columns[cell.column] if in_row else grid.rows[cell.row]
        scored.append((len(header.stems & beside), cell, comparable))
    fitting = [item for item in scored if item[2]]
    if not fitting:
        return None
    top = max(score for score, _, _ in scored)
    best = [item for item in fitting if item[0] == top]
    is_telling = value.kind is Kind.QUANTITY and len(fitting) == 1
    if len(best) != 1 or not (is_sure or top > 0 or is_telling):
        return None
    _, cell, others = best[0]
    mine = [v for v in claim.comparison.values if _is_comparable(v, others[0], cell, grid)]
    if any(_agrees(v, other) for v in mine for other in others) or _is_inside(value, others):
        return None
    if _is_vague(value) and not _is_vague(others[0]) and not claim.is_limit(value):
        return None
    if _differ_in_period(claim, value, others[0]) or _is_for_several(claim, value, others[0]):
        return None
    return cell, others[0]


def _is_vague(value: Value) -> bool:
    return value.is_rough or value.bound is not Bound.NONE


def _agrees(value: Value, other: Value) -> bool:
    if value.unit in MONEY and other.kind is Kind.NUMBER:
        return abs(value.number - other.number) <= _SAME_MONEY * max(value.number, other.number)
    return is_same(value, other)


_SAME_MONEY = 0.005


def _is_inside(value: Value, others: Sequence[Value]) -> bool:
    """Return whether the cell gives a range and the value is in it: "4-25" has 10."""
    numbers = [other.number for other in others]
    return len(numbers) > 1 and min(numbers) <= value.number <= max(numbers)


# A yearly price is twelve monthly ones.
_PERIODS = (2.0, 4.0, 7.0, 10.0, 12.0, 24.0, 30.0, 52.0, 365.0)


def _differ_in_period(claim: _Claim, value: Value, other: Value) -> bool:
    if value.unit not in MONEY:
        return False
    low, high = sorted((value.number, other.number))
    is_multiple = low > 0 and any(abs(high - low * times) <= _SAME_MONEY * high for times in _PERIODS)
    return is_multiple and not _PERIOD_WORDS.isdisjoint(t.word.stem for t in claim.tokens)


_PERIOD_WORDS = frozenset({"year", "annual", "week", "day", "quarter"})


def _is_for_several(claim: _Claim, value: Value, other: Value) -> bool:
    """Return whether an amount of money is for as many as the claim counts: "three tickets cost $27"."""
    if value.unit not in MONEY:
        return False
    counts = [v.number for v in claim.comparison.values if v.kind is Kind.NUMBER and v.number > 1]
    return any(_agrees(replace(value, number=value.number / count), other) for count in counts)


def _is_said_elsewhere(
    value: Value, cell: Cell, stated: Sequence[tuple[Cell, list[Value]]], claim: _Claim, grid: Grid, context: Context
) -> bool:
    """Return whether another cell of the line, another grid, or prose that is about the same has the value."""
    for other, values in stated:
        if other is not cell and any(_is_comparable(value, v, other, grid) and _agrees(value, v) for v in values):
            return True
    spared = [(v.start, v.end) for v in claim.comparison.values]
    own = {id(c.passage) for c in grid.cells}
    return any(
        any(is_same(value, v) for v in context.values_of(passage))
        and share_found(claim.tokens, content_stems(passage), spared)[0] >= ALIGNED_ELSEWHERE
        for passage in context.passages
        if id(passage) not in own
    )


def _flag_conflict(claim: _Claim, grid: Grid) -> Conflict | None:
    """Return the conflict with the yes-or-no cell that the claim names by row and column and reverses, or None."""
    if len(grid.rows) < _FEWEST_ROWS or not _SUPPOSES.isdisjoint(claim.lowers):
        return None
    if "without" in claim.lowers and len(NEGATIONS & claim.lowers) > 1:
        return None  # "there is no SSO without Business"
    row, column = _the_one(grid.rows, claim), _the_one(grid.columns, claim)
    if row is None and column is None:
        return None
    rows = {row} if row is not None else set(_named(grid.rows, claim))
    columns = {column} if column is not None else set(_named(grid.columns, claim))
    for cell in grid.cells:
        if cell.row not in rows or cell.column not in columns or not cell.field.is_flag:
            continue
        # Denying either header denies the cell: "SSO is not in Basic", "Basic has no SSO".
        headers = (grid.columns[cell.column], grid.rows[cell.row])
        feature = headers[0] if row is not None else headers[1]
        tokens = [claim.first[stem] for header in headers for stem in header.stems]
        # If the claim names several rows or columns, each has its own part: "Basic has no SSO, but Pro has".
        several = feature if max(len(rows), len(columns)) > 1 else None
        if _denies_any(claim, tokens, several) == cell.field.is_denied:
            continue
        first = min((claim.first[stem] for stem in feature.stems), key=lambda token: token.start)
        place = cell.field
        return _conflict(
            ConflictKind.FIELD,
            cell,
            claim_span=(first.start, first.end),
            passage_span=(place.value_start, place.value_end),
        )
    return None


_FEWEST_ROWS = 2


def _denies_any(claim: _Claim, tokens: Sequence[Token], several: Header | None) -> bool:
    """Return whether the claim denies one of the words; if `several` is given, only in the part that names it."""
    if several is None:
        return any(denies(claim.tokens, token) for token in tokens)
    part = claim.part_of(min(claim.first[stem].start for stem in several.stems))
    inside = [token for token in tokens if token in part]
    if any(denies(part, token) for token in inside):
        return True
    return len(inside) < len(tokens) and any(token.word.lower in NEGATIONS for token in part)


def _conflict(
    kind: ConflictKind, cell: Cell, *, claim_span: tuple[int, int], passage_span: tuple[int, int]
) -> Conflict:
    passage = cell.passage
    if cell.field is not passage.field:
        place = cell.field
        passage = Passage(passage.chunk, place.start, place.end, [])
    subject = (cell.field.subject,) if cell.field.subject is not None else ()
    headers = tuple(dict.fromkeys((*subject, *cell.field.keys[-1:])))
    return Conflict(kind=kind, passage=passage, claim_span=claim_span, passage_span=passage_span, headers=headers)


# Fields that say where something is, in one name.
_PLACES = frozenset({word_of(word).stem for word in ("city", "town", "state", "country")})
_LIES = frozenset({word_of(word).stem for word in ("located", "lies", "situated", "based", "city", "town")})
_IN = frozenset({"in", "at", "near"})


def find_place_conflict(comparison: Comparison, context: Context) -> Conflict | None:
    """Return the conflict with the field that names another place than the claim does, or None.

    The claim must only say where something is.
    """
    if not context.is_record or len(comparison.missing_names) != 1:
        return None
    name = comparison.missing_names[0]
    before = [t.word for t in comparison.tokens if t.end <= name.start]
    says_where = any(word.stem in _LIES for word in before) and before[-1].lower in _IN
    fields = [p for p in context.passages if any(form <= _PLACES for form in p.key_forms) and not p.is_unknown]
    if not says_where or len(fields) != 1:
        return None
    return Conflict(
        kind=ConflictKind.FIELD,
        passage=fields[0],
        claim_span=(name.start, name.end),
        passage_span=(fields[0].start, fields[0].end),
    )
