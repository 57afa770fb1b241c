"""The columns of an upload: a row for each, with an example, in which one says what the column is."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType

import pandas as pd
import streamlit as st

from faithview.domain.mapping import FIELDS
from faithview.formats.rows.guess_columns import ColumnGuess
from faithview.services.dataset_files import Dataset
from faithview.wording import numbers as fmt

_EXAMPLE_CHARACTERS = 200
_MOST_ROWS, _HEADER, _ROW = 6, 36, 35  # the last two in px; with more rows the button below leaves the screen
KEPT, IGNORED = "", "ignore"
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
# The use of a tool's result columns when they are imported; they are also kept as they are.
_RESULT_ROLES: Mapping[str, str] = MappingProxyType(
    {
        "score": "Faithfulness",
        "hallucination": "Hallucination, more is worse",
        "claims": "Claims with verdicts",
        "error": "Why there is no score",
        "judge": "Judge",
    }
)
_SEVERAL = ("contexts", KEPT, IGNORED)  # roles that several columns can have


def choose_columns(dataset: Dataset, *, for_results: bool = False) -> tuple[Dataset, list[str]]:
    """Draw the columns with what each is thought to be, to be changed.

    Args:
        dataset: the file.
        for_results: whether a tool's results are taken over: then columns of results can be named too, and no column
            has to hold the chunks, unless one looks as if it did.

    Returns:
        The dataset under the chosen mapping, and in Markdown what has to be settled before it can be read.
    """
    guess, columns = dataset.guess(), dataset.table.columns
    words = {**(_RESULT_ROLES if for_results else {}), **_ROLES}
    guessed = roles_of(guess, columns, for_results=for_results)
    edited = st.data_editor(
        pd.DataFrame(
            {
                "column": list(columns),
                "role": [words[role] for role in guessed],
                "example": [_example(dataset, column) for column in columns],
                "why": [f"guessed {guess.guessed[c]}" if c in guess.guessed else "" for c in columns],
            }
        ),
        key=f"upload.columns.{dataset.content_key}.{dataset.detection.reader.name}.{for_results}",
        height="auto" if len(columns) <= _MOST_ROWS else _HEADER + _ROW * _MOST_ROWS,
        hide_index=True,
        disabled=["column", "example", "why"],
        column_config={
            "column": st.column_config.TextColumn("Column", width=170),
            "role": st.column_config.SelectboxColumn(
                "What it is", options=list(words.values()), required=True, width=190
            ),
            "example": st.column_config.TextColumn("Example", width=460),
            "why": st.column_config.TextColumn("", width=220),
        },
        alt="The columns of the file, with what each is and an example.",
    )
    ids = {word: role for role, word in words.items()}
    roles = tuple(ids.get(word, KEPT) for word in edited["role"])
    settled = dataset.override(mapping_of(dataset, roles, for_results=for_results))
    return settled, _questions(settled, guess, roles, for_results=for_results)


def roles_of(guess: ColumnGuess, columns: Sequence[str], *, for_results: bool = False) -> tuple[str, ...]:
    """Return the role of each column under a guess."""
    by_column: dict[str, str] = {}
    for name in (IGNORED, *(_RESULT_ROLES if for_results else ()), *FIELDS):
        by_column.update(dict.fromkeys(_columns(getattr(guess.mapping, name)), name))
    return tuple(by_column.get(column, KEPT) for column in columns)


def mapping_of(dataset: Dataset, roles: Sequence[str], *, for_results: bool = False) -> dict[str, tuple[str, ...]]:
    """Return the columns of the fields that have others than were detected; what was asked of the rest stays open.

    A field inside of a column has no row of its own and keeps its role, unless a column takes its place.
    """
    columns = dataset.table.columns
    changed = {}
    for name in (*FIELDS, IGNORED, *(_RESULT_ROLES if for_results else ())):
        chosen = tuple(column for column, role in zip(columns, roles, strict=True) if role == name)
        mapped = _columns(getattr(dataset.mapping, name))
        if chosen != mapped and (chosen or all(column in columns for column in mapped)):
            changed[name] = chosen
    return changed


def _columns(used: tuple[str, ...] | str | None) -> tuple[str, ...]:
    return used if isinstance(used, tuple) else (used,) if used else ()


def _example(dataset: Dataset, column: str) -> str:
    """Return the first filled cell of a column as text."""
    value = next((v for row in dataset.table.head if (v := row.values.get(column)) not in (None, "")), "")
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text[:_EXAMPLE_CHARACTERS]


def _questions(dataset: Dataset, guess: ColumnGuess, roles: Sequence[str], *, for_results: bool) -> list[str]:
    words = {**_RESULT_ROLES, **_ROLES}
    twice = [role for role, number in Counter(roles).items() if number > 1 and role not in _SEVERAL]
    questions = [f"Several columns are **{words[role]}**: choose something else for all but one." for role in twice]
    opened = dataset.open_questions(for_results=for_results)
    # Questions of the format are not repeated for the columns (`file.ask_rest`).
    asked = {question.field for question in opened}
    asks_chunks = not for_results or bool(dataset.mapping.unmapped_contexts or guess.competing.get("contexts"))
    for name, why, is_missing in (
        ("answer", dataset.mapping.unmapped_answer, not {"answer", "claim"} & set(roles)),
        ("contexts", dataset.mapping.unmapped_contexts, asks_chunks and "contexts" not in roles),
    ):
        if is_missing and name not in asked:
            rivals = [f"*{fmt.literal(column)}*" for column, role in _rivals(guess) if role == name]
            parts = [f"{fmt.literal(why)}." if why else "", f"Which column is **{_ROLES[name]}**?"]
            parts.append(f"Candidates: {fmt.listed(rivals)}." if rivals else "")
            questions.append(" ".join(part for part in parts if part))
    for question in opened if for_results else ():
        fields = [question.field, *(candidate.partition("=")[0] for candidate in question.candidates)]
        labels = [f"**{_RESULT_ROLES[field]}**" for field in dict.fromkeys(fields) if field in _RESULT_ROLES]
        if labels:
            questions.append(f"{fmt.literal(question.why)} Choose {' or '.join(labels)} for the right one.")
    return questions


def _rivals(guess: ColumnGuess) -> list[tuple[str, str]]:
    """Return the columns that could each have a role, with the role."""
    return [(column, str(name)) for name, columns in guess.competing.items() for column in columns]
