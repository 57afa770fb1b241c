"""Creating a run from samples, and judging it in this process."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from faithview.domain.buckets import is_plausible
from faithview.domain.errors import InvalidInput
from faithview.domain.result import Result
from faithview.domain.run import JudgeSpec, Run, RunStatus, RunSummary
from faithview.domain.sample import Sample, find_unstorable, free_id
from faithview.domain.scoring import DEFAULT_THRESHOLD
from faithview.domain.series import CHECKED_ANSWERS
from faithview.judges.registry import create_judge
from faithview.services.container import Services
from faithview.services.judge_catalogue import to_build
from faithview.services.results.run_edits import clean_run_name
from faithview.services.results.runs import get_run, get_summary
from faithview.services.results.series import clean_series_name
from faithview.services.runs.budget import NO_LIMITS, Limits, check_limits
from faithview.services.runs.cluster import Cluster
from faithview.services.runs.execute import judge_run
from faithview.services.runs.judge_answer import run_blocking
from faithview.services.runs.vendor_batches import POLL_S, OnJudged, begin_batches
from faithview.store.runs import batches, results, runs, summaries

# Without 0, 1, l and o, which are easily confused.
_ID_ALPHABET = "23456789abcdefghijkmnpqrstuvwxyz"
_ID_LENGTH = 8
# A column of the file that names the series of its run, where every row names the same one.
_SERIES_COLUMN = "series"


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
    as_of: datetime | None = None


def create_run(services: Services, samples: Sequence[Sample], request: RunRequest) -> Run:
    """Store a new run with its samples, ready to be judged.

    Keys are made unique: the second answer with a key gets "key#2" and so on, and an answer without a key gets its
    position, as the rows of a file do.

    Raises:
        InvalidInput: there is no sample, the threshold is not in [0, 1], the name of the run or of its series is empty
            or too long, or the judge has no batches.
        JudgeUnavailable: the judge cannot be built, so nothing is stored.
    """
    if not samples:
        raise InvalidInput("There is no answer to judge.")
    if not 0 <= request.threshold <= 1:
        raise InvalidInput(f"The threshold must be between 0 and 1, not {request.threshold}.")
    name = clean_run_name(request.name)
    for label, text in (("knowledge base's version", request.kb_version), ("source", request.source)):
        if text is not None and find_unstorable(text) is not None:
            raise InvalidInput(f"The {label} {text!r} contains a character that cannot be stored; remove it.")
    judge = create_judge(to_build(request.judge))
    batch = begin_batches(judge) if request.by_batches else None
    now = datetime.now(UTC)
    times = [sample.timestamp for sample in samples if sample.timestamp is not None and is_plausible(sample.timestamp)]
    run = Run(
        run_id=_new_id(),
        name=runs.free_name(services.db, name),
        status=RunStatus.PENDING,
        judge=request.judge,
        fingerprint=judge.fingerprint,
        threshold=request.threshold,
        kb_version=request.kb_version,
        source=request.source,
        created_at=now,
        as_of=max(times, default=request.as_of or now),
        use_cache=request.use_cache,
        rows_left_out=request.rows_left_out,
        series=_series_asked_for(request, samples),
    )
    run = runs.create_run(services.db, run, _with_unique_keys(samples))
    if batch is not None:
        batches.save_state(services.db, run.run_id, batch)
    return run


def create_repeats(services: Services, first: Run, samples: Sequence[Sample], *, repeat: int) -> list[Run]:
    """Store runs that judge the first run's answers again, so that each answer is judged `repeat` times.

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
            run_id=_new_id(),
            name=runs.free_name(services.db, f"{first.name} (repeat {number})"),
            created_at=datetime.now(UTC),
            repeat_of=first.run_id,
            use_cache=False,
        )
        runs.create_run(services.db, run, _with_unique_keys(samples))
        made.append(run)
    return made


def is_batch_run(services: Services, run: Run) -> bool:
    """Return whether the run is judged with the vendor's batches."""
    return batches.find_state(services.db, run.run_id) is not None


def _series_asked_for(request: RunRequest, samples: Sequence[Sample]) -> str:
    """Return the series that the request or the answers name; "" where neither does."""
    if request.series is not None:
        return clean_series_name(request.series)
    name = samples[0].extra.get(_SERIES_COLUMN)
    if not isinstance(name, str) or not name.strip():
        return ""
    is_shared = all(sample.extra.get(_SERIES_COLUMN) == name for sample in samples)
    return clean_series_name(name) if is_shared else ""


def _new_id() -> str:
    return "".join(secrets.choice(_ID_ALPHABET) for _ in range(_ID_LENGTH))


def _with_unique_keys(samples: Sequence[Sample]) -> list[Sample]:
    taken: set[str] = set()
    unique = []
    for position, sample in enumerate(samples, start=1):
        key = free_id(sample.key or str(position), taken)
        taken.add(key)
        unique.append(sample if key == sample.key else replace(sample, key=key))
    return unique


def judge_here(
    services: Services,
    run: Run,
    *,
    concurrency: int = 8,
    limits: Limits = NO_LIMITS,
    poll_s: float = POLL_S,
    cluster: Cluster | None = None,
    on_judged: OnJudged | None = None,
) -> RunSummary:
    """Judge the run's pending rows, here or on a cluster, and return its figures. Raises as `judge_run` does."""
    run_blocking(
        judge_run(
            services.db,
            run,
            concurrency=concurrency,
            limits=limits,
            poll_s=poll_s,
            cluster=cluster,
            on_judged=on_judged,
        )
    )
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
    run = create_run(services, [sample], request)
    worker, now = f"saved:0:{run.run_id}", datetime.now(UTC)
    judged = [(1, sample, result)]
    runs.take_run(services.db, run.run_id, worker=worker, now=now)
    results.save_results(services.db, run.run_id, judged, worker=worker, now=now, seconds=result.seconds)
    runs.finish_run(services.db, run.run_id, worker=worker, status=RunStatus.COMPLETE, now=now)
    summaries.keep_summary(services.db, run)
    return get_run(services, run.run_id)
