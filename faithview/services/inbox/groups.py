"""The claims of a series that a filter lets through, equal ones as one, and the counts of its facets."""

from collections.abc import Iterator, Mapping

from faithview.domain.inbox import ClaimGroup, Facet, FacetValue, InboxFilter, InboxPage
from faithview.services.container import Services
from faithview.services.results.runs import list_runs
from faithview.store.inbox import claim_groups, facet_counts

PAGE_SIZE = 25
_DOCUMENTS = 30
_EXPORTED_AT_ONCE = 500


def list_groups(
    services: Services,
    filters: InboxFilter,
    *,
    series: str | None = None,
    offset: int = 0,
    limit: int = PAGE_SIZE,
) -> InboxPage:
    """Return one page of the claims that a filter lets through, equal ones as one: the highest expected harm first.

    Args:
        services: FaithView.
        filters: which claims.
        series: the series whose runs are looked at; None for all runs.
        offset: how many groups come before the page.
        limit: how many groups the page has at most.
    """
    return claim_groups.list_groups(services.db, runs_in_view(services, series), filters, offset=offset, limit=limit)


def iterate_groups(services: Services, filters: InboxFilter, *, series: str | None = None) -> Iterator[ClaimGroup]:
    """Yield all claims that a filter lets through, on all pages, equal ones as one: the highest harm first."""
    offset = 0
    while groups := list_groups(services, filters, series=series, offset=offset, limit=_EXPORTED_AT_ONCE).groups:
        yield from groups
        offset += len(groups)


def count_facets(
    services: Services, filters: InboxFilter, *, series: str | None = None
) -> Mapping[Facet, tuple[FacetValue, ...]]:
    """Return the values of every facet with how many claims they have; values that are chosen are there with 0 too.

    The count of a value is that of the claims with it that the words and all other facets let through. Documents are
    the 30 with the most claims. Runs come newest first, all others with the most claims first.
    """
    runs = list_runs(services, series=series)
    names = {run.run_id: run.name for run in runs}
    counts = facet_counts.count_facets(services.db, list(names), filters, documents=_DOCUMENTS)
    ages = {run_id: age for age, run_id in enumerate(names)}
    found: dict[Facet, tuple[FacetValue, ...]] = {}
    for facet in Facet:
        claims = {**counts[facet], **{v: 0 for v in filters.chosen.get(facet, ()) if v not in counts[facet]}}
        values = [FacetValue(value=v, name=names.get(v, v), claims=n) for v, n in claims.items()]
        if facet is Facet.RUN:
            values.sort(key=lambda value: ages.get(value.value, len(ages)))
        found[facet] = tuple(values)
    return found


def runs_in_view(services: Services, series: str | None) -> list[str]:
    """Return the ids of a series' runs, or of all runs, the newest first."""
    return [run.run_id for run in list_runs(services, series=series)]
