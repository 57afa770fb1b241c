"""The report on two runs: whether the difference is real, where it is, why, and which answers got worse.

If the runs have two versions of a knowledge base, it lists the changed documents, and the claims that rest on them.

"""

from collections.abc import Sequence
from dataclasses import dataclass

from faithview.domain.answer import AnswerDetail
from faithview.domain.certainty import Certainty
from faithview.domain.comparison import Change, ChunkChange
from faithview.domain.knowledge import DocumentChangeKind
from faithview.domain.scoring import Interval
from faithview.services.comparison.compare import PairDetail, compare_runs, get_pair
from faithview.services.comparison.compared_runs import Comparison
from faithview.services.container import Store
from faithview.services.knowledge.changes import (
    ChangedDocument,
    KnowledgeChanges,
    ShownClaim,
    compare_knowledge,
    has_update,
    list_claims,
    load_passages,
)
from faithview.services.reports.rendering import (
    Piece,
    Quoted,
    dots,
    mark_changes,
    mark_claims,
    mark_evidence,
    mark_quotes,
    render,
    waterfall,
)
from faithview.stats.paired import PairedDifference
from faithview.wording import knowledge as words
from faithview.wording import numbers as fmt
from faithview.wording.causes import CAUSE_WORDS, CHUNK_CHANGE_WORDS, CLAIM_CHANGE_WORDS, why_words
from faithview.wording.comparison import places_of
from faithview.wording.knowledge import OUTCOME_WORDS, chunk_name
from faithview.wording.verdict_styles import claim_verdict_words, style_name

_MOST_DOCUMENTS = 100
_MOST_PASSAGES = 20
_MOST_CLAIMS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class _RestingSide:
    style: str
    text: str
    quotes: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _RestingClaim:
    outcome: str
    key: str
    before: _RestingSide | None
    after: _RestingSide | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Document:
    one: ChangedDocument
    passages: Sequence[tuple[str, str, list[Piece]]]
    claims: Sequence[_RestingClaim]


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgePart:
    """The report's part on the knowledge base; `documents` have their texts if the report has texts."""

    changes: KnowledgeChanges
    counts: str
    sentences: Sequence[str]
    notes: Sequence[str]
    documents: Sequence[_Document]
    left_out: int


def knowledge_part(store: Store, comparison: Comparison, *, with_texts: bool) -> KnowledgePart | None:
    """Return the report's part on the knowledge base; None if both runs used one version, or no version is known."""
    if not has_update(comparison):
        return None
    changes = compare_knowledge(store, comparison.baseline.run_id, comparison.candidate.run_id)
    shown = changes.changed[:_MOST_DOCUMENTS] if with_texts else ()
    sentences = (
        words.broken_sentence(touching=changes.broken_touching, resting=changes.broken, all_broken=changes.all_broken),
        words.fixed_sentence(fixed=changes.fixed, all_fixed=changes.all_fixed),
        words.counted_on(changes.pairs),
    )
    missing = ((words.SEEN_ONLY, changes.is_stored), (words.INCOMPLETE, changes.documents.is_complete))
    return KnowledgePart(
        changes=changes,
        counts=words.document_counts(
            **{kind.value: len(changes.documents.of_kind(kind)) for kind in DocumentChangeKind},
            unchanged=changes.documents.unchanged,
        ),
        sentences=[sentence for sentence in sentences if sentence],
        notes=[note for note, is_fine in missing if not is_fine],
        documents=[_document(store, one) for one in shown],
        left_out=len(changes.changed) - len(shown) if with_texts else 0,
    )


def _document(store: Store, one: ChangedDocument) -> _Document:
    passages = []
    for passage in load_passages(store, one.document, limit=_MOST_PASSAGES):
        text = passage.after if passage.after is not None else passage.before or ""
        if passage.before is not None and passage.after is not None:
            change, pieces = "edited", mark_changes(passage.before, passage.after)
        else:
            change, pieces = ("added" if passage.before is None else "removed"), [Piece(text, "")]
        passages.append((change, chunk_name(passage.chunk_id, text), pieces))
    claims = list_claims(store, one.claims[:_MOST_CLAIMS])
    return _Document(one=one, passages=passages, claims=[_to_resting_claim(shown) for shown in claims])


def _to_resting_claim(shown: ShownClaim) -> _RestingClaim:
    before, after = (
        None
        if side is None or side.verdict is None
        else _RestingSide(style=style_name(side.verdict, side.certainty), text=side.text, quotes=side.quotes[:2])
        for side in (shown.before, shown.after)
    )
    return _RestingClaim(
        outcome=OUTCOME_WORDS[shown.claim.outcome.value], key=shown.claim.key, before=before, after=after
    )


_SHOWN_CHUNK_CHANGES = (ChunkChange.EDITED, ChunkChange.REMOVED, ChunkChange.ADDED)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Side:
    style: str
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
    store: Store,
    baseline: str,
    candidate: str,
    *,
    with_texts: bool = True,
    limit: int = 500,
) -> str:
    """Return the report on two runs as HTML.

    Args:
        store: the store.
        baseline: the earlier run's id or unique name.
        candidate: the later run's id or unique name.
        with_texts: show questions, answers, claims and chunks, not only figures and row keys.
        limit: the maximum number of answers to show in full; the report says how many more got worse.

    Raises:
        NotFound: there is no such run.
        InvalidInput: the runs cannot be compared.
    """
    comparison = compare_runs(store, baseline, candidate)
    regressed = [change for change in comparison.changes if (change.difference or 0.0) < 0]
    answers = [_to_shown_answer(store, comparison, change) for change in regressed[:limit]] if with_texts else []
    mean = comparison.difference.mean or 0.0
    segments = sorted(
        comparison.segments, key=lambda segment: segment.contribution if mean < 0 else -segment.contribution
    )
    return render(
        "comparison.html",
        title=f"{comparison.baseline.name} → {comparison.candidate.name}",
        comparison=comparison,
        cause_words=CAUSE_WORDS,
        thresholds=fmt.thresholds(comparison.baseline.threshold, comparison.candidate.threshold),
        waterfall=waterfall(comparison),
        segments=segments,
        places=places_of(segments) if comparison.is_significant and len(segments) > 1 else [],
        decimals=_decimals(comparison.difference),
        why=why_words(comparison.causes, is_won=mean > 0) if comparison.is_significant else "",
        segment_dots=dots([_segment_row(s.segment, s.difference, s.interval) for s in segments], is_difference=True),
        regressed=regressed,
        knowledge=knowledge_part(store, comparison, with_texts=with_texts),
        answers=answers,
        with_texts=with_texts,
    )


def _decimals(difference: PairedDifference) -> int:
    if difference.baseline is None or difference.candidate is None:
        return 2
    return fmt.decimals_to_tell(difference.baseline, difference.candidate, difference.mean)


def _segment_row(name: str | None, value: float, interval: Interval | None) -> tuple[str, float, Interval | None]:
    return name or "(no segment)", value, interval


def _to_shown_answer(store: Store, comparison: Comparison, change: Change) -> _Answer:
    detail = get_pair(store, comparison, baseline_row=change.baseline_row, candidate_row=change.candidate_row)
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
                before=None if b is None else _answer_side(before, b, detail.certainties_before),
                after=None if c is None else _answer_side(after, c, detail.certainties_after),
            )
        )
    return _Answer(
        change=change,
        detail=detail,
        before=mark_claims(
            before.sample.answer, before.result.claims, before.result.verdicts, detail.certainties_before
        ),
        after=mark_claims(after.sample.answer, after.result.claims, after.result.verdicts, detail.certainties_after),
        claims=claims,
        chunks=_changed_chunks(detail),
    )


def _answer_side(answer: AnswerDetail, at: int, certainties: Sequence[Certainty]) -> _Side:
    claim = answer.result.claims[at]
    return _Side(
        style=style_name(claim.verdict, certainties[at]),
        words=claim_verdict_words(claim.verdict, certainties[at]),
        text=claim.text,
        explanation=claim.explanation,
        evidence=mark_evidence(claim, answer.sample),
    )


def _changed_chunks(detail: PairDetail) -> list[tuple[str, str, list[Piece]]]:
    """Return the changed chunks: the change, the id, and the text with the changed words marked."""
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
