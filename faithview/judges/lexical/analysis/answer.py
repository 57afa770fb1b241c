"""An answer read beside its chunks: its claims, what comparing them finds, and their figures."""

from dataclasses import dataclass

from faithview.domain.sample import Sample
from faithview.judges.lexical.analysis.claim import compare
from faithview.judges.lexical.comparison.comparison import Comparison
from faithview.judges.lexical.records.view import RecordView
from faithview.judges.lexical.retrieval.index import Context
from faithview.judges.lexical.scoring.claim_view import AnswerView, ClaimView, share_of_words_found
from faithview.judges.lexical.scoring.refusal_features import denial_figures
from faithview.judges.lexical.splitting.citations import find_citations
from faithview.judges.lexical.splitting.claims import SplitAnswer, split_answer
from faithview.judges.text.tokens import tokenize

# What a conflict with a well aligned sentence leaves of the support: on labelled answers a conflict is right in every
# third case only, so that it must not outrank everything else.
_MOST_SUPPORT_IN_CONFLICT = 0.4


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The claims of an answer; `comparisons` are in the claims' order, and `view` is what a model judges.

    Comparisons point into `split.reading`.

    `beside` is what is known of the answer besides its claims' scores, in the order of `pooling.BESIDE`.
    """

    split: SplitAnswer
    context: Context
    comparisons: list[Comparison]
    view: AnswerView
    beside: tuple[float, ...]


def read_answer(sample: Sample, split: SplitAnswer | None = None) -> Reading:
    """Compare every claim of an answer with its chunks.

    Args:
        sample: the answer with its chunks.
        split: the answer's claims, at least one, where the caller has them already.
    """
    split = split or split_answer(sample.answer, sample.question)
    context = Context(sample.chunks, sample.question)
    records = RecordView(context)
    comparisons, claims = [], []
    citations = find_citations(sample.answer, split.claims)
    for claim, place, cited in zip(split.claims, split.places(), citations, strict=True):
        comparison = compare(split.reading, *place, records)
        comparisons.append(comparison)
        text = split.reading[slice(*place)]
        claims.append(ClaimView(comparison, context, text, cited, is_item=claim.is_item))
    view = AnswerView(claims, context, refusals=len(split.refusals))
    words_found = share_of_words_found([token for c in comparisons for token in c.tokens], context)
    beside = (words_found, *denial_figures(sample.answer, split.refusals, context))
    return Reading(split=split, context=context, comparisons=comparisons, view=view, beside=beside)


# An answer that claims nothing is at best neither faithful nor unfaithful.
_MOST_WITHOUT_CLAIMS = 0.5


def score_without_claims(sample: Sample, split: SplitAnswer) -> float:
    """Return the answer score of an answer that has no claims.

    A refusal is as faithful as can be. Of a question or of small talk nothing is known but how many of its words the
    chunks hold: none of them makes 0, all of them 0.5.
    """
    if split.refusals:
        return 1.0
    share = share_of_words_found(tokenize(sample.answer), Context(sample.chunks, sample.question))
    return round(_MOST_WITHOUT_CLAIMS * share, 6)


def is_denied(comparison: Comparison) -> bool:
    """Return whether something is against the claim: a conflict, a field left open, or another operator."""
    return comparison.conflict is not None or comparison.untold is not None or comparison.has_other_operator


def support_of(probability: float, *, in_conflict: bool) -> float:
    """Return a claim's support score: the model's probability, of which a conflict leaves less than half."""
    return round(probability * _MOST_SUPPORT_IN_CONFLICT, 6) if in_conflict else probability
