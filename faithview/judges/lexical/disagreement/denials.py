"""Where a clause denies: "cannot", "is not"; not "no more than" or "not only"."""

from collections.abc import Sequence
from itertools import pairwise

from faithview.judges.text.lexicon import NEGATIONS, word_set
from faithview.judges.text.tokens import Token

# These deny a verb or an adjective; "no", "nobody" and "without" deny a thing.
DENIALS_OF_RULES = NEGATIONS - word_set("none neither nor nobody nothing without lack lacks lacked lacking hardly")

# After a denial, these make it something else: "not only", "no more than", "not until".
_NO_DENIAL = word_set(
    """only just more less fewer later earlier older younger longer shorter larger smaller higher lower until
    necessarily yet always"""
)


def find_denials(tokens: Sequence[Token], *, of_rules: bool = False) -> list[int]:
    """Return the numbers of the words that deny; with `of_rules` only those that deny a verb or an adjective."""
    words = DENIALS_OF_RULES if of_rules else NEGATIONS
    lowers = [token.word.lower for token in tokens if token.word.lower != "be"]
    places = [at for at, token in enumerate(tokens) if token.word.lower != "be"]
    pairs = zip(places, pairwise([*lowers, ""]), strict=True)
    return [at for at, (word, after) in pairs if word in words and after not in _NO_DENIAL]
