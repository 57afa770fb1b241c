"""Labels in files: read with every bad row named and nothing stored twice, written so that they can be read again."""

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias

from faithview.domain.errors import FaithViewError, InvalidInput, NotFound
from faithview.domain.label import Label, LabelKind, LabelRole, missed_claims, standing_labels
from faithview.formats.dataset import RawRow, open_table
from faithview.formats.export import as_safe_cell
from faithview.formats.files.atomic_file import atomic_file
from faithview.services.container import Services
from faithview.services.results.runs import get_run
from faithview.services.review.labels import NOT_A_CLAIM, Given, build_label, build_missed_claim
from faithview.store.review import labels

COLUMNS = (
    "claim_id",
    "verdict",
    "reviewer",
    "at",
    "note",
    "corrected_text",
    "blind",
    "role",
    "inclusion_probability",
    "inherited",
    "start",
    "end",
)
# In place of a claim's number in the id of one that the judge missed; its place in the answer tells which one it is.
MISSED = "missed"
_TRUE = frozenset({"1", "true", "yes", "y"})
_FALSE = frozenset({"", "0", "false", "no", "n"})
_SHOWN_PROBLEMS = 100


class NoUsableRow(InvalidInput):
    """Not one row of a file of labels could be used; `report` names the problems."""

    def __init__(self, name: str, report: "ImportReport") -> None:
        self.report = report
        rows = "not one row" if report.problem_count == 1 else f"none of the {report.problem_count} rows"
        super().__init__(f"Nothing was stored: of {name!r}, {rows} could be used.")


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


_Place: TypeAlias = tuple[int, int | None, tuple[int, int] | None, str, LabelRole]


def _place(row: int, label: Label) -> _Place:
    """Return what a label is about and whose it is: another one there says the same again, or otherwise."""
    span = (label.span.start, label.span.end) if label.kind is LabelKind.MISSED_CLAIM and label.span else None
    return row, label.claim_number, span, label.reviewer, label.role


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    """A usable row: its line, its claim, and the label, whose time is made up where the row has none."""

    line: int
    row: int
    label: Label
    has_time: bool

    @property
    def place(self) -> "_Place":
        return _place(self.row, self.label)


def import_labels(services: Services, reference: str, file: Path) -> ImportReport:
    """Read labels of a run from JSON lines or CSV: good rows are stored, bad ones reported; twice changes nothing.

    Rows whose id ends in "-missed" are claims that the judge missed, from `start` to `end` in the answer.

    A row is known if its claim has that person's label with that verdict and time, or, for a row without a time, if
    that verdict is what the person says already. Of several rows without a time, of one person on one claim, the last
    counts.

    Raises:
        NotFound: there is no such run.
        InvalidInput: there is no such file; UnreadableFile if it cannot be read.
        NoUsableRow: not one row could be used; nothing was stored.
    """
    if not file.is_file():
        raise InvalidInput(f"There is no file {str(file)!r}.")
    run = get_run(services, reference)
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
            wanted.append(_read(services, run.run_id, row, claims, is_csv=is_csv))
        except FaithViewError as error:
            report.refuse(f"row {row.line}: {error}")
    if not wanted and report.problem_count:
        raise NoUsableRow(file.name, report)
    new = _find_new(wanted, _said_before(services, run.run_id), report)
    labels.add_labels(services.db, run.run_id, [(item.row, item.label) for item in new])
    report.added = len(new)
    return report


def export_labels(services: Services, reference: str) -> list[dict[str, object]]:
    """Return the labels of a run that count, as rows that `import_labels` reads; raises NotFound.

    Claims that the judge missed stand behind the others of their answer; their id ends in "-missed".
    """
    run = get_run(services, reference)
    by_row: dict[int, list[Label]] = {}
    for position, label in labels.list_labels(services.db, run.run_id):
        by_row.setdefault(position, []).append(label)
    return [
        document
        for position, found in sorted(by_row.items())
        for document in _row_documents(found, row_id=f"{run.run_id}-{position}")
    ]


def _row_documents(found: list[Label], *, row_id: str) -> Iterator[dict[str, object]]:
    by_claim: dict[int, list[Label]] = {}
    for label in found:
        if label.claim_number is not None:
            by_claim.setdefault(label.claim_number, []).append(label)
    for number, on_claim in sorted(by_claim.items()):
        for label in standing_labels(on_claim):
            yield label_document(label, claim_id=f"{row_id}-{number}")
    for label in missed_claims(found):
        yield label_document(label, claim_id=f"{row_id}-{MISSED}")


def write_labels(rows: Iterable[Mapping[str, object]], destination: Path) -> None:
    """Write labels as CSV if the file's name ends in .csv, else as JSON lines; the file appears complete or not at all.

    Raises:
        InvalidInput: the file cannot be written there.
    """
    is_csv = destination.suffix.lower() == ".csv"
    with (
        atomic_file(destination) as temporary,
        # Without a byte order mark Excel reads UTF-8 as the system's legacy encoding.
        temporary.open("x", encoding="utf-8-sig" if is_csv else "utf-8", newline="" if is_csv else "\n") as out,
    ):
        if is_csv:
            writer = csv.writer(out)
            writer.writerow(COLUMNS)
            writer.writerows([_cell(row[column]) for column in COLUMNS] for row in rows)
        else:
            out.writelines(json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n" for row in rows)


def label_document(label: Label, *, claim_id: str) -> dict[str, object]:
    """Return a label as exports hold it."""
    return {
        "claim_id": claim_id,
        "verdict": NOT_A_CLAIM if label.kind is LabelKind.NOT_A_CLAIM else str(label.verdict),
        "reviewer": label.reviewer,
        "at": label.at.isoformat(),
        "note": label.note,
        "corrected_text": label.corrected_text,
        "blind": label.is_blind,
        "role": label.role.value,
        "inclusion_probability": label.inclusion_probability,
        "inherited": label.origin is not None,
        "start": label.span.start if label.span else None,
        "end": label.span.end if label.span else None,
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


def _read(services: Services, run_id: str, row: RawRow, claims: set[tuple[int, int]], *, is_csv: bool) -> _Wanted:
    values = {name: _text(value, is_csv=is_csv) for name, value in row.values.items()}
    for name in ("claim_id", "verdict", "reviewer"):
        if not values.get(name):
            raise InvalidInput(f"no {name}")
    at, is_blind = _time(values.get("at", "")), _flag("blind", values.get("blind", ""))
    given = Given(
        reviewer=values["reviewer"],
        at=at,
        role=_role(values.get("role", "")),
        note=values.get("note") or None,
        corrected_text=values.get("corrected_text") or None,
        is_blind=is_blind,
        judge_seen=not is_blind,
    )
    verdict = values["verdict"].lower()
    row_id, _, last = values["claim_id"].rpartition("-")
    if last == MISSED:
        position, _ = parse_claim_id(run_id, f"{row_id}-0")
        start, end = (_offset(name, values.get(name, "")) for name in ("start", "end"))
        label = build_missed_claim(services, run_id, position, start=start, end=end, verdict=verdict, given=given)
        return _Wanted(line=row.line, row=position, label=label, has_time=at is not None)
    place = parse_claim_id(run_id, values["claim_id"])
    if place not in claims:
        raise NotFound(f"Run {run_id} has no claim {values['claim_id']!r}.")
    label = build_label(verdict, given, claim=place[1])
    return _Wanted(line=row.line, row=place[0], label=label, has_time=at is not None)


def _offset(name: str, text: str) -> int:
    if not (text.isascii() and text.isdecimal()):
        raise InvalidInput(f"{name} is {text!r}; a claim that the judge missed needs its place in the answer")
    return int(text)


def _said_before(services: Services, run_id: str) -> dict[_Place, list[Label]]:
    said: dict[_Place, list[Label]] = {}
    by_id: dict[int | None, _Place] = {}
    for position, label in labels.list_labels(services.db, run_id):
        by_id[label.label_id] = _place(position, label)
        said.setdefault(by_id.get(label.retracts, by_id[label.label_id]), []).append(label)
    return said


def _find_new(
    wanted: list[_Wanted],
    said: Mapping[_Place, list[Label]],
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
