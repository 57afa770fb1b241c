"""The fields of a file of answers, and mappings of columns to fields that were saved under a name."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias, get_args


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedMapping:
    """A mapping of columns to fields, for other files with the same columns.

    Attributes:
        name: its name, unique in a store.
        columns: the columns of the file that it was made for, sorted.
        format: the format in which the file was read.
        fields: the columns of each field, and the settings; empty for a field without a column.
        saved_at: when it was saved.
        saved_by: the user who saved it; None without log-in.
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
    """Return the hash of a set of columns; their order does not count."""
    text = json.dumps(sorted(set(columns)), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


Field: TypeAlias = Literal[
    "question", "answer", "claim", "contexts", "context_ids", "key", "segment", "reference", "timestamp"
]
FIELDS: tuple[Field, ...] = get_args(Field)
# Another tool's results on an answer, read by `faithview import`.
RESULT_FIELDS = ("score", "hallucination", "claims", "error", "judge")
