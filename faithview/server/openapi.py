"""The OpenAPI document. FastAPI writes it from the routes; this adds what requests look like, and who may send them."""

import base64
import hashlib
import json
from importlib import resources
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from jinja2 import Environment, StrictUndefined
from pydantic.json_schema import models_json_schema
from starlette.responses import Response

from faithview.server.gate import OPEN
from faithview.server.request_bodies import BODIES
from faithview.version import __version__

_DESCRIPTION = (
    "Judges answers by the chunks that were retrieved for them, claim by claim. Every error has the body "
    '`{"schema_version", "error": {"type", "message", "field"}}`. If the service has a token, send it as '
    "`Authorization: Bearer TOKEN`."
)


def describe(app: FastAPI) -> dict[str, Any]:
    """Return the OpenAPI document of the service."""
    document = get_openapi(title="FaithView", version=__version__, description=_DESCRIPTION, routes=app.routes)
    _, bodies = models_json_schema(
        [(body, "validation") for body in BODIES], ref_template="#/components/schemas/{model}"
    )
    components = document.setdefault("components", {})
    schemas = {**components.get("schemas", {}), **bodies["$defs"]}
    for unused in ("HTTPValidationError", "ValidationError"):  # FastAPI's own errors, which nothing answers with
        schemas.pop(unused, None)
    components["schemas"] = dict(sorted(schemas.items()))
    components["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    for path, methods in document["paths"].items():
        for operation in methods.values():
            if path not in OPEN:
                operation["security"] = [{"token": []}, {}]
    return document


def docs_page(document: dict[str, Any]) -> Response:
    """Return the page."""
    folder = resources.files("faithview.server")
    style = (folder / "docs.css").read_text(encoding="utf-8")
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters["shape"] = _shape
    template = environment.from_string((folder / "docs.html").read_text(encoding="utf-8"))
    body = template.render(document=document, style=style)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    headers = {"Content-Security-Policy": f"default-src 'none'; style-src 'sha256-{digest}'; frame-ancestors 'none'"}
    return Response(body, headers=headers, media_type="text/html; charset=utf-8")


def _shape(schema: dict[str, Any]) -> str:
    """Return a schema in a few words: `text`, `list of ChunkBody`, `number or null`."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " or ".join(_shape(part) for part in schema["anyOf"])
    if "enum" in schema or "const" in schema:
        return " | ".join(json.dumps(value) for value in schema.get("enum", [schema.get("const")]))
    kind = schema.get("type", "anything")
    if kind == "array":
        return f"list of {_shape(schema.get('items', {}))}{_at_most(schema, 'maxItems')}"
    return f"{'text' if kind == 'string' else kind}{_at_most(schema, 'maxLength')}"


def _at_most(schema: dict[str, Any], key: str) -> str:
    return f" (at most {schema[key]:,})" if key in schema else ""
