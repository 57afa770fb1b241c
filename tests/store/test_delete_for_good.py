"""A deleted run leaves none of its texts in the store's files."""

from datetime import UTC, datetime
from pathlib import Path

from faithview.domain.run import Run
from faithview.domain.sample import Chunk, Sample
from faithview.services import schema
from faithview.services.results import delete_run, get_contents
from faithview.services.review import labels
from faithview.services.review.labels import LabelProvenance
from faithview.settings import Settings
from faithview.store import runs as stored_runs
from tests.factories import LEXICAL, add_judged_run, add_run, open_services

_WORD = "zyzzyva"


def _samples(word: str) -> list[Sample]:
    return [
        Sample(
            key=f"{word} {number}",
            question=f"When does {word} open?",
            answer=f"The {word} number {number} opens at 9.",
            chunks=(Chunk(chunk_id=f"{word}-{number}", text=f"The {word} number {number} opens at 8."),),
            segment=word,
        )
        for number in range(50)
    ]


def test_a_deleted_run_leaves_no_word_in_the_files_while_the_store_is_open(store_file: Path) -> None:
    with open_services(store_file) as services:
        runs: dict[str, Run] = {}
        for word in (_WORD, "aardvark"):
            runs[word] = add_judged_run(services, _samples(word), f"run {len(runs)}", judge=LEXICAL)
            provenance = LabelProvenance(reviewer=f"{word}@example.com", note=f"{word} is open")
            labels.label_claim(services, runs[word].run_id, 1, 1, "supported", provenance)
        delete_run(services, runs[_WORD].run_id)
        files = list(store_file.parent.glob(f"{store_file.name}*"))
        content = b"".join(file.read_bytes() for file in files)
        assert b"aardvark" in content
        # The index of words leaves out the letters that a word shares with the one before it.
        assert _WORD[1:].encode() not in content
        assert _WORD[:5].encode() not in content


def test_a_deleted_run_s_space_goes_back_to_the_disk_once_nothing_is_judged(store_file: Path) -> None:
    with open_services(store_file) as services:
        large = [Sample(answer=f"{word} " * 2_000, key=word) for word in map(str, range(200))]
        deleted = [add_run(services, large, name, judge=LEXICAL) for name in "ab"]
        judged = add_run(services, _samples("aardvark"), "judged", judge=LEXICAL)
        stored_runs.take_run(services.db, judged.run_id, worker="other:1:test", now=datetime.now(UTC))
        services.db.empty_log()
        full = store_file.stat().st_size
        delete_run(services, deleted[0].run_id)
        assert store_file.stat().st_size == full
        stored_runs.release_dead_worker(services.db, judged.run_id, worker="other:1:test")
        delete_run(services, deleted[1].run_id)
        assert store_file.stat().st_size < full / 2
        assert get_contents(services, judged.run_id).answers == 50
    assert schema.check(Settings.from_env(database_url=f"sqlite:///{store_file}")).is_current
