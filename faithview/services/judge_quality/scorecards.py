"""A card for every judge: how good it is by people's labels, where it is wrong, and what it costs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from faithview.domain.claim import ClaimRef
from faithview.domain.run import Run
from faithview.services.container import Services
from faithview.services.judge_catalogue import find_offer, is_free
from faithview.services.judge_quality.judged_labels import judged_labels, verdict_name
from faithview.services.results.runs import list_runs, summarise_runs
from faithview.stats import judge_quality
from faithview.stats.judge_quality import ErrorRates, JudgeFigures
from faithview.store.judge_quality import settled_claims
from faithview.store.judge_quality.settled_claims import SettledClaim
from faithview.store.runs import revisions

_MOST_MISTAKES = 500  # of each judge; more than anybody opens


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """A claim on which people settled on another verdict than the judge; `people` may be "not_a_claim"."""

    place: ClaimRef
    text: str
    judge: str
    people: str
    confidence: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeCard:
    """How good a judge is by people's labels on its runs, and what it costs.

    `fingerprint` identifies the judge with its method and prompts. `labelled` counts claims that people have settled,
    one that was carried over to other runs once. `figures` says how good the judge is by these labels.
    `wrong` counts the claims on which people settled on another verdict; `mistakes` are the first of them, those that
    the judge was surest of first. `cost_usd` and `seconds` are means per answer; `cost_usd` is None where no price is
    known, `seconds` where all answers were judged elsewhere. `is_free` says that it judged all its runs here and
    is known to ask no other machine. `limits` are sentences about what the judge cannot see.
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
        """How good the judge's "unsupported" is; None without labels."""
        return self.figures.rates


def list_judge_cards(services: Services, *, series: str | None = None) -> list[JudgeCard]:
    """Return a card for every judge that has judged a run, the one used last first.

    A card is cached until one of the judge's runs or its labels change. With a series it is about its runs alone.
    """
    runs = list_runs(services, series=series)
    states = revisions.list_revisions(services.db, [run.run_id for run in runs])
    by_judge: dict[tuple[str, str, str], list[Run]] = {}
    for run in runs:
        by_judge.setdefault((run.judge.name, run.judge.method, run.fingerprint), []).append(run)
    return [
        services.cache.get(
            "judge card",
            (identity, series),
            tuple((run.run_id, states.get(run.run_id)) for run in judged),
            partial(_card, services, identity, judged),
        )
        for identity, judged in by_judge.items()
    ]


def _card(services: Services, identity: tuple[str, str, str], runs: Sequence[Run]) -> JudgeCard:
    name, method, fingerprint = identity
    run_ids = tuple(run.run_id for run in runs)
    summaries = summarise_runs(services, runs)
    settled = settled_claims.list_settled_claims(services.db, run_ids)
    labels = judged_labels(settled, settled_claims.list_missed_claims(services.db, run_ids))
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
