"""The columns of an upload: the first rows as they are in the file, and at each column's head what the column is."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import streamlit as st

from faithview.services.datasets import FIELDS, ColumnGuess, Dataset
from faithview.ui.components.component_files import read_component_files
from faithview.ui.components.selection import keep_choice
from faithview.ui.shell import session
from faithview.wording import numbers as fmt

_FOLDER = Path(__file__).parent
_mount = st.components.v2.component(
    "faithview.column_roles",
    css=read_component_files("column_roles.css", folder=_FOLDER),
    js=read_component_files("drawing.js", "column_roles.js", folder=_FOLDER),
)
_KEY = "upload.columns"
_ROWS = 5
_CELL_CHARACTERS = 400

KEPT = ""
IGNORED = "ignore"
_ROLES: Mapping[str, str] = MappingProxyType(
    {
        "question": "Question",
        "answer": "Answer",
        "contexts": "Chunks",
        "context_ids": "Chunk ids",
        "key": "Row id",
        "timestamp": "Time",
        "segment": "Segment",
        "reference": "Reference answer",
        "claim": "Claim to judge",
        KEPT: "Kept as it is",
        IGNORED: "Not stored",
    }
)
# Roles that several columns can have.
_SEVERAL = ("contexts", KEPT, IGNORED)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenColumns:
    """The dataset under the chosen mapping, and what the page has to ask before it can be judged, in Markdown."""

    dataset: Dataset
    questions: tuple[str, ...]


def choose_columns(dataset: Dataset) -> ChosenColumns:
    """Draw the first rows with a menu at each column's head; the guess is what the menus show at first."""
    guess = dataset.guess()
    columns = dataset.table.columns
    subject = f"{dataset.table.name} {dataset.content_key}"
    guessed = roles_of(guess, columns)
    roles = chosen_roles(session.widget_value(_KEY), subject, columns) or guessed
    competing = {c: name for name, rivals in guess.competing.items() for c in rivals}
    _mount(
        key=_KEY,
        height="content",
        data={
            "subject": subject,
            "columns": list(columns),
            "rows": [[_cell(row.values.get(c)) for c in columns] for row in dataset.table.head[:_ROWS]],
            "choices": [[role, label] for role, label in _ROLES.items()],
            "several": list(_SEVERAL),
            "guesses": [
                [role, guess.guessed[c]] if c in guess.guessed else None
                for c, role in zip(columns, guessed, strict=True)
            ],
            "competing": [competing.get(c) for c in columns],
            "roles": list(roles),
        },
        on_choice_change=keep_choice,
    )
    return ChosenColumns(
        dataset=dataset.override(_mapping_of(roles, columns)), questions=_questions(dataset, guess, roles)
    )


def roles_of(guess: ColumnGuess, columns: Sequence[str]) -> tuple[str, ...]:
    """Return the role of each column under a guess."""
    by_column: dict[str, str] = {}
    for name in FIELDS:
        used = getattr(guess.mapping, name)
        by_column.update(dict.fromkeys(used if isinstance(used, tuple) else (used,) if used else (), name))
    return tuple(by_column.get(column, KEPT) for column in columns)


def chosen_roles(state: object, subject: str, columns: Sequence[str]) -> tuple[str, ...] | None:
    """Return the roles that a person has chosen for this file; None where nobody has.

    They come from the browser: roles that are unknown, too many, or given twice where once is allowed count as none.
    """
    choice = state.get("choice") if isinstance(state, Mapping) else None
    if not isinstance(choice, Mapping) or choice.get("subject") != subject:
        return None
    roles = choice.get("roles")
    if (
        not isinstance(roles, list | tuple)
        or len(roles) != len(columns)
        or not all(isinstance(r, str) and r in _ROLES for r in roles)
    ):
        return None
    single = [role for role in roles if role not in _SEVERAL]
    return tuple(roles) if len(single) == len(set(single)) else None


def _mapping_of(roles: Sequence[str], columns: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the columns of every field, so that nothing of what was detected stays against the choice."""
    pairs = list(zip(columns, roles, strict=True))
    return {name: tuple(c for c, role in pairs if role == name) for name in (*FIELDS, IGNORED)}


def _questions(dataset: Dataset, guess: ColumnGuess, roles: Sequence[str]) -> tuple[str, ...]:
    questions = []
    for name, missing in (("answer", not {"answer", "claim"} & set(roles)), ("contexts", "contexts" not in roles)):
        if not missing:
            continue
        what = "the answer" if name == "answer" else "the retrieved chunks"
        rivals = guess.competing.get(name, ())  # type: ignore[call-overload]  # the names are fields
        question = f"Which column holds {what}?"
        if rivals:
            listed = fmt.listed([f"*{fmt.literal(column)}*" for column in rivals])
            question += f" {listed} could each be it."
        if name == "contexts" and dataset.mapping.unmapped_contexts:
            question = f"{fmt.literal(dataset.mapping.unmapped_contexts)}. {question}"
        questions.append(f"{question} Choose **{_ROLES[name]}** at its head.")
    return tuple(questions)


def _cell(value: object) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _CELL_CHARACTERS else text[:_CELL_CHARACTERS] + "…"
