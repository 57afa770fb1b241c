"""Which words of a claim the chunks hold, and which they miss."""

from collections.abc import Sequence
from math import log1p

from faithview.judges.lexical.retrieval.passage import Window
from faithview.judges.lexical.scoring.claim_view import ClaimView
from faithview.judges.lexical.scoring.feature import Family, claim_feature
from faithview.judges.text.tokens import Token

_ADJECTIVE = ("al", "ous", "ive", "able", "ible", "ful", "ic", "ary", "ent", "ant")


@claim_feature()
def window_recall(claim: ClaimView) -> float:
    """The share of its weight that the best window or the question holds."""
    return claim.window_recall


@claim_feature()
def sentence_recall(claim: ClaimView) -> float:
    """The share of its weight that the best sentence holds."""
    return _best_recall(claim.windows, 1)


@claim_feature()
def pair_window_recall(claim: ClaimView) -> float:
    """The share of its weight that the best one or two sentences hold."""
    return _best_recall(claim.windows, 2)


@claim_feature()
def context_recall(claim: ClaimView) -> float:
    """The share of its weight that the chunks or the question hold anywhere."""
    if not claim.content:
        return 1.0
    known = claim.comparison.known
    return sum([t.word.weight for t in claim.content if t.start in known]) / claim.weight


@claim_feature()
def second_window_recall(claim: ClaimView) -> float:
    """The share of its weight that the second-best window holds."""
    return claim.windows[1].recall if len(claim.windows) > 1 else 0.0


@claim_feature()
def missing_words(claim: ClaimView) -> float:
    """The logarithm of how many words are missing."""
    return log1p(len(claim.missing))


@claim_feature()
def missing_share(claim: ClaimView) -> float:
    """The share of the words with meaning that are missing."""
    return len(claim.missing) / claim.size


@claim_feature()
def missing_weight(claim: ClaimView) -> float:
    """The logarithm of what the missing words weigh."""
    return claim.missing_weight


@claim_feature()
def longest_missing_run(claim: ClaimView) -> float:
    """The logarithm of how many words are missing in a row."""
    return log1p(_longest_run(claim.content, claim.comparison.known))


@claim_feature()
def rarest_missing(claim: ClaimView) -> float:
    """The weight of the rarest missing word."""
    return claim.rarest[0]


@claim_feature()
def second_rarest_missing(claim: ClaimView) -> float:
    """The weight of the second-rarest missing word."""
    return claim.rarest[1]


@claim_feature()
def unlike_words(claim: ClaimView) -> float:
    """The logarithm of how many missing words have no other form in the chunks."""
    return claim.unlike_words


@claim_feature()
def unlike_weight(claim: ClaimView) -> float:
    """The logarithm of what those words weigh."""
    return log1p(sum([t.word.weight for t in claim.unlike]))


@claim_feature()
def first_missing_at(claim: ClaimView) -> float:
    """Where the first missing word stands, 0 to 1; 1.5 where none is missing."""
    return claim.positions[claim.missing[0].start] / len(claim.tokens) if claim.missing else 1.5


@claim_feature()
def last_missing_at(claim: ClaimView) -> float:
    """Where the last missing word stands, 0 to 1; -0.5 where none is missing."""
    return claim.positions[claim.missing[-1].start] / len(claim.tokens) if claim.missing else -0.5


@claim_feature(cap=4)
def missing_in_last_third(claim: ClaimView) -> float:
    """How many words of the last third are missing."""
    last_third = 2 * len(claim.tokens) / 3
    return sum([claim.positions[t.start] >= last_third for t in claim.missing])


@claim_feature(cap=4)
def missing_capitalised(claim: ClaimView) -> float:
    """How many missing words are capitalised within the sentence."""
    return sum([t.word.is_capitalised and claim.positions[t.start] > 0 for t in claim.missing])


@claim_feature(cap=3)
def missing_ing(claim: ClaimView) -> float:
    """How many missing words end in "ing" or "ed"."""
    return sum([t.word.lower.endswith(("ing", "ed")) for t in claim.missing])


@claim_feature(cap=3)
def missing_ly(claim: ClaimView) -> float:
    """How many missing words end in "ly"."""
    return sum([t.word.lower.endswith("ly") for t in claim.missing])


@claim_feature(cap=3)
def missing_adjective(claim: ClaimView) -> float:
    """How many missing words end as adjectives do."""
    return sum([t.word.lower.endswith(_ADJECTIVE) for t in claim.missing])


def _best_recall(windows: Sequence[Window], size: int) -> float:
    return max((w.recall for w in windows if w.last - w.first < size), default=0.0)


def _longest_run(content: Sequence[Token], known: frozenset[int]) -> int:
    longest = run = 0
    for token in content:
        run = 0 if token.start in known else run + 1
        longest = max(longest, run)
    return longest


FAMILY = Family(
    name="words",
    features=(
        window_recall,
        sentence_recall,
        pair_window_recall,
        context_recall,
        second_window_recall,
        missing_words,
        missing_share,
        missing_weight,
        longest_missing_run,
        rarest_missing,
        second_rarest_missing,
        unlike_words,
        unlike_weight,
        first_missing_at,
        last_missing_at,
        missing_in_last_third,
        missing_capitalised,
        missing_ing,
        missing_ly,
        missing_adjective,
    ),
)
