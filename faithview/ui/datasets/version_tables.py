"""The versions of a data set, and the runs over one of them."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from faithview.domain.dataset import DatasetVersion, NamedDataset, VersionChange
from faithview.domain.run import RunSummary
from faithview.ui.datasets import address
from faithview.ui.parts.verdict_table import opened
from faithview.ui.shell import address as shell_address
from faithview.ui.shell import nav
from faithview.wording import datasets as words
from faithview.wording import figure_help
from faithview.wording import numbers as fmt

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
                    "shown": "shown" if one == version else "",
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
            "shown": text("View", width=56),
            "rows": number("Rows", width=60, format="localized", help=figure_help.ROWS),
            "runs": number("Runs", width=52, help="Runs over exactly these rows, repeats and archived ones too."),
            "change": text(
                "Since the version before",
                width=225,
                help="Changed: the same question with another answer, other chunks or another reference.",
            ),
            "seen": text("First seen", width=95),
        },
        alt="Versions of the data set, the newest first, with their rows, their runs and what changed.",
    )
    at = opened(event, len(listed))
    if at is not None and listed[at] != version:
        address.select_version(listed[at].number)
        st.rerun()


def runs_table(version: DatasetVersion, runs: Sequence[RunSummary]) -> None:
    """Draw the runs over a version, the one that was made last first; a click opens one."""
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
            "name": text("Run", width=170),
            "judge": text("Judge", width=100),
            "score": text("Faithfulness", width=170, help="The judge's mean over the answers, its interval, and n."),
            "made": text("Made", width=90),
            "note": text("Kind", width=90),
        },
        column_order=[*("name", "judge", "score", "made"), *(("note",) if any(map(_note, runs)) else ())],
        alt="Runs over this version with their judges and faithfulness, the one that was made last first.",
    )
    at = opened(event, len(runs))
    if at is not None:
        st.switch_page(nav.INSPECT, query_params=shell_address.link(runs[at].run.run_id))


def _note(summary: RunSummary) -> str:
    if summary.run.archived_at is not None:
        return "archived"
    return "repeat" if summary.run.repeat_of is not None else ""


def _height(rows: int) -> int:
    return 36 + 35 * min(max(rows, 1), _ROWS)
