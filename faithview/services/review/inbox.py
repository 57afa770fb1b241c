"""The inbox: claims that are not fully supported, over all runs of a series; find, label and assign them in groups.

Equal claims are listed as one. A label is given on the newest listed claim of each group; it counts for equal claims
as every label does (`domain.label.label_applies`): the same claim may be right in one run and wrong in another.
"""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from faithview.domain.claim import ClaimRef
from faithview.domain.errors import InvalidInput
from faithview.domain.inbox import (
    TO_CHECK,
    Facet,
    FacetValue,
    InboxFilter,
    InboxPage,
    LabelOutcome,
    make_filter,
)
from faithview.domain.label import Label
from faithview.services.container import Store
from faithview.services.results import list_runs
from faithview.services.review.labels import LabelProvenance, build_label, build_retraction, clean_reviewer
from faithview.store import inbox, labels
from faithview.store.inbox import ListedClaim

PAGE_SIZE = 20
_DOCUMENTS = 30


# Claims without a label that counts.
TO_LABEL = make_filter("", {Facet.LABEL: [LabelOutcome.UNLABELLED, LabelOutcome.DISPUTED]})
# Claims that the judge finds only just supported, and that reviewers have not settled (`domain.certainty`).
CHECK_THIS = make_filter("", {Facet.LABEL: [TO_CHECK]})


def list_groups(
    store: Store,
    filters: InboxFilter,
    *,
    series: str | None = None,
    offset: int = 0,
    limit: int = PAGE_SIZE,
) -> InboxPage:
    """Return one page of the claims that match a filter, equal ones grouped, the highest expected harm first.

    Args:
        store: the store.
        filters: which claims.
        series: the series whose runs are searched; None for all runs.
        offset: how many groups to skip.
        limit: the maximum number of groups.
    """
    return inbox.list_groups(store.db, runs_in_view(store, series), filters, offset=offset, limit=limit)


def count_claims(store: Store, filters: InboxFilter, *, series: str | None = None) -> int:
    """Return how many claims a filter lets through."""
    return inbox.count_claims(store.db, runs_in_view(store, series), filters)


def count_facets(
    store: Store, filters: InboxFilter, *, series: str | None = None
) -> Mapping[Facet, tuple[FacetValue, ...]]:
    """Return the values of every facet with their number of claims, including chosen values with 0.

    A value's count covers the claims that match the words and all other facets. Documents are the 30 with the most
    claims. Runs are sorted newest first, all others by number of claims.
    """
    runs = list_runs(store, series=series)
    names = {run.run_id: run.name for run in runs}
    counts = inbox.count_facets(store.db, list(names), filters, documents=_DOCUMENTS)
    ages = {run_id: age for age, run_id in enumerate(names)}
    found: dict[Facet, tuple[FacetValue, ...]] = {}
    for facet in Facet:
        claims = {**counts[facet], **{v: 0 for v in filters.chosen.get(facet, ()) if v not in counts[facet]}}
        values = [FacetValue(value=v, name=names.get(v, v), claims=n) for v, n in claims.items()]
        if facet is Facet.RUN:
            values.sort(key=lambda value: ages.get(value.value, len(ages)))
        found[facet] = tuple(values)
    return found


def runs_in_view(store: Store, series: str | None) -> list[str]:
    """Return the ids of a series' runs, or of all runs, the newest first."""
    return [run.run_id for run in list_runs(store, series=series)]


# More would block other writers for seconds.
MOST_CLAIMS = 500


# A label that was given: the run, the row's position from 1, and the label.
GivenLabel: TypeAlias = tuple[str, int, Label]


def label_groups(
    store: Store,
    claim_ids: Sequence[int],
    filters: InboxFilter,
    verdict: str,
    provenance: LabelProvenance,
    *,
    series: str | None = None,
) -> list[GivenLabel]:
    """Label the newest listed claim of each of several groups: all of them or, after an error, none.

    Args:
        store: the store.
        claim_ids: the claims that the groups are shown as (`ClaimGroup.claim_id`).
        filters: which of their claims are listed.
        verdict: one of the four verdicts, or "not_a_claim".
        provenance: who gives the label.
        series: the series whose runs are searched; None for all runs.

    Raises:
        InvalidInput: the verdict or the reviewer's name is invalid; the groups have no listed claim, or too many.
    """
    newest: dict[int, ClaimRef] = {}
    for claim in listed_claims(store, claim_ids, filters, series=series):
        newest.setdefault(claim.text_key, claim.place)
    places = list(newest.values())
    chosen = [(at.run_id, at.row, build_label(verdict, provenance, claim=at.claim_number)) for at in places]
    given = labels.add_labels(store.db, chosen)
    return [(at.run_id, at.row, label) for at, label in zip(places, given, strict=True)]


def retract_together(store: Store, given: Sequence[GivenLabel], provenance: LabelProvenance) -> None:
    """Retract labels that were given together: all of them or, after an error, none.

    Raises:
        InvalidInput: another reviewer gave them.
        NotFound: one of the answers was deleted.
    """
    labels.add_labels(store.db, [(run_id, row, build_retraction(label, provenance)) for run_id, row, label in given])


def listed_claims(
    store: Store, claim_ids: Sequence[int], filters: InboxFilter, *, series: str | None
) -> list[ListedClaim]:
    """Return the listed claims of groups, the newest run first; raises InvalidInput if there are none or too many."""
    listed = inbox.list_claims_of(store.db, runs_in_view(store, series), filters, claim_ids, limit=MOST_CLAIMS + 1)
    if not listed:
        raise InvalidInput("None of these claims is listed now. Choose again.")
    if len(listed) > MOST_CLAIMS:
        raise InvalidInput(f"These rows contain more than {MOST_CLAIMS} claims. Choose fewer rows, or one run.")
    return listed


def assign_groups(
    store: Store,
    claim_ids: Sequence[int],
    filters: InboxFilter,
    *,
    reviewer: str | None,
    series: str | None = None,
) -> int:
    """Assign the listed claims of groups to a reviewer, or unassign them (None), and return their number.

    Raises:
        InvalidInput: a name cannot be used; the groups have no listed claim, or too many.
    """
    listed_claims(store, claim_ids, filters, series=series)
    return inbox.assign_claims(
        store.db,
        runs_in_view(store, series),
        filters,
        claim_ids,
        reviewer=None if reviewer is None else clean_reviewer(reviewer),
    )
