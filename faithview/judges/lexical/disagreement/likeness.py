"""How much two statements say about the same thing."""

from collections.abc import Iterable
from typing import NamedTuple

from faithview.judges.lexical.disagreement.documents import Clause, Statement
from faithview.judges.lexical.disagreement.vocabulary import Vocabulary
from faithview.judges.text.tokens import Token


class Share(NamedTuple):
    """The share of a clause's words, by weight, that another statement has.

    `words` is how many of them its sentence has, and `weight` what these weigh; the share counts its headings too.
    """

    share: float
    words: int
    weight: float


class Likeness(NamedTuple):
    """How much of each of two clauses the other statement says, and of its headings the other's passage."""

    one: Share
    other: Share
    headings: tuple[float, float]

    @property
    def least(self) -> float:
        """The smaller share."""
        return min(self.one.share, self.other.share)

    @property
    def most(self) -> float:
        """The larger share."""
        return max(self.one.share, self.other.share)

    @property
    def both(self) -> float:
        """Both shares together, up to 2."""
        return self.one.share + self.other.share

    @property
    def words(self) -> int:
        """How many words the two share, in the smaller count."""
        return min(self.one.words, self.other.words)

    @property
    def weight(self) -> float:
        """How much the shared words weigh, in the smaller count."""
        return min(self.one.weight, self.other.weight)


def compare_clauses(
    one: Statement,
    other: Statement,
    clauses: tuple[Clause, Clause],
    vocabulary: Vocabulary,
    *,
    without: Iterable[Token] = (),
) -> Likeness:
    """Return how alike two clauses are; the words in `without` do not count."""
    ignored = {id(token) for token in without}
    mine, theirs = ([t for t in clause.words if id(t) not in ignored] for clause in clauses)
    return Likeness(
        _share(mine, one, other, vocabulary),
        _share(theirs, other, one, vocabulary),
        (_share_of_headings(one, other, vocabulary), _share_of_headings(other, one, vocabulary)),
    )


def _share(tokens: Iterable[Token], one: Statement, other: Statement, vocabulary: Vocabulary) -> Share:
    total = shared = 0.0
    found: dict[str, float] = {}
    for token in tokens:
        if not one.is_telling(token) or not vocabulary.is_evidence(token):
            continue
        stem, weight = token.word.stem, vocabulary.weigh(token)
        total += weight
        if other.around_set.has(stem):
            shared += weight
            if other.said_set.has(stem):
                found[stem] = weight
    return Share(shared / total if total else 0.0, len(found), sum(found.values()))


def _share_of_headings(one: Statement, other: Statement, vocabulary: Vocabulary) -> float:
    weights = {t.word.stem: vocabulary.weigh(t) for t in one.heading_tokens if t.word.is_content}
    total = sum(weights.values())
    said = sum(weight for stem, weight in weights.items() if other.source.stem_set.has(stem))
    return said / total if total else 1.0


# The share of each heading that the other passage must have, if an element of a list is about what its heading says.
_LEAST_OF_HEADINGS = 0.7


def fit_as_fragments(likeness: Likeness, one: Statement, other: Statement) -> bool:
    """Return whether the headings agree, which say what an element of a list is about: "Minimum deposit: 500 euros"."""
    has_own = bool(one.heading_stems - other.heading_stems) and bool(other.heading_stems - one.heading_stems)
    return min(likeness.headings) >= _LEAST_OF_HEADINGS and not has_own


def share_of_passage(one: Statement, other: Statement, vocabulary: Vocabulary) -> float:
    """Return the share of one passage's words, by weight, that the other has; the larger of both ways."""
    # Words of headings alone are often those of questions.
    mine, theirs = (
        {stem for stem in s.source.telling_stems if vocabulary.count_passages_with(stem)} for s in (one, other)
    )
    shared = vocabulary.weigh_all(mine & theirs)
    return max(shared / total if total else 0.0 for total in map(vocabulary.weigh_all, (mine, theirs)))
