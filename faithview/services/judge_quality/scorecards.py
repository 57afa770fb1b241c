"""A card for every judge: how good it is by reviewers' labels, where it is wrong, and what it costs.

Reviewers' agreement with a run's judge and with each other is measured here too.

"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from faithview.domain.claim import ClaimRef, Verdict
from faithview.domain.label import NOT_A_CLAIM, Label, LabelRole, standing_labels
from faithview.domain.run import Run
from faithview.services.container import Store
from faithview.services.judge_catalogue import find_offer, is_free
from faithview.services.results import get_run, list_runs, summarise_runs
from faithview.services.review.disagreements import list_disagreements
from faithview.stats import judge_quality
from faithview.stats.agreement import Agreement, Rating, Ratings
from faithview.stats.judge_quality import MISSED, ErrorRates, JudgedLabel, JudgeFigures
from faithview.store import labels, revisions, settled_claims
from faithview.store.settled_claims import MissedClaim, SettledClaim


def judged_labels(settled: Iterable[SettledClaim], missed: Iterable[MissedClaim]) -> list[JudgedLabel]:
    """Return settled claims, and claims that reviewers added, as labels; drawn ones weigh 1 / their probability.

    Answers to one question are one cluster, in all runs. Added claims count only if their answer was part of a draw;
    elsewhere reviewers did not look at random.
    """
    claims = [
        JudgedLabel(
            answer=claim.question,
            judge=claim.judged.value,
            people=verdict_name(claim.people),
            weight=1 / claim.pi if claim.pi else 1.0,
            confidence=claim.confidence,
            is_drawn=claim.pi is not None,
        )
        for claim in settled
    ]
    added = [
        JudgedLabel(answer=claim.question, judge=MISSED, people=claim.verdict.value, weight=claim.weight)
        for claim in missed
        if claim.weight
    ]
    return claims + added


def verdict_name(verdict: Verdict | None) -> str:
    """Return the name of a reviewers' verdict; None is "not_a_claim"."""
    return NOT_A_CLAIM if verdict is None else verdict.value


_MOST_MISTAKES = 500  # per judge; more than a reader opens


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """A claim whose settled verdict differs from the judge's; `people` may be "not_a_claim"."""

    place: ClaimRef
    text: str
    judge: str
    people: str
    confidence: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeCard:
    """How good a judge is by reviewers' labels on its runs, and what it costs.

    `fingerprint` identifies the judge with its method and prompts. `labelled` counts settled claims; a carried-over
    label counts once. `figures` are the judge's figures by these labels. `wrong` counts the claims whose settled
    verdict differs from the judge's; `mistakes` are the first of them, in the order of the judge's confidence.
    `cost_usd` and `seconds` are means per answer; `cost_usd` is None if no price is known, `seconds` if all answers
    were judged elsewhere. `is_free` says that it judged all its runs here and is known to call no other machine.
    `limits` are sentences about the judge's limits.
    """

    name: str
    method: str
    fingerprint: str
    runs: tuple[str, ...]
    answers: int
    labelled: int
    figures: JudgeFigures
    wrong: int
    mistakes: tuple[Mistake, ...]
    cost_usd: float | None
    is_free: bool
    seconds: float | None
    limits: tuple[str, ...]

    @property
    def rates(self) -> ErrorRates | None:
        """The figures of the judge's "unsupported"; None without labels."""
        return self.figures.rates


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
    summaries = summarise_runs(store, runs)
    settled = settled_claims.list_settled_claims(store.db, run_ids)
    labels = judged_labels(settled, settled_claims.list_missed_claims(store.db, run_ids))
    answers = sum(summary.score.judged for summary in summaries)
    priced = [summary for summary in summaries if summary.usage.cost_usd is not None]
    priced_answers = sum(summary.score.judged for summary in priced)
    judged_here = [run for run in runs if not run.is_imported]
    answers_here = sum(summary.score.judged for summary in summaries if not summary.run.is_imported)
    mistakes = _mistakes(settled)
    offer = find_offer(name)
    return JudgeCard(
        name=name,
        method=method,
        fingerprint=fingerprint,
        runs=run_ids,
        answers=answers,
        labelled=len(settled),
        figures=judge_quality.judge_figures(labels),
        wrong=len(mistakes),
        mistakes=tuple(sorted(mistakes, key=lambda mistake: -(mistake.confidence or 0.0))[:_MOST_MISTAKES]),
        cost_usd=sum(s.usage.cost_usd or 0.0 for s in priced) / priced_answers if priced_answers else None,
        is_free=len(judged_here) == len(runs) and all(is_free(run.judge) for run in runs),
        seconds=sum(run.seconds for run in judged_here) / answers_here if answers_here else None,
        limits=() if offer is None else offer.limits,
    )


def _mistakes(settled: Iterable[SettledClaim]) -> list[Mistake]:
    return [
        Mistake(
            place=ClaimRef(run_id=claim.run_id, row=claim.row, claim_number=claim.number),
            text=claim.text,
            judge=claim.judged.value,
            people=verdict_name(claim.people),
            confidence=claim.confidence,
        )
        for claim in settled
        if claim.people is not claim.judged
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunAgreement:
    """Agreement on a run's claims.

    `judge` is Cohen's kappa of the judge and the settled verdicts, over those of the `labelled` claims that a
    spot-check drew, if any; `alpha` is Krippendorff's alpha among reviewers; `pairs` has Cohen's kappa of each pair of
    reviewers and `verdicts` alpha of each verdict against all others. `disagreements` are the claims on which reviewers
    are tied; an adjudicator decides them.
    """

    labelled: int
    judge: Agreement
    alpha: Agreement
    pairs: dict[tuple[str, str], Agreement]
    verdicts: dict[str, Agreement]
    disagreements: tuple[ClaimRef, ...]


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
    settled = settled_claims.list_settled_claims(store.db, [run_id])
    history = _by_claim(labels.list_labels(store.db, run_id))
    judged = judged_labels(settled, settled_claims.list_missed_claims(store.db, [run_id]))
    among = Ratings(_reviewers(history))
    return RunAgreement(
        labelled=len(settled),
        judge=judge_quality.judge_figures(judged).kappa,
        alpha=among.alpha(),
        pairs=among.kappas(),
        verdicts={
            verdict: among.alpha(verdict=verdict)
            for verdict in (*(v.value for v in Verdict), NOT_A_CLAIM)
            if verdict in among.verdicts
        },
        disagreements=tuple(list_disagreements(store, run_id)),
    )


def list_labelled_runs(store: Store, *, series: str | None = None) -> list[Run]:
    """Return the runs, of a series or all, with at least one label, newest answers first."""
    runs = list_runs(store, series=series)
    states = revisions.list_revisions(store.db, [run.run_id for run in runs])
    return [run for run in runs if run.run_id in states and states[run.run_id].label]


_ByClaim = dict[tuple[int, int], list[Label]]


def _by_claim(rows: Iterable[tuple[int, Label]]) -> _ByClaim:
    claims: _ByClaim = {}
    for row, label in rows:
        if label.claim_number is not None:
            claims.setdefault((row, label.claim_number), []).append(label)
    return claims


def _reviewers(history: _ByClaim) -> list[Rating]:
    return [
        Rating(answer=str(row), claim=f"{row}/{number}", rater=label.reviewer, verdict=verdict_name(label.verdict))
        for (row, number), on_claim in history.items()
        for label in standing_labels(on_claim)
        if label.role is LabelRole.REVIEWER
    ]
