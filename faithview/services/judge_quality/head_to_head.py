"""Two judges on the same answers: how often they agree, which one reviewers agree with, and where they differ."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from faithview.domain.claim import ClaimRef, Verdict
from faithview.domain.errors import NotFound
from faithview.domain.label import NOT_A_CLAIM
from faithview.domain.run import Run
from faithview.domain.scoring import WEIGHTS
from faithview.services.container import Store
from faithview.services.results import list_runs
from faithview.stats.agreement import Agreement, kappa_of
from faithview.stats.judge_quality import JudgedLabel, JudgeFigures, judge_figures
from faithview.stats.shares import MeanDifference, Share, paired_difference, share
from faithview.store import benchmarks, revisions, settled_claims
from faithview.store.benchmarks import JudgedAnswer, JudgedClaim

# More than a reader opens; the counts next to the lists cover all.
_MOST_DIFFERENCES = 200
_SHOWN_CHARACTERS = 200
Id = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimDifference:
    """A claim with different verdicts by two judges; `people` is None if it is not settled."""

    first: ClaimRef
    second: ClaimRef
    text: str
    verdicts: tuple[str, str]
    people: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerDifference:
    """An answer that only one of the judges calls faithful; `scores` are its faithfulness by each judge."""

    first: tuple[str, int]
    second: tuple[str, int]
    question: str | None
    answer: str
    scores: tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgePair:
    """Two judges compared on the answers that both have judged.

    `answers` counts them; `means` are the judges' mean faithfulness over them and `change` first minus second.
    `same_answer` is the share that both call faithful or both do not, `answer_kappa` the agreement beyond chance.
    `claims` counts the claims that both extracted, matched by their text, and `apart` those that only the first and
    only the second extracted. `table[first][second]` counts verdicts. `labelled` counts the settled claims that are
    used: those that a spot-check of either judge's runs drew, or all if none was drawn. `figures` are each judge's
    figures on them, and `better` is the first's accuracy minus the second's. `differing` counts the (answers, claims)
    on which they differ; `answer_differences` and `claim_differences` are the largest of these.
    """

    answers: int
    means: tuple[float, float] | None
    change: MeanDifference | None
    same_answer: Share
    answer_kappa: Agreement
    claims: int
    apart: tuple[int, int]
    table: Mapping[str, Mapping[str, int]]
    same_claim: Share
    claim_kappa: Agreement
    labelled: int
    figures: tuple[JudgeFigures, JudgeFigures] | None
    better: MeanDifference | None
    differing: tuple[int, int]
    answer_differences: tuple[AnswerDifference, ...]
    claim_differences: tuple[ClaimDifference, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Both:
    """A claim that both judges extracted, with the content hash of its answer."""

    answer: str
    first: JudgedClaim
    second: JudgedClaim

    @property
    def people(self) -> str | None:
        """The settled verdict of either run; None if there is none, or if two differ."""
        verdicts = {claim.people for claim in (self.first, self.second) if claim.people is not None}
        return (verdicts.pop() or NOT_A_CLAIM) if len(verdicts) == 1 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Labelled:
    """A settled claim; `pi` is the probability with which a spot-check drew it, 0 if none did."""

    claim: _Both
    people: str
    pi: float


def compare_judges(store: Store, first: str, second: str, *, series: str | None = None) -> JudgePair:
    """Compare two judges, given by their fingerprints. The result is cached until one of their runs changes.

    If a judge judged an answer more than once, its newest run counts. With a series only its runs count.

    Raises:
        NotFound: one of them has judged no run.
    """
    runs = list_runs(store, series=series)
    both = (_runs_of(runs, first), _runs_of(runs, second))
    states = revisions.list_revisions(store.db, [run.run_id for part in both for run in part])
    state = tuple((run.run_id, states.get(run.run_id)) for part in both for run in part)
    return store.cache.get("judge pair", (first, second, series), state, lambda: _compare_runs_of(store, *both))


def _runs_of(runs: Iterable[Run], fingerprint: str) -> list[Run]:
    judged = [run for run in runs if run.fingerprint == fingerprint]
    if not judged:
        raise NotFound(f"No run in this store was judged by {fingerprint!r}.")
    return judged


def _compare_runs_of(store: Store, first: Sequence[Run], second: Sequence[Run]) -> JudgePair:
    ours = benchmarks.list_judged_answers(store.db, [run.run_id for run in first])
    theirs = benchmarks.list_judged_answers(store.db, [run.run_id for run in second])
    common = [content for content in ours if content in theirs]
    answers = [(ours[content], theirs[content]) for content in common]
    claims, apart = _pair_claims(store, common, answers)
    judges = [[getattr(claim, side).verdict for claim in claims] for side in ("first", "second")]
    claim_answers = [claim.answer for claim in claims]
    faithful = [(a.is_faithful, b.is_faithful) for a, b in answers]
    scores = [(a.faithfulness, b.faithfulness) for a, b in answers]
    labelled = _list_settled_claims(store, claims, [run.run_id for run in (*first, *second)])
    table: dict[str, dict[str, int]] = {v.value: {w.value: 0 for w in Verdict} for v in Verdict}
    for (ours, theirs), count in Counter(zip(*judges, strict=True)).items():
        table[ours][theirs] = count
    return JudgePair(
        answers=len(answers),
        means=(_mean([a for a, _ in scores]), _mean([b for _, b in scores])) if scores else None,
        change=paired_difference([a for a, _ in scores], [b for _, b in scores], answers=common),
        same_answer=share([a == b for a, b in faithful], answers=common),
        answer_kappa=kappa_of(common, [a for a, _ in faithful], [b for _, b in faithful]),
        claims=len(claims),
        apart=apart,
        table=table,
        same_claim=share([ours == theirs for ours, theirs in zip(*judges, strict=True)], answers=claim_answers),
        claim_kappa=kappa_of(claim_answers, *judges),
        labelled=len(labelled),
        figures=(_figures_of_side(labelled, "first"), _figures_of_side(labelled, "second")) if labelled else None,
        better=paired_difference(
            [item.claim.first.verdict == item.people for item in labelled],
            [item.claim.second.verdict == item.people for item in labelled],
            answers=[item.claim.answer for item in labelled],
        ),
        differing=(sum(a != b for a, b in faithful), sum(ours != theirs for ours, theirs in zip(*judges, strict=True))),
        answer_differences=_answer_differences(store, answers),
        claim_differences=_claim_differences(store, claims, dict(zip(common, answers, strict=True))),
    )


def _pair_claims(
    store: Store, common: Sequence[str], answers: Sequence[tuple[JudgedAnswer, JudgedAnswer]]
) -> tuple[list[_Both], tuple[int, int]]:
    """Pair the claims of the same answers by their text; claims with equal text are paired in their order."""
    by_sample = [
        {pair[side].sample_id: content for content, pair in zip(common, answers, strict=True)} for side in (0, 1)
    ]
    sides: list[dict[tuple[str, str, int], JudgedClaim]] = []
    for side, content_of in enumerate(by_sample):
        by_text: dict[tuple[str, str, int], JudgedClaim] = {}
        seen: Counter[Id] = Counter()
        for claim in benchmarks.list_judged_claims(store.db, {pair[side].run_id for pair in answers}):
            content = content_of.get(claim.sample_id)
            if content is not None:
                name = (content, claim.claim_hash)
                by_text[*name, seen[name]] = claim
                seen[name] += 1
        sides.append(by_text)
    ours, theirs = sides
    both = [
        _Both(answer=place[0], first=claim, second=theirs[place]) for place, claim in ours.items() if place in theirs
    ]
    return both, (len(ours) - len(both), len(theirs) - len(both))


def _list_settled_claims(store: Store, claims: Sequence[_Both], run_ids: Sequence[str]) -> list[_Labelled]:
    """Return the settled claims: those that a spot-check of either judge drew, or all if none was drawn."""
    chances = settled_claims.list_chances(store.db, run_ids)
    is_complete = all(claim.people is not None for claim in claims)
    labelled = []
    for claim in claims:
        if claim.people is not None:
            pi = max(chances.get(side.claim_id, float(is_complete)) for side in (claim.first, claim.second))
            labelled.append(_Labelled(claim=claim, people=claim.people, pi=pi))
    return [item for item in labelled if item.pi] or labelled


def _figures_of_side(labelled: Sequence[_Labelled], side: str) -> JudgeFigures:
    return judge_figures(
        [
            JudgedLabel(
                answer=item.claim.answer,
                judge=getattr(item.claim, side).verdict,
                people=item.people,
                weight=1 / item.pi if item.pi else 1.0,
                is_drawn=bool(item.pi),
            )
            for item in labelled
        ]
    )


def _answer_differences(
    store: Store, answers: Sequence[tuple[JudgedAnswer, JudgedAnswer]]
) -> tuple[AnswerDifference, ...]:
    differing = [pair for pair in answers if pair[0].is_faithful != pair[1].is_faithful]
    shown = sorted(differing, key=lambda pair: -abs(pair[0].faithfulness - pair[1].faithfulness))[:_MOST_DIFFERENCES]
    texts = benchmarks.list_answer_texts(store.db, [a.sample_id for a, _ in shown], length=_SHOWN_CHARACTERS)
    return tuple(
        AnswerDifference(
            first=(a.run_id, a.row),
            second=(b.run_id, b.row),
            question=texts[a.sample_id][0],
            answer=texts[a.sample_id][1],
            scores=(a.faithfulness, b.faithfulness),
        )
        for a, b in shown
        if a.sample_id in texts
    )


def _claim_differences(
    store: Store, claims: Sequence[_Both], answers: Mapping[str, tuple[JudgedAnswer, JudgedAnswer]]
) -> tuple[ClaimDifference, ...]:
    differing = [claim for claim in claims if claim.first.verdict != claim.second.verdict]
    # Settled claims come first, since they show which judge is wrong; then the largest differences.
    shown = sorted(differing, key=lambda claim: (claim.people is None, -_distance(claim)))[:_MOST_DIFFERENCES]
    texts = benchmarks.list_claim_texts(store.db, [claim.first.claim_id for claim in shown])
    return tuple(
        ClaimDifference(
            first=_claim_ref(answers[claim.answer][0], claim.first),
            second=_claim_ref(answers[claim.answer][1], claim.second),
            text=texts[claim.first.claim_id],
            verdicts=(claim.first.verdict, claim.second.verdict),
            people=claim.people,
        )
        for claim in shown
        if claim.first.claim_id in texts
    )


def _claim_ref(answer: JudgedAnswer, claim: JudgedClaim) -> ClaimRef:
    return ClaimRef(run_id=answer.run_id, row=answer.row, claim_number=claim.number)


def _distance(claim: _Both) -> float:
    return abs(WEIGHTS[Verdict(claim.first.verdict)] - WEIGHTS[Verdict(claim.second.verdict)])


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
