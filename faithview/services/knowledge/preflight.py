"""A preflight: the answers of a run, judged again on the chunks of a new version before it is published.

It assumes the same answers and the same retrieval: each retrieved chunk gets its text in the new version. The answers
whose chunks change become two runs. "NAME, affected answers" has their results as they are, and "NAME on VERSION"
judges the same claims on the new chunks. The comparison of the two says what would break. Both are ordinary runs, which
`Run.preflight_of` keeps out of lists and trends: the second one names the first, the first one names the run itself.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import chain

from faithview.domain import content_hashes
from faithview.domain.errors import InvalidInput, JudgeUnavailable, NotFound
from faithview.domain.result import Result, State, Usage
from faithview.domain.run import JudgeSpec, Run, RunStatus
from faithview.domain.sample import Chunk, Sample
from faithview.judges.registry import create_judge
from faithview.services.container import Store
from faithview.services.judge_catalogue import to_build
from faithview.services.knowledge.documents import DocumentChanges
from faithview.services.knowledge.replaced_chunks import ReplacedChunks, find_replaced
from faithview.services.knowledge.versions import check_version, not_stored
from faithview.services.results import get_run, iterate_answers, list_runs, retry_failed
from faithview.services.runs.budget import RunEstimate
from faithview.services.runs.create import estimate_run, new_run_id, store_results
from faithview.services.runs.intake import store_rows
from faithview.services.runs.judge_answer import run_blocking
from faithview.store import compared_answers, knowledge, results, runs
from faithview.store.compared_answers import StoredChunk

# How many answers are in memory at a time.
_BLOCK = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A preflight before anything of it is stored.

    `rows` are the judged answers whose chunks change, and `answers` counts all judged ones. `new_version` is what the
    new version is called. `is_run_judge` says whether the run's own judge judges; if another one does, it judges the
    answers with both versions.
    """

    run: Run
    kb_version: str
    new_version: str
    judge: JudgeSpec
    fingerprint: str
    is_run_judge: bool
    answers: int
    rows: tuple[int, ...]
    chunks: ReplacedChunks

    @property
    def documents(self) -> DocumentChanges:
        """The documents that differ between the two versions."""
        return self.chunks.documents


def list_runs_to_check(store: Store, *, series: str | None = None) -> list[Run]:
    """Return the complete runs of one series, or of all, whose version is stored, the newest first."""
    stored = {base.version for base in knowledge.list_knowledge_bases(store.db)}
    return [
        run
        for run in list_runs(store, series=series)
        if run.status is RunStatus.COMPLETE and run.repeat_of is None and run.kb_version in stored
    ]


def find_run_to_check(store: Store) -> Run:
    """Return the newest complete run whose version of the knowledge base is stored; raises NotFound."""
    for run in list_runs_to_check(store):
        return run
    raise NotFound(
        "No complete run used a stored knowledge base. Store the version that your answers were made with "
        "(`faithview kb add VERSION FILE`), and judge them with `faithview evaluate FILE --kb-version VERSION`."
    )


def version_of(store: Store, run: Run, *, kb_version: str | None = None) -> str:
    """Return the version that a run used, which is stored; `kb_version` names it if the run does not.

    Raises:
        InvalidInput: the run names no version, or another one.
        NotFound: the version is not stored.
    """
    if run.kb_version is not None and kb_version not in (None, run.kb_version):
        raise InvalidInput(
            f"Run {run.name!r} used knowledge base {run.kb_version!r}, not {kb_version!r}; leave --kb-version out."
        )
    version = run.kb_version or kb_version
    if version is None:
        raise InvalidInput(
            f"Run {run.name!r} does not say which version of the knowledge base it used. Name a stored one with "
            "--kb-version; `faithview kb list` lists them."
        )
    if all(base.version != version for base in knowledge.list_knowledge_bases(store.db)):
        raise NotFound(not_stored(version))
    return version


def plan_preflight(
    store: Store,
    run: str,
    new: Sequence[Chunk],
    *,
    new_version: str = "the new version",
    judge: JudgeSpec | None = None,
    kb_version: str | None = None,
) -> Plan:
    """Find the answers of a run whose chunks change in a new version. Nothing is stored or judged.

    Args:
        store: the store.
        run: the run's id or unique name.
        new: the chunks of the new version.
        new_version: what the new version is called.
        judge: the judge that judges; None for the run's own.
        kb_version: the version that the run used, if it does not name it.

    Raises:
        NotFound: there is no such run, or its version is not stored.
        InvalidInput: the run names no version, has no judged claims, or retrieved nothing that its version has; the
            new version is empty, or its name is not valid.
        JudgeUnavailable: the judge cannot be built.
    """
    found = get_run(store, run)
    check_version(new_version)
    if not new:
        raise InvalidInput("The new version of the knowledge base has no chunks.")
    version = version_of(store, found, kb_version=kb_version)
    spec = judge or found.judge
    fingerprint = _fingerprint(found, spec)
    answers = [one for one in compared_answers.load_answers(store.db, found.run_id) if one.state is State.JUDGED]
    if not answers:
        raise InvalidInput(f"Run {found.name!r} has no judged claims, so an update cannot break any.")
    contexts: dict[int, frozenset[str]] = {}
    retrieved: dict[str, StoredChunk] = {}
    for first in range(0, len(answers), _BLOCK):
        block = answers[first : first + _BLOCK]
        loaded = compared_answers.load_contexts(store.db, [answer.sample_id for answer in block])
        for answer in block:
            chunks = loaded.get(answer.sample_id, [])
            contexts[answer.row] = frozenset(chunk.chunk_hash for chunk in chunks)
            for chunk in chunks:
                retrieved.setdefault(chunk.chunk_hash, chunk)
    changed = find_replaced(store, knowledge.list_version(store.db, version), new, retrieved)
    if changed.foreign == len(retrieved):
        raise InvalidInput(
            f"None of the chunks that run {found.name!r} retrieved is in knowledge base {version!r}, by id or by text. "
            "Store the version that these answers were made with: `faithview kb add VERSION FILE`."
        )
    return Plan(
        run=found,
        kb_version=version,
        new_version=new_version if new_version != version else f"{new_version}, new",
        judge=spec,
        fingerprint=fingerprint,
        is_run_judge=fingerprint == found.fingerprint and spec.method == found.judge.method,
        answers=len(answers),
        rows=tuple(row for row, hashes in contexts.items() if not hashes.isdisjoint(changed.changed)),
        chunks=changed,
    )


def estimate_preflight(store: Store, plan: Plan) -> RunEstimate:
    """Estimate the calls, tokens and cost of judging a plan, or what is left of it; nothing is sent.

    Raises:
        JudgeUnavailable: an option of the judge cannot be used.
    """
    stored = find_preflight(store, plan)
    samples: Iterator[Sample]
    if stored is not None:
        found = chain.from_iterable(iterate_answers(store, run.run_id) for run in stored)
        samples = (answer.sample for answer in found if answer.result.state in (State.PENDING, State.FAILED))
    elif plan.is_run_judge:
        samples = (after for *_, after in _affected(store, plan))
    else:
        samples = chain.from_iterable((before, after) for before, _, after in _affected(store, plan))
    return estimate_run(samples, plan.judge, use_cache=False, given_claims=True)


def begin_preflight(store: Store, plan: Plan) -> tuple[Run, Run] | None:
    """Store the two runs of a preflight and return them; `judge_here` judges the second one.

    The runs of an equal preflight are returned as they are, with the answers that the judge failed on pending again.
    None if no answer's chunks change: then nothing can break.
    """
    if not plan.rows:
        return None
    stored = find_preflight(store, plan)
    if stored is not None:
        for run in stored:
            if run.status is not RunStatus.RUNNING:
                retry_failed(store, run.run_id)
        return get_run(store, stored[0].run_id), get_run(store, stored[1].run_id)
    before = _create_run(
        store,
        replace(plan.run, name=f"{plan.run.name}, affected answers", kb_version=plan.kb_version),
        (before for before, *_ in _affected(store, plan)),
        plan,
        of=plan.run,
    )
    if plan.is_run_judge:
        store_results(store, before, ((sample, result) for sample, result, _ in _affected(store, plan)))
    after = _create_run(
        store,
        replace(plan.run, name=f"{plan.run.name} on {plan.new_version}", kb_version=plan.new_version),
        (after for *_, after in _affected(store, plan)),
        plan,
        of=before,
    )
    return get_run(store, before.run_id), after


def find_preflight(store: Store, plan: Plan) -> tuple[Run, Run] | None:
    """Return the two runs of a stored preflight with the same run, judge and texts; None if there is none."""
    listed = [pair for pair in list_preflights(store) if pair[0].preflight_of == plan.run.run_id]
    if not listed:
        return None
    rows_hash = content_hashes.rows_hash(
        content_hashes.row_hash(after.sample_hash, after.reference) for *_, after in _affected(store, plan)
    )
    of_plan = (rows_hash, plan.fingerprint)
    return next((pair for pair in listed if (pair[1].rows_hash, pair[1].fingerprint) == of_plan), None)


def list_preflights(store: Store, *, series: str | None = None) -> list[tuple[Run, Run]]:
    """Return the two runs of each preflight, of one series or of all, the newest first."""
    found = runs.list_runs(store.db, now=datetime.now(UTC), series=series, preflights=True)
    known = {run.run_id: run for run in found}
    pairs = [(known[after.preflight_of], after) for after in found if after.preflight_of in known]
    return sorted(pairs, key=lambda pair: pair[1].created_at, reverse=True)


def _affected(store: Store, plan: Plan) -> Iterator[tuple[Sample, Result, Sample]]:
    """Yield each affected answer with its result, and as it would be with the new version.

    A chunk keeps its id, and says of which document it is in either version.
    """
    for first in range(0, len(plan.rows), _BLOCK):
        details = results.load_details(store.db, plan.run.run_id, plan.rows[first : first + _BLOCK])
        for row in sorted(details):
            sample, result = details[row].sample, details[row].result
            before, after = list[Chunk](), list[Chunk]()
            for chunk in sample.chunks:
                if chunk.chunk_hash not in plan.chunks.found:
                    before.append(chunk)
                    after.append(chunk)
                    continue
                passage, now = plan.chunks.found[chunk.chunk_hash]
                names = {"document": passage.document, "title": passage.title}
                named = {key: name for key, name in names.items() if name}
                before.append(replace(chunk, metadata={**chunk.metadata, **named}))
                if now is not None:
                    text = now.text if chunk.chunk_hash in plan.chunks.changed else chunk.text
                    after.append(replace(chunk, text=text, metadata=now.metadata or chunk.metadata))
            given = replace(result, usage=Usage(), seconds=0.0)
            yield replace(sample, chunks=tuple(before)), given, replace(sample, chunks=tuple(after))


def _create_run(store: Store, like: Run, samples: Iterator[Sample], plan: Plan, *, of: Run) -> Run:
    run = replace(
        like,
        run_id=new_run_id(),
        judge=plan.judge,
        fingerprint=plan.fingerprint,
        status=RunStatus.PENDING,
        created_at=datetime.now(UTC),
        preflight_of=of.run_id,
        # A cached verdict may be on other claims of the answer.
        use_cache=False,
        rows_left_out=0,
    )
    return store_rows(store.db, run, samples)


def _fingerprint(run: Run, spec: JudgeSpec) -> str:
    if run.is_imported and spec == run.judge:
        raise JudgeUnavailable(
            f"The verdicts of run {run.name!r} were imported, so its judge {spec.name} cannot judge again. Name a "
            "judge that can, for example --judge embedded; it then judges the answers with both versions."
        )

    async def read() -> str:
        judge = create_judge(to_build(spec))
        try:
            return judge.fingerprint
        finally:
            await judge.aclose()

    return run_blocking(read())
