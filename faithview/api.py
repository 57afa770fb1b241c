"""The Python API: what `from faithview import ...` gives."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from faithview.domain.result import Result
from faithview.domain.run import DEFAULT_JUDGE, JudgeSpec, RunSummary
from faithview.domain.sample import Chunk, Sample
from faithview.domain.scoring import DEFAULT_THRESHOLD
from faithview.services import container
from faithview.services.container import Services
from faithview.services.judge_catalogue import make_spec, read_prompt
from faithview.services.results.answers import iterate_answers
from faithview.services.runs import create
from faithview.services.runs.budget import Limits
from faithview.services.runs.judge_answer import check_sample
from faithview.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """A run's figures and the results of its answers, in the order of the samples."""

    summary: RunSummary
    results: tuple[Result, ...]


def check(
    *,
    answer: str,
    context: str | Chunk | Sequence[str | Chunk],
    question: str | None = None,
    judge: str = DEFAULT_JUDGE,
    method: str = "claims",
    strictness: str | None = None,
    prompt: str | Path | None = None,
    companions: bool = False,
    options: Mapping[str, str] | None = None,
    threshold: float = DEFAULT_THRESHOLD,
) -> Result:
    """Judge one answer against its chunks, claim by claim; nothing is stored.

    A context of one string is one chunk. The judge is described as in `evaluate`. It works in a notebook too, where an
    event loop is running already; within your own coroutines use `acheck`.

    Raises:
        InvalidSample: a text holds a character that cannot be stored.
        InvalidInput: the prompt cannot be read, or a method or prompt was given for a judge that asks no model.
        JudgeUnavailable: no such judge, or what it needs is missing.
    """
    sample = Sample.of(answer, context, question=question)
    spec = _spec(judge, method, strictness=strictness, prompt=prompt, companions=companions, options=options)
    return check_sample(sample, judge=spec, threshold=threshold)


async def acheck(
    *,
    answer: str,
    context: str | Chunk | Sequence[str | Chunk],
    question: str | None = None,
    judge: str = DEFAULT_JUDGE,
    method: str = "claims",
    strictness: str | None = None,
    prompt: str | Path | None = None,
    companions: bool = False,
    options: Mapping[str, str] | None = None,
    threshold: float = DEFAULT_THRESHOLD,
) -> Result:
    """Do what `check` does, in a thread of its own, so that the event loop goes on meanwhile."""
    return await asyncio.to_thread(
        check,
        answer=answer,
        context=context,
        question=question,
        judge=judge,
        method=method,
        strictness=strictness,
        prompt=prompt,
        companions=companions,
        options=options,
        threshold=threshold,
    )


def evaluate(
    samples: Iterable[Sample],
    *,
    judge: str = DEFAULT_JUDGE,
    method: str = "claims",
    strictness: str | None = None,
    prompt: str | Path | None = None,
    companions: bool = False,
    options: Mapping[str, str] | None = None,
    name: str = "run",
    store: Services | None = None,
    threshold: float = DEFAULT_THRESHOLD,
    kb_version: str | None = None,
    concurrency: int = 8,
    use_cache: bool = True,
    max_calls: int | None = None,
    max_cost: float | None = None,
    series: str | None = None,
) -> Evaluation:
    """Judge many answers as one run.

    Args:
        samples: the answers with their chunks.
        judge: a judge's name: "embedded" (the default), "lexical" or "openai:MODEL" for example.
        method: how an LLM judge works: "claims", "single", "per-claim", "nli", "qa", "sentence" or "combined".
        strictness: what counts as support: "lenient", "balanced" (the default) or "strict" for the judge "embedded",
            "strict" (the default) or "lenient" for an LLM judge.
        prompt: your own prompt for an LLM judge, as text or as the path of a file.
        companions: whether to add relevance metrics (of the answer and of the context) to `Result.metrics`.
        options: other options of the judge by name, "timeout" or "weights" for example.
        name: what the run is called; a name that is taken gets a number.
        store: where to store the run (see `open_store`); None stores it nowhere.
        threshold: the share of supported claims, in [0, 1], from which an answer is faithful.
        kb_version: the version of the knowledge base that the chunks came from.
        concurrency: how many answers are judged at a time.
        use_cache: whether to reuse verdicts of an LLM judge on the same texts from earlier runs in the store.
        max_calls: the most calls to a model; None is no limit. A run that needs more ends as "cancelled".
        max_cost: the most US dollars, likewise.
        series: the series of the run: the runs that it is looked at with. None puts it with the runs over the same
            questions.

    Raises:
        InvalidInput: there is no sample, the threshold, a name or the prompt cannot be used, no price is known for
            `max_cost`, or a method or prompt was given for a judge that asks no model.
        JudgeUnavailable: no such judge, or what it needs is missing.
    """
    spec = _spec(judge, method, strictness=strictness, prompt=prompt, companions=companions, options=options)
    limits = Limits(max_calls=max_calls, max_cost=max_cost)
    create.check_judge(spec, limits=limits)  # before anything is stored
    services = store or open_store("sqlite://")
    try:
        run = create.create_run(
            services,
            list(samples),
            create.RunRequest(
                name=name, judge=spec, threshold=threshold, kb_version=kb_version, use_cache=use_cache, series=series
            ),
        )
        summary = create.judge_here(services, run, concurrency=concurrency, limits=limits)
        return Evaluation(
            summary=summary, results=tuple(detail.result for detail in iterate_answers(services, run.run_id))
        )
    finally:
        if store is None:
            services.close()


def _spec(
    judge: str,
    method: str,
    *,
    strictness: str | None,
    prompt: str | Path | None,
    companions: bool,
    options: Mapping[str, str] | None,
) -> JudgeSpec:
    return make_spec(
        judge,
        method=method,
        strictness=strictness,
        prompt_text=read_prompt(prompt) if isinstance(prompt, Path) else prompt,
        prompt_name=prompt.stem if isinstance(prompt, Path) else None,
        companions=companions,
        options=options,
    )


def open_store(url: str | None = None) -> Services:
    """Open a store by its SQLAlchemy URL; None is FAITHVIEW_DB, else a file in the user's data folder.

    Raises:
        StoreError: it cannot be used.
    """
    return container.build(Settings.from_env(database_url=url))
