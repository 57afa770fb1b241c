"""What a spot-check of listed claims says: which share of the claims of the list people call supported.

The estimate is that of the corrected score (`stats.prediction_powered`), with the list as the population. Each claim
counts the same, so the list is read as a run of answers with one claim each. Where the judge gives all claims of the
list one verdict, as in a list of contradicted claims, it does not help to estimate, and the labels alone do.
"""

from dataclasses import replace

from faithview.domain.errors import NotFound
from faithview.domain.label import Label
from faithview.services.container import Services
from faithview.services.review.corrected_score import HALF_WIDTH, Correction, correct_sample
from faithview.services.review.spot_check_sample import read_sample
from faithview.stats.spot_check import Unit
from faithview.store.review import listed_claims, review_columns, spot_checks
from faithview.store.review.review_columns import ClaimColumns
from faithview.store.runs import revisions


def score_list(services: Services, spot_check_id: int, *, half_width: float = HALF_WIDTH) -> Correction:
    """Return what the spot-check says about the claims of its list. `answers` of the result counts these claims.

    It is cached until a label is added or the queue grows.

    Raises:
        NotFound: there is no such spot-check, it was not drawn from a list, or all of its claims are gone.
    """
    check = spot_checks.get_spot_check(services.db, spot_check_id)
    if check.population is None:
        raise NotFound(f"Spot-check {spot_check_id} was not drawn from a list of claims.")
    state = listed_claims.get_list_state(services.db, spot_check_id)
    if not state.drawn:
        raise NotFound(f"The claims of spot-check {spot_check_id} are no longer in the store.")
    labels = tuple(revisions.list_revisions(services.db, check.run_ids).values())
    return services.cache.get(
        "listed score",
        (spot_check_id, half_width),
        (state, labels),
        lambda: _score(services, spot_check_id, state, half_width=half_width),
    )


def _score(services: Services, spot_check_id: int, state: listed_claims.ListState, *, half_width: float) -> Correction:
    check = spot_checks.get_spot_check(services.db, spot_check_id)
    claims: list[ClaimColumns] = []
    labels: dict[tuple[int, int | None], list[Label]] = {}
    for run_id in check.run_ids:
        given = review_columns.list_labels_of_check(services.db, run_id, spot_check_id=spot_check_id)
        facts = review_columns.list_claim_columns(services.db, run_id, spot_check_id=spot_check_id, drawn_only=True)
        for fact in facts:
            if fact.pi is None:
                continue
            labels[len(claims), 1] = given.get((fact.row, fact.number), [])
            claims.append(replace(fact, row=len(claims), number=1, pi=state.drawn / state.claims))
    frame = {
        "strata": [
            {"name": "all", "units": state.claims, "weight": 1.0, "judged": state.supported / state.claims},
        ],
        "labels_per_unit": 1.0,
        "answers": state.claims,
    }
    checked = read_sample(
        frame,
        claims,
        labels,
        spot_check_id=spot_check_id,
        unit=Unit.CLAIM,
        reached=state.reached,
        judged_answers=state.claims,
    )
    return correct_sample(check, checked, half_width=half_width)
