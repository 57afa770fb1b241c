"""Labels read from files and written to files, in the same form.

Every bad row is named, and reading a file twice does not store duplicates.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

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
    retracted_ids,
    second_thoughts,
    standing_labels,
)
from faithview.formats.files.atomic_file import atomic_file
from faithview.formats.files.tables import RawRow
from faithview.formats.write import from_safe_cell, write_csv, write_json_lines
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
    documents = (row.to_dict() for row in rows)
    with atomic_file(destination) as temporary:
        if destination.suffix.lower() == ".csv":
            write_csv(COLUMNS, documents, temporary)
        else:
            write_json_lines(documents, temporary)


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


@dataclass(slots=True)
class ImportReport:
    """The result of importing a file of labels.

    `usable` counts the labels that the file gives; `problems` has a sentence for each row that was left out.
    """

    usable: int = 0
    added: int = 0
    known: int = 0
    problems: list[str] = field(default_factory=list)


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


class _ImportedLabel(NamedTuple):
    """A usable row of the file; `has_time` is False if the row had no time and the label got the current one."""

    line: int
    position: int
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
    """
    if not file.is_file():
        raise InvalidInput(f"There is no file {str(file)!r}.")
    run_id = get_run(store, reference).run_id
    claims: set[tuple[int, int]] = set(labels.iterate_claims(store.db, run_id))
    if spot_check_id is not None:
        places = [item.place for item in spot_checks.list_items(store.db, spot_check_id)]
        claims = {(place.row, place.claim_number) for place in places if place.run_id == run_id}
        if not claims:
            raise NotFound(f"Spot-check {spot_check_id} drew nothing from run {run_id}.")
    report = ImportReport()
    chosen: dict[object, _ImportedLabel] = {}
    for row in _read_rows(store, run_id, file, claims, spot_check_id, report):
        # Of rows without a time, the last one on a claim counts.
        key = (_subject(row.position, row.label), (row.label.verdict, row.label.at) if row.has_time else None)
        earlier = chosen.get(key)
        if earlier is not None and earlier.label.verdict is row.label.verdict:
            report.known += 1
        elif earlier is not None:
            problem = f"row {earlier.line}: row {row.line} gives another verdict on the same claim and counts"
            report.problems.append(problem)
        chosen[key] = row
    report.usable = len(chosen)
    stored = _stored_labels(store, run_id, spot_check_id)
    new = []
    for row in sorted(chosen.values(), key=lambda row: row.label.at):
        before = stored[_subject(row.position, row.label)]
        # A label given after a blind one does not count, but its row is known when imported again.
        current = [*standing_labels(before), *newest_labels(before)]
        same = [one for one in before if (one.kind, one.verdict) == (row.label.kind, row.label.verdict)]
        if any(one.at == row.label.at if row.has_time else one in current for one in same):
            report.known += 1
        elif row.has_time and any(one.at > row.label.at for one in current):
            report.problems.append(f"row {row.line}: older than the current label of {row.label.reviewer!r}")
        else:
            new.append((run_id, row.position, row.label))
    labels.add_labels(store.db, new)
    report.added = len(new)
    return report


def _stored_labels(store: Store, run_id: str, spot_check_id: int | None) -> dict[object, list[Label]]:
    """Return the labels to compare the file's with, by subject: all, or those given in the spot-check."""
    stored: dict[object, list[Label]] = defaultdict(list)
    given = labels.list_labels(store.db, run_id)
    retracted = retracted_ids(label for _, label in given)
    for position, label in given:
        if label.label_id not in retracted and (spot_check_id is None or label.spot_check_id == spot_check_id):
            stored[_subject(position, label)].append(label)
    return stored


def _subject(position: int, label: Label) -> tuple[object, ...]:
    """Return what a label is about and whose it is; labels with the same subject repeat or replace each other."""
    return position, label.claim_number, label.span and (label.span.start, label.span.end), label.reviewer, label.role


def _read_rows(
    store: Store,
    run_id: str,
    file: Path,
    claims: set[tuple[int, int]],
    spot_check_id: int | None,
    report: ImportReport,
) -> Iterator[_ImportedLabel]:
    """Yield the usable rows of a file; name the others in the report."""
    # Imported here so that exporting labels does not load the readers.
    from faithview.formats.read import open_table

    table = open_table(file, name=file.name)
    for row in table.rows():
        try:
            if not isinstance(row, RawRow):
                raise InvalidInput(row.reason)
            cells = {name: str(value).strip() for name, value in row.values.items() if value is not None}
            if table.format.startswith(("csv", "tsv")):
                cells = {name: from_safe_cell(text) for name, text in cells.items()}
            cells = {name: text for name, text in cells.items() if text}
            yield _parse_row(store, run_id, row.line, cells, claims, spot_check_id)
        except FaithViewError as error:
            report.problems.append(f"row {row.line}: {error}")


def _parse_row(
    store: Store,
    run_id: str,
    line: int,
    cells: dict[str, str],
    claims: set[tuple[int, int]],
    spot_check_id: int | None,
) -> _ImportedLabel:
    try:
        parsed = _FileRow.model_validate(cells)
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
        spot_check_id=spot_check_id,
    )
    place = re.fullmatch(rf"{re.escape(run_id)}-(\d{{1,9}})-(\d{{1,9}}|{MISSED})", parsed.claim_id, re.ASCII)
    is_missed = place is not None and place[2] == MISSED
    if place is None or not (spot_check_id is None if is_missed else (int(place[1]), int(place[2])) in claims):
        drawn = "" if spot_check_id is None else f" that spot-check {spot_check_id} drew"
        raise NotFound(f"Run {run_id} has no claim {parsed.claim_id!r}{drawn}.")
    position, verdict = int(place[1]), parsed.verdict.lower()
    if not is_missed:
        label = build_label(verdict, provenance, claim=int(place[2]))
    elif parsed.start is None or parsed.end is None:
        raise InvalidInput("a claim that the judge missed needs its place in the answer, `start` and `end`")
    else:
        answer = get_answer_at(store, run_id, position).sample.answer
        label = build_missed_claim(answer, start=parsed.start, end=parsed.end, verdict=verdict, provenance=provenance)
    return _ImportedLabel(line, position, label, at is not None)
