"""The list of the documents that changed, with the claims that rest on each; those on which most broke come first."""

import pandas as pd
import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from faithview.domain.knowledge_base import DocumentChangeKind
from faithview.services.exports.tables import TableRow
from faithview.services.knowledge.changes import ChangedDocument, KnowledgeChanges
from faithview.ui.knowledge import address
from faithview.ui.parts.downloads.table_download import table_download
from faithview.ui.parts.verdict_table import opened
from faithview.wording import numbers as fmt

_ROWS = 5
_MOST = 500
_CHANGE_WORDS = {
    DocumentChangeKind.ADDED: "+ added",
    DocumentChangeKind.EDITED: "± edited",
    DocumentChangeKind.REMOVED: "− removed",
}
_SEEN_WORDS = {
    DocumentChangeKind.ADDED: "+ retrieved now only",
    DocumentChangeKind.EDITED: "± edited",
    DocumentChangeKind.REMOVED: "− retrieved before only",
}


def choose_document(changes: KnowledgeChanges) -> None:
    """Draw the list; a click opens a document."""
    listed = changes.changed[:_MOST]
    place = f"{changes.baseline.run_id}.{changes.candidate.run_id}.{changes.view}"
    event = st.dataframe(
        pd.DataFrame([_row(one, is_stored=changes.is_stored) for one in listed]),
        key=f"knowledge.documents.{place}",
        height=36 + 35 * min(len(listed), _ROWS),
        hide_index=True,
        placeholder="–",
        on_select="rerun",
        selection_mode="single-cell",  # selecting rows would add a column of check boxes
        column_config=_columns(),
        alt="Documents that changed, those on which most claims broke first.",
    )
    more = len(changes.changed) - len(listed)
    if more:
        st.caption(f"{fmt.count(more)} more documents are in the table to download.")
    number = opened(event, len(listed))
    if number is not None:
        address.select_document(listed[number].document.key)


def download(changes: KnowledgeChanges) -> None:
    """Draw the download of the whole list."""
    names = (changes.baseline.name, changes.candidate.name, "knowledge base")
    table_download(lambda: _table(changes), name=names, key="knowledge.download")


def change_word(one: ChangedDocument, *, is_stored: bool) -> str:
    """Write what became of a document."""
    return (_CHANGE_WORDS if is_stored else _SEEN_WORDS)[one.document.kind]


def _row(one: ChangedDocument, *, is_stored: bool) -> dict[str, object]:
    document = one.document
    title = document.title if document.title != document.name else None
    return {
        "document": f"{document.name}   {title}" if title else document.name,
        "change": change_word(one, is_stored=is_stored),
        "broke": one.claims.broken,
        "fixed": one.claims.fixed,
        "before": one.claims.before,
        "now": one.claims.after,
        "beside": len(one.claims.beside),
    }


def _table(changes: KnowledgeChanges) -> list[TableRow]:
    return [
        {
            "document": one.document.name,
            "title": one.document.title,
            "change": one.document.kind.value,
            "changed_passages": len(one.document.passages),
            "unchanged_passages": one.document.unchanged,
            "claims_before": one.claims.before,
            "claims_now": one.claims.after,
            "broke": one.claims.broken,
            "fixed": one.claims.fixed,
            "broke_beside": len(one.claims.beside),
        }
        for one in changes.changed
    ]


def _columns() -> dict[str, ColumnConfig]:
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    return {
        "document": text("Document", width=290),
        "change": text("Change", width=95),
        "broke": number("Broke", width=64, help="Claims that rest on what changed in it and that broke."),
        "fixed": number("Fixed", width=72, help="Claims that rest on what changed in it and that were fixed."),
        "before": number("Claims before", width=104, help="Claims of the older answers that rested on what changed."),
        "now": number("Claims now", width=88, help="Claims of the newer answers that rest on what changed."),
        "beside": number(
            "Also broke",
            width=84,
            help="Claims that broke in answers that retrieved it and rest on nothing new.",
        ),
    }
