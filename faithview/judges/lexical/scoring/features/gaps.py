"""Where in a claim the missing words stand, and which pairs of words the chunks keep apart."""

from itertools import pairwise
from math import log1p

from faithview.judges.lexical.scoring.claim_view import ClaimView, share_of_words_found
from faithview.judges.lexical.scoring.feature import Family, claim_feature
from faithview.judges.text.lexicon import word_set

_ARTICLES = word_set("the a an its their his her our my your this these that those some any")
_SHORT = 5


@claim_feature()
def known_pairs_apart(claim: ClaimView) -> float:
    """The logarithm of how many neighbouring words the chunks hold, but never in one sentence."""
    postings = claim.context.postings
    apart = (pair for pair, linked in zip(pairwise(claim.telling), claim.linked, strict=True) if not linked)
    return log1p(sum([a in postings and b in postings for a, b in apart]))


@claim_feature()
def words_found(claim: ClaimView) -> float:
    """The share of all words, plain ones too, that the chunks or the question hold."""
    return share_of_words_found(claim.tokens, claim.context, also=claim.context.question_stems)


@claim_feature(cap=4)
def missing_after_article(claim: ClaimView) -> float:
    """How many missing words come after an article."""
    numbers = [claim.positions[t.start] for t in claim.missing]
    return sum([number > 0 and claim.tokens[number - 1].word.lower in _ARTICLES for number in numbers])


@claim_feature(cap=4)
def missing_alone(claim: ClaimView) -> float:
    """How many missing words have no missing one beside them."""
    gaps = claim.is_missing
    return sum(
        [gaps[at] and not any(gaps[max(0, at - 1) : at]) and not any(gaps[at + 1 : at + 2]) for at in range(len(gaps))]
    )


@claim_feature()
def missing_at_end(claim: ClaimView) -> float:
    """Whether the last word with meaning is missing."""
    return bool(claim.is_missing) and claim.is_missing[-1]


@claim_feature(cap=8)
def missing_neighbours(claim: ClaimView) -> float:
    """How many pairs of neighbouring words are missing both."""
    return sum([a and b for a, b in pairwise(claim.is_missing)])


@claim_feature(cap=6)
def missing_short(claim: ClaimView) -> float:
    """How many missing words are short."""
    return sum([t.end - t.start <= _SHORT for t in claim.missing])


FAMILY = Family(
    name="gaps",
    features=(
        known_pairs_apart,
        words_found,
        missing_after_article,
        missing_alone,
        missing_at_end,
        missing_neighbours,
        missing_short,
    ),
)
