"""People's labels, written: every write is validated here, whatever a page or a file claims."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime

from faithview.domain.claim import Verdict
from faithview.domain.errors import InvalidInput
from faithview.domain.label import Label, LabelKind, LabelRole
from faithview.domain.sample import find_unstorable
from faithview.domain.spans import Span, find_quote, span_at
from faithview.services.container import Services
from faithview.services.results.answers import get_answer_at
from faithview.services.results.runs import get_run
from faithview.services.review.carry_over import carry_onward
from faithview.store.review import labels

NOT_A_CLAIM = "not_a_claim"
_MAX_NAME = 100
_MAX_NOTE = 10_000
_SHOWN = 60


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


def label_claim(services: Services, run_id: str, row: int, claim: int, verdict: str, given: Given) -> Label:
    """Store what a person says of a claim: one of the four verdicts, or "not_a_claim".

    What settles a tie reaches the runs that have inherited the tie.

    Raises:
        InvalidInput: the verdict, the reviewer's name or the note cannot be used.
        NotFound: there is no such run, row or claim.
    """
    run_id = get_run(services, run_id).run_id
    label = labels.add_label(services.db, build_label(verdict, given, claim=claim), run_id=run_id, position=row)
    if label.role is LabelRole.ADJUDICATOR:
        carry_onward(services.db, run_id, row, claim)
    return label


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
    run_id = get_run(services, run_id).run_id
    label = build_missed_claim(services, run_id, row, start=start, end=end, verdict=verdict, given=given)
    return labels.add_label(services.db, label, run_id=run_id, position=row)


def build_missed_claim(
    services: Services, run_id: str, row: int, *, start: int, end: int, verdict: str, given: Given
) -> Label:
    """Return the label that says that the judge missed a claim there, not stored yet; raises as storing it does."""
    answer = get_answer_at(services, run_id, row).sample.answer
    if not 0 <= start < end <= len(answer):
        raise InvalidInput(f"The place [{start}, {end}) is not within the answer's {len(answer)} characters.")
    span = span_at(answer, start, end)
    given = replace(given, corrected_text=given.corrected_text or span.of(answer))
    return _build(given, kind=LabelKind.MISSED_CLAIM, verdict=parse_verdict(verdict), span=span)


def label_missed_quote(
    services: Services, run_id: str, row: int, quote: str, *, occurrence: int = 0, verdict: str, given: Given
) -> Label:
    """Store a claim that the judge missed, by the words with which the answer makes it.

    Args:
        services: the services.
        run_id: the run.
        row: the row's position, from 1.
        quote: words of the answer, verbatim; white space around them does not count.
        occurrence: which of several places with these words it is, from 0.
        verdict: what the chunks say of the claim.
        given: who says so, and the claim's own words where the quote cannot stand alone (`corrected_text`).

    Raises:
        InvalidInput: the answer does not hold the words, or as for `label_missed_claim`.
        NotFound: there is no such run or row.
    """
    detail = get_answer_at(services, get_run(services, run_id).run_id, row)
    span = find_quote(detail.sample.answer, quote.strip(), occurrence=occurrence)
    if span is None:
        again = f" {occurrence + 1} times" if occurrence and quote.strip() else ""
        raise InvalidInput(
            f"The answer does not say {_short(quote.strip())!r}{again}, word for word; copy it from there."
        )
    return label_missed_claim(
        services, detail.run_id, row, start=span.start, end=span.end, verdict=verdict, given=given
    )


def retract_label(services: Services, run_id: str, row: int, label: Label, given: Given) -> Label:
    """Take a label back: it stays in the history and does not count any more.

    Raises:
        InvalidInput: it is somebody else's.
        NotFound: there is no such label on that row.
    """
    retraction = _build(given, kind=LabelKind.RETRACTION, claim_number=label.claim_number, retracts=label.label_id)
    run_id = get_run(services, run_id).run_id
    stored = labels.add_label(services.db, retraction, run_id=run_id, position=row)
    if label.role is LabelRole.ADJUDICATOR and label.claim_number is not None:
        carry_onward(services.db, run_id, row, label.claim_number)
    return stored


def claim_history(services: Services, run_id: str, row: int) -> list[Label]:
    """Return all labels of a row, oldest first, those that no longer count included."""
    return [label for _, label in labels.list_labels(services.db, run_id, position=row)]


def parse_verdict(text: str) -> Verdict:
    """Return the verdict of that name; raises InvalidInput naming those that there are."""
    try:
        return Verdict(text)
    except ValueError:
        raise InvalidInput(f"There is no verdict {text!r}; there are {', '.join(Verdict)} and {NOT_A_CLAIM}.") from None


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


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
