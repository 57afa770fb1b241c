"""`preflight`: the claims of a run that an update of the knowledge base would break, before it is published."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from faithview.api import frames
from faithview.api.check import describe_judge
from faithview.api.evaluate import is_watched, progress_bar
from faithview.api.store import as_view, opened_store
from faithview.domain.arguments import check_arguments, described
from faithview.domain.errors import InvalidInput
from faithview.domain.preflight import ASSUMPTION, PreflightResult
from faithview.domain.sample import Chunk
from faithview.services.container import Store
from faithview.services.knowledge.preflight import preflights
from faithview.services.knowledge.preflight.plan import make_plan, version_of
from faithview.services.knowledge.versions import read_base
from faithview.services.results import get_run
from faithview.services.runs.budget import Limits
from faithview.wording import preflight as words
from faithview.wording.plain_text import printable

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = ["Preflight", "preflight"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Preflight(PreflightResult):
    """A preflight: the claims that an update would break, fix or overtake, and those that are uncertain.

    `claims` has them, the worst first; `counts` counts all that were judged again. `documents` and `segments` start
    with those on which most would break, and `questions` with those to ask again first. `projection` is the run's
    faithfulness as it would become. `stopped` says why the budget ended it early; None if everything was judged.
    `store` is the store that it is kept in.
    """

    stopped: str | None = None
    store: Store = field(repr=False, compare=False)

    def __str__(self) -> str:
        """Return the findings in a few lines."""
        found = " ".join(filter(None, (words.finding_words(self.counts), words.further_words(self.counts))))
        lines = [
            f"{words.versions_words(self.record)}, checked on {self.run_name}: {words.changes_words(self.record)}",
            found,
            f"faithfulness {words.projection_words(self.projection)}. {ASSUMPTION}",
        ]
        return "\n".join(map(printable, lines))

    def to_dict(self) -> dict[str, Any]:
        """Return the document that `faithview kb preflight --json` prints; `json.dumps` takes it."""
        from faithview.documents.preflight import PreflightDocument

        return PreflightDocument.of(self).to_dict()

    def to_pandas(self) -> "DataFrame":
        """Return a pandas frame with one row per claim of `claims` (`frames.FORECAST_COLUMNS`)."""
        return frames.make_frame(frames.forecast_rows(self), frames.FORECAST_COLUMNS)

    def write_report(self, path: str | Path, *, with_texts: bool = True) -> None:
        """Write the report: HTML that works offline, or Markdown if the name ends with .md. The store must be open.

        Args:
            path: the file; an existing one is replaced.
            with_texts: whether to show questions, claims and passages, and not only figures and row keys.

        Raises:
            InvalidInput: the file cannot be written.
        """
        from faithview.services.reports.preflight_report import write_preflight

        check_arguments(path=path)
        write_preflight(self.store, self.record.preflight_id, Path(path), with_texts=with_texts)


def preflight(
    store: Store | str,
    run: str,
    documents: str | Path | Iterable[str | Chunk | Mapping[str, Any]],
    *,
    kb_version: str | None = None,
    new_version: str | None = None,
    judge: str | None = None,
    method: str = "claims",
    strictness: str | None = None,
    options: Mapping[str, str] | None = None,
    view: str = "judge",
    concurrency: int = 8,
    max_calls: int | None = None,
    max_cost: float | None = None,
    progress: bool | None = None,
) -> Preflight:
    """Check a new version of the knowledge base on the answers of a run, before it is published.

    The answers stay as they are, and each retrieved chunk is replaced with its text in the new version. Claims of
    answers whose chunks change are judged again; unchanged ones cost nothing. A preflight that was stopped continues if
    it is called again with the same run, documents and judge.

    Args:
        store: the store of the run: an open store (see `open_store`) or its URL.
        run: the run's id or unique name.
        documents: the new version: the name of a stored one, the path of a file or of a folder of Markdown, HTML and
            text files, or its chunks, each a text, a `Chunk` or a mapping with `text` and maybe `id` and `metadata`.
        kb_version: the stored version that the run used, if the run does not name it.
        new_version: the name that the new version will have. A later comparison of the runs around the update finds
            the preflight by it, and also by the texts.
        judge: a judge's name; None takes the run's own. Another judge judges the texts of both versions.
        method: how an LLM judge works, if `judge` names one.
        strictness: what counts as support, if `judge` is named.
        options: other options of the judge by name, if `judge` is named.
        view: whose verdicts count as those before the update: "judge" or "reviewed".
        concurrency: how many answers are judged at a time.
        max_calls: the most calls to a model; None is no limit.
        max_cost: the most US dollars, likewise.
        progress: whether to show a progress bar; None shows one in a notebook and in a terminal.

    Returns:
        The claims that would break, be overtaken or be fixed, and those that are uncertain, by document and by
        segment, with the run's faithfulness as it would become.

    Raises:
        NotFound: there is no such run, or its version of the knowledge base is not stored.
        InvalidInput: an argument is of another type, the documents cannot be read, the run names no version or has no
            judged claims or no texts any more, or none of its chunks is in the stored version.
        JudgeUnavailable: no such judge, or what it needs is missing.

    Example:
        >>> from faithview import Chunk, evaluate, open_store, preflight
        >>> from faithview.services.knowledge.versions import save_knowledge_base
        >>> old = [Chunk(chunk_id="returns", text="Items can be returned within 30 days.")]
        >>> new = [Chunk(chunk_id="returns", text="Items can be returned within 14 days.")]
        >>> with open_store("sqlite:///answers.db") as store:
        ...     base = save_knowledge_base(store, "october", old)
        ...     rows = [{"answer": "Items can be returned within 30 days.", "contexts": [old[0].text]}]
        ...     run = evaluate(rows, name="monday", store=store, kb_version="october")
        ...     found = preflight(store, run.run_id, new)
        ...     [(claim.text, claim.outcome.value) for claim in found.claims]
        [('Items can be returned within 30 days.', 'broken')]
    """
    check_arguments(run=run, concurrency=concurrency, optional={"kb_version": kb_version, "new_version": new_version})
    if not isinstance(store, str | Store):
        raise InvalidInput(f"`store` must be a store that `open_store` returned, or its URL, not {described(store)}.")
    chosen = as_view(view)
    spec = (
        None
        if judge is None
        else describe_judge(judge, method, strictness=strictness, prompt=None, companions=False, options=options)
    )
    limits = Limits(max_calls=max_calls, max_cost=max_cost)
    with opened_store(store) as opened:
        chunks, source = _read(opened, run, documents, kb_version=kb_version)
        plan = make_plan(opened, run, chunks, judge=spec, kb_version=kb_version, new_version=new_version, source=source)
        record = preflights.save_plan(opened, plan)
        left = preflights.get_progress(opened, record.preflight_id)
        waiting = left.total - left.done
        is_shown = waiting > 0 and (is_watched() if progress is None else progress)
        with progress_bar("Judging again", waiting, is_shown=is_shown) as step:
            stopped = preflights.judge_preflight(
                opened, record.preflight_id, concurrency=concurrency, limits=limits, on_judged=lambda _: step()
            )
        result = preflights.get_preflight(opened, record.preflight_id, view=chosen)
        figures = {item.name: getattr(result, item.name) for item in fields(PreflightResult)}
        return Preflight(**figures, stopped=stopped, store=opened)


def _read(store: Store, run: str, documents: object, *, kb_version: str | None) -> tuple[list[Chunk], str | None]:
    """Return the chunks of the new version, and the name of their file or folder."""
    if isinstance(documents, str | Path):
        version = version_of(store, get_run(store, run), kb_version=kb_version)
        base = read_base(store, str(documents), against=version)
        return list(base.chunks), base.name
    if isinstance(documents, Mapping | bytes) or not isinstance(documents, Iterable):
        raise InvalidInput(
            "`documents` must be the path of a file or a folder, or the chunks of the new version, not "
            f"{described(documents)}."
        )
    return preflights.to_chunks(documents), None
