"""Ask a server for its models, and a judge one question: each once, without the repetitions of a run."""

from dataclasses import dataclass
from importlib import import_module
from time import perf_counter

from faithview.domain.diagnosis import Fault
from faithview.domain.errors import JudgeFailed
from faithview.domain.result import Result
from faithview.domain.run import JudgeSpec
from faithview.domain.sample import Sample
from faithview.judges.llm.cost import Estimate
from faithview.judges.llm.judge import LlmJudge
from faithview.judges.registry import check_name

# With this method a judge asks one question an answer.
_METHOD = "single"


@dataclass(frozen=True, slots=True, kw_only=True)
class Probed:
    """The result of one question: the judge's result, and why it failed; `fault` is None if it did not."""

    result: Result
    seconds: float
    reply_form: str
    fault: Fault | None


async def list_models(family: str, *, timeout_s: float) -> tuple[str, ...]:
    """Return the names of the models at the server of a judge ("openai").

    Raises:
        JudgeFailed: it gave no list; `fault_of` says why.
    """
    judge = _build(f"{family}:-", timeout_s)  # a list needs no model
    try:
        return await judge.client.list_models()
    finally:
        await judge.aclose()


def estimate_question(name: str, sample: Sample) -> Estimate:
    """Return about what one question about the sample takes; nothing is sent."""
    return _build(name, timeout_s=1.0).estimate([sample])


async def ask_once(name: str, sample: Sample, *, timeout_s: float) -> Probed:
    """Have a judge ("openai:MODEL") judge the sample with one question; a reply that cannot be used is not mended.

    A request that the server refuses as unknown to it is written otherwise and sent again: it charges nothing for it.
    """
    judge = _build(name, timeout_s)
    asker = judge.asker(sample, judge.complete, tries=1)
    fault = None
    start = perf_counter()
    try:
        result = judge.judged(await judge.options.method.judge(sample, asker), asker, answer=sample.answer)
    except JudgeFailed as error:
        fault, result = fault_of(error), judge.failed(error, asker)
    finally:
        await judge.aclose()
    seconds = perf_counter() - start
    return Probed(result=result, seconds=seconds, reply_form=judge.client.reply_form, fault=fault)


def fault_of(error: JudgeFailed) -> Fault:
    """Return what the user should check after this error."""
    return getattr(error, "fault", Fault.REJECTED)


def _build(name: str, timeout_s: float) -> LlmJudge:
    """Build a judge that does not repeat a call: the user is waiting."""
    module = import_module(check_name(name).target.partition(":")[0])
    spec = JudgeSpec(name=name, method=_METHOD, options={"timeout": f"{timeout_s:g}"})
    judge: LlmJudge = module.build(spec, retries=0)
    return judge
