"""Labels read from files and written to files, in the same form.

Every bad row is named, and reading a file twice does not store duplicates.

"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias

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
from faithview.formats.write import as_safe_cell, begins_formula, open_new, write_csv, write_json_lines
from faithview.services.container import Store
from faithview.services.results import get_answer_at, get_run
from faithview.services.review.labels import LabelProvenance, build_label, build_missed_claim
from faithview.store import labels, spot_checks
from faithview.store.schema.runs import public_claim_id

COLUMNS = tuple(LabelRow.model_fields)
# Replaces the claim's number in the id of a claim that the judge missed; `start` and `end` identify the claim.
MISSED = "missed"


def export_labels(store: Store, reference: str) -> list[LabelRow]:
    """Return the labels of a run, as rows that `import_labels` reads; raises NotFound.

    These are the labels that count. Labels that a reviewer gave after seeing the judge's verdict follow the blind label
    that takes precedence, with `counts` false.

    Claims that the judge missed follow the other claims of their answer; their ids end in "-missed".
    """
    run = get_run(store, reference)
    by_row: dict[int, list[Label]] = {}
    for position, label in labels.list_labels(store.db, run.run_id):
        by_row.setdefault(position, []).append(label)
    return [
        document
        for position, row_labels in sorted(by_row.items())
        for document in _row_documents(row_labels, row_id=f"{run.run_id}-{position}")
    ]


def write_labels(rows: Iterable[LabelRow], destination: Path) -> None:
    """Write labels as CSV if the name ends in .csv, otherwise as JSON lines; the file appears complete or not at all.

    Raises:
        InvalidInput: the file cannot be written.
    """
    with atomic_file(destination) as temporary, open_new(temporary) as stream:
        if destination.suffix.lower() == ".csv":
            write_csv(COLUMNS, ([_cell(getattr(row, column)) for column in COLUMNS] for row in rows), stream)
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


def is_formula(text: str) -> bool:
    """Return whether a spreadsheet would run the text as a formula, with or without leading apostrophes.

    An exported cell of that kind gets one more apostrophe, which an import removes.
    """
    bare = text.lstrip("'")
    return begins_formula(bare)


def _row_documents(row_labels: list[Label], *, row_id: str) -> Iterator[LabelRow]:
    by_claim: dict[int, list[Label]] = {}
    for label in row_labels:
        if label.claim_number is not None:
            by_claim.setdefault(label.claim_number, []).append(label)
    for number, on_claim in sorted(by_claim.items()):
        for label in standing_labels(on_claim):
            yield label_row(label, claim_id=f"{row_id}-{number}")
        for label in second_thoughts(on_claim):
            yield label_row(label, claim_id=f"{row_id}-{number}", counts=False)
    for label in missed_claims(row_labels):
        yield label_row(label, claim_id=f"{row_id}-{MISSED}")


def _cell(value: object) -> object:
    if not isinstance(value, str):
        return value
    return f"'{value}" if is_formula(value) else as_safe_cell(value)


_TRUE = frozenset({"1", "true", "yes", "y"})
_FALSE = frozenset({"", "0", "false", "no", "n"})
_MAX_PROBLEMS = 100


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


# A label's subject: row, claim number, place of a missed claim, reviewer and role.
_LabelSubject: TypeAlias = tuple[int, int | None, tuple[int, int] | None, str, LabelRole]


def _subject(row: int, label: Label) -> _LabelSubject:
    """Return a label's claim and author; two labels with the same subject repeat or replace each other."""
    span = (label.span.start, label.span.end) if label.kind is LabelKind.MISSED_CLAIM and label.span else None
    return row, label.claim_number, span, label.reviewer, label.role


@dataclass(frozen=True, slots=True, kw_only=True)
class _ImportedLabel:
    """A usable row of the file; `has_time` is False if the row had no time and the label got the current one."""

    line: int
    row: int
    label: Label
    has_time: bool

    @property
    def subject(self) -> _LabelSubject:
        return _subject(self.row, self.label)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Check:
    """A spot-check's part of a run: the drawn claims, by row and claim number."""

    spot_check_id: int
    drawn: set[tuple[int, int | None]]

    def place(self, item: _ImportedLabel) -> _ImportedLabel:
        """Return the label as given in the spot-check; raises InvalidInput if its claim was not drawn."""
        claim = (item.row, item.label.claim_number)
        if claim not in self.drawn:
            what = "a claim that the judge missed" if item.label.claim_number is None else "this claim"
            raise InvalidInput(f"spot-check {self.spot_check_id} did not draw {what}")
        return replace(item, label=replace(item.label, spot_check_id=self.spot_check_id))


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
    run = get_run(store, reference)
    claims = set(labels.iterate_claims(store.db, run.run_id))
    check = None if spot_check_id is None else _read_check(store, run.run_id, spot_check_id)
    report = ImportReport()
    imported: list[_ImportedLabel] = []
    # Imported here so that exporting labels does not load the readers.
    from faithview.formats.read import open_table

    table = open_table(file, name=file.name)
    is_csv = table.format.startswith(("csv", "tsv"))
    for row in table.rows():
        if not isinstance(row, RawRow):
            report.refuse(str(row))
            continue
        try:
            label = _parse_row(store, run.run_id, row, claims, is_csv=is_csv)
            imported.append(label if check is None else check.place(label))
        except FaithViewError as error:
            report.refuse(f"row {row.line}: {error}")
    if not imported and report.problem_count:
        raise NoUsableRow(file.name, report)
    new = _find_new(imported, _stored_labels(store, run.run_id, spot_check_id), report)
    labels.add_labels(store.db, [(run.run_id, item.row, item.label) for item in new])
    report.added = len(new)
    return report


def _parse_row(store: Store, run_id: str, row: RawRow, claims: set[tuple[int, int]], *, is_csv: bool) -> _ImportedLabel:
    values = {name: _cell_text(value, is_csv=is_csv) for name, value in row.values.items()}
    for name in ("claim_id", "verdict", "reviewer"):
        if not values.get(name):
            raise InvalidInput(f"no {name}")
    at, is_blind = _time(values.get("at", "")), _flag("blind", values.get("blind", ""))
    provenance = LabelProvenance(
        reviewer=values["reviewer"],
        at=at,
        role=_role(values.get("role", "")),
        note=values.get("note") or None,
        corrected_text=values.get("corrected_text") or None,
        is_blind=is_blind,
    )
    verdict = values["verdict"].lower()
    row_id, _, last = values["claim_id"].rpartition("-")
    if last == MISSED:
        position, _ = _parse_claim_id(run_id, f"{row_id}-0")
        start, end = (_offset(name, values.get(name, "")) for name in ("start", "end"))
        answer = get_answer_at(store, run_id, position).sample.answer
        label = build_missed_claim(answer, start=start, end=end, verdict=verdict, provenance=provenance)
        return _ImportedLabel(line=row.line, row=position, label=label, has_time=at is not None)
    position, number = _parse_claim_id(run_id, values["claim_id"])
    if (position, number) not in claims:
        raise NotFound(f"Run {run_id} has no claim {values['claim_id']!r}.")
    label = build_label(verdict, provenance, claim=number)
    return _ImportedLabel(line=row.line, row=position, label=label, has_time=at is not None)


def _parse_claim_id(run_id: str, claim_id: str) -> tuple[int, int]:
    """Return (row position, claim number) of a claim's public id; raises NotFound if it is not one of this run."""
    parts = claim_id.rsplit("-", 2)
    if len(parts) != 3 or parts[0] != run_id or not all(part.isascii() and part.isdecimal() for part in parts[1:]):
        raise NotFound(f"Run {run_id} has no claim {claim_id!r}.")
    return int(parts[1]), int(parts[2])


def _offset(name: str, text: str) -> int:
    if not (text.isascii() and text.isdecimal()):
        raise InvalidInput(f"{name} is {text!r}; a claim that the judge missed needs its place in the answer")
    return int(text)


def _read_check(store: Store, run_id: str, spot_check_id: int) -> _Check:
    places = [item.place for item in spot_checks.list_items(store.db, spot_check_id)]
    drawn: set[tuple[int, int | None]] = {(place.row, place.claim_number) for place in places if place.run_id == run_id}
    if not drawn:
        raise NotFound(f"Spot-check {spot_check_id} drew nothing from run {run_id}.")
    return _Check(spot_check_id=spot_check_id, drawn=drawn)


def _stored_labels(store: Store, run_id: str, spot_check_id: int | None) -> dict[_LabelSubject, list[Label]]:
    """Return the labels to compare the file's rows with: all, or those given in the spot-check."""
    stored: dict[_LabelSubject, list[Label]] = {}
    by_id: dict[int | None, _LabelSubject] = {}
    for position, label in labels.list_labels(store.db, run_id):
        is_elsewhere = spot_check_id is not None and label.spot_check_id != spot_check_id
        if is_elsewhere and label.kind is not LabelKind.RETRACTION:
            continue
        by_id[label.label_id] = _subject(position, label)
        stored.setdefault(by_id.get(label.retracts, by_id[label.label_id]), []).append(label)
    return stored


def _find_new(
    imported: list[_ImportedLabel],
    stored: Mapping[_LabelSubject, list[Label]],
    report: ImportReport,
) -> list[_ImportedLabel]:
    """Return the new rows, oldest first; count and report the others."""
    last = {item.subject: item for item in imported if not item.has_time}
    newest: dict[object, datetime] = {}
    new = []
    for item in sorted(imported, key=lambda item: item.label.at):
        before = stored.get(item.subject, [])
        same = [label for label in before if (label.kind, label.verdict) == (item.label.kind, item.label.verdict)]
        # A label given after a blind one does not count, but its row is known when imported again.
        standing = [*standing_labels(before), *newest_labels(before)]
        if not item.has_time and last[item.subject] is not item:
            if last[item.subject].label.verdict is item.label.verdict:
                report.known += 1
            else:
                report.refuse(
                    f"row {item.line}: row {last[item.subject].line} gives another verdict on the same claim and counts"
                )
            continue
        if any(label.at == item.label.at if item.has_time else label in standing for label in same):
            report.known += 1
            continue
        latest = max([label.at for label in standing], default=None)
        if item.has_time and latest is not None and item.label.at < latest:
            report.refuse(f"row {item.line}: older than the current label of {item.label.reviewer!r}")
            continue
        if newest.get((item.subject, item.label.verdict)) == item.label.at:
            report.known += 1
            continue
        newest[item.subject, item.label.verdict] = item.label.at
        new.append(item)
    return new


def _cell_text(value: object, *, is_csv: bool) -> str:
    text = "" if value is None else str(value).strip()
    return text[1:] if is_csv and text.startswith("'") and is_formula(text) else text


def _role(text: str) -> LabelRole:
    try:
        return LabelRole(text.lower()) if text else LabelRole.REVIEWER
    except ValueError:
        raise InvalidInput(f"there is no role {text!r}; the roles are {', '.join(LabelRole)}") from None


def _flag(name: str, text: str) -> bool:
    if text.lower() in _TRUE:
        return True
    if text.lower() in _FALSE:
        return False
    raise InvalidInput(f"{name} is {text!r}; write true or false")


def _time(text: str) -> datetime | None:
    if not text:
        return None
    try:
        parsed = datetime.fromisoformat(text)
    except ValueError:
        raise InvalidInput(f"the time {text!r} is not an ISO 8601 date and time") from None
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)
