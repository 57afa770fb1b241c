"""From a comparison and a probability to a verdict with its reasons."""

from collections.abc import Sequence
from typing import NamedTuple

from faithview.domain.claim import (
    Claim,
    ClaimType,
    Evidence,
    HallucinationType,
    Importance,
    Mismatch,
    Severity,
    Verdict,
)
from faithview.domain.sample import Sample
from faithview.domain.spans import Span
from faithview.judges.lexical.comparing.comparison import Comparison, Conflict, ConflictKind, share_found
from faithview.judges.lexical.passages.index import Context
from faithview.judges.lexical.scoring.model import Cuts
from faithview.judges.lexical.verdicts.explanations import Quote, collect_quotes, correction_of, explain
from faithview.judges.text.lexicon import word_set

# More boxes than this in one claim point at nothing.
_MOST = 5


def find_mismatches(sample: Sample, comparison: Comparison) -> tuple[Mismatch, ...]:
    """Return the words of a claim that is not supported.

    They are both sides of a conflict; else the values and names that no chunk has; else its other words
    that no chunk has, the rarest first.
    """
    if comparison.conflict is not None:
        return (_sides(sample, comparison.conflict),)
    details = [(name.start, name.end) for name in comparison.missing_names]
    details += [(value.start, value.end) for value in comparison.missing_values]
    ranked = sorted(comparison.missing, key=lambda token: (-token.word.weight, token.start))
    places = details or [(token.start, token.end) for token in ranked]
    return tuple(Mismatch(start, end) for start, end in sorted(set(places[:_MOST])))


def _sides(sample: Sample, conflict: Conflict) -> Mismatch:
    start, end = conflict.claim_span
    chunk_start, chunk_end = conflict.passage_span
    if chunk_start >= chunk_end:
        return Mismatch(start, end)
    return Mismatch(start, end, sample.chunks[conflict.passage.chunk].chunk_id, chunk_start, chunk_end)


# Of a claim with this share of its words found, the missing name or value is a part and not the whole.
_MOSTLY_FOUND = 0.6


class Decision(NamedTuple):
    """A claim `[start, end)` of the answer with everything that is said of it; `support` is its support score."""

    start: int
    end: int
    support: float
    verdict: Verdict
    confidence: float
    explanation: str
    correction: str | None
    hallucination_type: HallucinationType | None
    severity: Severity | None
    claim_type: ClaimType
    importance: Importance
    quotes: tuple[Quote, ...]
    chunk_ids: tuple[str, ...]
    mismatches: tuple[Mismatch, ...] = ()

    def to_claim(self, text: str, span: Span) -> Claim:
        """Return the claim with its place in the answer."""
        return Claim(
            text=text,
            verdict=self.verdict,
            spans=(span,),
            confidence=self.confidence,
            support_score=self.support,
            explanation=self.explanation,
            claim_type=self.claim_type,
            importance=self.importance,
            hallucination_type=self.hallucination_type,
            severity=self.severity,
            correction=self.correction,
            supporting_chunk_ids=self.chunk_ids,
            evidence=tuple(
                Evidence(chunk_id=quote.chunk_id, quote=quote.text, span=quote.span) for quote in self.quotes
            ),
            mismatches=self.mismatches,
        )


def decide(
    sample: Sample, comparison: Comparison, context: Context, support: float, cuts: Cuts, *, is_weak: bool
) -> Decision:
    """Decide on one claim.

    A value, name or negation that conflicts with a well aligned sentence makes it contradicted. It is supported where
    its score says so, no name or value is missing, and it is none of the weakest claims of a doubtful answer
    (`is_weak`). Else it is partially supported where part of it is found, and not mentioned where not.
    """
    recall = recall_of(comparison, context)
    verdict = _verdict(comparison, support, recall, cuts, is_weak=is_weak)
    quotes = () if verdict is Verdict.NOT_MENTIONED else collect_quotes(sample, comparison, context)
    return Decision(
        start=comparison.start,
        end=comparison.end,
        support=support,
        verdict=verdict,
        confidence=_confidence(comparison, verdict, support),
        explanation=explain(sample, comparison, verdict, quotes),
        correction=correction_of(sample, comparison),
        hallucination_type=_hallucination_type(comparison, verdict, recall),
        severity=_severity(comparison, verdict),
        claim_type=_claim_type(comparison),
        importance=_importance(comparison),
        quotes=quotes,
        chunk_ids=tuple(dict.fromkeys(quote.chunk_id for quote in quotes)),
        mismatches=() if verdict is Verdict.SUPPORTED else find_mismatches(sample, comparison),
    )


def _verdict(comparison: Comparison, support: float, recall: float, cuts: Cuts, *, is_weak: bool) -> Verdict:
    if comparison.conflict is not None:
        return Verdict.CONTRADICTED
    if comparison.untold is not None:
        return Verdict.NOT_MENTIONED
    if comparison.near is not None and comparison.near.difference is not None and comparison.has_other_operator:
        return comparison.near.difference.verdict
    if not comparison.windows:
        return Verdict.NOT_MENTIONED  # what only the question says is not in the chunks
    has_all_details = not (comparison.missing_names or comparison.missing_values)
    if support >= cuts.supported and has_all_details and not is_weak:
        return Verdict.SUPPORTED
    is_partly_found = is_mentioned(recall, support, unsupported=cuts.unsupported)
    return Verdict.PARTIALLY_SUPPORTED if is_partly_found else Verdict.NOT_MENTIONED


def is_mentioned(recall: float, support: float, *, unsupported: float) -> bool:
    """Return whether a claim that is not supported is found in part; it is not mentioned otherwise.

    Args:
        recall: the share of its weight that its best place holds (`recall_of`).
        support: its support score.
        unsupported: the score below which more of it has to be found.
    """
    return recall >= (_MOSTLY_FOUND if support < unsupported else _PARTLY_FOUND)


def recall_of(comparison: Comparison, context: Context) -> float:
    """Return the share of the claim's weight that its best place holds; the question's words count as held."""
    if not comparison.windows:
        return 0.0
    held = comparison.windows[0].stems | context.question_stems
    return max(comparison.windows[0].recall, share_found(comparison.tokens, held, [])[0])


# Below this share of its words in one place, no part of the claim is really found.
_PARTLY_FOUND = 0.45


def _confidence(comparison: Comparison, verdict: Verdict, support: float) -> float:
    if verdict is Verdict.SUPPORTED:
        return support
    if verdict is Verdict.CONTRADICTED:
        return 0.85 if comparison.conflict is not None and comparison.conflict.kind is ConflictKind.VALUE else 0.7
    if verdict is Verdict.PARTIALLY_SUPPORTED:
        # Right in the middle of the scale it is most certainly neither.
        return max(0.3, 1 - abs(2 * support - 0.7))
    return 1 - support


# Conflicts in which the chunks have all parts of the claim, but put together in another way.
_MIXED_UP = frozenset({ConflictKind.ROLES, ConflictKind.SUBJECT})


def _hallucination_type(comparison: Comparison, verdict: Verdict, recall: float) -> HallucinationType | None:
    if verdict is Verdict.SUPPORTED:
        return None
    if verdict is Verdict.CONTRADICTED:
        is_swap = comparison.conflict is not None and comparison.conflict.kind in _MIXED_UP
        return HallucinationType.CONFLATION if is_swap else HallucinationType.CONTRADICTION
    if comparison.missing_names or comparison.missing_values or not comparison.windows:
        return HallucinationType.FABRICATION
    has_all_words = not comparison.missing
    if has_all_words and recall < _MOSTLY_FOUND:
        return HallucinationType.CONFLATION  # every word is in the chunks, but nowhere together
    return HallucinationType.EXTRAPOLATION if recall >= _PARTLY_FOUND else HallucinationType.FABRICATION


def _severity(comparison: Comparison, verdict: Verdict) -> Severity | None:
    if verdict is Verdict.SUPPORTED:
        return None
    if verdict is Verdict.CONTRADICTED:
        return Severity.HIGH
    has_detail = bool(comparison.missing_names or comparison.missing_values)
    if verdict is Verdict.NOT_MENTIONED:
        return Severity.HIGH if has_detail else Severity.MEDIUM
    return Severity.MEDIUM if has_detail else Severity.LOW


_OPINION = word_set("best worst great good amazing wonderful recommend should believe think feel ideal perfect")
_DEFINING = frozenset({"is", "are", "means", "refers"})


def _claim_type(comparison: Comparison) -> ClaimType:
    lowers = [t.word.lower for t in comparison.tokens]
    if not comparison.values and not _OPINION.isdisjoint(lowers):
        return ClaimType.OPINION
    if _is_definition(lowers):
        return ClaimType.DEFINITION
    return ClaimType.FACTUAL


def _is_definition(lowers: Sequence[str]) -> bool:
    return any(
        lower in _DEFINING and 0 < at <= 4 and lowers[at + 1 : at + 2] in (["a"], ["an"], ["the"], ["to"])
        for at, lower in enumerate(lowers)
    )


def _importance(comparison: Comparison) -> Importance:
    if comparison.values or comparison.names:
        return Importance.HIGH
    content = sum(t.word.is_content for t in comparison.tokens)
    return Importance.MEDIUM if content >= 4 else Importance.LOW
