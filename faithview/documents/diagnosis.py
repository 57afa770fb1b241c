"""The state of the service, and its errors."""

from typing import Literal

from pydantic import GetJsonSchemaHandler, SerializerFunctionWrapHandler, model_serializer
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from faithview.documents.base import Document, Part, entry


class HealthDocument(Document):
    """The service is alive."""

    status: Literal["ok"] = entry('Always "ok".', default="ok")
    version: str = entry("FaithView's version.")


class ReadyDocument(Document):
    """Whether the service can work."""

    ready: bool = entry("Whether judge and store work.")
    judge: bool = entry("Whether the judge works.")
    store: bool = entry("Whether the store works.")


class ErrorDetail(Part):
    """What went wrong."""

    type: str = entry("A name for programs.")
    message: str = entry("What happened and what to do.")
    field: str | None = entry("The field of the request with the error, such as `context.2.text`.", default=None)

    # Its return has no annotation, because pydantic would take one for the document's schema.
    @model_serializer(mode="wrap")
    def _without_no_field(self, write: SerializerFunctionWrapHandler):  # type: ignore[no-untyped-def]  # see above
        return {name: value for name, value in write(self).items() if name != "field" or value is not None}

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Say that `field` may be missing."""
        written = handler(schema)
        handler.resolve_ref_schema(written)["required"] = ["type", "message"]
        return written


class ErrorDocument(Document):
    """The body of every reply that is not a success."""

    error: ErrorDetail = entry("What went wrong.")
