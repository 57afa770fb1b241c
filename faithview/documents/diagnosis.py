"""The state of the service, and its errors."""

from typing import Literal

from pydantic import ConfigDict

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

    model_config = ConfigDict(json_schema_serialization_defaults_required=False)  # a `field` of None is left out

    type: str = entry("A name for programs.")
    message: str = entry("What happened and what to do.")
    field: str | None = entry("The field of the request with the error, such as `context.2.text`.", default=None)


class ErrorDocument(Document):
    """The body of every reply that is not a success."""

    error: ErrorDetail = entry("What went wrong.")
