"""Which data set is looked at, what is found about it in a sentence, and the next step."""

import streamlit as st

from faithview.domain.dataset import DatasetVersion, NamedDataset, VersionChange
from faithview.domain.errors import NotFound
from faithview.domain.run import RunSummary
from faithview.services.datasets.contents import VersionCounts
from faithview.services.datasets.named import get_version
from faithview.ui.datasets import address
from faithview.ui.parts import empty_state
from faithview.ui.shell import address as shell_address
from faithview.ui.shell import nav
from faithview.ui.shell.address_widget import AddressWidget
from faithview.ui.shell.shell_line import ShellLine
from faithview.wording import datasets as words
from faithview.wording import numbers as fmt

_CHOICE = AddressWidget("datasets.choice")


def choose_dataset(line: ShellLine, listed: list[NamedDataset]) -> NamedDataset:
    """Draw the choice and return the data set that the address names, else the one with the newest run."""
    wanted = address.selected_dataset()
    chosen = next((dataset for dataset in listed if dataset.name == wanted), None)
    if chosen is None and wanted is not None:
        line.note.info(f"There is no data set {fmt.literal(wanted)} in this store.", icon=":material/link_off:")
    chosen = chosen or listed[0]
    line.what.selectbox(
        "Data set",
        [dataset.name for dataset in listed],
        key=_CHOICE.show(chosen.name),
        label_visibility="collapsed",
        on_change=_CHOICE.on_choice(lambda: address.select_dataset(str(_CHOICE.value()))),
        width=320,
    )
    return chosen


def choose_version(line: ShellLine, dataset: NamedDataset) -> DatasetVersion | None:
    """Return the version that the address names, else the newest; None where the data set has none any more."""
    if dataset.newest is None:
        return None
    try:
        return get_version(dataset, address.selected_version())
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


def draw_next_step(line: ShellLine, runs: list[RunSummary]) -> None:
    """Draw the button that compares the two newest runs over the version, or leads to Upload."""
    compared = [summary.run for summary in runs if summary.run.archived_at is None and summary.run.repeat_of is None]
    with line.next_step:
        if len(compared) > 1:
            after, before = compared[0], compared[1]
            if st.button("Compare two runs", type="primary", icon=":material/compare_arrows:", key="datasets.compare"):
                st.switch_page(nav.COMPARE, query_params=shell_address.pair_link(before.run_id, after.run_id))
        elif st.button("Upload answers", type="primary", icon=":material/upload_file:", key="datasets.upload"):
            st.switch_page(nav.UPLOAD)


def no_datasets() -> None:
    """Say what the page will show."""
    if empty_state.has_runs():
        st.markdown(
            "The runs of this store are over live traffic or single checked answers, which are in no data set. With a "
            "run over a file, this page will show its rows, in versions, with the runs on each."
        )
        if st.button("Upload answers", type="primary", icon=":material/upload_file:", key="datasets.upload"):
            st.switch_page(nav.UPLOAD)
        return
    empty_state.no_runs("With a run over a file, this page will show its rows, in versions, with the runs on each.")


def no_version(dataset: NamedDataset) -> None:
    """Say why a data set has no rows."""
    tags = fmt.plural(len(dataset.tags), "tag")
    held_out = fmt.plural(dataset.held_out, "held-out question")
    st.markdown(
        f"No run is over **{fmt.literal(dataset.name)}** any more, so its rows are gone. {tags} and {held_out} are "
        "kept for when its rows come again."
    )


_HELP = (
    "Two rows are the same if question, answer, chunks and reference are equal but for white space. A version is a set "
    "of rows, in any order. The same rows are recognised when they come again."
)
