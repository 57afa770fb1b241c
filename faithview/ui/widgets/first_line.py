"""The first line of every page, with the same things in the same places.

What is in view, its score, and the next step. A page fills the places that it has something for; the others take no
room. The choice of the run is here too.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from faithview.domain.errors import NotFound
from faithview.domain.hidden_characters import make_visible
from faithview.domain.run import Run, RunStatus
from faithview.domain.scoring import RunScore
from faithview.services.results import get_run, list_runs
from faithview.ui import opened_store, series
from faithview.ui.address import RUN, TAB, AddressWidget, choose_one, go
from faithview.wording import numbers as fmt

_PRODUCT = "FaithView"
NO_TABS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstLine:
    """The places of the line, from left to right; each is a container that a page may fill at any time.

    Attributes:
        what: what the page is about, after its heading: a run, a pair, a search.
        score: the score of what is in view.
        next_step: the one button that leads on, and what one does with the whole page, such as a report.
        choices: next to the tabs, other choices of what the page shows.
        note: below the line, as wide as the page: what is wrong with what was asked for.
    """

    what: DeltaGenerator
    score: DeltaGenerator
    next_step: DeltaGenerator
    choices: DeltaGenerator
    note: DeltaGenerator


def first_line(heading: str, *, document: str | None = None, tabs: Mapping[str, str] = NO_TABS) -> FirstLine:
    """Draw the page's heading, name the browser's tab, and return the places of the line.

    Args:
        heading: the page's name as plain text: the only first-level heading of the page.
        document: what the browser's tab names before the product, for example a run's name; the heading by default.
        tabs: those of the page, drawn below the line, by how the address calls them.
    """
    st.set_page_config(page_title=make_visible(f"{document or heading} · {_PRODUCT}"))
    with st.container(
        key="shell-line", horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", gap="small"
    ):
        left = st.container(horizontal=True, vertical_alignment="center", gap="xsmall", width="stretch")
        right = st.container(
            horizontal=True, horizontal_alignment="right", vertical_alignment="center", gap="xsmall", width="content"
        )
    left.title(fmt.literal(heading), anchor=False, width="content", wrap=False)
    choices = st.container(horizontal=True, vertical_alignment="center", gap="xsmall")
    if len(tabs) > 1:
        with choices:
            choose_one(TAB.name, tabs, label="Part of the page")
    return FirstLine(
        what=left.container(horizontal=True, vertical_alignment="center", width="content"),
        score=left.container(width="content"),
        next_step=right.container(
            horizontal=True, horizontal_alignment="right", vertical_alignment="center", gap="xsmall", width="content"
        ),
        choices=choices,
        note=st.container(),
    )


def draw_score(line: FirstLine, score: RunScore, help_text: str, *, note: str = "") -> None:
    """Draw a run's score with its interval and n in the line's place; nothing if it has none.

    Args:
        line: the first line.
        score: the score.
        help_text: what the score is.
        note: another score or its source, in Markdown.
    """
    if score.mean is not None:
        line.score.markdown(f"**{fmt.score(score)}** {note}".rstrip(), help=help_text, width="content")


_LISTED_RUNS = 200
_RUNS = AddressWidget("shell.run")
_OF_A_RUN = ("row", "claim", "chunk", "slice", "source")


def choose_run(line: FirstLine, *, width: int = 340) -> Run | None:
    """Draw the select box with the runs of the series in view, in its place of the line; return the run in view.

    None if there are no runs. Errors in the address are shown below the line. `width` is the box's, in px.
    """
    store = opened_store.store()
    runs = list_runs(store, series=series.in_view(), limit=_LISTED_RUNS)
    if not runs:
        return None
    with line.note:
        run = _find_run(RUN.get())
    if run is None:
        run = runs[0]
    known = {r.run_id: r for r in ([] if run in runs else [run]) + runs}
    words = name_runs(known.values())
    line.what.selectbox(
        "Run",
        list(known),
        format_func=words.__getitem__,
        key=_RUNS.show(run.run_id),
        on_change=_RUNS.on_choice(_show_chosen_run),
        label_visibility="collapsed",
        width=width,
    )
    return run


def _show_chosen_run() -> None:
    """Show another run under the same filters; rows, chunks and slices are those of one run."""
    go(**dict.fromkeys(_OF_A_RUN), run=str(_RUNS.value()))


def name_runs(runs: Iterable[Run]) -> dict[str, str]:
    """Return by id the words that distinguish each run from the others: "2026-w46 · 9 Nov · embedded"."""
    listed = list(runs)
    has_judges = len({run.judge.name for run in listed}) > 1
    return {run.run_id: _run_words(run, with_judge=has_judges) for run in listed}


def _run_words(run: Run, *, with_judge: bool) -> str:
    # The series is chosen in the sidebar, and its name would hide how its runs differ.
    name = run.name.removeprefix(f"{run.series} ")
    parts = [name, f"{run.as_of.day} {run.as_of:%b}", run.judge.name if with_judge else None]
    parts += [None if run.status is RunStatus.COMPLETE else fmt.STATUS_WORDS[run.status]]
    return " · ".join(part for part in parts if part)


def _find_run(reference: str | None) -> Run | None:
    if reference is None:
        return None
    try:
        return get_run(opened_store.store(), reference)
    except NotFound:
        st.info(
            f"There is no run {fmt.literal(reference)} in this store; the newest is shown.", icon=":material/link_off:"
        )
        return None
