"""Notes on a claim, as a thread: notes are only added, with author and time.

A note may mention the judge's verdict. If the judge is hidden from a reader who still labels the claim blind, the notes
of others are hidden too.
"""

from dataclasses import dataclass
from datetime import UTC, datetime

from faithview.domain.claim import ClaimRef
from faithview.domain.errors import InvalidInput
from faithview.domain.label import Note, standing_labels
from faithview.services.container import Store
from faithview.services.review.labels import check_note, clean_reviewer, labels_of_claim
from faithview.store import notes


@dataclass(frozen=True, slots=True, kw_only=True)
class Thread:
    """The notes on a claim, oldest first; `hidden` counts those that its reader may see only after their own label."""

    notes: tuple[Note, ...]
    hidden: int = 0


def add_note(store: Store, place: ClaimRef, text: str, *, author: str, at: datetime | None = None) -> None:
    """Add a note to the thread of a claim; without `at` it was written now.

    Raises:
        InvalidInput: the note is empty or cannot be stored, or the author's name is invalid.
        NotFound: there is no such claim.
    """
    notes.add_note(store.db, build_note(place, text, author=author, at=at))


def build_note(place: ClaimRef, text: str, *, author: str, at: datetime | None = None) -> Note:
    """Return the note without storing it; raises InvalidInput as `add_note` does."""
    text = text.strip()
    if not text:
        raise InvalidInput("Write a note first.")
    check_note(text, name="note")
    return Note(place=place, author=clean_reviewer(author), at=at or datetime.now(UTC), text=text)


def read_thread(store: Store, place: ClaimRef, *, reader: str | None, is_blind: bool = False) -> Thread:
    """Return the notes on a claim that the reader may see.

    Args:
        store: the store.
        place: the claim.
        reader: the reader's name; None for a reader without a name.
        is_blind: whether the page hides the judge from the reader until their label.
    """
    thread = notes.list_thread(store.db, place)
    if not is_blind or any(label.reviewer == reader for label in standing_labels(labels_of_claim(store, place))):
        return Thread(notes=tuple(thread))
    own = tuple(note for note in thread if note.author == reader)
    return Thread(notes=own, hidden=len(thread) - len(own))
