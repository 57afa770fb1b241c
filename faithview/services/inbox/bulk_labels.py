"""Labels given to many claims at once, and taken back at once.

A label goes to the newest listed claim of each group, and to the group's other listed claims as far as it still holds
on the chunks of their answers (`domain.label.label_still_holds`): equal words may be right in one run and wrong in
another.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from faithview.domain.claim import Verdict
from faithview.domain.errors import InvalidInput
from faithview.domain.inbox import InboxFilter
from faithview.domain.label import Label, label_still_holds
from faithview.services.container import Services
from faithview.services.inbox.groups import runs_in_view
from faithview.services.review.labels import LabelProvenance, build_label, build_retraction
from faithview.store.inbox import claim_groups
from faithview.store.inbox.claim_groups import ListedClaim
from faithview.store.review import labels

# More would hold other writers off for seconds.
MOST_CLAIMS = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class BulkLabels:
    """Labels that were given together, as (run, row position, label); `left_out` counts claims on other chunks."""

    given: tuple[tuple[str, int, Label], ...]
    left_out: int


def label_groups(
    services: Services,
    group_ids: Sequence[int],
    filters: InboxFilter,
    verdict: str,
    provenance: LabelProvenance,
    *,
    series: str | None = None,
) -> BulkLabels:
    """Give one label to the listed claims of several groups: all of them or, after an error, none.

    Args:
        services: FaithView.
        group_ids: the groups.
        filters: which of their claims are listed.
        verdict: one of the four verdicts, or "not_a_claim".
        provenance: who gives the label.
        series: the series whose runs are looked at; None for all runs.

    Raises:
        InvalidInput: the verdict or the reviewer's name is invalid; the groups have no listed claim, or too many.
    """
    listed = listed_claims(services, group_ids, filters, series=series)
    chosen: list[ListedClaim] = []
    newest: dict[int, ListedClaim] = {}
    for claim in listed:
        first = newest.setdefault(claim.group_id, claim)
        if claim is first or _holds(build_label(verdict, provenance, claim=1).verdict, first, claim):
            chosen.append(claim)
    given = labels.add_labels_together(
        services.db,
        [(c.place.run_id, c.place.row, build_label(verdict, provenance, claim=c.place.claim_number)) for c in chosen],
    )
    return BulkLabels(given=tuple(given), left_out=len(listed) - len(chosen))


def retract_together(services: Services, given: BulkLabels, provenance: LabelProvenance) -> int:
    """Take labels that were given together back, all of them or, after an error, none; return how many.

    Raises:
        InvalidInput: somebody else gave them.
        NotFound: one of the answers is gone.
    """
    retractions = [(run_id, row, build_retraction(label, provenance)) for run_id, row, label in given.given]
    labels.add_labels_together(services.db, retractions)
    return len(retractions)


def listed_claims(
    services: Services, group_ids: Sequence[int], filters: InboxFilter, *, series: str | None
) -> list[ListedClaim]:
    """Return the listed claims of groups, the newest run first; raises InvalidInput where there is none or too many."""
    listed = claim_groups.list_claims_of(
        services.db, runs_in_view(services, series), filters, list(group_ids), limit=MOST_CLAIMS + 1
    )
    if not listed:
        raise InvalidInput("None of these claims is listed any more. Choose again.")
    if len(listed) > MOST_CLAIMS:
        raise InvalidInput(f"These rows hold more than {MOST_CLAIMS} claims. Choose fewer rows, or one run.")
    return listed


def _holds(verdict: Verdict | None, newest: ListedClaim, other: ListedClaim) -> bool:
    # Chunks cited for "not mentioned" are no evidence of it; a person who saw support saw it somewhere in the context.
    is_cited = newest.verdict != Verdict.NOT_MENTIONED or verdict is Verdict.NOT_MENTIONED
    return label_still_holds(
        verdict,
        cited=set(newest.cited) if is_cited else set(),
        old_context=set(newest.context),
        new_context=set(other.context),
    )
