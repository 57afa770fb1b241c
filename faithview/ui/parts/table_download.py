"""A small button that hands out a table as CSV, JSON Lines or parquet, written only when a person asks for it."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from types import MappingProxyType

import streamlit as st

from faithview.services.exports.tables import EXPORT_FORMATS, MIME_TYPES, ExportFormat, TableRow, file_name, write_table

_WORDS: Mapping[ExportFormat, str] = MappingProxyType(
    {"csv": "CSV, for a spreadsheet", "jsonl": "JSON Lines", "parquet": "Parquet"}
)
_ORDER: tuple[ExportFormat, ...] = tuple(sorted(EXPORT_FORMATS, key=list(_WORDS).index))


def table_download(
    rows: Callable[[], Iterable[TableRow]], *, name: tuple[str, ...], key: str, label: str = "Download"
) -> None:
    """Draw the button.

    Args:
        rows: returns the table, from services that are at hand already: it is called in another thread, where nothing
            can be asked of Streamlit.
        name: the parts of the file's name.
        key: the button's key, unique on the page.
        label: what stands on the button.
    """
    with st.popover(label, type="tertiary", icon=":material/download:", key=key), st.container(gap=None):
        for file_format in _ORDER:
            st.download_button(
                _WORDS[file_format],
                data=partial(_write, rows, file_format),
                file_name=file_name(*name, ending=file_format),
                mime=MIME_TYPES[file_format],
                key=f"{key}.{file_format}",
                on_click="ignore",
                type="tertiary",
            )


def _write(rows: Callable[[], Iterable[TableRow]], file_format: ExportFormat) -> bytes:
    return write_table(rows(), file_format=file_format)
