"""Two runs compared: which answers belong together, what changed in them, why, and by how much.

With u = 1 where a claim is unsupported and 0 where it is supported, an answer's faithfulness is 1 - (1/m) sum_j u_j, so
the difference of a pair of answers is exactly

    d = sum over the baseline's claims of u_b / m_b  -  sum over the candidate's claims of u_c / m_c

Each pair of matched claims, and each claim without a match, is one `Term` of it; a term has one cause. Summed over the
answers and divided by their number, the terms of a cause are its share of the mean difference, and all shares add up.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from faithview.domain.result import State


class PairRule(StrEnum):
    """How two answers were paired, the most reliable rule first.

    `key`: the rows' own ids are equal. `question`: the questions are equal except for case and whitespace. `context`:
    neither has a question, and the chunks are equal.
    """

    KEY = "key"
    QUESTION = "question"
    CONTEXT = "context"


class ClaimChange(StrEnum):
    """How a claim changed between two answers, regardless of whether its verdict flipped."""

    SAME = "same"
    REWORDED = "reworded"
    LOST = "lost"
    NEW = "new"


class ChunkChange(StrEnum):
    """How a retrieved chunk changed."""

    SAME = "same"
    MOVED = "moved"
    EDITED = "edited"
    REMOVED = "removed"
    ADDED = "added"


class Cause(StrEnum):
    """Why a claim broke or was fixed.

    The first four are about the chunk that the claim rests on, or, for an unsupported claim, is about:

    - `document_edited`: it has another wording in the other run.
    - `document_removed`: only the baseline retrieved it, and the candidate's knowledge base does not have it.
    - `not_retrieved`: only the baseline retrieved it.
    - `retrieved`: only the candidate retrieved it. Also: claim and evidence are the same, but other chunks were added.
    - `answer_rewritten`: the answer changed, and no chunk that changed explains the claim.
    - `judge_noise`: claim and chunks are the same, the judge disagrees with itself.
    - `other`: no claim broke or was fixed. The claim is unsupported in both and weighs more or less because the answer
      has fewer or more claims; or another tool scored the answer as a whole.
    """

    DOCUMENT_EDITED = "document_edited"
    DOCUMENT_REMOVED = "document_removed"
    NOT_RETRIEVED = "not_retrieved"
    RETRIEVED = "retrieved"
    ANSWER_REWRITTEN = "answer_rewritten"
    JUDGE_NOISE = "judge_noise"
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimPair:
    """Two matched claims, or a claim without a match.

    `baseline` and `candidate` are indexes from 0 into the claims of the answers, None if there is no partner.
    """

    baseline: int | None
    candidate: int | None
    change: ClaimChange


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkPair:
    """Two chunks that are the same or edited forms of each other, or a chunk without a match.

    `baseline` and `candidate` are indexes from 0 into the chunks of the answers.
    """

    baseline: int | None
    candidate: int | None
    change: ChunkChange


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """The contribution of one claim, or one pair of claims, to the difference of its answers.

    `baseline` and `candidate` are the claims' numbers from 1, None if that side has none. `value` is u_b/m_b -
    u_c/m_c, below zero where the claim broke. `flipped` says that a matched claim's support changed. For answers that
    another tool scored as a whole there is one term without claims, which is the whole difference.
    """

    baseline: int | None
    candidate: int | None
    value: float
    cause: Cause
    flipped: bool = False

    @property
    def is_of_claims(self) -> bool:
        """Whether the term is about a claim."""
        return self.baseline is not None or self.candidate is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A pair of answers that differ in score, state, text or chunks.

    Rows are positions from 1 in their runs; `question` is cut to a list's length. The scores are None if the
    answer on that side was not judged. `chunks_added` and `chunks_removed` are chunk ids, edited chunks in neither.
    """

    key: str
    baseline_row: int
    candidate_row: int
    rule: PairRule
    question: str | None
    segment: str | None
    baseline: float | None
    candidate: float | None
    baseline_state: State
    candidate_state: State
    answer_changed: bool
    context_changed: bool
    chunks_added: tuple[str, ...] = ()
    chunks_removed: tuple[str, ...] = ()
    chunks_edited: tuple[str, ...] = ()
    terms: tuple[Term, ...] = ()

    @property
    def difference(self) -> float | None:
        """Candidate minus baseline, in [-1, 1]; None if either has no score."""
        return None if self.baseline is None or self.candidate is None else self.candidate - self.baseline


@dataclass(frozen=True, slots=True, kw_only=True)
class CauseShare:
    """How much of the mean difference one cause explains.

    `lost` (at most 0) and `won` (at least 0) are in points of faithfulness and add up to `total`; `broken` and `fixed`
    count the claims behind them and `answers` the answers.
    """

    cause: Cause
    lost: float
    won: float
    total: float
    broken: int
    fixed: int
    answers: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Unpaired:
    """An answer that only one run has."""

    row: int
    key: str
    question: str | None
    state: State


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """Which answers belong together.

    `rules` counts pairs by how they were found. `scored` pairs have a score on both sides and are the basis of every
    figure; `unscored` counts the other pairs by "state before, state after". `key_conflicts` counts ids that both runs
    have with different questions, so they pair nothing.
    """

    rules: Mapping[PairRule, int]
    scored: int
    unscored: Mapping[str, int]
    key_conflicts: int
    only_in_baseline: tuple[Unpaired, ...]
    only_in_candidate: tuple[Unpaired, ...]
