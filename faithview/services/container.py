"""The composition root: settings in, services out; and the questions that screens and commands ask the store."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

from faithview.domain.claim import Verdict
from faithview.domain.errors import NotFound
from faithview.domain.result import State
from faithview.domain.run import Run, RunStatus, RunSummary
from faithview.domain.views import AnswerDetail, AnswerFilter, AnswerPage, ClaimPage, Order, Progress, View
from faithview.services.revision_cache import Kept
from faithview.settings import Settings
from faithview.store.database import Database, open_database
from faithview.store.runs import answers, results, revisions, runs, summaries

_EXPORT_PAGE = 200
# One of ten thousand answers takes tens of megabytes, so few are held.
_COMPARISONS = 6


class Services:
    """FaithView over one store. Safe to share between threads; close it when done."""

    def __init__(self, db: Database) -> None:
        self.db = db
        self.kept = Kept()
        self.kept_comparisons = Kept(most=_COMPARISONS)

    def __enter__(self) -> "Services":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the store's connections."""
        self.db.close()

    @property
    def database_url(self) -> str:
        """The store's URL, its password hidden."""
        return self.db.url

    def list_runs(self, *, limit: int | None = None, offset: int = 0) -> list[Run]:
        """Return the runs, newest answers first."""
        return runs.list_runs(self.db, now=_now(), limit=limit, offset=offset)

    def list_summaries(self, *, view: View = View.JUDGE, limit: int | None = None, offset: int = 0) -> list[RunSummary]:
        """Return the runs with their figures, newest answers first."""
        return self.summarise(self.list_runs(limit=limit, offset=offset), view=view)

    def summarise(self, found: Sequence[Run], *, view: View = View.JUDGE) -> list[RunSummary]:
        """Return the figures of runs that were asked for before, in their order.

        The judge's are kept in the store; those that rest on labels are kept here until the run or its labels change.
        """
        if view is View.JUDGE:
            return summaries.summarise_runs(self.db, list(found), view=view)
        states = revisions.list_revisions(self.db, [run.run_id for run in found])

        def summarise_one(run: Run) -> RunSummary:
            return summaries.summarise_run(self.db, run, view=view)

        return [
            # The run's own state is told by the clock too, so it is never the one that was kept.
            replace(self.kept.get("summary", run.run_id, states.get(run.run_id), partial(summarise_one, run)), run=run)
            for run in found
        ]

    def count_runs(self) -> int:
        """Return how many runs there are."""
        return runs.count_runs(self.db)

    def get_run(self, reference: str) -> Run:
        """Return the run with that id or unique name; raises NotFound."""
        return runs.get_run(self.db, reference, now=_now())

    def get_summary(self, reference: str, *, view: View = View.JUDGE) -> RunSummary:
        """Return a run's figures, by its id or unique name; raises NotFound."""
        return self.summarise([self.get_run(reference)], view=view)[0]

    def delete_run(self, reference: str) -> Run:
        """Delete a run and return what it was; raises NotFound."""
        run = self.get_run(reference)
        runs.delete_run(self.db, run.run_id)
        return run

    def cancel_run(self, reference: str) -> None:
        """Ask the run's worker to stop; judged rows stay and the run can be resumed. Raises NotFound."""
        runs.request_cancel(self.db, self.get_run(reference).run_id, now=_now())

    def get_progress(self, run_id: str) -> Progress:
        """Return how far a run has come; raises NotFound."""
        run = self.get_run(run_id)
        states = runs.count_states(self.db, run.run_id)
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
            usage=summaries.sum_usage(self.db, run.run_id),
        )

    def list_answers(
        self,
        run_id: str,
        filters: AnswerFilter,
        *,
        view: View = View.JUDGE,
        order: Order = Order.WORST,
        offset: int = 0,
        limit: int = 50,
        around: str | None = None,
    ) -> AnswerPage:
        """Return one page of a run's answers: the one with the answer `around` if the list has it."""
        return answers.list_answers(
            self.db, run_id, filters, view=view, order=order, offset=offset, limit=limit, around=around
        )

    def find_offset(
        self,
        run_id: str,
        filters: AnswerFilter,
        *,
        key: str,
        view: View = View.JUDGE,
        order: Order = Order.WORST,
    ) -> int | None:
        """Return how many answers stand before that one in the filtered list; None if it is not in it."""
        return answers.find_offset(self.db, run_id, filters, key=key, view=view, order=order)

    def get_answer_at(self, run_id: str, position: int) -> AnswerDetail:
        """Return one answer with its claims, by its position from 1; raises NotFound."""
        found = results.list_details(self.db, run_id, after=position - 1, limit=1)
        if not found or found[0].position != position:
            raise NotFound(f"Run {run_id} has no row {position}.")
        return found[0]

    def get_answer(self, run_id: str, key: str) -> AnswerDetail:
        """Return one answer with its claims, by key or position; raises NotFound."""
        return results.get_answer(self.db, run_id, key)

    def iterate_answers(self, run_id: str) -> Iterator[AnswerDetail]:
        """Yield every answer of a run whole, in the order of the file."""
        after = 0
        while page := results.list_details(self.db, run_id, after=after, limit=_EXPORT_PAGE):
            yield from page
            after = page[-1].position

    def list_segments(self, run_id: str) -> list[str]:
        """Return the names of a run's segments, sorted."""
        return answers.list_segments(self.db, run_id)

    def count_hallucination_types(self, run_id: str) -> Mapping[str, int]:
        """Return how many claims of a run are of each hallucination type that occurs."""
        return answers.count_hallucination_types(self.db, run_id)

    def search_claims(
        self, text: str, *, verdict: Verdict | None = None, offset: int = 0, limit: int = 50
    ) -> ClaimPage:
        """Return claims of all runs that hold the text, newest run first."""
        return answers.search_claims(self.db, text, verdict=verdict, offset=offset, limit=limit)


def build(settings: Settings) -> Services:
    """Open the store that the settings name, migrating it if it is older.

    Raises:
        StoreError: it cannot be used; StoreTooNew if it was written by a newer FaithView.
    """
    return Services(open_database(settings.database_url))


def _now() -> datetime:
    return datetime.now(UTC)
