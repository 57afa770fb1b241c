"""A label key labels the claim that was marked when the key was pressed; this rule applies to every page with keys.

A page gives the browser a mark for each claim that it shows. The browser sends every key press with the mark of the
claim that was selected at that moment, and with a sequence number. A press is answered once: it labels the claim of its
mark, or it is refused with a reason. The browser repeats a press until it is answered.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from faithview.domain.claim import ClaimRef
from faithview.domain.errors import FaithViewError, InvalidInput, NotFound
from faithview.domain.label import Label, counts_as_blind, missed_claims, newest_labels
from faithview.services.container import Store
from faithview.services.results import get_answer_at
from faithview.services.review import labels
from faithview.services.review.labels import LabelProvenance

UNDO = "undo"

_MAX_PRESSES = 200  # in one message; the browser keeps fewer waiting
_MAX_TEXT = 300  # characters of a mark or an action
_KEPT_ANSWERS = 200
_END_OF_SEQUENCE = 2**53  # beyond it, a browser's numbers are no longer whole
_FOUND = "found"  # in the mark of a claim that a reviewer added, before the id of its label

BLIND_LABEL_STAYS = (
    "You gave this label blind, so it is kept. A new label of yours is stored next to it; undo it in its spot-check."
)
CHANGED = "The claim has changed since it was shown. Label it again."
GONE = "The claim is no longer in the store."


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyPress:
    """One key press.

    `sequence` counts the presses of a browser page from 1, `mark` is the mark of the claim that was selected when the
    key was pressed (None if no claim was), and `action` is a verdict, "not_a_claim", or another action.
    """

    sequence: int
    mark: str | None
    action: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PressAnswer:
    """The answer to a key press; `refusal` says why nothing was done, None if it was done."""

    sequence: int
    refusal: str | None


@dataclass(slots=True)
class PressLog:
    """The key presses of one browser page that have been answered: all up to `acknowledged`.

    Two runs of a page's script may overlap, the older one about to end, and both see the same presses.
    """

    acknowledged: int = 0
    answers: list[PressAnswer] = field(default_factory=list)
    _turn: Lock = field(default_factory=Lock, repr=False, compare=False)

    def unanswered(self, presses: Sequence[KeyPress]) -> list[KeyPress]:
        """Return the new presses, in order; an answered press is never repeated."""
        new = {press.sequence: press for press in presses if press.sequence > self.acknowledged}
        return [new[sequence] for sequence in sorted(new)]

    def answer(self, press: KeyPress, action: Callable[[], object], *, refusal: str | None = None) -> bool:
        """Perform the action of a press and record the answer; return whether it was done.

        Args:
            press: a press that is not answered yet.
            action: performs it; a FaithViewError becomes the reason for a refusal.
            refusal: a sentence saying why it is not allowed; None if it is.
        """
        with self._turn:
            if press.sequence <= self.acknowledged:
                return False
            if refusal is None:
                try:
                    action()
                except FaithViewError as error:
                    refusal = str(error)
            self.acknowledged = press.sequence
            self.answers = [*self.answers, PressAnswer(sequence=press.sequence, refusal=refusal)][-_KEPT_ANSWERS:]
        return refusal is None


def read_presses(reported: object) -> list[KeyPress]:
    """Return the key presses that a browser reported; the data is untrusted, so malformed presses are left out."""
    if not isinstance(reported, Mapping):
        return []
    entries = reported.get("presses")
    if not isinstance(entries, Sequence) or isinstance(entries, str):
        return []
    presses = [_read_press(entry) for entry in entries[:_MAX_PRESSES] if isinstance(entry, Mapping)]
    return [press for press in presses if press is not None]


def mark_claim(run_id: str, row: int, claim_number: int, text: str) -> str:
    """Return the mark of a claim: its place and a digest of its text, so a new claim at the place has another mark."""
    return f"{run_id}:{row}:{claim_number}:{_digest(text)}"


def mark_found_claim(run_id: str, row: int, label: Label) -> str:
    """Return the mark of a claim that a reviewer added: its place and its label."""
    return f"{run_id}:{row}:{_FOUND}{label.label_id}:{_digest(label.corrected_text or '')}"


def find_place(mark: str | None) -> ClaimRef | None:
    """Return the place that a mark names, unchecked; None for a claim that a reviewer added and for other texts."""
    run_id, row, number, _ = _split_mark(mark)
    if not (run_id and row.isdecimal() and number.isdecimal() and len(row) < 10 and len(number) < 10):
        return None
    return ClaimRef(run_id=run_id, row=int(row), claim_number=int(number))


def check_mark(store: Store, mark: str | None) -> ClaimRef:
    """Return the place of the judge's claim that a mark names, if the claim is unchanged.

    Raises:
        InvalidInput: the claim has changed.
        NotFound: the claim was deleted, or the mark does not name a claim of the judge.
    """
    place = find_place(mark)
    judged = () if place is None else get_answer_at(store, place.run_id, place.row).result.claims
    if place is None or not 1 <= place.claim_number <= len(judged):
        raise NotFound(GONE)
    if mark != mark_claim(place.run_id, place.row, place.claim_number, judged[place.claim_number - 1].text):
        raise InvalidInput(CHANGED)
    return place


def do_marked(store: Store, mark: str | None, action: str, provenance: LabelProvenance) -> None:
    """Label the claim of a mark, or retract the reviewer's own label of it (`UNDO`).

    Raises:
        InvalidInput: the claim has changed; the verdict, the name or the note is invalid; another reviewer added the
            claim.
        NotFound: the claim was deleted, or the reviewer has no label on it to undo.
    """
    if find_place(mark) is None:
        _do_found(store, mark, action, provenance)
        return
    place = check_mark(store, mark)
    if action != UNDO:
        labels.label_claim(store, place.run_id, place.row, place.claim_number, action, provenance)
        return
    given_here = [label for label in labels.labels_of_claim(store, place) if label.given_on is None]
    own = [label for label in newest_labels(given_here) if label.reviewer == provenance.reviewer]
    if not own:
        raise NotFound(f"You have no label on claim {place.claim_number} to undo.")
    if counts_as_blind(own[-1]):
        # Otherwise a label that was given in sight of the judge could replace it.
        raise InvalidInput(BLIND_LABEL_STAYS)
    labels.retract_label(store, place.run_id, place.row, own[-1], provenance)


def _do_found(store: Store, mark: str | None, action: str, provenance: LabelProvenance) -> None:
    run_id, row, found, _ = _split_mark(mark)
    if not (run_id and row.isdecimal() and len(row) < 10 and found.startswith(_FOUND)):
        raise NotFound(GONE)
    if action != UNDO:
        raise InvalidInput("A reviewer added this claim with its label. Undo (U) removes a claim that you added.")
    for label in missed_claims(labels.claim_history(store, run_id, int(row))):
        if mark == mark_found_claim(run_id, int(row), label):
            labels.retract_label(store, run_id, int(row), label, provenance)
            return
    raise NotFound(GONE)


def _split_mark(mark: str | None) -> tuple[str, str, str, str]:
    run_id, row, number, digest = ("", "", "", "", *(mark or "").rsplit(":", 3))[-4:]
    return run_id, row, number, digest


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", errors="surrogatepass"), digest_size=8).hexdigest()


def _read_press(entry: Mapping[Any, object]) -> KeyPress | None:
    sequence, mark, action = entry.get("sequence"), entry.get("mark"), entry.get("action")
    if isinstance(sequence, bool) or not isinstance(sequence, int | float):
        return None
    if not 0 < sequence < _END_OF_SEQUENCE or sequence != int(sequence):
        return None
    if not isinstance(action, str) or not 0 < len(action) <= _MAX_TEXT:
        return None
    if mark is not None and not (isinstance(mark, str) and len(mark) <= _MAX_TEXT):
        return None
    return KeyPress(sequence=int(sequence), mark=mark, action=action)
