"""`/docs`: the OpenAPI document as a page that loads nothing, neither scripts nor anything of another host."""

import base64
import hashlib
import json
from importlib import resources
from typing import Any

from jinja2 import Environment, StrictUndefined
from starlette.responses import Response


def docs_page(document: dict[str, Any]) -> Response:
    """Return the page."""
    folder = resources.files("faithview.server.openapi")
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
