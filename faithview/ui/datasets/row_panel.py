"""One row of a data set, whole: its texts as they are, its tags, and whether it is held out."""

import streamlit as st

from faithview.domain.dataset import DatasetRow
from faithview.domain.sample import Sample
from faithview.wording import numbers as fmt

_MOST_CHUNKS = 20


def row_heading(row: DatasetRow) -> None:
    """Draw the row's id, what it belongs to, and whether it is held out."""
    held_out = " · held out" if row.is_held_out else ""
    st.markdown(f"**Row {fmt.literal(row.sample.key)}** :small[:gray[{_where(row.sample)}{held_out}]]")


def row_panel(row: DatasetRow) -> None:
    """Draw the question, the answer, the reference and the chunks."""
    sample = row.sample
    # As high as it is: keys alone cannot scroll a box.
    with st.container(border=True, key="datasets-row"):
        _text("Question", sample.question)
        _text("Answer", sample.answer)
        _text("Reference", sample.reference)
        for chunk in sample.chunks[:_MOST_CHUNKS]:
            _text(f"Chunk {fmt.literal(chunk.chunk_id)}", chunk.text)
        left_out = len(sample.chunks) - _MOST_CHUNKS
        if left_out > 0:
            st.caption(f"{fmt.plural(left_out, 'more chunk')} {fmt.verb(left_out, 'is', 'are')} in the export.")


def _where(sample: Sample) -> str:
    parts = [fmt.plural(len(sample.chunks), "chunk")]
    if sample.segment is not None:
        parts.append(f"segment {fmt.literal(sample.segment)}")
    if sample.timestamp is not None:
        parts.append(fmt.day(sample.timestamp))
    return " · ".join(parts)


def _text(label: str, text: str | None) -> None:
    if text is None or not text.strip():
        return
    st.markdown(f":small[:gray[{label}]]")
    st.text(text)
