"""A series: runs over the same questions, which are shown together.

**Stored.** Every run is in exactly one series, by name, in the column `run.series`. There is no table of series: a
series exists as long as a run is in it. A run that judges another run's answers again is in the series of that run.

**Computed.** A run that is stored with a series named (`--series`, `series=` in Python, a column `series` of its file)
is in that one. Any other joins the series whose newest run has the same answers' ids: at least half of those of the
smaller of the two runs are ids of the larger one, with similar questions (`place_answers`). If neither run has ids,
questions decide. If ids differ although the questions are the same, or only one run has ids, the rows may be from
another application: the run begins a new series, and the page Upload asks first, and the command says so. If several
series match, the run joins the one that shares most; a new series is named after its run (`name_series`).

**Edited.** A run can be moved to another series, which may be new, and a whole series can be renamed; renamed to the
name of another series it is merged with it (`services/series.py`; the menu of a run calls it).

**Shown.** Overview and the pages below it show one series: that of the run in the address, else
`series=` of the address, else the one shown last, else that of the newest run (`ui/series.py`). Events are detected,
and earlier runs are looked up, within one series.

**Checked answers.** Answers saved one at a time are runs of one answer, each to another question. They are in the
series `CHECKED_ANSWERS`, which has no trend, is compared only if its runs are named, and is the default only if no
other series exists. Opening one of its runs does not make it the series of the next page.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from faithview.domain.pairing import Answer, QuestionSimilarity, may_share_question
from faithview.domain.run import unused_name

CHECKED_ANSWERS = "Checked answers"

# The end of an imported run's name, which names the other tool.
_JUDGED_BY = re.compile(r" \(judged by [^()]+(?:\([^()]*\))?\)$")

# Two runs that share at least this part of their questions are about the same data.
SHARED_QUESTIONS = 0.5

# The end of a run's name that distinguishes it within its series: a date, a week, a number.
_RUN_NUMBER = re.compile(
    r"(?:[\s_.,:/-]*\(\d+\)|(?:[\s_.,:/-]+|(?<=\d)t)(?:kw|w|v|q|r|week|run)?\d+z?)+$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """The series that a run joins or begins, and why.

    `joins` says whether the series has runs already; `by_ids` whether equal ids decided that, else equal questions did.
    `alike` is a series over the same questions that the run does not join because the ids differ, None if there is
    none. `share`, in [0, 1], is how much is shared with the series that is joined, else with the one that is alike.
    """

    series: str
    joins: bool
    by_ids: bool = False
    alike: str | None = None
    share: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """One series: how many runs it has, repeats included, and the time of its newest answers."""

    name: str
    runs: int
    newest_at: datetime

    @property
    def has_trend(self) -> bool:
        """Whether its runs form a sequence in time."""
        return has_trend(self.name)


def has_trend(series: str) -> bool:
    """Return whether the runs of a series form a sequence in time; answers that were checked one at a time do not."""
    return series != CHECKED_ANSWERS


def shared_share(run: Sequence[Answer], other: Sequence[Answer], *, similarity: QuestionSimilarity) -> float:
    """Return the share, in [0, 1], of the smaller run's answers whose questions are in the larger one.

    Two answers share a question if their questions are equal except for whitespace and case, or if they have the same
    id of their own and similar questions. Answers without a question share one if their chunks are equal.
    """
    few, many = sorted((run, other), key=len)
    known = {answer.subject_hash for answer in many} - {None}
    by_key = {answer.key: answer for answer in many if answer.has_own_key}

    def is_shared(answer: Answer) -> bool:
        if answer.subject_hash in known:
            return True
        same_key = by_key.get(answer.key) if answer.has_own_key else None
        return same_key is not None and may_share_question(answer, same_key, similarity)

    return sum(map(is_shared, few)) / len(few) if few else 0.0


def place_answers(
    run_name: str,
    answers: Sequence[Answer],
    known: Iterable[tuple[str, Sequence[Answer]]],
    *,
    taken: Collection[str],
    similarity: QuestionSimilarity,
) -> Placement:
    """Return the series that a run joins by default, or the one that it begins.

    Args:
        run_name: the run's name.
        answers: the run's answers.
        known: each series with the answers of its newest run; if two share as much, the first is joined.
        taken: the names of all series.
        similarity: compares questions whose ids are equal.
    """
    best: Placement | None = None
    alike, most_alike = None, 0.0
    has_ids = _has_ids(answers)
    for name, newest in known:
        by_ids = has_ids and _has_ids(newest)
        by_questions = not has_ids and not _has_ids(newest)
        share = shared_ids(answers, newest, similarity=similarity) if by_ids else 0.0
        if share < SHARED_QUESTIONS:
            share = shared_share(answers, newest, similarity=similarity)
            if share >= SHARED_QUESTIONS and not by_questions and share > most_alike:
                alike, most_alike = name, share
            if share < SHARED_QUESTIONS or not by_questions:
                continue
        if best is None or (by_ids, share) > (best.by_ids, best.share):
            best = Placement(series=name, joins=True, by_ids=by_ids, share=share)
        if best.share == 1.0 and best.by_ids == has_ids:
            break
    if best is not None:
        return best
    return Placement(series=unused_name(name_series(run_name), taken), joins=False, alike=alike, share=most_alike)


def shared_ids(run: Sequence[Answer], other: Sequence[Answer], *, similarity: QuestionSimilarity) -> float:
    """Return the share, in [0, 1], of the smaller run's answers whose ids, with similar questions, the larger has."""
    few, many = sorted((run, other), key=len)
    by_key = {answer.key: answer for answer in many if answer.has_own_key}
    shared = [
        answer
        for answer in few
        if answer.has_own_key and answer.key in by_key and may_share_question(answer, by_key[answer.key], similarity)
    ]
    return len(shared) / len(few) if few else 0.0


def _has_ids(answers: Sequence[Answer]) -> bool:
    return 2 * sum(answer.has_own_key for answer in answers) >= max(1, len(answers))


def name_series(run_name: str) -> str:
    """Return a name for the series that a run begins: the run's, without a date, number or other judge at its end."""
    own = _JUDGED_BY.sub("", run_name)
    stem = _RUN_NUMBER.sub("", own).strip()
    return stem if any(map(str.isalpha, stem)) else own


def name_judged_by(name: str, judge: str) -> str:
    """Return the usual name of a run that another tool judged: "answers (judged by Ragas)"."""
    return f"{name} (judged by {judge})"
