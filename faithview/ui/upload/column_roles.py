"""The columns of an upload: the first rows as they are in the file, and at each column's head what the column is."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import streamlit as st

from faithview.domain.mapping import FIELDS
from faithview.formats.reading.reader import Question
from faithview.formats.rows.guess_columns import ColumnGuess
from faithview.services.dataset_files import Dataset
from faithview.ui import session
from faithview.ui.frontend.component_files import read_script, read_styles
from faithview.ui.widgets.selection import keep_choice
from faithview.wording import numbers as fmt

_mount = st.components.v2.component(
    "faithview.column_roles",
    css=read_styles("column_roles"),
    js=read_script("column_roles"),
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
# What becomes of the columns of a tool's results where they are taken over; they are kept as they are too.
_RESULT_ROLES: Mapping[str, str] = MappingProxyType(
    {
        "score": "Faithfulness",
        "hallucination": "Hallucination, more is worse",
        "claims": "Claims with verdicts",
        "error": "Why there is no score",
        "judge": "Judge",
    }
)
# Roles that several columns can have.
_SEVERAL = ("contexts", KEPT, IGNORED)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenColumns:
    """The dataset under the chosen mapping, and what the page has to ask before it can be judged, in Markdown."""

    dataset: Dataset
    questions: tuple[str, ...]


def choose_columns(dataset: Dataset, *, for_results: bool = False) -> ChosenColumns:
    """Draw the first rows with a menu at each column's head; the guess is what the menus show at first.

    Args:
        dataset: the file.
        for_results: whether a tool's results are taken over: then the menus name the columns of results too, and no
            column has to hold the chunks, unless one looks as if it did.
    """
    guess = dataset.guess()
    columns = dataset.table.columns
    subject = f"{dataset.table.name} {dataset.content_key}"
    guessed = roles_of(guess, columns, for_results=for_results)
    roles = chosen_roles(session.widget_value(_KEY), subject, columns, for_results=for_results) or guessed
    settled = dataset.override(_mapping_of(dataset, roles, columns, for_results=for_results))
    competing: dict[str, str] = {c: name for name, rivals in guess.competing.items() for c in rivals}
    if for_results:
        competing |= _competing_results(settled)
    _mount(
        key=_KEY,
        height="content",
        data={
            "subject": subject,
            "columns": list(columns),
            "rows": [[_cell(row.values.get(c)) for c in columns] for row in dataset.table.head[:_ROWS]],
            "choices": [[role, label] for role, label in _known_roles(for_results=for_results).items()],
            "several": list(_SEVERAL),
            "notes": [
                [role, f"guessed {guess.guessed[c]}"] if c in guess.guessed else None
                for c, role in zip(columns, guessed, strict=True)
            ],
            "competing": [competing.get(c) for c in columns],
            "roles": list(roles),
        },
        on_choice_change=keep_choice,
    )
    return ChosenColumns(
        dataset=settled,
        questions=(
            *_questions(settled, guess, roles, for_results=for_results),
            *(_result_questions(settled) if for_results else ()),
        ),
    )


def roles_of(guess: ColumnGuess, columns: Sequence[str], *, for_results: bool = False) -> tuple[str, ...]:
    """Return the role of each column under a guess."""
    by_column: dict[str, str] = {}
    for name in (IGNORED, *(_RESULT_ROLES if for_results else ()), *FIELDS):
        used = getattr(guess.mapping, name)
        by_column.update(dict.fromkeys(used if isinstance(used, tuple) else (used,) if used else (), name))
    return tuple(by_column.get(column, KEPT) for column in columns)


def chosen_roles(
    state: object, subject: str, columns: Sequence[str], *, for_results: bool = False
) -> tuple[str, ...] | None:
    """Return the roles that a user has chosen for this file; None if no user has.

    They come from the browser: roles that are unknown, too many, or given twice where once is allowed count as none.
    Columns of results are kept as they are where results are not taken over.
    """
    choice = state.get("choice") if isinstance(state, Mapping) else None
    if not isinstance(choice, Mapping) or choice.get("subject") != subject:
        return None
    roles = choice.get("roles")
    if (
        not isinstance(roles, list | tuple)
        or len(roles) != len(columns)
        or not all(isinstance(r, str) and r in _known_roles(for_results=True) for r in roles)
    ):
        return None
    single = [role for role in roles if role not in _SEVERAL]
    if len(single) != len(set(single)):
        return None
    return tuple(role if for_results or role not in _RESULT_ROLES else KEPT for role in roles)


def _known_roles(*, for_results: bool) -> Mapping[str, str]:
    return {**(_RESULT_ROLES if for_results else {}), **_ROLES}


def _mapping_of(
    dataset: Dataset, roles: Sequence[str], columns: Sequence[str], *, for_results: bool
) -> dict[str, tuple[str, ...]]:
    """Return the columns of the fields that have others than were detected; what was asked of the rest stays open.

    What lies deeper inside a column has no head of its own and stays as it is, unless a column takes its place.
    """
    pairs = list(zip(columns, roles, strict=True))
    chosen = {name: tuple(c for c, role in pairs if role == name) for name in (*FIELDS, IGNORED, *_RESULT_ROLES)}
    mapped = {name: _columns_in(dataset, name) for name in chosen}
    return {
        name: used
        for name, used in chosen.items()
        if used != mapped[name]
        and (used or all(column in columns for column in mapped[name]))
        and (name not in _RESULT_ROLES or for_results)
    }


def _columns_in(dataset: Dataset, name: str) -> tuple[str, ...]:
    used = getattr(dataset.mapping, name)
    return used if isinstance(used, tuple) else (used,) if used else ()


def _competing_results(dataset: Dataset) -> dict[str, str]:
    """Return the columns that could each be the score, with the role that they would first be thought to have."""
    competing: dict[str, str] = {}
    for question in dataset.open_questions(for_results=True):
        for field, column in (_candidate(question, name) for name in question.candidates):
            if field in _RESULT_ROLES:
                competing.setdefault(column, field)
    return competing


def _candidate(question: Question, candidate: str) -> tuple[str, str]:
    """Return the field and the column that a candidate of a question represents."""
    if question.field != "map":
        return question.field, candidate
    field, _, column = candidate.partition("=")
    return field, column


def _result_questions(dataset: Dataset) -> list[str]:
    questions = []
    for question in dataset.open_questions(for_results=True):
        roles = dict.fromkeys(_candidate(question, name)[0] for name in question.candidates)
        labels = [f"**{_RESULT_ROLES[role]}**" for role in roles if role in _RESULT_ROLES]
        if labels:
            questions.append(f"{fmt.literal(question.why)} Choose {' or '.join(labels)} above the right one.")
    return questions


def _questions(dataset: Dataset, guess: ColumnGuess, roles: Sequence[str], *, for_results: bool) -> tuple[str, ...]:
    questions = []
    # What a format asks is not asked above the columns too (`file_questions`).
    asked = {question.field for question in dataset.open_questions(for_results=for_results)}
    asks_chunks = not for_results or bool(dataset.mapping.unmapped_contexts or guess.competing.get("contexts"))
    for name, missing in (
        ("answer", not {"answer", "claim"} & set(roles)),
        ("contexts", asks_chunks and "contexts" not in roles),
    ):
        if not missing or name in asked:
            continue
        what = "the answer" if name == "answer" else "the retrieved chunks"
        rivals = guess.competing.get(name, ())  # type: ignore[call-overload]  # the names are fields
        question = f"Which column holds {what}?"
        if rivals:
            listed = fmt.listed([f"*{fmt.literal(column)}*" for column in rivals])
            question += f" Candidates: {listed}."
        why = dataset.mapping.unmapped_answer if name == "answer" else dataset.mapping.unmapped_contexts
        if why:
            question = f"{fmt.literal(why)}. {question}"
        both = " If there are several such columns, choose it above each of them." if name == "contexts" else ""
        questions.append(f"{question} Choose **{_ROLES[name]}** above it.{both}")
    return tuple(questions)


def _cell(value: object) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _CELL_CHARACTERS else text[:_CELL_CHARACTERS] + "…"
