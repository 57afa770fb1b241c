"""A table in which a click on a row opens what the row is about."""

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

_HEADER, _ROW = 36, 35  # px


def click_table(
    rows: Sequence[Mapping[str, object]],
    columns: Mapping[str, ColumnConfig | str],
    *,
    key: str,
    alt: str,
    most_rows: int = 14,
) -> int | None:
    """Draw a table and return the number, from 0, of the row that was clicked; None for none.

    Args:
        rows: the values by column; what has no column is not drawn.
        columns: the columns, or their headings, in their order.
        key: the table's key. Whatever changes the rows belongs into it, or an old click would open another row.
        alt: what the table is, for screen readers.
        most_rows: with more rows the table scrolls.
    """
    event = st.dataframe(
        pd.DataFrame(rows, columns=list(columns)),
        key=key,
        height="auto" if len(rows) <= most_rows else _HEADER + _ROW * most_rows,
        hide_index=True,
        placeholder="–",
        on_select="rerun",
        # By cell, so a click anywhere counts: selecting rows would add a column of check boxes.
        selection_mode="single-cell",
        column_config=dict(columns),
        alt=alt,
    )
    clicked = [row for row, _ in event.selection.cells]
    return clicked[0] if clicked and 0 <= clicked[0] < len(rows) else None
