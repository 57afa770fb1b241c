"""The facets as a row of menus: each value with its count, several to tick."""

from collections.abc import Mapping, Sequence

import streamlit as st

from faithview.domain.inbox import Facet, FacetValue, InboxFilter
from faithview.ui.components.component_files import read_script, read_styles
from faithview.ui.inbox import address
from faithview.ui.shell import session
from faithview.wording import numbers as fmt
from faithview.wording.inbox import FACETS, value_words

_mount = st.components.v2.component(
    "faithview.facet_bar",
    css=read_styles("facet_bar"),
    js=read_script("facet_bar"),
)
_KEY = "inbox.facets"
_NOTES: Mapping[Facet, str] = {
    Facet.VERDICT: "People's verdict where they settled on one, else the judge's.",
    Facet.DOCUMENT: "The document of the first chunk that a claim cites. The 30 with the most claims.",
}


def facet_bar(filters: InboxFilter, facets: Mapping[Facet, Sequence[FacetValue]]) -> None:
    """Draw the facets; what is ticked goes to the address."""
    _mount(
        key=_KEY,
        height="content",
        data={
            "facets": [_facet(facet, facets[facet], filters) for facet in Facet],
            "isFiltered": bool(filters.chosen or filters.words),
        },
        on_chosen_change=_choose,
    )


def _facet(facet: Facet, values: Sequence[FacetValue], filters: InboxFilter) -> dict[str, object]:
    chosen = filters.chosen.get(facet, ())
    return {
        "name": facet.value,
        "title": FACETS[facet],
        "note": _NOTES.get(facet, ""),
        "standing": "not fully supported" if facet is Facet.VERDICT else "",
        "values": [
            {
                "value": value.value,
                "words": value_words(facet, value.value, value.name),
                "count": fmt.count(value.claims),
                "isChosen": value.value in chosen,
            }
            for value in values
        ],
    }


def _choose() -> None:
    reported = session.widget_value(_KEY)
    chosen = reported.get("chosen") if isinstance(reported, Mapping) else None
    if not isinstance(chosen, Mapping):
        return
    facet, values = chosen.get("facet"), chosen.get("values")
    if facet == "":
        address.write(InboxFilter())
    elif facet in [known.value for known in Facet] and isinstance(values, Sequence):
        address.write(address.read().with_facet(Facet(facet), [str(value) for value in values]))
