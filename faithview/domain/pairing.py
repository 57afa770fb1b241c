"""Pairs the answers, claims and chunks of two runs.

Answers are paired by reviewers' decisions, then by ids, then by questions. Callers pass in the functions that compare
texts (they are in `stats.text_matching`), because those need more than the standard library.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from faithview.domain import content_hashes
from faithview.domain.comparison import ChunkChange, ChunkPair, ClaimChange, ClaimPair, PairRule, Suggestion

# Claims less similar than this say different things. Two statements about one subject ("Starter costs €9", "Team costs
# €19") reach 0.6, a changed figure in an otherwise equal claim 0.9.
CLAIM_FLOOR = 0.65
# With at least this share of common words, a chunk is an edited form of another; different paragraphs share 0.2.
CHUNK_FLOOR = 0.6


@dataclass(frozen=True, slots=True, kw_only=True)
class TextPair:
    """Two texts that belong together, as indexes from 0, and their similarity in [0, 1]."""

    before: int
    after: int
    similarity: float


class PairClaimTexts(Protocol):
    """Pairs the texts of claims one to one, none less similar than the floor and none of the refused pairs."""

    def __call__(
        self, before: Sequence[str], after: Sequence[str], *, floor: float, refused: Collection[tuple[int, int]] = ()
    ) -> list[TextPair]:
        """Return the pairs whose similarities have the largest sum."""
        ...


class PairChunkTexts(Protocol):
    """Pairs the texts of chunks one to one: the certain pairs, and others that are at least as similar as the floor."""

    def __call__(
        self, before: Sequence[str], after: Sequence[str], *, floor: float, certain: Collection[tuple[int, int]] = ()
    ) -> list[TextPair]:
        """Return the pairs whose similarities have the largest sum."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkFacts:
    """The facts by which chunks are matched. `chunk_id` is its own id, or its number if it has none."""

    chunk_id: str
    chunk_hash: str
    rank: int

    @property
    def has_own_id(self) -> bool:
        """Whether the id came with the chunk."""
        return is_own_id(self.chunk_id)


def is_own_id(chunk_id: str) -> bool:
    """Return whether an id came with its chunk; chunks without one are numbered, and numbers identify nothing."""
    return not chunk_id.split("#")[0].isdecimal()


_Chunk = TypeVar("_Chunk", bound=ChunkFacts)


def match_claims(
    baseline: Sequence[str],
    candidate: Sequence[str],
    *,
    text_of: Callable[[], tuple[Sequence[str], Sequence[str]]],
    pair_texts: PairClaimTexts,
    choices: Mapping[tuple[int, int], bool] | None = None,
    floor: float = CLAIM_FLOOR,
) -> tuple[ClaimPair, ...]:
    """Match claims one to one: equal ones first, then the pairs with the largest sum of similarities.

    Args:
        baseline: the claims' hashes (`content_hashes.claim_hash`).
        candidate: the same of the later answer.
        text_of: returns the texts of both sides; called only if some claim has no equal.
        pair_texts: pairs the texts of claims that have no equal.
        choices: pairs of indexes that a person matched (True) or separated (False), the oldest decision first.
        floor: claims less similar than this are not matched, in [0, 1].

    Returns:
        The pairs in the baseline's order, with dropped claims among them and new ones at the end.
    """
    choices = choices or {}
    pairs: list[ClaimPair] = []
    taken: set[int | None] = set()
    given: set[int | None] = set()
    for (b, c), matched in reversed(list(choices.items())):
        # The newest decision comes first, because two reviewers may have matched one claim with two others.
        if matched and b < len(baseline) and c < len(candidate) and b not in taken and c not in given:
            change = _change(baseline[b] == candidate[c])
            pairs.append(ClaimPair(baseline=b, candidate=c, similarity=1.0, change=change))
            taken.add(b)
            given.add(c)
    equal: dict[str, list[int]] = defaultdict(list)
    for c, digest in enumerate(candidate):
        if c not in given:
            equal[digest].append(c)
    for b, digest in enumerate(baseline):
        others = equal.get(digest)
        if not others or b in taken:
            continue
        same = next((c for c in others if choices.get((b, c)) is not False), None) if choices else others[0]
        if same is None:
            continue
        others.remove(same)
        taken.add(b)
        given.add(same)
        pairs.append(ClaimPair(baseline=b, candidate=same, similarity=1.0, change=ClaimChange.SAME))
    left = [b for b in range(len(baseline)) if b not in taken]
    right = [c for c in range(len(candidate)) if c not in given]
    if left and right:
        texts = text_of()
        for pair in pair_texts(
            [texts[0][b] for b in left],
            [texts[1][c] for c in right],
            floor=floor,
            refused={
                (left.index(b), right.index(c))
                for (b, c), matched in choices.items()
                if not matched and b in left and c in right
            },
        ):
            b, c = left[pair.before], right[pair.after]
            pairs.append(ClaimPair(baseline=b, candidate=c, similarity=pair.similarity, change=ClaimChange.REWORDED))
            taken.add(b)
            given.add(c)
    lost = [
        ClaimPair(baseline=b, candidate=None, similarity=0.0, change=ClaimChange.LOST) for b in left if b not in taken
    ]
    new = [
        ClaimPair(baseline=None, candidate=c, similarity=0.0, change=ClaimChange.NEW) for c in right if c not in given
    ]
    return (*sorted([*pairs, *lost], key=lambda pair: pair.baseline or 0), *new)


def match_chunks(
    baseline: Sequence[_Chunk],
    candidate: Sequence[_Chunk],
    *,
    text_of: Callable[[Sequence[_Chunk]], Sequence[str]],
    pair_texts: PairChunkTexts,
) -> tuple[ChunkPair, ...]:
    """Match the chunks of two contexts: the same text, else the same id, else a similar text.

    Chunks matched by id or by a similar text are edited forms of each other. Ids that only number chunks do not count.

    Args:
        baseline: the chunks of the earlier answer.
        candidate: those of the later one.
        text_of: returns the texts of chunks; called only for those without an equal.
        pair_texts: pairs the texts of chunks that have no equal.

    Returns:
        The pairs in the baseline's order, with removed chunks among them and added ones at the end.
    """
    pairs: list[ChunkPair] = []
    free: dict[str, list[int]] = defaultdict(list)
    for c, chunk in enumerate(candidate):
        free[chunk.chunk_hash].append(c)
    left = []
    for b, chunk in enumerate(baseline):
        if free.get(chunk.chunk_hash):
            c = free[chunk.chunk_hash].pop(0)
            moved = chunk.rank != candidate[c].rank
            change = ChunkChange.MOVED if moved else ChunkChange.SAME
            pairs.append(ChunkPair(baseline=b, candidate=c, similarity=1.0, change=change))
        else:
            left.append(b)
    right = sorted(c for indexes in free.values() for c in indexes)
    pairs += _edited(baseline, candidate, left, right, text_of, pair_texts)
    taken, given = {pair.baseline for pair in pairs}, {pair.candidate for pair in pairs}
    pairs += [
        ChunkPair(baseline=b, candidate=None, similarity=0.0, change=ChunkChange.REMOVED)
        for b in left
        if b not in taken
    ]
    added = [
        ChunkPair(baseline=None, candidate=c, similarity=0.0, change=ChunkChange.ADDED) for c in right if c not in given
    ]
    return (*sorted(pairs, key=lambda pair: pair.baseline or 0), *added)


def _edited(
    baseline: Sequence[_Chunk],
    candidate: Sequence[_Chunk],
    left: Sequence[int],
    right: Sequence[int],
    text_of: Callable[[Sequence[_Chunk]], Sequence[str]],
    pair_texts: PairChunkTexts,
) -> list[ChunkPair]:
    if not left or not right:
        return []
    by_id: dict[str, list[int]] = defaultdict(list)
    for j, c in enumerate(right):
        by_id[candidate[c].chunk_id].append(j)
    named = {(i, j) for i, b in enumerate(left) if baseline[b].has_own_id for j in by_id.get(baseline[b].chunk_id, ())}
    before = text_of([baseline[b] for b in left])
    after = text_of([candidate[c] for c in right])
    return [
        ChunkPair(
            baseline=left[pair.before],
            candidate=right[pair.after],
            similarity=pair.similarity,
            change=ChunkChange.EDITED,
        )
        for pair in pair_texts(before, after, floor=CHUNK_FLOOR, certain=named)
    ]


def _change(is_equal: bool) -> ClaimChange:
    return ClaimChange.SAME if is_equal else ClaimChange.REWORDED


# Rows with equal ids but questions less similar than this are about two different questions.
_SAME_QUESTION = 0.5
# Two questions at least this similar are suggested to reviewers; below it suggestions are mostly wrong.
_LIKE_QUESTION = 0.8
# Up to this many answers to one question with different chunks are paired by file order; more would be a guess.
_PAIRED_IN_ORDER = 3
# Comparing all unpaired questions with each other takes a second with this many on each side.
_MOST_COMPARED = 3_000
# Candidates considered for each unpaired question.
_BEST = 5
_NO_CONTEXT = content_hashes.context_hash(())


class QuestionSimilarity(Protocol):
    """Compares questions; `stats.text_matching.TokenSortSimilarity` does so for every comparison."""

    def compare(self, first: str, second: str) -> float:
        """Return the similarity of two questions, in [0, 1]."""
        ...

    def find_similar(self, before: Sequence[str], after: Sequence[str], *, floor: float, best: int) -> list[TextPair]:
        """Return pairs of questions at least as similar as the floor: the `best` of each question of `before`."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An answer as pairing sees it. `row` counts from 1; `external_ids` are ids in columns other than the key."""

    row: int
    key: str
    question: str | None
    context_hash: str
    external_ids: frozenset[str] = frozenset()

    @property
    def has_own_key(self) -> bool:
        """Whether the key came with the row; rows without one are numbered."""
        return self.key != str(self.row)

    @property
    def question_hash(self) -> str | None:
        """The question's identity, None without a question."""
        return content_hashes.question_hash(self.question) if self.question and self.question.strip() else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Paired:
    """The result. `pairs` are (row, row, rule) in the baseline's order; `key_conflicts` as in `Pairing`."""

    pairs: tuple[tuple[int, int, PairRule], ...]
    only_in_baseline: tuple[int, ...]
    only_in_candidate: tuple[int, ...]
    key_conflicts: int
    suggestions: tuple[Suggestion, ...]


def pair_answers(
    baseline: Sequence[Answer],
    candidate: Sequence[Answer],
    *,
    similarity: QuestionSimilarity,
    choices: Mapping[tuple[int, int], bool] | None = None,
) -> Paired:
    """Pair the answers, each with at most one.

    Args:
        baseline: the answers of the earlier run.
        candidate: those of the later one.
        similarity: compares questions.
        choices: reviewers' decisions on pairs of rows, the oldest first: whether they belong together.
    """
    return _Matcher(baseline, candidate, similarity, choices or {}).run()


def may_share_question(answer: Answer, other: Answer, similarity: QuestionSimilarity) -> bool:
    """Return whether two answers with one id may be paired: their questions are similar, or one is missing."""
    if answer.question_hash is None or other.question_hash is None or answer.question_hash == other.question_hash:
        return True
    return similarity.compare(answer.question or "", other.question or "") >= _SAME_QUESTION


class _Matcher:
    def __init__(
        self,
        baseline: Sequence[Answer],
        candidate: Sequence[Answer],
        similarity: QuestionSimilarity,
        choices: Mapping[tuple[int, int], bool],
    ) -> None:
        self._baseline = {answer.row: answer for answer in baseline}
        self._candidate = {answer.row: answer for answer in candidate}
        self._similarity = similarity
        self._choices = choices
        self._pairs: list[tuple[int, int, PairRule]] = []
        self._conflicts = 0

    def run(self) -> Paired:
        for (before, after), belong in reversed(list(self._choices.items())):  # the newest decision first
            if belong and before in self._baseline and after in self._candidate:
                self._pair(before, after, PairRule.CONFIRMED)
        self._by_key()
        self._by_external_id()
        self._by_question()
        return Paired(
            pairs=tuple(sorted(self._pairs)),
            only_in_baseline=tuple(sorted(self._baseline)),
            only_in_candidate=tuple(sorted(self._candidate)),
            key_conflicts=self._conflicts,
            suggestions=self._suggestions(),
        )

    def _pair(self, before: int, after: int, rule: PairRule) -> None:
        if self._choices.get((before, after)) is False:
            return
        self._pairs.append((before, after, rule))
        del self._baseline[before], self._candidate[after]

    def _by_key(self) -> None:
        keys = {answer.key: answer for answer in self._candidate.values()}
        for answer in list(self._baseline.values()):
            other = keys.get(answer.key)
            if other is None:
                continue
            if not (answer.has_own_key and other.has_own_key):
                # Row numbers do not identify questions; they pair only rows that have nothing else.
                if answer.question_hash is None and other.question_hash is None:
                    self._pair(answer.row, other.row, PairRule.KEY)
            elif may_share_question(answer, other, self._similarity):
                self._pair(answer.row, other.row, PairRule.KEY)
            else:
                self._conflicts += 1

    def _by_external_id(self) -> None:
        def names(answer: Answer) -> Iterable[str]:
            return {*answer.external_ids, *([answer.key] if answer.has_own_key else [])}

        owners: dict[str, set[int]] = defaultdict(set)
        for answer in self._candidate.values():
            for name in names(answer):
                owners[name].add(answer.row)
        claimed: dict[str, int] = defaultdict(int)
        for answer in self._baseline.values():
            for name in names(answer):
                claimed[name] += 1
        for answer in list(self._baseline.values()):
            for name in sorted(names(answer)):
                rows = owners.get(name, set())
                # An id that several rows share (a session's, a document's) identifies none of them.
                if len(rows) != 1 or claimed[name] != 1:
                    continue
                (row,) = rows
                if row in self._candidate and may_share_question(answer, self._candidate[row], self._similarity):
                    self._pair(answer.row, row, PairRule.EXTERNAL_ID)
                    break

    def _by_question(self) -> None:
        """Pair equal questions; among several answers to one question, those with the same chunks first."""
        exact = _group(self._candidate.values(), lambda a: (a.question_hash, a.context_hash))
        for identity_, answers in _group(self._baseline.values(), lambda a: (a.question_hash, a.context_hash)).items():
            for answer, other in zip(answers, exact.get(identity_, ()), strict=False):
                self._pair(answer.row, other.row, PairRule.QUESTION)
        self._by_context()
        left = _group(self._candidate.values(), lambda a: a.question_hash)
        for question, answers in _group(self._baseline.values(), lambda a: a.question_hash).items():
            others = left.get(question, [])
            if len(answers) == len(others) <= _PAIRED_IN_ORDER:
                for answer, other in zip(answers, others, strict=True):
                    self._pair(answer.row, other.row, PairRule.QUESTION)

    def _by_context(self) -> None:
        """Pair answers without a question (summaries, say) whose chunks only one answer on each side has."""
        sides = []
        for answers in (self._baseline, self._candidate):
            rows: dict[str, list[int]] = defaultdict(list)
            for answer in answers.values():
                if answer.question_hash is None and answer.context_hash != _NO_CONTEXT:
                    rows[answer.context_hash].append(answer.row)
            sides.append(rows)
        for context, rows_before in sides[0].items():
            rows_after = sides[1].get(context, [])
            if len(rows_before) == len(rows_after) == 1:
                self._pair(rows_before[0], rows_after[0], PairRule.CONTEXT)

    def _suggestions(self) -> tuple[Suggestion, ...]:
        before = [a for a in self._baseline.values() if a.question_hash][:_MOST_COMPARED]
        after = [a for a in self._candidate.values() if a.question_hash][:_MOST_COMPARED]
        if not before or not after:
            return ()
        similar = self._similarity.find_similar(
            [a.question or "" for a in before],
            [a.question or "" for a in after],
            floor=_LIKE_QUESTION,
            best=_BEST,
        )
        by_similarity = sorted(
            (-pair.similarity, before[pair.before].row, after[pair.after].row)
            for pair in similar
            if (before[pair.before].row, after[pair.after].row) not in self._choices
        )
        taken: set[int] = set()
        given: set[int] = set()
        suggestions = []
        for negative, row, other in by_similarity:
            if row in taken or other in given:
                continue
            taken.add(row)
            given.add(other)
            suggestions.append(
                Suggestion(
                    baseline_row=row,
                    candidate_row=other,
                    baseline_question=self._baseline[row].question or "",
                    candidate_question=self._candidate[other].question or "",
                    similarity=-negative,
                )
            )
        return tuple(suggestions)


def _group(answers: Iterable[Answer], by: Callable[[Answer], object]) -> dict[object, list[Answer]]:
    groups: dict[object, list[Answer]] = defaultdict(list)
    for answer in answers:
        if answer.question_hash is not None:
            groups[by(answer)].append(answer)
    return groups
