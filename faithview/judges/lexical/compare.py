"""Compare one claim with the chunks."""

from dataclasses import replace

from faithview.judges.lexical.comparison import Comparison
from faithview.judges.lexical.conflicts import find_conflict
from faithview.judges.lexical.names import find_names, missing_names
from faithview.judges.lexical.retrieve import Context
from faithview.judges.lexical.value import Kind, Value
from faithview.judges.lexical.values import find_values, is_same
from faithview.judges.lexical.words import tokenize


def compare(answer: str, start: int, end: int, context: Context) -> Comparison:
    """Compare one claim with the chunks."""
    tokens = tokenize(answer, start, end)
    words = [token.word for token in tokens]
    windows = context.best_windows(words)
    names = find_names(answer, tokens, known_lower=context.lowers, known_names=context.names)
    values = find_values(answer, start, end) if any(word.may_be_value for word in words) else []
    found_values = [v for v in values if _is_found(v, context)]
    # "500 °F (260 °C)" says one thing twice.
    missing_values = [
        v for v in values if v not in found_values and not any(is_same(v, other) for other in found_values)
    ]
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
    conflict = find_conflict(answer, comparison, context)
    return comparison if conflict is None else replace(comparison, conflict=conflict)


def _is_found(value: Value, context: Context) -> bool:
    if any(is_same(value, other) for other in context.all_values()):
        return True
    # A small ordinal orders the answer's own points ("first, ..."); a number may be a word of a name ("Apollo 11").
    if value.kind is Kind.ORDINAL and value.number <= 3:
        return True
    return value.kind is Kind.NUMBER and value.number == int(value.number) and str(int(value.number)) in context.lowers
