"""Every document of the contract is what its published model says, and nothing beside it."""

import importlib
import json
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from jsonschema_rs import Draft202012Validator

from faithview import documents
from faithview.documents.base import Document
from faithview.domain.hidden_characters import escape_in_json
from tests.cli.conftest import Command

pytestmark = pytest.mark.process  # takes long

_DATA = Path(__file__).resolve().parents[2] / "data"


def _list_documents() -> list[type[Document]]:
    """The models of all documents, by name."""
    for module in pkgutil.iter_modules(documents.__path__, f"{documents.__name__}."):
        importlib.import_module(module.name)
    found: list[type[Document]] = []
    waiting = [Document]
    while waiting:
        classes = waiting.pop().__subclasses__()
        found += classes
        waiting += classes
    return sorted(found, key=lambda model: model.__name__)


_MODELS = {model.__name__: model for model in _list_documents()}
_JUDGED = ("--judge", "lexical", "--limit", "12")
_ANSWER = ("--answer", "Parking costs 5 euros.", "--context", "Parking costs 3 euros.", "--judge", "lexical")


@pytest.fixture
def bundled(faithview: Command, tmp_path: Path) -> Command:
    """The command line over rows of the bundled sample, with labels in a spot-check and beside it."""
    manifest = json.loads((_DATA / "demo.json").read_text(encoding="utf-8"))
    for name, entry in zip("ab", manifest["runs"], strict=False):
        version = ("--kb-version", entry["kb_version"])
        assert faithview("evaluate", _DATA / entry["file"], "--name", name, *version, *_JUDGED).status == 0
    for entry in manifest["knowledge_bases"]:
        assert faithview("kb", "add", entry["version"], _DATA / entry["file"]).status == 0
    items = faithview("spot-check", "draw", "a", "--size", "30", "--seed", "1", "--json").document["items"]
    file = tmp_path / "labels.jsonl"
    verdicts = ("supported", "not_mentioned", "not_a_claim")
    for reviewer, several in (("ada", items), ("ben", items[:4])):
        lines = [
            {"claim_id": item["claim_id"], "verdict": verdicts[number % 3], "reviewer": reviewer, "note": "n"}
            for number, item in enumerate(several)
        ]
        file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        assert faithview("labels", "import", "a", file, "--spot-check", "1").status == 0
    return faithview


def _commands(file: Path) -> Iterator[tuple[str, tuple[object, ...]]]:
    yield "RunsDocument", ("run", "list")
    yield "RunDocument", ("run", "show", "a")
    yield "RunDocument", ("evaluate", file, "--name", "more", *_JUDGED)
    yield "ComparisonDocument", ("compare", "a", "b")
    yield "RunDocument", ("rejudge", "b", "--judge", "lexical", "--name", "again")
    yield "RunDocument", ("resume", "again")
    yield "CheckDocument", ("check", *_ANSWER)


def test_every_document_is_what_its_model_says(bundled: Command, dataset: Path) -> None:
    for name, words in _commands(dataset):
        printed = bundled(*words, "--json").out
        document = _checked(name, printed)
        assert escape_in_json(json.dumps(document.to_dict(), ensure_ascii=False, indent=2)) + "\n" == printed, words


def test_every_line_of_an_export_is_what_its_model_says(bundled: Command, tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    bundled("export", "a", "--format", "jsonl", "-o", file)
    lines = file.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 12
    for line in lines:
        document = _checked("ExportedAnswer", line)
        assert escape_in_json(json.dumps(document.to_dict(), ensure_ascii=False)) == line


def test_an_export_is_read_again_without_a_column_for_its_version(bundled: Command, tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    bundled("export", "a", "--format", "jsonl", "-o", file)
    preview = bundled("import", file, "--preview", "--json").document
    assert (preview["format"], preview["kept_columns"]) == ("faithview", ["inclusion_probability"])
    assert all("schema_version" not in name for row in preview["rows"] for name in row["sample"]["extra"])


def _checked(name: str, text: str) -> Document:
    """Read a document by its model, and check it against the published schema, which has ranges too."""
    model = _MODELS[name]
    schema = model.model_json_schema(mode="serialization")
    problems = [error.message for error in Draft202012Validator(schema).iter_errors(json.loads(text))]
    assert not problems, f"{name}: {problems[:3]}"
    return model.model_validate_json(text)
