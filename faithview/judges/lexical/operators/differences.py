"""The operator in which a claim differs from a near sentence, or the statements that it mixes up."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import pairwise
from typing import NamedTuple

from faithview.domain.claim import Verdict
from faithview.judges.lexical.comparing.comparison import Comparison, NearSentence, OperatorDifference, aligned_passages
from faithview.judges.lexical.comparing.edits import is_count
from faithview.judges.lexical.operators.arithmetic import find_miscalculation
from faithview.judges.lexical.operators.clauses import PartKind, Words, has_stem, parts_of
from faithview.judges.lexical.operators.denials import POLARITY, denies, turned
from faithview.judges.lexical.operators.families import ABSENT, Family, Operator, families
from faithview.judges.lexical.operators.pair import Difference, Pair, Side, is_in, is_short
from faithview.judges.lexical.operators.substitutions import limits_that_differ, substitutions
from faithview.judges.lexical.passages.index import Context, Passage
from faithview.judges.text.lexicon import word_set
from faithview.judges.text.tokens import Token

_MARKS = frozenset(",;:.()–—\n")
_RELATIVE = word_set("which who whose that where")
_JOINS = word_set("and but while whereas or versus")

# A statement must have this share of the claim's words for the claim to be about it.
_LEAST_COVERED = 0.4

# Share of the claim, without the words in question, that the statement must contain.
_LEAST_ALIKE = 0.8
_MOST_CHANGED = 2
_TINY = 25
_STAND_FOR_NAMES = word_set("the this that these those it he she they its his her their")

# Fewer words than this, without a number, state nothing.
_FEWEST_TELLING = 3

# The subject of a statement is at most its first two content words.
_SUBJECT = 2


class Mixed(NamedTuple):
    """The words that a claim took from the wrong statement, and the words of the right one that they displaced."""

    taken: Token
    displaced: Token


def find_mixed(claim: Sequence[Token], text: str, sentences: Sequence[tuple[Sequence[Token], str]]) -> Mixed | None:
    """Return the words by which the claim mixes up two statements: it says of one subject what is said of another.

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
            # Words of another subject's statement, or of another statement about this subject.
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
    """Return whether both are numbers or both are names: one can be mistaken for the other.

    In a tiny text words do not have to be names, because the claim cannot be about anything else.
    """
    if is_count(one) or is_count(other):
        return is_count(one) and is_count(other)
    return is_tiny or (one.word.is_capitalised and other.word.is_capitalised)


def _changes(claim: Sequence[Token], statement: Sequence[Token]) -> Iterator[tuple[Sequence[Token], Sequence[Token]]]:
    """Yield the claim's words that replace words of the statement, with those words, if the rest is alike."""
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
    """Yield the words of a statement's subject: the first ones, and those after "by"."""
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


# How many passages to compare, those with most of the claim's words first.
_LOOKED_AT = 3

# In a long text, a sentence with a smaller share of the claim's exact words is not near; skip the slow comparison.
_LEAST_SHARED = 0.5

# If a sentence this close to the closest one has no difference, it states the claim.
_NEARLY_AS_CLOSE = 0.1

_ONLY, _TIME_OF = "only", "time_of"

# Families in which a claim has exactly one of two meanings.
_EXCLUSIVE = ("price", "direction", "inclusion")
_LONGEST_PAIR = 6

# Operators of these families modify the next content word; a claim without that word does not need them.
_OF_THE_NEXT = ("quantifier", "frequency")

# "It may date" is "it possibly dates".
_HEDGING = ("modal", "hedge")
_UNSURE = frozenset({("modal", "might"), ("hedge", "unsure")})


def find_near_sentence(answer: str, comparison: Comparison, context: Context) -> NearSentence | None:
    """Return the sentence that says nearly the same as a claim, with the difference that weighs most, or None.

    Where another sentence is nearly as close and differs in no operator, it is the one.
    """
    claim = Side(comparison.tokens, answer, [(value.start, value.end) for value in comparison.values])
    claimed = {token.word.stem for token in comparison.tokens if token.word.is_content}
    near: NearSentence | None = None
    for aligned in aligned_passages(comparison, context)[:_LOOKED_AT]:
        passage = aligned.passage
        text = context.texts[passage.chunk]
        if passage.field is not None or passage.path or text[passage.start : passage.end].rstrip().endswith("?"):
            continue
        if not is_short(context) and len(claimed & aligned.stems) < _LEAST_SHARED * len(claimed):
            break  # sorted by shared words, most first
        values = [(value.start, value.end) for value in context.values_of(passage)]
        pair = Pair(claim, Side(passage.tokens, text, values), context)
        if not pair.is_near():
            continue
        turns = turned(pair)
        found = [*_differences(pair), *((turns.difference,) if turns.difference else ())]
        if near is None or (not found and near.difference and pair.closeness >= near.closeness - _NEARLY_AS_CLOSE):
            worst = max(found, key=lambda one: one.verdict is Verdict.CONTRADICTED, default=None)
            near = NearSentence(
                passage=passage,
                closeness=round(pair.closeness, 4),
                is_in_short_text=is_short(context),
                is_turned=turns.is_turned,
                difference=None if worst is None else _stored(worst),
            )
    if (
        near is None
        or not is_short(context)
        or (near.difference is not None and near.difference.verdict is Verdict.CONTRADICTED)
    ):
        return near
    other = _of_numbers(comparison, context, near) or _of_statements(answer, comparison, context, near)
    return near if other is None else replace(near, difference=other)


def sentences_beside(near: NearSentence, context: Context) -> list[Passage]:
    """Return the sentences that may support a claim near one of them: all of a short text, else that one."""
    return context.passages if is_short(context) else [near.passage]


def _of_numbers(comparison: Comparison, context: Context, near: NearSentence) -> OperatorDifference | None:
    there = [value for passage in sentences_beside(near, context) for value in context.values_of(passage)]
    wrong = find_miscalculation(comparison.tokens, comparison.values, there)
    return (
        None
        if wrong is None
        else _stored(Difference("arithmetic", Verdict.CONTRADICTED, (wrong.start, wrong.end), None))
    )


def _of_statements(
    answer: str, comparison: Comparison, context: Context, near: NearSentence
) -> OperatorDifference | None:
    statements = []
    for passage in sentences_beside(near, context):
        text = context.texts[passage.chunk]
        parts = parts_of(passage.tokens, text)
        statements += [(passage.tokens[p.first : p.end], text) for p in parts if p.kind is PartKind.MAIN]
    mixed = find_mixed(comparison.tokens, answer, statements)
    if mixed is None:
        return None
    taken, displaced = (mixed.taken.start, mixed.taken.end), (mixed.displaced.start, mixed.displaced.end)
    is_here = near.passage.start <= mixed.displaced.start < near.passage.end
    return _stored(Difference("statement", Verdict.CONTRADICTED, taken, displaced if is_here else None))


def _stored(found: Difference) -> OperatorDifference:
    return OperatorDifference(**found._asdict())


def _differences(pair: Pair) -> Iterator[Difference]:
    yield from _wider_than_only(pair)
    yield from substitutions(pair)
    yield from limits_that_differ(pair)
    for family in families():
        if family.name != POLARITY:
            yield from _of_family(family, pair)


def _wider_than_only(pair: Pair) -> Iterator[Difference]:
    """Yield the "only" of a sentence that the claim exceeds: "only electricians" against "anybody"."""
    if any(o.family == _ONLY or denies(o) for o in pair.claim.operators):
        return
    for operator in pair.sentence.operators:
        if operator.family != _ONLY or not is_in(operator, pair.meant):
            continue
        known = pair.context.question_stems
        more = [
            t
            for t in pair.claim.tokens
            if t.word.is_content and not pair.sentence.words.has(t) and t.word.stem not in known
        ]
        if more:
            place = more[0].start, more[-1].end
            yield Difference(_ONLY, Verdict.CONTRADICTED, place, pair.sentence.span(operator.first, operator.end))


def _of_family(family: Family, pair: Pair) -> Iterator[Difference]:
    """Yield the differences between claim and sentence in the operators of a family."""
    mine, theirs = ([o for o in side if o.family == family.name] for side in pair.left_over)
    own = {o.meaning for o in pair.claim.operators if o.family == family.name}
    anywhere = {o.meaning for o in pair.sentence.operators if o.family == family.name}
    if family.name == "price" and len(anywhere) > 1 and _speaks_of_all(pair):
        yield from (_found(family.name, Verdict.CONTRADICTED, operator, None, pair) for operator in mine[:1])
    if _is_said_otherwise(family, pair):
        return
    left = {o.meaning for o in theirs}
    here = [o for o in mine if o.meaning not in left]
    # An operator that agrees with another one of the claim is stated: "it is possible that it will" is "it might".
    there = [
        o
        for o in theirs
        if (is_in(o, pair.meant) or family.name == _TIME_OF)
        and not any(m == o.meaning or family.agree(m, o.meaning) for m in own)
    ]
    if family.name in _HEDGING and any((o.family, o.meaning) in _UNSURE for o in pair.claim.operators):
        there = [o for o in there if (o.family, o.meaning) not in _UNSURE]
    if family.name == "quantifier" and not theirs and not anywhere:
        yield from (_found(family.name, Verdict.PARTIALLY_SUPPORTED, o, None, pair) for o in here if _is_wider(o, pair))
    if family.name in _EXCLUSIVE and not there:
        there = [o for o in pair.sentence.operators if o.family == family.name and is_in(o, pair.meant)]
    for one, other in _pairs(here, there, has_own=bool(own), has_other=bool(anywhere)):
        if one is None and other is not None and family.name in _OF_THE_NEXT and not _is_next_said(other, pair):
            continue
        verdict = family.verdict(one.meaning if one else ABSENT, other.meaning if other else ABSENT)
        if verdict is not None:
            yield _found(family.name, verdict, one, other, pair)


def _is_next_said(operator: Operator, pair: Pair) -> bool:
    """Return whether the claim says what an operator of the sentence is about: "known", in "often known as Britain"."""
    following = next((t for t in pair.sentence.tokens[operator.end :] if t.word.is_content), None)
    return following is None or pair.claim.words.has(following)


def _is_wider(operator: Operator, pair: Pair) -> bool:
    """Return whether "all" or "both" claims more than a sentence with its own number."""
    if operator.meaning != "all" or not is_short(pair.context):
        return False
    words = [t.word.lower for t in pair.claim.tokens[operator.first : operator.end]]
    if words == ["both"]:
        return "and" not in [t.word.lower for t in pair.claim.tokens[operator.end : operator.end + _LONGEST_PAIR]]
    return any(
        token.word.is_number and not pair.claim.words.has(token)
        for part in pair.meant
        for token in pair.sentence.of(part)
    )


def _pairs(
    here: Sequence[Operator], there: Sequence[Operator], *, has_own: bool, has_other: bool
) -> Iterator[tuple[Operator | None, Operator | None]]:
    """Yield pairs of one operator per side; None replaces a side that has none of the family."""
    yield from ((one, other) for one in here for other in there)
    if not there and not has_other:
        yield from ((one, None) for one in here)
    if not here and not has_own:
        yield from ((None, other) for other in there)


def _found(family: str, verdict: Verdict, one: Operator | None, other: Operator | None, pair: Pair) -> Difference:
    return Difference(
        family,
        verdict,
        pair.claim.span(one.first, one.end) if one else None,
        pair.sentence.span(other.first, other.end) if other else None,
    )


def _is_said_otherwise(family: Family, pair: Pair) -> bool:
    """Return whether "only" and its equivalent say the same: "only A may" is "one must be A"."""
    if family.name == _ONLY:
        return _sentence_excludes(pair)
    if family.name == "ever":
        return any(denies(operator) for operator in pair.claim.operators)
    return family.name == "modal" and any(o.family == _ONLY for side in pair.left_over for o in side)


def _speaks_of_all(pair: Pair) -> bool:
    """Return whether the claim is about all."""
    operators = {(o.family, o.meaning) for o in pair.claim.operators}
    return ("quantifier", "all") in operators


def _sentence_excludes(pair: Pair) -> bool:
    """Return whether the sentence limits a statement to one thing in other words, by an exception or a denial."""
    return any(part.kind is PartKind.EXCEPTION for part in pair.sentence.parts) or any(
        denies(operator) for operator in pair.sentence.operators
    )
