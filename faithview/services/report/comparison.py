"""The report on two runs: is the difference real, where is it, why, and which answers got worse."""

from collections.abc import Sequence
from dataclasses import dataclass

from faithview.domain.claim import Verdict
from faithview.domain.comparison import Change, ChunkChange
from faithview.domain.scoring import Interval
from faithview.domain.views import AnswerDetail, View
from faithview.services.comparison.compare import compare_runs
from faithview.services.comparison.comparison import Comparison
from faithview.services.comparison.pair_detail import PairDetail, get_pair
from faithview.services.container import Services
from faithview.services.report.figures import dots, waterfall
from faithview.services.report.highlights import Piece, Quoted, mark_changes, mark_claims, mark_evidence, mark_quotes
from faithview.services.report.knowledge import knowledge_part
from faithview.services.report.rendering import render
from faithview.stats.paired import PairedDifference
from faithview.wording import numbers as fmt
from faithview.wording.causes import CAUSE_WORDS, why_words
from faithview.wording.changes import CHUNK_CHANGE_WORDS, CLAIM_CHANGE_WORDS
from faithview.wording.corrected import WHILE_LABELLING
from faithview.wording.segment_shares import places_of
from faithview.wording.verdicts import claim_verdict_words, verdict_word

_SHOWN_CHUNK_CHANGES = (ChunkChange.EDITED, ChunkChange.REMOVED, ChunkChange.ADDED)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Side:
    verdict: Verdict | None
    words: str
    text: str
    explanation: str
    evidence: Sequence[Quoted]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Claim:
    cause: str
    value: float
    change: str
    before: _Side | None
    after: _Side | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    change: Change
    detail: PairDetail
    before: list[Piece]
    after: list[Piece]
    claims: list[_Claim]
    chunks: list[tuple[str, str, list[Piece]]]


def report_comparison(
    services: Services,
    baseline: str,
    candidate: str,
    *,
    view: View = View.JUDGE,
    with_texts: bool = True,
    limit: int = 500,
) -> str:
    """Return the report on two runs as HTML.

    Args:
        services: FaithView.
        baseline: the earlier run's id or unique name.
        candidate: the later run's id or unique name.
        view: whose verdicts count.
        with_texts: show questions, answers, claims and chunks, not only figures and row keys.
        limit: the most answers to show in full; the report says how many more got worse.

    Raises:
        NotFound: there is no such run.
        InvalidInput: the runs cannot be compared.
    """
    comparison = compare_runs(services, baseline, candidate, view=view)
    regressed = [change for change in comparison.changes if (change.difference or 0.0) < 0]
    answers = [_answer(services, comparison, change) for change in regressed[:limit]] if with_texts else []
    mean = comparison.difference.mean or 0.0
    segments = sorted(
        comparison.segments, key=lambda segment: segment.contribution if mean < 0 else -segment.contribution
    )
    is_conclusive = comparison.is_significant and not comparison.is_judge_noise
    return render(
        "comparison.html",
        title=f"{comparison.baseline.name} → {comparison.candidate.name}",
        comparison=comparison,
        cause_words=CAUSE_WORDS,
        thresholds=fmt.thresholds(comparison.baseline.threshold, comparison.candidate.threshold),
        while_labelling=WHILE_LABELLING,
        waterfall=waterfall(comparison),
        segments=segments,
        places=places_of(segments) if is_conclusive and len(segments) > 1 else [],
        decimals=_decimals(comparison.difference),
        why=why_words(comparison.causes, is_won=mean > 0) if is_conclusive else "",
        segment_dots=dots([_segment_row(s.segment, s.difference, s.interval) for s in segments], is_difference=True),
        regressed=regressed,
        knowledge=knowledge_part(services, comparison, with_texts=with_texts),
        answers=answers,
        with_texts=with_texts,
    )


def _decimals(difference: PairedDifference) -> int:
    if difference.baseline is None or difference.candidate is None:
        return 2
    return fmt.decimals_to_tell(difference.baseline, difference.candidate, difference.mean)


def _segment_row(name: str | None, value: float, interval: Interval | None) -> tuple[str, float, Interval | None]:
    return name or "(no segment)", value, interval


def _answer(services: Services, comparison: Comparison, change: Change) -> _Answer:
    detail = get_pair(services, comparison, baseline_row=change.baseline_row, candidate_row=change.candidate_row)
    before, after = detail.before, detail.after
    words = {(pair.baseline, pair.candidate): CLAIM_CHANGE_WORDS[pair.change] for pair in detail.claims}
    claims = []
    for term in sorted((term for term in change.terms if term.is_of_claims), key=lambda term: term.value):
        b = None if term.baseline is None else term.baseline - 1
        c = None if term.candidate is None else term.candidate - 1
        claims.append(
            _Claim(
                cause=CAUSE_WORDS[term.cause].name(is_won=term.value > 0),
                value=term.value,
                change=words.get((b, c), ""),
                before=None
                if b is None
                else _side(detail.before, b, detail.verdicts_before, detail.confidences_before, detail.added_before),
                after=None
                if c is None
                else _side(detail.after, c, detail.verdicts_after, detail.confidences_after, detail.added_after),
            )
        )
    return _Answer(
        change=change,
        detail=detail,
        before=mark_claims(before.sample.answer, before.result.claims, detail.verdicts_before),
        after=mark_claims(after.sample.answer, after.result.claims, detail.verdicts_after),
        claims=claims,
        chunks=_chunks(detail),
    )


def _side(
    answer: AnswerDetail,
    at: int,
    verdicts: Sequence[Verdict | None],
    confidences: Sequence[float | None],
    missed: Sequence[str],
) -> _Side:
    claims, verdict = answer.result.claims, verdicts[at]
    if at >= len(claims):
        return _Side(
            verdict=verdict,
            words=verdict_word(verdict),
            text=missed[at - len(claims)],
            explanation="found by a person",
            evidence=[],
        )
    claim = claims[at]
    return _Side(
        verdict=verdict,
        words=verdict_word(None) if verdict is None else claim_verdict_words(verdict, confidences[at]),
        text=claim.text,
        explanation=claim.explanation,
        evidence=mark_evidence(claim, answer.sample),
    )


def _chunks(detail: PairDetail) -> list[tuple[str, str, list[Piece]]]:
    """Return the chunks that changed: the change, the id, and the text with the changed words marked."""
    before, after = detail.before.sample.chunks, detail.after.sample.chunks
    shown = []
    for pair in detail.chunks:
        if pair.change not in _SHOWN_CHUNK_CHANGES:
            continue
        old = None if pair.baseline is None else before[pair.baseline]
        new = None if pair.candidate is None else after[pair.candidate]
        chunk = new or old
        if chunk is None:
            continue
        text = mark_changes(old.text, new.text) if old and new else mark_quotes(chunk.text, [])
        shown.append((CHUNK_CHANGE_WORDS[pair.change], chunk.chunk_id, text))
    return shown
