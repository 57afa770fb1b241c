"""The file of an upload: choosing it, what it was recognised as, which column is which, and the first rows."""

from collections.abc import Mapping
from types import MappingProxyType

import pandas as pd
import streamlit as st

from faithview.domain.errors import FaithViewError
from faithview.domain.sample import Sample
from faithview.services.datasets import Dataset, RowProblem
from faithview.ui.shell import cached
from faithview.wording import numbers as fmt

_PREVIEW_ROWS = 5
_PREVIEW_CHARACTERS = 300

# The fields that a person can map, with their labels.
_FIELDS: Mapping[str, str] = MappingProxyType(
    {
        "question": "Question",
        "answer": "Answer",
        "contexts": "Retrieved chunks",
        "key": "Row id",
        "segment": "Segment",
        "reference": "Reference answer",
        "timestamp": "Time",
    }
)


def choose_file() -> Dataset | None:
    """Draw the choice of a file and return it opened; None where there is none or it cannot be read."""
    file = st.file_uploader("A file of answers with their chunks", key="upload.file")
    if file is None:
        st.caption(
            "One row per answer with its retrieved chunks; question, id, segment and time are optional. csv, tsv, "
            "json, jsonl, parquet or xlsx, also gzipped. Ragas and DeepEval exports work unchanged."
        )
        return None
    try:
        return cached.open_upload(file.name, file.getvalue())
    except FaithViewError as error:
        st.error(fmt.literal(str(error)), icon=":material/error:")
        return None


def file_kind(dataset: Dataset) -> None:
    """Draw what the file was recognised as, why, what else it could be, and warnings."""
    detection = dataset.detection
    st.markdown(f"**{fmt.literal(detection.title)}** ({dataset.table.format}). {fmt.literal(detection.why)}")
    if detection.runner_up is not None:
        st.caption(f"It could also be: {fmt.literal(detection.runner_up.title)}.")
    for warning in (*dataset.table.warnings, *detection.warnings):
        st.info(fmt.literal(warning), icon=":material/warning:")


def map_columns(dataset: Dataset) -> Dataset:
    """Draw which column holds which field, and return the dataset under the mapping that a person chose."""
    columns = list(dataset.table.columns)
    overrides: dict[str, tuple[str, ...]] = {}
    for field, label in _FIELDS.items():
        detected = getattr(dataset.mapping, field)
        key = f"upload.map.{dataset.table.name}.{field}"
        if field == "contexts":
            chosen = tuple(st.multiselect(label, columns, default=list(detected), key=key))
            if chosen != tuple(detected):
                overrides[field] = chosen
            continue
        index = columns.index(detected) if detected in columns else None
        column = st.selectbox(label, columns, index=index, key=key, placeholder="none")
        if column != detected:
            overrides[field] = (column,) if column is not None else ()
    return dataset.override(overrides)


def preview(dataset: Dataset) -> bool:
    """Draw the first rows as they will be read; return whether the mapping works."""
    try:
        rows = dataset.preview(limit=_PREVIEW_ROWS)
    except FaithViewError as error:
        st.error(fmt.literal(str(error)), icon=":material/error:")
        return False
    st.dataframe(
        pd.DataFrame([_preview_row(row) for row in rows]),
        hide_index=True,
        column_config={
            "question": st.column_config.TextColumn("Question", width="medium"),
            "answer": st.column_config.TextColumn("Answer", width="medium"),
            "n": st.column_config.NumberColumn("Chunks"),
            "first": st.column_config.TextColumn("First chunk", width="medium"),
            "segment": st.column_config.TextColumn("Segment"),
            "key": st.column_config.TextColumn("Row id"),
            "problem": st.column_config.TextColumn("Left out because"),
        },
        column_order=["question", "answer", "n", "first", "segment", "key"]
        + (["problem"] if any(isinstance(row, RowProblem) for row in rows) else []),
        alt="The first rows of the file as they will be read.",
    )
    return True


def _preview_row(row: Sample | RowProblem) -> dict[str, object]:
    if isinstance(row, RowProblem):
        return {"problem": str(row), "answer": row.preview}
    return {
        "question": _cut(row.question or ""),
        "answer": _cut(row.answer),
        "n": len(row.chunks),
        "first": _cut(row.chunks[0].text) if row.chunks else "",
        "segment": row.segment,
        "key": row.key,
    }


def _cut(text: str) -> str:
    return text if len(text) <= _PREVIEW_CHARACTERS else text[:_PREVIEW_CHARACTERS] + "…"
