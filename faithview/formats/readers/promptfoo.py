"""promptfoo's results as JSON or JSON Lines: one answer per test, prompt and model."""

import re
from collections.abc import Iterator

from faithview.formats.files.aliases import find_columns
from faithview.formats.readers.traces import MODEL_COLUMN, Part, Record, TraceTool, objects_in, reader_of
from faithview.formats.reading.named_scores import NamedScore
from faithview.formats.reading.score_columns import is_about_faithfulness
from faithview.formats.reading.values import as_object, text_of
from faithview.formats.rows.cells import is_missing, value_at
from faithview.formats.spans.steps import RETRIEVER, Step

_FAITHFUL = "context-faithfulness"
# promptfoo's reason for a measured faithfulness; any other reason with a score of 0 is a failure to measure.
_MEASURED = re.compile(r"Faithfulness -?\d")


def _parts(record: Record) -> Iterator[Part]:
    grading, response, given = (as_object(record.get(name)) for name in ("gradingResult", "response", "vars"))
    graded = objects_in(grading.get("componentResults"))
    chunks = next((found for item in graded if not is_missing(found := value_at(item, "metadata.context"))), None)
    named = [given[name] for name in find_columns("reference", list(given))]
    expected = [value_at(item, "assertion.value") for item in graded if _kind(item) in ("factuality", "context-recall")]
    provider = as_object(record.get("provider"))
    own = {
        "gradingResult": {name: value for name, value in grading.items() if name != "componentResults"},
        "response": {name: value for name, value in response.items() if name != "error"},
        **({"error": response["error"]} if "error" in response else {}),
        MODEL_COLUMN: text_of(provider.get("label") or provider.get("id") or record.get("provider")),
    }
    grader = value_at(record, "testCase.options.provider")
    scores: list[Record] = [{"provider": grader, **item} for item in graded]
    if not graded:
        scores = [{"name": name, "score": score} for name, score in as_object(record.get("namedScores")).items()]
    yield Part(
        values={**record, **own},
        right=next((text for text in (*named, *expected) if isinstance(text, str) and text.strip()), None),
        steps=[{"context": chunks}] if chunks is not None else [],
        scores=scores,
    )


def _kind(item: Record) -> str:
    return text_of(value_at(item, "assertion.type"))


def _score(item: Record) -> NamedScore:
    """Return the score of an assertion; if the file has none, a score by name."""
    kind = _kind(item)
    name = text_of(item.get("name") or value_at(item, "assertion.metric")) or kind
    if kind == _FAITHFUL and not is_about_faithfulness(name):
        name = f"{name} ({kind})"
    score, reason = item.get("score", item.get("pass")), text_of(item.get("reason"))
    failed = kind == _FAITHFUL and item.get("score") == 0 and bool(reason) and not _MEASURED.match(reason)
    grader = value_at(item, "assertion.provider") or item.get("provider")
    grader = as_object(grader).get("id", grader)
    return NamedScore(
        name=name,
        value=None if failed else score,
        reason="" if failed else reason,
        judge=f"promptfoo ({grader})" if isinstance(grader, str) and grader and "://" not in grader else "",
        is_human=kind == "human",
        error=reason if failed else "",
    )


READER = reader_of(
    TraceTool(
        name="promptfoo",
        title="promptfoo",
        signs=[{"vars", "response", name} for name in ("grading_result", "prompt_idx", "named_scores")],
        parts=_parts,
        step=lambda item: Step(step_id="", kind=RETRIEVER, output=item["context"]),
        score=_score,
        prefix="metric.",
        scores="assertions",
        asked="vars",
        gave="response",
        objects=("vars", "response", "metadata"),
    )
)
