"""The list of the inbox with its facets: the list first, because the facets take longer to count."""

import streamlit as st

from faithview.domain.inbox import Facet, FacetValue, InboxFilter, InboxPage
from faithview.services.inbox.groups import PAGE_SIZE, count_facets, list_groups
from faithview.ui.inbox import actions, address, controls
from faithview.ui.inbox.facet_bar import facet_bar
from faithview.ui.inbox.group_list import group_list
from faithview.ui.parts.downloads.page_downloads import inbox_download
from faithview.ui.shell import app, identity, series, session
from faithview.ui.shell.shell_line import ShellLine
from faithview.wording import numbers as fmt


def draw(line: ShellLine) -> None:
    """Draw the facets, the list, what the last press did, and the download."""
    filters = address.read()
    facet_place, outcome_place, list_place = st.container(), st.container(), st.container()
    page = _load(filters)
    with list_place:
        if page.groups:
            group_list(
                page,
                filters.words,
                reviewers=session.INBOX_REVIEWERS.get(),
                refusal=_refusal(),
                on_press=actions.answer_press,
            )
            controls.choose_page(page.total_groups)
        elif filters == InboxFilter():
            st.markdown("Every claim of these runs is supported, or people have settled it.")
        else:
            st.markdown("No claim matches. Try fewer words, or clear the filters.")
    with outcome_place:
        actions.draw_outcome()
    facets = count_facets(app.services(), filters, series=series.in_view())
    _remember_reviewers(facets[Facet.ASSIGNEE])
    with facet_place:
        facet_bar(filters, facets)
    with line.what:
        st.caption(_summary(len(facets[Facet.RUN])))
    with line.next_step:
        if identity.current_reviewer() is None:
            with st.popover("Your name", icon=":material/person:", key="inbox.name"):
                identity.ask_reviewer()
        if page.groups:
            inbox_download(filters)


def _load(filters: InboxFilter) -> InboxPage:
    in_view, services = series.in_view(), app.services()
    page = list_groups(services, filters, series=in_view, offset=(address.page() - 1) * PAGE_SIZE)
    if page.groups or not page.total_groups:
        return page
    # The address names a page that is not there any more.
    return list_groups(services, filters, series=in_view, offset=(page.total_groups - 1) // PAGE_SIZE * PAGE_SIZE)


def _summary(runs: int) -> str:
    in_view = series.in_view()
    of_series = f" of {fmt.literal(in_view)}" if in_view else ""
    return f"Claims that are not fully supported, in {fmt.plural(runs, 'run')}{of_series}"


def _refusal() -> str | None:
    name = identity.current_reviewer()
    return identity.why_no_name("at the top right") if name is None else identity.why_cannot_label(name)


def _remember_reviewers(assignees: tuple[FacetValue, ...]) -> None:
    """Keep the names that the next list offers: those who have claims already, and the person who looks."""
    names = {value.value for value in assignees} | {identity.current_reviewer() or ""}
    session.INBOX_REVIEWERS.set(tuple(sorted(names - {""})))
