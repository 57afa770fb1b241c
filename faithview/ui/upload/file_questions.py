"""What only a person can say of a file, asked with a list of the answers to choose from."""

import streamlit as st

from faithview.domain.errors import FaithViewError
from faithview.services.datasets import FIELDS, Dataset, Question
from faithview.ui.shell import cached
from faithview.wording import numbers as fmt

_NONE = "None of them"
# What is asked here; which column is the score is chosen at the columns' heads.
_ASKED = (*FIELDS, "score_range")


def ask_rest(dataset: Dataset, *, for_results: bool) -> tuple[Dataset, bool]:
    """Ask what the columns' heads cannot say: what lies inside a column, and the scale of a tool's scores.

    Return the dataset with the answers, and whether nothing is left to ask.
    """
    asked = [question for question in dataset.open_questions(for_results=for_results) if question.field in _ASKED]
    is_settled = True
    for question in asked or (_of_later_rows(dataset) if for_results else ()):
        # Another tool's results need no chunks.
        others = [_NONE] if question.field == "contexts" and for_results else []
        chosen = ask(dataset, question, others=others)
        if chosen in question.candidates:
            field, _, column = chosen.partition("=") if question.field == "map" else (question.field, "", chosen)
            dataset = dataset.override({field: (column,)})
        elif chosen in others:
            dataset = dataset.override({question.field: ()})
        else:
            is_settled = False
    return dataset, is_settled


def _of_later_rows(dataset: Dataset) -> tuple[Question, ...]:
    """Return what has to be asked because of rows further down; a file that cannot be read is refused elsewhere."""
    try:
        return cached.survey(dataset, needs_chunks=False).questions
    except FaithViewError:
        return ()


def ask(dataset: Dataset, question: Question, *, others: list[str] | None = None) -> str | None:
    """Draw a question with its candidates and `others`; None as long as nobody has chosen."""
    return st.selectbox(
        f"{fmt.literal(question.why)} Which is it?",
        [*question.candidates, *(others or [])],
        index=None,
        placeholder="Choose one",
        key=f"upload.question.{question.field}.{dataset.content_key}",
    )
