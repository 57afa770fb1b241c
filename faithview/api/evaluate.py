"""`evaluate` and `aevaluate`: many answers, judged as one run."""

import asyncio
import sys
import threading
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from faithview.api.check import describe_judge, has_arguments_of
from faithview.api.results import Evaluation, evaluation_of
from faithview.api.store import opened_store
from faithview.domain.arguments import check_arguments
from faithview.domain.errors import InvalidInput, MissingColumn
from faithview.domain.run import DEFAULT_JUDGE
from faithview.domain.sample import Sample
from faithview.domain.scoring import DEFAULT_THRESHOLD
from faithview.formats.files.report import ReadReport
from faithview.services.container import Store
from faithview.services.dataset_files import Dataset, open_rows
from faithview.services.results import cancel_run
from faithview.services.runs import create
from faithview.services.runs.budget import Limits
from faithview.wording import numbers as fmt

# Set in the thread in which `aevaluate` runs `evaluate`: stops the run.
_stop: ContextVar[threading.Event | None] = ContextVar("_stop", default=None)
_NAMED_ROWS = 3


class DataWarning(UserWarning):
    """Some of the data cannot be read as it is: rows that are left out, times that can mean two days."""


def progress_bar(title: str, total: int, *, progress: bool | None) -> Any:
    """Return tqdm's bar of `total` answers; None shows it in a notebook and in a terminal."""
    # A kernel of a notebook has loaded this; its standard error is not a terminal.
    is_watched = "ipykernel" in sys.modules or (sys.stderr is not None and sys.stderr.isatty())
    with warnings.catch_warnings():
        # Without ipywidgets tqdm draws the bar with characters and warns; in a notebook that says it is experimental.
        warnings.simplefilter("ignore")
        from tqdm.auto import tqdm
    return tqdm(total=total, desc=title, unit="answer", disable=not (is_watched if progress is None else progress))


def evaluate(
    data: Iterable[Any],
    *,
    columns: Mapping[str, str | Sequence[str]] | None = None,
    judge: str = DEFAULT_JUDGE,
    method: str | None = None,
    strictness: str | None = None,
    prompt: str | Path | None = None,
    companions: bool = False,
    options: Mapping[str, str] | None = None,
    name: str = "run",
    store: Store | str | None = None,
    threshold: float = DEFAULT_THRESHOLD,
    kb_version: str | None = None,
    concurrency: int = 8,
    use_cache: bool = True,
    max_calls: int | None = None,
    max_cost: float | None = None,
    series: str | None = None,
    progress: bool | None = None,
) -> Evaluation:
    """Judge many answers as one run.

    Args:
        data: the answers with their chunks: samples, a data frame of pandas or polars, a dataset of Hugging Face, a
            table of Arrow, or dictionaries. Columns are recognised by their names, as in a file; what is no field of a
            sample is kept with it. A row that cannot be read is left out with a warning, and named in `unread`.
        columns: the column of a field where its name is not recognised: {"answer": "bot_text"}; for the chunks
            ("contexts") several columns are allowed.
        judge: a judge's name: "embedded" (the default), "lexical" or "openai:MODEL" for example.
        method: how an LLM judge works: "single" (the default), "claims" (the default for small models), "per-claim",
            "nli", "qa", "sentence" or "combined".
        strictness: what counts as support: "lenient", "balanced" (the default) or "strict" for the judge "embedded",
            "strict" (the default) or "lenient" for an LLM judge.
        prompt: your own prompt for an LLM judge, as text or as the path of a file.
        companions: whether to add relevance metrics (of the answer and of the context) to `Result.metrics`.
        options: other options of the judge by name, "timeout" or "weights" for example.
        name: what the run is called; a name that is taken gets a number.
        store: where to store the run: an open store (see `open_store`) or its URL; None stores it nowhere.
        threshold: the share of supported claims, in [0, 1], from which an answer is faithful.
        kb_version: the version of the knowledge base that the chunks came from.
        concurrency: how many answers are judged at a time.
        use_cache: whether to reuse verdicts of an LLM judge on the same texts from earlier runs in the store.
        max_calls: after this many calls to a model no more answers are started, and the run ends as "cancelled"; None
            means no limit. Up to `concurrency` answers are under way by then and are finished.
        max_cost: the same in US dollars.
        series: the run's series: the runs of one application. None names it after the run, without a number or date
            at the end.
        progress: whether to show a progress bar; None shows one in a notebook and in a terminal.

    Returns:
        The run's figures, `summary`, and the results in the order of the answers, `results`.

    Raises:
        InvalidInput: an argument is of another type, there is no answer, no column holds the answers or their chunks,
            the threshold, a name or the prompt cannot be used, no price is known for `max_cost`, or a method or prompt
            was given for a judge that asks no model.
        JudgeUnavailable: no such judge, or what it needs is missing.

    Example:
        >>> from faithview import evaluate
        >>> context = ["Inboxes hold up to 20 members.", "Refunds are paid within 14 days."]
        >>> answers = ["Inboxes hold up to 20 members.", "Refunds are paid within 30 days."]
        >>> run = evaluate([{"answer": answer, "contexts": context} for answer in answers])
        >>> run.summary.score.mean
        0.5
        >>> [result.is_faithful for result in run.results]
        [True, False]
    """
    check_arguments(
        name=name,
        threshold=threshold,
        concurrency=concurrency,
        use_cache=use_cache,
        optional={
            "columns": columns,
            "kb_version": kb_version,
            "max_calls": max_calls,
            "max_cost": max_cost,
            "series": series,
            "progress": progress,
        },
    )
    spec = describe_judge(judge, method, strictness=strictness, prompt=prompt, companions=companions, options=options)
    limits = Limits(max_calls=max_calls, max_cost=max_cost)
    create.check_judge(spec, limits=limits)  # before anything is stored
    samples, report = _read(data, columns)
    request = create.RunRequest(
        name=name,
        judge=spec,
        threshold=threshold,
        kb_version=kb_version,
        use_cache=use_cache,
        rows_left_out=report.problem_count,
        series=series,
    )
    with opened_store(store) as opened:
        run = create.create_run(opened, samples, request)
        try:
            with progress_bar(f"Judging {run.name}", len(samples), progress=progress) as bar:
                summary = create.judge_here(
                    opened,
                    run,
                    concurrency=concurrency,
                    limits=limits,
                    on_judged=lambda *_: bar.update(),
                    stop=_stop.get(),
                )
        except asyncio.CancelledError:
            cancel_run(opened, run.run_id)
            raise
        return evaluation_of(opened, summary, unread=tuple(report.problems))


@has_arguments_of(evaluate)
async def aevaluate(*data: Iterable[Any], **arguments: Any) -> Evaluation:
    """Do what `evaluate` does, in a thread, so the event loop stays free.

    Cancelling it stops the run, which ends as "cancelled". The results until then stay in the store.

    Example:
        >>> import asyncio
        >>> from faithview import aevaluate
        >>> rows = [{"answer": "Refunds take 14 days.", "contexts": ["Refunds take 14 days."]}]
        >>> run = asyncio.run(aevaluate(rows))
        >>> run.summary.score.mean
        1.0
    """
    stop = threading.Event()
    _stop.set(stop)
    work = asyncio.ensure_future(asyncio.to_thread(evaluate, *data, **arguments))
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        stop.set()
        # The store and the judge are left in order before the caller goes on.
        await asyncio.gather(work, return_exceptions=True)
        raise


def _read(data: Iterable[Any], columns: Mapping[str, str | Sequence[str]] | None) -> tuple[list[Sample], ReadReport]:
    """Return the samples, with a report on the rows that are none."""
    is_plain = not isinstance(data, str | bytes | Mapping) and isinstance(data, Iterable)
    if is_plain and not hasattr(data, "columns") and not hasattr(data, "column_names"):
        data = list(data)
        if _are_samples(data):
            if columns:
                raise InvalidInput("Samples have no columns; leave `columns` out.")
            return data, ReadReport()
    dataset = open_rows(data, columns=columns)
    try:
        samples, report = dataset.read()
    except MissingColumn as error:
        raise _ask_for_column(error, dataset) from error
    for text in (*dataset.table.warnings, *dataset.detection.warnings, *_report_lines(report)):
        warnings.warn(text, DataWarning, stacklevel=3)
    return samples, report


def _are_samples(items: list[Any]) -> bool:
    kinds = {isinstance(item, Sample) for item in items}
    if kinds == {True, False}:
        raise InvalidInput("Some of the answers are samples and others are not; give samples only, or rows only.")
    return kinds != {False}


def _ask_for_column(error: MissingColumn, dataset: Dataset) -> InvalidInput:
    guess = dataset.guess()
    column = guess.mapping.answer if error.field == "answer" else next(iter(guess.mapping.contexts), None)
    hint = f" It may be {column!r}." if column in guess.guessed else ""
    name_it = f"Name it with columns={{{error.field!r}: COLUMN}}"
    return InvalidInput(f"{error.question} {name_it}; {error.columns}{hint}")


def _report_lines(report: ReadReport) -> Iterator[str]:
    if report.problem_count:
        left_out = f"{fmt.plural(report.problem_count, 'row')} of {fmt.count(report.rows)}"
        named = "; ".join(str(problem) for problem in report.problems[:_NAMED_ROWS])
        more = "; …" if report.problem_count > _NAMED_ROWS else ""
        yield f"{left_out} cannot be read and {fmt.verb(report.problem_count, 'is', 'are')} left out: {named}{more}"
    for text, count in report.warnings.items():
        yield f"{text} ({count} times)" if count > 1 else text
