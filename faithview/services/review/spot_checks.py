"""Spot-checks: draw one, let it grow, and say how many labels a precision takes.

The draw itself is in `stats.sampling`, the score estimated from the labels in `corrected_score`.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np

from faithview.domain.claim import ClaimRef, Verdict
from faithview.domain.errors import InvalidInput
from faithview.domain.sample import Json
from faithview.domain.spot_check import Design, DrawnClaim, SpotCheck
from faithview.services.container import Store
from faithview.services.results import get_run
from faithview.stats import precision, sampling
from faithview.stats.corrected_score import LEAST_LABELLED, Floats
from faithview.store import revisions, spot_checks, summaries
from faithview.store.spot_checks import ClaimColumns

_MOST_REVIEWERS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawOrder:
    """A request for a spot-check of `size` claims over all runs; a seed of None is chosen at random and stored."""

    name: str
    run_ids: Sequence[str]
    size: int
    design: Design = Design.RANDOM
    is_blind: bool = True
    reviewers_per_item: int = 1
    seed: int | None = None


def draw(store: Store, order: DrawOrder, *, created_by: str) -> int:
    """Draw a spot-check, store it with the inclusion probability of every claim, and return its id.

    Raises:
        InvalidInput: the request cannot be met; the message says why.
        NotFound: a run does not exist.
    """
    if not order.run_ids:
        raise InvalidInput("Choose at least one run to draw from.")
    if not 1 <= order.reviewers_per_item <= _MOST_REVIEWERS:
        raise InvalidInput(f"One to {_MOST_REVIEWERS} reviewers can label a claim, not {order.reviewers_per_item}.")
    if not created_by.strip():
        raise InvalidInput("Name the user who draws the spot-check.")
    if order.design is Design.EARLIER:
        raise InvalidInput(f"A spot-check is drawn {Design.RANDOM} or {Design.BALANCED}, not {order.design}.")
    runs = [get_run(store, reference).run_id for reference in dict.fromkeys(order.run_ids)]
    seed = secrets.randbelow(2**31) if order.seed is None else order.seed
    frames, drawn = _draw(store, runs, order.design, order.size, seed)
    check = SpotCheck(
        spot_check_id=0,
        name=" ".join(order.name.split()) or "Spot-check",
        created_at=datetime.now(UTC),
        created_by=created_by,
        is_blind=order.is_blind,
        reviewers_per_item=order.reviewers_per_item,
        design={"design": order.design.value, "size": order.size, "seed": seed, "runs": dict(frames)},
    )
    return spot_checks.create_spot_check(store.db, check, drawn)


def draw_more(store: Store, spot_check_id: int, number: int) -> None:
    """Add so many claims to the end of a spot-check's queue, as if it had been drawn larger from the start.

    Until they are labelled too, the spot-check corrects no score, so there is no result to stop at.

    Raises:
        NotFound: the spot-check or one of its runs does not exist.
        InvalidInput: the number is less than 1, no claim is left, the runs have other claims than at the draw, or the
            spot-check is older than 0.3.
    """
    check = spot_checks.get_spot_check(store.db, spot_check_id)
    design: Any = check.design
    if number < 1:
        raise InvalidInput(f"Draw at least one more claim, not {number}.")
    if design["design"] == Design.EARLIER or not all("strata" in frame for frame in design["runs"].values()):
        raise InvalidInput(f"Spot-check {check.name!r} was drawn by an earlier version; draw a new one.")
    size = len(spot_checks.list_items(store.db, spot_check_id))
    frames, drawn = _draw(store, check.run_ids, Design(design["design"]), size + number, design["seed"])
    for run_id, frame in frames.items():
        if [s["claims"] for s in frame["strata"]] != [s["claims"] for s in design["runs"][run_id]["strata"]]:
            raise InvalidInput(f"Run {run_id} has other claims than when {check.name!r} was drawn; draw a new one.")
    if len(drawn) <= size:
        raise InvalidInput(f"Every claim is already in spot-check {check.name!r}.")
    grown = {**design, "size": size + number, "runs": dict(frames)}
    spot_checks.extend_spot_check(store.db, spot_check_id, grown, drawn, size=size)


def _draw(
    store: Store, run_ids: Sequence[str], design: Design, size: int, seed: int
) -> tuple[dict[str, Any], list[DrawnClaim]]:
    """Return for each run the strata with what an estimate must know of undrawn claims; and the claims, in any order.

    Every run gets labels in proportion to its claims.
    """
    if size < 1:
        raise InvalidInput(f"A spot-check needs at least 1 label, not {size}.")
    claims = {run_id: found for run_id in run_ids if (found := spot_checks.list_claims_of_run(store.db, run_id))}
    total = sum(len(found) for found in claims.values())
    if total == 0:
        raise InvalidInput("The chosen runs have no claims to draw.")
    frames: dict[str, Any] = {}
    drawn: list[DrawnClaim] = []
    for number, (run_id, found) in enumerate(claims.items()):
        share = max(1, round(size * len(found) / total))
        frames[run_id], chosen = plan_draw(found, design, share, seed=[seed, number])
        drawn += [
            DrawnClaim(
                place=ClaimRef(run_id=run_id, row=found[at].row, claim_number=found[at].number),
                stratum=stratum,
                inclusion_probability=pi,
            )
            for at, stratum, pi in chosen
        ]
    order = np.random.default_rng([seed, len(drawn)]).permutation(len(drawn))
    return frames, [drawn[at] for at in order]


def plan_draw(
    claims: Sequence[ClaimColumns], design: Design, size: int, *, seed: int | list[int]
) -> tuple[dict[str, Json], list[tuple[int, str, float]]]:
    """Draw that many of a run's claims, or all if it has fewer.

    Returns:
        The frame, which is stored with the spot-check: what an estimate must know of all claims of each stratum. And
        (position, stratum, probability) of each drawn claim.

    Raises:
        InvalidInput: there are too few labels for an estimate.
    """
    # A claim of an answer with m claims, of A answers, has 1 / (A m) of the run's score.
    answers, of_answer, number = np.unique([claim.row for claim in claims], return_inverse=True, return_counts=True)
    weight = 1 / (len(answers) * number[of_answer])
    judge = np.array([claim.verdict == Verdict.SUPPORTED for claim in claims], dtype=np.float64)
    parts = {"all": np.arange(len(claims))}
    sizes = [min(size, len(claims))]
    if design is Design.BALANCED and 0 < judge.sum() < len(claims):
        parts = {"flagged": np.flatnonzero(judge == 0), "supported": np.flatnonzero(judge == 1)}
        flagged, supported = map(len, parts.values())
        sizes = [min(flagged, max(size // 2, size - supported))]
        sizes.append(min(supported, size - sizes[0]))
    least = [min(LEAST_LABELLED, len(part)) for part in parts.values()]
    if any(number < few for number, few in zip(sizes, least, strict=True)):
        raise InvalidInput(f"{size} labels are too few for an estimate; draw at least {len(parts) * LEAST_LABELLED}.")
    strata: list[Json] = []
    drawn: list[tuple[int, str, float]] = []
    for (name, part), labels in zip(parts.items(), sizes, strict=True):
        pi = sampling.inclusion_probabilities(weight[part], labels)
        chosen = sampling.draw(weight[part], labels, seed=seed)
        drawn += [(int(part[at]), name, float(pi[at])) for at in chosen]
        strata.append(
            {
                "name": name,
                "claims": len(part),
                "weight": float(weight[part].sum()),
                "judged": float(weight[part] @ judge[part]),
            }
        )
    return {"answers": len(answers), "strata": strata}, drawn


def labels_for(store: Store, run_ids: Sequence[str], half_width: float) -> int:
    """Return how many random labels estimate the runs' mean to within the half-width, before any is given.

    It follows from the judge's verdicts; the result is cached until one of the runs changes.

    Raises:
        InvalidInput: the half-width is not between 0 and 0.5, or no answer is judged.
        NotFound: there is no such run.
    """
    if not 0 < half_width < 0.5:
        raise InvalidInput(f"The half-width must be between 0 and 0.5, not {half_width}.")
    runs = tuple(get_run(store, reference).run_id for reference in dict.fromkeys(run_ids))
    return store.cache.get(
        "labels for",
        (runs, half_width),
        tuple(revisions.list_revisions(store.db, runs).values()),
        lambda: precision.labels_for(*_judged_claims(store, runs), half_width=half_width),
    )


def half_width_for(store: Store, run_ids: Sequence[str], labels: int) -> float:
    """Return about half the width of the interval that so many random labels give; of several runs, the widest.

    The labels are shared among the runs in proportion to their claims, as `draw` does it.

    Raises:
        InvalidInput: no answer is judged.
        NotFound: there is no such run.
    """
    claims = {run_id: _judged_claims(store, [get_run(store, run_id).run_id]) for run_id in run_ids}
    total = sum(len(judge) for _, judge in claims.values())
    return max(precision.half_width_for(*of, labels * len(of[1]) / total) for of in claims.values())


def _judged_claims(store: Store, runs: Sequence[str]) -> tuple[Floats, Floats]:
    """Return the weights of the runs' claims and their scores by the judge."""
    counts = [t for run_id in runs for t in summaries.count_verdicts(store.db, run_id) if t.claims]
    if not counts:
        raise InvalidInput("No answer of the chosen runs is judged.")
    weight = [np.full(t.answers * t.claims, 1 / t.claims) for t in counts]
    judge = [np.tile(np.arange(t.claims) < t.supported, t.answers) for t in counts]
    return np.concatenate(weight), np.concatenate(judge).astype(np.float64)
