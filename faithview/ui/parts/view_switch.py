"""Whose verdicts the figures of a page show: the judge's, or those that people settled on."""

from collections.abc import Sequence

import streamlit as st

from faithview.domain.views import View
from faithview.ui.shell import address, session
from faithview.wording.views import VIEW_WORDS

_KEY = "view.switch"
_OFFERED = (View.JUDGE, View.REVIEWED)
ALL_VIEWS = tuple(View)


def view_note(view: View) -> str:
    """Return for Markdown whose verdicts a sentence goes by; nothing for the judge's, which go without saying."""
    return "" if view is View.JUDGE else f":small[:gray[Verdicts {VIEW_WORDS[view]}.]]"


def view_switch(*, offered: Sequence[View] = _OFFERED) -> View:
    """Draw the switch, kept in the address as `view`, and return what it stands at.

    The corrected score is an estimate for whole runs, so only pages that show runs offer it.
    """
    named = address.selected_view()
    view = next((v for v in offered if v == named), View.JUDGE)
    # Not bound to the address: a widget bound on two pages undoes what the second page writes there as it opens
    # (seen with 1.67.0). The widget is set to the view in every run, so that a link to another one is not overruled.
    session.set_widget(_KEY, view.value)
    st.segmented_control(
        "Verdicts",
        [v.value for v in offered],
        required=True,
        key=_KEY,
        on_change=lambda: address.select_view(str(session.widget_value(_KEY))),
        label_visibility="collapsed",
        help=_HELP,
    )
    address.select_view(view)
    return view


_HELP = (
    "Judge: the verdicts as the judge gave them. Reviewed: a person's verdict in place of the judge's wherever there "
    "is one; where reviewers are tied, the judge's until somebody settles it. Corrected: an estimate for the whole run "
    "from a spot-check; single answers show what people found."
)
