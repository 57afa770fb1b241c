"""Where the dashboard's pages and the bundled data are: next to the package in a checkout, otherwise inside it."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from faithview.domain.errors import FaithViewError

_PACKAGE = Path(__file__).parent.parent


def app_folder() -> Path:
    """Return the folder that holds app.py, pages/ and data/.

    Raises:
        FaithViewError: the installation lacks them.
    """
    for folder in (_PACKAGE / "_app", _PACKAGE.parent):
        if (folder / "app.py").is_file():
            return folder
    raise FaithViewError("The dashboard's files are missing from this installation; install faithview again.")


def sample_folder() -> Path:
    """Return the folder of the bundled data; raises FaithViewError as `app_folder` does."""
    return app_folder() / "data"


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One answer with its chunks, to try a judge with.

    `promise` is the outcome that its name announces: the worst verdict of its claims, or the state of an answer without
    a verdict.
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
