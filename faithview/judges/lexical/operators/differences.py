"""The operator in which a claim differs from the sentence that says nearly the same."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from faithview.domain.claim import Verdict
from faithview.judges.lexical.comparison.alignment import aligned_passages
from faithview.judges.lexical.comparison.comparison import Comparison, NearSentence, OperatorDifference
from faithview.judges.lexical.operators.arithmetic import find_miscalculation
from faithview.judges.lexical.operators.clauses import PartKind, parts_of
from faithview.judges.lexical.operators.conflation import find_mixed
from faithview.judges.lexical.operators.denials import POLARITY, denies, turned
from faithview.judges.lexical.operators.limits import limits_that_differ
from faithview.judges.lexical.operators.pair import Difference, Pair, Side, is_in, is_short
from faithview.judges.lexical.operators.reading import Operator
from faithview.judges.lexical.operators.substitutions import substitutions
from faithview.judges.lexical.operators.tables import ABSENT, Family, families
from faithview.judges.lexical.retrieval.index import Context
from faithview.judges.lexical.retrieval.passage import Passage

# Passages are looked at in this number, those with the most of the claim's words first.
_LOOKED_AT = 3

# In a long text a sentence with fewer of the claim's words as they are is not near; looking closer costs time.
_LEAST_SHARED = 0.5

# A sentence that is nearly as close as the closest one and has no difference says what the claim says.
_NEARLY_AS_CLOSE = 0.1

_ONLY, _TIME_OF = "only", "time_of"

# Of these a claim has one meaning or the other.
_EXCLUSIVE = ("price", "direction", "inclusion")
_LONGEST_PAIR = 6

# These are about the next word with meaning: a claim without that word need not have them.
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
            break  # they come with the most words first
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
    """Return the sentences that a claim near to one of them may rest on: all of a short text, else that one."""
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
    """Yield the "only" of a sentence of which the claim says more: "only electricians" against "anybody"."""
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
    """Yield what claim and sentence differ in among the operators of a family."""
    mine, theirs = ([o for o in side if o.family == family.name] for side in pair.left_over)
    own = {o.meaning for o in pair.claim.operators if o.family == family.name}
    anywhere = {o.meaning for o in pair.sentence.operators if o.family == family.name}
    if family.name == "price" and len(anywhere) > 1 and _speaks_of_all(pair):
        yield from (_found(family.name, Verdict.CONTRADICTED, operator, None, pair) for operator in mine[:1])
    if _is_said_otherwise(family, pair):
        return
    left = {o.meaning for o in theirs}
    here = [o for o in mine if o.meaning not in left]
    # What another operator of the claim agrees with is said: "it is possible that it will" is "it might".
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
    """Return whether "all" or "both" says more than a sentence that has a number or a limit of its own."""
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
    """Yield the operators of both sides with each other, and with none where the other side has none of the family."""
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
    """Return whether "only" and what stands for it say the same: "only A may" is "one must be A"."""
    if family.name == _ONLY:
        return _sentence_excludes(pair)
    if family.name == "ever":
        return any(denies(operator) for operator in pair.claim.operators)
    return family.name == "modal" and any(o.family == _ONLY for side in pair.left_over for o in side)


def _speaks_of_all(pair: Pair) -> bool:
    """Return whether the claim says of all what the sentence tells apart."""
    operators = {(o.family, o.meaning) for o in pair.claim.operators}
    return ("quantifier", "all") in operators


def _sentence_excludes(pair: Pair) -> bool:
    """Return whether the sentence says in another way that something holds of one thing only."""
    return any(part.kind is PartKind.EXCEPTION for part in pair.sentence.parts) or any(
        denies(operator) for operator in pair.sentence.operators
    )
