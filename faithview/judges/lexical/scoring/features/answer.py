"""Where in its answer a claim stands, and what the answer is like as a whole."""

from math import log1p

from faithview.judges.lexical.scoring.claim_view import AnswerView, ClaimInAnswer
from faithview.judges.lexical.scoring.feature import Family, answer_feature, place_feature


@place_feature()
def place(place: ClaimInAnswer) -> float:
    """Where the claim stands, from 0 for the first to 1 for the last."""
    return place.number / max(1, place.answer.count - 1)


@place_feature(cap=10)
def from_end(place: ClaimInAnswer) -> float:
    """How many claims come after it."""
    return place.answer.count - 1 - place.number


@place_feature()
def is_last(place: ClaimInAnswer) -> float:
    """Whether it is the last claim."""
    return place.number == place.answer.count - 1


@answer_feature()
def claims(answer: AnswerView) -> float:
    """The logarithm of how many claims the answer has."""
    return log1p(answer.count)


@answer_feature(cap=3)
def refusals(answer: AnswerView) -> float:
    """How often the answer says that the context does not tell."""
    return answer.refusals


@answer_feature()
def answer_words(answer: AnswerView) -> float:
    """The logarithm of how many words its claims have."""
    return log1p(answer.words)


@answer_feature()
def context_words(answer: AnswerView) -> float:
    """The logarithm of how many words the chunks have."""
    return log1p(answer.context.size)


@answer_feature(cap=20)
def chunks(answer: AnswerView) -> float:
    """How many chunks there are."""
    return len(answer.context.texts)


@answer_feature()
def compression(answer: AnswerView) -> float:
    """The logarithm of how many words the answer has for one of the chunks."""
    return log1p(answer.words / (answer.context.size or 1))


@answer_feature()
def has_question(answer: AnswerView) -> float:
    """Whether there is a question."""
    return bool(answer.context.question_words)


@answer_feature()
def question_words(answer: AnswerView) -> float:
    """The logarithm of how many words the question has."""
    return log1p(len(answer.context.question_words))


@answer_feature()
def items_share(answer: AnswerView) -> float:
    """The share of the claims that stand in lists."""
    return sum(float(claim.is_item) for claim in answer.claims) / answer.count


@answer_feature()
def mean_missing(answer: AnswerView) -> float:
    """What the claims miss on average."""
    return sum(answer.missing) / answer.count


@answer_feature()
def most_missing(answer: AnswerView) -> float:
    """What the claim with most missing misses."""
    return max(answer.missing)


@answer_feature()
def mean_recall(answer: AnswerView) -> float:
    """The share of a claim that its best window holds, on average."""
    return sum(answer.recall) / answer.count


@answer_feature()
def lowest_recall(answer: AnswerView) -> float:
    """The lowest such share."""
    return min(answer.recall)


@answer_feature()
def mean_copy(answer: AnswerView) -> float:
    """The share of word pairs that stand so in a chunk, on average."""
    return sum(claim.word_pair_recall for claim in answer.claims) / answer.count


FAMILY = Family(
    name="answer",
    features=(
        place,
        from_end,
        is_last,
        claims,
        refusals,
        answer_words,
        context_words,
        chunks,
        compression,
        has_question,
        question_words,
        items_share,
        mean_missing,
        most_missing,
        mean_recall,
        lowest_recall,
        mean_copy,
    ),
)
