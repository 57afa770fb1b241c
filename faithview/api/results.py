"""What the functions return: results with their answers, runs, comparisons; each as a frame and in a notebook."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal, Self, overload

from faithview.api import frames
from faithview.domain.answer import AnswerDetail
from faithview.domain.claim import Verdict
from faithview.domain.errors import InvalidInput
from faithview.domain.result import Result
from faithview.domain.run import RunSummary
from faithview.domain.sample import Sample
from faithview.formats.files.report import RowProblem
from faithview.services.comparison.compare import compare_runs
from faithview.services.comparison.compared_runs import Comparison
from faithview.services.comparison.comparison_document import BrokenClaim, compare_document, list_broken
from faithview.services.container import Store
from faithview.services.results import RunTroubles, iterate_answers, list_troubles
from faithview.wording import numbers as fmt
from faithview.wording.causes import CAUSE_WORDS
from faithview.wording.comparison import compared_words
from faithview.wording.corrected_score import corrected_line
from faithview.wording.findings import answer_lines, run_lines
from faithview.wording.plain_text import printable

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = ["ComparedRuns", "Evaluation", "JudgedAnswer", "RunList", "compared_runs", "evaluation_of"]

# How many answers a notebook shows with their claims.
_SHOWN_CHANGES = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedAnswer(Result):
    """A result with the answer that it is about.

    `sample` holds the answer, its question and its chunks. `row` is its position in the run, from 1, and `claim_ids`
    are the ids of its claims in the store; None and empty if it is in no run.
    """

    sample: Sample = field(repr=False)
    row: int | None = None
    claim_ids: tuple[str, ...] = field(default=(), repr=False)

    @classmethod
    def of(cls, result: Result, sample: Sample, *, row: int | None = None, claim_ids: tuple[str, ...] = ()) -> Self:
        """Return the result with its answer."""
        known = {item.name: getattr(result, item.name) for item in fields(Result)}
        return cls(**known, sample=sample, row=row, claim_ids=claim_ids)

    def plain(self) -> Result:
        """Return the result without its answer, as judges give it and stores take it."""
        return Result(**{item.name: getattr(self, item.name) for item in fields(Result)})

    def to_pandas(self) -> "DataFrame":
        """Return a pandas frame with one row per claim (`frames.CLAIM_COLUMNS`)."""
        return frames.make_frame(self._claim_rows(), frames.CLAIM_COLUMNS)

    def to_dict(self) -> dict[str, Any]:
        """Return the document that `faithview check --json` prints; `json.dumps` takes it."""
        from faithview.documents.answers import CheckDocument

        return CheckDocument.of(self).to_dict()

    def __str__(self) -> str:
        """Return the score and the claims in lines, as `faithview check` prints them."""
        return _printable_lines(answer_lines(self, self.sample))

    def _claim_rows(self) -> Iterator[Mapping[str, Any]]:
        return frames.claim_rows(self.sample, self, row=self.row, claim_ids=self.claim_ids)

    def _repr_html_(self) -> str:
        from faithview.services.reports.notebook import show_answer

        return show_answer(self.sample, self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """A run: its figures, and the results of its answers in the order of the samples.

    `summary.score` is the mean faithfulness with its interval, n and what was left out. `unread` are the rows of the
    data that could not be read (the first hundred; `summary.run.rows_left_out` counts all), with the reason. `troubles`
    are the errors of failed answers and what was repaired in others.
    """

    summary: RunSummary
    results: tuple[JudgedAnswer, ...] = field(repr=False)
    unread: tuple[RowProblem, ...] = ()
    troubles: RunTroubles = field(default=RunTroubles(), repr=False)

    @property
    def run_id(self) -> str:
        """The run's id."""
        return self.summary.run.run_id

    def to_pandas(self, *, by: Literal["answer", "claim"] = "answer") -> "DataFrame":
        """Return a pandas frame with one row per answer (`frames.ANSWER_COLUMNS`) or claim (`CLAIM_COLUMNS`).

        Columns "metric.NAME" have the judge's other figures, and "extra.NAME" the other columns of the data. Answers
        without claims are in the frame of answers only.

        Args:
            by: "answer" or "claim".

        Raises:
            InvalidInput: `by` is something else.
        """
        if by == "claim":
            rows = chain.from_iterable(result._claim_rows() for result in self.results)
            return frames.make_frame(rows, frames.CLAIM_COLUMNS)
        if by == "answer":
            rows = chain.from_iterable(frames.answer_rows(r.sample, r, row=r.row) for r in self.results)
            return frames.make_frame(rows, frames.ANSWER_COLUMNS)
        raise _unknown(by, "answer", "claim")

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as the document that `faithview evaluate --json` prints."""
        from faithview.documents.runs import RunDocument

        return RunDocument.of(self.summary, troubles=self.troubles).to_dict()

    def __str__(self) -> str:
        """Return the figures in lines, as `faithview run show` prints them."""
        return _printable_lines(run_lines(self.summary))

    def _repr_html_(self) -> str:
        from faithview.services.reports.notebook import show_run

        return show_run(self.summary, [(result.sample, result) for result in self.results], self.unread)


class RunList(Sequence[RunSummary]):
    """The runs of a store with their figures, the newest answers first."""

    def __init__(self, summaries: Sequence[RunSummary], store: Store) -> None:
        self._summaries = tuple(summaries)
        self._store = store

    @overload
    def __getitem__(self, index: int) -> RunSummary: ...
    @overload
    def __getitem__(self, index: slice) -> "RunList": ...
    def __getitem__(self, index: int | slice) -> "RunSummary | RunList":
        return RunList(self._summaries[index], self._store) if isinstance(index, slice) else self._summaries[index]

    def __len__(self) -> int:
        return len(self._summaries)

    def __repr__(self) -> str:
        return f"RunList({[summary.run.name for summary in self]!r})"

    def __str__(self) -> str:
        """Return one line per run: its id, name, status, judge and faithfulness."""
        lines = (
            f"{s.run.run_id}  {s.run.name}  {fmt.STATUS_WORDS[s.run.status]}  {s.run.judge.name}  {fmt.score(s.score)}"
            for s in self
        )
        return _printable_lines(lines) or "no runs"

    def to_dict(self) -> dict[str, Any]:
        """Return the document that `faithview run list --json` prints; the store must be open."""
        from faithview.documents.runs import RunFigures, RunsDocument

        runs = [RunFigures.of(s, troubles=list_troubles(self._store, s.run.run_id)) for s in self]
        return RunsDocument(runs=runs).to_dict()

    def to_pandas(self) -> "DataFrame":
        """Return a pandas frame with one row per run (`frames.RUN_COLUMNS`)."""
        return frames.make_frame(frames.run_rows(self), frames.RUN_COLUMNS)

    def _repr_html_(self) -> str:
        from faithview.services.reports.notebook import show_runs

        return show_runs(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedRuns(Comparison):
    """Two runs compared on the answers that both have.

    `difference` is the mean difference with its interval and n. `is_regression` is true if the candidate is
    significantly worse. `broken` are the claims behind the worst regressions, by
    the rows of both runs. `store` is the store of both.
    """

    broken: Mapping[tuple[int, int], Sequence[BrokenClaim]] = field(default_factory=dict, repr=False)
    store: Store = field(repr=False, compare=False)

    def __str__(self) -> str:
        """Return in one line how the runs differ, and in a second one by how much the corrected scores do."""
        lines = [compared_words(self.difference, self.baseline.name, self.candidate.name)]
        if self.corrected is not None:
            lines.append(f"corrected, whole runs: {corrected_line(self.corrected)}")
        return _printable_lines(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return the document that `faithview compare --json` prints; the store must be open."""
        return compare_document(self.store, self).to_dict()

    def to_pandas(self, *, by: Literal["answer", "segment", "cause"] = "answer") -> "DataFrame":
        """Return a pandas frame with one row per changed answer, segment or cause.

        The columns are `frames.CHANGE_COLUMNS`, `SEGMENT_COLUMNS` and `CAUSE_COLUMNS`. Unchanged pairs of answers have
        no row; `difference.pairs` counts all pairs.

        Args:
            by: "answer", "segment" or "cause".

        Raises:
            InvalidInput: `by` is something else.
        """
        if by == "answer":
            return frames.make_frame(frames.changed_answer_rows(self), frames.CHANGE_COLUMNS)
        if by == "segment":
            return frames.make_frame(frames.segment_rows(self), frames.SEGMENT_COLUMNS)
        if by == "cause":
            return frames.make_frame(frames.cause_rows(self), frames.CAUSE_COLUMNS)
        raise _unknown(by, "answer", "segment", "cause")

    def _repr_html_(self) -> str:
        from faithview.services.reports.notebook import show_comparison

        broken = {rows: list(map(_changed, claims)) for rows, claims in self.broken.items()}
        return show_comparison(self, broken)


def compared_runs(store: Store, baseline: str, candidate: str) -> ComparedRuns:
    """Return the comparison of two stored runs as the API gives it; raises as `compare_runs` does."""
    comparison = compare_runs(store, baseline, candidate)
    worst = [change for change in comparison.changes if (change.difference or 0) < 0][:_SHOWN_CHANGES]
    figures = {item.name: getattr(comparison, item.name) for item in fields(Comparison)}
    return ComparedRuns(**figures, broken=list_broken(store, comparison, worst), store=store)


def judged_answer(detail: AnswerDetail) -> JudgedAnswer:
    """Return a stored answer as the API gives it."""
    return JudgedAnswer.of(detail.result, detail.sample, row=detail.position, claim_ids=detail.claim_ids)


def evaluation_of(store: Store, summary: RunSummary, *, unread: tuple[RowProblem, ...] = ()) -> Evaluation:
    """Return a stored run as the API gives it."""
    run_id = summary.run.run_id
    return Evaluation(
        summary=summary,
        results=tuple(map(judged_answer, iterate_answers(store, run_id))),
        unread=unread,
        troubles=list_troubles(store, run_id),
    )


def _printable_lines(lines: Iterable[str]) -> str:
    return "\n".join(map(printable, lines))


def _changed(claim: BrokenClaim) -> tuple[str, Verdict | None, str]:
    """Return a claim that broke or was fixed: its text, its verdict now, and why."""
    words = claim.after or claim.before
    cause = CAUSE_WORDS[claim.cause].name(is_won=claim.value > 0)
    return (words.text if words else "", words.verdict if words else None, cause)


def _unknown(by: str, *known: str) -> InvalidInput:
    return InvalidInput(f"A frame has one row for each {' or '.join(known)}, not for each {by!r}.")
