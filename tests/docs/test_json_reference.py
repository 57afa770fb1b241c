"""The page on JSON documents says what the models say."""

import re

from faithview.documents.answers import ExportedAnswer
from faithview.formats.exporters.csv_jsonl_parquet import COLUMNS
from tests.docs.json_reference import PAGE, SOURCES, list_documents, make_page, meaning, read_schemas


def test_the_page_is_what_the_models_say() -> None:
    assert PAGE.read_text(encoding="utf-8") == make_page(), "Run `python -m tests.docs.json_reference --write`."


def test_every_document_has_a_source_and_begins_with_the_version() -> None:
    names = [model.__name__ for model in list_documents()]
    assert names == sorted(SOURCES)
    schemas = read_schemas()
    assert {next(iter(schemas[name]["properties"])) for name in names} == {"schema_version"}
    assert all("schema_version" in schemas[name]["required"] for name in names)


def test_every_field_is_described_in_a_sentence() -> None:
    for name, schema in read_schemas().items():
        for field, described in schema.get("properties", {}).items():
            assert re.fullmatch(r"\S.*[.:]", meaning(described), re.DOTALL), f"{name}.{field}"


def test_tables_have_the_fields_of_an_exported_answer() -> None:
    assert set(COLUMNS) == set(ExportedAnswer.model_fields) - {"schema_version"}
