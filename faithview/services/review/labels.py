"""Reviewers' labels, checked here before they are stored."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime

from faithview.domain.answer import AnswerDetail, View
from faithview.domain.certainty import UNSTATED, Certainty
from faithview.domain.claim import ClaimRef, Verdict
from faithview.domain.errors import InvalidInput, NotFound
from faithview.domain.label import (
    NOT_A_CLAIM,
    Label,
    LabelKind,
    LabelRole,
    counts_as_blind,
    newest_labels,
    parse_verdict,
)
from faithview.domain.sample import find_unstorable
from faithview.domain.scoring import ReviewedAnswer, apply_labels
from faithview.domain.spans import Span, find_quote, span_at
from faithview.services.container import Store
from faithview.services.results import get_answer_at, get_run
from faithview.store import labels

_MAX_NAME = 100
_MAX_NOTE = 10_000
_MAX_QUOTED = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelProvenance:
    """Who gave a label, when and how. Fields are as in `Label`; without `at` the time is now."""

    reviewer: str
    at: datetime | None = None
    role: LabelRole = LabelRole.REVIEWER
    note: str | None = None
    corrected_text: str | None = None
    seconds: float | None = None
    is_blind: bool = False
    spot_check_id: int | None = None


def label_claim(store: Store, run_id: str, row: int, claim: int, verdict: str, provenance: LabelProvenance) -> Label:
    """Store a reviewer's verdict on a claim: one of the four verdicts, or "not_a_claim".

    Raises:
        InvalidInput: the verdict, the reviewer's name or the note is invalid.
        NotFound: there is no such run, row or claim.
    """
    run_id = get_run(store, run_id).run_id
    return labels.add_label(store.db, build_label(verdict, provenance, claim=claim), run_id=run_id, position=row)


def build_label(verdict: str, provenance: LabelProvenance, *, claim: int) -> Label:
    """Return the label on a claim without storing it.

    Raises:
        InvalidInput: the verdict, the reviewer's name or the note is invalid.
    """
    kind = LabelKind.NOT_A_CLAIM if verdict == NOT_A_CLAIM else LabelKind.VERDICT
    chosen = None if kind is LabelKind.NOT_A_CLAIM else parse_verdict(verdict)
    return _build_checked_label(provenance, kind=kind, claim_number=claim, verdict=chosen)


def build_missed_claim(answer: str, *, start: int, end: int, verdict: str, provenance: LabelProvenance) -> Label:
    """Return the label for a claim that the judge missed, without storing it.

    Raises:
        InvalidInput: the range is not within the answer, or as for `label_claim`.
    """
    if not 0 <= start < end <= len(answer):
        raise InvalidInput(f"The place [{start}, {end}) is not within the answer's {len(answer)} characters.")
    span = span_at(answer, start, end)
    provenance = replace(provenance, corrected_text=provenance.corrected_text or span.of(answer))
    return _build_checked_label(provenance, kind=LabelKind.MISSED_CLAIM, verdict=parse_verdict(verdict), span=span)


def label_missed_quote(
    store: Store,
    run_id: str,
    row: int,
    quote: str,
    *,
    occurrence: int = 0,
    verdict: str,
    provenance: LabelProvenance,
) -> Label:
    """Store a claim that the judge missed, located by a quote from the answer.

    Args:
        store: the store.
        run_id: the run.
        row: the row's position, from 1.
        quote: words of the answer, verbatim; whitespace around them is ignored.
        occurrence: which occurrence of the quote is meant, from 0.
        verdict: the reviewer's verdict on the claim.
        provenance: who gave the label; `corrected_text` is the claim in full where the quote alone is unclear.

    Raises:
        InvalidInput: the answer does not contain the quote, or as for `label_claim`.
        NotFound: there is no such run or row.
    """
    detail = get_answer_at(store, get_run(store, run_id).run_id, row)
    span = find_quote(detail.sample.answer, quote.strip(), occurrence=occurrence)
    if span is None:
        times = f" {occurrence + 1} times" if occurrence and quote.strip() else ""
        raise InvalidInput(
            f"The answer does not contain {quote.strip()[:_MAX_QUOTED]!r}{times}; copy the words exactly from it."
        )
    answer = detail.sample.answer
    label = build_missed_claim(answer, start=span.start, end=span.end, verdict=verdict, provenance=provenance)
    return labels.add_label(store.db, label, run_id=detail.run_id, position=row)


UNDO = "undo"
BLIND_LABEL_STAYS = (
    "You gave this label blind, so it is kept. A new label of yours is stored next to it; undo it in its spot-check."
)


def choose_label(store: Store, run_id: str, row: int, number: int, choice: str, provenance: LabelProvenance) -> None:
    """Store what a person chose for a claim on screen: a verdict, "not_a_claim", or `UNDO` to take their label back.

    Args:
        store: the store.
        run_id: the run.
        row: the row's position, from 1.
        number: the claim's, from 1; those that reviewers added follow the judge's.
        choice: what is chosen.
        provenance: who chose it.

    Raises:
        InvalidInput: as for `label_claim`; the label was given blind; another reviewer added the claim.
        NotFound: there is no such claim, or no label of this person on it.
    """
    detail = get_answer_at(store, run_id, row)
    history = claim_history(store, run_id, row)
    judged = len(detail.result.claims)
    if number > judged:
        added = dict(enumerate(apply_labels(detail.result.verdicts, history).missed, start=judged + 1))
        if number not in added:
            raise NotFound(f"The answer has no claim {number}.")
        if choice != UNDO:
            raise InvalidInput("A reviewer added this claim with its label. Undo removes a claim that you added.")
        retract_label(store, run_id, row, added[number], provenance)
        return
    if choice != UNDO:
        label_claim(store, run_id, row, number, choice, provenance)
        return
    given_here = [label for label in history if label.claim_number == number and label.given_on is None]
    own = [label for label in newest_labels(given_here) if label.reviewer == provenance.reviewer]
    if not own:
        raise NotFound(f"You have no label on claim {number} to undo.")
    if counts_as_blind(own[-1]):
        # Otherwise a label that was given in sight of the judge could replace it.
        raise InvalidInput(BLIND_LABEL_STAYS)
    retract_label(store, run_id, row, own[-1], provenance)


def clean_reviewer(name: str) -> str:
    """Return a reviewer's name on one line, as it is stored; raises InvalidInput if it cannot be stored."""
    reviewer = " ".join(name.split())
    if not reviewer or len(reviewer) > _MAX_NAME:
        raise InvalidInput(f"A reviewer's name needs 1 to {_MAX_NAME} characters, not {len(reviewer)}.")
    check_note(reviewer, name="name")
    return reviewer


def check_note(text: str | None, *, name: str) -> None:
    """Raise InvalidInput, which uses that name, if the text cannot be stored with a label."""
    if text is not None and (len(text) > _MAX_NOTE or find_unstorable(text) is not None):
        raise InvalidInput(f"The {name} is too long or contains a character that cannot be stored.")


def retract_label(store: Store, run_id: str, row: int, label: Label, provenance: LabelProvenance) -> Label:
    """Retract a label: it no longer counts but stays in the history.

    Raises:
        InvalidInput: another reviewer gave the label.
        NotFound: there is no such label on that row.
    """
    retraction = build_retraction(label, provenance)
    return labels.add_label(store.db, retraction, run_id=get_run(store, run_id).run_id, position=row)


def build_retraction(label: Label, provenance: LabelProvenance) -> Label:
    """Return the label that retracts another one, without storing it; raises InvalidInput for an invalid name."""
    return _build_checked_label(
        provenance, kind=LabelKind.RETRACTION, claim_number=label.claim_number, retracts=label.label_id
    )


def claim_history(store: Store, run_id: str, row: int) -> list[Label]:
    """Return all labels that apply to a row, oldest first, including those that no longer count.

    Labels given on equal claims of other answers are among them (`Label.given_on`).
    """
    return labels.list_labels_between(store.db, run_id, row, row).get(row, [])


def labels_of_claim(store: Store, place: ClaimRef) -> list[Label]:
    """Return the labels of `claim_history` that are on one claim."""
    history = claim_history(store, place.run_id, place.row)
    return [label for label in history if label.claim_number == place.claim_number]


def get_reviewed_answer(store: Store, detail: AnswerDetail) -> ReviewedAnswer:
    """Return an answer with the labels that the store has for it applied."""
    return apply_labels(detail.result.verdicts, claim_history(store, detail.run_id, detail.position))


def standing_certainties(store: Store, detail: AnswerDetail, view: View) -> tuple[Certainty, ...]:
    """Return for each of the judge's claims how sure the verdict is that the view shows.

    The judge's confidence does not apply to reviewers' verdicts, and a claim that they settled is not to be checked.
    """
    effective = get_reviewed_answer(store, detail).effective
    return tuple(
        certainty if not verdict.is_settled else certainty.once_labelled() if view is View.JUDGE else UNSTATED
        for certainty, verdict in zip(detail.result.certainties, effective, strict=True)
    )


def _build_checked_label(
    provenance: LabelProvenance,
    *,
    kind: LabelKind,
    claim_number: int | None = None,
    verdict: Verdict | None = None,
    span: Span | None = None,
    retracts: int | None = None,
) -> Label:
    """Return the label to store; raises InvalidInput if a part of its provenance is invalid."""
    reviewer = clean_reviewer(provenance.reviewer)
    for name, text in (("note", provenance.note), ("text", provenance.corrected_text)):
        check_note(text, name=name)
    return Label(
        label_id=0,
        kind=kind,
        reviewer=reviewer,
        at=provenance.at or datetime.now(UTC),
        claim_number=claim_number,
        verdict=verdict,
        role=provenance.role,
        note=provenance.note or None,
        corrected_text=provenance.corrected_text or None,
        span=span,
        seconds=provenance.seconds,
        is_blind=provenance.is_blind,
        spot_check_id=provenance.spot_check_id,
        retracts=retracts,
    )
