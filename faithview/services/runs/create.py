"""Create a run from samples or from the answers of a stored one, estimate its cost, and judge it in this process."""

import secrets
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import chain, islice

from faithview.domain.errors import InvalidInput
from faithview.domain.result import Result, Usage
from faithview.domain.run import POLL_S, JudgeSpec, Run, RunStatus, RunSummary
from faithview.domain.sample import Sample, find_unstorable, free_id
from faithview.domain.scoring import DEFAULT_THRESHOLD, check_threshold
from faithview.domain.series import CHECKED_ANSWERS, name_series
from faithview.formats.files.report import ReadReport
from faithview.formats.files.source import without_ending
from faithview.judges.capabilities import AsksModel
from faithview.judges.registry import build_judge, create_judge
from faithview.services.container import Store
from faithview.services.judge_catalogue import find_offer, to_build
from faithview.services.results import MAX_NAME, clean_name, get_run, get_summary
from faithview.services.runs.batches import begin_batches
from faithview.services.runs.budget import NO_LIMITS, Limits, RunEstimate, check_limits
from faithview.services.runs.cluster import Cluster
from faithview.services.runs.execute import judge_run
from faithview.services.runs.intake import batches_of, newest_time, store_rows, text_size
from faithview.services.runs.judge_answer import run_blocking
from faithview.services.runs.judge_rows import OnJudged, find_cached
from faithview.store import results, runs, summaries
from faithview.store import samples as stored_samples

# Without 0, 1, l and o, which are easily confused.
_ID_ALPHABET = "23456789abcdefghijkmnpqrstuvwxyz"
_ID_LENGTH = 8
# A column of the file that names the series of its run, if every row names the same one.
_SERIES_COLUMN = "series"
# How many known results are stored in one transaction, and how many answers are read at a time.
_BATCH = 200
# From how many answers, the first ones, the cost of a run is estimated.
_EXAMINED = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRequest:
    """How to judge answers, and what to store about the run. The command line, the API and the dashboard build this.

    Attributes:
        name: the run's name; a name that is taken gets a number.
        judge: the judge with its options.
        threshold: the share of supported claims, in [0, 1], from which an answer is faithful.
        kb_version: the version of the knowledge base that the chunks came from; None if unknown.
        source: the name of the file; None if the answers came from elsewhere.
        use_cache: whether a judge that calls a model reuses verdicts of earlier runs.
        by_batches: whether to use the vendor's batch endpoints: cheaper, and within a day.
        rows_left_out: how many rows of the file could not be read; they count against the run's coverage.
        series: the series of the run; None takes it from the answers' column `series`, or else from the name of their
            file, or of the run (`domain/series.py`).
        as_of: the time of the answers, if none of them has its own time; None for now.
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


def create_run(
    store: Store,
    samples: Iterable[Sample],
    request: RunRequest,
    *,
    has_keys: bool = False,
    report: ReadReport | None = None,
) -> Run:
    """Store a new run with its samples, ready to be judged.

    Keys are made unique: the second answer with a key gets "key#2" and so on, and an answer without a key gets its
    position, as the rows of a file do.

    Args:
        store: the store.
        samples: the answers; they are read while they are stored, so any number of them takes little memory.
        request: the settings of the run.
        has_keys: whether the answers already have unique keys, as the rows of a file do.
        report: counts the rows of a file that cannot be read, while they are read; None for the request's own count.

    Raises:
        InvalidInput: there is no sample, the threshold is not in [0, 1], the name of the run or of its series is empty
            or too long, or the judge has no batches.
        JudgeUnavailable: the judge cannot be built, so nothing is stored.
    """
    judge = create_judge(to_build(request.judge))
    batch = begin_batches(judge) if request.by_batches else None
    rows = batches_of(samples if has_keys else _with_unique_keys(samples), size=text_size)
    first = next(rows, [])
    described = describe_run(first, request, fingerprint=judge.fingerprint)
    answers = chain(first, chain.from_iterable(rows))
    run = store_rows(store.db, described, answers, report=report)
    if batch is not None:
        runs.save_batch_state(store.db, run.run_id, batch)
    return run


def describe_run(first: Sequence[Sample], request: RunRequest, *, fingerprint: str) -> Run:
    """Return a new run that is not stored yet; `first` are the first of its answers, which name its series.

    Raises:
        InvalidInput: as `create_run` does.
    """
    if not first:
        raise InvalidInput("There is no answer to judge.")
    check_threshold(request.threshold)
    for label, text in (("knowledge base's version", request.kb_version), ("source", request.source)):
        if text is not None and find_unstorable(text) is not None:
            raise InvalidInput(f"The {label} {text!r} contains a character that cannot be stored; remove it.")
    now = datetime.now(UTC)
    return Run(
        run_id=new_run_id(),
        name=clean_name(request.name, whose="run"),
        status=RunStatus.PENDING,
        judge=request.judge,
        fingerprint=fingerprint,
        threshold=request.threshold,
        kb_version=request.kb_version,
        source=request.source,
        created_at=now,
        as_of=newest_time(first) or request.as_of or now,
        use_cache=request.use_cache,
        rows_left_out=request.rows_left_out,
        series=_series_of(request, first),
    )


def store_results(store: Store, run: Run, judged: Iterable[tuple[Sample, Result]]) -> Run:
    """Store the results of a whole run, in the order of its samples, and complete it; nothing is judged."""
    worker, now = f"saved:0:{run.run_id}", datetime.now(UTC)
    runs.take_run(store.db, run.run_id, worker=worker, now=now)
    rows = ((position, *pair) for position, pair in enumerate(judged, start=1))
    while batch := list(islice(rows, _BATCH)):
        seconds = sum(result.seconds for _, _, result in batch)
        results.save_results(store.db, run.run_id, batch, worker=worker, now=datetime.now(UTC), seconds=seconds)
    runs.finish_run(store.db, run.run_id, worker=worker, status=RunStatus.COMPLETE, now=datetime.now(UTC))
    summaries.keep_summary(store.db, run)
    return get_run(store, run.run_id)


def create_repeats(store: Store, first: Run, *, repeat: int) -> list[Run]:
    """Store runs that judge the first run's answers again; each answer is then judged `repeat` times in all.

    Each run calls the judge again: none reuses verdicts of another.

    Raises:
        InvalidInput: the first run is judged by batches.
    """
    if repeat > 1 and runs.find_batch_state(store.db, first.run_id) is not None:
        raise InvalidInput("Repeats cannot be judged in batches; leave --repeat or --batch out.")
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
        made.append(store_rows(store.db, run, iterate_samples(store, first)))
    return made


def iterate_samples(store: Store, run: Run) -> Iterator[Sample]:
    """Yield the answers of a stored run in the order of its file, with their chunks and without verdicts."""
    after = 0
    while page := stored_samples.list_samples(store.db, run.run_id, after=after, limit=_BATCH):
        yield from page
        after += len(page)


def is_batch_run(store: Store, run: Run) -> bool:
    """Return whether the run is judged with the vendor's batches."""
    return runs.find_batch_state(store.db, run.run_id) is not None


def _series_of(request: RunRequest, samples: Sequence[Sample]) -> str:
    """Return the series that the request or the answers name, else that of files, or runs, of this name."""
    named = {named_series(sample) for sample in samples} if request.series is None else {request.series}
    series = named.pop() if len(named) == 1 else None
    if series is not None:
        return clean_name(series, whose="series")
    name = without_ending(request.source) if request.source else clean_name(request.name, whose="run")
    return name_series(name)[:MAX_NAME]


def named_series(sample: Sample) -> str | None:
    """Return the series that the answer's own column names; None if it names none."""
    name = sample.extra.get(_SERIES_COLUMN)
    return name if isinstance(name, str) and name.strip() else None


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
    store: Store,
    run: Run,
    *,
    concurrency: int = 8,
    limits: Limits = NO_LIMITS,
    poll_s: float = POLL_S,
    cluster: Cluster | None = None,
    on_judged: OnJudged | None = None,
    stop: threading.Event | None = None,
) -> RunSummary:
    """Judge the run's pending rows, here or on a cluster, and return its figures. Raises as `judge_run` does.

    Another thread stops it by setting `stop`; then it raises asyncio.CancelledError, and the run can be resumed. If
    another judge judges a preflight, it judges the affected answers with the older version first.
    """
    spent = Usage()

    def count(position: int, result: Result) -> None:
        nonlocal spent
        spent += result.usage
        if on_judged is not None:
            on_judged(position, result)

    older = None if run.preflight_of is None else get_run(store, run.preflight_of)
    if older is not None and older.preflight_of is not None and older.status is not RunStatus.COMPLETE:
        judge_here(store, older, concurrency=concurrency, limits=limits, poll_s=poll_s, on_judged=count, stop=stop)
        if get_run(store, older.run_id).status is not RunStatus.COMPLETE:
            return get_summary(store, run.run_id)
        limits = limits.less(spent)
    work = judge_run(
        store.db,
        run,
        concurrency=concurrency,
        limits=limits,
        poll_s=poll_s,
        cluster=cluster,
        on_judged=on_judged,
    )
    run_blocking(work, stop=stop)
    return get_summary(store, run.run_id)


def check_judge(judge: JudgeSpec, *, limits: Limits = NO_LIMITS, by_batches: bool = False) -> None:
    """Raise JudgeUnavailable if the judge cannot be built, InvalidInput if it lacks support for limits or batches."""
    built = create_judge(to_build(judge))
    check_limits(built, limits)
    if by_batches:
        begin_batches(built)


def save_checked(store: Store, sample: Sample, result: Result, *, name: str, judge: JudgeSpec, source: str) -> Run:
    """Store one answer that was already judged as a separate run, without calling the judge again.

    The run goes to the series `CHECKED_ANSWERS`.

    Raises:
        JudgeUnavailable: the judge can no longer be built.
    """
    request = RunRequest(name=name, judge=judge, threshold=result.threshold, source=source, series=CHECKED_ANSWERS)
    return save_judged(store, [(sample, result)], request)


def save_judged(store: Store, judged: Sequence[tuple[Sample, Result]], request: RunRequest) -> Run:
    """Store answers that were already judged as one run, in their order, without calling the judge again.

    The results get the threshold of the request. Samples without a key, or with a taken key, get a new one.

    Raises:
        InvalidInput: there is no answer, or the threshold or a name is not valid.
        JudgeUnavailable: the judge can no longer be built.
    """
    run = create_run(store, [sample for sample, _ in judged], request)
    return store_results(
        store, run, [(sample, replace(result, threshold=request.threshold)) for sample, result in judged]
    )


def judge_again(
    store: Store,
    run: Run,
    judge: JudgeSpec,
    *,
    name: str | None = None,
    series: str | None = None,
    limits: Limits = NO_LIMITS,
) -> Run:
    """Store a new run over the answers of a stored one, ready to be judged by another judge.

    It has the other run's time of answers, threshold and version of the knowledge base, so only the judge differs, and
    by default its series, so the two are shown together. The other run is unchanged.

    Args:
        store: the store.
        run: the run whose answers are judged again.
        judge: the new judge.
        name: the new run's name; None combines the run's and the judge's names.
        series: the new run's series; None for the run's own.
        limits: the judge's budget; only checked here, for a judge that does not support it.

    Raises:
        InvalidInput: the name is not valid, or the judge does not support the limits.
        JudgeUnavailable: the judge cannot be built, so nothing is stored.
    """
    check_judge(judge, limits=limits)
    suffix = f" ({judge.name})"
    request = RunRequest(
        name=name or run.name[: max(0, MAX_NAME - len(suffix))] + suffix,
        judge=judge,
        threshold=run.threshold,
        kb_version=run.kb_version,
        source=run.source,
        rows_left_out=run.rows_left_out,
        series=series or run.series,
        as_of=run.as_of,
    )
    return create_run(store, iterate_samples(store, run), request)


def estimate_run(
    samples: Iterable[Sample],
    spec: JudgeSpec,
    *,
    store: Store | None = None,
    use_cache: bool = True,
    repeat: int = 1,
    is_batch: bool = False,
    given_claims: bool = False,
) -> RunEstimate:
    """Estimate the calls, tokens and cost of judging the samples: the mean of the first 200 answers times their number.

    Args:
        samples: the answers; they are read batch by batch.
        spec: the judge.
        store: where to look up verdicts of earlier runs; None for no look-up.
        use_cache: whether to reuse them.
        repeat: how many times each answer is judged; only the first time uses the cache.
        is_batch: whether the vendor's batches are used, which cost less.
        given_claims: whether the answers' claims are known already, so a method that can do so does not list them.

    Raises:
        JudgeUnavailable: an option of the spec cannot be used.
    """
    offer = find_offer(spec.name)
    if offer is None or not offer.is_remote:
        number = sum(1 for _ in samples)
        host = offer.host if offer else None
        return RunEstimate(
            judge=spec.name, method=spec.method, host=host, answers=number, cost_usd=None if host else 0.0
        )
    judge = build_judge(spec)  # which needs no key
    if not isinstance(judge, AsksModel):
        raise InvalidInput(f"The cost of judge {spec.name!r} cannot be estimated.")
    fingerprint = judge.fingerprint
    answers = cached = 0

    def iterate_asked() -> Iterator[Sample]:
        """Yield the answers that the judge will judge, each as often as it will."""
        nonlocal answers, cached
        seen = set[str]()
        for batch in batches_of(samples, size=text_size):
            known = (
                find_cached(store.db, fingerprint, batch) if store is not None and use_cache else [None] * len(batch)
            )
            answers += len(batch)
            for sample, found in zip(batch, known, strict=True):
                cached += found is not None
                if found is None and not (use_cache and sample.content_hash in seen):
                    seen.add(sample.content_hash)
                    yield sample
                yield from [sample] * (repeat - 1)

    asked = iterate_asked()
    examined = list(islice(asked, _EXAMINED))
    total = len(examined) + sum(1 for _ in asked)
    if given_claims and judge.verifies_given:
        from faithview.judges.llm.cost import expected_claims

        expected = judge.estimate(examined, given=[max(1, round(expected_claims(sample))) for sample in examined])
    else:
        expected = judge.estimate(examined)
    expected = expected.times(total / len(examined)) if total > len(examined) else expected
    discount = judge.batch_discount if is_batch else 0.0
    return RunEstimate(
        judge=spec.name,
        method=spec.method,
        host=offer.host,
        answers=answers,
        cached_answers=cached,
        calls=expected.calls,
        prompt_tokens=expected.prompt_tokens,
        completion_tokens=expected.completion_tokens,
        cost_usd=None if expected.cost_usd is None else expected.cost_usd * (1 - discount),
        stable_share=expected.stable_share,
        prices_as_of=expected.prices_as_of,
        examined_answers=len(examined) if offer.is_cascade or total > len(examined) else None,
    )
