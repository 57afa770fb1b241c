"""A note that somebody wrote on a claim; notes are only ever added."""

from dataclasses import dataclass
from datetime import datetime

from faithview.domain.claim import ClaimRef


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A note on a claim.

    `is_of_label` says that it was given with a label, as its reason, and not on its own.
    """

    place: ClaimRef
    author: str
    at: datetime
    text: str
    is_of_label: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedNote:
    """A note among the newest of all runs, with its run's name, its answer's key and its claim's words."""

    note: Note
    run_name: str
    key: str
    claim: str
