"""Creating a run from samples, and judging it in this process."""

import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import chain

from faithview.domain.buckets import is_plausible
from faithview.domain.errors import InvalidInput
from faithview.domain.result import Result
from faithview.domain.run import POLL_S, JudgeSpec, Run, RunStatus, RunSummary, refuse_without_texts
from faithview.domain.sample import Sample, find_unstorable, free_id
from faithview.domain.scoring import DEFAULT_THRESHOLD, check_threshold
from faithview.domain.series import CHECKED_ANSWERS
from faithview.judges.registry import create_judge
from faithview.services.container import Services
from faithview.services.datasets import FileOrigin
from faithview.services.datasets.named import clean_dataset_name, place_older_runs
from faithview.services.judge_catalogue import to_build
from faithview.services.results.run_edits import clean_run_name
from faithview.services.results.runs import get_run, get_summary
from faithview.services.results.series import clean_series_name
from faithview.services.runs.budget import NO_LIMITS, Limits, check_limits
from faithview.services.runs.cluster import Cluster
from faithview.services.runs.execute import judge_run
from faithview.services.runs.intake import store_rows
from faithview.services.runs.intake.store_rows import OnStored, RowsToStore
from faithview.services.runs.judge_answer import StoppableWork, run_blocking
from faithview.services.runs.pending import PAGE
from faithview.services.runs.vendor_batches import OnJudged, begin_batches
from faithview.store.runs import batches, results, runs, summaries
from faithview.store.runs import samples as samples_of

# Without 0, 1, l and o, which are easily confused.
_ID_ALPHABET = "23456789abcdefghijkmnpqrstuvwxyz"
_ID_LENGTH = 8
# A column of the file that names the series of its run, where every row names the same one.
_SERIES_COLUMN = "series"
# How many results that are known already are stored in one transaction.
_BATCH = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRequest:
    """How to judge some answers, and what to store about the run. The command, the API and the dashboard build this.

    Attributes:
        name: what the run is called; a name that is taken gets a number.
        judge: which judge, with its options.
        threshold: the share of supported claims, in [0, 1], from which an answer is faithful.
        kb_version: the version of the knowledge base that the chunks came from; None if unknown.
        source: the name of the file; None if the answers came from elsewhere.
        use_cache: whether a judge that asks a model reuses verdicts of earlier runs.
        by_batches: whether to use the vendor's batch endpoints: cheaper, and within a day.
        rows_left_out: how many rows of the file could not be read; they count against the run's coverage.
        series: the series of the run; None takes it from the answers' column `series`, else works it out
            (`domain/series.py`).
        dataset: the data set that the answers are of; None works it out (`domain/dataset.py`).
        as_of: the time that the answers speak of, if none of them has a time of its own; None is now.
    """

    name: str
    judge: JudgeSpec
    threshold: float = DEFAULT_THRESHOLD
    kb_version: str | None = None
    source: str | None = None
    use_cache: bool = True
    by_batches: bool = False
    rows_left_out: int = 0
    series: str | None = None
    dataset: str | None = None
    as_of: datetime | None = None


def create_run(
    services: Services,
    samples: Iterable[Sample],
    request: RunRequest,
    *,
    has_keys: bool = False,
    origin: FileOrigin | None = None,
    on_stored: OnStored | None = None,
) -> Run:
    """Store a new run with its samples, ready to be judged.

    Keys are made unique: the second answer with a key gets "key#2" and so on, and an answer without a key gets its
    position, as the rows of a file do.

    Args:
        services: the store.
        samples: the answers; they are read as they are stored, so any number of them takes little memory.
        request: what to store about the run.
        has_keys: whether the answers have unique keys already, as the rows of a file have.
        origin: where the file of the answers is, so that another process can read on if this one is stopped.
        on_stored: called with the number of answers that are stored so far, if they are too many for one batch.

    Raises:
        InvalidInput: there is no sample, the threshold is not in [0, 1], the name of the run, of its series or of its
            data set is empty or too long, or the judge has no batches.
        JudgeUnavailable: the judge cannot be built, so nothing is stored.
    """
    run, rest = begin_run(services, samples, request, has_keys=has_keys, origin=origin)
    return run if rest is None else rest.store(on_stored)


def begin_run(
    services: Services,
    samples: Iterable[Sample],
    request: RunRequest,
    *,
    has_keys: bool = False,
    origin: FileOrigin | None = None,
    rows_left_out: Callable[[], int] | None = None,
) -> tuple[Run, RowsToStore | None]:
    """Do what `create_run` does for the first answers, and return the others to be stored; None if there are none.

    They can be stored in a thread while the run is judged. `rows_left_out` says at the end how many rows could not be
    read.
    """
    _check(request)
    dataset = named_dataset(request)
    judge = create_judge(to_build(request.judge))
    batch = begin_batches(judge) if request.by_batches else None
    unique = samples if has_keys else _with_unique_keys(samples)
    first, answers = describe_run(unique, request, fingerprint=judge.fingerprint)
    document = None if origin is None else origin.document()
    place_older_runs(services)
    run, rest = store_rows.begin_run(
        services, first, answers, origin=document, dataset=dataset, rows_left_out=rows_left_out
    )
    if batch is not None:
        batches.save_state(services.db, run.run_id, batch)
    return run, rest


def describe_run(samples: Iterable[Sample], request: RunRequest, *, fingerprint: str) -> tuple[Run, Iterator[Sample]]:
    """Return a new run that is not stored yet, and its samples, of which the first have been read.

    The time of its answers and its series are those of the first batch of them.

    Raises:
        InvalidInput: as `create_run` does.
    """
    name = _check(request)
    found = store_rows.batches_of(samples, size=store_rows.text_size)
    first = next(found, [])
    if not first:
        raise InvalidInput("There is no answer to judge.")
    now = datetime.now(UTC)
    times = [sample.timestamp for sample in first if sample.timestamp is not None and is_plausible(sample.timestamp)]
    run = Run(
        run_id=new_run_id(),
        name=name,
        status=RunStatus.PENDING,
        judge=request.judge,
        fingerprint=fingerprint,
        threshold=request.threshold,
        kb_version=request.kb_version,
        source=request.source,
        created_at=now,
        as_of=max(times, default=request.as_of or now),
        use_cache=request.use_cache,
        rows_left_out=request.rows_left_out,
        series=_series_asked_for(request, first),
    )
    return run, chain(first, chain.from_iterable(found))


def store_results(services: Services, run: Run, judged: Sequence[tuple[Sample, Result]]) -> Run:
    """Store the results of a whole run, in the order of its samples, and complete it; nothing is judged."""
    worker, now = f"saved:0:{run.run_id}", datetime.now(UTC)
    runs.take_run(services.db, run.run_id, worker=worker, now=now)
    for first in range(0, len(judged), _BATCH):
        batch = [(first + at, *pair) for at, pair in enumerate(judged[first : first + _BATCH], start=1)]
        seconds = sum(result.seconds for _, _, result in batch)
        results.save_results(services.db, run.run_id, batch, worker=worker, now=datetime.now(UTC), seconds=seconds)
    return complete_run(services, run, worker=worker)


def complete_run(services: Services, run: Run, *, worker: str) -> Run:
    """Complete a run whose results are all stored, and keep its figures."""
    runs.finish_run(services.db, run.run_id, worker=worker, status=RunStatus.COMPLETE, now=datetime.now(UTC))
    summaries.keep_summary(services.db, run)
    return get_run(services, run.run_id)


def create_repeats(services: Services, first: Run, *, repeat: int) -> list[Run]:
    """Store runs that judge the first run's answers again, so that each answer is judged `repeat` times in all.

    Each run asks the judge anew: none reuses verdicts of another.

    Raises:
        InvalidInput: the first run is judged by batches.
    """
    if repeat > 1 and batches.find_state(services.db, first.run_id) is not None:
        raise InvalidInput("Repeats cannot be judged by batches; leave --repeat or --batch out.")
    made = []
    for number in range(2, repeat + 1):
        run = replace(
            first,
            run_id=new_run_id(),
            name=f"{first.name} (repeat {number})",
            created_at=datetime.now(UTC),
            repeat_of=first.run_id,
            use_cache=False,
        )
        repeated, rest = store_rows.begin_run(services, run, iterate_samples(services, first))
        made.append(repeated if rest is None else rest.store())
    return made


def iterate_samples(services: Services, run: Run) -> Iterator[Sample]:
    """Yield the answers of a stored run in the order of its file, with their chunks and without any verdict.

    Raises RunConflict if its texts were deleted.
    """
    refuse_without_texts(run)
    after = 0
    while page := samples_of.list_samples(services.db, run.run_id, after=after, limit=PAGE):
        yield from page
        after += len(page)


def is_batch_run(services: Services, run: Run) -> bool:
    """Return whether the run is judged with the vendor's batches."""
    return batches.find_state(services.db, run.run_id) is not None


def _check(request: RunRequest) -> str:
    """Return the run's name; raises InvalidInput for what cannot become a run."""
    check_threshold(request.threshold)
    name = clean_run_name(request.name)
    for label, text in (("knowledge base's version", request.kb_version), ("source", request.source)):
        if text is not None and find_unstorable(text) is not None:
            raise InvalidInput(f"The {label} {text!r} contains a character that cannot be stored; remove it.")
    return name


def _series_asked_for(request: RunRequest, samples: Sequence[Sample]) -> str:
    """Return the series that the request or the answers name; "" where neither does."""
    if request.series is not None:
        return clean_series_name(request.series)
    name = named_series(samples[0])
    return clean_series_name(name) if name and all(named_series(sample) == name for sample in samples) else ""


def named_series(sample: Sample) -> str | None:
    """Return the series that the answer's own column names; None where it names none."""
    name = sample.extra.get(_SERIES_COLUMN)
    return name if isinstance(name, str) and name.strip() else None


def named_dataset(request: RunRequest) -> str | None:
    """Return the data set that the request names; None where it names none. Raises InvalidInput for the name."""
    return None if request.dataset is None else clean_dataset_name(request.dataset)


def new_run_id() -> str:
    """Return an id for a new run."""
    return "".join(secrets.choice(_ID_ALPHABET) for _ in range(_ID_LENGTH))


def _with_unique_keys(samples: Iterable[Sample]) -> Iterator[Sample]:
    taken: set[str] = set()
    counted: dict[str, int] = {}
    for position, sample in enumerate(samples, start=1):
        key = free_id(sample.key or str(position), taken, counted)
        taken.add(key)
        yield sample if key == sample.key else replace(sample, key=key)


def judge_here(
    services: Services,
    run: Run,
    *,
    concurrency: int = 8,
    limits: Limits = NO_LIMITS,
    poll_s: float = POLL_S,
    cluster: Cluster | None = None,
    on_judged: OnJudged | None = None,
    stoppable: StoppableWork | None = None,
) -> RunSummary:
    """Judge the run's pending rows, here or on a cluster, and return its figures. Raises as `judge_run` does.

    `stoppable` lets another thread stop it; then it raises asyncio.CancelledError, and the run can be resumed.
    """
    work = judge_run(
        services.db,
        run,
        concurrency=concurrency,
        limits=limits,
        poll_s=poll_s,
        cluster=cluster,
        on_judged=on_judged,
    )
    if stoppable is None:
        run_blocking(work)
    else:
        stoppable.run(work)
    return get_summary(services, run.run_id)


def check_judge(judge: JudgeSpec, *, limits: Limits = NO_LIMITS, by_batches: bool = False) -> None:
    """Raise JudgeUnavailable if the judge cannot be built, InvalidInput if it cannot keep the limits or use batches."""
    built = create_judge(to_build(judge))
    check_limits(built, limits)
    if by_batches:
        begin_batches(built)


def save_checked(
    services: Services, sample: Sample, result: Result, *, name: str, judge: JudgeSpec, source: str
) -> Run:
    """Store one answer that was already judged as a run of its own, without asking the judge again.

    The run goes to the series `CHECKED_ANSWERS`.

    Raises:
        JudgeUnavailable: the judge can no longer be built.
    """
    request = RunRequest(name=name, judge=judge, threshold=result.threshold, source=source, series=CHECKED_ANSWERS)
    return save_judged(services, [(sample, result)], request)


def save_judged(services: Services, judged: Sequence[tuple[Sample, Result]], request: RunRequest) -> Run:
    """Store answers that were already judged as one run, in their order, without asking the judge again.

    The results have the threshold of the request. Samples without a key, or with one that is taken, get one.

    Raises:
        InvalidInput: there is no answer, or the threshold or a name cannot be used.
        JudgeUnavailable: the judge can no longer be built.
    """
    run = create_run(services, [sample for sample, _ in judged], request)
    return store_results(
        services, run, [(sample, replace(result, threshold=request.threshold)) for sample, result in judged]
    )
