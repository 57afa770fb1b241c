"""Stored runs and answers: list, open, rename, archive and delete them, and list their errors."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from faithview.domain.answer import AnswerDetail, Progress, View
from faithview.domain.errors import InvalidInput, NotFound
from faithview.domain.result import REPAIRED, State, Weakness, read_weakness
from faithview.domain.run import Run, RunContents, RunStatus, RunSummary
from faithview.domain.sample import find_unstorable
from faithview.services.container import Store
from faithview.store import results, retention, revisions, runs, series, summaries


def list_runs(
    store: Store,
    *,
    series: str | None = None,
    archived: bool | None = False,
    limit: int | None = None,
    offset: int = 0,
) -> list[Run]:
    """Return the runs of all series or of one, newest answers first; `archived` as for `store.runs.count_runs`."""
    return runs.list_runs(store.db, now=_now(), series=series, archived=archived, limit=limit, offset=offset)


def get_run(store: Store, reference: str) -> Run:
    """Return the run with that id or unique name; raises NotFound."""
    return runs.get_run(store.db, reference, now=_now())


def list_summaries(
    store: Store,
    *,
    series: str | None = None,
    archived: bool | None = False,
    view: View = View.JUDGE,
    limit: int | None = None,
    offset: int = 0,
) -> list[RunSummary]:
    """Return the runs of all series or of one with their figures, newest answers first; `archived` as above."""
    listed = list_runs(store, series=series, archived=archived, limit=limit, offset=offset)
    return summarise_runs(store, listed, view=view)


def get_summary(store: Store, reference: str, *, view: View = View.JUDGE) -> RunSummary:
    """Return a run's figures, by its id or unique name; raises NotFound."""
    return summarise_runs(store, [get_run(store, reference)], view=view)[0]


def summarise_runs(store: Store, listed: Sequence[Run], *, view: View = View.JUDGE) -> list[RunSummary]:
    """Return the figures of runs, in the order given.

    They are cached until something changes; the judge's figures are also stored with a run that has ended.
    """
    runs_by_id = {run.run_id: run for run in listed}
    states = revisions.list_revisions(store.db, list(runs_by_id))
    found = store.cache.get_all(
        f"summary, {view}",
        {run_id: states.get(run_id) for run_id in runs_by_id},
        lambda run_ids: summaries.summarise_runs(store.db, [runs_by_id[run_id] for run_id in run_ids], view=view),
    )
    # The run's state also depends on the clock, so it is never taken from the cache.
    return [replace(found[run.run_id], run=run) for run in listed]


def delete_run(store: Store, reference: str) -> Run:
    """Delete a run, shrink the store if much of it is then free, and return the run; raises NotFound."""
    run = get_run(store, reference)
    retention.delete_run(store.db, run.run_id)
    retention.give_space_back(store.db, now=_now())
    return run


def cancel_run(store: Store, reference: str) -> None:
    """Ask the run's worker to stop; judged rows stay and the run can be resumed. Raises NotFound."""
    runs.request_cancel(store.db, get_run(store, reference).run_id, now=_now())


def get_progress(store: Store, run_id: str) -> Progress:
    """Return how far a run has come; raises NotFound."""
    run = get_run(store, run_id)
    states = runs.count_states(store.db, run.run_id)
    total = sum(states.values())
    done = total - states.get(State.PENDING, 0)
    rate = done / run.seconds if run.seconds > 0 and done else None
    return Progress(
        status=run.status,
        done=done,
        failed=states.get(State.FAILED, 0),
        total=total,
        rate=rate,
        seconds_left=(total - done) / rate if rate and run.status is RunStatus.RUNNING else None,
        error=run.error,
        usage=summaries.sum_usage(store.db, run.run_id),
    )


def _now() -> datetime:
    return datetime.now(UTC)


_PAGE = 200


def get_answer_at(store: Store, run_id: str, position: int) -> AnswerDetail:
    """Return one answer with its claims, by its position from 1; raises NotFound."""
    details = results.list_details(store.db, run_id, after=position - 1, limit=1)
    if not details or details[0].position != position:
        raise NotFound(f"Run {run_id} has no row {position}.")
    return details[0]


def iterate_answers(store: Store, run_id: str) -> Iterator[AnswerDetail]:
    """Yield every complete answer of a run, in the order of the file."""
    after = 0
    while page := results.list_details(store.db, run_id, after=after, limit=_PAGE):
        yield from page
        after = page[-1].position


# Errors that differ only in these count as one: ids of requests, numbers of attempts and tokens.
_VARIES = re.compile(r"\breq[_-]\w+|\b(?=\w*\d)[0-9a-f]{8,}(?:-[0-9a-f]+)*\b|\d+")
_TIMES = re.compile(r" \(\d+ times\)(?=\.?\Z)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """A problem, and in how many answers it occurred."""

    text: str
    answers: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTroubles:
    """The problems of a run, the most frequent first.

    `errors` are those of failed answers. `repaired` counts the judged answers with repairs, and `repairs` lists the
    repairs. `gaps` lists the missing parts of judged answers. `weak` has, by weakness, how many claims a reader cannot
    check and in how many answers; no claims for uncovered answers.
    """

    errors: tuple[Trouble, ...] = ()
    repaired: int = 0
    repairs: tuple[Trouble, ...] = ()
    gaps: tuple[Trouble, ...] = ()
    weak: Mapping[Weakness, tuple[int, int]] = field(default_factory=dict)

    @property
    def unquoted(self) -> int:
        """How many claims need a quote and lack one that is in a chunk."""
        return self.weak.get(Weakness.UNQUOTED, (0, 0))[0]

    @property
    def unplaced(self) -> int:
        """How many claims were not found in the answer."""
        return self.weak.get(Weakness.UNPLACED, (0, 0))[0]

    @property
    def uncovered(self) -> int:
        """In how many answers less than half of the text is in the words of a claim."""
        return self.weak.get(Weakness.UNCOVERED, (0, 0))[1]

    @property
    def failed(self) -> int:
        """How many answers failed."""
        return sum(trouble.answers for trouble in self.errors)


def list_troubles(store: Store, run_id: str) -> RunTroubles:
    """Return the problems of a run."""
    repairs, gaps = Counter[str](), Counter[str]()
    weak_claims, weak_answers = Counter[Weakness](), Counter[Weakness]()
    repaired = 0
    for warnings, answers in summaries.count_warnings(store.db, run_id):
        kinds = {_TIMES.sub("", w).removeprefix(REPAIRED).rstrip(".") for w in warnings if w.startswith(REPAIRED)}
        repairs.update(dict.fromkeys(kinds, answers))
        repaired += answers if kinds else 0
        weak = dict(found for w in warnings if (found := read_weakness(w)) is not None)
        weak_claims.update({weakness: claims * answers for weakness, claims in weak.items()})
        weak_answers.update(dict.fromkeys(weak, answers))
        others = (w for w in warnings if not w.startswith(REPAIRED) and read_weakness(w) is None)
        gaps.update(dict.fromkeys(others, answers))
    return RunTroubles(
        errors=_merge_alike_troubles(summaries.count_errors(store.db, run_id)),
        repaired=repaired,
        repairs=_by_count(repairs.items()),
        gaps=_merge_alike_troubles(gaps),
        weak={w: (weak_claims[w], weak_answers[w]) for w in Weakness if weak_answers[w]},
    )


def retry_failed(store: Store, run_id: str) -> int:
    """Make a run's failed answers pending again, to be judged again, and return their number.

    Raises:
        RunConflict: the run is being judged.
    """
    return runs.reset_failed(store.db, run_id, now=datetime.now(UTC))


def _merge_alike_troubles(counts: Mapping[str, int]) -> tuple[Trouble, ...]:
    """Merge texts that differ only in numbers and ids, each in its most frequent form."""
    totals, forms = Counter[str](), dict[str, str]()
    for text, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        kind = _VARIES.sub("#", text)
        totals[kind] += count
        forms.setdefault(kind, text)
    return _by_count((forms[kind], count) for kind, count in totals.items())


def _by_count(counts: Iterable[tuple[str, int]]) -> tuple[Trouble, ...]:
    ordered = sorted(counts, key=lambda item: (-item[1], item[0]))
    return tuple(Trouble(text=text, answers=answers) for text, answers in ordered)


MAX_NAME = 200
MAX_NOTE = 2000


def clean_name(name: str, *, whose: str) -> str:
    """Return the name of a run or a series on one line; `whose` is "run" or "series".

    Raises:
        InvalidInput: it is empty or too long, or contains a character that cannot be stored.
    """
    line = " ".join(name.split())
    if not line or len(line) > MAX_NAME:
        raise InvalidInput(f"The name of a {whose} needs 1 to {MAX_NAME} characters, not {len(line)}.")
    if find_unstorable(line) is not None:
        raise InvalidInput(f"The name {line!r} contains a character that cannot be stored; remove it.")
    return line


def rename_run(store: Store, reference: str, name: str) -> Run:
    """Rename a run, given by its id or unique name, and return it.

    Raises:
        NotFound: there is no such run.
        InvalidInput: the name cannot be used.
        RunConflict: another run has that name.
    """
    wanted = clean_name(name, whose="run")
    run = get_run(store, reference)
    runs.rename_run(store.db, run.run_id, wanted)
    return get_run(store, run.run_id)


def note_on_run(store: Store, reference: str, note: str) -> Run:
    """Set the note on a run and return the run; an empty text removes the note.

    Raises:
        NotFound: there is no such run.
        InvalidInput: the note is too long or contains a character that cannot be stored.
    """
    text = note.strip()
    if len(text) > MAX_NOTE:
        raise InvalidInput(f"A note has at most {MAX_NOTE:,} characters, not {len(text):,}.")
    if find_unstorable(text) is not None:
        raise InvalidInput("The note contains a character that cannot be stored; remove it.")
    run = get_run(store, reference)
    runs.set_note(store.db, run.run_id, text or None)
    return get_run(store, run.run_id)


def archive_run(store: Store, reference: str) -> Run:
    """Archive a run with its repeats, and return it; an archived run is unchanged. Raises NotFound."""
    run = get_run(store, reference)
    if run.archived_at is None:
        series.set_archived(store.db, run.run_id, datetime.now(UTC))
    return get_run(store, run.run_id)


def restore_run(store: Store, reference: str) -> Run:
    """Restore an archived run with its repeats, and return it; a run in use is unchanged. Raises NotFound."""
    run = get_run(store, reference)
    series.set_archived(store.db, run.run_id, None)
    return get_run(store, run.run_id)


def get_contents(store: Store, reference: str) -> RunContents:
    """Return what would be deleted with a run; raises NotFound."""
    return retention.load_contents(store.db, get_run(store, reference).run_id)
