"""`open_store`: a store, and the runs and comparisons in it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from faithview.api.results import ComparedRuns, Evaluation, RunList, compared_runs, evaluation_of
from faithview.domain.arguments import check_arguments, described, refuse_other_type
from faithview.domain.errors import InvalidInput
from faithview.services import audit, container
from faithview.services.exports import export_run
from faithview.services.projects import settings_of
from faithview.services.results import get_summary, list_summaries
from faithview.store.database import open_database

_IN_MEMORY = "sqlite://"


class Store(container.Store):
    """An open store; close it when done, or use it as a context manager. Safe to share between threads."""

    def runs(self, *, series: str | None = None, archived: bool = False, limit: int | None = None) -> RunList:
        """Return the runs with their figures, the newest answers first.

        Args:
            series: the runs of this series only.
            archived: the archived runs in place of those in use.
            limit: the most runs to return; None returns all.

        Returns:
            The runs, a sequence with `to_pandas()` and `to_dict()`.

        Raises:
            InvalidInput: an argument is of another type.
        """
        check_arguments(optional={"series": series, "limit": limit})
        return RunList(list_summaries(self, series=series, archived=archived, limit=limit), self)

    def run(self, name: str) -> Evaluation:
        """Return a run with all its answers, as `evaluate` returned it.

        Args:
            name: the run's id or its unique name.

        Returns:
            The run's figures and the results of its answers.

        Raises:
            NotFound: there is no such run, or several have that name.
        """
        check_arguments(run=name)
        return evaluation_of(self, get_summary(self, name))

    def compare(self, baseline: str, candidate: str) -> ComparedRuns:
        """Compare two runs, by the judge's verdicts, on the answers that both have: is the difference real, and why.

        Args:
            baseline: the earlier run's id or unique name.
            candidate: the later run's.

        Returns:
            The difference with its interval, the changed answers, segments and causes. `corrected` compares the
            corrected scores of the whole runs, None unless both have a spot-check with enough labels.

        Raises:
            NotFound: there is no such run.
            InvalidInput: no answer is in both.
        """
        for name, run in (("baseline", baseline), ("candidate", candidate)):
            refuse_other_type("run", run, shown=name)
        return compared_runs(self, baseline, candidate)

    def export(self, run: str, path: str | Path, *, format: str = "jsonl") -> int:
        """Write a run's answers with their claims and labels to a file.

        Args:
            run: its id or unique name.
            path: the file; an existing one is replaced once the new one is complete.
            format: "jsonl", "csv", "parquet", "ragas", "deepeval" or "langsmith".

        Returns:
            The number of answers in the file.

        Raises:
            NotFound: there is no such run, or several have that name.
            InvalidInput: the format is unknown, or the file cannot be written.
        """
        check_arguments(run=run, path=path, format=format)
        return export_run(self, run, destination=Path(path), file_format=format)


def open_store(url: str | None = None, *, project: str | None = None) -> Store:
    """Open a store by its SQLAlchemy URL or by a project's name.

    A store that does not exist is created, and one of an older version migrated.

    Args:
        url: the store's URL; None is FAITHVIEW_DB, else a file in the user's data folder.
        project: a project that the secrets file describes, instead of a URL; None is FAITHVIEW_PROJECT.

    Returns:
        The store. Close it, or use it as a context manager.

    Raises:
        InvalidInput: a URL and a project are given, one of them is empty or not a text, or the description of the
            projects cannot be used.
        NotFound: there is no such project.
        StoreError: it cannot be used.

    Example:
        >>> from faithview import evaluate, open_store
        >>> rows = [{"answer": "Refunds take 14 days.", "contexts": ["Refunds take 14 days."]}]
        >>> with open_store("sqlite:///answers.db") as store:
        ...     run = evaluate(rows, name="friday", store=store)
        ...     [summary.run.name for summary in store.runs()]
        ['friday']
    """
    check_arguments(optional={"url": url, "project": project})
    return Store(open_database(settings_of(url, project).database_url, who=audit.python_user))


@contextmanager
def opened_store(store: container.Store | str | None) -> Iterator[container.Store]:
    """Give the store that is meant; one that is named by its URL, or none, is closed at the end.

    Raises:
        InvalidInput: it is neither an open store, nor a store's URL, nor None.
    """
    if isinstance(store, container.Store):
        yield store
        return
    if store is not None and not isinstance(store, str):
        raise InvalidInput(
            "`store` must be a store that `open_store` returned, or a store's URL, for example sqlite:///faithview.db, "
            f"not {described(store)}."
        )
    with open_store(_IN_MEMORY if store is None else store) as opened:
        yield opened
