"""Relevance metrics without a model: are the answer and the chunks about the question?

They are shown separately and never mixed into faithfulness: an answer to another question may be well supported. Words
are compared by their stems and weighted by inverse document frequency.
"""

from collections.abc import Mapping

from faithview.domain.sample import Sample
from faithview.judges.text.tokens import tokenize

ANSWER_RELEVANCE = "answer_relevance"
CONTEXT_RELEVANCE = "context_relevance"

# A good answer need not repeat all of the question's words: half of their weight counts as 1.
_FULL_SHARE = 0.5


def companions(sample: Sample) -> Mapping[str, float]:
    """Return the relevance metrics of an answer by name (see `metrics_by_name`); none without a question."""
    if not sample.question or not _weights(sample.question):
        return {}
    return metrics_by_name(
        answer=relevance(sample.question, sample.answer),
        chunks={chunk.chunk_id: relevance(sample.question, chunk.text) for chunk in sample.chunks},
    )


def metrics_by_name(*, answer: float, chunks: Mapping[str, float]) -> Mapping[str, float]:
    """Return relevance metrics under their names in a result.

    "answer_relevance", "context_relevance" (the mean over the chunks; left out without chunks), and
    "context_relevance[ID]" for each chunk.
    """
    named = {f"{CONTEXT_RELEVANCE}[{chunk_id}]": value for chunk_id, value in chunks.items()}
    mean = {CONTEXT_RELEVANCE: sum(chunks.values()) / len(chunks)} if chunks else {}
    return {ANSWER_RELEVANCE: answer, **mean, **named}


def relevance(question: str, text: str) -> float:
    """Return in [0, 1] how much of the question's words the text contains, by weight; 0 without a word in common."""
    asked = _weights(question)
    if not asked:
        return 0.0
    stems = _weights(text)
    common = sum(weight for stem, weight in asked.items() if stem in stems)
    return min(1.0, common / sum(asked.values()) / _FULL_SHARE)


def _weights(text: str) -> dict[str, float]:
    """Return the content words' stems with their weights."""
    return {token.word.stem: token.word.weight for token in tokenize(text) if token.word.is_content}
