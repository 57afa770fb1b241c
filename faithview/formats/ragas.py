"""Ragas data sets and results: the current form (0.2 and later) and that of 0.1."""

from collections.abc import Sequence
from dataclasses import replace

from faithview.formats.files.tables import RawRow
from faithview.formats.rows.guess import Guess, by_folded_name, map_by_alias

_METRICS = frozenset(
    {
        "faithfulness",
        "faithfulness_with_hhem",
        "answer_relevancy",
        "response_relevancy",
        "context_precision",
        "context_recall",
        "context_entity_recall",
        "answer_correctness",
        "answer_similarity",
        "semantic_similarity",
        "factual_correctness",
        "noise_sensitivity",
    }
)


def recognise(columns: Sequence[str], head: Sequence[RawRow]) -> Guess | None:
    """Return a guess if the columns are those of Ragas, else None."""
    names = by_folded_name(columns)
    return _recognise_present(columns, names) or _recognise_first(columns, names)


def _recognise_present(columns: Sequence[str], names: dict[str, str]) -> Guess | None:
    if "user_input" not in names or not {"response", "retrieved_contexts", "reference_contexts"}.intersection(names):
        return None
    # `reference_contexts` are what the reference was written from; the retrieved chunks are in `retrieved_contexts`.
    mapping = replace(
        map_by_alias(columns),
        question=names["user_input"],
        answer=names.get("response"),
        contexts=(names["retrieved_contexts"],) if "retrieved_contexts" in names else (),
        context_ids=names.get("retrieved_context_ids"),
        reference=names.get("reference"),
    )
    if "retrieved_contexts" in names:
        complete = mapping.answer is not None
        return Guess(
            schema="ragas",
            title="Ragas (0.2 and later)",
            confidence=0.98 if complete else 0.6,
            why="The columns 'user_input', 'response' and 'retrieved_contexts' are those of Ragas."
            if complete
            else "The columns are those of a Ragas data set without its responses.",
            mapping=mapping,
        )
    reason = (
        "This is a Ragas file without 'retrieved_contexts'; its 'reference_contexts' are what the question was written "
        "from, not what was retrieved"
        if "reference_contexts" in names
        else "This is a Ragas file without 'retrieved_contexts'"
    )
    return Guess(
        schema="ragas",
        title="Ragas (0.2 and later)",
        confidence=0.9,
        why="The columns 'user_input' and 'response' are those of Ragas.",
        mapping=replace(mapping, unmapped_contexts=reason),
        warnings=(f"{reason}.",),
    )


def _recognise_first(columns: Sequence[str], names: dict[str, str]) -> Guess | None:
    if not {"question", "answer", "contexts"}.issubset(names):
        return None
    truths = [names[name] for name in ("ground_truth", "ground_truths") if name in names]
    metrics = sorted(_METRICS.intersection(names))
    if not truths and not metrics:
        return None
    signs = ", ".join(repr(name) for name in (*truths, *metrics)[:3])
    return Guess(
        schema="ragas-0.1",
        title="Ragas 0.1",
        confidence=0.95,
        why=f"The columns 'question', 'answer' and 'contexts' with {signs} are those of Ragas 0.1.",
        mapping=replace(
            map_by_alias(columns),
            question=names["question"],
            answer=names["answer"],
            contexts=(names["contexts"],),
            reference=truths[0] if truths else names.get("reference"),
        ),
    )
