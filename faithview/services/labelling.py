"""People's labels, written: every write is validated here, whatever a page or a file claims."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from faithview.domain.claim import Verdict
from faithview.domain.errors import FaithViewError, InvalidInput, NotFound
from faithview.domain.label import Label, LabelKind, LabelRole, standing_labels
from faithview.domain.sample import find_unstorable
from faithview.domain.spans import Span, span_at
from faithview.formats.dataset import RawRow, open_table
from faithview.services.container import Services
from faithview.store import labels

NOT_A_CLAIM = "not_a_claim"
_MAX_NAME = 100
_MAX_NOTE = 10_000
_TRUE = frozenset({"1", "true", "yes", "y"})
_SHOWN_PROBLEMS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """How a label was given, beside what it says. Meaning as in `Label`."""

    reviewer: str
    at: datetime | None = None
    role: LabelRole = LabelRole.REVIEWER
    note: str | None = None
    corrected_text: str | None = None
    seconds: float | None = None
    is_blind: bool = False
    judge_seen: bool = True
    spot_check_id: int | None = None
    inclusion_probability: float | None = None


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


def label_claim(services: Services, run_id: str, row: int, claim: int, verdict: str, given: Given) -> Label:
    """Store what a person says of a claim: one of the four verdicts, or "not_a_claim".

    Raises:
        InvalidInput: the verdict, the reviewer's name or the note cannot be used.
        NotFound: there is no such run, row or claim.
    """
    label = build_label(verdict, given, claim=claim)
    return labels.add_label(services.db, label, run_id=services.get_run(run_id).run_id, position=row)


def build_label(verdict: str, given: Given, *, claim: int) -> Label:
    """Return the label that says so of a claim, not stored yet.

    Raises:
        InvalidInput: the verdict, the reviewer's name or the note cannot be used.
    """
    kind = LabelKind.NOT_A_CLAIM if verdict == NOT_A_CLAIM else LabelKind.VERDICT
    chosen = None if kind is LabelKind.NOT_A_CLAIM else parse_verdict(verdict)
    return _build(given, kind=kind, claim_number=claim, verdict=chosen)


def label_missed_claim(
    services: Services, run_id: str, row: int, *, start: int, end: int, verdict: str, given: Given
) -> Label:
    """Store a claim that the judge missed, by its place `[start, end)` in the answer.

    Raises:
        InvalidInput: the place is not within the answer, or as for `label_claim`.
        NotFound: there is no such run or row.
    """
    detail = services.get_answer_at(services.get_run(run_id).run_id, row)
    length = len(detail.sample.answer)
    if not 0 <= start < end <= length:
        raise InvalidInput(f"The place [{start}, {end}) is not within the answer's {length} characters.")
    span = span_at(detail.sample.answer, start, end)
    given = replace(given, corrected_text=given.corrected_text or span.of(detail.sample.answer))
    label = _build(given, kind=LabelKind.MISSED_CLAIM, verdict=parse_verdict(verdict), span=span)
    return labels.add_label(services.db, label, run_id=detail.run_id, position=detail.position)


def retract_label(services: Services, run_id: str, row: int, label: Label, given: Given) -> Label:
    """Take a label back: it stays in the history and does not count any more.

    Raises:
        InvalidInput: it is somebody else's.
        NotFound: there is no such label on that row.
    """
    retraction = _build(given, kind=LabelKind.RETRACTION, claim_number=label.claim_number, retracts=label.label_id)
    return labels.add_label(services.db, retraction, run_id=services.get_run(run_id).run_id, position=row)


def claim_history(services: Services, run_id: str, row: int) -> list[Label]:
    """Return all labels of a row, oldest first, those that no longer count included."""
    return [label for _, label in labels.list_labels(services.db, run_id, position=row)]


def import_labels(services: Services, reference: str, file: Path) -> ImportReport:
    """Read labels of a run from JSON lines or CSV: good rows are stored, bad ones reported; twice changes nothing.

    Raises:
        NotFound: there is no such run.
        InvalidInput: there is no such file; UnreadableFile if it cannot be read.
    """
    if not file.is_file():
        raise InvalidInput(f"There is no file {str(file)!r}.")
    run = services.get_run(reference)
    known = _known_labels(services, run.run_id)
    report = ImportReport()
    for row in open_table(file, name=file.name).rows():
        if not isinstance(row, RawRow):
            report.refuse(str(row))
            continue
        try:
            _import_row(services, run.run_id, row.values, known, report)
        except FaithViewError as error:
            report.refuse(f"row {row.line}: {error}")
    return report


def export_labels(services: Services, reference: str) -> list[dict[str, object]]:
    """Return the labels of a run that count, as rows that `import_labels` reads; raises NotFound."""
    run = services.get_run(reference)
    by_claim: dict[tuple[int, int | None], list[Label]] = {}
    for position, label in labels.list_labels(services.db, run.run_id):
        by_claim.setdefault((position, label.claim_number), []).append(label)
    rows = []
    for (position, number), found in sorted(by_claim.items(), key=lambda item: (item[0][0], item[0][1] or 0)):
        for label in standing_labels(found) if number is not None else ():
            rows.append(label_document(label, claim_id=f"{run.run_id}-{position}-{number}"))
    return rows


def label_document(label: Label, *, claim_id: str | None = None) -> dict[str, object]:
    """Return a label as exports hold it."""
    return {
        "claim_id": claim_id,
        "verdict": NOT_A_CLAIM if label.kind is LabelKind.NOT_A_CLAIM else label.verdict,
        "reviewer": label.reviewer,
        "at": label.at.isoformat(),
        "note": label.note,
        "blind": label.is_blind,
        "role": label.role.value,
        "inclusion_probability": label.inclusion_probability,
        "inherited": label.origin is not None,
    }


def parse_verdict(text: str) -> Verdict:
    """Return the verdict of that name; raises InvalidInput naming those that there are."""
    try:
        return Verdict(text)
    except ValueError:
        raise InvalidInput(f"There is no verdict {text!r}; there are {', '.join(Verdict)} and {NOT_A_CLAIM}.") from None


def parse_claim_id(run_id: str, claim_id: str) -> tuple[int, int]:
    """Return (row position, claim number) of a claim's public id.

    Raises:
        NotFound: it is no claim id, or that of another run.
    """
    parts = claim_id.rsplit("-", 2)
    if len(parts) != 3 or parts[0] != run_id or not all(part.isascii() and part.isdecimal() for part in parts[1:]):
        raise NotFound(f"Run {run_id} has no claim {claim_id!r}.")
    return int(parts[1]), int(parts[2])


def _build(
    given: Given,
    *,
    kind: LabelKind,
    claim_number: int | None = None,
    verdict: Verdict | None = None,
    span: Span | None = None,
    retracts: int | None = None,
) -> Label:
    """Return the label to store. Raises InvalidInput for what cannot be used of what was given."""
    reviewer = " ".join(given.reviewer.split())
    if not reviewer or len(reviewer) > _MAX_NAME:
        raise InvalidInput(f"A reviewer's name needs 1 to {_MAX_NAME} characters, not {len(reviewer)}.")
    for name, text in (("name", reviewer), ("note", given.note), ("text", given.corrected_text)):
        if text is not None and (len(text) > _MAX_NOTE or find_unstorable(text) is not None):
            raise InvalidInput(f"The {name} is too long or holds a character that cannot be stored.")
    if given.inclusion_probability is not None and not 0 < given.inclusion_probability <= 1:
        raise InvalidInput(f"An inclusion probability is in (0, 1], not {given.inclusion_probability}.")
    return Label(
        label_id=0,
        kind=kind,
        reviewer=reviewer,
        at=given.at or datetime.now(UTC),
        claim_number=claim_number,
        verdict=verdict,
        role=given.role,
        note=given.note or None,
        corrected_text=given.corrected_text or None,
        span=span,
        seconds=given.seconds,
        is_blind=given.is_blind,
        judge_seen=given.judge_seen,
        spot_check_id=given.spot_check_id,
        inclusion_probability=given.inclusion_probability,
        retracts=retracts,
    )


_Known = dict[tuple[int, int | None, str], list[Label]]


def _known_labels(services: Services, run_id: str) -> _Known:
    known: _Known = {}
    for position, label in labels.list_labels(services.db, run_id):
        known.setdefault((position, label.claim_number, label.reviewer), []).append(label)
    return known


def _import_row(
    services: Services, run_id: str, values: Mapping[str, object], known: _Known, report: ImportReport
) -> None:
    for name in ("claim_id", "verdict", "reviewer"):
        if not str(values.get(name) or "").strip():
            raise InvalidInput(f"no {name}")
    position, number = parse_claim_id(run_id, str(values["claim_id"]).strip())
    verdict, reviewer = str(values["verdict"]).strip(), " ".join(str(values["reviewer"]).split())
    at = _time(values.get("at"))
    mine = known.setdefault((position, number, reviewer), [])
    wanted = None if verdict == NOT_A_CLAIM else parse_verdict(verdict)
    is_known = any(label.verdict is wanted and at == label.at for label in mine) if at else False
    if not at:
        is_known = any(label.verdict is wanted for label in standing_labels(mine))
    if is_known:
        report.known += 1
        return
    given = Given(
        reviewer=reviewer,
        at=at,
        note=str(values["note"]) if values.get("note") else None,
        is_blind=str(values.get("blind") or "").strip().lower() in _TRUE,
        judge_seen=str(values.get("blind") or "").strip().lower() not in _TRUE,
    )
    mine.append(label_claim(services, run_id, position, number, verdict, given))
    report.added += 1


def _time(value: object) -> datetime | None:
    if value is None or not str(value).strip():
        return None
    try:
        parsed = datetime.fromisoformat(str(value).strip())
    except ValueError:
        raise InvalidInput(f"the time {str(value)!r} is not an ISO 8601 date and time") from None
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)
