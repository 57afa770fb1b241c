"""The fields of a file of answers."""

from typing import Literal, TypeAlias, get_args

Field: TypeAlias = Literal[
    "question", "answer", "claim", "contexts", "context_ids", "key", "segment", "reference", "timestamp"
]
FIELDS: tuple[Field, ...] = get_args(Field)
# Another tool's results on an answer, read by `faithview import`.
RESULT_FIELDS = ("score", "hallucination", "claims", "error", "judge")
