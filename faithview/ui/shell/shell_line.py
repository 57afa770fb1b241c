"""The shell line: the first line of every page, with the same four things in the same places.

What is in view, its score, whose verdicts count, and the next step. A page fills the places that it has something for;
the others take no room.
"""

from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from faithview.domain.scoring import RunScore
from faithview.domain.text.hidden_characters import make_visible
from faithview.wording import numbers as fmt

_PRODUCT = "FaithView"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShellLine:
    """The places of the line, from left to right; each is a container that a page may fill at any time.

    Attributes:
        what: what the page is about, after its heading: a run, a pair, a search.
        score: the score of what is in view.
        view: the switch between the judge's, the reviewed and the corrected verdicts.
        next_step: the one button that leads on, and what one does with the whole page, such as a report.
        note: below the line, as wide as the page: what is wrong with what was asked for.
    """

    what: DeltaGenerator
    score: DeltaGenerator
    view: DeltaGenerator
    next_step: DeltaGenerator
    note: DeltaGenerator


def shell_line(heading: str, *, document: str | None = None) -> ShellLine:
    """Draw the page's heading, name the browser's tab, and return the places of the line.

    Args:
        heading: the page's name as plain text: the only first-level heading of the page.
        document: what the browser's tab names before the product, for example a run's name; the heading by default.
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
    return ShellLine(
        what=left.container(horizontal=True, vertical_alignment="center", width="content"),
        score=left.container(width="content"),
        view=right.container(width="content"),
        next_step=right.container(
            horizontal=True, horizontal_alignment="right", vertical_alignment="center", gap="xsmall", width="content"
        ),
        note=st.container(),
    )


def draw_score(line: ShellLine, score: RunScore, help_text: str, *, note: str = "") -> None:
    """Draw a run's score with its interval and n in the line's place; nothing where it has none.

    Args:
        line: the shell line.
        score: the score.
        help_text: what the score is.
        note: in Markdown, whose verdicts it goes by, where that is not what the switch says alone.
    """
    if score.mean is not None:
        line.score.markdown(f"**{fmt.score(score)}** {note}".rstrip(), help=help_text, width="content")
