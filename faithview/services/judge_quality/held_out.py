"""Labelled rows of which an answer is held out in a data set: left out of what is fitted, or judged alone."""

from collections.abc import Sequence
from dataclasses import dataclass

from faithview.domain.dataset import row_identity
from faithview.formats.dataset import LabelledSample
from faithview.services.container import Services
from faithview.services.datasets.contents import list_held_out


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """Labelled rows that are held out in a data set of the store, and the rest of them."""

    held_out: list[LabelledSample]
    rest: list[LabelledSample]


def split_rows(services: Services | None, rows: Sequence[LabelledSample]) -> Parts:
    """Split rows by what they are about (`domain.dataset.subject_hash`); without a store none is held out.

    What is held out in any data set counts, also for a file with another name.
    """
    known = list_held_out(services) if services is not None else frozenset()
    # Without one, no text needs to be hashed.
    flags = [bool(known) and row_identity(row.sample).subject in known for row in rows]
    return Parts(
        held_out=[row for row, flag in zip(rows, flags, strict=True) if flag],
        rest=[row for row, flag in zip(rows, flags, strict=True) if not flag],
    )
