"""A card for every judge: how good it is by reviewers' labels, where it is wrong, and what it costs.

Reviewers' agreement with a run's judge and with each other is measured here too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import combinations

from faithview.domain.claim import Verdict
from faithview.domain.label import NOT_A_CLAIM, Label, LabelRole, standing_labels
from faithview.domain.run import Run
from faithview.services.container import Store
from faithview.services.judge_catalogue import find_offer, is_free
from faithview.services.results import get_run, list_runs, summarise_runs
from faithview.services.review.disagreements import list_disagreements
from faithview.stats.agreement import Estimate, kappa
from faithview.stats.judge_quality import MISSED, JudgedLabel, JudgeFigures, judge_figures
from faithview.store import labels, revisions, settled_claims
from faithview.store.settled_claims import SettledClaim

_MOST_MISTAKES = 200  # per judge; more than a reader opens


def measure_judge(store: Store, run_ids: Sequence[str]) -> tuple[list[SettledClaim], JudgeFigures]:
    """Return the settled claims of a judge's runs, and how good it is by them.

    Drawn claims weigh 1 / their probability. Answers to one question are one cluster, in all runs. Claims that
    reviewers added count only if their answer was part of a draw; elsewhere reviewers did not look at random.
    """
    settled = settled_claims.list_settled_claims(store.db, run_ids)
    claims = [
        JudgedLabel(
            cluster=claim.question,
            judge=claim.judged.value,
            people=verdict_name(claim.people),
            weight=1 / claim.pi if claim.pi else 1.0,
            confidence=claim.confidence,
            is_drawn=claim.pi is not None,
        )
        for claim in settled
    ]
    added = [
        JudgedLabel(cluster=claim.question, judge=MISSED, people=claim.verdict.value, weight=claim.weight)
        for claim in settled_claims.list_missed_claims(store.db, run_ids)
        if claim.weight
    ]
    return settled, judge_figures(claims + added)


def verdict_name(verdict: Verdict | None) -> str:
    """Return the name of a reviewers' verdict; None is "not_a_claim"."""
    return NOT_A_CLAIM if verdict is None else verdict.value


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeCard:
    """How good a judge is by reviewers' labels on its runs, and what it costs.

    `fingerprint` identifies the judge with its method and prompts. `newest` is when the newest answers of its runs are
    from. `labelled` counts settled claims; a carried-over label counts once. `figures` are the judge's figures by these
    labels. `wrong` counts the claims whose settled verdict differs from the judge's; `mistakes` are the first of them,
    in the order of the judge's confidence.
    `cost_usd` and `seconds` are means per answer; `cost_usd` is None if no price is known, `seconds` if all answers
    were judged elsewhere. `is_free` says that it judged all its runs here and is known to call no other machine.
    `limits` are sentences about the judge's limits.
    """

    name: str
    method: str
    fingerprint: str
    runs: tuple[str, ...]
    newest: datetime
    answers: int
    labelled: int
    figures: JudgeFigures
    wrong: int
    mistakes: tuple[SettledClaim, ...]
    cost_usd: float | None
    is_free: bool
    seconds: float | None
    limits: tuple[str, ...]


def list_judge_cards(store: Store, *, series: str | None = None) -> list[JudgeCard]:
    """Return a card for every judge that has judged a run, most recently used first.

    A card is cached until one of the judge's runs or its labels change. With a series it covers only its runs.
    """
    runs = list_runs(store, series=series)
    states = revisions.list_revisions(store.db, [run.run_id for run in runs])
    by_judge: dict[tuple[str, str, str], list[Run]] = {}
    for run in runs:
        by_judge.setdefault((run.judge.name, run.judge.method, run.fingerprint), []).append(run)
    return [
        store.cache.get(
            "judge card",
            (identity, series),
            tuple((run.run_id, states.get(run.run_id)) for run in judged),
            partial(_card, store, identity, judged),
        )
        for identity, judged in by_judge.items()
    ]


def _card(store: Store, identity: tuple[str, str, str], runs: Sequence[Run]) -> JudgeCard:
    name, method, fingerprint = identity
    run_ids = tuple(run.run_id for run in runs)
    settled, figures = measure_judge(store, run_ids)
    summaries = summarise_runs(store, runs)
    priced = [summary for summary in summaries if summary.usage.cost_usd is not None]
    priced_answers = sum(summary.score.judged for summary in priced)
    here = [summary for summary in summaries if not summary.run.is_imported]
    answers_here = sum(summary.score.judged for summary in here)
    wrong = [claim for claim in settled if claim.people is not claim.judged]
    offer = find_offer(name)
    return JudgeCard(
        name=name,
        method=method,
        fingerprint=fingerprint,
        runs=run_ids,
        newest=max(run.as_of for run in runs),
        answers=sum(summary.score.judged for summary in summaries),
        labelled=len(settled),
        figures=figures,
        wrong=len(wrong),
        mistakes=tuple(sorted(wrong, key=lambda claim: -(claim.confidence or 0.0))[:_MOST_MISTAKES]),
        cost_usd=sum(s.usage.cost_usd or 0.0 for s in priced) / priced_answers if priced_answers else None,
        is_free=len(here) == len(runs) and all(is_free(run.judge) for run in runs),
        seconds=sum(summary.run.seconds for summary in here) / answers_here if answers_here else None,
        limits=() if offer is None else offer.limits,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RunAgreement:
    """Agreement on a run's claims: the judge with the settled verdicts, and reviewers with each other.

    `judge` is Cohen's kappa of the judge and the settled verdicts, over those that a spot-check drew, if any; `pairs`
    has that of each pair of reviewers with a claim in common. `disagreements` counts the claims on which reviewers are
    tied; an adjudicator decides them.
    """

    judge: Estimate
    pairs: dict[tuple[str, str], Estimate]
    disagreements: int


def measure_agreement(store: Store, reference: str) -> RunAgreement:
    """Return how far the judge and reviewers, and reviewers among themselves, agree on a run.

    If a reviewer labelled a claim blind, the blind label counts. The result is cached until the run or its labels
    change.

    Raises:
        NotFound: there is no such run.
    """
    run_id = get_run(store, reference).run_id
    state = revisions.list_revisions(store.db, [run_id])[run_id]
    return store.cache.get("agreement", run_id, state, lambda: _compute_agreement(store, run_id))


def _compute_agreement(store: Store, run_id: str) -> RunAgreement:
    history: dict[tuple[int, int], list[Label]] = {}
    for row, label in labels.list_labels(store.db, run_id):
        if label.claim_number is not None:
            history.setdefault((row, label.claim_number), []).append(label)
    said: dict[str, dict[tuple[int, int], str]] = {}
    for place, on_claim in history.items():
        for label in standing_labels(on_claim):
            if label.role is LabelRole.REVIEWER:
                said.setdefault(label.reviewer, {})[place] = verdict_name(label.verdict)
    pairs = {}
    for first, second in combinations(sorted(said), 2):
        if common := sorted(said[first].keys() & said[second].keys()):
            pairs[first, second] = kappa(
                [said[first][place] for place in common],
                [said[second][place] for place in common],
                clusters=[row for row, _ in common],
            )
    return RunAgreement(
        judge=measure_judge(store, [run_id])[1].kappa,
        pairs=pairs,
        disagreements=len(list_disagreements(store, run_id)),
    )


def list_labelled_runs(store: Store, *, series: str | None = None) -> list[Run]:
    """Return the runs, of a series or all, with at least one label, newest answers first."""
    runs = list_runs(store, series=series)
    states = revisions.list_revisions(store.db, [run.run_id for run in runs])
    return [run for run in runs if run.run_id in states and states[run.run_id].label]
