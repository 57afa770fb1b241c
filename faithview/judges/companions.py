"""Answer relevance and context relevance without a model: do answer and chunks speak of what was asked?

Shown beside faithfulness and never mixed into it, so that a well-grounded answer to another question is seen. Words are
compared by their stems and weighted by how much they tell; that is all the embedded judge can see.
"""

from collections.abc import Mapping

from faithview.domain.sample import Sample
from faithview.judges.text.tokens import tokenize

ANSWER_RELEVANCE = "answer_relevance"
CONTEXT_RELEVANCE = "context_relevance"

# An answer need not repeat the question's words to answer it; half of their weight is all that can be expected.
_FULL_SHARE = 0.5


def companions(sample: Sample) -> Mapping[str, float]:
    """Return the relevance figures of an answer by name (see `metrics_by_name`); none without a question."""
    if not sample.question or not _weights(sample.question):
        return {}
    return metrics_by_name(
        answer=relevance(sample.question, sample.answer),
        chunks={chunk.chunk_id: relevance(sample.question, chunk.text) for chunk in sample.chunks},
    )


def metrics_by_name(*, answer: float, chunks: Mapping[str, float]) -> Mapping[str, float]:
    """Return relevance figures as a result's metrics.

    "answer_relevance", "context_relevance" (the mean over the chunks; left out without chunks), and
    "context_relevance[ID]" for each chunk.
    """
    named = {f"{CONTEXT_RELEVANCE}[{chunk_id}]": value for chunk_id, value in chunks.items()}
    mean = {CONTEXT_RELEVANCE: sum(chunks.values()) / len(chunks)} if chunks else {}
    return {ANSWER_RELEVANCE: answer, **mean, **named}


def relevance(question: str, text: str) -> float:
    """Return in [0, 1] how much of what the question asks about the text speaks of; 0 without a word in common."""
    asked = _weights(question)
    if not asked:
        return 0.0
    said = _weights(text)
    common = sum(weight for stem, weight in asked.items() if stem in said)
    return min(1.0, common / sum(asked.values()) / _FULL_SHARE)


def _weights(text: str) -> dict[str, float]:
    """Return the content words' stems with their weights."""
    return {token.word.stem: token.word.weight for token in tokenize(text) if token.word.is_content}
