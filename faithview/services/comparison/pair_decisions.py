"""People's decisions about pairs: that two answers, or two claims, belong together or do not."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TypeAlias

from faithview.domain.errors import NotFound
from faithview.services.container import Services
from faithview.services.results.answers import get_answer_at
from faithview.services.results.runs import get_run
from faithview.store.comparison import pair_decisions
from faithview.store.comparison.pair_decisions import PairDecision

__all__ = ["ClaimDecisions", "PairDecision", "claim_decisions", "decide_pair"]

# Whether two claims belong together: by the rows of their answers, then by the claims' indexes from 0.
ClaimDecisions: TypeAlias = Mapping[tuple[int, int], Mapping[tuple[int, int], bool]]


def decide_pair(
    services: Services, baseline: str, candidate: str, decisions: Sequence[PairDecision], *, by: str
) -> None:
    """Store a person's decisions about pairs of answers or claims; the next comparison follows them.

    Raises:
        NotFound: there is no such run, or it has no such row or claim.
    """
    before, after = get_run(services, baseline), get_run(services, candidate)
    for decision in decisions:
        for run, row, claim in (
            (before, decision.baseline_row, decision.baseline_claim),
            (after, decision.candidate_row, decision.candidate_claim),
        ):
            answer = get_answer_at(services, run.run_id, row)
            if claim is not None and not 1 <= claim <= len(answer.result.claims):
                raise NotFound(f"Row {row} of run {run.run_id} has no claim {claim}.")
    pair_decisions.add_decisions(services.db, before.run_id, after.run_id, decisions, by=by, now=datetime.now(UTC))


def claim_decisions(decisions: Sequence[PairDecision]) -> ClaimDecisions:
    """Return the decisions about pairs of claims."""
    by_rows: dict[tuple[int, int], dict[tuple[int, int], bool]] = {}
    for decision in decisions:
        if decision.baseline_claim is not None and decision.candidate_claim is not None:
            claims = by_rows.setdefault((decision.baseline_row, decision.candidate_row), {})
            claims[decision.baseline_claim - 1, decision.candidate_claim - 1] = decision.belong_together
    return by_rows
