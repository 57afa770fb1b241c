"""The choices of the trends page: what a point stands for, the time zone, and the panels' groups.

All of them are in the address.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from zoneinfo import available_timezones

import streamlit as st

from faithview.domain.buckets import Step
from faithview.domain.trend import Grouping

_HEADINGS: Mapping[Grouping, str] = MappingProxyType(
    {
        Grouping.SEGMENT: "Segments",
        Grouping.JUDGE: "Judges",
        Grouping.MODEL: "Models",
        Grouping.KB: "KB versions",
        Grouping.ALL: "All together",
    }
)


def choose_step() -> Step:
    """Draw the choice of what a point stands for, and return it."""
    st.markdown(":small[:gray[Points by]]", width="content", help=_STEP_HELP)
    return Step(_switch("by", [step.value for step in Step]))


def choose_zone(step: Step) -> str:
    """Draw the choice of the time zone whose calendar cuts the periods, and return its name; UTC for a step by run."""
    if step is Step.RUN:
        return "UTC"
    zones = _zones()
    browser = st.context.timezone
    default = browser if browser in zones else "UTC"
    zone = st.selectbox(
        "Time zone",
        zones,
        index=zones.index(default),
        key="zone",
        bind="query-params",
        label_visibility="collapsed",
        help="Days, weeks and months begin at midnight in this time zone.",
        width=230,
    )
    return zone or "UTC"


def choose_grouping() -> Grouping:
    """Draw the panels' heading with the choice of their groups, and return the choice."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        heading = st.container(width="stretch")
        st.markdown(":small[:gray[Panels by]]", width="content", help=_GROUP_HELP)
        grouping = Grouping(_switch("group", [grouping.value for grouping in _HEADINGS]))
    heading.header(_HEADINGS[grouping], anchor=False, help=_PANELS_HELP)
    return grouping


def _switch(key: str, options: Sequence[str]) -> str:
    """Draw a choice that is in the address under its key; the first option is not written there."""
    return st.segmented_control(
        key,
        options,
        default=options[0],
        required=True,
        key=key,
        bind="query-params",
        label_visibility="collapsed",
    )


@lru_cache(maxsize=1)
def _zones() -> list[str]:
    return ["UTC", *sorted(available_timezones() - {"UTC", "localtime"})]


_STEP_HELP = (
    "One point for each run, at the date of its answers; or one for each day, week or month, by the timestamps of the "
    "rows and the calendar of a time zone."
)
_GROUP_HELP = "Each group gets a panel of its own below. Scores of different judges are never joined into one line."
_PANELS_HELP = (
    "All panels share one scale. The band is the 95 % interval; the dotted line is all answers together. Strong lines "
    "changed by more than chance, allowing for the number of panels (Holm 1979). Click a point to open its run."
)
