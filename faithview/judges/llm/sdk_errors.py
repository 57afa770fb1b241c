"""From an SDK's errors to our own, whose texts hold no key; both vendors' SDKs raise errors of the same shapes."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from faithview.domain.reply_body import ReplyDamaged, ReplyRefused
from faithview.judges.llm.transport import HttpFailure, Transport

_E = TypeVar("_E", bound=Exception)


@dataclass(frozen=True, slots=True, kw_only=True)
class SdkErrors(Generic[_E]):
    """What an SDK raises: for an error status, for a connection's trouble, and at all. `read` reads the first."""

    status: type[_E]
    connection: type[Exception]
    base: type[Exception]
    read: Callable[[_E], HttpFailure]


class Translated(Generic[_E]):
    """Within it, what the SDK raises becomes `CallFailed` or `NotSupported`."""

    def __init__(self, transport: Transport, errors: SdkErrors[_E]) -> None:
        self._transport = transport
        self._errors = errors

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        errors = self._errors
        if isinstance(error, errors.status):
            raise self._transport.refusal_of(errors.read(error)) from None
        # The SDKs take whatever their client raises for a connection's trouble.
        cause = error.__cause__ if isinstance(error, errors.connection) else error
        if isinstance(cause, ReplyRefused):
            raise self._transport.refused(cause) from None
        if isinstance(cause, ReplyDamaged):
            raise self._transport.garbled(f"{cause}.") from None
        if isinstance(error, errors.connection):
            raise self._transport.unreachable(error) from None
        if isinstance(error, errors.base | ValueError):  # ValueError: the body is no JSON
            raise self._transport.garbled(str(error)) from None


def read_model_names(body: str) -> tuple[str, ...]:
    """Return the names in a server's list of models, in its order.

    Raises:
        ValueError: it is no such list.
    """
    try:
        document = json.loads(body)
    except ValueError:
        raise ValueError("what came is no JSON") from None
    if not isinstance(document, dict) or not isinstance(document.get("data") or [], list):
        raise ValueError("no list of models")
    # Ollama writes null where it has none.
    return tuple(str(model["id"]) for model in document.get("data") or () if isinstance(model, dict) and "id" in model)
