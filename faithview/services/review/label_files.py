"""Labels read from files and written to files, in the same form.

Every bad row is named, and reading a file twice does not store duplicates.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias

from pydantic import BaseModel, ValidationError

from faithview.documents.labels import LabelRow
from faithview.domain.errors import FaithViewError, InvalidInput, NotFound
from faithview.domain.label import (
    NOT_A_CLAIM,
    Label,
    LabelKind,
    LabelRole,
    missed_claims,
    newest_labels,
    second_thoughts,
    standing_labels,
)
from faithview.formats.files.atomic_file import atomic_file
from faithview.formats.files.tables import RawRow
from faithview.formats.write import csv_cell, from_safe_cell, open_new, write_csv, write_json_lines
from faithview.services.container import Store
from faithview.services.results import get_answer_at, get_run
from faithview.services.review.labels import LabelProvenance, build_label, build_missed_claim
from faithview.store import labels, spot_checks
from faithview.store.schema.runs import public_claim_id

COLUMNS = tuple(LabelRow.model_fields)
# Replaces the claim's number in the id of a claim that the judge missed; `start` and `end` identify the claim.
MISSED = "missed"
_MAX_PROBLEMS = 100


def export_labels(store: Store, reference: str) -> list[LabelRow]:
    """Return the labels of a run, as rows that `import_labels` reads; raises NotFound.

    These are the labels that count. Labels that a reviewer gave after seeing the judge's verdict follow the blind label
    that takes precedence, with `counts` false.

    Claims that the judge missed follow the other claims of their answer; their ids end in "-missed".
    """
    run_id = get_run(store, reference).run_id
    by_row: defaultdict[int, defaultdict[int | None, list[Label]]] = defaultdict(lambda: defaultdict(list))
    for position, label in labels.list_labels(store.db, run_id):
        by_row[position][label.claim_number].append(label)
    return [row for position, on_row in sorted(by_row.items()) for row in _label_rows(f"{run_id}-{position}", on_row)]


def _label_rows(row_id: str, by_claim: dict[int | None, list[Label]]) -> Iterator[LabelRow]:
    for number, given in sorted((number, given) for number, given in by_claim.items() if number is not None):
        yield from (label_row(label, claim_id=f"{row_id}-{number}") for label in standing_labels(given))
        yield from (label_row(label, claim_id=f"{row_id}-{number}", counts=False) for label in second_thoughts(given))
    yield from (label_row(label, claim_id=f"{row_id}-{MISSED}") for label in missed_claims(by_claim.get(None, ())))


def write_labels(rows: Iterable[LabelRow], destination: Path) -> None:
    """Write labels as CSV if the name ends in .csv, otherwise as JSON lines; the file appears complete or not at all.

    Raises:
        InvalidInput: the file cannot be written.
    """
    with atomic_file(destination) as temporary, open_new(temporary) as stream:
        if destination.suffix.lower() == ".csv":
            write_csv(COLUMNS, ([csv_cell(getattr(row, column)) for column in COLUMNS] for row in rows), stream)
        else:
            write_json_lines((row.to_dict() for row in rows), stream)


def label_row(label: Label, *, claim_id: str, counts: bool = True) -> LabelRow:
    """Return a label as a row of an export; `counts` is False for a label given after a blind one."""
    on = label.given_on
    return LabelRow.of(
        label,
        claim_id=claim_id,
        verdict=NOT_A_CLAIM if label.kind is LabelKind.NOT_A_CLAIM else label.verdict,
        given_on=None if on is None else public_claim_id(on.run_id, on.row, on.claim_number),
        spot_check=None if label.spot_check_id is None else str(label.spot_check_id),
        counts=counts,
    )


class NoUsableRow(InvalidInput):
    """No row of a file of labels could be used; `report` names the problems."""

    def __init__(self, name: str, report: "ImportReport") -> None:
        self.report = report
        rows = "not one row" if report.problem_count == 1 else f"none of the {report.problem_count} rows"
        super().__init__(f"No label was stored: {rows} of {name!r} could be used.")


@dataclass(slots=True)
class ImportReport:
    """The result of importing a file of labels; `problems` lists the first hundred."""

    added: int = 0
    known: int = 0
    problem_count: int = 0
    problems: list[str] = field(default_factory=list)

    def refuse(self, problem: str) -> None:
        """Count a row that could not be used."""
        self.problem_count += 1
        if len(self.problems) < _MAX_PROBLEMS:
            self.problems.append(problem)


class _FileRow(BaseModel):
    """The cells of a row that are read; empty ones are left out before."""

    claim_id: str
    verdict: str
    reviewer: str
    at: datetime | None = None
    role: LabelRole = LabelRole.REVIEWER
    note: str | None = None
    corrected_text: str | None = None
    blind: bool = False
    start: int | None = None
    end: int | None = None


# A label's subject: row, claim number, place of a missed claim, reviewer and role. Labels with the same subject repeat
# or replace each other.
_Subject: TypeAlias = tuple[int, int | None, tuple[int, int] | None, str, LabelRole]


@dataclass(frozen=True, slots=True, kw_only=True)
class _ImportedLabel:
    """A usable row of the file; `has_time` is False if the row had no time and the label got the current one."""

    line: int
    subject: _Subject
    label: Label
    has_time: bool


def import_labels(store: Store, reference: str, file: Path, *, spot_check_id: int | None = None) -> ImportReport:
    """Import labels of a run from JSON lines or CSV. Good rows are stored and bad ones reported.

    Rows whose id ends in "-missed" are claims that the judge missed, from `start` to `end` in the answer.

    Importing a file again changes nothing: a row is known if the reviewer's label with its verdict and time is stored,
    or, for a row without a time, if its verdict is the reviewer's current one. If a reviewer has several rows without a
    time on one claim, the last row counts.

    With a `spot_check_id` the labels were given in that spot-check. Rows on claims that it did not draw are bad, and a
    label that the reviewer gave elsewhere does not make a row known.

    Raises:
        NotFound: the run or the spot-check does not exist, or the spot-check was not drawn from the run.
        InvalidInput: there is no such file; UnreadableFile if it cannot be read.
        NoUsableRow: no row could be used; nothing was stored.
    """
    if not file.is_file():
        raise InvalidInput(f"There is no file {str(file)!r}.")
    run_id = get_run(store, reference).run_id
    drawn: set[tuple[int, int | None]] | None = None
    if spot_check_id is not None:
        places = [item.place for item in spot_checks.list_items(store.db, spot_check_id)]
        drawn = {(place.row, place.claim_number) for place in places if place.run_id == run_id}
        if not drawn:
            raise NotFound(f"Spot-check {spot_check_id} drew nothing from run {run_id}.")
    report = ImportReport()
    imported = [
        replace(item, label=replace(item.label, spot_check_id=spot_check_id))
        for item in _read_rows(store, run_id, file, drawn, report)
    ]
    if not imported and report.problem_count:
        raise NoUsableRow(file.name, report)
    stored = _stored_labels(store, run_id, spot_check_id)
    last = {item.subject: item for item in imported if not item.has_time}
    imported.sort(key=lambda item: item.label.at)
    new: dict[object, _ImportedLabel] = {}
    for item in imported:
        key = (item.subject, item.label.verdict, item.label.at if item.has_time else None)
        if key in new:
            report.known += 1
        elif _is_new(item, last.get(item.subject), stored[item.subject], report):
            new[key] = item
    labels.add_labels(store.db, [(run_id, item.subject[0], item.label) for item in new.values()])
    report.added = len(new)
    return report


def _read_rows(
    store: Store, run_id: str, file: Path, drawn: set[tuple[int, int | None]] | None, report: ImportReport
) -> Iterator[_ImportedLabel]:
    """Yield the usable rows of a file, those on `drawn` claims if it is not None; refuse the others in the report."""
    # Imported here so that exporting labels does not load the readers.
    from faithview.formats.read import open_table

    claims = set(labels.iterate_claims(store.db, run_id))
    table = open_table(file, name=file.name)
    for row in table.rows():
        if not isinstance(row, RawRow):
            report.refuse(str(row))
            continue
        try:
            item = _parse_row(store, run_id, row, claims, is_csv=table.format.startswith(("csv", "tsv")))
        except FaithViewError as error:
            report.refuse(f"row {row.line}: {error}")
            continue
        if drawn is None or item.subject[:2] in drawn:
            yield item
        else:
            what = "a claim that the judge missed" if item.label.claim_number is None else "this claim"
            report.refuse(f"row {row.line}: the spot-check did not draw {what}")


def _parse_row(store: Store, run_id: str, row: RawRow, claims: set[tuple[int, int]], *, is_csv: bool) -> _ImportedLabel:
    cells = {name: str(value).strip() for name, value in row.values.items() if value is not None}
    try:
        parsed = _FileRow.model_validate(
            {name: from_safe_cell(text) if is_csv else text for name, text in cells.items() if text}
        )
    except ValidationError as error:
        first = error.errors()[0]
        name = first["loc"][0]
        is_missing = first["type"] == "missing"
        raise InvalidInput(f"no {name}" if is_missing else f"{name} is {first['input']!r}: {first['msg']}") from None
    at = parsed.at if parsed.at is None or parsed.at.tzinfo else parsed.at.replace(tzinfo=UTC)
    provenance = LabelProvenance(
        reviewer=parsed.reviewer,
        at=at,
        role=parsed.role,
        note=parsed.note,
        corrected_text=parsed.corrected_text,
        is_blind=parsed.blind,
    )
    own, *place = parsed.claim_id.rsplit("-", 2)
    is_missed = place[1:] == [MISSED]
    numbers = [int(part) for part in place if part.isascii() and part.isdecimal()]
    if own != run_id or len(numbers) != (1 if is_missed else 2) or not (is_missed or tuple(numbers) in claims):
        raise NotFound(f"Run {run_id} has no claim {parsed.claim_id!r}.")
    position, verdict, number, span = numbers[0], parsed.verdict.lower(), None, None
    if is_missed:
        if parsed.start is None or parsed.end is None:
            raise InvalidInput("a claim that the judge missed needs its place in the answer, `start` and `end`")
        span = parsed.start, parsed.end
        answer = get_answer_at(store, run_id, position).sample.answer
        label = build_missed_claim(answer, start=span[0], end=span[1], verdict=verdict, provenance=provenance)
    else:
        number = numbers[1]
        label = build_label(verdict, provenance, claim=number)
    subject = (position, number, span, label.reviewer, label.role)
    return _ImportedLabel(line=row.line, subject=subject, label=label, has_time=at is not None)


def _stored_labels(store: Store, run_id: str, spot_check_id: int | None) -> defaultdict[_Subject, list[Label]]:
    """Return the labels to compare the file's rows with: all, or those given in the spot-check; retractions too."""
    stored: defaultdict[_Subject, list[Label]] = defaultdict(list)
    by_id: dict[int | None, _Subject] = {}
    for position, label in labels.list_labels(store.db, run_id):
        if label.kind is LabelKind.RETRACTION:
            if label.retracts in by_id:
                stored[by_id[label.retracts]].append(label)
        elif spot_check_id is None or label.spot_check_id == spot_check_id:
            span = (label.span.start, label.span.end) if label.span else None
            subject = (position, label.claim_number, span, label.reviewer, label.role)
            by_id[label.label_id] = subject
            stored[subject].append(label)
    return stored


def _is_new(item: _ImportedLabel, last: _ImportedLabel | None, before: list[Label], report: ImportReport) -> bool:
    """Return whether a row's label is to be stored; count it as known or refuse it otherwise.

    Args:
        item: the row.
        last: the last row without a time on the same subject.
        before: the stored labels on it.
        report: receives the rows that are not new.
    """
    label = item.label
    same = [one for one in before if (one.kind, one.verdict) == (label.kind, label.verdict)]
    # A label given after a blind one does not count, but its row is known when imported again.
    standing = [*standing_labels(before), *newest_labels(before)]
    if not item.has_time and last is not None:
        if last is not item and last.label.verdict is not label.verdict:
            report.refuse(f"row {item.line}: row {last.line} gives another verdict on the same claim and counts")
            return False
        if last is not item or any(one in standing for one in same):
            report.known += 1
            return False
        return True
    if any(one.at == label.at for one in same):
        report.known += 1
        return False
    if any(one.at > label.at for one in standing):
        report.refuse(f"row {item.line}: older than the current label of {label.reviewer!r}")
        return False
    return True
