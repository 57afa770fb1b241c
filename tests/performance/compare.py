"""How long comparing two runs takes: `python -m tests.performance.compare`.

Two runs over the same 10,000 questions with about 100,000 claims each; a third of the answers lost or changed a
sentence, a fifth had a chunk replaced, and verdicts flip at random. Printed: the first comparison, in which everything
is worked out, and opening it again.
"""

import argparse
import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import perf_counter

from faithview.domain.claim import Verdict
from faithview.services.comparison.compare import compare_runs, get_pair
from faithview.services.container import Store
from faithview.store.database import Database, open_database
from tests.performance.stores import store_rows
from tests.performance.synthetic import Row, make_rows

_FIRST_S, _AGAIN_S = 5.0, 1.0


def main() -> None:
    """Build the store where it is missing, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--folder", type=Path, default=Path("build/performance"))
    arguments = parser.parse_args()
    services = Store(_store(arguments.folder, arguments.rows))
    _forget(services.db)
    seconds = []
    for _ in range(2):
        services = Store(services.db)  # with nothing in memory, as after a start
        begin = perf_counter()
        found = compare_runs(services, "before", "after")
        seconds.append(perf_counter() - begin)
    begin = perf_counter()
    change = found.changes[0]
    get_pair(services, found, baseline_row=change.baseline_row, candidate_row=change.candidate_row)
    opened = perf_counter() - begin
    difference = found.difference
    total = abs(sum(share.total for share in found.causes) - (difference.mean or 0.0))
    print(f"{difference.pairs:,} scored pairs, {len(found.changes):,} changed, difference {difference.mean:+.4f}")
    print(f"causes add up to within {total:.1e}")
    print(f"first time      {seconds[0]:6.2f} s   asked: under {_FIRST_S:g} s")
    print(f"opened again    {seconds[1]:6.2f} s   asked: under {_AGAIN_S:g} s")
    print(f"one pair opened {opened:6.2f} s")


def _store(folder: Path, rows: int) -> Database:
    path = folder / f"compare-{rows}.db"
    if path.exists():
        return open_database(f"sqlite:///{path}")
    folder.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".unfinished")
    unfinished.unlink(missing_ok=True)
    db = open_database(f"sqlite:///{unfinished}")
    before = make_rows(rows, seed=1)
    source = random.Random(2)
    at = datetime(2026, 3, 2, 9, tzinfo=UTC)
    store_rows(db, before, run_id="before", name="Before", at=at)
    after = [_changed(source, row, before) for row in before]
    store_rows(db, after, run_id="after", name="After", at=at + timedelta(days=7))
    db.close()
    unfinished.rename(path)
    return open_database(f"sqlite:///{path}")


def _changed(source: random.Random, row: Row, others: list[Row]) -> Row:
    if not row.result.claims:
        return row
    sample, claims = row.sample, list(row.result.claims)
    cited = {chunk_id for claim in claims for chunk_id in claim.supporting_chunk_ids}
    if source.random() < 0.2:
        free = [at for at, chunk in enumerate(sample.chunks) if chunk.chunk_id not in cited]
        donors = source.choice(others).sample.chunks
        if free and donors:
            chunks = list(sample.chunks)
            chunks[free[0]] = replace(donors[0], chunk_id=chunks[free[0]].chunk_id + "-new", rank=chunks[free[0]].rank)
            sample = replace(sample, chunks=tuple(chunks))
    if source.random() < 0.33:
        at = source.randrange(len(claims))
        words = claims[at].text.replace(" in ", " at ", 1)
        sample = replace(sample, answer=sample.answer.replace(claims[at].text, words))
        claims[at] = replace(claims[at], text=words)
    claims = [
        replace(claim, verdict=Verdict.NOT_MENTIONED)
        if claim.verdict is Verdict.SUPPORTED and source.random() < 0.05
        else claim
        for claim in claims
    ]
    return Row(sample=sample, result=replace(row.result, claims=tuple(claims)))


def _forget(db: Database) -> None:
    from sqlalchemy import delete

    from faithview.store.schema.comparison import ComparisonRow

    with db.write() as connection:
        connection.execute(delete(ComparisonRow))


if __name__ == "__main__":
    main()
