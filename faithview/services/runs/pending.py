"""The pending rows of a run, read in pages, with what the verdict cache knows of them."""

import asyncio
from collections.abc import AsyncIterator

from faithview.domain.result import Result
from faithview.domain.run import Run
from faithview.domain.sample import Sample
from faithview.services.runs.verdict_cache import find_cached, uses_cache
from faithview.store.database import Database
from faithview.store.runs import samples

# How many rows are read at a time.
PAGE = 200


async def pending_rows(db: Database, run: Run) -> AsyncIterator[tuple[int, Sample, Result | None]]:
    """Yield position and sample of every pending row, in order, with its result if the verdict cache has one."""
    has_cache = uses_cache(run)
    after = 0
    while page := await asyncio.to_thread(samples.list_pending, db, run.run_id, after=after, limit=PAGE):
        cached: list[Result | None] = [None] * len(page)
        if has_cache:
            cached = await asyncio.to_thread(find_cached, db, run.fingerprint, [sample for _, sample in page])
        for (position, sample), known in zip(page, cached, strict=True):
            yield position, sample, known
        after = page[-1][0]
