"""The rows of the audit log, a page at a time, and all that are listed as a file."""

import pandas as pd
import streamlit as st

from faithview.domain.audit import AuditEntry, AuditFilter
from faithview.domain.text.hidden_characters import make_visible
from faithview.services.audit.log import iterate_entries, list_page
from faithview.services.exports.audit_rows import audit_rows
from faithview.ui.audit import address
from faithview.ui.parts.downloads.table_download import table_download
from faithview.ui.shell import app
from faithview.ui.shell.address_widget import page_turner
from faithview.ui.shell.shell_line import ShellLine
from faithview.wording import figure_help
from faithview.wording import numbers as fmt
from faithview.wording.audit import ACTIONS, object_words

_COLUMNS = {
    "at": st.column_config.DatetimeColumn("Time (UTC)", format="D MMM YYYY, HH:mm:ss", timezone="UTC", width=170),
    "who": st.column_config.TextColumn("Person", width=230),
    "what": st.column_config.TextColumn("What", width=180),
    "object": st.column_config.TextColumn("Object", width=270),
    "detail": st.column_config.TextColumn("Detail", width=200),
    "items": st.column_config.NumberColumn("Items", format="localized", width=80, help=figure_help.AUDITED_ITEMS),
}
# Pixels of a long list: the height of a laptop's window below the fields; and how many rows need less.
_HEIGHT = 640
_SHORT = 16


def draw(line: ShellLine) -> None:
    """Draw the page of rows that the address asks for, and how many there are."""
    services, wanted = app.services(), address.read()
    page = list_page(services, wanted, page=address.page())
    line.what.caption(fmt.plural(page.total, "row"))
    if not page.entries:
        why = (
            "Nothing has been recorded yet. This page will list who changed what, and when."
            if wanted == AuditFilter()
            else "Nothing is listed. Choose other days, another person or other words."
        )
        st.info(why, icon=":material/search_off:")
        return
    with line.next_step:
        table_download(lambda: audit_rows(iterate_entries(services, wanted)), name=("audit",), key="audit.download")
    st.dataframe(
        pd.DataFrame([_row(entry) for entry in page.entries]),
        key=f"audit.rows.{page.page}",
        hide_index=True,
        placeholder="",
        column_config=_COLUMNS,
        height=_HEIGHT if len(page.entries) > _SHORT else "auto",
        alt="The audit log, newest first: when, who, what, on which object.",
    )
    page_turner("audit.pages", pages=page.pages, number=page.page, on_turn=address.turn)


def _row(entry: AuditEntry) -> dict[str, object]:
    return {
        "at": entry.at,
        "who": make_visible(entry.who),
        "what": ACTIONS[entry.action],
        "object": make_visible(object_words(entry)),
        "detail": make_visible(entry.detail or ""),
        "items": entry.items,
    }
