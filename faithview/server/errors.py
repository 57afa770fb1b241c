"""Errors as clients see them: one shape, one sentence, and no text of another client."""

import json
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

from faithview.documents.diagnosis import ErrorDetail, ErrorDocument

# The name that programs go by, and what the OpenAPI document says of it.
ERRORS = {
    400: ("bad_request", "The body cannot be read: it is not JSON, not UTF-8, or not of the stated type."),
    401: ("unauthorized", "The token is missing or wrong."),
    404: ("not_found", "There is no such address."),
    405: ("method_not_allowed", "The address does not accept this method."),
    413: ("too_large", "The body is too large, perhaps after unpacking."),
    415: ("unsupported_type", "The content type or encoding is not one that this address reads."),
    421: ("wrong_host", "The request's host name is not allowed."),
    422: ("invalid_request", "A field is missing or cannot be used; `field` names it."),
    499: ("client_gone", "The client closed its connection before the reply."),  # nginx's; logged, never sent
    500: ("internal_error", "Unexpected error. The service's log has the details."),
    503: ("busy", "The service is busy, or the store cannot be reached; `Retry-After` says when to try again."),
    504: ("judge_timeout", "The judge took too long."),
}


class Reply(JSONResponse):
    """A JSON reply. Half a character, which a model's reply may have, cannot be written in UTF-8: it becomes "?"."""

    def render(self, content: Any) -> bytes:
        """Return the bytes."""
        text = json.dumps(content, allow_nan=False, separators=(",", ":"), ensure_ascii=False)
        return text.encode("utf-8", "replace")


class Refused(HTTPException):
    """A request that is answered with an error; `field` names what is wrong in its body."""

    def __init__(
        self, status: int, message: str, *, field: str | None = None, headers: dict[str, str] | None = None
    ) -> None:
        super().__init__(status, message, headers)
        self.field = field


def busy(message: str, *, retry_after_s: int = 5) -> Refused:
    """Return the refusal of what may be sent again later."""
    return Refused(503, message, headers={"Retry-After": str(retry_after_s)})


def error_reply(error: HTTPException) -> Reply:
    """Return an error in the one shape; an error of the framework says what its status means."""
    name, meaning = ERRORS[error.status_code]
    message, field = (error.detail, error.field) if isinstance(error, Refused) else (meaning, None)
    document = ErrorDocument(error=ErrorDetail(type=name, message=message, field=field))
    return Reply(document.model_dump(exclude_none=True), error.status_code, error.headers)


def described(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the errors for the OpenAPI document; FastAPI takes them as `responses`."""
    return {status: {"model": ErrorDocument, "description": ERRORS[status][1]} for status in statuses}
