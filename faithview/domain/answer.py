"""Lists of answers and claims for screens and commands: rows, pages, filters, and whose verdicts count.

The objects are frozen and independent of the store.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from faithview.domain.claim import HallucinationType, Verdict
from faithview.domain.result import Result, State, Usage
from faithview.domain.run import RunStatus
from faithview.domain.sample import Sample

_ID_CHARACTERS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultyClaim:
    """A claim that is not fully supported: its number, from 1, and the verdict that counts in the view.

    `words` are those of the answer at fault, each with the words of a chunk that say otherwise, "" where none do; empty
    where the judge could not tell which words are at fault. `is_labelled` says whether a person has labelled it.
    """

    number: int
    verdict: Verdict
    text: str
    words: tuple[tuple[str, str], ...] = ()
    is_labelled: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerRow:
    """One answer in a list. `question` and `answer` are cut to what a list can show; `claims` counts every verdict.

    `worst` is the judge's claim with the most expected harm, None where every claim is supported. `labelled`
    counts the judge's claims that a person has labelled, and `to_check` those that are to be checked (`LabelState`).
    """

    key: str
    position: int
    question: str | None
    answer: str
    segment: str | None
    state: State
    faithfulness: float | None
    is_faithful: bool | None
    claims: Mapping[Verdict, int]
    timestamp: datetime | None = None
    error: str | None = None
    worst: FaultyClaim | None = None
    labelled: int = 0
    to_check: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerPage:
    """One page of a list of answers; `total` counts what the filters let through, on all pages."""

    rows: tuple[AnswerRow, ...]
    total: int
    offset: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerDetail:
    """One answer as it was judged; `claim_ids` are the public ids of the result's claims, in their order."""

    run_id: str
    position: int
    sample: Sample
    result: Result
    claim_ids: tuple[str, ...]


class View(StrEnum):
    """Whose verdicts a figure shows: the judge's, the reviewers', or an estimate that corrects the judge."""

    JUDGE = "judge"
    REVIEWED = "reviewed"
    CORRECTED = "corrected"


class Order(StrEnum):
    """How a list of answers is sorted. Answers without a score come last, except in the order of the file.

    `harm`: the most expected harm first (`scoring.expected_harm`). `unsure`: the claim that the judge is least sure
    about first. `wrong`: the most claims that are not fully supported first. `worst` and `best`: by faithfulness.
    """

    HARM = "harm"
    UNSURE = "unsure"
    WRONG = "wrong"
    WORST = "worst"
    BEST = "best"
    FILE = "file"


class LabelState(StrEnum):
    """How far reviewers have labelled a claim.

    `differs`: reviewers agreed on another verdict than the judge's. `to_check`: the judge's verdict is near its cut
    (`domain/certainty.py`), and reviewers have not settled the claim.
    """

    LABELLED = "labelled"
    UNLABELLED = "unlabelled"
    DIFFERS = "differs"
    TO_CHECK = "to_check"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerFilter:
    """Which answers of a run a list shows; an empty field or None does not restrict the list.

    At least one of several values must match. `verdicts`, `hallucination_types`, `label_states`, the confidence and
    `chunk` are about claims: an answer is listed if a single claim meets them all. `least_confidence` and
    `most_confidence` are the inclusive ends of a range of the judge's confidence; a claim without a confidence is in
    no range. `chunk` is the id of a chunk that the claim cites or quotes. The segment "" means answers without one;
    `search` is looked for in question, answer and key, ignoring case; `positions` are rows of the run, from 1.
    """

    states: tuple[State, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    hallucination_types: tuple[HallucinationType, ...] = ()
    segments: tuple[str, ...] = ()
    label_states: tuple[LabelState, ...] = ()
    least_confidence: float | None = None
    most_confidence: float | None = None
    chunk: str | None = None
    search: str | None = None
    positions: tuple[int, ...] | None = None

    @property
    def is_about_claims(self) -> bool:
        """Whether the filters may match some claims of a listed answer and not others."""
        return bool(self.verdicts or self.is_about_more_than_verdicts)

    @property
    def is_about_more_than_verdicts(self) -> bool:
        """Whether the filters look at more than a claim's verdict."""
        ranges = (self.least_confidence, self.most_confidence, self.chunk)
        return bool(self.hallucination_types or self.label_states or any(end is not None for end in ranges))


class SliceKind(StrEnum):
    """The kinds of features that the answers of a slice share, the most natural first.

    `segment`; `column`: a value of a column that came with the rows; `retrieved`: a document that was retrieved;
    `metadata`: a value in the metadata of a retrieved chunk; `question`: a word of the question.
    """

    SEGMENT = "segment"
    COLUMN = "column"
    RETRIEVED = "retrieved"
    METADATA = "metadata"
    QUESTION = "question"


@dataclass(frozen=True, slots=True, kw_only=True)
class SliceDefinition:
    """A set of answers that have something in common.

    `field` is the column or the metadata's name, if the kind has one. `value` is what it contains, or the word in its
    most frequent spelling.
    """

    kind: SliceKind
    field: str = ""
    value: str

    @property
    def slice_id(self) -> str:
        """A short id for addresses: the same for the same definition."""
        parts = (self.kind.value, self.field, self.value)
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:_ID_CHARACTERS]


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a run has come: rows with an outcome, how many of them failed, all rows, and rows per second.

    `rate` and `seconds_left` are None while they are unknown. `usage` is that of the rows done so far. While
    the run's file is being read, `total` grows.
    """

    status: RunStatus
    done: int
    failed: int
    total: int
    rate: float | None
    seconds_left: float | None
    error: str | None = None
    usage: Usage = field(default_factory=Usage)
