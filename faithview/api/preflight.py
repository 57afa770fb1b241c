"""`preflight`: the claims of a run that an update of the knowledge base would break, before it is published."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from faithview.api.check import describe_judge
from faithview.api.evaluate import progress_bar
from faithview.api.results import ComparedRuns, compared_runs
from faithview.api.store import opened_store
from faithview.domain.arguments import check_arguments, described
from faithview.domain.errors import InvalidInput
from faithview.domain.sample import Chunk, read_chunk
from faithview.services.container import Store
from faithview.services.knowledge.preflight import begin_preflight, plan_preflight, version_of
from faithview.services.knowledge.versions import read_base
from faithview.services.results import get_progress, get_run
from faithview.services.runs.budget import Limits
from faithview.services.runs.create import judge_here

__all__ = ["preflight"]


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
    concurrency: int = 8,
    max_calls: int | None = None,
    max_cost: float | None = None,
    progress: bool | None = None,
) -> ComparedRuns | None:
    """Check a new version of the knowledge base on the answers of a run, before it is published.

    The answers stay as they are, and each retrieved chunk is replaced with its text in the new version. Answers whose
    chunks change are judged again, as a run of its own; unchanged ones cost nothing. A preflight that was stopped
    continues if it is called again with the same run, documents and judge.

    Args:
        store: the store of the run: an open store (see `open_store`) or its URL.
        run: the run's id or unique name.
        documents: the new version: the name of a stored one, the path of a file or of a folder of Markdown, HTML and
            text files, or its chunks, each a text, a `Chunk` or a mapping with `text` and maybe `id` and `metadata`.
        kb_version: the stored version that the run used, if the run does not name it.
        new_version: what the new version is called; by default the name of its file or folder.
        judge: a judge's name; None takes the run's own. Another judge judges the answers with both versions.
        method: how an LLM judge works, if `judge` names one.
        strictness: what counts as support, if `judge` is named.
        options: other options of the judge by name, if `judge` is named.
        concurrency: how many answers are judged at a time.
        max_calls: after this many calls to a model no more answers are started; None means no limit.
        max_cost: the same in US dollars.
        progress: whether to show a progress bar; None shows one in a notebook and in a terminal.

    Returns:
        The affected answers compared with themselves on the new version's chunks: which claims break or are fixed, by
        segment and by cause. None if no answer's chunks change: then nothing can break.

    Raises:
        NotFound: there is no such run, or its version of the knowledge base is not stored.
        InvalidInput: an argument is of another type, the documents cannot be read, the run names no version or has no
            judged claims, or none of its chunks is in the stored version.
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
        ...     [(change.baseline, change.candidate) for change in found.changes]
        [(1.0, 0.0)]
    """
    check_arguments(run=run, concurrency=concurrency, optional={"kb_version": kb_version, "new_version": new_version})
    if not isinstance(store, str | Store):
        raise InvalidInput(f"`store` must be a store that `open_store` returned, or its URL, not {described(store)}.")
    spec = (
        None
        if judge is None
        else describe_judge(judge, method, strictness=strictness, prompt=None, companions=False, options=options)
    )
    limits = Limits(max_calls=max_calls, max_cost=max_cost)
    with opened_store(store) as opened:
        chunks, name = _read(opened, run, documents, kb_version=kb_version)
        plan = plan_preflight(opened, run, chunks, judge=spec, kb_version=kb_version, new_version=new_version or name)
        pair = begin_preflight(opened, plan)
        if pair is None:
            return None
        before, after = pair
        left = sum(one.total - one.done for one in (get_progress(opened, run.run_id) for run in pair))
        if left:
            with progress_bar(f"Judging {after.name}", left, progress=progress) as bar:
                judge_here(opened, after, concurrency=concurrency, limits=limits, on_judged=lambda *_: bar.update())
        return compared_runs(opened, before.run_id, after.run_id)


def _read(store: Store, run: str, documents: object, *, kb_version: str | None) -> tuple[list[Chunk], str]:
    """Return the chunks of the new version, and what it is called."""
    if isinstance(documents, str | Path):
        version = version_of(store, get_run(store, run), kb_version=kb_version)
        base = read_base(store, str(documents), against=version)
        return list(base.chunks), base.name
    if isinstance(documents, Mapping | bytes) or not isinstance(documents, Iterable):
        raise InvalidInput(
            "`documents` must be the path of a file or a folder, or the chunks of the new version, not "
            f"{described(documents)}."
        )
    chunks = [read_chunk(item, number) for number, item in enumerate(documents, start=1)]
    named = [replace(chunk, chunk_id=chunk.chunk_id or str(at)) for at, chunk in enumerate(chunks, start=1)]
    return named, "the new version"
