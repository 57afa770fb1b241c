"""A run judged on a Ray cluster: Ray Data hands the rows to judges on its machines, and this process stores them.

Only this process writes, as without a cluster: it alone owns the run, so no row is stored twice. The store's password
stays here, the machines do not need access to the store, and a store in SQLite is enough. If a process dies, its rows
are judged again.
"""

import asyncio
import logging
import math
import pickle
import warnings
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from faithview.domain.errors import FaithViewError, InvalidInput, JudgeUnavailable
from faithview.domain.result import State
from faithview.domain.run import JudgeSpec, Run
from faithview.judges.base import Judge
from faithview.judges.registry import create_judge
from faithview.services.judge_catalogue import answers_at_a_time, to_build, wants_companions
from faithview.services.runs.budget import NO_LIMITS, Limits
from faithview.services.runs.judge_answer import judge_samples
from faithview.services.runs.judge_rows import JudgedRow, Row, Save, load_unknown, share_result
from faithview.store import runs
from faithview.store.database import Database

# The only column of a block. Rows are sent as bytes, so no table format can change their texts or numbers.
_COLUMN = "row"
# For how many rounds of concurrent answers a block keeps its judge busy ...
_ROUNDS = 4
# ... and the minimum number of blocks per judge, so all end at about the same time.
_BLOCKS_EACH = 4
# How often the rows of a dead process are given to another before the run fails: the rows may be the cause.
_RETRIES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """The Ray cluster that judges a run.

    Attributes:
        address: "host:port" of its head; None for RAY_ADDRESS of the environment, or the cluster of this machine.
        workers: how many judges, each in a process with one core; None for as many as fit.
        gpus: GPUs per judge: 0 for none, 0.25 shares a GPU among four, 2 takes two.
    """

    address: str | None = None
    workers: int | None = None
    gpus: float = 0.0


def check_cluster(cluster: Cluster, *, limits: Limits = NO_LIMITS, by_batches: bool = False) -> None:
    """Connect to the cluster; raises what `connect` raises, or InvalidInput for limits or batches."""
    if limits.are_set:
        raise InvalidInput(
            "Judges on a Ray cluster do not know what the others spend, so a budget cannot stop them; use --limit to "
            "judge fewer rows, or leave --engine ray out."
        )
    if by_batches:
        raise InvalidInput("A batch is judged by the vendor, not on a Ray cluster; leave --batch or --engine ray out.")
    connect(cluster)


def connect(cluster: Cluster) -> int:
    """Connect this process to the cluster, unless it is connected, and return how many judges will work.

    Raises:
        JudgeUnavailable: Ray is not installed, no cluster responds, or none of its machines has room for a judge.
    """
    if not (
        find_spec("ray") and find_spec("pyarrow")
    ):  # Ray can be installed without the packages that `ray.data` needs
        raise JudgeUnavailable("--engine ray needs Ray. Install it: pip install 'ray[data]'")
    import ray

    if not ray.is_initialized():
        try:
            ray.init(address=cluster.address or "auto", log_to_driver=False, logging_level=logging.ERROR)
        except Exception as error:
            where = f"at {cluster.address}" if cluster.address else "of this machine"
            raise JudgeUnavailable(
                f"The Ray cluster {where} cannot be used: {_first_line(error)} Name the head's address with "
                "--ray-address HOST:PORT; `ray start --head` starts a cluster."
            ) from error
    has = ray.cluster_resources()
    room = int(has.get("CPU", 0))
    if cluster.gpus:
        room = min(room, int(has.get("GPU", 0) / cluster.gpus))
    if cluster.workers is not None and cluster.workers <= room:
        return cluster.workers
    wanted = cluster.workers or 1
    if room < wanted:
        raise JudgeUnavailable(
            f"The Ray cluster has {has.get('CPU', 0):g} cores and {has.get('GPU', 0):g} GPUs, enough for {room} "
            f"judges, not for {wanted}. Change --ray-workers or --ray-gpus, or add machines."
        )
    return room


def disconnect() -> None:
    """End this process's connection to its cluster, which also ends its judges there."""
    import ray

    ray.shutdown()


async def judge_on_cluster(db: Database, run: Run, cluster: Cluster, save: Save, *, concurrency: int) -> None:
    """Judge the run's pending rows on the cluster, and save each block as it comes back.

    `concurrency` is how many answers each judge gets at a time.

    Raises:
        JudgeUnavailable: the cluster or a judge on it cannot be used; stored rows stay.
    """
    workers = connect(cluster)
    at_a_time = answers_at_a_time(run.judge, concurrency)
    pending = runs.count_states(db, run.run_id).get(State.PENDING, 0)
    block_rows = max(1, min(_ROUNDS * at_a_time, math.ceil(pending / (_BLOCKS_EACH * workers))))
    left = await load_unknown(db, run, save)
    while left:
        asked, left = {rows[0][0]: rows for rows in left}, []
        firsts = [rows[0] for rows in asked.values()]
        blocks = await asyncio.to_thread(_judge_on_ray, firsts, run, cluster, workers, at_a_time, block_rows)
        async for block in _without_blocking(blocks):
            shared = [share_result(asked[position], result) for position, _, result in block]
            await save([row for judged, _ in shared for row in judged])
            left += [[row] for _, rest in shared for row in rest]  # if the first one failed, each is judged


class RowJudge:
    """The judge in a process of the cluster: takes a block of rows, and returns them with their results."""

    def __init__(self, spec: JudgeSpec, fingerprint: str, threshold: float, at_a_time: int) -> None:
        """Take the settings of the run; the judge is built with the first block, because Ray hides errors from here."""
        self._spec = spec
        self._fingerprint = fingerprint
        self._threshold = threshold
        self._at_a_time = at_a_time
        self._judge: Judge | None = None
        # A judge is bound to one event loop, so all blocks use the same.
        self._runner = asyncio.Runner()

    def __call__(self, block: Any) -> dict[str, list[bytes]]:
        """Judge a block, a table of Arrow with one column of pickled rows; raises JudgeUnavailable if it cannot."""
        rows: list[Row] = [pickle.loads(row.as_py()) for row in block[_COLUMN]]  # noqa: S301 - of this run's own process
        return {_COLUMN: [pickle.dumps(row) for row in self._runner.run(self._judge_all(rows))]}

    def __del__(self) -> None:
        """Close the judge; Ray Data deletes this object when the run is over."""
        if self._judge is not None:
            self._runner.run(self._judge.aclose())
        self._runner.close()

    async def _judge_all(self, rows: Sequence[Row]) -> list[JudgedRow]:
        if self._judge is None:
            judge = create_judge(to_build(self._spec, concurrency=self._at_a_time))
            if judge.fingerprint != self._fingerprint:
                raise JudgeUnavailable(
                    f"A machine of the Ray cluster has judge {judge.fingerprint}, and the run has {self._fingerprint}. "
                    "Install the same FaithView and the same models on all machines."
                )
            self._judge = judge
        results = await judge_samples(
            self._judge,
            [sample for _, sample in rows],
            threshold=self._threshold,
            concurrency=self._at_a_time,
            with_companions=wants_companions(self._spec),
        )
        return [(*row, result) for row, result in zip(rows, results, strict=True)]


def _judge_on_ray(
    rows: list[Row], run: Run, cluster: Cluster, workers: int, at_a_time: int, block_rows: int
) -> Iterator[list[JudgedRow]]:
    """Start judging the rows on the cluster; return an iterator over finished blocks of rows, in any order."""
    import pyarrow as pa
    import ray
    import ray.data

    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False  # the command line has its own
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    blocks = [
        ray.put(pa.table({_COLUMN: [pickle.dumps(row) for row in rows[first : first + block_rows]]}))
        for first in range(0, len(rows), block_rows)
    ]
    with warnings.catch_warnings():
        # Ray 2.60 warns that `max_task_retries` will be removed, but does not have a replacement yet.
        warnings.filterwarnings("ignore", message="`ray_remote_args` is deprecated")
        judged = ray.data.from_arrow_refs(blocks).map_batches(
            RowJudge,
            fn_constructor_args=(run.judge, run.fingerprint, run.threshold, at_a_time),
            batch_size=None,
            batch_format="pyarrow",
            compute=ray.data.ActorPoolStrategy(size=workers),
            num_cpus=1,
            num_gpus=cluster.gpus,
            max_task_retries=_RETRIES,
        )
    return (
        [pickle.loads(row.as_py()) for row in block[_COLUMN]]  # noqa: S301 - from the processes that this one started
        for block in judged.iter_batches(batch_size=None, batch_format="pyarrow", prefetch_batches=0)
    )


async def _without_blocking(blocks: Iterator[list[JudgedRow]]) -> AsyncIterator[list[JudgedRow]]:
    """Yield the blocks without blocking the event loop; raises JudgeUnavailable in place of Ray's errors."""
    while True:
        try:
            block = await asyncio.to_thread(next, blocks, None)
        except Exception as error:
            raise _readable(error) from error
        if block is None:
            return
        yield block


def _readable(error: BaseException) -> FaithViewError:
    """Return the FaithView error that Ray wrapped, or one with the first line of Ray's error."""
    inner: BaseException | None = error
    while inner is not None:
        if isinstance(inner, FaithViewError):
            return inner
        inner = getattr(inner, "cause", None) or inner.__cause__
    return JudgeUnavailable(
        f"The Ray cluster stopped judging: {type(error).__name__}: {_first_line(error)} Resume the run to continue."
    )


def _first_line(error: BaseException) -> str:
    line = (str(error).strip().splitlines() or [type(error).__name__])[0]
    return line if line.endswith((".", "!", "?")) else f"{line}."
