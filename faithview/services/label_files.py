"""Labels in files: read with every bad row named and nothing stored twice, written so that they can be read again."""

import csv
import json
import os
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from faithview.domain.errors import FaithViewError, InvalidInput, NotFound
from faithview.domain.label import Label, LabelKind, LabelRole, standing_labels
from faithview.formats.dataset import RawRow, open_table
from faithview.formats.export import as_safe_cell
from faithview.services.container import Services
from faithview.services.labelling import NOT_A_CLAIM, Given, build_label
from faithview.store import labels

COLUMNS = ("claim_id", "verdict", "reviewer", "at", "note", "blind", "role", "inclusion_probability", "inherited")
_TRUE = frozenset({"1", "true", "yes", "y"})
_FALSE = frozenset({"", "0", "false", "no", "n"})
_SHOWN_PROBLEMS = 100


@dataclass(slots=True)
class ImportReport:
    """What became of the rows of a file of labels; `problems` holds the first hundred."""

    added: int = 0
    known: int = 0
    problem_count: int = 0
    problems: list[str] = field(default_factory=list)

    def refuse(self, problem: str) -> None:
        """Count a row that could not be used."""
        self.problem_count += 1
        if len(self.problems) < _SHOWN_PROBLEMS:
            self.problems.append(problem)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    """A usable row: its line, its claim, and the label, whose time is made up where the row has none."""

    line: int
    row: int
    label: Label
    has_time: bool

    @property
    def place(self) -> tuple[int, int | None, str, LabelRole]:
        return self.row, self.label.claim_number, self.label.reviewer, self.label.role


def import_labels(services: Services, reference: str, file: Path) -> ImportReport:
    """Read labels of a run from JSON lines or CSV: good rows are stored, bad ones reported; twice changes nothing.

    A row is known if its claim has that person's label with that verdict and time, or, for a row without a time, if
    that verdict is what the person says already. Of several rows without a time, of one person on one claim, the last
    counts.

    Raises:
        NotFound: there is no such run.
        InvalidInput: there is no such file; UnreadableFile if it cannot be read.
    """
    if not file.is_file():
        raise InvalidInput(f"There is no file {str(file)!r}.")
    run = services.get_run(reference)
    claims = set(labels.iterate_claims(services.db, run.run_id))
    report = ImportReport()
    wanted: list[_Wanted] = []
    table = open_table(file, name=file.name)
    is_csv = table.format.startswith(("csv", "tsv"))
    for row in table.rows():
        if not isinstance(row, RawRow):
            report.refuse(str(row))
            continue
        try:
            wanted.append(_read(run.run_id, row, claims, is_csv=is_csv))
        except FaithViewError as error:
            report.refuse(f"row {row.line}: {error}")
    new = _find_new(wanted, _said_before(services, run.run_id), report)
    labels.add_labels(services.db, run.run_id, [(item.row, item.label) for item in new])
    report.added = len(new)
    return report


def export_labels(services: Services, reference: str) -> list[dict[str, object]]:
    """Return the labels of a run that count, as rows that `import_labels` reads; raises NotFound.

    Claims that the judge missed have no id by which another program could name them, so they are not among them.
    """
    run = services.get_run(reference)
    by_claim: dict[tuple[int, int], list[Label]] = {}
    for position, label in labels.list_labels(services.db, run.run_id):
        if label.claim_number is not None:
            by_claim.setdefault((position, label.claim_number), []).append(label)
    return [
        label_document(label, claim_id=f"{run.run_id}-{position}-{number}")
        for (position, number), found in sorted(by_claim.items())
        for label in standing_labels(found)
    ]


def write_labels(rows: Iterable[Mapping[str, object]], destination: Path) -> None:
    """Write labels as CSV if the file's name ends in .csv, else as JSON lines; the file appears complete or not at all.

    Raises:
        InvalidInput: the file cannot be written there.
    """
    temporary = destination.with_name(f".{destination.name}.{secrets.token_hex(4)}.part")
    is_csv = destination.suffix.lower() == ".csv"
    try:
        try:
            # With a byte order mark, without which Excel takes UTF-8 for the system's old encoding.
            with temporary.open(
                "x", encoding="utf-8-sig" if is_csv else "utf-8", newline="" if is_csv else "\n"
            ) as out:
                if is_csv:
                    writer = csv.writer(out)
                    writer.writerow(COLUMNS)
                    writer.writerows([_cell(row[column]) for column in COLUMNS] for row in rows)
                else:
                    out.writelines(json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n" for row in rows)
            os.replace(temporary, destination)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise InvalidInput(f"{str(destination)!r} cannot be written: {error.strerror or error}.") from error


def label_document(label: Label, *, claim_id: str) -> dict[str, object]:
    """Return a label as exports hold it."""
    return {
        "claim_id": claim_id,
        "verdict": NOT_A_CLAIM if label.kind is LabelKind.NOT_A_CLAIM else str(label.verdict),
        "reviewer": label.reviewer,
        "at": label.at.isoformat(),
        "note": label.note,
        "blind": label.is_blind,
        "role": label.role.value,
        "inclusion_probability": label.inclusion_probability,
        "inherited": label.origin is not None,
    }


def parse_claim_id(run_id: str, claim_id: str) -> tuple[int, int]:
    """Return (row position, claim number) of a claim's public id.

    Raises:
        NotFound: it is no claim id, or that of another run.
    """
    parts = claim_id.rsplit("-", 2)
    if len(parts) != 3 or parts[0] != run_id or not all(part.isascii() and part.isdecimal() for part in parts[1:]):
        raise NotFound(f"Run {run_id} has no claim {claim_id!r}.")
    return int(parts[1]), int(parts[2])


def _read(run_id: str, row: RawRow, claims: set[tuple[int, int]], *, is_csv: bool) -> _Wanted:
    values = {name: _text(value, is_csv=is_csv) for name, value in row.values.items()}
    for name in ("claim_id", "verdict", "reviewer"):
        if not values.get(name):
            raise InvalidInput(f"no {name}")
    place = parse_claim_id(run_id, values["claim_id"])
    if place not in claims:
        raise NotFound(f"Run {run_id} has no claim {values['claim_id']!r}.")
    at, is_blind = _time(values.get("at", "")), _flag("blind", values.get("blind", ""))
    given = Given(
        reviewer=values["reviewer"],
        at=at,
        role=_role(values.get("role", "")),
        note=values.get("note") or None,
        is_blind=is_blind,
        judge_seen=not is_blind,
    )
    label = build_label(values["verdict"].lower(), given, claim=place[1])
    return _Wanted(line=row.line, row=place[0], label=label, has_time=at is not None)


def _said_before(services: Services, run_id: str) -> dict[tuple[int, int | None, str, LabelRole], list[Label]]:
    said: dict[tuple[int, int | None, str, LabelRole], list[Label]] = {}
    by_id: dict[int | None, LabelRole] = {}
    for position, label in labels.list_labels(services.db, run_id):
        by_id[label.label_id] = label.role
        role = by_id.get(label.retracts, label.role)
        said.setdefault((position, label.claim_number, label.reviewer, role), []).append(label)
    return said


def _find_new(
    wanted: list[_Wanted],
    said: Mapping[tuple[int, int | None, str, LabelRole], list[Label]],
    report: ImportReport,
) -> list[_Wanted]:
    """Return the rows that say something new, oldest first; count and report the others."""
    last = {item.place: item for item in wanted if not item.has_time}
    newest: dict[object, datetime] = {}
    new = []
    for item in sorted(wanted, key=lambda item: item.label.at):
        before = said.get(item.place, [])
        same = [found for found in before if (found.kind, found.verdict) == (item.label.kind, item.label.verdict)]
        standing = standing_labels(before)
        if not item.has_time and last[item.place] is not item:
            if last[item.place].label.verdict is item.label.verdict:
                report.known += 1
            else:
                report.refuse(
                    f"row {item.line}: row {last[item.place].line} says otherwise of the same claim; it counts"
                )
            continue
        if any(found.at == item.label.at if item.has_time else found in standing for found in same):
            report.known += 1
            continue
        latest = max([found.at for found in standing], default=None)
        if item.has_time and latest is not None and item.label.at < latest:
            report.refuse(f"row {item.line}: older than the label of {item.label.reviewer!r} that counts")
            continue
        if newest.get((item.place, item.label.verdict)) == item.label.at:
            report.known += 1
            continue
        newest[item.place, item.label.verdict] = item.label.at
        new.append(item)
    return new


def _text(value: object, *, is_csv: bool) -> str:
    text = "" if value is None else str(value).strip()
    return text[1:] if is_csv and text.startswith("'") and _is_formula(text) else text


def _cell(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and _is_formula(value) else value


def _is_formula(text: str) -> bool:
    """Return whether a spreadsheet would run the text, or would but for apostrophes; one more goes in front of both."""
    bare = text.lstrip("'")
    return as_safe_cell(bare) != bare


def _role(text: str) -> LabelRole:
    try:
        return LabelRole(text.lower()) if text else LabelRole.REVIEWER
    except ValueError:
        raise InvalidInput(f"there is no role {text!r}; there are {', '.join(LabelRole)}") from None


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
