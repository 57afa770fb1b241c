"""The LLM judge: a method, its prompts, and a client that sends the calls."""

import asyncio
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from dataclasses import replace

from faithview.domain.claim import Claim
from faithview.domain.errors import JudgeFailed
from faithview.domain.result import Result, State
from faithview.domain.sample import Sample
from faithview.judges.capabilities import FlawedSentence, Writing
from faithview.judges.companions import metrics_by_name
from faithview.judges.llm.asking import Asker, Call, Send, UnusableReply
from faithview.judges.llm.client import BatchClient, LlmClient, Reply
from faithview.judges.llm.cost import Estimate, Price, estimate, usage_of
from faithview.judges.llm.methods.claims_first import LISTING
from faithview.judges.llm.methods.method import Outcome, VerifyingMethod, weakness_warnings, weigh
from faithview.judges.llm.options import LlmOptions
from faithview.judges.llm.prompts import PromptTemplate
from faithview.judges.llm.replies.find_json import Repairs
from faithview.judges.llm.replies.listing import Form
from faithview.judges.llm.replies.schemas import ChunkRelevance, Companions, ExtractedClaim
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
        return self._estimate(samples, companions=self._options.with_companions)

    def estimate_given(self, samples: Iterable[Sample]) -> Estimate:
        """Return what `verify_with` will take for these samples; nothing is sent."""
        return self._estimate(samples, left_out=(LISTING,))

    def _estimate(
        self, samples: Iterable[Sample], *, companions: bool = False, left_out: Sequence[str] = ()
    ) -> Estimate:
        return estimate(
            samples,
            self._options.method,
            prompts=self._options.prompts,
            price=self.price,
            prices_as_of=self._options.prices.as_of,
            companions=companions,
            left_out=left_out,
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
        asker = Asker(sample=sample, send=send, prompts=self.prompts, max_tokens=self._options.max_tokens)
        work = (self._options.method.judge(sample, asker), self._companions(sample, asker))
        return await self._judged(asker, *work, discount=discount)

    @property
    def verifies_given(self) -> bool:
        """Whether the method can verify claims that are known already (see `SupportsGivenClaims`)."""
        return isinstance(self._options.method, VerifyingMethod)

    async def verify_with(self, sample: Sample, claims: Sequence[Claim], send: Send) -> Result:
        """Judge claims of an answer that are known already (see `SupportsGivenClaims`)."""
        method = self._options.method
        if not isinstance(method, VerifyingMethod):
            raise TypeError(f"The method {method.name} lists the claims of an answer itself.")
        if not sample.has_context:
            return Result(state=State.EMPTY_CONTEXT, judge=self.name)
        asker = Asker(sample=sample, send=send, prompts=self.prompts, max_tokens=self._options.max_tokens)
        stated = [_stated(claim, sample) for claim in claims]
        return await self._judged(asker, method.verify(sample, stated, asker), _nothing())

    async def _judged(
        self,
        asker: Asker,
        judging: Coroutine[object, object, Outcome],
        relevances: Coroutine[object, object, Mapping[str, float]],
        *,
        discount: float = 0.0,
    ) -> Result:
        try:
            # Wait for both, even if one fails: calls that were sent are paid for.
            outcome, companions = await asyncio.gather(judging, relevances, return_exceptions=True)
            result = self._result(_outcome_or_raise(outcome), asker.repairs)
        except JudgeFailed as error:
            raw = error.raw_reply if isinstance(error, UnusableReply) else None
            result = Result(state=State.FAILED, judge=self.name, error=str(error), raw_reply=_storable(raw))
        else:
            result = _with_companions(result, companions)
        return replace(result, usage=usage_of(asker.replies, self.price, discount=discount))

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

    def _result(self, outcome: Outcome, repairs: Repairs) -> Result:
        return Result(
            state=outcome.state,
            judge=self.name,
            claims=tuple(weigh(claim) for claim in outcome.claims),
            suggestions=outcome.suggestions,
            answer_score=1.0 if outcome.state is not State.JUDGED else outcome.score,
            metrics=outcome.metrics,
            warnings=(*weakness_warnings(outcome.claims), *repairs.warnings),
            is_cut=repairs.is_cut,
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


async def _nothing() -> Mapping[str, float]:
    return {}


def _stated(claim: Claim, sample: Sample) -> ExtractedClaim:
    quote = sample.answer[claim.spans[0].start : claim.spans[0].end] if claim.spans else ""
    return ExtractedClaim(text=claim.text, quote=quote, type=claim.claim_type, importance=claim.importance)


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
