"""The inbox: claims that are not fully supported, over all runs of a series; find, label and assign them in groups.

Equal claims are listed as one. A label applies to the newest listed claim of each group, and to the group's other
listed claims if it is still valid on the chunks of their answers (`domain.label.label_applies`): the same claim may
be right in one run and wrong in another.

"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from faithview.domain.claim import ClaimRef, Verdict
from faithview.domain.errors import InvalidInput
from faithview.domain.inbox import (
    TO_CHECK,
    ClaimGroup,
    Facet,
    FacetValue,
    InboxFilter,
    InboxPage,
    LabelOutcome,
    make_filter,
)
from faithview.domain.label import Label, label_applies
from faithview.services.container import Store
from faithview.services.results import list_runs
from faithview.services.review.labels import LabelProvenance, build_label, build_retraction, clean_reviewer
from faithview.store import inbox, labels
from faithview.store.inbox import ListedClaim
from faithview.store.revisions import list_revisions

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


def find_most_harmful(store: Store, run_id: str) -> ClaimRef | None:
    """Return the claim of a run that could do most harm under reviewers' labels; None if all are supported."""
    page = inbox.list_groups(store.db, [run_id], InboxFilter(), offset=0, limit=1)
    return next((ClaimRef(run_id=run_id, row=g.row, claim_number=g.claim_number) for g in page.groups), None)


def list_groups_again(
    store: Store, filters: InboxFilter, claim_ids: Sequence[int], *, series: str | None = None
) -> list[ClaimGroup]:
    """Return the groups of claims that were shown under a filter, by their `claim_id`, in the order given.

    Those that the filter does not let through any more list no claim (`ClaimGroup.listed` is 0).
    `harm` and `assignees` are those of the shown claim.
    """
    return inbox.list_groups_again(store.db, runs_in_view(store, series), filters, claim_ids)


def count_claims(store: Store, filters: InboxFilter, *, series: str | None = None) -> int:
    """Return how many claims a filter lets through."""
    return inbox.count_claims(store.db, runs_in_view(store, series), filters)


def count_to_label(store: Store, *, series: str | None, most: int) -> int:
    """Return how many claims of a series `TO_LABEL` lets through, at most `most`; cached until a run of it changes."""
    run_ids = runs_in_view(store, series)
    state = (most, frozenset(list_revisions(store.db, run_ids).values()))
    return store.cache.get(
        "claims to label", series, state, lambda: inbox.count_claims(store.db, run_ids, TO_LABEL, most=most)
    )


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


@dataclass(frozen=True, slots=True, kw_only=True)
class BulkLabels:
    """Labels that were given together, as (run, row position, label); `left_out` counts claims on other chunks."""

    given: tuple[tuple[str, int, Label], ...]
    left_out: int


def label_groups(
    store: Store,
    group_ids: Sequence[int],
    filters: InboxFilter,
    verdict: str,
    provenance: LabelProvenance,
    *,
    series: str | None = None,
) -> BulkLabels:
    """Label the listed claims of several groups with one verdict: all of them or, after an error, none.

    Args:
        store: the store.
        group_ids: the groups.
        filters: which of their claims are listed.
        verdict: one of the four verdicts, or "not_a_claim".
        provenance: who gives the label.
        series: the series whose runs are searched; None for all runs.

    Raises:
        InvalidInput: the verdict or the reviewer's name is invalid; the groups have no listed claim, or too many.
    """
    listed = listed_claims(store, group_ids, filters, series=series)
    chosen: list[ListedClaim] = []
    newest: dict[int, ListedClaim] = {}
    for claim in listed:
        first = newest.setdefault(claim.group_id, claim)
        if claim is first or _label_holds_for(build_label(verdict, provenance, claim=1).verdict, first, claim):
            chosen.append(claim)
    given = labels.add_labels(
        store.db,
        [(c.place.run_id, c.place.row, build_label(verdict, provenance, claim=c.place.claim_number)) for c in chosen],
    )
    places = [(claim.place.run_id, claim.place.row, label) for claim, label in zip(chosen, given, strict=True)]
    return BulkLabels(given=tuple(places), left_out=len(listed) - len(chosen))


def retract_together(store: Store, given: BulkLabels, provenance: LabelProvenance) -> int:
    """Retract labels that were given together, all of them or, after an error, none; return their number.

    Raises:
        InvalidInput: another reviewer gave them.
        NotFound: one of the answers was deleted.
    """
    retractions = [(run_id, row, build_retraction(label, provenance)) for run_id, row, label in given.given]
    labels.add_labels(store.db, retractions)
    return len(retractions)


def listed_claims(
    store: Store, group_ids: Sequence[int], filters: InboxFilter, *, series: str | None
) -> list[ListedClaim]:
    """Return the listed claims of groups, the newest run first; raises InvalidInput if there are none or too many."""
    listed = inbox.list_claims_of(
        store.db, runs_in_view(store, series), filters, list(group_ids), limit=MOST_CLAIMS + 1
    )
    if not listed:
        raise InvalidInput("None of these claims is listed now. Choose again.")
    if len(listed) > MOST_CLAIMS:
        raise InvalidInput(f"These rows contain more than {MOST_CLAIMS} claims. Choose fewer rows, or one run.")
    return listed


def _label_holds_for(verdict: Verdict | None, newest: ListedClaim, other: ListedClaim) -> bool:
    # Chunks cited for "not mentioned" are not evidence; a reviewer who saw support saw it somewhere in the context.
    is_cited = newest.verdict != Verdict.NOT_MENTIONED or verdict is Verdict.NOT_MENTIONED
    return label_applies(
        verdict,
        cited=set(newest.cited) if is_cited else set(),
        context=set(newest.context),
        other_context=set(other.context),
    )


def assign_groups(
    store: Store,
    group_ids: Sequence[int],
    filters: InboxFilter,
    *,
    reviewer: str | None,
    assigned_by: str,
    series: str | None = None,
) -> int:
    """Assign the listed claims of groups to a reviewer, or unassign them (None), and return their number.

    Raises:
        InvalidInput: a name cannot be used; the groups have no listed claim, or too many.
    """
    listed_claims(store, group_ids, filters, series=series)
    return inbox.assign_claims(
        store.db,
        runs_in_view(store, series),
        filters,
        list(group_ids),
        reviewer=None if reviewer is None else clean_reviewer(reviewer),
        assigned_by=clean_reviewer(assigned_by),
        at=datetime.now(UTC),
    )
