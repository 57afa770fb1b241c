"""What a column of a file of answers can hold."""

from typing import Literal, TypeAlias, get_args

Field: TypeAlias = Literal[
    "question", "answer", "claim", "contexts", "context_ids", "key", "segment", "reference", "timestamp"
]
FIELDS: tuple[Field, ...] = get_args(Field)
# What another tool found about an answer, read by `faithview import`.
RESULT_FIELDS = ("score", "hallucination", "claims", "error", "judge")
