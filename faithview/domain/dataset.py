"""A data set: a name for the rows of runs, in versions that are identified by their content.

**A row** is a question, an answer, its chunks in their order, and the reference answer if there is one. Two rows are
the same if these are equal except for whitespace and Unicode composition (`content_hashes.row_hash`). Ids, segments,
times and other columns do not count.

**A version** is a set of rows: its hash is that of its rows in any order, with a row that occurs twice counted twice
(`content_hashes.rows_hash`). Versions of a data set are numbered from 1 in the order in which they were first seen. A
version exists as long as a run is over it: its rows are those of its newest run and are stored nowhere else.

**The data set of a run** is the one named with the run (`--dataset`, Upload, `dataset=` in Python), which is created
if it does not exist. Without a name, it is the first of these that applies: the data set of the run that this one
repeats; the one that already has the same rows, and of several the one whose run over them is newest; as a new version,
the data set of the newest run of its series, if they share enough questions (`shared_share`,
`series.SHARED_QUESTIONS`); a new one, named after the run. A run joins its data set when its last row is stored, so a
run whose file was not read to the end has none. Live windows and single checked answers are in no data set.

**Tags and held-out rows** belong to the question in all versions; without a question to the chunks, and without chunks
to the row (`subject_hash`). They stay when the answers are generated again, and rows that share a question are held out
together: an answer to a question that a judge was tuned on says little about how good the judge is.

**Held out** means reserved for measuring. Commands that fit to labels leave these rows out and report how many
(`faithview fit`). Commands that measure count them like all others: the scores of runs,
`bench`, the agreement on Judges. `faithview bench --held-out` judges only them.
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
    """Which rows of a data set to use: all, the held-out ones, or the rest."""

    ALL = "all"
    HELD_OUT = "held-out"
    REST = "rest"


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetVersion:
    """One version of a data set.

    `number` counts from 1 within the data set, `content_hash` is as above, `created_at` is when the first run over
    it was made, and `runs` counts the runs over it, including archived ones and repeats.
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
    """A data set with its versions, the newest last; it has none after its last run is deleted.

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
        """The latest version, None without one."""
        return self.versions[-1] if self.versions else None

    @property
    def runs(self) -> int:
        """How many runs are over it."""
        return sum(version.runs for version in self.versions)


@dataclass(frozen=True, slots=True, kw_only=True)
class RowFilter:
    """Which rows of a version to list.

    Attributes:
        search: a text to find in the question, the answer, the reference, a chunk or the row's id, ignoring case; ""
            for any.
        tag: a tag of the rows; None for any.
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
    """The hashes of a row and of its subject."""

    row_hash: str
    subject: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionChange:
    """How many rows of a version are unchanged, changed, added and removed since the version before.

    A changed row has the subject of a row of the version before but is not equal to it.
    """

    kept: int
    changed: int
    added: int
    removed: int


def row_identity(sample: Sample) -> RowIdentity:
    """Return the hashes of a row and of its subject."""
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
    """Return the identity of a row's subject: the question, else the chunks, else the row itself."""
    if question and question.strip():
        return content_hashes.question_hash(question)
    return sample_hash if context_hash == _NO_CONTEXT else context_hash


def compare_versions(before: Sequence[RowIdentity], after: Sequence[RowIdentity]) -> VersionChange:
    """Return how the rows changed from one version to the next."""
    old, new = Counter(row.row_hash for row in before), Counter(row.row_hash for row in after)
    kept = old & new
    gone, come = _subjects(before, old - kept), _subjects(after, new - kept)
    changed = (gone & come).total()
    return VersionChange(
        kept=kept.total(), changed=changed, added=come.total() - changed, removed=gone.total() - changed
    )


def shared_share(rows: Sequence[RowIdentity], others: Sequence[RowIdentity]) -> float:
    """Return the share, in [0, 1], of the rows of the smaller set whose subject is also in the larger one."""
    few, many = sorted((rows, others), key=len)
    known = {row.subject for row in many}
    return sum(row.subject in known for row in few) / len(few) if few else 0.0


def draw_subjects(subjects: Sequence[str], *, held_out: frozenset[str], share: float) -> list[str]:
    """Return which further questions to hold out to reach this share of all questions, rounded up.

    They are drawn by their hashes, which is as good as random and repeatable: a question that is added to the data set
    changes the draw of the others by at most one.

    Args:
        subjects: the rows' subjects, repetitions included.
        held_out: subjects that are already held out and stay so.
        share: the share of questions, in [0, 1].
    """
    distinct = set(subjects)
    # Rounded first: in floating point, 0.07 * 100 is slightly more than 7.
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
