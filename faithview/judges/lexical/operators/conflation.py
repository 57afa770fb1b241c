"""What a sentence says of one thing and a claim of another: two statements that a claim mixes up."""

from collections.abc import Iterator, Sequence
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
            other = next((t for t in displaced if is_count(t) == is_count(token)), None)
            taken = next((t for t in claim if has_stem(t.word.stem, {token.word.stem})), None)
            if (is_said_of_another or is_other_subject) and other is not None and taken is not None:
                return Mixed(taken, other)
    return None


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
