"""A series: the runs that are looked at together, because they are over one data set of one project.

**Stored.** Every run is in exactly one series, by name, in the column `run.series`. There is no table of series: a
series is there as long as a run is in it. A run that judges another run's answers again is in the series of that run.

**Worked out.** A run that is stored with a series named (`--series`, `series=` in Python, a column `series` of its
file) is in that one. Any other joins the series whose newest run has the same answers' ids: at least half of those of
the smaller of the two runs are ids of the larger one, with similar questions (`place_answers`). Where neither run has
ids, questions decide. Where ids differ although the questions are the same ones, or only one run has ids, the rows may
be another application's: the run begins a series of its own, the page Upload asks first, and the command says so. Of
several series a run joins the one that shares most; a series that a run begins is named after it (`name_series`).

**Edited.** A run can be moved to another series, a new one too, and a whole series can be renamed; renamed to the name
of another series it joins that one (`services/series.py`; Answers and `faithview series` call it).

**Looked at.** Overview and the pages below it show one series: that of the run in the address, else
`series=` of the address, else the one looked at last, else that of the newest run (`ui/series.py`). Events are
detected, and earlier runs are looked for, within one series.

**Checked answers.** Answers saved one at a time are runs of one answer, each to another question. They go to the series
`CHECKED_ANSWERS`, which is in no trend, is compared only where somebody names the runs, and is the default only where
there is no other. Looking at one of its runs does not make it the series that the next page shows.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from faithview.domain.pairing import Answer, QuestionSimilarity, may_share_question
from faithview.domain.run import unused_name

CHECKED_ANSWERS = "Checked answers"

# What another tool's results are called after their file, at the end of the run's name.
_JUDGED_BY = re.compile(r" \(judged by [^()]+(?:\([^()]*\))?\)$")

# The share of a run's questions from which another run over them is about the same data.
SHARED_QUESTIONS = 0.5

# Words at the end of a run's name that tell it from the other runs of its series: a date, a week, a number.
_RUN_NUMBER = re.compile(
    r"(?:[\s_.,:/-]*\(\d+\)|(?:[\s_.,:/-]+|(?<=\d)t)(?:kw|w|v|q|r|week|run)?\d+z?)+$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """The series that a run joins or begins, and why.

    `joins` says whether the series has runs already; `by_ids` whether equal ids decided that, else equal questions did.
    `alike` is a series over the same questions that the run does not join because the ids differ, None where there is
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
        """Whether its runs follow on each other."""
        return has_trend(self.name)


def has_trend(series: str) -> bool:
    """Return whether the runs of a series follow on each other: not so for answers that were checked one at a time."""
    return series != CHECKED_ANSWERS


def shared_share(run: Sequence[Answer], other: Sequence[Answer], *, similarity: QuestionSimilarity) -> float:
    """Return the share, in [0, 1], of the smaller run's answers that are to questions of the larger one.

    Two answers are to one question if their questions are equal but for white space and case, or if they have one id of
    their own and similar questions. Answers without a question are to the same one if their chunks are equal.
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
    """Return the series that a run joins by itself, or the one that it begins.

    Args:
        run_name: what the run is called.
        answers: the run's answers.
        known: each series with the answers of its newest run; of two that share as much the first is joined.
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
