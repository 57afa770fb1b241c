"""Figures of a claim in its answer: its place, citations, fields, names and values, and the claims around it."""

from collections.abc import Sequence
from math import log1p

from faithview.judges.lexical.scoring.claim_view import (
    AnswerView,
    ClaimInAnswer,
    ClaimView,
    Family,
    answer_feature,
    claim_feature,
    place_feature,
)


@place_feature()
def place(place: ClaimInAnswer) -> float:
    """The claim's place, from 0 for the first to 1 for the last."""
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
    """The share of the claims that are in lists."""
    return sum(float(claim.is_item) for claim in answer.claims) / answer.count


@answer_feature()
def mean_missing(answer: AnswerView) -> float:
    """The claims' missing share on average."""
    return sum(answer.missing) / answer.count


@answer_feature()
def most_missing(answer: AnswerView) -> float:
    """The missing share of the claim with the most missing."""
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
    """The average share of word pairs that are also neighbours in a chunk."""
    return sum(claim.word_pair_recall for claim in answer.claims) / answer.count


ANSWER = Family(
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


@claim_feature(cap=3)
def cited(claim: ClaimView) -> float:
    """How many chunks it cites."""
    return len(claim.cited.own)


@claim_feature()
def cited_beyond(claim: ClaimView) -> float:
    """Whether it cites a chunk that is not there."""
    return any(not 1 <= number <= len(claim.context.texts) for number in claim.cited.own)


@claim_feature()
def cited_behind_best(claim: ClaimView) -> float:
    """How much less of it the best chunk that it cites says than the best of all."""
    return _behind_best(claim, claim.cited.own)


@claim_feature()
def cited_without(claim: ClaimView) -> float:
    """How much less of it the chunks that it cites say than all chunks."""
    return _without(claim, claim.cited.own)


@claim_feature(cap=3)
def carried(claim: ClaimView) -> float:
    """How many chunks it takes over from the citation of another claim."""
    return len(claim.cited.carried)


@claim_feature()
def carried_behind_best(claim: ClaimView) -> float:
    """How much less of it the best of those says than the best of all."""
    return _behind_best(claim, claim.cited.carried)


@claim_feature()
def carried_without(claim: ClaimView) -> float:
    """How much less of it those say than all chunks."""
    return _without(claim, claim.cited.carried)


@claim_feature()
def best_chunk(claim: ClaimView) -> float:
    """How much of it the best chunk says."""
    _, _, shares, _, total = claim.chunk_shares
    return max(shares) / total if shares else 0.0


@claim_feature()
def second_chunk(claim: ClaimView) -> float:
    """How much of it the second-best chunk says."""
    _, _, shares, _, total = claim.chunk_shares
    return sorted(shares)[-2] / total if len(shares) > 1 else 0.0


def _behind_best(claim: ClaimView, numbers: Sequence[int]) -> float:
    """Return how much less of the claim the best of these chunks, counted from 1, says than the best of all."""
    _, _, shares, _, total = claim.chunk_shares
    places = _places(numbers, shares)
    return (max(shares) - max(shares[place] for place in places)) / total if places else 0.0


def _without(claim: ClaimView, numbers: Sequence[int]) -> float:
    """Return how much less of the claim these chunks say together than all chunks do."""
    weights, chunks_with, shares, known, total = claim.chunk_shares
    places = _places(numbers, shares)
    if not places:
        return 0.0
    return (known - sum(w for stem, w in weights.items() if not places.isdisjoint(chunks_with[stem]))) / total


def _places(numbers: Sequence[int], shares: Sequence[int]) -> set[int]:
    return {number - 1 for number in numbers if 1 <= number <= len(shares)}


CITATIONS = Family(
    name="citations",
    features=(
        cited,
        cited_beyond,
        cited_behind_best,
        cited_without,
        carried,
        carried_behind_best,
        carried_without,
        best_chunk,
        second_chunk,
    ),
)


@claim_feature(cap=4)
def fields_agreed(claim: ClaimView) -> float:
    """How many fields it has right."""
    return claim.comparison.fields.agreed


@claim_feature(cap=4)
def fields_against(claim: ClaimView) -> float:
    """How many fields it has wrong."""
    return claim.comparison.fields.against


@claim_feature(cap=4)
def fields_untold(claim: ClaimView) -> float:
    """How many fields that it tells of are left open."""
    return claim.comparison.fields.untold


FIELDS = Family(
    name="fields",
    features=(
        fields_agreed,
        fields_against,
        fields_untold,
    ),
)


@claim_feature(cap=4)
def names(claim: ClaimView) -> float:
    """How many names there are."""
    return len(claim.comparison.names)


@claim_feature(cap=4)
def missing_names(claim: ClaimView) -> float:
    """How many names no chunk holds."""
    return len(claim.comparison.missing_names)


@claim_feature(cap=3)
def names_not_in_window(claim: ClaimView) -> float:
    """How many names the best window does not hold."""
    return sum([not claim.window_stems.intersection(name.stems) for name in claim.comparison.names])


@claim_feature(cap=6)
def values(claim: ClaimView) -> float:
    """How many values there are."""
    return len(claim.comparison.values)


@claim_feature(cap=4)
def missing_values(claim: ClaimView) -> float:
    """How many values no chunk holds."""
    return len(claim.comparison.missing_values)


@claim_feature(cap=4)
def values_not_in_window(claim: ClaimView) -> float:
    """How many values the chunks hold, but not in the best window."""
    comparison = claim.comparison
    if not comparison.windows or not comparison.values:
        return 0
    window = comparison.windows[0]
    words = {t.word.stem for p in claim.context.passages[window.first : window.last + 1] for t in p.tokens}
    missing = {value.start for value in comparison.missing_values}
    stems = {t.start: t.word.stem for t in comparison.tokens}
    return sum([value.start not in missing and stems.get(value.start, "") not in words for value in comparison.values])


@claim_feature()
def has_conflict(claim: ClaimView) -> float:
    """Whether something in the chunks contradicts it."""
    return claim.comparison.conflict is not None


NAMES_AND_VALUES = Family(
    name="names_and_values",
    features=(
        names,
        missing_names,
        names_not_in_window,
        values,
        missing_values,
        values_not_in_window,
        has_conflict,
    ),
)


@place_feature()
def missing_before(place: ClaimInAnswer) -> float:
    """The weight of what is missing in the claim before it, -1 for none."""
    return -1.0 if place.before is None else place.answer.missing[place.before]


@place_feature()
def missing_after(place: ClaimInAnswer) -> float:
    """The weight of what is missing in the claim after it, -1 for none."""
    return -1.0 if place.after is None else place.answer.missing[place.after]


@place_feature()
def recall_before(place: ClaimInAnswer) -> float:
    """The share that its best window holds of the claim before it, -1 for none."""
    return -1.0 if place.before is None else place.answer.recall[place.before]


@place_feature()
def recall_after(place: ClaimInAnswer) -> float:
    """The share that its best window holds of the claim after it, -1 for none."""
    return -1.0 if place.after is None else place.answer.recall[place.after]


@place_feature()
def unlike_before(place: ClaimInAnswer) -> float:
    """How many words without another form in the chunks are missing in the claim before it, -1 for none."""
    return -1.0 if place.before is None else place.answer.claims[place.before].unlike_words


@place_feature()
def unlike_after(place: ClaimInAnswer) -> float:
    """How many words without another form in the chunks are missing in the claim after it, -1 for none."""
    return -1.0 if place.after is None else place.answer.claims[place.after].unlike_words


@place_feature()
def missing_rank(place: ClaimInAnswer) -> float:
    """The share of the claims that miss more."""
    answer = place.answer
    return answer.missing_ranks[answer.missing[place.number]] / answer.count


@place_feature()
def missing_said_before(place: ClaimInAnswer) -> float:
    """The share of its missing words that an earlier claim misses too."""
    return place.answer.missing_again[place.number]


NEIGHBOURS = Family(
    name="neighbours",
    features=(
        missing_before,
        missing_after,
        recall_before,
        recall_after,
        unlike_before,
        unlike_after,
        missing_rank,
        missing_said_before,
    ),
)


@place_feature()
def window_place(place: ClaimInAnswer) -> float:
    """Where in the chunks the best window begins, 0 to 1."""
    return place.answer.window_starts[place.number] / place.answer.passages


@place_feature()
def window_step(place: ClaimInAnswer) -> float:
    """Its distance from that of the claim before."""
    if place.before is None:
        return 0.0
    here, there = place.answer.window_starts[place.number], place.answer.window_starts[place.before]
    return (here - there) / place.answer.passages if here >= 0 and there >= 0 else 0.0


@place_feature(cap=20)
def window_chunk(place: ClaimInAnswer) -> float:
    """The number of its chunk, from 0; -1 where no window is found."""
    here = place.answer.window_starts[place.number]
    return place.answer.context.passages[here].chunk if here >= 0 else -1


@place_feature()
def same_window(place: ClaimInAnswer) -> float:
    """Whether an earlier claim has its best window there too."""
    return place.answer.window_starts[place.number] in place.answer.window_starts[: place.number]


@answer_feature()
def context_covered(answer: AnswerView) -> float:
    """The logarithm of the share of the passages that are in a claim's best window."""
    return log1p(answer.covered) - log1p(answer.passages)


@answer_feature()
def cites_share(answer: AnswerView) -> float:
    """The share of the claims that point at a source."""
    return sum(claim.citing_words > 0 for claim in answer.claims) / answer.count


@answer_feature()
def is_record(answer: AnswerView) -> float:
    """Whether a chunk is a record."""
    return answer.context.is_record


SUPPORT = Family(
    name="support",
    features=(
        window_place,
        window_step,
        window_chunk,
        same_window,
        context_covered,
        cites_share,
        is_record,
    ),
)
