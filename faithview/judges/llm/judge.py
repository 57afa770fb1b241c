"""The LLM judge: a method, its prompts, and a client that sends the calls."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import repeat

from faithview.domain.claim import Claim
from faithview.domain.errors import JudgeFailed
from faithview.domain.result import Result, State
from faithview.domain.run import JudgeSpec
from faithview.domain.sample import Sample
from faithview.judges.capabilities import FlawedSentence, Writing
from faithview.judges.companions import metrics_by_name
from faithview.judges.llm import writing
from faithview.judges.llm.asking import TRIES, Asker, Send, UnusableReply, together
from faithview.judges.llm.client import Call, LlmClient, Reply
from faithview.judges.llm.cost import Estimate, Price, add_up, usage_of
from faithview.judges.llm.methods.claims import VERIFY, verify
from faithview.judges.llm.methods.method import Outcome, weakness_warnings, weigh
from faithview.judges.llm.options import LlmOptions
from faithview.judges.llm.prompts import shipped_prompt
from faithview.judges.llm.replies.schemas import Companions

# Relevance metrics by name, and warnings if there are none.
Relevance = tuple[Mapping[str, float], tuple[str, ...]]


class LlmJudge:
    """Judges by asking a model. It holds connections, and no state about answers.

    Attributes:
        client: the client that sends the calls.
        options: the spec, understood.
        name: the vendor's name and the model's, with a colon between.
        fingerprint: model, server, method, strictness, and each prompt with its version and hash.
        host: the host that is called.
        missing: a sentence about the key that is not set; None if none is missing.
        price: the model's price at this host; None if it is not known.
        batch_client: the client, for both vendors take batches.
        batch_discount: the share that a batch takes off the price.
        verifies_given: whether the method rules on a given list of claims: known ones are not listed again.
    """

    def __init__(self, client: LlmClient, options: LlmOptions) -> None:
        self.client = self.batch_client = client
        self.options = options
        self.name = f"{client.vendor}:{client.model}"
        self.fingerprint = f"{self.name}{client.server}/{options.fingerprint}"
        self.host = client.host
        self.missing = client.missing
        self.price: Price | None = options.prices.find(client.vendor, client.model, host=client.host)
        self.batch_discount = options.prices.batch_discount
        self.verifies_given = options.method.name == "claims"

    def limit_calls(self, concurrency: int) -> int:
        """Cap concurrent calls at `concurrency`; return how many answers to judge at a time to reach it.

        More if an answer takes several calls: while one answer waits, another one's call can be sent, so the last
        calls of a run do not go out one by one. Call it before the first answer.
        """
        self.client.limit_calls(concurrency)
        return concurrency if len(self.options.method.steps) == 1 else 2 * concurrency

    def estimate(self, samples: Iterable[Sample], *, given: Iterable[float] | None = None) -> Estimate:
        """Return what judging these samples will take; nothing is sent.

        Answers without text or without context take no call.

        Args:
            samples: the answers.
            given: how many claims of each answer are to be ruled on, as `verify` does; None if the method lists them.
        """
        counts: Iterable[float | None] = repeat(None) if given is None else given
        asked = ((sample, self._steps(sample, claims), claims) for sample, claims in zip(samples, counts, strict=False))
        return add_up(
            asked,
            self.options.prompts,
            self.price,
            prices_as_of=self.options.prices.as_of,
            reasoning=self.options.reasoning,
        )

    def _steps(self, sample: Sample, given: float | None) -> Sequence[str]:
        if given is not None:
            return (VERIFY,) if given else ()
        if not sample.answer.strip() or not sample.has_context:
            return ()
        companions = ("companions",) if self.options.with_companions and sample.question else ()
        return (*self.options.method.steps, *companions)

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
        asker = self.asker(sample, send)
        try:
            outcome, companions = await together(
                [self.options.method.judge(sample, asker), self._companions(sample, asker)]
            )
        except JudgeFailed as error:
            return self.failed(error, asker, discount=discount)
        return self.judged(outcome, asker, companions, answer=sample.answer, discount=discount)

    async def verify(self, sample: Sample, claims: Sequence[Claim]) -> Result:
        """Rule on claims of an answer in one call (see `SupportsVerifying`)."""
        return await self.verify_with(sample, claims, self.complete)

    async def verify_with(
        self, sample: Sample, claims: Sequence[Claim], send: Send, *, discount: float = 0.0
    ) -> Result:
        """Do the same, sending the calls with `send`; `discount` is the share taken off their price."""
        asker = self.asker(sample, send)
        try:
            return self.judged(await verify(claims, sample, asker), asker, discount=discount)
        except JudgeFailed as error:
            return self.failed(error, asker, discount=discount)

    def asker(self, sample: Sample, send: Send, *, tries: int = TRIES) -> Asker:
        """Return what asks the questions about one answer."""
        options = self.options
        return Asker(sample=sample, send=send, prompts=options.prompts, max_tokens=options.max_tokens, tries=tries)

    def judged(
        self,
        outcome: Outcome,
        asker: Asker,
        companions: Relevance = ({}, ()),
        *,
        answer: str | None = None,
        discount: float = 0.0,
    ) -> Result:
        """Return the result of what a method made of an answer; None for the answer if only some claims were given."""
        metrics, warnings = companions
        return Result(
            state=outcome.state,
            judge=self.name,
            claims=tuple(weigh(claim) for claim in outcome.claims),
            suggestions=outcome.suggestions,
            answer_score=1.0 if outcome.state is not State.JUDGED else outcome.score,
            metrics={**outcome.metrics, **metrics},
            warnings=(
                *warnings,
                *weakness_warnings(outcome.claims, answer, is_cut=asker.is_cut),
                *asker.warnings,
            ),
            usage=usage_of(asker.replies, self.price, discount=discount),
            is_cut=asker.is_cut or asker.prompt_cut is not None,
        )

    def failed(self, error: JudgeFailed, asker: Asker, *, discount: float = 0.0) -> Result:
        """Return the result of an answer that could not be judged, with the model's last reply."""
        return Result(
            state=State.FAILED,
            judge=self.name,
            error=" ".join(filter(None, (str(error), asker.prompt_cut))),
            raw_reply=_storable(error.raw_reply) if isinstance(error, UnusableReply) else None,
            usage=usage_of(asker.replies, self.price, discount=discount),
        )

    async def complete(self, call: Call) -> Reply:
        """Send one call; raises JudgeFailed."""
        return await self.client.complete(call)

    async def rewrite(self, sample: Sample, sentences: Sequence[FlawedSentence]) -> Writing:
        """Have the model correct sentences of an answer (see `SupportsRewriting`)."""
        return await self._write(writing.REWRITE, sample, lambda asker: writing.rewrite(asker, sentences))

    async def generate(self, sample: Sample, rejected: Sequence[Claim]) -> Writing:
        """Have the model answer the sample's question (see `AsksModel`)."""
        return await self._write(writing.GENERATE, sample, lambda asker: writing.generate(asker, rejected))

    async def _write(self, step: str, sample: Sample, write: Callable[[Asker], Awaitable[tuple[str, ...]]]) -> Writing:
        prompt = shipped_prompt(step)
        asker = replace(self.asker(sample, self.complete), prompts={step: prompt})
        texts: tuple[str, ...] = ()
        error = None
        try:
            texts = await write(asker)
        except JudgeFailed as failed:
            error = str(failed)
        usage = usage_of(asker.replies, self.price)
        return Writing(texts=texts, usage=usage, writer=f"{self.name}/{prompt.label}", error=error)

    async def aclose(self) -> None:
        """Close the client."""
        await self.client.aclose()

    async def _companions(self, sample: Sample, asker: Asker) -> Relevance:
        if not self.options.with_companions or not sample.question:
            return {}, ()
        try:
            reply, items = await asker.ask_list("companions", Companions, "chunk", len(sample.chunks))
        except JudgeFailed as error:
            return {}, (f"No relevance figures: {error}",)
        chunks = {sample.chunks[number - 1].chunk_id: item.relevance for number, item in items.items()}
        return metrics_by_name(answer=reply.answer_relevance, chunks=chunks), ()


def build_judge(client: type[LlmClient], spec: JudgeSpec, *, retries: int) -> LlmJudge:
    """Build the judge of a spec with this kind of client; raises JudgeUnavailable for an option that cannot be used."""
    options = LlmOptions.from_spec(spec)
    made = client(
        options.model,
        concurrency=options.concurrency,
        timeout_s=options.timeout_s,
        retries=retries,
        reasoning=options.reasoning,
    )
    return LlmJudge(made, options)


def _storable(text: str) -> str:
    """Return a raw reply with characters that no database can hold written as escapes."""
    return text.replace("\x00", "\\x00").encode("utf-8", "backslashreplace").decode("utf-8")
