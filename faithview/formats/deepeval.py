"""DeepEval's goldens, test cases and run files, in either spelling (`actual_output`, `actualOutput`)."""

from collections.abc import Sequence
from dataclasses import replace

from faithview.formats.files.tables import RawRow
from faithview.formats.rows.cells import is_missing
from faithview.formats.rows.guess import Guess, by_folded_name, map_by_alias


def recognise(columns: Sequence[str], head: Sequence[RawRow]) -> Guess | None:
    """Return a guess if the columns are those of DeepEval, else None."""
    names = by_folded_name(columns)
    if not {"actual_output", "retrieval_context"}.intersection(names):
        return None
    retrieved = names.get("retrieval_context")
    gold = names.get("context")
    mapping = replace(
        map_by_alias(columns, without=frozenset({gold} if gold else ())),
        question=names.get("input"),
        answer=names.get("actual_output"),
        contexts=(retrieved,) if retrieved else (),
        reference=names.get("expected_output"),
    )
    if mapping.key is None and "name" in names and _is_unique(names["name"], head):
        mapping = replace(mapping, key=names["name"])
    warnings = []
    if retrieved is None:
        reason = "DeepEval files hold the retrieved chunks in 'retrieval_context', which this file does not have"
        if gold is not None:
            reason += f"; its {gold!r} is the ideal context and was not used instead"
        mapping = replace(mapping, unmapped_contexts=reason)
        warnings.append(f"{reason}.")
    elif gold is not None:
        warnings.append(
            f"{retrieved!r} was read as the retrieved chunks; {gold!r} is DeepEval's ideal context, an extra column."
        )
    is_complete = retrieved is not None and mapping.answer is not None
    signs = " and ".join(repr(name) for name in (mapping.answer, retrieved) if name)
    return Guess(
        schema="deepeval",
        title="DeepEval",
        confidence=0.97 if is_complete else 0.9,
        why=f"{signs} {'are DeepEval columns' if is_complete else 'is a DeepEval column'}.",
        mapping=mapping,
        warnings=tuple(warnings),
    )


def _is_unique(column: str, head: Sequence[RawRow]) -> bool:
    values = [row.values.get(column) for row in head]
    return all(isinstance(value, str) and not is_missing(value) for value in values) and len(set(values)) == len(values)
