"""Which words of a claim stand together in the chunks as they do in the claim."""

from collections.abc import Iterable, Set
from itertools import pairwise
from math import log1p

from faithview.judges.lexical.scoring.claim_view import ClaimView
from faithview.judges.lexical.scoring.feature import Family, claim_feature


@claim_feature()
def bigram_recall(claim: ClaimView) -> float:
    """The share of neighbouring words with meaning that are neighbours in a chunk."""
    return _share_of_grams(claim, pairwise(claim.telling), claim.context.bigrams)


@claim_feature()
def trigram_recall(claim: ClaimView) -> float:
    """The same of three words in a row."""
    stems = claim.telling
    return _share_of_grams(claim, zip(stems, stems[1:], stems[2:], strict=False), claim.context.trigrams)


@claim_feature()
def word_pair_recall(claim: ClaimView) -> float:
    """The share of neighbouring words, plain ones too, that stand so in a chunk."""
    return claim.word_pair_recall


@claim_feature()
def word_four_recall(claim: ClaimView) -> float:
    """The same of four words in a row."""
    stems = claim.stems
    fours = list(map(claim.context.word_fours.__contains__, zip(stems, stems[1:], stems[2:], stems[3:], strict=False)))
    return sum(fours) / (len(fours) or 1)


@claim_feature()
def longest_copy(claim: ClaimView) -> float:
    """The logarithm of the longest run of word pairs that stand so in a chunk."""
    return log1p(claim.copied[0])


@claim_feature()
def longest_copy_share(claim: ClaimView) -> float:
    """The share of the word pairs that are in that run."""
    return claim.copied[0] / (len(claim.known_pairs) or 1)


@claim_feature()
def copied_pieces(claim: ClaimView) -> float:
    """How many such runs there are, as a share of the word pairs."""
    return claim.copied[1] / (len(claim.known_pairs) or 1)


@claim_feature()
def together_recall(claim: ClaimView) -> float:
    """The share of neighbouring words with meaning that one sentence of the chunks holds both of."""
    if not claim.linked:
        return 1.0 if claim.telling and claim.context.knows(claim.telling[0]) else 0.0
    return sum(claim.linked) / len(claim.linked)


@claim_feature()
def absent_from_window(claim: ClaimView) -> float:
    """The logarithm of how many words the chunks hold, but not in the best window."""
    known = claim.comparison.known
    return log1p(sum([t.start in known and t.word.stem not in claim.window_stems for t in claim.content]))


def _share_of_grams(claim: ClaimView, grams: Iterable[object], known: Set[object]) -> float:
    is_known = list(map(known.__contains__, grams))
    if not is_known:
        return 1.0 if claim.telling and all(claim.context.knows(stem) for stem in claim.telling) else 0.0
    return sum(is_known) / len(is_known)


FAMILY = Family(
    name="word_order",
    features=(
        bigram_recall,
        trigram_recall,
        word_pair_recall,
        word_four_recall,
        longest_copy,
        longest_copy_share,
        copied_pieces,
        together_recall,
        absent_from_window,
    ),
)
