"""A small button that downloads a table as CSV, JSON Lines or parquet, written only on request."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from types import MappingProxyType

import streamlit as st

from faithview.services.exports.tables import EXPORT_FORMATS, MIME_TYPES, ExportFormat, TableRow, file_name, write_table
from faithview.ui.shell.projects.membership import while_member

_WORDS: Mapping[ExportFormat, str] = MappingProxyType(
    {"csv": "CSV, for a spreadsheet", "jsonl": "JSON Lines", "parquet": "Parquet"}
)
_ORDER: tuple[ExportFormat, ...] = tuple(sorted(EXPORT_FORMATS, key=list(_WORDS).index))


def table_download(
    rows: Callable[[], Iterable[TableRow]],
    *,
    name: tuple[str, ...],
    key: str,
    label: str = "Download",
    heading: str = "",
    more: Callable[[], None] | None = None,
) -> None:
    """Draw the button.

    Args:
        rows: returns the table. It is called in another thread, without Streamlit, so it must hold the services that
            it needs.
        name: the parts of the file's name.
        key: the button's key, unique on the page.
        label: the words on the button.
        heading: says what the table is, where there is `more`.
        more: draws further buttons below.
    """
    with st.popover(label, type="tertiary", icon=":material/download:", key=key), st.container(gap=None):
        if heading:
            st.caption(heading)
        for file_format in _ORDER:
            st.download_button(
                _WORDS[file_format],
                data=while_member(partial(_write, rows, file_format)),
                file_name=file_name(*name, ending=file_format),
                mime=MIME_TYPES[file_format],
                key=f"{key}.{file_format}",
                on_click="ignore",
                type="tertiary",
            )
        if more is not None:
            more()


def _write(rows: Callable[[], Iterable[TableRow]], file_format: ExportFormat) -> bytes:
    return write_table(rows(), file_format=file_format)
