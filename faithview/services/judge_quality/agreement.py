"""How far people agree with a judge and with each other, and where the judge is wrong."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from faithview.domain.claim import Verdict
from faithview.domain.label import NOT_A_CLAIM, Label, LabelKind, LabelRole, standing_labels
from faithview.domain.run import Run
from faithview.services.container import Services
from faithview.services.judge_catalogue import find_offer
from faithview.services.results.runs import get_run, get_summary, list_runs, summarise_runs
from faithview.services.review.corrected_score import Correction, correct_run
from faithview.services.review.disagreements import ClaimPlace, list_disagreements
from faithview.stats import judge_quality
from faithview.stats.agreement import Agreement, Rating, Ratings, kappa_of
from faithview.stats.judge_quality import Anchoring, Calibration, Confusion, ErrorRates, JudgedLabel, RevealedLabel
from faithview.stats.prediction_powered import NotEnoughLabels
from faithview.store.judge_quality import settled_claims
from faithview.store.judge_quality.settled_claims import SettledClaim
from faithview.store.review import labels
from faithview.store.runs import revisions

_KEPT_MISTAKES = 500  # of each judge; more than anybody opens


@dataclass(frozen=True, slots=True, kw_only=True)
class RunAgreement:
    """Agreement on a run's claims.

    `judge` is Cohen's kappa of the judge and people's settled verdicts over `labelled` claims; `alpha` Krippendorff's
    among reviewers; `pairs` Cohen's kappa of every two of them; `verdicts` alpha for each verdict against all others.
    `disagreements` are the claims whose reviewers are tied, which wait for an adjudicator.
    """

    labelled: int
    judge: Agreement
    alpha: Agreement
    pairs: dict[tuple[str, str], Agreement]
    verdicts: dict[str, Agreement]
    disagreements: tuple[ClaimPlace, ...]
    anchoring: Anchoring


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """A claim on which people settled on another verdict than the judge; `people` may be "not_a_claim"."""

    place: ClaimPlace
    text: str
    judge: str
    people: str
    confidence: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeCard:
    """A judge with its method and prompts, held against people's labels on all its runs.

    `fingerprint` names the judge exactly. `labelled` counts claims that people have settled; what rests on labels is
    weighted by 1 / pi where they come from a spot-check. `confusion`, `rates`, `calibration` are None without labels.
    `wrong` counts the claims on which people settled on another verdict; `mistakes` are the most telling of them, those
    that the judge was surest of first. `cost_usd` and `seconds` are means an answer, `cost_usd` None where no price is
    known. `limits` says in sentences what the judge cannot see.
    """

    name: str
    method: str
    fingerprint: str
    runs: tuple[str, ...]
    answers: int
    labelled: int
    confusion: Confusion | None
    rates: ErrorRates | None
    kappa: Agreement
    calibration: Calibration | None
    wrong: int
    mistakes: tuple[Mistake, ...]
    cost_usd: float | None
    seconds: float | None
    limits: tuple[str, ...]


def measure_agreement(services: Services, reference: str) -> RunAgreement:
    """Return how far the judge and people, and people among themselves, agree on a run; raises NotFound.

    It is kept until the run or its labels change.
    """
    run_id = get_run(services, reference).run_id
    state = revisions.list_revisions(services.db, [run_id])[run_id]
    return services.cache.get("agreement", run_id, state, lambda: _measure(services, run_id))


def _measure(services: Services, run_id: str) -> RunAgreement:
    settled = settled_claims.list_settled_claims(services.db, [run_id])
    given = _by_claim(labels.list_labels(services.db, run_id))
    among = Ratings(_reviewers(given))
    return RunAgreement(
        labelled=len(settled),
        judge=_judge_kappa(settled),
        alpha=among.alpha(),
        pairs=among.kappas(),
        verdicts={
            verdict: among.alpha(verdict=verdict)
            for verdict in (*(v.value for v in Verdict), NOT_A_CLAIM)
            if verdict in among.verdicts
        },
        disagreements=tuple(list_disagreements(services, run_id)),
        anchoring=_anchoring(given, settled_claims.list_judged(services.db, run_id)),
    )


def list_judge_cards(services: Services) -> list[JudgeCard]:
    """Return a card for every judge that has judged a run, the one used last first.

    A card is kept until one of the judge's runs or its labels change.
    """
    runs = list_runs(services)
    states = revisions.list_revisions(services.db, [run.run_id for run in runs])
    by_judge: dict[tuple[str, str, str], list[Run]] = {}
    for run in runs:
        by_judge.setdefault((run.judge.name, run.judge.method, run.fingerprint), []).append(run)
    return [
        services.cache.get(
            "judge card",
            identity,
            tuple(states.get(run.run_id) for run in judged),
            partial(_card, services, identity, judged),
        )
        for identity, judged in by_judge.items()
    ]


def list_labelled_runs(services: Services) -> list[Run]:
    """Return the runs on which somebody has labelled something, newest answers first."""
    runs = list_runs(services)
    states = revisions.list_revisions(services.db, [run.run_id for run in runs])
    return [run for run in runs if run.run_id in states and states[run.run_id].label]


def list_mistakes(services: Services, reference: str) -> list[Mistake]:
    """Return where people settled on another verdict than the run's judge, in the file's order; raises NotFound."""
    return _mistakes(settled_claims.list_settled_claims(services.db, [get_run(services, reference).run_id]))


def agreement_document(services: Services, reference: str) -> tuple[dict[str, Any], str | None]:
    """Return what `faithview agreement --json` prints, and why there is no corrected score, None where there is one.

    Raises:
        NotFound: there is no such run.
    """
    summary = get_summary(services, reference)
    settled = settled_claims.list_settled_claims(services.db, [summary.run.run_id])
    judged = [_judged(claim) for claim in settled]
    same = sum(label.judge == label.people for label in judged)
    corrected, reason = _corrected_document(correct_run(services, summary.run.run_id))
    document = {
        "labelled_claims": len(settled),
        "accuracy": same / len(settled) if settled else None,
        "cohen_kappa": _judge_kappa(settled).value,
        "confusion": judge_quality.confusion(judged).counts if judged else {},
        "judge_faithfulness": summary.score.mean,
        "human_corrected": corrected,
    }
    return document, reason


def _corrected_document(correction: Correction | None) -> tuple[dict[str, Any], str | None]:
    if correction is None:
        nothing = {"estimate": None, "ci": None, "method": None, "labelled_rows": 0}
        return nothing, (
            "No spot-check was drawn from this run. Labels given outside of one are no random sample, so the judge's "
            "score cannot be corrected by them; draw a spot-check on the page Review."
        )
    score = correction.score
    if isinstance(score, NotEnoughLabels):
        found = {"estimate": None, "ci": None, "method": None, "labelled_rows": correction.labelled_rows}
        return found, score.message
    interval = score.corrected.interval
    return {
        "estimate": score.corrected.score,
        "ci": [interval.low, interval.high],
        "method": "ppi++" if score.tuning > 0 else "labels-only",
        "labelled_rows": correction.labelled_rows,
    }, None


def _card(services: Services, identity: tuple[str, str, str], runs: Sequence[Run]) -> JudgeCard:
    name, method, fingerprint = identity
    run_ids = tuple(run.run_id for run in runs)
    summaries = summarise_runs(services, runs)
    settled = settled_claims.list_settled_claims(services.db, run_ids)
    judged = [_judged(claim) for claim in settled]
    answers = sum(summary.score.judged for summary in summaries)
    priced = [summary for summary in summaries if summary.usage.cost_usd is not None]
    priced_answers = sum(summary.score.judged for summary in priced)
    wrong = _mistakes(settled)
    offer = find_offer(name)
    return JudgeCard(
        name=name,
        method=method,
        fingerprint=fingerprint,
        runs=run_ids,
        answers=answers,
        labelled=len(settled),
        confusion=judge_quality.confusion(judged) if judged else None,
        rates=judge_quality.error_rates(judged) if judged else None,
        kappa=_judge_kappa(settled),
        calibration=judge_quality.calibration(judged) if judged else None,
        wrong=len(wrong),
        mistakes=tuple(sorted(wrong, key=lambda mistake: -(mistake.confidence or 0.0))[:_KEPT_MISTAKES]),
        cost_usd=sum(s.usage.cost_usd or 0.0 for s in priced) / priced_answers if priced_answers else None,
        seconds=sum(run.seconds for run in runs) / answers if answers else None,
        limits=() if offer is None else offer.limits,
    )


def _judge_kappa(settled: Sequence[SettledClaim]) -> Agreement:
    answers = [_answer(claim) for claim in settled]
    judge = [claim.judged.value for claim in settled]
    return kappa_of(answers, judge, [_said(claim.people) for claim in settled])


def _judged(claim: SettledClaim) -> JudgedLabel:
    return JudgedLabel(
        answer=_answer(claim),
        judge=claim.judged.value,
        people=_said(claim.people),
        weight=1 / claim.pi if claim.pi else 1.0,
        confidence=claim.confidence,
    )


def _mistakes(settled: Iterable[SettledClaim]) -> list[Mistake]:
    return [
        Mistake(
            place=ClaimPlace(run_id=claim.run_id, row=claim.row, claim_number=claim.number),
            text=claim.text,
            judge=claim.judged.value,
            people=_said(claim.people),
            confidence=claim.confidence,
        )
        for claim in settled
        if claim.people is not claim.judged
    ]


_ByClaim = dict[tuple[int, int], list[Label]]


def _by_claim(given: Iterable[tuple[int, Label]]) -> _ByClaim:
    found: _ByClaim = {}
    for row, label in given:
        if label.claim_number is not None:
            found.setdefault((row, label.claim_number), []).append(label)
    return found


def _reviewers(given: _ByClaim) -> list[Rating]:
    return [
        Rating(answer=str(row), claim=f"{row}/{number}", rater=label.reviewer, verdict=_said(label.verdict))
        for (row, number), on_claim in given.items()
        for label in standing_labels(on_claim)
        if label.role is LabelRole.REVIEWER
    ]


def _anchoring(given: _ByClaim, judged: dict[tuple[int, int], Verdict]) -> Anchoring:
    """Compare what people said blind with what stands, and with what those said who saw the verdict at once."""
    revealed: list[RevealedLabel] = []
    unblinded: list[JudgedLabel] = []
    for place, on_claim in given.items():
        answer, judge = str(place[0]), judged[place].value
        first: dict[str, Label] = {}
        for label in on_claim:
            if label.kind is not LabelKind.RETRACTION and label.origin is None and label.role is LabelRole.REVIEWER:
                first.setdefault(label.reviewer, label)
        for label in standing_labels(on_claim):
            opened = first.get(label.reviewer)
            if opened is None or label.role is not LabelRole.REVIEWER:
                continue
            if opened.is_blind:
                blind, stood = _said(opened.verdict), _said(label.verdict)
                revealed.append(RevealedLabel(answer=answer, judge=judge, blind=blind, revealed=stood))
            elif opened.judge_seen:
                unblinded.append(JudgedLabel(answer=answer, judge=judge, people=_said(opened.verdict)))
    return judge_quality.anchoring(revealed, unblinded=unblinded)


def _answer(claim: SettledClaim) -> str:
    return f"{claim.run_id}-{claim.row}"


def _said(verdict: Verdict | None) -> str:
    return NOT_A_CLAIM if verdict is None else verdict.value
