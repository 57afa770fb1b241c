"""Whose verdicts the figures of a page show: the judge's, people's, or the judge's corrected by a spot-check."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import streamlit as st

from faithview.domain.views import View
from faithview.ui.shell import address
from faithview.ui.shell.address_widget import AddressWidget

_SWITCH = AddressWidget("view.switch")
_NOTES: Mapping[View, str] = MappingProxyType(
    {
        View.REVIEWED: "Showing people's verdicts where there are any.",
        View.CORRECTED: "Showing scores corrected by spot-checks.",
    }
)
_OFFERED = (View.JUDGE, View.REVIEWED)
ALL_VIEWS = tuple(View)


def view_note(view: View) -> str:
    """Return in Markdown whose verdicts a sentence is about; empty for the judge's, the default."""
    return f":small[:gray[{_NOTES[view]}]]" if view in _NOTES else ""


def view_switch(*, offered: Sequence[View] = _OFFERED) -> View:
    """Draw the switch, kept in the address as `view`, and return the view that it shows.

    The corrected score is an estimate for whole runs, so only pages that show runs offer it. On the others who comes
    from the corrected view sees people's verdicts, as single answers have there.
    """
    named = address.selected_view()
    known = View.REVIEWED if named == View.CORRECTED and View.CORRECTED not in offered else named
    view = next((v for v in offered if v == known), View.JUDGE)
    # Not bound to the address: a widget bound on two pages undoes what the second page writes there as it opens
    # (seen with 1.67.0).
    st.segmented_control(
        "Verdicts",
        [v.value for v in offered],
        required=True,
        key=_SWITCH.show(view.value),
        on_change=_SWITCH.on_choice(lambda: address.select_view(str(_SWITCH.value()))),
        label_visibility="collapsed",
        help=_HELP,
    )
    address.select_view(view)
    return view


_HELP = (
    "Judge: the verdicts as the judge gave them. Reviewed: a person's verdict in place of the judge's wherever there "
    "is one; where reviewers are tied, the judge's until somebody settles it. Claims that the judge missed and people "
    "added count. Corrected: an estimate for the whole run from a spot-check; single answers show what people found. "
    "Missed claims count in it only where whole answers were drawn, or where every claim is labelled."
)
