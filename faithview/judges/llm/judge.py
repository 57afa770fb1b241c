"""The LLM judge: a method, its prompts, and a client that sends the calls."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from faithview.domain.claim import Claim
from faithview.domain.errors import JudgeFailed
from faithview.domain.result import Result, State
from faithview.domain.sample import Sample
from faithview.judges.capabilities import FlawedSentence, Writing
from faithview.judges.companions import metrics_by_name
from faithview.judges.llm.asking import Asker, Call, Send, UnusableReply
from faithview.judges.llm.client import BatchClient, LlmClient, Reply
from faithview.judges.llm.cost import Estimate, Price, estimate, estimate_calls, usage_of
from faithview.judges.llm.methods.claims_first import expect_verifying, verify_given
from faithview.judges.llm.methods.method import Outcome, expected_claims, weakness_warnings, weigh
from faithview.judges.llm.options import LlmOptions
from faithview.judges.llm.prompts import PromptTemplate
from faithview.judges.llm.replies.find_json import Repairs
from faithview.judges.llm.replies.listing import Form
from faithview.judges.llm.replies.schemas import ChunkRelevance, Companions
from faithview.judges.llm.writing import Writer


class LlmJudge:
    """Judges by asking a model. It holds connections, and no state about answers."""

    def __init__(self, client: LlmClient, options: LlmOptions) -> None:
        self._client = client
        self._options = options

    @property
    def name(self) -> str:
        """The vendor's name and the model's, with a colon between."""
        return f"{self._client.vendor}:{self._client.model}"

    @property
    def fingerprint(self) -> str:
        """Model, server, method, strictness, and each prompt with its version and hash."""
        return f"{self.name}{self._client.server}/{self._options.fingerprint}"

    @property
    def host(self) -> str:
        """The host that is called."""
        return self._client.host

    @property
    def client(self) -> LlmClient:
        """The client that sends the calls."""
        return self._client

    @property
    def prompts(self) -> Mapping[str, PromptTemplate]:
        """The prompts by step."""
        return self._options.prompts

    @property
    def price(self) -> Price | None:
        """The model's price at this host; None if it is not known."""
        return self._options.prices.find(self._client.vendor, self._client.model, host=self._client.host)

    @property
    def batch_client(self) -> BatchClient | None:
        """The client, if its vendor takes batches; else None."""
        return self._client if isinstance(self._client, BatchClient) else None

    @property
    def batch_discount(self) -> float:
        """The share that a batch takes off the price."""
        return self._options.prices.batch_discount

    def limit_calls(self, concurrency: int) -> int:
        """Cap concurrent calls at `concurrency`; return how many answers to judge at a time to reach it.

        More if an answer takes several calls: while one answer waits, another one's call can be sent, so the last
        calls of a run do not go out one by one. Call it before the first answer.
        """
        self._client.limit_calls(concurrency)
        return concurrency if len(self._options.method.steps) == 1 else 2 * concurrency

    def estimate(self, samples: Iterable[Sample]) -> Estimate:
        """Return what judging these samples will take; nothing is sent."""
        return estimate(
            samples,
            self._options.method,
            prompts=self._options.prompts,
            price=self.price,
            prices_as_of=self._options.prices.as_of,
            companions=self._options.with_companions,
            reasoning=self._options.reasoning,
        )

    async def judge(self, sample: Sample) -> Result:
        """Judge one answer.

        An answer that cannot be judged is a `failed` result and not an error, because its cost must be counted. The
        result has the model's last reply.
        """
        return await self.judge_with(sample, self.complete)

    async def judge_with(self, sample: Sample, send: Send, *, discount: float = 0.0) -> Result:
        """Judge one answer, sending its calls with `send`; `discount` is the share taken off their price."""
        if not sample.answer.strip():
            return Result(state=State.NO_CLAIMS, judge=self.name, answer_score=1.0)
        if not sample.has_context:
            return Result(state=State.EMPTY_CONTEXT, judge=self.name)
        asker = self._asker(sample, send)
        try:
            # Wait for both, even if one fails: calls that were sent are paid for.
            outcome, companions = await asyncio.gather(
                self._options.method.judge(sample, asker), self._companions(sample, asker), return_exceptions=True
            )
            result = self._result(_outcome_or_raise(outcome), asker.repairs, answer=sample.answer)
        except JudgeFailed as error:
            result = self._failed(error, asker)
        else:
            result = _with_companions(result, companions)
        return replace(result, usage=usage_of(asker.replies, self.price, discount=discount))

    async def verify(self, sample: Sample, claims: Sequence[Claim]) -> Result:
        """Rule on claims of an answer in one call (see `SupportsVerifying`)."""
        return await self.verify_with(sample, claims, self.complete)

    async def verify_with(
        self, sample: Sample, claims: Sequence[Claim], send: Send, *, discount: float = 0.0
    ) -> Result:
        """Do the same, sending the calls with `send`; `discount` is the share taken off their price."""
        asker = self._asker(sample, send)
        try:
            result = self._result(await verify_given(claims, sample, asker), asker.repairs, answer=None)
        except JudgeFailed as error:
            result = self._failed(error, asker)
        return replace(result, usage=usage_of(asker.replies, self.price, discount=discount))

    def estimate_verifying(self, asked: Iterable[tuple[Sample, int]]) -> Estimate:
        """Return what ruling on this many claims of each answer will take; nothing is sent."""
        return estimate_verifying(asked, self._options, price=self.price)

    @property
    def verifies_given(self) -> bool:
        """Whether the run's method rules on a given list of claims: known ones are not listed again."""
        return self._options.verifies_given

    def _asker(self, sample: Sample, send: Send) -> Asker:
        return Asker(sample=sample, send=send, prompts=self.prompts, max_tokens=self._options.max_tokens)

    def _failed(self, error: JudgeFailed, asker: Asker) -> Result:
        raw = error.raw_reply if isinstance(error, UnusableReply) else None
        reason = " ".join(text for text in (str(error), asker.repairs.prompt_cut) if text)
        return Result(state=State.FAILED, judge=self.name, error=reason, raw_reply=_storable(raw))

    async def complete(self, call: Call) -> Reply:
        """Send one call; raises JudgeFailed."""
        return await self._client.complete(call.prompt, call.schema, max_tokens=call.max_tokens)

    async def rewrite(self, sample: Sample, sentences: Sequence[FlawedSentence]) -> Writing:
        """Have the model correct sentences of an answer (see `SupportsRewriting`)."""
        return await self._writer.rewrite(sample, sentences)

    async def generate(self, sample: Sample, rejected: Sequence[Claim]) -> Writing:
        """Have the model answer the sample's question (see `SupportsGeneration`)."""
        return await self._writer.generate(sample, rejected)

    @property
    def _writer(self) -> Writer:
        return Writer(send=self.complete, price=self.price, max_tokens=self._options.max_tokens, name=self.name)

    async def aclose(self) -> None:
        """Close the client."""
        await self._client.aclose()

    def _result(self, outcome: Outcome, repairs: Repairs, *, answer: str | None) -> Result:
        return Result(
            state=outcome.state,
            judge=self.name,
            claims=tuple(weigh(claim) for claim in outcome.claims),
            answer_score=1.0 if outcome.state is not State.JUDGED else outcome.score,
            metrics=outcome.metrics,
            warnings=(
                *weakness_warnings(outcome.claims, answer, is_cut=repairs.is_cut),
                *repairs.warnings,
            ),
            is_cut=repairs.is_cut or repairs.prompt_cut is not None,
        )

    async def _companions(self, sample: Sample, asker: Asker) -> Mapping[str, float]:
        if not self._options.with_companions or not sample.question:
            return {}

        form: Form[Companions, ChunkRelevance] = Form(
            schema=Companions,
            name="chunks",
            item=ChunkRelevance,
            kind="relevance",
            noun="chunk",
            count=len(sample.chunks),
            number="chunk",
        )
        reply, relevances = await asker.ask_list("companions", form)
        chunks = {sample.chunks[item.chunk - 1].chunk_id: item.relevance for item in relevances.values()}
        return metrics_by_name(answer=reply.answer_relevance, chunks=chunks)


def estimate_verifying(asked: Iterable[tuple[Sample, int]], options: LlmOptions, *, price: Price | None) -> Estimate:
    """Return what ruling on this many claims of each answer will take; an answer without any takes no call."""
    expected = ((sample, (expect_verifying(claims),) if claims else ()) for sample, claims in asked)
    return estimate_calls(
        expected,
        prompts=options.prompts,
        price=price,
        prices_as_of=options.prices.as_of,
        reasoning=options.reasoning,
    )


def estimate_given(samples: Iterable[Sample], options: LlmOptions, *, price: Price | None) -> Estimate:
    """Return what ruling on the claims of these answers will take, for about as many claims as they make."""
    return estimate_verifying(
        ((sample, max(1, round(expected_claims(sample)))) for sample in samples), options, price=price
    )


def _outcome_or_raise(outcome: Outcome | BaseException) -> Outcome:
    if isinstance(outcome, BaseException):
        raise outcome
    return outcome


def _with_companions(result: Result, companions: Mapping[str, float] | BaseException) -> Result:
    """Add the relevance metrics. If they failed, the result gets a warning and stays judged."""
    if isinstance(companions, JudgeFailed):
        return replace(result, warnings=(f"No relevance figures: {companions}", *result.warnings))
    if isinstance(companions, BaseException):
        raise companions
    return replace(result, metrics={**result.metrics, **companions})


def _storable(text: str | None) -> str | None:
    """Return a raw reply with characters that no database can hold written as escapes."""
    if text is None:
        return None
    return text.replace("\x00", "\\x00").encode("utf-8", "backslashreplace").decode("utf-8")
