"""Data sets: the rows that runs are over, in versions; searched, tagged and held out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import pandas as pd
import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from faithview.domain.dataset import DatasetRow, DatasetVersion, NamedDataset, Part, VersionChange
from faithview.domain.errors import NotFound
from faithview.domain.run import RunSummary
from faithview.domain.sample import Sample
from faithview.services import datasets
from faithview.services.datasets import (
    VersionCounts,
    count_parts,
    get_version,
    list_datasets,
    list_runs_over,
    place_older_runs,
)
from faithview.services.results import summarise_runs
from faithview.store.datasets import count_rows, list_rows
from faithview.ui import address, identity, navigation, opened_store, page_addresses, service_calls, session
from faithview.ui.address import AddressWidget
from faithview.ui.service_calls import show_message, write
from faithview.ui.widgets import empty_state
from faithview.ui.widgets.first_line import FirstLine
from faithview.ui.widgets.verdict_table import opened
from faithview.wording import figure_help
from faithview.wording import numbers as fmt
from faithview.wording import runs as words


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownVersion:
    """A version: what changed in it, what changed in each version (the newest first), and what is in it."""

    change: VersionChange | None
    changes: tuple[VersionChange | None, ...]
    counts: VersionCounts


def load_datasets(line: FirstLine) -> list[NamedDataset]:
    """Return the data sets; say so where older runs are missing from them because the store can only be read."""
    with st.spinner("Looking for data sets", show_time=False):
        left_out = place_older_runs(opened_store.store())
        listed = list_datasets(opened_store.store())
    if left_out:
        line.note.info(
            f"{fmt.plural(left_out, 'older run')} {fmt.verb(left_out, 'is', 'are')} missing here, because the store "
            "can only be read.",
            icon=":material/info:",
        )
    return listed


def load_runs(version: DatasetVersion) -> list[RunSummary]:
    """Return the runs over a version with their figures, newest first."""
    return summarise_runs(opened_store.store(), list_runs_over(opened_store.store(), version))


def load_version(dataset: NamedDataset, version: DatasetVersion) -> ShownVersion:
    """Return what changed, and what is in the version."""
    changes = service_calls.version_changes(dataset)
    return ShownVersion(
        change=changes[dataset.versions[::-1].index(version)],
        changes=changes,
        counts=count_parts(opened_store.store(), dataset, version),
    )


_CHOICE = AddressWidget("datasets.choice")


def choose_dataset(line: FirstLine, listed: list[NamedDataset]) -> NamedDataset:
    """Draw the choice and return the data set that the address names, else the one with the newest run."""
    wanted = page_addresses.selected_dataset()
    chosen = next((dataset for dataset in listed if dataset.name == wanted), None)
    if chosen is None and wanted is not None:
        line.note.info(f"There is no data set {fmt.literal(wanted)} in this store.", icon=":material/link_off:")
    chosen = chosen or listed[0]
    line.what.selectbox(
        "Data set",
        [dataset.name for dataset in listed],
        key=_CHOICE.show(chosen.name),
        label_visibility="collapsed",
        on_change=_CHOICE.on_choice(lambda: page_addresses.select_dataset(str(_CHOICE.value()))),
        width=320,
    )
    return chosen


def choose_version(line: FirstLine, dataset: NamedDataset) -> DatasetVersion | None:
    """Return the version that the address names, else the newest; None if the data set has none any more."""
    if dataset.newest is None:
        return None
    try:
        return get_version(dataset, page_addresses.selected_version())
    except NotFound as error:
        line.note.info(fmt.literal(str(error)), icon=":material/link_off:")
        return dataset.newest


def draw_finding(
    dataset: NamedDataset, version: DatasetVersion, change: VersionChange | None, counts: VersionCounts
) -> None:
    """Draw what is in the version, and what changed since the one before."""
    what = f"**{fmt.literal(dataset.name)}, version {version.number}: {words.counts_words(counts).rstrip('.')}.**"
    since = f" Since the version before: {words.change_words(change)}." if change else ""
    runs = f" {fmt.plural(version.runs, 'run')} {fmt.verb(version.runs, 'is', 'are')} over exactly these rows."
    st.markdown(f"{what}{since}{runs}")
    st.caption(f"Content hash {fmt.code(version.short_hash)}, first seen on {fmt.day(version.created_at)}.", help=_HELP)


def draw_next_step(line: FirstLine, runs: list[RunSummary]) -> None:
    """Draw the button that compares the two newest runs over the version, or leads to Upload."""
    compared = [summary.run for summary in runs if summary.run.archived_at is None and summary.run.repeat_of is None]
    with line.next_step:
        if len(compared) > 1:
            after, before = compared[0], compared[1]
            if st.button("Compare two runs", type="primary", icon=":material/compare_arrows:", key="datasets.compare"):
                st.switch_page(navigation.CHANGES, query_params=address.pair_link(before.run_id, after.run_id))
        elif st.button("Upload answers", type="primary", icon=":material/upload_file:", key="datasets.upload"):
            st.switch_page(navigation.UPLOAD)


def no_datasets() -> None:
    """Say what the page will show."""
    if empty_state.has_runs():
        st.markdown(
            "The runs in this store are of live traffic or single checked answers, which do not belong to a data set. "
            "With a run over a file, this page will show its rows, in versions, with the runs on each."
        )
        if st.button("Upload answers", type="primary", icon=":material/upload_file:", key="datasets.upload"):
            st.switch_page(navigation.UPLOAD)
        return
    empty_state.no_runs("With a run over a file, this page will show its rows, in versions, with the runs on each.")


def no_version(dataset: NamedDataset) -> None:
    """Say why a data set has no rows."""
    tags = fmt.plural(len(dataset.tags), "tag")
    held_out = fmt.plural(dataset.held_out, "held-out question")
    st.markdown(
        f"No run uses **{fmt.literal(dataset.name)}** any more, so its rows were deleted. {tags} and {held_out} are "
        "kept and apply again if the same rows return."
    )


_HELP = (
    "Two rows are the same if question, answer, chunks and reference are identical apart from whitespace. A version "
    "is a set of rows, in any order. The same rows are recognised if you upload them again."
)


_ROWS = 3


def choose_from_versions(
    dataset: NamedDataset, version: DatasetVersion, changes: Sequence[VersionChange | None]
) -> None:
    """Draw the versions, the newest first; a click looks at another one."""
    listed = dataset.versions[::-1]
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    event = st.dataframe(
        pd.DataFrame(
            [
                {
                    "number": one.number,
                    "rows": one.rows,
                    "runs": one.runs,
                    "change": words.change_words(change) if change else "–",
                    "seen": fmt.day(one.created_at),
                }
                for one, change in zip(listed, changes, strict=True)
            ]
        ),
        key=f"datasets.versions.{dataset.dataset_id}.{version.number}",
        height=_height(len(listed)),
        hide_index=True,
        on_select="rerun",
        selection_mode="single-cell",
        column_config={
            "number": number("Version", width=64, help=figure_help.VERSION),
            "rows": number("Rows", width=60, format="localized", help=figure_help.ROWS),
            "runs": number("Runs", width=52, help="Runs over exactly these rows, including repeats and archived runs."),
            "change": text(
                "Since the version before",
                width=195,
                help="Changed: the same question with another answer, other chunks or another reference.",
            ),
            "seen": text("First seen", width=90),
        },
        alt="Versions of the data set, the newest first, with their rows, their runs and what changed.",
    )
    at = opened(event, len(listed))
    if at is not None and listed[at] != version:
        page_addresses.select_version(listed[at].number)
        st.rerun()


def runs_table(version: DatasetVersion, runs: Sequence[RunSummary]) -> None:
    """Draw the runs over a version, newest first; a click opens one."""
    text = st.column_config.TextColumn
    event = st.dataframe(
        pd.DataFrame(
            [
                {
                    "name": summary.run.name,
                    "judge": summary.run.judge.name,
                    "score": fmt.score(summary.score) if summary.score.mean is not None else "–",
                    "made": fmt.day(summary.run.created_at),
                    "note": _note(summary),
                }
                for summary in runs
            ]
        ),
        key=f"datasets.runs.{version.version_id}",
        height=_height(len(runs)),
        hide_index=True,
        on_select="rerun",
        selection_mode="single-cell",
        column_config={
            "name": text("Run", width=148),
            "judge": text("Judge", width=80),
            "score": text("Faithfulness", width=156, help="The judge's mean over the answers, its interval, and n."),
            "made": text("Made", width=88),
            "note": text("Kind", width=72),
        },
        column_order=[*("name", "judge", "score", "made"), *(("note",) if any(map(_note, runs)) else ())],
        alt="Runs over this version with their judges and faithfulness, newest first.",
    )
    at = opened(event, len(runs))
    if at is not None:
        st.switch_page(navigation.ANSWERS, query_params=address.link(runs[at].run.run_id))


def _note(summary: RunSummary) -> str:
    if summary.run.archived_at is not None:
        return "archived"
    return "repeat" if summary.run.repeat_of is not None else ""


def _height(rows: int) -> int:
    return 36 + 35 * min(max(rows, 1), _ROWS)


_A_PAGE = 50
_SHOWN = 10
_LONGEST = 300  # characters of a text in a cell
_SEARCH, _TAG, _PART = (AddressWidget(f"datasets.{name}") for name in ("search", "tag", "part"))
_PART_WORDS = {Part.ALL: "All", Part.HELD_OUT: "Held out", Part.REST: "The rest"}


def draw_filters(dataset: NamedDataset) -> None:
    """Draw the search, the part and the tag."""
    filters = page_addresses.row_filter()
    tags = dict(dataset.tags)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.text_input(
            "Search",
            key=_SEARCH.show(filters.search),
            placeholder="Search questions, answers, references and chunks",
            label_visibility="collapsed",
            on_change=_SEARCH.on_choice(lambda: page_addresses.search_rows(_SEARCH.text() or "")),
            width=330,
        )
        st.segmented_control(
            "Part",
            [part.value for part in Part],
            format_func=lambda name: _PART_WORDS[Part(name)],
            required=True,
            key=_PART.show(filters.part.value),
            label_visibility="collapsed",
            on_change=_PART.on_choice(lambda: page_addresses.select_row_part(Part(str(_PART.value())))),
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
                on_change=_TAG.on_choice(lambda: page_addresses.select_row_tag(_TAG.text())),
                width=170,
            )


def choose_row(dataset: NamedDataset, version: DatasetVersion) -> tuple[DatasetRow | None, int]:
    """Draw the rows and return the open one, and how many there are; None if none matches."""
    filters = page_addresses.row_filter()
    store = opened_store.store()
    total = count_rows(store.db, dataset.dataset_id, version.version_id, filters)
    if not total:
        st.markdown(":gray[No row of this version matches.]")
        return None, 0
    pages = -(-total // _A_PAGE)
    turn = f"datasets.page.{version.version_id}.{filters.search}.{filters.tag}.{filters.part}"
    page = min(session.widget_page(turn), pages)
    rows = list_rows(
        store.db, dataset.dataset_id, version.version_id, filters, limit=_A_PAGE, offset=(page - 1) * _A_PAGE
    )
    event = st.dataframe(
        pd.DataFrame([_cells(row) for row in rows]),
        key=f"datasets.rows.{turn}.{page}",
        height=36 + 35 * min(len(rows), _SHOWN),
        hide_index=True,
        placeholder="–",
        on_select="rerun",
        selection_mode="single-cell",
        column_config=_columns(),
        column_order=[name for name in _columns() if name not in _empty_columns(rows)],
        alt="Rows of the version in the order of the file. Click a row to open it.",
    )
    if pages > 1:
        st.pagination(pages, key=turn)
    at = opened(event, len(rows))
    if at is not None:
        page_addresses.select_dataset_row(rows[at].sample.key)
    wanted = page_addresses.selected_dataset_row()
    named = next((row for row in rows if row.sample.key == wanted), None)
    if named is None and wanted is not None:
        found = list_rows(store.db, dataset.dataset_id, version.version_id, replace(filters, keys=(wanted,)), limit=1)
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


def _empty_columns(rows: Sequence[DatasetRow]) -> set[str]:
    is_empty = {"held_out": not any(row.is_held_out for row in rows), "tags": not any(row.tags for row in rows)}
    return {name for name, empty in is_empty.items() if empty}


def _short(text: str | None) -> str | None:
    return None if text is None else " ".join(text[:_LONGEST].split())


def _columns() -> dict[str, ColumnConfig]:
    text = st.column_config.TextColumn
    return {
        "key": text("Id", width=70),
        "held_out": text("Part", width=64),
        "question": text("Question", width=160),
        "answer": text("Answer", width=140),
        "chunks": st.column_config.NumberColumn("Chunks", width=60, help=figure_help.CHUNKS),
        "tags": st.column_config.ListColumn("Tags", width=80),
    }


_PART_HELP = (
    "Held-out rows are kept to measure with: `faithview fit` leaves them out and says how many. "
    "The scores of runs, benchmarks and Judges count them like all other rows. Rows with one question are held "
    "out together, in every version."
)


_MOST_CHUNKS = 20


def row_heading(row: DatasetRow) -> None:
    """Draw the row's id, what it belongs to, and whether it is held out."""
    held_out = " · held out" if row.is_held_out else ""
    st.markdown(f"**Row {fmt.literal(row.sample.key)}** :small[:gray[{_sample_caption(row.sample)}{held_out}]]")


def row_panel(row: DatasetRow) -> None:
    """Draw the question, the answer, the reference and the chunks."""
    sample = row.sample
    # As high as it is: keys alone cannot scroll a box.
    with st.container(border=True, key="datasets-row"):
        _show_labelled_text("Question", sample.question)
        _show_labelled_text("Answer", sample.answer)
        _show_labelled_text("Reference", sample.reference)
        for chunk in sample.chunks[:_MOST_CHUNKS]:
            _show_labelled_text(f"Chunk {fmt.literal(chunk.chunk_id)}", chunk.text)
        left_out = len(sample.chunks) - _MOST_CHUNKS
        if left_out > 0:
            st.caption(f"{fmt.plural(left_out, 'more chunk')} {fmt.verb(left_out, 'is', 'are')} in the export.")


def _sample_caption(sample: Sample) -> str:
    parts = [fmt.plural(len(sample.chunks), "chunk")]
    if sample.segment is not None:
        parts.append(f"segment {fmt.literal(sample.segment)}")
    if sample.timestamp is not None:
        parts.append(fmt.day(sample.timestamp))
    return " · ".join(parts)


def _show_labelled_text(label: str, text: str | None) -> None:
    if text is None or not text.strip():
        return
    st.markdown(f":small[:gray[{label}]]")
    st.text(text)


_PLACE = "datasets"
_NEW_TAG, _SHARE = "datasets.new_tag", "datasets.share"
_DEFAULT_SHARE = 20


def row_actions(dataset: NamedDataset, row: DatasetRow) -> None:
    """Draw what can be done with the open row's question; the name of who does it is asked for first."""
    show_message(_PLACE)
    reviewer = identity.ask_reviewer()
    if reviewer is None:
        return
    only = [row.subject]
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if row.is_held_out:
            _button(
                "Stop holding it out",
                "lock_open",
                "datasets.release",
                lambda: datasets.release(opened_store.store(), dataset, only),
            )
        else:
            _button(
                "Hold this question out",
                "lock",
                "datasets.hold_out",
                lambda: datasets.hold_out(opened_store.store(), dataset, only, by=reviewer),
            )
        for tag in row.tags:
            _button(
                f"Remove {fmt.literal(tag)}",
                "label_off",
                f"datasets.untag.{tag}",
                partial(datasets.remove_tag, opened_store.store(), dataset, only, tag),
            )
    _tag_form(
        "row",
        "Tag this question",
        lambda tag: datasets.add_tag(opened_store.store(), dataset, only, tag, by=reviewer),
    )


def matching_actions(dataset: NamedDataset, version: DatasetVersion, matching: int) -> None:
    """Draw what can be done with all rows that match the filter, and the draw of a share of the version."""
    reviewer = identity.current_reviewer()
    if reviewer is None or not identity.can_label(reviewer) or not matching:
        return
    filters = page_addresses.row_filter()

    def subjects() -> list[str]:
        return datasets.find_subjects(opened_store.store(), dataset, version, filters)

    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        rows = fmt.plural(matching, "row")
        with st.popover(f"With all {rows}" if matching > 1 else "With this row", icon=":material/checklist:"):
            _button(
                "Hold them out",
                "lock",
                "datasets.all.hold_out",
                lambda: datasets.hold_out(opened_store.store(), dataset, subjects(), by=reviewer),
            )
            _button(
                "Stop holding them out",
                "lock_open",
                "datasets.all.release",
                lambda: datasets.release(opened_store.store(), dataset, subjects()),
            )
            _tag_form(
                "all",
                "Tag them",
                lambda tag: datasets.add_tag(opened_store.store(), dataset, subjects(), tag, by=reviewer),
            )
        with st.popover("Hold out a share", icon=":material/casino:"):
            st.number_input("Percentage of the questions of this version", 1, 99, _DEFAULT_SHARE, 5, key=_SHARE)
            st.caption("The draw is deterministic. Rows already held out stay held out.")
            _button(
                "Draw them",
                "casino",
                "datasets.draw",
                lambda: datasets.hold_out_share(
                    opened_store.store(),
                    dataset,
                    version,
                    session.widget_number(_SHARE, _DEFAULT_SHARE) / 100,
                    by=reviewer,
                ),
            )


def _button(label: str, icon: str, key: str, action: Callable[[], object]) -> None:
    st.button(label, icon=f":material/{icon}:", key=key, on_click=_write, args=(action,))


def _tag_form(name: str, label: str, add: Callable[[str], object]) -> None:
    key = f"{_NEW_TAG}.{name}"
    with st.form(f"{key}.form", border=False, clear_on_submit=True), st.container(horizontal=True, gap="small"):
        st.text_input("Tag", key=key, max_chars=100, placeholder="A tag", label_visibility="collapsed", width=180)
        st.form_submit_button(
            label, icon=":material/label:", on_click=lambda: _write(lambda: add(session.widget_text(key) or ""))
        )


def _write(action: Callable[[], object]) -> None:
    write(action, place=_PLACE, refusal=identity.why_cannot_label(identity.current_reviewer()))
