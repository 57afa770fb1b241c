"""One claim beside the chunks: what of it is found, what is missing, and what stands against it."""

from collections.abc import Sequence
from dataclasses import dataclass

from faithview.judges.lexical.names import Name, find_names, missing_names, name_in_its_place
from faithview.judges.lexical.polarity import Opposition, find_opposition
from faithview.judges.lexical.retrieve import Context, Passage, Window
from faithview.judges.lexical.roles import find_swap
from faithview.judges.lexical.values import Kind, Value, can_differ, find_values, is_same
from faithview.judges.lexical.words import Token, tokenize


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """What the claim says at `claim_span` and a passage says otherwise at `passage_span` of its chunk.

    `kind` is "value", "name", "negation", "opposite" or "roles".
    """

    kind: str
    passage: Passage
    claim_span: tuple[int, int]
    passage_span: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A claim `[start, end)` of the answer compared with the chunks; spans of the claim are offsets into the answer."""

    start: int
    end: int
    tokens: list[Token]
    windows: list[Window]
    missing: list[Token]
    names: list[Name]
    missing_names: list[Name]
    values: list[Value]
    missing_values: list[Value]
    conflict: Conflict | None


def compare(answer: str, start: int, end: int, context: Context) -> Comparison:
    """Compare one claim with the chunks."""
    tokens = tokenize(answer, start, end)
    words = [token.word for token in tokens]
    windows = context.best_windows(words)
    names = find_names(answer, tokens, known_lower=context.lowers)
    values = find_values(answer, start, end)
    missing_values = [v for v in values if not _is_found(v, context)]
    lost_names = missing_names(names, context)
    missing = [t for t in tokens if t.word.is_content and not context.knows(t.word.stem)]
    comparison = Comparison(
        start=start,
        end=end,
        tokens=tokens,
        windows=windows,
        missing=missing,
        names=names,
        missing_names=lost_names,
        values=values,
        missing_values=missing_values,
        conflict=None,
    )
    conflict = _find_conflict(answer, comparison, context)
    return comparison if conflict is None else _with_conflict(comparison, conflict)


def _with_conflict(comparison: Comparison, conflict: Conflict) -> Comparison:
    from dataclasses import replace

    return replace(comparison, conflict=conflict)


def _is_found(value: Value, context: Context) -> bool:
    if any(is_same(value, other) for other in context.all_values()):
        return True
    # A small ordinal orders the answer's own points ("first, ..."); a number may be a word of a name ("Apollo 11").
    if value.kind is Kind.ORDINAL and value.number <= 3:
        return True
    return value.kind is Kind.NUMBER and value.number == int(value.number) and str(int(value.number)) in context.lowers


# Share of the claim's words, besides what differs, that a passage must say before a difference counts as a denial.
_ALIGNED_FOR_VALUE = 0.72
_ALIGNED_FOR_NAME = 0.8
_ALIGNED_FOR_NEGATION = 0.8
_FEWEST_ALIGNED_WORDS = 2


def _find_conflict(answer: str, comparison: Comparison, context: Context) -> Conflict | None:
    if not comparison.windows:
        return None
    passages = _aligned_passages(comparison, context)
    return (
        _value_conflict(comparison, context, passages)
        or _name_conflict(comparison, context, passages)
        or _negation_conflict(answer, comparison, context, passages)
        or _role_conflict(answer, comparison, context, passages)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Aligned:
    passage: Passage
    stems: frozenset[str]


def _aligned_passages(comparison: Comparison, context: Context) -> list[_Aligned]:
    """Return the passages of the best windows, those that share most words with the claim first."""
    positions = dict.fromkeys(
        position for window in comparison.windows for position in range(window.first, window.last + 1)
    )
    claimed = {t.word.stem for t in comparison.tokens if t.word.is_content}
    aligned = []
    for position in positions:
        passage = context.passages[position]
        if passage.is_unknown:
            continue
        stems = frozenset(t.word.stem for t in passage.tokens if t.word.is_content)
        aligned.append((len(claimed & stems), position, _Aligned(passage=passage, stems=stems)))
    aligned.sort(key=lambda item: (-item[0], item[1]))
    return [item[2] for item in aligned]


def _share_found(
    tokens: Sequence[Token], stems: frozenset[str], spared: Sequence[tuple[int, int]]
) -> tuple[float, int]:
    """Return the share by weight, and the number, of the words outside the spared ranges that are among the stems."""
    total = found = 0.0
    count = 0
    for token in tokens:
        if not token.word.is_content or any(a <= token.start < b for a, b in spared):
            continue
        total += token.word.weight
        if token.word.stem in stems:
            found += token.word.weight
            count += 1
    return (found / total if total else 0.0), count


def _value_conflict(comparison: Comparison, context: Context, passages: Sequence[_Aligned]) -> Conflict | None:
    spared = [(v.start, v.end) for v in comparison.values]
    for value in comparison.values:
        if value.kind is Kind.ORDINAL and value.number <= 3:
            continue
        for aligned in passages:
            there = context.values_of(aligned.passage)
            if any(is_same(value, other) for other in there):
                break  # said where it should be
            share, count = _share_found(comparison.tokens, aligned.stems, spared)
            if share < _ALIGNED_FOR_VALUE or count < _FEWEST_ALIGNED_WORDS:
                continue
            other = _same_slot(value, comparison, there, aligned.passage)
            if other is not None:
                return Conflict(
                    kind="value",
                    passage=aligned.passage,
                    claim_span=(value.start, value.end),
                    passage_span=(other.start, other.end),
                )
    return None


def _same_slot(value: Value, comparison: Comparison, there: Sequence[Value], passage: Passage) -> Value | None:
    """Return the one value of the passage that could stand in this value's place and that the claim does not say."""
    candidates = [
        other
        for other in there
        if can_differ(value, other) and not any(is_same(mine, other) for mine in comparison.values)
    ]
    if not candidates:
        return None
    # Plain numbers count different things: the words beside them must agree.
    if value.kind is Kind.NUMBER and not value.unit:
        beside = _stems_beside(comparison.tokens, value)
        candidates = [other for other in candidates if beside & _stems_beside(passage.tokens, other)]
    if len(candidates) > 1:
        beside = _stems_beside(comparison.tokens, value)
        scored = [(len(beside & _stems_beside(passage.tokens, other)), other) for other in candidates]
        top = max(score for score, _ in scored)
        best = [other for score, other in scored if score == top]
        return best[0] if (top > 0 and len(best) == 1) or (top > 0 and value.kind is not Kind.NUMBER) else None
    return candidates[0] if candidates else None


_BESIDE = 3


def _stems_beside(tokens: Sequence[Token], value: Value) -> set[str]:
    words = [t for t in tokens if t.word.is_content]
    before = [t.word.stem for t in words if t.end <= value.start][-_BESIDE:]
    after = [t.word.stem for t in words if t.start >= value.end][:_BESIDE]
    return {*before, *after}


def _name_conflict(comparison: Comparison, context: Context, passages: Sequence[_Aligned]) -> Conflict | None:
    claimed = {t.word.stem for t in comparison.tokens}
    for name in comparison.missing_names:
        for aligned in passages:
            share, count = _share_found(comparison.tokens, aligned.stems, [(name.start, name.end)])
            if share < _ALIGNED_FOR_NAME or count < _FEWEST_ALIGNED_WORDS:
                continue
            other = name_in_its_place(name, comparison.tokens, context, aligned.passage, claimed)
            if other is not None:
                return Conflict(
                    kind="name",
                    passage=aligned.passage,
                    claim_span=(name.start, name.end),
                    passage_span=(other.start, other.end),
                )
    return None


def _negation_conflict(
    answer: str, comparison: Comparison, context: Context, passages: Sequence[_Aligned]
) -> Conflict | None:
    for aligned in passages[:2]:
        passage = aligned.passage
        opposition: Opposition | None = find_opposition(
            answer,
            comparison.tokens,
            context.texts[passage.chunk],
            passage.tokens,
            is_denied=passage.is_denied,
        )
        if opposition is None:
            continue
        mine, theirs = opposition.claim_token, opposition.passage_token
        share, count = _share_found(comparison.tokens, aligned.stems, [(mine.start, mine.end)])
        if share < _ALIGNED_FOR_NEGATION or count < (1 if passage.is_denied else _FEWEST_ALIGNED_WORDS):
            continue
        return Conflict(
            kind="negation" if opposition.is_negation else "opposite",
            passage=passage,
            claim_span=(mine.start, mine.end),
            passage_span=(theirs.start, theirs.end),
        )
    return None


def _role_conflict(
    answer: str, comparison: Comparison, context: Context, passages: Sequence[_Aligned]
) -> Conflict | None:
    if len(comparison.names) < 2:
        return None
    for aligned in passages[:2]:
        passage = aligned.passage
        share, _ = _share_found(comparison.tokens, aligned.stems, [])
        if share < _ALIGNED_FOR_NAME:
            continue
        swap = find_swap(answer, comparison.tokens, comparison.names, context.texts[passage.chunk], passage.tokens)
        if swap is not None:
            return Conflict(kind="roles", passage=passage, claim_span=swap.claim_span, passage_span=swap.passage_span)
    return None
