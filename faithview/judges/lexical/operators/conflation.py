"""What a sentence says of one thing and a claim of another: two statements that a claim mixes up."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import NamedTuple

from faithview.judges.lexical.edits.aligning import is_count
from faithview.judges.lexical.operators.clauses import PartKind, parts_of
from faithview.judges.lexical.operators.words import Words, has_stem
from faithview.judges.text.lexicon import word_set
from faithview.judges.text.tokens import Token

_MARKS = frozenset(",;:.()–—\n")
_RELATIVE = word_set("which who whose that where")
_JOINS = word_set("and but while whereas or versus")

# The statement that a claim is about has this share of its words.
_LEAST_COVERED = 0.4

# Without the words in question it is found in that statement to this share.
_LEAST_ALIKE = 0.8
_MOST_CHANGED = 2
_TINY = 25
_STAND_FOR_NAMES = word_set("the this that these those it he she they its his her their")

# Fewer words without a number among them state nothing.
_FEWEST_TELLING = 3

# A statement begins with its subject: so many words with meaning.
_SUBJECT = 2


class Mixed(NamedTuple):
    """The words that a claim took from the wrong statement, and the words of the right one that they displaced."""

    taken: Token
    displaced: Token


def find_mixed(claim: Sequence[Token], text: str, sentences: Sequence[tuple[Sequence[Token], str]]) -> Mixed | None:
    """Return what a claim says of the subject of one statement though another statement says it of another subject.

    Args:
        claim: the claim's words.
        text: what the claim's words point into.
        sentences: the words of sentences that follow each other, each with what they point into.
    """
    statements = [part for tokens, there in sentences for part in _statements(tokens, there)]
    if len(statements) < 2:
        return None
    parts = [claim[part.first : part.end] for part in parts_of(claim, text) if part.kind is PartKind.MAIN]
    wholes = [claim] if len(parts) < 2 else parts
    return next((mixed for part in wholes if (mixed := _mixed(part, statements)) is not None), None)


def _mixed(claim: Sequence[Token], statements: Sequence[Sequence[Token]]) -> Mixed | None:
    mine = Words(claim)
    shares = [mine.share_in(Words(statement))[0] for statement in statements]
    if max(shares) < _LEAST_COVERED:
        return None
    best = statements[shares.index(max(shares))]
    there = Words(best)
    displaced = [token for token in _telling(best) if not has_stem(token.word.stem, mine.stems)]
    is_subject_said = not any(token in displaced for token in _subject(best))
    changes = list(_changes(claim, best))
    for statement in statements:
        telling = list(_telling(statement)) if statement is not best else []
        if len(telling) < _FEWEST_TELLING and not any(map(is_count, telling)):
            continue  # an element of a list
        own = [n for n, t in enumerate(telling) if not has_stem(t.word.stem, mine.stems | there.stems)]
        for at, token in enumerate(telling):
            if not has_stem(token.word.stem, mine.stems) or has_stem(token.word.stem, there.stems):
                continue
            # What another subject's statement says, or what is said of this subject by another statement.
            is_said_of_another = any(n < at and not is_count(telling[n]) for n in own)
            is_other_subject = at < _SUBJECT and any(n > at for n in own) and not is_subject_said
            taken = next((t for t in claim if has_stem(t.word.stem, {token.word.stem})), None)
            if taken is None or not (is_said_of_another or is_other_subject):
                continue
            is_nameless = taken.word.is_capitalised and _speaks_of_what_was_named(best)
            if is_nameless and not is_said_of_another:
                continue
            opposite = () if is_nameless else next((there for here, there in changes if taken in here), ())
            is_tiny = not is_nameless and sum(map(len, statements)) <= _TINY
            other = next((t for t in displaced if t in opposite and is_count(t) == is_count(token)), None) or next(
                (t for t in displaced if _are_of_one_kind(t, token, is_tiny=is_tiny)), None
            )
            if other is not None:
                return Mixed(taken, other)
    return None


def _are_of_one_kind(one: Token, other: Token, *, is_tiny: bool) -> bool:
    """Return whether both are numbers or both are names; of these one is taken for the other however they are said.

    In a tiny text words need not be names, for there is nothing else that the claim can speak of.
    """
    if is_count(one) or is_count(other):
        return is_count(one) and is_count(other)
    return is_tiny or (one.word.is_capitalised and other.word.is_capitalised)


def _changes(claim: Sequence[Token], statement: Sequence[Token]) -> Iterator[tuple[Sequence[Token], Sequence[Token]]]:
    """Yield what the claim has in the place of words of the statement, with these words, where the rest is alike."""
    keys = [t.word.stem for t in claim], [t.word.stem for t in statement]
    for op, a, b, c, d in SequenceMatcher(None, *keys, autojunk=False).get_opcodes():
        if op != "replace":
            continue
        rest = Words([*claim[:a], *claim[b:]])
        if rest.share_in(Words(statement))[0] < _LEAST_ALIKE:
            continue
        here, there = claim[a:b], statement[c:d]
        if max(sum(t.word.is_content for t in side) for side in (here, there)) > _MOST_CHANGED:
            continue
        yield here, there


def _speaks_of_what_was_named(statement: Sequence[Token]) -> bool:
    """Return whether a statement begins without a name of its own: "the film stars", "it lies", "is a village"."""
    return statement[0].word.lower in _STAND_FOR_NAMES or not statement[0].word.is_capitalised


def _subject(statement: Sequence[Token]) -> Iterator[Token]:
    """Yield the words that say of whom a statement speaks: the first ones, and those after "by"."""
    yield from list(_telling(statement))[:_SUBJECT]
    by = next((n for n, token in enumerate(statement) if token.word.lower == "by"), None)
    if by is not None:
        yield from list(_telling(statement[by:]))[:_SUBJECT]


def _telling(tokens: Sequence[Token]) -> Iterator[Token]:
    return (t for t in tokens if t.word.is_number or (t.word.is_content and not t.word.may_be_date))


def _statements(tokens: Sequence[Token], text: str) -> Iterator[Sequence[Token]]:
    starts = [0]
    for at, (token, following) in enumerate(pairwise(tokens), start=1):
        if following.word.lower in _RELATIVE:
            continue
        if following.word.lower in _JOINS or not _MARKS.isdisjoint(text[token.end : following.start]):
            starts.append(at)
    for start, end in pairwise([*starts, len(tokens)]):
        yield tokens[start:end]
