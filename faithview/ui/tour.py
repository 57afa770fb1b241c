"""A tour of the sample in five steps, one on each of five pages; it can be closed, and started again."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import streamlit as st

from faithview.domain.run import Run
from faithview.services.demo import SERIES, sample_weeks
from faithview.ui import address, browser_memory, navigation, opened_store, page_addresses, session

_COOKIE = "faithview-tour"
_CLOSED = "closed"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    """A step: what the page shows in two sentences, and the button to the next one.

    `target` is the CSS class of the containers that the text speaks of. `link` returns the query of the next page,
    given the sample's runs by week.
    """

    text: str
    target: str
    action: str
    page: str
    link: Callable[[Mapping[str, Run]], Mapping[str, str]] = lambda _: {}


def draw(page: str) -> None:
    """Draw the step that belongs to a page, above the page, while the store holds the sample and the tour is open.

    Args:
        page: the address of the page; "" for the overview.
    """
    if session.TOUR_CLOSED.is_set():
        browser_memory.remember(_COOKIE, _CLOSED if session.TOUR_CLOSED.get() else "")
    if page not in _STEPS or _is_closed():
        return
    weeks = sample_weeks(opened_store.store())
    if not weeks:
        return
    october = _october(weeks)  # the fall that the first step speaks of, however the user comes to the second
    page_addresses.suggest_pair(october["baseline"], october["candidate"], series=SERIES)
    if address.TAB.is_set():  # the steps are about the first tab of their pages
        return
    number, step = list(_STEPS).index(page) + 1, _STEPS[page]
    with st.container(key="tour", horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f":small[:material/school: **Tour, {number} of {len(_STEPS)}.** {step.text}]", width="content")
        if st.button(step.action, key="tour.next"):
            st.switch_page(step.page, query_params=dict(step.link(weeks)))
        st.button("Close", key="tour.close", type="tertiary", help=_CLOSE_HELP, on_click=_close)
    st.html(f"<style>{step.target} {{ {_RING} }}</style>")


def offer() -> None:
    """Draw the button that opens the tour again, where there is one and it is closed."""
    if _is_closed() and sample_weeks(opened_store.store()) and st.button("Start the tour", key="tour.start"):
        session.TOUR_CLOSED.set(False)
        st.switch_page(navigation.OVERVIEW)


def _is_closed() -> bool:
    if session.TOUR_CLOSED.is_set():
        return session.TOUR_CLOSED.get()
    return browser_memory.remembered(_COOKIE) == _CLOSED


def _close() -> None:
    session.TOUR_CLOSED.set(True)


def _october(weeks: Mapping[str, Run]) -> dict[str, str]:
    return {"baseline": weeks["2026-w42"].run_id, "candidate": weeks["2026-w43"].run_id}


def _after_october(weeks: Mapping[str, Run]) -> Mapping[str, str]:
    return address.link(weeks["2026-w43"].run_id)


# By the address of the page.
_STEPS: Mapping[str, _Step] = MappingProxyType(
    {
        "": _Step(
            text="*What changed last* says when faithfulness fell, by how much, and where.",
            target=".st-key-overview-lists",
            action="See why",
            page=navigation.CHANGES,
            link=_october,
        ),
        "changes": _Step(
            text="*Why* splits the change by cause, *Where* by segment. Below are the answers that changed.",
            target=".st-key-compare_pair_charts",
            action="See the wrong claims",
            page=navigation.ANSWERS,
            link=_after_october,
        ),
        "answers": _Step(
            text="The most harmful answers come first; the wrong words are boxed.",
            target=".st-key-inspect-list",
            action="See what reviewers found",
            page=navigation.REVIEW,
        ),
        "review": _Step(
            text="Two reviewers labelled random claims blind; their labels correct the judge's score.",
            target='[class*="st-key-result-"]',
            action="See how good the judge is",
            page=navigation.JUDGES,
        ),
        "judges": _Step(
            text="How often the judge agrees with reviewers. Now try it with your own answers.",
            target=".st-key-judges_figures",
            action="Upload answers",
            page=navigation.UPLOAD,
        ),
    }
)

# The rest of it, and its movement, is in the style sheet of the page.
_RING = "outline: 2px solid var(--fv-accent); outline-offset: 6px; animation: fv-tour-ring 1.2s ease-out;"
_CLOSE_HELP = "Closes the tour in this browser. Help, in the sidebar, starts it again."
