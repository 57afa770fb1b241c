"""OpenTelemetry: files of OTLP in JSON, whole or one export per line, as the Collector's file exporter writes them.

Answers are found by the conventions for generative AI (`gen_ai.*`), OpenInference or OpenLLMetry.
"""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, cast

from faithview.domain.errors import InvalidInput
from faithview.formats.readers.traces import Part, Record, TraceTool, reader_of
from faithview.formats.rows.cells import BadCell
from faithview.formats.spans.otlp import spans_of_document
from faithview.formats.spans.steps import Step


def _parts(record: Record) -> Iterator[Part]:
    try:
        spans = spans_of_document(record)
    except InvalidInput as error:
        raise BadCell(str(error).removesuffix(".")) from error
    for span in spans:
        yield Part(trace_id=span.trace_id, steps=[asdict(span.step)])


READER = reader_of(
    TraceTool(
        name="otel",
        title="OpenTelemetry spans",
        signs=({"resource_spans"},),
        parts=_parts,
        step=lambda record: Step(**cast(dict[str, Any], record)),
    )
)
