"""A data set: a name for the rows that runs are over, in versions that are told apart by what is in them.

**A row** is a question, an answer, its chunks in their order, and the reference answer where there is one. Two rows are
the same if these are equal but for white space and Unicode composition (`content_hashes.row_hash`). Ids, segments,
times and other columns do not count.

**A version** is a set of rows: its hash is that of its rows in any order, with a row that occurs twice counted twice
(`content_hashes.rows_hash`). Versions of a data set are numbered from 1 in the order in which they were first seen. A
version is there as long as a run is over it: its rows are those of its newest run and are stored nowhere else.

**Which data set a run is over.** The one that is named with the run (`--dataset`, Upload, `dataset=` in Python), which
begins where there is none of that name. Where nobody names one: that of the run which this one repeats; else the one
that has the same rows already, and of several the one with the newest run over them; else, as a new version, that of
the run of its series that was made last, if they share enough questions (`shared_share`, `series.SHARED_QUESTIONS`);
else a new one, named after the run. A run joins its data set when its last row is stored: one whose file was not read
to the end is in none. Windows of live traffic and answers that were checked one at a time are in no data set.

**Tags and held-out rows** belong to what was asked, in all versions: to the question, else to the chunks, else to the
row (`subject_hash`). They stay when the answers are generated again, and rows that share a question are held out
together: an answer to a question that a judge was tuned on says little about how good the judge is.

**Held out** means: kept to measure with. What is fitted to labels leaves these rows out and says how many they were
(`faithview fit`, `faithview bench --ablate`). What measures counts them like all others: the scores of runs, `bench`,
the agreement on Judges. `faithview bench --held-out` judges them alone.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from faithview.domain import content_hashes
from faithview.domain.sample import Sample

_SHOWN_DIGITS = 8
_NO_CONTEXT = content_hashes.context_hash(())


class Part(StrEnum):
    """Which rows of a data set are meant: all, those that are held out, or the rest."""

    ALL = "all"
    HELD_OUT = "held-out"
    REST = "rest"


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetVersion:
    """One version of a data set.

    `number` counts from 1 within the data set, `content_hash` is as above, `created_at` is when a run was first over
    it, and `runs` counts the runs over it, archived ones and repeats too.
    """

    version_id: int
    dataset: str
    number: int
    content_hash: str
    rows: int
    created_at: datetime
    runs: int = 0

    @property
    def short_hash(self) -> str:
        """The first digits of the hash, as lists show them."""
        return self.content_hash[:_SHOWN_DIGITS]


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedDataset:
    """A data set with its versions, the newest last; it has none once its last run was deleted.

    `newest_at` is when its newest run was made, `tags` counts the questions with each tag, and `held_out` counts those
    that are held out; some may be in no version any more.
    """

    dataset_id: int
    name: str
    versions: tuple[DatasetVersion, ...]
    newest_at: datetime | None
    tags: tuple[tuple[str, int], ...] = ()
    held_out: int = 0

    @property
    def newest(self) -> DatasetVersion | None:
        """The version that was seen last, None without one."""
        return self.versions[-1] if self.versions else None

    @property
    def runs(self) -> int:
        """How many runs are over it."""
        return sum(version.runs for version in self.versions)


@dataclass(frozen=True, slots=True, kw_only=True)
class RowFilter:
    """Which rows of a version are wanted.

    Attributes:
        search: a text that occurs in the question, the answer, the reference, a chunk or the row's id, whatever its
            case; "" for any.
        tag: a tag that they have; None for any.
        part: which part of the data set.
        keys: the rows' own ids; None for any.
    """

    search: str = ""
    tag: str | None = None
    part: Part = Part.ALL
    keys: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetRow:
    """One row of a version; `position` counts from 1 in the order of the file, `subject` is its `subject_hash`."""

    position: int
    sample: Sample
    subject: str
    tags: tuple[str, ...]
    is_held_out: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RowIdentity:
    """What a row is, and what it is about, as hashes."""

    row_hash: str
    subject: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionChange:
    """How many rows of a version are those of the one before, how many were changed, added and removed.

    A changed row is about the same question as one of the version before and is not the same row.
    """

    kept: int
    changed: int
    added: int
    removed: int


def row_identity(sample: Sample) -> RowIdentity:
    """Return what a row is and what it is about."""
    sample_hash = sample.sample_hash
    return RowIdentity(
        row_hash=content_hashes.row_hash(sample_hash, sample.reference),
        subject=subject_hash(
            sample.question,
            context_hash=content_hashes.context_hash(sample.chunk_hashes.values()),
            sample_hash=sample_hash,
        ),
    )


def subject_hash(question: str | None, *, context_hash: str, sample_hash: str) -> str:
    """Return the identity of what a row is about: of the question, else of the chunks, else of the row itself."""
    if question and question.strip():
        return content_hashes.question_hash(question)
    return sample_hash if context_hash == _NO_CONTEXT else context_hash


def compare_versions(before: Sequence[RowIdentity], after: Sequence[RowIdentity]) -> VersionChange:
    """Return what became of the rows of a version in the next one."""
    old, new = Counter(row.row_hash for row in before), Counter(row.row_hash for row in after)
    kept = old & new
    gone, come = _subjects(before, old - kept), _subjects(after, new - kept)
    changed = (gone & come).total()
    return VersionChange(
        kept=kept.total(), changed=changed, added=come.total() - changed, removed=gone.total() - changed
    )


def shared_share(rows: Sequence[RowIdentity], others: Sequence[RowIdentity]) -> float:
    """Return the share, in [0, 1], of the rows of the smaller set that are about something in the larger one."""
    few, many = sorted((rows, others), key=len)
    known = {row.subject for row in many}
    return sum(row.subject in known for row in few) / len(few) if few else 0.0


def draw_subjects(subjects: Sequence[str], *, held_out: frozenset[str], share: float) -> list[str]:
    """Return which questions to hold out besides those that are, so that this share of them is, rounded up.

    They are drawn by their hashes, which is as good as at random and gives the same ones each time: a question that is
    added to the data set does not change what is drawn of the others by more than itself.

    Args:
        subjects: what the rows are about, repetitions included.
        held_out: what is held out already and stays so.
        share: the share of questions, in [0, 1].
    """
    distinct = set(subjects)
    # Rounded first: 0.07 of 100 is 7, and a hair more than that in floating-point numbers.
    wanted = math.ceil(round(share * len(distinct), 9)) - len(distinct & held_out)
    ranked = sorted(distinct - held_out, key=lambda subject: content_hashes.text_hash(f"hold out {subject}"))
    return ranked[: max(0, wanted)]


def _subjects(rows: Sequence[RowIdentity], wanted: Counter[str]) -> Counter[str]:
    """Count the subjects of rows with these hashes; equal rows have one subject."""
    subject_of = {row.row_hash: row.subject for row in rows}
    counted: Counter[str] = Counter()
    for row_hash, count in wanted.items():
        counted[subject_of[row_hash]] += count
    return counted
