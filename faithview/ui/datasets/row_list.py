"""The rows of a version: searched, by tag and by part, a page at a time."""

from dataclasses import replace

import pandas as pd
import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from faithview.domain.dataset import DatasetRow, DatasetVersion, NamedDataset, Part
from faithview.services.datasets.contents import count_rows, iterate_rows, list_rows
from faithview.services.exports.dataset_document import row_document
from faithview.ui.datasets import address
from faithview.ui.parts.downloads.table_download import table_download
from faithview.ui.parts.verdict_table import opened
from faithview.ui.shell import app, session
from faithview.ui.shell.address_widget import AddressWidget
from faithview.wording import figure_help

_A_PAGE = 50
_SHOWN = 10
_LONGEST = 300  # characters of a text in a cell
_SEARCH, _TAG, _PART = (AddressWidget(f"datasets.{name}") for name in ("search", "tag", "part"))
_PART_WORDS = {Part.ALL: "All", Part.HELD_OUT: "Held out", Part.REST: "The rest"}


def draw_filters(dataset: NamedDataset, version: DatasetVersion) -> None:
    """Draw the search, the part, the tag, and the download of the rows that these let through."""
    filters = address.row_filter()
    tags = dict(dataset.tags)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.text_input(
            "Search",
            key=_SEARCH.show(filters.search),
            placeholder="Search questions, answers, references and chunks",
            label_visibility="collapsed",
            on_change=_SEARCH.on_choice(lambda: address.search_rows(_SEARCH.text() or "")),
            width=330,
        )
        st.segmented_control(
            "Part",
            [part.value for part in Part],
            format_func=lambda name: _PART_WORDS[Part(name)],
            required=True,
            key=_PART.show(filters.part.value),
            label_visibility="collapsed",
            on_change=_PART.on_choice(lambda: address.select_part(Part(str(_PART.value())))),
            help=_PART_HELP,
        )
        if tags or filters.tag is not None:
            st.selectbox(
                "Tag",
                list(dict.fromkeys((*tags, *((filters.tag,) if filters.tag else ())))),
                index=None,
                placeholder="Any tag",
                key=_TAG.show(filters.tag),
                label_visibility="collapsed",
                on_change=_TAG.on_choice(lambda: address.select_tag(_TAG.text())),
                width=170,
            )
        services = app.services()
        table_download(
            lambda: (row_document(row) for row in iterate_rows(services, dataset, version, filters)),
            name=(dataset.name, f"version {version.number}"),
            key="datasets.download",
        )


def choose_row(dataset: NamedDataset, version: DatasetVersion) -> tuple[DatasetRow | None, int]:
    """Draw the rows and return the open one, and how many there are; None where none matches."""
    filters = address.row_filter()
    services = app.services()
    total = count_rows(services, dataset, version, filters)
    if not total:
        st.markdown(":gray[No row of this version matches.]")
        return None, 0
    pages = -(-total // _A_PAGE)
    turn = f"datasets.page.{version.version_id}.{filters.search}.{filters.tag}.{filters.part}"
    page = min(session.widget_page(turn), pages)
    rows = list_rows(services, dataset, version, filters, limit=_A_PAGE, offset=(page - 1) * _A_PAGE)
    event = st.dataframe(
        pd.DataFrame([_cells(row) for row in rows]),
        key=f"datasets.rows.{turn}.{page}",
        height=36 + 35 * min(len(rows), _SHOWN),
        hide_index=True,
        placeholder="–",
        on_select="rerun",
        selection_mode="single-cell",
        column_config=_columns(),
        alt="Rows of the version in the order of the file; a click opens one.",
    )
    if pages > 1:
        st.pagination(pages, key=turn)
    at = opened(event, len(rows))
    if at is not None:
        address.select_row(rows[at].sample.key)
    wanted = address.selected_row()
    named = next((row for row in rows if row.sample.key == wanted), None)
    if named is None and wanted is not None:
        found = list_rows(services, dataset, version, replace(filters, keys=(wanted,)), limit=1)
        named = found[0] if found else None
    return named or rows[0], total


def _cells(row: DatasetRow) -> dict[str, object]:
    sample = row.sample
    return {
        "key": sample.key,
        "held_out": "held out" if row.is_held_out else "",
        "question": _short(sample.question),
        "answer": _short(sample.answer),
        "chunks": len(sample.chunks),
        "tags": list(row.tags),
    }


def _short(text: str | None) -> str | None:
    return None if text is None else " ".join(text[:_LONGEST].split())


def _columns() -> dict[str, ColumnConfig]:
    text = st.column_config.TextColumn
    return {
        "key": text("Id", width=80),
        "held_out": text("Part", width=68),
        "question": text("Question", width=195),
        "answer": text("Answer", width=172),
        "chunks": st.column_config.NumberColumn("Chunks", width=60, help=figure_help.CHUNKS),
        "tags": st.column_config.ListColumn("Tags", width=95),
    }


_PART_HELP = (
    "Held-out rows are kept to measure with: `faithview fit` and `bench --ablate` leave them out and say how many they "
    "were. The scores of runs, benchmarks and Judges count them like all other rows. Rows with one question are held "
    "out together, in every version."
)
