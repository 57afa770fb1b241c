"""A table in which a click on a row opens what the row is about."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from faithview.ui import session

_HEADER, _ROW = 36, 35  # px


def click_table(
    rows: Sequence[Mapping[str, object]],
    columns: Mapping[str, ColumnConfig | str],
    *,
    key: str,
    alt: str,
    most_rows: int = 14,
    row_height: int = _ROW,
    on_click: Callable[[int], None] | None = None,
) -> int | None:
    """Draw a table and return the number, from 0, of the row that was clicked; None for none.

    Args:
        rows: the values by column; what has no column is not drawn.
        columns: the columns, or their headings, in their order.
        key: the table's key. Whatever changes the rows belongs into it, or an old click would open another row.
        alt: what the table is, for screen readers.
        most_rows: with more rows the table scrolls.
        row_height: of one row, in px.
        on_click: called with that number instead, before the next run of the script.
    """

    def clicked(state: Any) -> int | None:
        found = [row for row, _ in state.selection.cells]
        return found[0] if found and 0 <= found[0] < len(rows) else None

    def choose() -> None:
        if on_click is not None and (number := clicked(session.widget_value(key))) is not None:
            on_click(number)

    event = st.dataframe(
        pd.DataFrame(rows, columns=list(columns)),
        key=key,
        height="auto" if len(rows) <= most_rows else _HEADER + row_height * most_rows,
        row_height=row_height,
        hide_index=True,
        placeholder="–",
        on_select="rerun" if on_click is None else choose,
        # By cell, so a click anywhere counts: selecting rows would add a column of check boxes.
        selection_mode="single-cell",
        column_config=dict(columns),
        alt=alt,
    )
    return clicked(event) if on_click is None else None
