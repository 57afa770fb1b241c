"""The contract of a vendor's client: one prompt in, one reply out. Nothing here is specific to a vendor."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, runtime_checkable

from pydantic import BaseModel

from faithview.domain.errors import JudgeFailed


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """One question to a model, with the shared parts first, so vendors can cache them.

    `instructions` are the same for every answer, `context` (the chunks) for every question about one answer; `task` is
    this question alone. `context` is empty where the question needs no chunks; `reuses_context` says that several
    questions follow each other on the same context, so caching it pays off. `has_form` says that the task
    shows the form of the reply in words.
    """

    instructions: str
    context: str
    task: str
    reuses_context: bool = False
    has_form: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenUsage:
    """Tokens of one reply. `prompt` counts all tokens sent, including those read from or written to a cache."""

    prompt: int = 0
    completion: int = 0
    cache_read: int = 0
    cache_write: int = 0


class Finish(StrEnum):
    """Why a model stopped."""

    COMPLETE = "complete"
    TRUNCATED = "truncated"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A model's reply: the unparsed text, or the arguments if the reply is a tool call."""

    text: str
    finish: Finish = Finish.COMPLETE
    usage: TokenUsage = TokenUsage()


class LlmClient(Protocol):
    """One model at one vendor. Use it from one event loop, for any number of questions at a time."""

    @property
    def vendor(self) -> str:
        """The vendor's name as in the judge's: "openai"."""
        ...

    @property
    def model(self) -> str:
        """The model's name as the vendor knows it."""
        ...

    @property
    def host(self) -> str:
        """The host (and port) that is called."""
        ...

    @property
    def server(self) -> str:
        """The server's part of a fingerprint (see `server_label`); "" for the vendor's own server."""
        ...

    def limit_calls(self, concurrency: int) -> None:
        """Cap concurrent calls at `concurrency`. Call it before the first call."""
        ...

    async def complete(self, prompt: Prompt, schema: type[BaseModel], *, max_tokens: int) -> Reply:
        """Ask for a reply that fits the schema.

        Raises:
            JudgeFailed: no reply came, after as many attempts as make sense; the text names no key.
        """
        ...

    async def aclose(self) -> None:
        """Close the connections."""
        ...


@runtime_checkable
class InspectableClient(LlmClient, Protocol):
    """A client that says what its server has and knows."""

    @property
    def reply_form(self) -> str:
        """How the form of a reply is asked for after the calls so far: "schema", "tool", "json" or "text"."""
        ...

    async def list_models(self) -> tuple[str, ...]:
        """Return the names of the models that the server lists, in its order.

        Raises:
            JudgeFailed: it gave no list.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchRequest:
    """One question of a batch; `custom_id` has at most 64 letters, digits, "-" and "_"."""

    custom_id: str
    prompt: Prompt
    schema: type[BaseModel]
    max_tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchOutcome:
    """The outcome of one question of a batch: a reply, or an error that says why there is none."""

    reply: Reply | None = None
    error: str | None = None


class BatchLost(JudgeFailed):
    """The vendor could not process a batch at all; its requests will have no replies."""


@runtime_checkable
class BatchClient(LlmClient, Protocol):
    """A client whose vendor also answers many questions within a day at a lower price."""

    async def submit_batch(self, requests: list[BatchRequest]) -> str:
        """Submit the questions; return the vendor's id of the batch."""
        ...

    async def batch_is_done(self, batch_id: str) -> bool:
        """Return whether the vendor has finished the batch, successfully or not."""
        ...

    async def collect_batch(self, batch_id: str) -> Mapping[str, BatchOutcome]:
        """Return the outcomes of the questions by their ids; questions without an outcome are left out.

        Raises:
            BatchLost: the batch as a whole failed.
            JudgeFailed: the vendor could not be asked.
        """
        ...
