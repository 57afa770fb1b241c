"""A page's filters are kept as tabs under names, apart for each page; on both engines."""

import pytest

from faithview.domain.claim import Verdict
from faithview.domain.errors import InvalidInput, NotFound
from faithview.domain.inbox import NONE, Facet, InboxFilter, filter_fields, make_filter, read_fields
from faithview.domain.saved_tab import TabPage
from faithview.services.container import Store
from faithview.services.saved_tabs import delete_tab, save_tab
from faithview.store.saved_tabs import list_tabs


def test_a_filter_is_saved_as_a_tab_of_its_page_and_removed(services: Store) -> None:
    filters = make_filter('"14 days"', {Facet.VERDICT: [Verdict.CONTRADICTED], Facet.SEGMENT: [NONE, "Billing"]})
    saved = save_tab(services, TabPage.CLAIMS, " Refunds  to check ", filter_fields(filters), created_by="Ann")
    other = save_tab(services, TabPage.ANSWERS, "Short", {"verdict": "contradicted"}, created_by="Ann")
    assert list_tabs(services.db, TabPage.CLAIMS) == [saved]
    assert list_tabs(services.db, TabPage.ANSWERS) == [other]
    assert (saved.name, read_fields(saved.fields), saved.created_by) == ("Refunds to check", filters, "Ann")
    delete_tab(services, saved.tab_id)
    assert list_tabs(services.db, TabPage.CLAIMS) == []
    with pytest.raises(NotFound, match="already removed this tab"):
        delete_tab(services, saved.tab_id)


def test_a_tab_needs_a_name_of_its_own_and_something_that_is_filtered(services: Store) -> None:
    fields: dict[str, object] = {"verdict": "contradicted"}
    save_tab(services, TabPage.ANSWERS, "Refunds to check", fields, created_by="Ann")
    with pytest.raises(InvalidInput, match="A tab named 'Refunds to check' already exists"):
        save_tab(services, TabPage.CLAIMS, "Refunds to check", fields, created_by="Bob")
    with pytest.raises(InvalidInput, match="Nothing is filtered"):
        save_tab(services, TabPage.CLAIMS, "All", filter_fields(InboxFilter()), created_by="Ann")
    with pytest.raises(InvalidInput, match="needs 1 to 60 characters"):
        save_tab(services, TabPage.ANSWERS, " ", fields, created_by="Ann")
