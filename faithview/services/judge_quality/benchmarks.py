"""Measure a judge on a labelled file, as shipped and without tuning on the file; results are stored."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from time import perf_counter
from typing import Any

from faithview.domain.claim import Claim, Verdict
from faithview.domain.result import Result
from faithview.domain.run import JudgeSpec
from faithview.domain.scoring import DEFAULT_THRESHOLD, WEIGHTS
from faithview.formats.labelled import LabelledSample
from faithview.judges.registry import create_judge
from faithview.services.container import Store
from faithview.services.judge_catalogue import answers_at_a_time, has_companions, to_build, wants_companions
from faithview.services.runs.judge_answer import judge_samples, run_blocking
from faithview.stats import judge_quality
from faithview.store import benchmarks

_FIGURES = (
    "balanced_accuracy",
    "f1_unfaithful",
    "precision_unfaithful",
    "recall_unfaithful",
    "auroc",
    "claim_auroc",
    "span_f1",
)
_CLAIMS_OF_A_MISTAKE = 3  # per answer, the least supported first


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A labelled row with the judge's result."""

    labelled: LabelledSample
    result: Result


def bench(
    rows: Sequence[LabelledSample],
    *,
    file: str,
    judge: JudgeSpec,
    threshold: float = DEFAULT_THRESHOLD,
    concurrency: int = 8,
    mistakes: int = 0,
    on_judged: Callable[[], None] | None = None,
) -> dict[str, Any]:
    """Judge every labelled row and return the document that `faithview bench --json` prints.

    Rows that could not be judged are counted as `failed` and left out of all figures. If the judge was asked for
    relevance metrics, `companions` has their means.

    Args:
        rows: the labelled rows.
        file: the file's name, for the document.
        judge: the judge with its options.
        threshold: the share of supported claims from which an answer counts as faithful, in [0, 1].
        concurrency: how many rows to judge at a time.
        mistakes: how many of the worst mistakes of each kind to add (`worst_mistakes`); 0 adds none.
        on_judged: called after each row.

    Raises:
        JudgeUnavailable: the judge cannot be built.
    """
    start = perf_counter()
    judged = run_blocking(_judge_all(rows, judge, threshold=threshold, concurrency=concurrency, on_judged=on_judged))
    seconds = perf_counter() - start
    names = sorted({j.labelled.task for j in judged if j.labelled.task})
    tasks = {task: figures([j for j in judged if j.labelled.task == task]) for task in names}
    document = {
        "judge": judge.name,
        "file": file,
        "rows": len(rows),
        "failed": sum(not _has_prediction(j) for j in judged),
        **figures(judged),
        "seconds": seconds,
        "answers_per_second": len(rows) / seconds if seconds else None,
        "tasks": tasks,
        "macro": {name: _mean([task[name] for task in tasks.values()]) for name in _FIGURES},
    }
    if has_companions(judge):
        document["companions"] = {
            name: _mean([j.result.metrics.get(name) for j in judged])
            for name in ("answer_relevance", "context_relevance")
        }
    return {**document, "mistakes": worst_mistakes(judged, mistakes)} if mistakes else document


def figures(judged: Sequence[Judged]) -> dict[str, float | None]:
    """Return the figures of these rows, in [0, 1], for the class *unfaithful*; None without enough data."""
    usable = [j for j in judged if _has_prediction(j)]
    actual = [j.labelled.label == 0 for j in usable]
    rates = judge_quality.rates(actual, [j.result.is_faithful is False for j in usable])
    return {
        "balanced_accuracy": rates.balanced_accuracy,
        "f1_unfaithful": rates.f1,
        "precision_unfaithful": rates.precision,
        "recall_unfaithful": rates.recall,
        "auroc": judge_quality.auroc(actual, [-_answer_score(j.result) for j in usable]),
        "claim_auroc": _claim_auroc(usable),
        "span_f1": _span_f1(usable),
    }


def worst_mistakes(judged: Sequence[Judged], count: int) -> list[dict[str, Any]]:
    """Return the misclassified answers with the most confident scores, at most `count` of each kind.

    Each has its key, what is wrong, the judge's score in [0, 1] (1 is faithful), and its least supported claims.
    """
    usable = [j for j in judged if _has_prediction(j)]
    passed = [j for j in usable if j.labelled.label == 0 and j.result.is_faithful is not False]
    flagged = [j for j in usable if j.labelled.label == 1 and j.result.is_faithful is False]
    passed.sort(key=lambda j: (-_answer_score(j.result), j.labelled.sample.key or ""))
    flagged.sort(key=lambda j: (_answer_score(j.result), j.labelled.sample.key or ""))
    return [
        *(_mistake(j, "labelled unfaithful, passed by the judge") for j in passed[:count]),
        *(_mistake(j, "labelled faithful, flagged by the judge") for j in flagged[:count]),
    ]


def store_benchmark(store: Store, judge: JudgeSpec, document: dict[str, Any]) -> None:
    """Store the document of a benchmark with the fingerprint of the measured judge."""
    benchmarks.add_benchmark(
        store.db,
        at=datetime.now(UTC),
        fingerprint=create_judge(to_build(judge)).fingerprint,
        file=str(document["file"]),
        document=document,
    )


async def _judge_all(
    rows: Sequence[LabelledSample],
    spec: JudgeSpec,
    *,
    threshold: float,
    concurrency: int,
    on_judged: Callable[[], None] | None,
) -> list[Judged]:
    judge = create_judge(to_build(spec, concurrency=concurrency))
    try:
        results = await judge_samples(
            judge,
            [row.sample for row in rows],
            threshold=threshold,
            concurrency=answers_at_a_time(spec, concurrency),
            with_companions=wants_companions(spec),
            on_judged=on_judged,
        )
    finally:
        await judge.aclose()
    return [Judged(labelled=row, result=result) for row, result in zip(rows, results, strict=True)]


def _mean(values: Iterable[float | None]) -> float | None:
    """Return the mean of the values that are not None; None if there are none."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _has_prediction(judged: Judged) -> bool:
    """Return whether the answer was judged; one without claims is faithful."""
    return judged.result.is_faithful is not None or judged.result.no_claims


def _answer_score(result: Result) -> float:
    """Return the score that ranks the answer: the judge's own probability, or the share of supported claims.

    An answer without claims has nothing unsupported, so it ranks highest.
    """
    if result.answer_score is not None:
        return result.answer_score
    return 1.0 if result.no_claims else result.faithfulness or 0.0


def _mistake(judged: Judged, what: str) -> dict[str, Any]:
    ranked = sorted(judged.result.claims, key=lambda claim: claim.support_score or 0.0)[:_CLAIMS_OF_A_MISTAKE]
    return {
        "key": judged.labelled.sample.key,
        "what": what,
        "score": _answer_score(judged.result),
        "claims": [
            {"text": claim.text, "verdict": claim.verdict.value, "explanation": claim.explanation} for claim in ranked
        ],
    }


def _claim_auroc(judged: Sequence[Judged]) -> float | None:
    ranked = [
        (
            any(s.start < bad.end and bad.start < s.end for s in claim.spans for bad in j.labelled.spans),
            WEIGHTS[claim.verdict] if claim.support_score is None else claim.support_score,
        )
        for j in judged
        if j.labelled.spans is not None
        for claim in j.result.claims
        if claim.spans
    ]
    return judge_quality.auroc([is_wrong for is_wrong, _ in ranked], [-score for _, score in ranked])


def _flagged_places(claim: Claim) -> list[tuple[int, int]]:
    """Return the ranges of the answer that a judge flags by its verdict on a claim.

    All of a claim that no chunk mentions is flagged, because nothing supports it. Of one that is contradicted or
    supported in part these are the wrong words, or all of it if the judge names none.
    """
    if claim.verdict is Verdict.SUPPORTED:
        return []
    named = () if claim.verdict is Verdict.NOT_MENTIONED else claim.mismatches
    return [(place.start, place.end) for place in named or claim.spans]


def _span_f1(judged: Sequence[Judged]) -> float | None:
    """Return F1 over characters of the answers: flagged (`_flagged_places`) against labelled."""
    marked = [j for j in judged if j.labelled.spans is not None]
    both = either = 0
    for j in marked:
        flagged = {at for claim in j.result.claims for start, end in _flagged_places(claim) for at in range(start, end)}
        labelled = {at for bad in j.labelled.spans or () for at in range(bad.start, bad.end)}
        both += len(flagged & labelled)
        either += len(flagged) + len(labelled)
    return 2 * both / either if either else None
