"""Ask a server for its models, and a judge one question: each once, without the retries of a run."""

from dataclasses import dataclass
from importlib import import_module
from time import perf_counter

from faithview.domain.diagnosis import Fault
from faithview.domain.errors import JudgeFailed
from faithview.domain.result import Result, State
from faithview.domain.run import JudgeSpec
from faithview.domain.sample import Sample
from faithview.judges.llm.asking import Call
from faithview.judges.llm.client import Finish, InspectableClient, Reply
from faithview.judges.llm.cost import Estimate
from faithview.judges.llm.judge import LlmJudge
from faithview.judges.llm.replies.find_json import Repairs
from faithview.judges.llm.replies.parsing import Unusable, parse
from faithview.judges.llm.retries import CallFailed, RetryPolicy
from faithview.judges.registry import check_name

# The user is waiting: no call is repeated, and no rate limit is waited for.
_ONCE = RetryPolicy(server_attempts=1, limit_attempts=1, patience_s=0.0)

# With this method a judge asks one question an answer.
_METHOD = "single"


@dataclass(frozen=True, slots=True, kw_only=True)
class Probed:
    """The result of one question: the judge's result, and why it failed; `fault` and `error` are None if it did not."""

    result: Result
    seconds: float
    reply_form: str
    fault: Fault | None
    error: str | None


async def list_models(family: str, *, timeout_s: float) -> tuple[str, ...]:
    """Return the names of the models at the server of a judge ("openai").

    Raises:
        JudgeFailed: it gave no list; `fault_of` says why.
    """
    judge = _build(f"{family}:-", timeout_s)  # a list needs no model
    try:
        return await _client_of(judge).list_models()
    finally:
        await judge.aclose()


def estimate_question(name: str, sample: Sample) -> Estimate:
    """Return about what one question about the sample takes; nothing is sent."""
    return _build(name, timeout_s=1.0).estimate([sample])


async def ask_once(name: str, sample: Sample, *, timeout_s: float) -> Probed:
    """Have a judge ("openai:MODEL") judge the sample with one question; a reply that cannot be used is not mended.

    Requests that the server refuses as unknown to it are written otherwise and sent again: it charges nothing for them.
    """
    judge = _build(name, timeout_s)
    question = _OneQuestion(judge)
    start = perf_counter()
    try:
        result = await judge.judge_with(sample, question)
    finally:
        await judge.aclose()
    seconds = perf_counter() - start
    fault, error = (None, None) if result.state is not State.FAILED else question.trouble(result)
    form = _client_of(judge).reply_form
    return Probed(result=result, seconds=seconds, reply_form=form, fault=fault, error=error)


def fault_of(error: JudgeFailed) -> Fault:
    """Return what the user should check after this error."""
    cause = error.__cause__
    return cause.fault if isinstance(cause, CallFailed) else Fault.REJECTED


class _OneQuestion:
    """Sends the first question and no other."""

    def __init__(self, judge: LlmJudge) -> None:
        self._judge = judge
        self._call: Call | None = None
        self._reply: Reply | None = None
        self._error: JudgeFailed | None = None

    async def __call__(self, call: Call) -> Reply:
        if self._call is not None:
            raise JudgeFailed("The reply to the test question could not be used.")
        self._call = call
        try:
            self._reply = await self._judge.complete(call)
        except JudgeFailed as error:
            self._error = error
            raise
        return self._reply

    def trouble(self, result: Result) -> tuple[Fault, str]:
        """Return why the question gave no result."""
        if self._error is not None:
            return fault_of(self._error), str(self._error)
        if self._call is None or self._reply is None:
            return Fault.UNUSABLE, result.error or ""
        if self._reply.finish is Finish.REFUSED:
            return Fault.REFUSED, "It refused the question."
        if self._reply.finish is Finish.TRUNCATED:
            return Fault.TRUNCATED, "Its reply was cut off before the end."
        try:
            parse(self._reply, self._call.schema, Repairs())
        except Unusable as unusable:
            return Fault.UNUSABLE, f"Its reply could not be used: {unusable}."
        return Fault.UNUSABLE, "Its reply is JSON, but its rulings are incomplete."


def _build(name: str, timeout_s: float) -> LlmJudge:
    module = import_module(check_name(name).target.partition(":")[0])
    spec = JudgeSpec(name=name, method=_METHOD, options={"timeout": f"{timeout_s:g}"})
    judge: LlmJudge = module.build(spec, policy=_ONCE)
    return judge


def _client_of(judge: LlmJudge) -> InspectableClient:
    client = judge.client
    if not isinstance(client, InspectableClient):
        raise JudgeFailed(f"The judge {judge.name!r} cannot list the models of its server.")
    return client
