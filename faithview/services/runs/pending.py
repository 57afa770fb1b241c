"""The pending rows of a run, read in pages, with what the verdict cache knows of them."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime

from faithview.domain.errors import UnreadableFile
from faithview.domain.result import Result
from faithview.domain.run import Run
from faithview.domain.sample import Sample
from faithview.services.runs.intake.liveness import is_gone
from faithview.services.runs.verdict_cache import find_cached, uses_cache
from faithview.store.database import Database
from faithview.store.runs import samples
from faithview.store.runs.intake.marks import Intake, find_intake

# How many rows are read at a time.
PAGE = 200
# How long to wait for rows of a file that another process or thread is still reading.
_WAIT_S = 0.3


async def pending_rows(db: Database, run: Run) -> AsyncIterator[tuple[int, Sample, Result | None]]:
    """Yield position and sample of every pending row, in order, with its result if the verdict cache has one.

    While the run's file is still being read, it waits for more rows.

    Raises:
        UnreadableFile: at the end, if whoever read the file has stopped before its end.
    """
    has_cache = uses_cache(run)
    after = 0
    is_whole = False
    while True:
        # Before the page: the last rows may be stored between the two.
        intake = None if is_whole else await asyncio.to_thread(find_intake, db, run.run_id)
        is_whole = intake is None
        page = await asyncio.to_thread(samples.list_pending, db, run.run_id, after=after, limit=PAGE)
        if not page:
            if intake is None:
                return
            check_read_on(intake)
            await asyncio.sleep(_WAIT_S)
            continue
        cached: list[Result | None] = [None] * len(page)
        if has_cache:
            cached = await asyncio.to_thread(find_cached, db, run.fingerprint, [sample for _, sample in page])
        for (position, sample), known in zip(page, cached, strict=True):
            yield position, sample, known
        after = page[-1][0]


def is_read_on(intake: Intake) -> bool:
    """Return whether somebody is still reading the file of the run with this mark."""
    return intake.is_read_on(datetime.now(UTC)) and not is_gone(intake.reader)


def check_read_on(intake: Intake) -> None:
    """Raise UnreadableFile if nobody reads the file of the run with this mark any more."""
    if not is_read_on(intake):
        raise UnreadableFile(intake.words)
