"""How long two versions of a knowledge base take side by side: `python -m tests.performance.knowledge`.

Two runs over the same 2,500 questions, five chunks each; the newer version has a tenth of the chunks in other words, a
twentieth added and a twentieth removed, and the newer run retrieved the new words. Printed: the first time, in which
everything but the comparison of the runs is worked out, opening it again, and opening one document.
"""

import argparse
import random
import tempfile
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import perf_counter

from sqlalchemy import update

from faithview import Chunk
from faithview.services.comparison.compare import compare_runs
from faithview.services.container import Store
from faithview.services.knowledge.changes import compare_knowledge, list_claims, load_passages
from faithview.services.knowledge.versions import save_knowledge_base
from faithview.store.database import Database
from faithview.store.schema.runs import RunRow
from tests.factories import open_services
from tests.performance.stores import store_rows
from tests.performance.synthetic import Row, make_rows

_AGAIN_S = 1.0


def main() -> None:
    """Build the store, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rows", type=int, default=2_500)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        services = open_services(Path(folder) / "store.db")
        _fill(services, arguments.rows)
        compare_runs(services, "before", "after")
        seconds = []
        for _ in range(2):
            begin = perf_counter()
            found = compare_knowledge(services, "before", "after")
            seconds.append(perf_counter() - begin)
        first = max(found.changed, key=lambda one: len(one.claims.claims))
        begin = perf_counter()
        load_passages(services, first.document)
        list_claims(services, first.claims.claims[:200])
        opened = perf_counter() - begin
        services.close()
    documents = found.documents
    print(f"{documents.before:,} and {documents.after:,} documents, {len(documents.changed):,} changed")
    print(f"{found.pairs:,} scored pairs; {found.broken:,} of {found.all_broken:,} broken claims rest on a change")
    print(f"first time          {seconds[0]:6.2f} s")
    print(f"opened again        {seconds[1]:6.2f} s   asked: under {_AGAIN_S:g} s")
    print(f"one document opened {opened:6.2f} s")


def _fill(services: Store, rows: int) -> None:
    source = random.Random(3)
    before = make_rows(rows, seed=1)
    old = {chunk.text: chunk for row in before for chunk in row.sample.chunks}
    words = {text: f"{text} Revised." for text in old if source.random() < 0.1}
    new = {words.get(text, text) for text in old if source.random() < 0.95}
    added = [f"Notice {at}: the {at}th rule of the house is new." for at in range(len(old) // 20)]
    names = {text: f"doc-{at}" for at, text in enumerate(old)}
    earlier = {words[text]: text for text in words}
    save_knowledge_base(services, "v1", [Chunk(text=text, chunk_id=names[text]) for text in old])
    chunks = [Chunk(text=text, chunk_id=names[earlier.get(text, text)]) for text in sorted(new)]
    save_knowledge_base(
        services, "v2", [*chunks, *(Chunk(text=text, chunk_id=f"new-{at}") for at, text in enumerate(added))]
    )
    at = datetime(2026, 3, 2, 9, tzinfo=UTC)
    store_rows(services.db, before, run_id="before", name="Before", at=at)
    after = [_reworded(row, words) for row in before]
    store_rows(services.db, after, run_id="after", name="After", at=at + timedelta(days=7))
    _name_versions(services.db)


def _reworded(row: Row, words: dict[str, str]) -> Row:
    chunks = tuple(replace(chunk, text=words.get(chunk.text, chunk.text)) for chunk in row.sample.chunks)
    return Row(sample=replace(row.sample, chunks=chunks), result=row.result)


def _name_versions(db: Database) -> None:
    with db.write() as connection:
        for run_id, version in (("before", "v1"), ("after", "v2")):
            connection.execute(update(RunRow).where(RunRow.id == run_id).values(kb_version=version))


if __name__ == "__main__":
    main()
