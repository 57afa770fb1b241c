"""Spot-checks drawn from a list of claims, such as what a filter of the inbox or of Inspect matches.

What such a spot-check estimates is about its list and nothing else: which share of these claims people call supported.
Claims that the filter leaves out could not be drawn, so the labels say nothing of a run's score and do not enter it. A
list that holds every claim of its runs is no exception to anything: it is drawn as an ordinary spot-check of these
runs.

Every claim of the list is equally likely. More can be drawn later (`draw_more`): a random part of the claims that are
left, added to a random part, is a random part of the larger size. Stopping when the interval is narrow enough, which is
what more labels are for, does not depend on which side the estimate falls (Chow and Robbins 1965, "On the asymptotic
theory of fixed-width sequential confidence intervals for the mean").
"""

import secrets
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np

from faithview.domain.claim import ClaimRef, Verdict
from faithview.domain.errors import InvalidInput
from faithview.domain.sample import find_unstorable
from faithview.domain.spot_check import DrawnClaim, SpotCheck
from faithview.domain.views import AnswerFilter, View
from faithview.services.container import Services
from faithview.services.review import spot_check_design
from faithview.services.review.queue import get_spot_check
from faithview.services.review.spot_check_design import DrawOrder, Strata
from faithview.stats.spot_check import Unit
from faithview.store.review import listed_claims, spot_checks
from faithview.store.review.listed_claims import StoredClaim

_STRATUM = "all"
_MAX_DESCRIPTION = 500
# A list is stored with its spot-check; a longer one is better drawn from as whole runs.
MOST_CLAIMS = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimList:
    """Claims to draw from, each once; `description` completes "a spot-check of": "contradicted claims in Billing"."""

    description: str
    claims: Sequence[ClaimRef]


def list_filtered_claims(
    services: Services, run_id: str, filters: AnswerFilter, *, view: View = View.JUDGE
) -> list[ClaimRef]:
    """Return the claims that a run's list of answers shows under these filters.

    Where the filters are about claims, these are the claims that meet them; else all claims of the answers listed.
    """
    return listed_claims.list_matching(services.db, run_id, filters, view=view)


def draw_from_list(
    services: Services,
    claims: ClaimList,
    *,
    size: int,
    created_by: str,
    name: str = "",
    is_blind: bool = True,
    reviewers_per_item: int = 1,
    seed: int | None = None,
) -> int:
    """Draw a spot-check from a list of claims, each equally likely, and return its id.

    Claims that the store no longer has are left out. A list of all claims of its runs is drawn as a spot-check of these
    runs, and then corrects their score.

    Args:
        services: the services.
        claims: what to draw from.
        size: how many claims; all of them where the list has no more.
        created_by: who draws it.
        name: what it is called; without one it says how many claims the list has. The list's description may give the
            judge's verdict away, so reviewers see it at the end only.
        is_blind: whether the judge's verdicts are hidden until the label.
        reviewers_per_item: how many people label each claim.
        seed: the same seed draws the same claims; None chooses one at random.

    Raises:
        InvalidInput: the list is empty, too long or without a description, or as `spot_check_design.draw`.
    """
    description = " ".join(claims.description.split())
    order = DrawOrder(
        name=name,
        run_ids=list(dict.fromkeys(place.run_id for place in claims.claims)),
        size=size,
        is_blind=is_blind,
        reviewers_per_item=reviewers_per_item,
        seed=secrets.randbelow(2**31) if seed is None else seed,
    )
    found = _find(services, claims, description, order, created_by)
    in_runs = Counter(place.run_id for place in found)
    if in_runs == listed_claims.count_claims_of_runs(services.db, list(in_runs)):
        return spot_check_design.draw(services, order, created_by=created_by)
    places = list(found)
    chosen = _pick(len(places), size, seed=order.seed or 0)
    claim_count = f"{len(places):,} {'claim' if len(places) == 1 else 'claims'}"
    check = SpotCheck(
        spot_check_id=0,
        name=" ".join(name.split()) or f"Spot-check of {claim_count}",
        created_at=datetime.now(UTC),
        created_by=created_by,
        is_blind=is_blind,
        reviewers_per_item=reviewers_per_item,
        design={
            "size": size,
            "unit": Unit.CLAIM.value,
            "strata": Strata.NONE.value,
            "seed": order.seed,
            "runs": {run_id: {"claims": number} for run_id, number in in_runs.items()},
            "claims": len(places),
            "supported": sum(claim.verdict is Verdict.SUPPORTED for claim in found.values()),
        },
        population=description,
    )
    drawn = [
        DrawnClaim(
            run_id=places[at].run_id,
            row=places[at].row,
            claim_number=places[at].claim_number,
            stratum=_STRATUM,
            inclusion_probability=len(chosen) / len(places),
        )
        for at in chosen
    ]
    return spot_checks.create_spot_check(services.db, check, drawn, listed=[claim.claim_id for claim in found.values()])


def draw_more(services: Services, spot_check_id: int, number: int, *, created_by: str) -> int:
    """Draw more claims for a spot-check in the way that it was drawn; return the id of the spot-check that has them.

    A spot-check of listed claims gets them at the end of its queue. For one of whole runs they are another spot-check,
    which the corrected score is pooled with.

    Raises:
        NotFound: there is no such spot-check, or a run of it is gone.
        InvalidInput: no claim is left to draw, the number is less than 1, or nobody draws it.
    """
    check = get_spot_check(services, spot_check_id)
    design = check.design
    if check.population is None:
        order = DrawOrder(
            name=check.name,
            run_ids=check.run_ids,
            size=number,
            unit=Unit(str(design["unit"])),
            strata=Strata(str(design.get("strata", Strata.NONE))),
            prefers_uncertain=bool(design.get("prefers_uncertain")),
            is_blind=check.is_blind,
            reviewers_per_item=check.reviewers_per_item,
        )
        return spot_check_design.draw(services, order, created_by=created_by)
    if number < 1:
        raise InvalidInput(f"At least one more claim must be drawn, not {number}.")
    seed = secrets.randbelow(2**31)
    if not listed_claims.add_from_list(services.db, spot_check_id, lambda rest: _pick(rest, number, seed=seed)):
        raise InvalidInput("Every claim of this list is in the spot-check already.")
    return spot_check_id


def _find(
    services: Services, claims: ClaimList, description: str, order: DrawOrder, created_by: str
) -> dict[ClaimRef, StoredClaim]:
    """Return the claims of the list that the store has; raises InvalidInput."""
    if not claims.claims:
        raise InvalidInput("No claim matches, so there is nothing to draw from.")
    spot_check_design.check_order(order, created_by)
    if not description or len(description) > _MAX_DESCRIPTION or find_unstorable(description) is not None:
        raise InvalidInput(f"Describe the claims in 1 to {_MAX_DESCRIPTION} characters.")
    if len(claims.claims) > MOST_CLAIMS:
        raise InvalidInput(
            f"{len(claims.claims):,} claims match; a spot-check is drawn from at most {MOST_CLAIMS:,}. "
            "Narrow the filter, or draw from the whole run."
        )
    found = listed_claims.find_claims(services.db, list(dict.fromkeys(claims.claims)))
    if not found:
        raise InvalidInput("The store no longer has any of these claims.")
    return found


def _pick(total: int, number: int, *, seed: int) -> list[int]:
    """Return that many of the positions from 0, or all where there are no more, in a random order."""
    return [int(at) for at in np.random.default_rng(seed).permutation(total)[:number]]
