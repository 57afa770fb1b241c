"""Abilities of some judges beyond judging an answer, checked with `isinstance`; and the server that a judge calls."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable
from urllib.parse import urlsplit

from faithview.domain.claim import Claim
from faithview.domain.result import Result, Usage
from faithview.domain.sample import Sample
from faithview.judges.base import Judge

if TYPE_CHECKING:  # these import a validation library, which the embedded judge does not need
    from faithview.judges.llm.asking import Send
    from faithview.judges.llm.client import Call, LlmClient, Reply
    from faithview.judges.llm.cost import Estimate, Price


@runtime_checkable
class SupportsThreads(Judge, Protocol):
    """A judge that only computes, which holds its event loop until it is done. It may judge in several threads."""

    def judge_now(self, sample: Sample) -> Result:
        """Judge one answer in the thread that calls; the result is that of `judge`."""
        ...


@runtime_checkable
class AsksModel(Judge, Protocol):
    """A judge that asks an LLM: `LlmJudge` or a cascade that asks one, told from others without importing them.

    Attributes:
        host: the host that is called.
        price: the model's price at this host; None if it is not known.
        batch_client: the client that sends batches.
        batch_discount: the share that a batch takes off the price, from 0 to 1.
        verifies_given: whether it can rule on claims that are known already instead of listing them.
    """

    host: str
    price: "Price | None"
    batch_client: "LlmClient"
    batch_discount: float
    verifies_given: bool

    def estimate(self, samples: Iterable[Sample], *, given: Iterable[float] | None = None) -> "Estimate":
        """Return what judging these samples will take, or ruling on so many `given` claims of each; sends nothing."""
        ...

    async def judge_with(self, sample: Sample, send: "Send", *, discount: float = 0.0) -> Result:
        """Judge one answer, sending its calls with `send`; `discount` is the share taken off their price."""
        ...

    async def verify_with(
        self, sample: Sample, claims: Sequence[Claim], send: "Send", *, discount: float = 0.0
    ) -> Result:
        """Do what `SupportsVerifying.verify` does, sending the calls with `send`. Only if `verifies_given`."""
        ...

    async def complete(self, call: "Call") -> "Reply":
        """Send one call; raises JudgeFailed."""
        ...

    async def generate(self, sample: Sample, rejected: Sequence[Claim]) -> "Writing":
        """Return one text: an answer to the sample's question from its chunks, without the rejected claims."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class FlawedSentence:
    """A sentence of an answer with the claims in it that the chunks do not fully support, and those that they do."""

    text: str
    wrong: tuple[Claim, ...]
    right: tuple[Claim, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """A model's output: the requested `texts`, or none and the `error`.

    `usage` is what it cost, failed calls included; `writer` names the model and the prompt with its version and hash.
    """

    texts: tuple[str, ...]
    usage: Usage
    writer: str
    error: str | None = None


@runtime_checkable
class SupportsRewriting(Judge, Protocol):
    """A judge whose model can correct sentences."""

    async def rewrite(self, sample: Sample, sentences: Sequence[FlawedSentence]) -> Writing:
        """Return each sentence as the chunks have it, in their order; "" for one that is to be removed."""
        ...


@runtime_checkable
class SupportsVerifying(Judge, Protocol):
    """A judge that can rule on claims that another judge has listed, so a cascade can ask it."""

    async def verify(self, sample: Sample, claims: Sequence[Claim]) -> Result:
        """Return a `judged` result with these claims in their order, ruled by this judge, or a `failed` result.

        Args:
            sample: the answer that makes the claims.
            claims: one or more, with their places in the answer and the verdicts of the other judge.

        Raises:
            JudgeFailed: the claims could not be judged.
        """
        ...


_COMMON_PATHS = ("", "/v1")
_DIGITS = 8


def host_of(base_url: str) -> str:
    """Return host and port of a URL, without user name and password; the likely ones if it is not a URL."""
    try:
        parts = urlsplit(base_url)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if not host:
        bare = base_url.partition("://")[2] or base_url
        return bare.rpartition("@")[2].partition("/")[0].partition("?")[0]
    return f"{host}:{port}" if port else host


def is_address(base_url: str) -> bool:
    """Return whether an SDK can call this: a URL with http or https and a host."""
    try:
        parts = urlsplit(base_url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def server_label(base_url: str, *, vendors_own: str) -> str:
    """Return the server's part of a fingerprint; "" for the vendor's own server.

    Two servers may serve different models under the same name, and one host may serve several under different paths.
    A gateway's path may be a secret, so a path other than "/v1" is shown as the beginning of its hash.
    """
    host, path = host_of(base_url), urlsplit(base_url).path.rstrip("/") if is_address(base_url) else ""
    if path in _COMMON_PATHS:
        return "" if host == vendors_own else f"@{host}"
    return f"@{host}~{hashlib.sha256(path.encode()).hexdigest()[:_DIGITS]}"
