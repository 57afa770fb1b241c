"""The inbox in the address: words, facets and page. It holds nothing of other pages, and they hold nothing of it."""

import streamlit as st

from faithview.domain.inbox import Facet, InboxFilter, make_filter
from faithview.ui.shell import address
from faithview.ui.shell.address_field import AddressField

_WORDS, _PAGE = AddressField("find"), AddressField("page")
_PAGE_DIGITS = 6
# Not the names of other pages: "run" would take the series switch along.
_NAMES = {facet: f"{facet.value}s" for facet in Facet}


def read() -> InboxFilter:
    """Return the filter that the address names."""
    chosen = {facet: st.query_params.get_all(name) for facet, name in _NAMES.items()}
    return make_filter(_WORDS.get() or "", chosen)


def page() -> int:
    """Return the page of the list, from 1."""
    return max(1, _PAGE.number(digits=_PAGE_DIGITS) or 1)


def write(filters: InboxFilter, *, page_number: int = 1) -> None:
    """Write a filter and a page, as one step of the browser's history; call it in a callback."""
    if (filters, page_number) == (read(), page()):
        return
    parameters: dict[str, str | list[str]] = {_WORDS.name: filters.words} if filters.words else {}
    parameters |= {_NAMES[facet]: list(values) for facet, values in filters.chosen.items()}
    if (series := address.selected_series()) is not None:
        parameters |= address.series_link(series)
    if page_number > 1:
        parameters[_PAGE.name] = str(page_number)
    st.query_params.from_dict(parameters)
