"""Inspect's logs as JSON; `inspect log convert --to json` writes them from `.eval`.

A sample's chunks are where its author put them, mostly in its metadata. Each scorer has its own kind of value.
"""

from collections.abc import Iterator, Mapping

from faithview.formats.readers.traces import Part, Record, TraceTool, reader_of
from faithview.formats.reading.named_scores import NamedScore
from faithview.formats.reading.values import as_list, as_object, text_of

# The values of Inspect's own scorers: correct, partly correct, incorrect, no answer.
_GRADES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
# Texts that the events of a sample refer to.
_LEFT_OUT = ("events_data", "attachments", "timelines")


def _parts(record: Record) -> Iterator[Part]:
    header = as_object(record.get("eval"))
    about = {"inspect_model": header.get("model"), "inspect_task": header.get("task")}
    for sample in map(as_object, as_list(record.get("samples"))):
        kept = {name: value for name, value in sample.items() if name not in _LEFT_OUT}
        yield Part(values={**kept, **about}, scores=list(_scores(sample)))


def _scores(sample: Record) -> Iterator[Record]:
    """Yield the value of each scorer, or each of its values if it gives several by name."""
    for name, item in as_object(sample.get("scores")).items():
        score = as_object(item) or {"value": item}
        value = score.get("value")
        if isinstance(value, Mapping):
            yield from ({**score, "name": f"{name}.{part}", "value": inner} for part, inner in value.items())
        else:
            yield {**score, "name": name}


def _score(item: Record) -> NamedScore:
    value = item.get("value")
    graded = _GRADES.get(value, value) if isinstance(value, str) else value
    return NamedScore(name=text_of(item.get("name")), value=graded, reason=text_of(item.get("explanation")))


READER = reader_of(
    TraceTool(
        name="inspect",
        title="Inspect",
        signs=({"samples", "eval.task"},),
        parts=_parts,
        score=_score,
        prefix="scores.",
        # The history of a sample, message by message; far longer than the sample.
        steps="events",
        references=("target",),
        timestamps=("completed_at",),
        objects=("metadata", "store"),
    )
)
