"""The reference of JSON documents: each published model with its keys, as `pydantic` describes it."""

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic.json_schema import models_json_schema
from sphinx.application import Sphinx

from faithview import documents
from faithview.documents.base import Document

_PAGE = "reference-json"
_MARK = "<!-- every document -->"


def setup(app: Sphinx) -> dict[str, Any]:
    """Put the documents where the page `reference-json` has its mark."""
    app.connect("source-read", _fill_in)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _fill_in(app: Sphinx, name: str, source: list[str]) -> None:
    if name == _PAGE:
        source[0] = source[0].replace(_MARK, "\n".join(_lines()))


def _lines() -> Iterator[str]:
    for module in pkgutil.iter_modules(documents.__path__):
        importlib.import_module(f"{documents.__name__}.{module.name}")
    models = sorted(_below(Document), key=lambda model: model.__name__)
    _, schema = models_json_schema([(model, "serialization") for model in models])
    whole = {model.__name__ for model in models}
    for name, model in sorted(schema["$defs"].items(), key=lambda item: (item[0] not in whole, item[0])):
        yield from (f"## {name}", "", " ".join(model.get("description", "").split()), "")
        if "enum" in model:
            yield from (", ".join(f"`{word}`" for word in model["enum"]), "")
            continue
        yield from ("| key | type | meaning |", "| --- | --- | --- |")
        for key, field in model["properties"].items():
            missing = "" if key in model.get("required", ()) else " *May be missing.*"
            meaning = field.get("description", "").replace("|", "\\|")
            yield f"| `{key}` | {_type(field)} | {meaning}{missing} |"
        yield ""


def _below(model: type[Document]) -> Iterator[type[Document]]:
    for below in model.__subclasses__():
        yield below
        yield from _below(below)


def _type(field: Mapping[str, Any]) -> str:
    if "$ref" in field:
        name = field["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in field:
        return " or ".join(dict.fromkeys(_type(one) for one in field["anyOf"]))
    if "enum" in field or "const" in field:
        return " or ".join(f"`{word}`" for word in field.get("enum", [field.get("const")]))
    if "items" in field:
        return f"list of {_type(field['items'])}"
    if isinstance(field.get("additionalProperties"), dict):
        return f"object of {_type(field['additionalProperties'])}"
    return "time" if field.get("format") == "date-time" else str(field.get("type", "any"))
