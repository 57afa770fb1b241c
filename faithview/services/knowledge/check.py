"""A knowledge base checked before it is published: contradictions inside it, and new words for known things."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from faithview.domain.content_hashes import chunk_hash
from faithview.domain.contradiction import AskedQuestion, Contradiction, FindingKind, NewTerm
from faithview.domain.errors import InvalidInput, NotFound
from faithview.domain.run import Run
from faithview.domain.sample import Chunk
from faithview.services.container import Store
from faithview.services.knowledge.contradictions import OnProgress, find_contradictions
from faithview.services.knowledge.terms import find_terms
from faithview.services.knowledge.versions import CheckedBase, find_newest, not_stored
from faithview.services.results import get_run, list_runs
from faithview.store import knowledge, knowledge_decisions

# How many questions are kept for a contradiction, and how many questions of people are read for terms.
_MOST_QUESTIONS = 5
_MOST_ASKED = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeCheck:
    """Contradictions in a knowledge base, and new words for known things.

    `against` is the older version that it was compared with, None if there is none: then terms are not looked for, and
    every contradiction is new. `run` is the run whose questions are given, None if there is none. Findings that people
    dismissed are in `dismissed_contradictions` and `dismissed_terms`, not in the lists.
    """

    name: str
    chunks: int
    against: str | None
    run: Run | None
    contradictions: tuple[Contradiction, ...]
    terms: tuple[NewTerm, ...]
    dismissed_contradictions: tuple[Contradiction, ...] = ()
    dismissed_terms: tuple[NewTerm, ...] = ()

    def with_dismissed(self) -> "KnowledgeCheck":
        """Return the same with the dismissed findings among the others, at their end."""
        return replace(
            self,
            contradictions=(*self.contradictions, *self.dismissed_contradictions),
            terms=(*self.terms, *self.dismissed_terms),
        )


def check_knowledge(
    store: Store,
    base: CheckedBase,
    *,
    against: str | None = None,
    run: str | None = None,
    on_progress: OnProgress | None = None,
) -> KnowledgeCheck:
    """Return the contradictions inside a knowledge base, and new words for known things.

    Args:
        store: the store.
        base: what `read_base` returns.
        against: the older version; by default the one stored before it, or the newest if it is not stored itself.
        run: the run, by id or unique name, whose questions are given; by default the newest one over this version, then
            over the older one.
        on_progress: called now and then.

    Raises:
        NotFound: there is no such version or run.
        InvalidInput: the knowledge base is compared with itself.
    """
    if against == base.name and base.is_stored:
        raise InvalidInput(f"{against!r} cannot be compared with itself; give an older version with --against.")
    older = _find_older(store, base) if against is None else against
    old = knowledge.load_version(store.db, older) if older is not None else []
    if older is not None and not old:
        raise NotFound(not_stored(older))
    asking = _find_run(store, (base.name, older)) if run is None else get_run(store, run)
    found = find_contradictions(base.chunks, on_progress=on_progress)
    if on_progress is not None:
        on_progress("Comparing words", 0, len(base.chunks))
    questions = knowledge.list_asked_questions(store.db, limit=_MOST_ASKED) if old else []
    terms = find_terms(old, base.chunks, questions)
    contradictions = _with_questions(store, _with_age(found, old), asking)
    return _decided(store, base, older, asking, contradictions, terms)


def _find_older(store: Store, base: CheckedBase) -> str | None:
    """Return the version stored before this one; the newest for one that is not stored; None if there is none."""
    if not base.is_stored:
        return find_newest(store)
    versions = [stored.version for stored in knowledge.list_knowledge_bases(store.db)]
    before = versions[: versions.index(base.name)]
    return before[-1] if before else None


def _find_run(store: Store, versions: Iterable[str | None]) -> Run | None:
    """Return the newest run over the first version that has one."""
    runs = list_runs(store)
    return next((run for version in versions if version is not None for run in runs if run.kb_version == version), None)


def _with_age(found: Sequence[Contradiction], old: Sequence[Chunk]) -> list[Contradiction]:
    known = {chunk_hash(chunk.text) for chunk in old}
    return [replace(one, is_new=not {chunk_hash(one.one.text), chunk_hash(one.other.text)} <= known) for one in found]


def _with_questions(store: Store, found: Sequence[Contradiction], run: Run | None) -> list[Contradiction]:
    if run is None or not found:
        return list(found)
    hashes = {chunk_hash(side.text) for one in found for side in (one.one, one.other)}
    asked = knowledge.find_questions_with(store.db, run.run_id, hashes)
    given = []
    for one in found:
        rows: dict[int, AskedQuestion] = {
            question.row: question for side in (one.one, one.other) for question in asked.get(chunk_hash(side.text), ())
        }
        first = tuple(rows[row] for row in sorted(rows)[:_MOST_QUESTIONS])
        given.append(replace(one, questions=first, asked=len(rows)))
    return given


def _decided(
    store: Store,
    base: CheckedBase,
    older: str | None,
    run: Run | None,
    contradictions: Sequence[Contradiction],
    terms: Sequence[NewTerm],
) -> KnowledgeCheck:
    found = KnowledgeCheck(
        name=base.name,
        chunks=len(base.chunks),
        against=older,
        run=run,
        contradictions=tuple(contradictions),
        terms=tuple(terms),
    )
    return renew_decisions(store, found)


def renew_decisions(store: Store, found: KnowledgeCheck) -> KnowledgeCheck:
    """Return the same findings with people's decisions as they are now, in the order in which they were given."""
    about = knowledge_decisions.load_decisions(store.db, FindingKind.CONTRADICTION)
    of_terms = knowledge_decisions.load_decisions(store.db, FindingKind.TERM)
    every = found.with_dismissed()
    shown = [replace(one, decision=about.get(one.key)) for one in every.contradictions]
    words = [replace(term, decision=of_terms.get(term.key)) for term in every.terms]
    return replace(
        found,
        contradictions=tuple(one for one in shown if not one.is_dismissed),
        terms=tuple(term for term in words if not term.is_dismissed),
        dismissed_contradictions=tuple(one for one in shown if one.is_dismissed),
        dismissed_terms=tuple(term for term in words if term.is_dismissed),
    )
