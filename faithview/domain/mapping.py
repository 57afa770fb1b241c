"""What a column of a file of answers can hold, and mappings of columns that somebody saved under a name."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias, get_args


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedMapping:
    """Which column of a file is what, to be used for other files with the same columns.

    Attributes:
        name: its name, unique in a store.
        columns: the columns of the file that it was made for, sorted.
        format: the format that the file was read as.
        fields: the columns of each field, and the settings; empty for a field that the file has no column for.
        saved_at: when it was saved.
        saved_by: who saved it; None where nobody logs in.
    """

    name: str
    columns: tuple[str, ...]
    format: str
    fields: Mapping[str, tuple[str, ...]]
    saved_at: datetime
    saved_by: str | None = None

    @property
    def columns_hash(self) -> str:
        """The hash of the set of columns."""
        return hash_columns(self.columns)


def hash_columns(columns: Iterable[str]) -> str:
    """Return the hash of a set of columns, whatever their order."""
    text = json.dumps(sorted(set(columns)), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


Field: TypeAlias = Literal[
    "question", "answer", "claim", "contexts", "context_ids", "key", "segment", "reference", "timestamp"
]
FIELDS: tuple[Field, ...] = get_args(Field)
# What another tool found about an answer, read by `faithview import`.
RESULT_FIELDS = ("score", "hallucination", "claims", "error", "judge")
