"""A preflight: what an update of a knowledge base would do to the answers of a run, before it is published.

The answers stay as they are, and each retrieved chunk is replaced with its counterpart in the new version. Claims of
answers whose chunks change are judged again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from faithview.domain.claim import Verdict
from faithview.domain.knowledge import DocumentChangeKind
from faithview.domain.result import Usage
from faithview.domain.run import JudgeSpec

# The assumption behind every outcome but `overtaken`.
ASSUMPTION = "Assumes the same answers and the same retrieval: each retrieved chunk is replaced with its new text."


class Outcome(StrEnum):
    """The fate of a claim in the new version, the worst first.

    `broken`: it was supported, and the new version does not support it. `overtaken`: its evidence is still there, but
    passages that are new match the question better and do not support it. `unknown`: it is uncertain, see `Reason`.
    `fixed`: it was not supported, and the new version supports it. `unsupported` and `supported`: it stays so.
    """

    BROKEN = "broken"
    OVERTAKEN = "overtaken"
    UNKNOWN = "unknown"
    FIXED = "fixed"
    UNSUPPORTED = "unsupported"
    SUPPORTED = "supported"


class Reason(StrEnum):
    """Why a claim has its outcome.

    Of a claim that was judged again: its evidence, or another chunk of its answer, was `edited` or `removed`, or a
    passage was `added`. Of an unknown claim: its evidence is `not_in_version`, that is, in a chunk that the stored
    version lacks; the judge does not list the claim again (`not_listed`); the judge is not
    sure that the edited text no longer supports it, and its numbers are still there (`judge_unsure`); the judge failed
    (`judge_failed`); a reviewer added the claim (`added_by_reviewer`); or it is not judged yet (`pending`).
    """

    EDITED = "edited"
    REMOVED = "removed"
    ADDED = "added"
    NOT_IN_VERSION = "not_in_version"
    NOT_LISTED = "not_listed"
    JUDGE_UNSURE = "judge_unsure"
    JUDGE_FAILED = "judge_failed"
    ADDED_BY_REVIEWER = "added_by_reviewer"
    PENDING = "pending"


class ChunkState(StrEnum):
    """The replacement of a retrieved chunk in the new version.

    `edited`: another text, or several parts. `removed`: nothing. `foreign`: the stored version lacks the chunk, so its
    counterpart is unknown and it stays as it is.
    """

    EDITED = "edited"
    REMOVED = "removed"
    FOREIGN = "foreign"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPassage:
    """A passage of the new version that an answer gets, or might get; `number` counts from 0 in the preflight.

    `document` is the index of its document in the preflight, None if that is unchanged.
    """

    number: int
    chunk_id: str
    text: str
    document: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PreflightDocument:
    """A document that differs; `passages` counts the passages that were added, edited or removed."""

    name: str
    title: str | None
    kind: DocumentChangeKind
    passages: int
    is_named: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedChunk:
    """A retrieved chunk that changes.

    `position` counts from 0 in the answer's context. `document` is the index of its document, None if it is foreign.
    `new` are the numbers of the passages that take its place.
    """

    position: int
    state: ChunkState
    document: int | None = None
    new: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedAnswer:
    """An answer that the update may change; `row` counts from 1.

    `ahead` are new passages that match the question better than every chunk of the answer, the best first. `entering`
    are new passages that would probably be retrieved, with their rank from 1.
    """

    row: int
    chunks: tuple[PlannedChunk, ...] = ()
    ahead: tuple[int, ...] = ()
    entering: tuple[tuple[int, int], ...] = ()

    @property
    def is_changed(self) -> bool:
        """Whether a retrieved chunk changes; the claims are then judged again."""
        return any(chunk.state is not ChunkState.FOREIGN for chunk in self.chunks)

    @property
    def is_judged(self) -> bool:
        """Whether a judge is asked about the answer."""
        return self.is_changed or bool(self.ahead)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewVerdict:
    """A verdict of the second judging, with the chunks that it cites.

    `is_unsure` says that the judge does not call the claim supported, although it finds that more likely than not.
    """

    verdict: Verdict
    explanation: str = ""
    cites: tuple[str, ...] = ()
    is_unsure: bool = False


# The verdicts by the claims' numbers, from 1; a claim that the judge did not list is missing.
Verdicts = Mapping[int, NewVerdict]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedAgain:
    """An answer that was judged again.

    `after` are the verdicts against the new chunks, None if no chunk changes. `ahead` are those against the passages
    that come before the answer's chunks, None if there are none. `before` are those against the old chunks, if the
    judge is not the run's. `error` says why the judge failed.
    """

    after: Verdicts | None = None
    ahead: Verdicts | None = None
    before: Verdicts | None = None
    error: str | None = None
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentCounts:
    """How many documents differ between the versions; `is_complete` as in the comparison of two versions."""

    added: int
    edited: int
    removed: int
    unchanged: int
    is_complete: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class PreflightRecord:
    """A stored preflight.

    Attributes:
        preflight_id: its id.
        run_id: the run whose answers it is about.
        kb_version: the version that the run used.
        new_version: the name that the new version will have; None if it was not given.
        source: the file or folder of the new version.
        content_hash: identifies both versions and the run's verdicts; the same preflight is not done twice.
        judge: the judge that judges again.
        fingerprint: its fingerprint.
        is_run_judge: whether it is the run's own, with the same fingerprint.
        created_at: when it began.
        finished_at: when all answers were judged; None before.
        counts: how many documents differ.
        documents: the documents that differ.
        answers: how many answers are judged again.
        unplaced: how many of the retrieved texts the stored version lacks.
    """

    preflight_id: str
    run_id: str
    kb_version: str
    new_version: str | None
    source: str | None
    content_hash: str
    judge: JudgeSpec
    fingerprint: str
    is_run_judge: bool
    created_at: datetime
    finished_at: datetime | None = None
    counts: DocumentCounts
    documents: tuple[PreflightDocument, ...]
    answers: int
    unplaced: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PassagePair:
    """A retrieved chunk and what the new version has instead.

    `after` is None if it was removed. For a claim that is overtaken, `after` is the passage that comes before its
    evidence, and `document` is that passage's.
    """

    document: str
    title: str | None
    chunk_id: str
    before: str
    after: str | None
    is_overtaking: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimForecast:
    """The forecast for a claim.

    `number` counts from 1 in its answer; None for a claim that reviewers added. `before` is the verdict that counts in
    the view, `after` the one by the new version; None if that is unknown. `documents` are the indexes of the changed
    documents that the outcome is due to, the first one most.
    """

    row: int
    key: str
    number: int | None
    claim_id: int
    text: str
    question: str | None
    segment: str | None
    before: Verdict
    after: Verdict | None
    outcome: Outcome
    reason: Reason
    explanation: str = ""
    documents: tuple[int, ...] = ()
    passages: tuple[PassagePair, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeCounts:
    """How many of the claims that were judged again, or cannot be, have each outcome."""

    broken: int = 0
    overtaken: int = 0
    unknown: int = 0
    fixed: int = 0
    unsupported: int = 0
    supported: int = 0

    @property
    def breaking(self) -> int:
        """How many are predicted to break."""
        return self.broken + self.overtaken

    @classmethod
    def of(cls, claims: Sequence[ClaimForecast]) -> "OutcomeCounts":
        """Count the claims."""
        found = dict.fromkeys(Outcome, 0)
        for claim in claims:
            found[claim.outcome] += 1
        return cls(**{outcome.value: count for outcome, count in found.items()})


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentForecast:
    """A changed document and the outcomes that are due to it. A claim may be counted in several documents."""

    document: PreflightDocument
    counts: OutcomeCounts
    questions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentForecast:
    """A segment (None: answers without one) with its outcomes; `questions` counts those to ask again."""

    segment: str | None
    answers: int
    counts: OutcomeCounts
    questions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EnteringPassage:
    """A new passage that would probably be retrieved for a question, with its rank from 1."""

    document: str
    chunk_id: str
    rank: int


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionToAsk:
    """A question to ask again after the update; `entering` are new passages that would probably be retrieved.

    `answer_changes` says that the application would probably answer differently: a claim of the answer breaks or is
    overtaken, or at least half of the retrieved passages would be new.
    """

    row: int
    key: str
    question: str | None
    segment: str | None
    counts: OutcomeCounts
    entering: tuple[EnteringPassage, ...] = ()
    answer_changes: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Projection:
    """The run's faithfulness now and with the new version, as means over its judged answers; None without any.

    `after` assumes that answers and retrieval stay as they are, and that unknown claims keep their verdicts. `worst`
    assumes that these are unsupported and that overtaken claims break; `best` that they are supported.
    """

    answers: int
    before: float | None
    after: float | None
    worst: float | None
    best: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PreflightResult:
    """A preflight with its outcomes.

    `claims` are those that change or are unknown, the worst first; `counts` includes those that
    were judged again and stay as they are. `documents` and `segments` start with those on which most would break.
    `questions` are those to ask again, the first ones first. `pending` counts answers that are not judged yet.
    """

    record: PreflightRecord
    run_name: str
    claims: tuple[ClaimForecast, ...]
    counts: OutcomeCounts
    documents: tuple[DocumentForecast, ...]
    segments: tuple[SegmentForecast, ...]
    questions: tuple[QuestionToAsk, ...]
    projection: Projection
    pending: int
    failed: int
    usage: Usage

    def with_outcome(self, *outcomes: Outcome) -> list[ClaimForecast]:
        """Return the claims with these outcomes."""
        return [claim for claim in self.claims if claim.outcome in outcomes]
