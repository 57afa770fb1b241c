"""Labels written to files, in the form that `label_import` reads."""

import csv
import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from faithview.documents.labels import LabelRow
from faithview.domain.label import NOT_A_CLAIM, Label, LabelKind, missed_claims, second_thoughts, standing_labels
from faithview.domain.private_file import private
from faithview.formats.export import as_safe_cell, begins_formula
from faithview.formats.files.atomic_file import atomic_file
from faithview.services.container import Services
from faithview.services.results.runs import get_run
from faithview.store.review import labels

COLUMNS = tuple(LabelRow.model_fields)
# Replaces the claim's number in the id of a claim that the judge missed; `start` and `end` say which one it is.
MISSED = "missed"


def export_labels(services: Services, reference: str) -> list[LabelRow]:
    """Return the labels of a run, as rows that `import_labels` reads; raises NotFound.

    These are the labels that count and, with `counts` false behind the blind label that counts over it, what a reviewer
    said after they had seen the judge's verdict.

    Claims that the judge missed follow the other claims of their answer; their ids end in "-missed".
    """
    run = get_run(services, reference)
    by_row: dict[int, list[Label]] = {}
    for position, label in labels.list_labels(services.db, run.run_id):
        by_row.setdefault(position, []).append(label)
    return [
        document
        for position, row_labels in sorted(by_row.items())
        for document in _row_documents(row_labels, row_id=f"{run.run_id}-{position}")
    ]


def write_labels(rows: Iterable[LabelRow], destination: Path) -> None:
    """Write labels as CSV if the file's name ends in .csv, else as JSON lines; the file appears complete or not at all.

    Raises:
        InvalidInput: the file cannot be written there.
    """
    is_csv = destination.suffix.lower() == ".csv"
    with (
        atomic_file(destination) as temporary,
        # Without a byte order mark Excel reads UTF-8 as the system's legacy encoding.
        open(
            temporary, "x", opener=private, encoding="utf-8-sig" if is_csv else "utf-8", newline="" if is_csv else "\n"
        ) as out,
    ):
        if is_csv:
            writer = csv.writer(out)
            writer.writerow(COLUMNS)
            writer.writerows([_cell(getattr(row, column)) for column in COLUMNS] for row in rows)
        else:
            out.writelines(json.dumps(row.to_dict(), ensure_ascii=False, allow_nan=False) + "\n" for row in rows)


def label_row(label: Label, *, claim_id: str, counts: bool = True) -> LabelRow:
    """Return a label as a row of an export; `counts` is False for what was said after a blind label."""
    return LabelRow.of(label, **row_parts(label), claim_id=claim_id, counts=counts)


def row_parts(label: Label) -> dict[str, object]:
    """Return what a row says of a label in another way than the label itself."""
    return {
        "verdict": NOT_A_CLAIM if label.kind is LabelKind.NOT_A_CLAIM else label.verdict,
        "inherited": label.origin is not None,
        "spot_check": None if label.spot_check_id is None else str(label.spot_check_id),
    }


def is_formula(text: str) -> bool:
    """Return whether a spreadsheet would run the text as a formula, with or without the apostrophes in front of it.

    An exported cell of that kind gets one more apostrophe, which an import takes off again.
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
