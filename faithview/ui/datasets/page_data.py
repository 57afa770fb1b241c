"""The data behind the Data sets page."""

from dataclasses import dataclass

import streamlit as st

from faithview.domain.dataset import DatasetVersion, NamedDataset, VersionChange
from faithview.domain.run import RunSummary
from faithview.services.datasets.contents import VersionCounts, count_parts
from faithview.services.datasets.named import list_datasets, list_runs_over, place_older_runs
from faithview.services.results.runs import summarise_runs
from faithview.ui.shell import app, cached
from faithview.ui.shell.shell_line import ShellLine
from faithview.wording import numbers as fmt


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownVersion:
    """A version: what changed in it, what changed in each version (the newest first), and what is in it."""

    change: VersionChange | None
    changes: tuple[VersionChange | None, ...]
    counts: VersionCounts


def load_datasets(line: ShellLine) -> list[NamedDataset]:
    """Return the data sets; say so where older runs are missing from them because the store can only be read."""
    with st.spinner("Looking for data sets", show_time=False):
        left_out = place_older_runs(app.services())
        listed = list_datasets(app.services())
    if left_out:
        line.note.info(
            f"{fmt.plural(left_out, 'run')} from before data sets existed {fmt.verb(left_out, 'is', 'are')} missing "
            "here: the store can only be read.",
            icon=":material/info:",
        )
    return listed


def load_runs(version: DatasetVersion) -> list[RunSummary]:
    """Return the runs over a version with their figures, the one that was made last first."""
    return summarise_runs(app.services(), list_runs_over(app.services(), version))


def load_version(dataset: NamedDataset, version: DatasetVersion) -> ShownVersion:
    """Return what changed, and what is in the version."""
    changes = cached.version_changes(dataset)
    return ShownVersion(
        change=changes[dataset.versions[::-1].index(version)],
        changes=changes,
        counts=count_parts(app.services(), dataset, version),
    )
