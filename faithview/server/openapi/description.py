"""The OpenAPI document. FastAPI writes it from the routes; this adds what requests look like, and who may send them."""

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic.json_schema import models_json_schema

from faithview.server.gate import OPEN
from faithview.server.openapi.request_bodies import BODIES
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
