"""The claims that one page lists and another walks through: the same ones, in an order that stays as they are labelled.

A label moves a claim out of most filters. Under a person's hands rows stay where they are until the filter changes.
"""

from faithview.domain.inbox import ClaimGroup, InboxFilter, InboxPage
from faithview.services.review.inbox import PAGE_SIZE, list_groups, list_groups_again
from faithview.ui import opened_store, series, session
from faithview.ui.session import KeptClaims
from faithview.wording import numbers as fmt


def load_claims(filters: InboxFilter, number: int) -> InboxPage:
    """Return a page of the list, as this session has seen it, or else as it is now."""
    store, in_view = opened_store.store(), series.in_view()
    subject = f"{in_view} {filters}"
    kept = session.INBOX_KEPT.get()
    if kept.subject != subject:
        kept = KeptClaims(subject=subject)
    offset = (number - 1) * PAGE_SIZE
    if number in kept.pages:
        groups = list_groups_again(store, filters, kept.pages[number], series=in_view)
        return _page(groups, kept, offset)
    before = [claim for at, page in kept.pages.items() if at < number for claim in page]
    left = sum(not group.listed for group in list_groups_again(store, filters, before, series=in_view)) if before else 0
    fresh = list_groups(store, filters, series=in_view, offset=offset - left)
    if not fresh.groups and fresh.total_groups and number > 1:
        # The address names a page that is not there any more.
        return load_claims(filters, min(number - 1, -(-fresh.total_groups // PAGE_SIZE)))
    known = {claim for page in kept.pages.values() for claim in page}
    groups = [group for group in fresh.groups if group.claim_id not in known]
    after = KeptClaims(
        subject=subject,
        pages={**kept.pages, number: tuple(group.claim_id for group in groups)},
        total_groups=kept.total_groups if kept.pages else fresh.total_groups,
        total_claims=kept.total_claims if kept.pages else fresh.total_claims,
    )
    if groups:
        session.INBOX_KEPT.set(after)
    return _page(groups, after, offset)


def _page(groups: list[ClaimGroup], kept: KeptClaims, offset: int) -> InboxPage:
    return InboxPage(
        groups=tuple(groups), total_groups=kept.total_groups, total_claims=kept.total_claims, offset=offset
    )


def forget_order() -> None:
    """Let the next load list the claims as they are then."""
    session.INBOX_KEPT.clear()


def claims_words(filters: InboxFilter, total: int) -> str:
    """Return what a list of claims holds: "8 claims with “tray”"."""
    words = fmt.plural(total, "claim")
    if filters.words:
        words += f" with “{filters.words}”"
    return f"{words}, filtered" if filters.chosen else words
