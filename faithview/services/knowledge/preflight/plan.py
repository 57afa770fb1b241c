"""The plan of a preflight: which answers of a run the new version changes, and how. Nothing is judged."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from faithview.domain.answer import View
from faithview.domain.errors import InvalidInput, JudgeUnavailable, NotFound
from faithview.domain.pairing import ChunkFacts
from faithview.domain.preflight import (
    ChunkState,
    DocumentCounts,
    NewPassage,
    PlannedAnswer,
    PlannedChunk,
    PreflightRecord,
)
from faithview.domain.result import State
from faithview.domain.run import JudgeSpec, Run, RunStatus
from faithview.domain.sample import Chunk
from faithview.judges.registry import create_judge
from faithview.judges.text.lexicon import FUNCTION_WORDS
from faithview.services.container import Store
from faithview.services.judge_catalogue import to_build
from faithview.services.knowledge.preflight.counterparts import Counterparts, Replacement
from faithview.services.knowledge.versions import check_version, not_stored
from faithview.services.results import get_run, list_runs
from faithview.services.runs.create import new_run_id
from faithview.services.runs.judge_answer import run_blocking
from faithview.stats.retrieval import CountedText, QuestionMatcher
from faithview.store import compared_answers, knowledge, preflights
from faithview.store.compared_answers import StoredAnswer, StoredChunk
from faithview.store.samples import load_chunk_texts

# A new passage that matches a question less than this share of the answer's best chunk is not likely to be retrieved.
_LIKELY = 0.5
# How many answers' chunks are in memory at a time.
_BLOCK = 500
_SEPARATOR = "\x1e"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A preflight that is not stored yet."""

    record: PreflightRecord
    answers: tuple[PlannedAnswer, ...]
    passages: tuple[NewPassage, ...]


def list_runs_to_check(store: Store, *, series: str | None = None) -> list[Run]:
    """Return the complete runs whose version of the knowledge base is stored, the newest first.

    `series` is the series of the runs; None for all.
    """
    stored = {base.version for base in knowledge.list_knowledge_bases(store.db)}
    return [
        run
        for run in list_runs(store, series=series)
        if run.status is RunStatus.COMPLETE and run.repeat_of is None and run.kb_version in stored
    ]


def find_run_to_check(store: Store, *, series: str | None = None) -> Run:
    """Return the newest complete run whose version of the knowledge base is stored.

    Raises:
        NotFound: there is none.
    """
    for run in list_runs_to_check(store, series=series):
        return run
    raise NotFound(
        "No complete run used a stored knowledge base. Store the version that your answers were made with "
        "(`faithview kb add VERSION FILE`), and judge them with `faithview evaluate FILE --kb-version VERSION`."
    )


def version_of(store: Store, run: Run, *, kb_version: str | None = None) -> str:
    """Return the version of the knowledge base that a run used, which is stored.

    Args:
        store: the store.
        run: the run.
        kb_version: the version, if the run does not name it.

    Raises:
        InvalidInput: the run names none, or another one.
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


def make_plan(
    store: Store,
    run: str,
    documents: Sequence[Chunk],
    *,
    judge: JudgeSpec | None = None,
    kb_version: str | None = None,
    new_version: str | None = None,
    source: str | None = None,
) -> Plan:
    """Compare the new version with the one that a run used, and return what changes in which answer.

    Args:
        store: the store.
        run: the run's id or unique name.
        documents: the chunks of the new version.
        judge: the judge that judges again; None for the run's own.
        kb_version: the version that the run used, if it does not name it.
        new_version: the name that the new version will have; None if it is not known yet.
        source: the name of the new version's file or folder.

    Raises:
        NotFound: there is no such run, or its version is not stored.
        InvalidInput: the run names no version, has no judged claims, or retrieved nothing that its version has; the
            new version is empty, or its name is not valid.
        JudgeUnavailable: the judge cannot be built.
    """
    found = get_run(store, run)
    if new_version is not None:
        check_version(new_version)
    if not documents:
        raise InvalidInput("The new version of the knowledge base has no chunks.")
    version = version_of(store, found, kb_version=kb_version)
    spec = judge or found.judge
    fingerprint = _fingerprint(found, spec)
    before = knowledge.list_version(store.db, version)
    counterparts = Counterparts(store, before, documents)
    answers = [answer for answer in compared_answers.load_answers(store.db, found.run_id, View.JUDGE) if _has(answer)]
    if not answers:
        raise InvalidInput(f"Run {found.name!r} has no judged claims, so an update cannot break any.")
    planner = _Planner(store, found, counterparts)
    planned = [answer for block in _blocks(answers) for answer in planner.plan(block)]
    if planner.placed == 0:
        raise InvalidInput(
            f"None of the chunks that run {found.name!r} retrieved is in knowledge base {version!r}, by id or by text. "
            "Store the version that these answers were made with: `faithview kb add VERSION FILE`."
        )
    changes = counterparts.changes
    kinds = [document.kind.value for document in counterparts.documents]
    record = PreflightRecord(
        preflight_id=new_run_id(),
        run_id=found.run_id,
        kb_version=version,
        new_version=new_version,
        source=source,
        content_hash=_hash_content(store, found, counterparts, before),
        judge=spec,
        fingerprint=fingerprint,
        is_run_judge=fingerprint == found.fingerprint and spec.method == found.judge.method,
        created_at=datetime.now(UTC),
        counts=DocumentCounts(
            added=kinds.count("added"),
            edited=kinds.count("edited"),
            removed=kinds.count("removed"),
            unchanged=changes.unchanged,
            is_complete=changes.is_complete,
        ),
        documents=counterparts.documents,
        answers=sum(answer.is_judged for answer in planned),
        unplaced=planner.foreign,
    )
    used, passages = _used_passages(planned, counterparts)
    return Plan(record=record, answers=tuple(_renumbered(one, used) for one in planned), passages=passages)


def _has(answer: StoredAnswer) -> bool:
    return answer.state is State.JUDGED


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


def _hash_content(store: Store, run: Run, counterparts: Counterparts, before: Sequence[ChunkFacts]) -> str:
    parts = [run.run_id, preflights.mark_of_claims(store.db, run.run_id)]
    for side in (before, counterparts.after):
        parts.append(_sha256(f"{passage.chunk_id}\t{passage.chunk_hash}" for passage in side))
    return _sha256(parts)


def _sha256(parts: Iterable[str]) -> str:
    return hashlib.sha256(_SEPARATOR.join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def _blocks(answers: Sequence[StoredAnswer]) -> Iterator[Sequence[StoredAnswer]]:
    for first in range(0, len(answers), _BLOCK):
        yield answers[first : first + _BLOCK]


class _Planner:
    """Plans the answers of a run; `placed` and `foreign` count the retrieved texts that the version has and lacks."""

    def __init__(self, store: Store, run: Run, counterparts: Counterparts) -> None:
        self._store = store
        self._run = run
        self._counterparts = counterparts
        self._replaced: dict[str, Replacement | None] = {}
        self._new = list(counterparts.new_passages)
        texts = [
            f"{passage.title or ''} {counterparts.chunks[at].text}" for at, passage in enumerate(counterparts.after)
        ]
        self._matcher = (
            QuestionMatcher(texts, [texts[at] for at in self._new], ignored=FUNCTION_WORDS) if self._new else None
        )
        self._counted: dict[str, CountedText] = {}
        self.placed = 0
        self.foreign = 0

    def plan(self, answers: Sequence[StoredAnswer]) -> Iterator[PlannedAnswer]:
        """Yield the answers in which anything changes."""
        contexts = compared_answers.load_contexts(self._store.db, [answer.sample_id for answer in answers])
        self._look_up([chunk for chunks in contexts.values() for chunk in chunks])
        for answer in answers:
            chunks = contexts.get(answer.sample_id, [])
            changed = tuple(
                PlannedChunk(position=position, state=one.state, document=one.document, new=one.new)
                for position, chunk in enumerate(chunks)
                if (one := self._replaced[chunk.chunk_hash]) is not None
            )
            ahead, entering = self._match(answer, chunks)
            if changed or entering:
                yield PlannedAnswer(row=answer.row, chunks=changed, ahead=ahead, entering=entering)

    def _look_up(self, chunks: Iterable[StoredChunk]) -> None:
        unseen = {chunk.chunk_hash: chunk for chunk in chunks if chunk.chunk_hash not in self._replaced}
        if not unseen:
            return
        is_needed = {digest: chunk for digest, chunk in unseen.items() if not self._counterparts.is_known(chunk)}
        wanted = unseen if self._matcher is not None else is_needed
        texts = load_chunk_texts(self._store.db, [chunk.text_id for chunk in wanted.values()])
        self._replaced |= self._counterparts.find_all(
            unseen.values(), {digest: texts[chunk.text_id] for digest, chunk in is_needed.items()}
        )
        for digest, chunk in unseen.items():
            one = self._replaced[digest]
            is_foreign = one is not None and one.state is ChunkState.FOREIGN
            self.foreign += is_foreign
            self.placed += not is_foreign
            if self._matcher is not None:
                text = self._text_of(chunk, one, texts[chunk.text_id])
                self._counted[digest] = self._matcher.count(text)

    def _text_of(self, chunk: StoredChunk, one: Replacement | None, text: str) -> str:
        """Return a chunk with its title as the new version has it."""
        if one is not None and one.new:
            text = " ".join(self._counterparts.chunks[at].text for at in one.new)
        return f"{self._counterparts.title_of(chunk)} {text}"

    def _match(
        self, answer: StoredAnswer, chunks: Sequence[StoredChunk]
    ) -> tuple[tuple[int, ...], tuple[tuple[int, int], ...]]:
        """Return the new passages before all chunks of an answer, and those that would be among its chunks."""
        if self._matcher is None or not answer.question or not chunks:
            return (), ()
        question = self._matcher.count(answer.question)
        taken = {at for chunk in chunks if (one := self._replaced[chunk.chunk_hash]) is not None for at in one.new}
        scores = sorted(
            (self._matcher.score(question, self._counted[chunk.chunk_hash]) for chunk in chunks), reverse=True
        )
        likely = _LIKELY * scores[0]
        rivals = sorted(
            (
                (score, -self._new[number])
                for number, score in self._matcher.score_passages(question).items()
                if score > max(likely, scores[-1]) and self._new[number] not in taken
            ),
            reverse=True,
        )[: len(chunks)]
        entering: list[tuple[int, int]] = []
        for score, negative in rivals:
            rank = 1 + len(entering) + sum(other >= score for other in scores)
            if rank <= len(chunks):
                entering.append((-negative, rank))
        ahead = tuple(-negative for score, negative in rivals if score > scores[0])
        return ahead, tuple(entering)


def _used_passages(
    planned: Sequence[PlannedAnswer], counterparts: Counterparts
) -> tuple[Mapping[int, int], tuple[NewPassage, ...]]:
    """Return the passages that answers get, numbered; the mapping has their numbers by their place in the file."""
    used = sorted(
        {
            at
            for answer in planned
            for at in (
                *(at for chunk in answer.chunks for at in chunk.new),
                *answer.ahead,
                *(at for at, _ in answer.entering),
            )
        }
    )
    documents = {
        -change.after.text_id - 1: number
        for number, document in enumerate(counterparts.changes.changed)
        for change in document.passages
        if change.after is not None
    }
    passages = tuple(
        NewPassage(
            number=number,
            chunk_id=counterparts.after[at].chunk_id,
            text=counterparts.chunks[at].text,
            document=documents.get(at),
        )
        for number, at in enumerate(used)
    )
    return {at: number for number, at in enumerate(used)}, passages


def _renumbered(answer: PlannedAnswer, used: Mapping[int, int]) -> PlannedAnswer:
    return replace(
        answer,
        chunks=tuple(replace(chunk, new=tuple(used[at] for at in chunk.new)) for chunk in answer.chunks),
        ahead=tuple(used[at] for at in answer.ahead),
        entering=tuple((used[at], rank) for at, rank in answer.entering),
    )
