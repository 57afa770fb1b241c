"""The page on JSON documents, made from the models: `python -m tests.docs.json_reference --write` writes it."""

import argparse
import importlib
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from pydantic.json_schema import models_json_schema

from faithview import documents
from faithview.documents.base import Document
from tests.docs.pages import DOCS

PAGE = DOCS / "reference-json.md"
# What prints, answers with or writes each document.
SOURCES: Mapping[str, str] = {
    "AcknowledgedDocument": "`faithview alert acknowledge ID --json`",
    "AgreementDocument": "`faithview labels agreement RUN --json`",
    "AlertRuleDocument": "`faithview alert add --json`",
    "AlertsDocument": "`faithview alert list --json`",
    "AuditDocument": "`faithview audit --json`",
    "BenchDocument": "`faithview bench FILE --json`",
    "CheckDocument": "`faithview check --json`, `POST /check`, `JudgedAnswer.to_dict()`",
    "ComparisonDocument": "`faithview compare BASELINE CANDIDATE --json`, `ComparedRuns.to_dict()`",
    "CorrectionDocument": "`POST /correct`",
    "DatasetDocument": "`faithview datasets show NAME --json`",
    "DatasetsDocument": "`faithview datasets list --json`",
    "DeletedDocument": "the commands `delete` with `--yes --json`",
    "DiagnosisDocument": "`faithview doctor --json`",
    "DrawnDocument": "`faithview spot-check draw --json`",
    "ErrorDocument": "every error of the service",
    "EventDocument": "`faithview event add --json`",
    "EventsDocument": "`faithview event list --json`",
    "ExportedAnswer": "each line of `faithview export RUN --format jsonl`; CSV and parquet have its fields as columns",
    "FitDocument": "`faithview fit --json`",
    "GuardDocument": "`POST /guard`",
    "GuardedDocument": "`POST /guard` with `correct`",
    "HealthDocument": "`GET /health`",
    "HeldOutDocument": "`faithview datasets hold-out --json`",
    "KnowledgeBaseDocument": "`faithview kb add --json`",
    "KnowledgeBasesDocument": "`faithview kb list --json`",
    "KnowledgeCheckDocument": "`faithview kb check NEW --json`",
    "KnowledgeChangesDocument": "`faithview kb diff OLD NEW --json`",
    "LabelImportDocument": "`faithview labels import RUN FILE --json`",
    "LabelsDocument": "`faithview labels export RUN --json`; a file of labels has one label per line",
    "LogDocument": "`POST /log`",
    "MappingsDocument": "`faithview mappings list --json`",
    "PreflightDocument": "`faithview kb preflight NEW --json`, `Preflight.to_dict()`",
    "PreviewDocument": "`faithview evaluate FILE --preview --json`, `faithview import FILE --preview --json`",
    "ProjectsDocument": "`faithview projects --json`",
    "PullDocument": "`faithview pull SOURCE --json`",
    "ReadyDocument": "`GET /ready`",
    "RenamedDocument": "`faithview datasets rename NAME NEW --json`, `faithview series rename OLD NEW --json`",
    "RestoredDocument": "`faithview db restore FILE --json`",
    "RetentionDocument": "`faithview retention --json`",
    "RunDocument": "`faithview evaluate`, `import`, `rejudge`, `resume`, `run show`, `run rename`, `run note`, "
    "`run archive`, `run unarchive` and `series move` with `--json`, `Evaluation.to_dict()`",
    "RunEstimate": "`faithview evaluate FILE --estimate --json`, `faithview kb preflight NEW --estimate --json`",
    "RunsDocument": "`faithview run list --json`, `RunList.to_dict()`",
    "SentDocument": "`faithview guard --no-correct --json`",
    "SentGenerationDocument": "`faithview guard --generate --json`",
    "SentGuardedDocument": "`faithview guard --json`",
    "SeriesDocument": "`faithview series list --json`",
    "SlicesDocument": "`faithview slices RUN --json`",
    "SpotCheckDocument": "`faithview spot-check show ID --json`",
    "SpotChecksDocument": "`faithview spot-check list --json`",
    "StoreSchemaDocument": "`faithview db check --json`",
    "TaggedDocument": "`faithview datasets tag NAME TAG --json`",
    "UpgradedDocument": "`faithview db upgrade --json`",
    "WatchDocument": "`faithview watch --json`",
    "WebhookDocument": "what is posted to an alert's webhook",
    "WrittenDocument": "`faithview export`, `report`, `datasets export` and `db backup` with `--json`",
}
_INTRODUCTION = """# JSON documents

Every document that the command line prints with `--json`, that the service answers with, and every line of an
export as JSON Lines. `schema_version` is the first key of each. It grows when a field is removed or renamed, and the
old name then stays for one minor version; new fields can come at any time. Shares are from 0 to 1, times are ISO 8601,
and offsets count Unicode code points: `text[start:end]` is exactly the quoted text. "or null" is written as `null`; a
key that *may be missing* is left out instead.

The models are in the package `faithview.documents`. In Python, `RunDocument.model_validate_json(text)` of
`faithview.documents.runs` reads a document and checks it. Unknown fields are errors there.

<!-- Made by python -m tests.docs.json_reference --write -->
"""


def list_documents() -> list[type[Document]]:
    """Return the models of all documents, by name."""
    for name in documents.__all__:
        importlib.import_module(f"{documents.__name__}.{name}")
    found: list[type[Document]] = []
    waiting = [Document]
    while waiting:
        classes = waiting.pop().__subclasses__()
        found += classes
        waiting += classes
    return sorted(found, key=lambda model: model.__name__)


@cache
def read_schemas() -> dict[str, dict[str, Any]]:
    """Return the JSON schema of each document and of each of its parts."""
    _, schemas = models_json_schema([(model, "serialization") for model in list_documents()])
    found: dict[str, dict[str, Any]] = schemas["$defs"]
    return found


def make_page() -> str:
    """Return the page."""
    schemas = read_schemas()
    parts = sorted(name for name, schema in schemas.items() if name not in SOURCES and "properties" in schema)
    words = sorted(name for name, schema in schemas.items() if "enum" in schema)
    lines = [_INTRODUCTION]
    for name in SOURCES:
        lines += [*_described(name, schemas[name]), f"From {SOURCES[name]}.", "", *_table(schemas[name])]
    lines += ["## Parts of documents", ""]
    for name in parts:
        lines += [*_described(name, schemas[name], level="###"), *_table(schemas[name])]
    lines += ["## Words", "", "| kind | values |", "| --- | --- |"]
    lines += [f"| {name} | {', '.join(f'`{word}`' for word in schemas[name]['enum'])} |" for name in words]
    return "\n".join(lines) + "\n"


def _described(name: str, schema: Mapping[str, Any], *, level: str = "##") -> Iterator[str]:
    yield f"{level} {name}"
    yield ""
    yield " ".join(schema["description"].split())
    yield ""


def _table(schema: Mapping[str, Any]) -> Iterator[str]:
    yield "| key | type | meaning |"
    yield "| --- | --- | --- |"
    for name, field in schema["properties"].items():
        missing = "" if name in schema.get("required", ()) else " *May be missing.*"
        yield f"| `{name}` | {_type(field)} | {meaning(field)}{missing} |"
    yield ""


def meaning(field: Mapping[str, Any]) -> str:
    """Return what is said of a field; pydantic leaves out what is said of its type in the same words."""
    said: str = {**_part(field), **field}["description"]
    return said.replace("|", r"\|")


def _part(field: Mapping[str, Any]) -> Mapping[str, Any]:
    return read_schemas()[field["$ref"].rpartition("/")[2]] if "$ref" in field else {}


def _type(field: Mapping[str, Any]) -> str:
    if "$ref" in field:
        name = field["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})" if "properties" in _part(field) else name
    if "anyOf" in field:
        return " or ".join(dict.fromkeys(_type({**one, **_limits(field)}) for one in field["anyOf"]))
    if "const" in field:
        return f"`{field['const']}`" if not isinstance(field["const"], int) else str(field["const"])
    if "enum" in field:
        return " or ".join(f"`{word}`" for word in field["enum"])
    if field["type"] == "array":
        if "prefixItems" in field:
            return f"[{', '.join(map(_type, field['prefixItems']))}]"
        of = _type(field["items"])
        return f"[{of}, {of}]" if field.get("maxItems") == 2 else f"list of {of}"
    if field["type"] == "object":
        inner = field.get("additionalProperties")
        return f"object of {_type(inner)}" if isinstance(inner, dict) else "object"
    return _simple(field)


def _simple(field: Mapping[str, Any]) -> str:
    low, high = field.get("minimum"), field.get("maximum")
    kind = "time" if field.get("format") == "date-time" else str(field["type"])
    if field["type"] not in ("integer", "number") or (low is None and high is None):
        return kind
    return f"{kind}, {low:g} to {high:g}" if low is not None and high is not None else f"{kind}, at least {low:g}"


def _limits(field: Mapping[str, Any]) -> dict[str, Any]:
    return {name: field[name] for name in ("minimum", "maximum") if name in field}


def main() -> None:
    """Write or print the page."""
    parser = argparse.ArgumentParser(description="The page on JSON documents.")
    parser.add_argument("--write", action="store_true", help="write it instead of printing it")
    if parser.parse_args().write:
        PAGE.write_text(make_page(), encoding="utf-8")
    else:
        print(make_page())


if __name__ == "__main__":
    main()
