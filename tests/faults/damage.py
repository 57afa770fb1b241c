"""Ways to damage a SQLite store: in its file, its schema, its values, its texts and what refers to what."""

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

# Statements, each of which leaves a store that no FaithView wrote; every one of them is found by `faithview db check`.
STATEMENTS: dict[str, str] = {
    "a table is missing": "DROP TABLE evidence",
    "the table of labels is missing": "DROP TABLE label",
    "a column is missing": "ALTER TABLE claim DROP COLUMN correction",
    "a column has another name": "ALTER TABLE result RENAME COLUMN faithfulness TO score",
    "an index is missing": "DROP INDEX ix_claim_hallucination",
    "the index of words is missing": "DROP TABLE claim_words",
    "a trigger is missing": "DROP TRIGGER claim_words_added",
    "a verdict is no verdict": "UPDATE claim SET verdict = 'maybe' WHERE id = 1",
    "a verdict is empty": "UPDATE claim SET verdict = '' WHERE id = 1",
    "a state is no state": "UPDATE result SET state = 'lost' WHERE sample_id = 1",
    "a status is no status": "UPDATE run SET status = 'lost'",
    "a severity is no severity": "UPDATE claim SET severity = 'awful' WHERE id = 1",
    "a time is no time": "UPDATE run SET created_at = 'yesterday'",
    "a time is a number": "UPDATE run SET as_of = 1700000000",
    "a time has an impossible month": "UPDATE run SET as_of = '2026-13-01 00:00:00.000000'",
    "options are no JSON": "UPDATE run SET judge_options = '{oops'",
    "options are a number": "UPDATE run SET judge_options = 7",
    "spans are no JSON": "UPDATE claim SET spans = '[[' WHERE id = 1",
    "metadata are bytes": "UPDATE sample_chunk SET meta = x'00ff'",
    "a score is a word": "UPDATE result SET faithfulness = 'high' WHERE sample_id = 1",
    "a score is beyond 1": "UPDATE result SET faithfulness = 7.5 WHERE sample_id = 1",
    "a score is infinite": "UPDATE result SET seconds = 9e999 WHERE sample_id = 1",
    "a confidence is negative": "UPDATE claim SET confidence = -1 WHERE id = 1",
    "a flag is a word": "UPDATE run SET cancel_requested = 'perhaps'",
    "an answer's text was changed": "UPDATE sample SET answer = answer || ' not' WHERE id = 1",
    "a question was changed": "UPDATE sample SET question = 'Another?' WHERE id = 1",
    "a chunk's text was changed": "UPDATE chunk SET text = text || ' not' WHERE id = 1",
    "a claim's text was changed": "UPDATE claim_text SET text = text || ' not' WHERE id = 1",
    "a claim has another text of its own": "UPDATE claim SET text = 'So.' WHERE id = 1",
    "a claim's text is gone": "DELETE FROM claim_text WHERE id = 1",
    "a claim names a text that is not there": "UPDATE claim SET text_id = 999999 WHERE id = 1",
    "a claim names no text": "UPDATE claim SET text_id = NULL WHERE id = 1",
    "a claim names another text": "UPDATE claim SET text_id = text_id % 2 + 1 WHERE id = 1",
    "a document's name is gone": "DELETE FROM inbox_name",
    "a chunk's text is bytes": "UPDATE chunk SET text = x'c3280000' WHERE id = 1",
    "a claim's text is not UTF-8": "UPDATE claim_text SET text = CAST(x'c328' AS TEXT) WHERE id = 1",
    "an explanation is not UTF-8": "UPDATE claim SET explanation = CAST(x'c328' AS TEXT) WHERE id = 1",
    "an explanation was overwritten with zeros": "UPDATE claim SET explanation = 'It' || char(0, 0) WHERE id = 1",
    "a quotation was changed": "UPDATE evidence SET quote = quote || '!' WHERE start IS NOT NULL",
    "an answer has no result": "DELETE FROM result WHERE sample_id = 1",
    "an answer is gone": "PRAGMA foreign_keys=OFF; DELETE FROM sample WHERE id = 1",
    "a run is gone": "PRAGMA foreign_keys=OFF; DELETE FROM run",
    "a chunk is gone": "PRAGMA foreign_keys=OFF; DELETE FROM chunk WHERE id = 1",
    "a claim is gone": "DELETE FROM claim WHERE id = 1",
    "a claim is of another run": "UPDATE claim SET run_id = 'nowhere' WHERE id = 1",
    "a result is of another run": "UPDATE result SET run_id = 'nowhere' WHERE sample_id = 1",
    "a run counts more answers": "UPDATE run SET rows = rows + 1",
    "a citation names no chunk": "UPDATE citation SET chunk_position = 999",
    "a quotation names no chunk": "UPDATE evidence SET chunk_position = -1",
    "a claim is not in the inbox": "DELETE FROM inbox_claim WHERE claim_id = 1",
}


def run_statement(statement: str) -> Callable[[Path], None]:
    """Return a function that runs the statements on a store, with nobody watching over constraints."""

    def damage(store: Path) -> None:
        with closing(sqlite3.connect(store)) as connection:
            connection.executescript(statement)
            connection.commit()

    return damage


def overwrite_pages(seed: int) -> Callable[[Path], None]:
    """Return a function that overwrites a few stretches of a store's file, as a failing disk does."""

    def damage(store: Path) -> None:
        rng = random.Random(seed)
        content = bytearray(store.read_bytes())
        for _ in range(rng.choice((1, 3, 20))):
            size = rng.choice((1, 16, 512, 4096))
            # The header stays: a file that does not begin as a database is another case.
            at = rng.randrange(100, len(content))
            stretch = rng.choice((bytes(size), rng.randbytes(size), b"\xff" * size))
            content[at : at + size] = stretch[: len(content) - at]
        store.write_bytes(content)

    return damage


def cut(share: float) -> Callable[[Path], None]:
    """Return a function that cuts a store's file off."""

    def damage(store: Path) -> None:
        content = store.read_bytes()
        store.write_bytes(content[: int(len(content) * share)])

    return damage


def replace_by(content: bytes) -> Callable[[Path], None]:
    """Return a function that writes something else into a store's file."""

    def damage(store: Path) -> None:
        store.write_bytes(content)

    return damage


def all_damages(seeds: int) -> dict[str, Callable[[Path], None]]:
    """Return every way to damage a store, by what it is called; `seeds` files are overwritten at random."""
    return {
        **{name: run_statement(statement) for name, statement in STATEMENTS.items()},
        **{f"cut to {share:.0%}": cut(share) for share in (0.02, 0.3, 0.7, 0.99)},
        "text": replace_by(b"This is no database.\n" * 500),
        "zeros": replace_by(bytes(65_536)),
        "only a header": replace_by(b"SQLite format 3\x00"),
        **{f"overwritten, seed {seed}": overwrite_pages(seed) for seed in range(seeds)},
    }
