"""The report on two runs: whether the difference is real, where it is, why, and which answers got worse.

If the runs have two versions of a knowledge base, it lists the changed documents, and the claims that rest on them.

"""

from collections.abc import Mapping, Sequence
from typing import Any

from faithview.domain.answer import AnswerDetail
from faithview.domain.certainty import Certainty
from faithview.domain.comparison import Change, ChunkChange
from faithview.domain.knowledge import DocumentChangeKind
from faithview.services.comparison.compare import compare_runs, get_pair
from faithview.services.comparison.compared_runs import Comparison, waterfall_steps
from faithview.services.container import Store
from faithview.services.knowledge.changes import (
    ChangedDocument,
    compare_knowledge,
    has_update,
    list_claims,
    load_passages,
)
from faithview.services.reports import ReportFormat
from faithview.services.reports.rendering import (
    Bar,
    Piece,
    Quoted,
    bars,
    dots,
    mark_changes,
    mark_claims,
    mark_evidence,
    mark_quotes,
    render,
)
from faithview.store.sources import ListedClaim
from faithview.wording import knowledge as words
from faithview.wording import numbers as fmt
from faithview.wording.causes import CAUSE_WORDS, CHUNK_CHANGE_WORDS, CLAIM_CHANGE_WORDS, why_words
from faithview.wording.comparison import places_of
from faithview.wording.knowledge import OUTCOME_WORDS, chunk_name
from faithview.wording.verdict_styles import claim_verdict_words, style_name

_MOST_DOCUMENTS = 100
_MOST_PASSAGES = 20
_MOST_CLAIMS = 50
_SHOWN_CHUNK_CHANGES = (ChunkChange.EDITED, ChunkChange.REMOVED, ChunkChange.ADDED)


def report_comparison(
    store: Store,
    baseline: str,
    candidate: str,
    *,
    file_format: ReportFormat = ReportFormat.HTML,
    with_texts: bool = True,
    limit: int = 500,
) -> str:
    """Return the report on two runs.

    Args:
        store: the store.
        baseline: the earlier run's id or unique name.
        candidate: the later run's id or unique name.
        file_format: HTML or Markdown.
        with_texts: show questions, answers, claims and chunks, not only figures and row keys.
        limit: the maximum number of answers to show in full; the report says how many more got worse.

    Raises:
        NotFound: there is no such run.
        InvalidInput: the runs cannot be compared.
    """
    comparison = compare_runs(store, baseline, candidate)
    difference = comparison.difference
    mean = difference.mean or 0.0
    segments = sorted(comparison.segments, key=lambda s: s.contribution if mean < 0 else -s.contribution)
    return render(
        "comparison.jinja",
        file_format,
        title=f"{comparison.baseline.name} → {comparison.candidate.name}",
        comparison=comparison,
        cause_words=CAUSE_WORDS,
        thresholds=fmt.thresholds(comparison.baseline.threshold, comparison.candidate.threshold),
        decimals=fmt.decimals_to_tell(difference.baseline or 0.0, difference.candidate or 0.0, mean),
        places=places_of(segments) if comparison.is_significant and len(segments) > 1 else [],
        why=why_words(comparison.causes, is_won=mean > 0) if comparison.is_significant else "",
        steps=list(zip(waterfall_steps(comparison), _waterfall(comparison), strict=True)),
        segments=list(zip(segments, dots([(s.difference, s.interval) for s in segments]), strict=True)),
        knowledge=_knowledge(store, comparison, with_texts=with_texts),
        regressed=comparison.worse,
        answers=[_to_shown_answer(store, comparison, one) for one in comparison.worse[:limit]] if with_texts else [],
        with_texts=with_texts,
    )


def _waterfall(comparison: Comparison) -> list[Bar]:
    """Return the bars of the steps; those of the two means begin where the axis does, below all steps."""
    steps = waterfall_steps(comparison)
    ends = [end for step in steps for end in (step.start, step.end)]
    floor = min(ends, default=0.0) - max(0.01, 0.08 * (max(ends, default=0.0) - min(ends, default=0.0)))
    starts = [floor if step.side is None else step.start for step in steps]
    return bars([(min(start, step.end), max(start, step.end), None) for start, step in zip(starts, steps, strict=True)])


def _knowledge(store: Store, comparison: Comparison, *, with_texts: bool) -> Mapping[str, Any] | None:
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
    return {
        "changed": changes.changed,
        "counts": words.document_counts(
            **{kind.value: len(changes.documents.of_kind(kind)) for kind in DocumentChangeKind},
            unchanged=changes.documents.unchanged,
        ),
        "sentences": [sentence for sentence in sentences if sentence],
        "notes": [note for note, is_fine in missing if not is_fine],
        "documents": [(one, _passages(store, one), _resting_claims(store, one)) for one in shown],
        "left_out": len(changes.changed) - len(shown) if with_texts else 0,
    }


def _passages(store: Store, one: ChangedDocument) -> list[tuple[str, str, list[Piece]]]:
    """Return the document's changed passages: the change, the name, and the text with the changed words marked."""
    shown = []
    for passage in load_passages(store, one.document, limit=_MOST_PASSAGES):
        text = passage.after if passage.after is not None else passage.before or ""
        change, pieces = ("added" if passage.before is None else "removed"), [Piece(text, "")]
        if passage.before is not None and passage.after is not None:
            change, pieces = "edited", mark_changes(passage.before, passage.after)
        shown.append((change, chunk_name(passage.chunk_id, text), pieces))
    return shown


def _resting_claims(store: Store, one: ChangedDocument) -> list[Mapping[str, Any]]:
    return [
        {
            "outcome": OUTCOME_WORDS[shown.claim.outcome.value],
            "key": shown.claim.key,
            "before": _resting_side(shown.before),
            "after": _resting_side(shown.after),
        }
        for shown in list_claims(store, one.claims[:_MOST_CLAIMS])
    ]


def _resting_side(claim: ListedClaim | None) -> Mapping[str, Any] | None:
    if claim is None or claim.verdict is None:
        return None
    return {
        "style": style_name(claim.verdict, claim.certainty),
        "words": "",
        "text": [Piece(claim.text, "")],
        "explanation": "",
        "evidence": [Quoted(chunk_id, [Piece(quote, "")]) for chunk_id, quote in claim.quotes[:2]],
    }


def _to_shown_answer(store: Store, comparison: Comparison, change: Change) -> Mapping[str, Any]:
    detail = get_pair(store, comparison, baseline_row=change.baseline_row, candidate_row=change.candidate_row)
    sides = ((detail.before, detail.certainties_before), (detail.after, detail.certainties_after))
    changed = {(pair.baseline, pair.candidate): CLAIM_CHANGE_WORDS[pair.change] for pair in detail.claims}
    claims = []
    for term in sorted((term for term in change.terms if term.is_of_claims), key=lambda term: term.value):
        before, after = (None if number is None else number - 1 for number in (term.baseline, term.candidate))
        claims.append(
            {
                "cause": CAUSE_WORDS[term.cause].name(is_won=term.value > 0),
                "value": term.value,
                "change": changed.get((before, after), ""),
                "before": None if before is None else _claim_side(before, *sides[0]),
                "after": None if after is None else _claim_side(after, *sides[1]),
            }
        )
    before_text, after_text = (
        mark_claims(side.sample.answer, side.result.claims, side.result.verdicts, certainties)
        for side, certainties in sides
    )
    chunks = []
    for pair in detail.chunks:
        old = None if pair.baseline is None else detail.before.sample.chunks[pair.baseline]
        new = None if pair.candidate is None else detail.after.sample.chunks[pair.candidate]
        chunk = new or old
        if chunk is not None and pair.change in _SHOWN_CHUNK_CHANGES:
            text = mark_changes(old.text, new.text) if old and new else mark_quotes(chunk.text, [])
            chunks.append((CHUNK_CHANGE_WORDS[pair.change], chunk.chunk_id, text))
    return {"change": change, "before": before_text, "after": after_text, "claims": claims, "chunks": chunks}


def _claim_side(at: int, answer: AnswerDetail, certainties: Sequence[Certainty]) -> Mapping[str, Any]:
    claim = answer.result.claims[at]
    return {
        "style": style_name(claim.verdict, certainties[at]),
        "words": claim_verdict_words(claim.verdict, certainties[at]),
        "text": [Piece(claim.text, "")],
        "explanation": claim.explanation,
        "evidence": mark_evidence(claim, answer.sample),
    }
