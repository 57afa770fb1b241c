"""The Python API: what `from faithview import ...` gives."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from faithview.domain.result import Result
from faithview.domain.run import JudgeSpec, RunSummary
from faithview.domain.sample import Chunk, Sample
from faithview.domain.scoring import DEFAULT_THRESHOLD
from faithview.services import container, evaluation
from faithview.services.container import Services
from faithview.services.judging import check_sample
from faithview.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """A run's figures and the results of its answers, in the order in which they were given."""

    summary: RunSummary
    results: tuple[Result, ...]


def check(
    *,
    answer: str,
    context: Sequence[str | Chunk],
    question: str | None = None,
    judge: str = "lexical",
    method: str = "claims",
    threshold: float = DEFAULT_THRESHOLD,
) -> Result:
    """Judge one answer against its chunks, claim by claim; nothing is stored.

    Raises:
        InvalidSample: a text holds a character that cannot be stored.
        JudgeUnavailable: no such judge, or what it needs is missing.
    """
    sample = Sample.of(answer, context, question=question)
    return check_sample(sample, judge=JudgeSpec(name=judge, method=method), threshold=threshold)


def evaluate(
    samples: Iterable[Sample],
    *,
    judge: str = "lexical",
    method: str = "claims",
    name: str = "run",
    store: Services | None = None,
    threshold: float = DEFAULT_THRESHOLD,
    kb_version: str | None = None,
    concurrency: int = 8,
) -> Evaluation:
    """Judge many answers as one run.

    Args:
        samples: the answers with their chunks.
        judge: a judge's name, "lexical" or "openai:MODEL" for example.
        method: how an LLM judge works.
        name: what the run is called; a name that is taken gets a number.
        store: where the run is kept (see `open_store`); None keeps it nowhere.
        threshold: the share of supported claims, in [0, 1], from which an answer is faithful.
        kb_version: the version of the knowledge base that the chunks came from.
        concurrency: how many answers are judged at a time.

    Raises:
        InvalidInput: there is no sample, or the threshold or the name cannot be used.
        JudgeUnavailable: no such judge, or what it needs is missing.
    """
    services = store or open_store("sqlite://")
    try:
        run = evaluation.create_run(
            services,
            list(samples),
            name=name,
            judge=JudgeSpec(name=judge, method=method),
            threshold=threshold,
            kb_version=kb_version,
        )
        summary = evaluation.judge_here(services, run, concurrency=concurrency)
        return Evaluation(
            summary=summary, results=tuple(detail.result for detail in services.iterate_answers(run.run_id))
        )
    finally:
        if store is None:
            services.close()


def open_store(url: str | None = None) -> Services:
    """Open a store by its SQLAlchemy URL; None takes FAITHVIEW_DB, else the file in the user's data folder.

    Raises:
        StoreError: it cannot be used.
    """
    return container.build(Settings.from_env(database_url=url))
