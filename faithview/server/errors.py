"""Errors as clients see them: one shape, one sentence, and no text of another client."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from faithview.documents.base import Document
from faithview.documents.diagnosis import ErrorDetail, ErrorDocument


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of error: the HTTP status, the name that programs go by, and what the OpenAPI document says of it."""

    status: int
    name: str
    meaning: str


BAD_REQUEST = Kind(400, "bad_request", "The body cannot be read: it is not JSON, not UTF-8, or not of the stated type.")
UNAUTHORIZED = Kind(401, "unauthorized", "The token is missing or wrong.")
NOT_FOUND = Kind(404, "not_found", "There is no such address.")
METHOD_NOT_ALLOWED = Kind(405, "method_not_allowed", "The address does not accept this method.")
TOO_LARGE = Kind(413, "too_large", "The body is too large, perhaps after unpacking.")
UNSUPPORTED_TYPE = Kind(415, "unsupported_type", "The content type or encoding is not one that this address reads.")
WRONG_HOST = Kind(421, "wrong_host", "The request's host name is not allowed.")
INVALID = Kind(422, "invalid_request", "A field is missing or cannot be used; `field` names it.")
# nginx's 499; logged, never sent.
CLIENT_GONE = Kind(499, "client_gone", "The client closed its connection before the reply.")
INTERNAL = Kind(500, "internal_error", "Unexpected error; the service's log has the details.")
BUSY = Kind(503, "busy", "The service is busy, or the store cannot be reached; `Retry-After` says when to try again.")
JUDGE_TIMEOUT = Kind(504, "judge_timeout", "The judge took too long.")


class Refused(Exception):
    """A request that is answered with an error."""

    def __init__(self, kind: Kind, message: str, *, field: str | None = None, retry_after_s: float | None = None):
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.field = field
        self.retry_after_s = retry_after_s

    def response(self) -> Response:
        """Return it as a reply."""
        headers = {}
        if self.retry_after_s is not None:
            headers["Retry-After"] = str(max(1, -int(-self.retry_after_s // 1)))
        if self.kind is UNAUTHORIZED:
            headers["WWW-Authenticate"] = 'Bearer realm="faithview"'
        if self.kind is UNSUPPORTED_TYPE:
            headers["Accept-Encoding"] = "gzip, identity"
        error = ErrorDetail(type=self.kind.name, message=self.message, field=self.field)
        return json_response(ErrorDocument(error=error), status=self.kind.status, headers=headers)


def internal_error() -> Refused:
    """Return the reply to an unexpected error; the service's log has its details."""
    return Refused(INTERNAL, "Unexpected error. The service's log has the details.")


def json_response(
    document: Document | Mapping[str, Any], *, status: int = 200, headers: dict[str, str] | None = None
) -> Response:
    """Return a JSON reply."""
    # Half a character cannot be written in UTF-8. Requests with one are refused, but a model's reply may have one.
    found = document.to_dict() if isinstance(document, Document) else document
    body = json.dumps(found, allow_nan=False, separators=(",", ":"), ensure_ascii=False)
    return Response(body.encode("utf-8", "replace"), status, headers, "application/json")


def described(*kinds: Kind) -> dict[int | str, dict[str, Any]]:
    """Return the errors for the OpenAPI document; FastAPI takes them as `responses`."""
    return {kind.status: {"model": ErrorDocument, "description": kind.meaning} for kind in kinds}
