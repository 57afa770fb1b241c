"""The cost of calls, and the expected cost of a run. Prices come from one dated file; others are unknown."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from faithview.domain.errors import InvalidInput
from faithview.domain.result import Usage
from faithview.domain.sample import Sample
from faithview.judges.llm.client import TokenUsage
from faithview.judges.llm.methods.method import sentences_of
from faithview.judges.llm.prompts import PromptTemplate
from faithview.judges.llm.replies.schemas import BY_STEP, lean_schema

# English text has about 4 bytes of UTF-8 a token with the vendors' tokenizers, other scripts about 3.
_BYTES_PER_TOKEN = 4.0

# Tokens that a fence and a number add to each text.
_FENCE_TOKENS = 30

# Tokens of reasoning a call by the option's values: assumed, because vendors give no figures.
_REASONING_TOKENS = {
    "none": 0,
    "minimal": 100,
    "low": 500,
    "medium": 2_000,
    "high": 6_000,
    "xhigh": 12_000,
    "max": 24_000,
}

_MILLION = 1_000_000

# "gpt-4o-2024-08-06" and "claude-haiku-4-5-20251001" cost what the name without the date does.
_DATE = re.compile(r"-(?:\d{8}|\d{4}-\d{2}-\d{2})\Z")


class Price(BaseModel):
    """USD per million tokens. Without a price of their own, cached tokens cost what others do."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    input: float
    output: float
    cache_read: float | None = None
    cache_write: float | None = None

    def cost_usd(self, usage: TokenUsage) -> float:
        """Return what these tokens cost."""
        fresh = usage.prompt - usage.cache_read - usage.cache_write
        read = self.input if self.cache_read is None else self.cache_read
        write = self.input if self.cache_write is None else self.cache_write
        total = fresh * self.input + usage.cache_read * read + usage.cache_write * write
        return (total + usage.completion * self.output) / _MILLION


class VendorPrices(BaseModel):
    """One vendor's prices by model, for these hosts only: other hosts of the same model set their own prices."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    hosts: tuple[str, ...] = ()
    source: str = ""
    models: Mapping[str, Price]


class PriceList(BaseModel):
    """All known prices. `as_of` is the day on which they were right; `batch_discount` what a batch takes off."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    as_of: str
    unit: str = "USD per million tokens"
    notes: tuple[str, ...] = ()
    batch_discount: float = 0.5
    vendors: Mapping[str, VendorPrices]

    def find(self, vendor: str, model: str, *, host: str) -> Price | None:
        """Return the model's price at the host; None if it is not known. A vendor without hosts means any host."""
        prices = self.vendors.get(vendor)
        if prices is None or (prices.hosts and host not in prices.hosts):
            return None
        return prices.models.get(model) or prices.models.get(_DATE.sub("", model))


def load_prices(path: str | Path | None = None) -> PriceList:
    """Return the shipped prices, or those of a file of the same form, which hold instead.

    Raises:
        InvalidInput: the file cannot be read or has another form.
    """
    if path is None:
        return PriceList.model_validate_json(files("faithview.judges").joinpath("prices.json").read_bytes())
    try:
        return PriceList.model_validate_json(Path(path).read_bytes())
    except OSError as error:
        raise InvalidInput(f"The price file {str(path)!r} cannot be read: {error.strerror}.") from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "the document"
        raise InvalidInput(f"The price file {str(path)!r} has an error at {where}: {first['msg']}.") from error


def usage_of(replies: Iterable[TokenUsage], price: Price | None, *, discount: float = 0.0) -> Usage:
    """Return what these replies cost together; `discount` is the share taken off, 0.5 for a batch."""
    replies = list(replies)
    return Usage(
        llm_calls=len(replies),
        prompt_tokens=sum(reply.prompt for reply in replies),
        cached_prompt_tokens=sum(reply.cache_read for reply in replies),
        completion_tokens=sum(reply.completion for reply in replies),
        cost_usd=None if price is None else (1 - discount) * sum(price.cost_usd(reply) for reply in replies),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """The expected calls, tokens and cost of judging, without a prompt cache. `cost_usd` is None if no price is known.

    `stable_share` is the share of the prompt tokens that is the same for every answer of the run (the instructions) or
    for every call about one answer (its chunks), and so may be cached.
    """

    answers: int
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None
    stable_share: float
    prices_as_of: str

    def times(self, factor: float) -> "Estimate":
        """Return the estimate for this many times as many answers of the same kind."""
        return replace(
            self,
            answers=round(self.answers * factor),
            calls=round(self.calls * factor),
            prompt_tokens=round(self.prompt_tokens * factor),
            completion_tokens=round(self.completion_tokens * factor),
            cost_usd=None if self.cost_usd is None else self.cost_usd * factor,
        )


# Tokens of a reply by experience: of the reply, and of each claim, sentence or chunk that it is about.
_REPLY_TOKENS = {
    "claims_extract": (10, 53),
    "claims_verify": (60, 75),
    "single": (60, 123),
    "per_claim": (75, 0),
    "nli": (20, 70),
    "sentence": (20, 90),
    "qa_questions": (280, 0),
    "qa_answers": (260, 0),
    "qa_compare": (140, 0),
    "companions": (10, 12),
}
# An answer makes about one claim for so many characters.
_CHARACTERS_PER_CLAIM = 60


def expected_claims(sample: Sample) -> float:
    """Return the approximate number of claims in an answer, at least one."""
    return max(1.0, len(sample.answer) / _CHARACTERS_PER_CLAIM)


def add_up(
    asked: Iterable[tuple[Sample, Sequence[str], float | None]],
    prompts: Mapping[str, PromptTemplate],
    price: Price | None,
    *,
    prices_as_of: str,
    reasoning: str | None = None,
) -> Estimate:
    """Return what asking will take, by the lengths of the texts and typical replies.

    Args:
        asked: each answer with the steps that it takes, and its number of claims; None if they are not known.
        prompts: the prompts of the steps.
        price: the model's price; None if it is not known.
        prices_as_of: the day of the price.
        reasoning: counted only if it was chosen: how much a model reasons by itself is not known.
    """
    thoughts = 0 if reasoning is None else _REASONING_TOKENS[reasoning]
    answers, calls, prompt, stable, completion = 0, 0.0, 0.0, 0.0, 0.0
    for sample, steps, given in asked:
        answers += 1
        claims = expected_claims(sample) if given is None else given
        context = sum(count_tokens(chunk.text) + _FENCE_TOKENS for chunk in sample.chunks)
        rest = count_tokens(sample.answer) + count_tokens(sample.question or "") + 2 * _FENCE_TOKENS
        for step in steps:
            template = prompts[step]
            form = json.dumps(lean_schema(BY_STEP[step]), separators=(",", ":"))
            same = count_tokens(template.instructions) + count_tokens(form)
            if "$chunks" in template.text or "${chunks}" in template.text:
                same += context
            times = claims if step == "per_claim" else 1
            things = len(sample.chunks) if step == "companions" else claims
            if step in ("nli", "sentence"):
                things = len(sentences_of(sample.answer))
            reply, of_each = _REPLY_TOKENS[step]
            stable += times * same
            prompt += times * (same + rest)
            completion += times * (reply + of_each * things + thoughts)
            calls += times
    usage = TokenUsage(prompt=round(prompt), completion=round(completion))
    return Estimate(
        answers=answers,
        calls=round(calls),
        prompt_tokens=usage.prompt,
        completion_tokens=usage.completion,
        cost_usd=None if price is None else price.cost_usd(usage),
        stable_share=stable / prompt if prompt else 0.0,
        prices_as_of=prices_as_of,
    )


def count_tokens(text: str) -> float:
    """Return about how many tokens a text has, from its bytes."""
    return len(text.encode("utf-8", "replace")) / _BYTES_PER_TOKEN
