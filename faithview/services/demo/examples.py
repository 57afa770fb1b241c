"""The short examples that the Check page offers."""

import json
from dataclasses import dataclass
from functools import cache

from faithview.services.bundled_files import sample_folder


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One answer with its chunks, to try a judge with.

    `promise` is what its name promises: the worst verdict of its claims, or the state of an answer without a verdict.
    """

    name: str
    promise: str
    question: str
    answer: str
    chunks: tuple[str, ...]


@cache
def load_examples() -> tuple[Example, ...]:
    """Return the bundled examples."""
    entries = json.loads((sample_folder() / "examples.json").read_text(encoding="utf-8"))
    return tuple(
        Example(
            name=entry["name"],
            promise=entry["promise"],
            question=entry["question"],
            answer=entry["answer"],
            chunks=tuple(chunk["text"] for chunk in entry["chunks"]),
        )
        for entry in entries
    )
