"""Parts of the queue page: spot-checks or disagreements, and which spot-check is open."""

import streamlit as st

from faithview.domain.errors import NotFound
from faithview.domain.spot_check import SpotCheck
from faithview.services.review import queue, spot_check_design
from faithview.stats.sampling import MOST_WIDENED
from faithview.ui.queue.navigator import QueueNavigator
from faithview.ui.shell import address, app, session
from faithview.ui.shell.shell_line import shell_line
from faithview.wording import numbers as fmt

# The words on screen are also the values in the address.
SPOT_CHECKS, DISAGREEMENTS = "Spot-checks", "Disagreements"


def choose_part() -> str:
    """Draw the choice between spot-checks and disagreements, kept in the address, and return what is chosen."""
    chosen = st.segmented_control(
        "Part",
        [SPOT_CHECKS, DISAGREEMENTS],
        default=SPOT_CHECKS,
        required=True,
        key="part",
        bind="query-params",
        label_visibility="collapsed",
    )
    return chosen or SPOT_CHECKS


def part_link(part: str) -> dict[str, str]:
    """Return the address parameters of a part of the page."""
    return {"part": part}


def find_check() -> SpotCheck | None:
    """Return the spot-check that the address names; None if it names none, or one that does not exist."""
    wanted = address.selected_check()
    if wanted is None:
        return None
    checks = {check.spot_check_id: check for check in queue.list_spot_checks(app.services())}
    if wanted not in checks:
        st.info(f"There is no spot-check {wanted} in this store.", icon=":material/link_off:")
        address.select_check(None)
    return checks.get(wanted)


def heading(check: SpotCheck) -> None:
    """Draw the spot-check's name, the button that leads back to all, and how many claims that changed it took first."""
    line = shell_line(check.name)
    manner = "blind: the judge is shown at the end" if check.is_blind else "the judge's verdict is shown"
    if check.population is not None:
        # What the list is may give the judge's verdicts away, so that is said at the end.
        manner = f"about a list of {fmt.plural(int(str(check.design['claims'])), 'claim')}, not a whole run · {manner}"
    line.what.markdown(f":small[:gray[{manner}]]", width="content")
    line.next_step.button("All spot-checks", icon=":material/arrow_back:", key="queue.leave", on_click=_leave)
    first = spot_check_design.drawn_first(check)
    if first is not None and first.drawn < first.claims:
        st.caption(
            f"{fmt.count(first.drawn)} of the {fmt.plural(first.claims, 'claim')} that changed come first. With more "
            f"of them, the interval of the corrected score could be more than {MOST_WIDENED} times as wide as that of "
            "a random sample."
        )


def _leave() -> None:
    address.select_check(None)
    navigator = session.QUEUE_NAVIGATOR.take()
    if isinstance(navigator, QueueNavigator):
        try:
            navigator.release(app.services())
        except NotFound:  # the spot-check was deleted, and its leases with it
            return
