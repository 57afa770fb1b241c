"""How far people agree with a run's judge and with each other."""

from collections.abc import Iterable
from dataclasses import dataclass

from faithview.domain.claim import ClaimRef, Verdict
from faithview.domain.label import NOT_A_CLAIM, Label, LabelKind, LabelRole, newest_labels, standing_labels
from faithview.domain.run import Run
from faithview.services.container import Services
from faithview.services.judge_quality.judged_labels import judged_labels, verdict_name
from faithview.services.results.runs import get_run, list_runs
from faithview.services.review.disagreements import list_disagreements
from faithview.stats import judge_quality
from faithview.stats.agreement import Agreement, Rating, Ratings
from faithview.stats.judge_quality import Anchoring, JudgedLabel, RevealedLabel
from faithview.store.judge_quality import settled_claims
from faithview.store.review import labels, reveals
from faithview.store.runs import revisions


@dataclass(frozen=True, slots=True, kw_only=True)
class RunAgreement:
    """Agreement on a run's claims.

    `judge` is Cohen's kappa of the judge and people's settled verdicts, over those of the `labelled` claims that a
    spot-check drew, where there are any; `alpha` is
    Krippendorff's alpha among reviewers; `pairs` has Cohen's kappa of every two of them and `verdicts` alpha of each
    verdict against all others. `disagreements` are the claims whose reviewers are tied; an adjudicator decides them.
    """

    labelled: int
    judge: Agreement
    alpha: Agreement
    pairs: dict[tuple[str, str], Agreement]
    verdicts: dict[str, Agreement]
    disagreements: tuple[ClaimRef, ...]
    anchoring: Anchoring


def measure_agreement(services: Services, reference: str) -> RunAgreement:
    """Return how far the judge and people, and people among themselves, agree on a run.

    Where a person labelled a claim blind, their blind label counts. The result is cached until the run or its labels
    change, or the judge is revealed to a reviewer.

    Raises:
        NotFound: there is no such run.
    """
    run_id = get_run(services, reference).run_id
    seen = reveals.list_reveals(services.db, run_id)
    state = (revisions.list_revisions(services.db, [run_id])[run_id], len(seen))
    return services.cache.get("agreement", run_id, state, lambda: _measure(services, run_id, seen))


def _measure(services: Services, run_id: str, seen: set[tuple[int, int, str]]) -> RunAgreement:
    settled = settled_claims.list_settled_claims(services.db, [run_id])
    history = _by_claim(labels.list_labels(services.db, run_id))
    judged = judged_labels(settled, settled_claims.list_missed_claims(services.db, [run_id]))
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
        disagreements=tuple(list_disagreements(services, run_id)),
        anchoring=_anchoring(history, settled_claims.list_judged(services.db, run_id), seen),
    )


def list_labelled_runs(services: Services, *, series: str | None = None) -> list[Run]:
    """Return the runs, of a series or all, with at least one label, newest answers first."""
    runs = list_runs(services, series=series)
    states = revisions.list_revisions(services.db, [run.run_id for run in runs])
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


def _anchoring(history: _ByClaim, judged: dict[tuple[int, int], Verdict], seen: set[tuple[int, int, str]]) -> Anchoring:
    """Compare blind labels with what people said after the reveal, and with labels given with the verdict in sight."""
    revealed: list[RevealedLabel] = []
    unblinded: list[JudgedLabel] = []
    for place, on_claim in history.items():
        answer, judge = str(place[0]), judged[place].value
        given: dict[str, list[Label]] = {}
        for label in on_claim:
            if label.kind is not LabelKind.RETRACTION and label.origin is None and label.role is LabelRole.REVIEWER:
                given.setdefault(label.reviewer, []).append(label)
        for last in newest_labels(on_claim):
            own = given.get(last.reviewer)
            if own is None or last.role is not LabelRole.REVIEWER:
                continue
            blind = next((label for label in reversed(own) if label.is_blind), None)
            if blind is not None:
                is_seen = not last.is_blind or (*place, last.reviewer) in seen
                said = verdict_name(last.verdict) if is_seen else None
                revealed.append(
                    RevealedLabel(answer=answer, judge=judge, blind=verdict_name(blind.verdict), revealed=said)
                )
            elif own[0].judge_seen:
                unblinded.append(JudgedLabel(answer=answer, judge=judge, people=verdict_name(own[0].verdict)))
    return judge_quality.anchoring(revealed, unblinded=unblinded)
