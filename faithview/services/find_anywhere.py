"""What a person looks for by a few words, anywhere in a store: runs, answers, claims and chunks."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from faithview.domain.answer import AnswerFilter
from faithview.domain.inbox import make_filter
from faithview.domain.run import Run
from faithview.domain.sample import find_unstorable
from faithview.services.container import Store
from faithview.services.results import list_runs
from faithview.services.review.inbox import list_groups
from faithview.store.answers import list_answers
from faithview.wording import numbers as fmt

# A list that one reads at a glance; a search of its own on each page lists the rest.
MOST_OF_A_KIND = 5
LONGEST = 200
# Names are looked for among the newest runs.
_SEARCHED_RUNS = 1000


class HitKind(StrEnum):
    """What was found."""

    RUN = "run"
    CHUNK = "chunk"
    ANSWER = "answer"
    CLAIM = "claim"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One thing that was found.

    `key` is the answer's key, or the chunk's id; `claim_number` counts from 1. `text` is what the words are in, and
    `note` where it is, both as plain text.
    """

    kind: HitKind
    run_id: str
    text: str
    note: str
    key: str | None = None
    claim_number: int | None = None


def find_anywhere(store: Store, words: str, *, within: Run | None) -> list[Hit]:
    """Return what has the words, a few of each kind: runs, chunks, answers, claims.

    Runs are found by their names, and claims in all runs where the page Claims lists them: supported ones are found by
    their answers. Answers and chunks are those of one run: answers by their
    question, text or key, a chunk by its whole id if claims cite it.

    Args:
        store: the store.
        words: what to look for; letters in either case.
        within: the run whose answers and chunks are searched; None for no run.
    """
    words = " ".join(words[:LONGEST].split())
    if not words or find_unstorable(words) is not None:
        return []
    runs = [run for run in list_runs(store, limit=_SEARCHED_RUNS) if words.casefold() in run.name.casefold()]
    found = [
        Hit(kind=HitKind.RUN, run_id=run.run_id, text=run.name, note=run.judge.name) for run in runs[:MOST_OF_A_KIND]
    ]
    if within is not None:
        found += _find_chunk(store, within, words)
        found += _find_answers(store, within, words)
    return [*found, *_find_claims(store, words)]


def _find_chunk(store: Store, run: Run, words: str) -> Iterator[Hit]:
    if " " in words:
        return
    citing = list_answers(store.db, run.run_id, AnswerFilter(chunk=words), limit=1).total
    if citing:
        yield Hit(
            kind=HitKind.CHUNK,
            run_id=run.run_id,
            text=words,
            note=f"cited in {fmt.plural(citing, 'answer')} of {run.name}",
            key=words,
        )


def _find_answers(store: Store, run: Run, words: str) -> Iterator[Hit]:
    for row in list_answers(store.db, run.run_id, AnswerFilter(search=words), limit=MOST_OF_A_KIND).rows:
        yield Hit(kind=HitKind.ANSWER, run_id=run.run_id, text=row.question or row.answer, note=run.name, key=row.key)


def _find_claims(store: Store, words: str) -> Iterator[Hit]:
    for group in list_groups(store, make_filter(words, {}), limit=MOST_OF_A_KIND).groups:
        yield Hit(
            kind=HitKind.CLAIM,
            run_id=group.run_id,
            text=group.text,
            note=group.run_name,
            key=group.key,
            claim_number=group.claim_number,
        )
