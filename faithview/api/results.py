"""What the functions return: results with their answers, runs, comparisons; each as a frame and in a notebook."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Literal, Self

from faithview.documents.answers import CheckDocument
from faithview.documents.comparison import ChangedClaim
from faithview.documents.runs import RunDocument, RunFigures, RunsDocument
from faithview.domain.certainty import Certainty
from faithview.domain.claim import Verdict
from faithview.domain.errors import InvalidInput
from faithview.domain.result import Result
from faithview.domain.run import RunSummary
from faithview.domain.sample import Sample
from faithview.formats.files.report import RowProblem
from faithview.services.comparison.compare import compare_runs
from faithview.services.comparison.compared_runs import Comparison
from faithview.services.comparison.comparison_document import (
    changed_claim_words,
    compare_document,
    list_broken,
)
from faithview.services.container import Store
from faithview.services.reports.notebook import show_table
from faithview.services.results import RunTroubles, iterate_answers, list_troubles
from faithview.wording import numbers as fmt
from faithview.wording.comparison import compared_words, left_out_words
from faithview.wording.corrected_score import corrected_line
from faithview.wording.findings import answer_lines, claim_reasons, run_lines
from faithview.wording.plain_text import printable
from faithview.wording.verdict_styles import STYLES, claim_verdict_words, style_name

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = ["ComparedRuns", "Evaluation", "JudgedAnswer", "RunList", "compared_runs", "evaluation_of"]

# What a notebook shows of a run and of a comparison.
_SHOWN_CHANGES = 10
_SHOWN_ANSWERS = 10
_SHOWN_PROBLEMS = 5


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
        return cls(**_values(Result, result), sample=sample, row=row, claim_ids=claim_ids)

    def to_pandas(self) -> "DataFrame":
        """Return a pandas frame with one row per claim: its answer's key and its number, then the keys of the JSON."""
        return _claim_frame([self])

    def to_dict(self) -> dict[str, Any]:
        """Return the document that `faithview check --json` prints; `json.dumps` takes it."""
        return CheckDocument.of(self).to_dict()

    def __str__(self) -> str:
        """Return the score and the claims in lines, as `faithview check` prints them."""
        return _printable_lines(answer_lines(self, self.sample))

    def _repr_html_(self) -> str:
        if not self.claims:
            return show_table(f"{self.sample.answer}\n{self}", (), ())
        rows = [
            [
                str(number),
                _verdict_words(claim.verdict, certainty),
                claim.text,
                "\n".join(claim_reasons(claim, self.sample)),
            ]
            for number, (claim, certainty) in enumerate(zip(self.claims, self.certainties, strict=True), start=1)
        ]
        lines = [self.sample.question, self.sample.answer, f"{answer_lines(self, self.sample)[0]} (judge {self.judge})"]
        return show_table("\n".join(filter(None, lines)), ("", "Verdict", "Claim", "Reason"), rows)


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
        """Return a pandas frame with one row per answer or claim.

        An answer's columns are its key, row, segment, texts and number of chunks, the keys of `faithview check --json`,
        with claims counted by verdict, and then "extra.NAME", the other columns of the data. A claim's are those of
        `JudgedAnswer.to_pandas`. Answers without claims are in the frame of answers only.

        Args:
            by: "answer" or "claim".

        Raises:
            InvalidInput: `by` is something else.
        """
        if by == "claim":
            return _claim_frame(self.results)
        if by != "answer":
            raise _unknown(by, "answer", "claim")
        return _frame(map(_answer_row, self.results))

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as the document that `faithview evaluate --json` prints."""
        return RunDocument.of(self.summary, troubles=self.troubles).to_dict()

    def __str__(self) -> str:
        """Return the figures in lines, as `faithview run show` prints them."""
        return _printable_lines(run_lines(self.summary))

    def _repr_html_(self) -> str:
        lines = [str(self)]
        if unread := self.summary.run.rows_left_out:
            lines.append(f"{fmt.plural(unread, 'row')} could not be read and {fmt.verb(unread, 'is', 'are')} left out.")
            lines += map(str, self.unread[:_SHOWN_PROBLEMS])
        lowest = sorted((r for r in self.results if r.faithfulness is not None), key=lambda r: r.faithfulness or 0.0)
        rows = [
            [
                result.sample.key,
                fmt.share(result.faithfulness),
                result.sample.question or "",
                "\n".join(
                    f"{_verdict_words(claim.verdict, certainty)}: {claim.text}"
                    for claim, certainty in zip(result.claims, result.certainties, strict=True)
                    if claim.verdict is not Verdict.SUPPORTED
                ),
            ]
            for result in lowest[:_SHOWN_ANSWERS]
        ]
        head = ("Lowest answers", "Faithfulness", "Question", "Claims that are not supported")
        return show_table("\n".join(lines), head, rows)


class RunList(list[RunSummary]):
    """The runs of a store with their figures, the newest answers first."""

    def __init__(self, summaries: Iterable[RunSummary], store: Store) -> None:
        super().__init__(summaries)
        self._store = store

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
        runs = [RunFigures.of(s, troubles=list_troubles(self._store, s.run.run_id)) for s in self]
        return RunsDocument(runs=runs).to_dict()

    def to_pandas(self) -> "DataFrame":
        """Return a pandas frame with one row per run and the keys of `faithview run list --json`; the store is open.

        Segments, errors and repairs are left out: they are lists of their own.
        """
        own = ("segments", "errors", "repairs", "gaps")
        return _frame({key: value for key, value in run.items() if key not in own} for run in self.to_dict()["runs"])

    def _repr_html_(self) -> str:
        rows = [
            [
                s.run.name,
                fmt.STATUS_WORDS[s.run.status],
                fmt.day(s.run.as_of),
                s.run.judge.name,
                fmt.score(s.score),
                fmt.count(s.rows - s.score.judged),
                fmt.percent(s.coverage),
            ]
            for s in self
        ]
        head = ("Run", "Status", "Answers of", "Judge", "Faithfulness", "Left out", "Coverage")
        return show_table(fmt.plural(len(rows), "run"), head, rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedRuns(Comparison):
    """Two runs compared on the answers that both have.

    `difference` is the mean difference with its interval and n. `is_regression` is true if the candidate is
    significantly worse. `broken` are the claims behind the worst regressions, by
    the rows of both runs. `store` is the store of both.
    """

    broken: Mapping[tuple[int, int], Sequence[ChangedClaim]] = field(default_factory=dict, repr=False)
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
        """Return a pandas frame with one row per changed answer, segment or cause; the store must be open.

        The columns are the keys of `changes`, `segments` and `causes` of `faithview compare --json`. Unchanged pairs of
        answers have no row; `difference.pairs` counts all pairs.

        Args:
            by: "answer", "segment" or "cause".

        Raises:
            InvalidInput: `by` is something else.
        """
        parts = {"answer": "changes", "segment": "segments", "cause": "causes"}
        if by not in parts:
            raise _unknown(by, *parts)
        return _frame(self.to_dict()[parts[by]])

    def _repr_html_(self) -> str:
        left_out = f"left out: {left_out_words(self.pairing)}"
        text = "\n".join([str(self), left_out, *(caution.text for caution in self.cautions)])
        rows = [
            [
                f"{change.key} {change.question or ''}",
                fmt.share(change.baseline),
                fmt.share(change.candidate),
                "\n".join(map(changed_claim_words, self.broken[change.baseline_row, change.candidate_row])),
            ]
            for change in self.worse[:_SHOWN_CHANGES]
        ]
        return show_table(text, ("Worst answers", "Before", "After", "Claims"), rows)


def compared_runs(store: Store, baseline: str, candidate: str) -> ComparedRuns:
    """Return the comparison of two stored runs as the API gives it; raises as `compare_runs` does."""
    comparison = compare_runs(store, baseline, candidate)
    broken = list_broken(store, comparison, comparison.worse[:_SHOWN_CHANGES])
    return ComparedRuns(**_values(Comparison, comparison), broken=broken, store=store)


def evaluation_of(store: Store, summary: RunSummary, *, unread: tuple[RowProblem, ...] = ()) -> Evaluation:
    """Return a stored run as the API gives it."""
    run_id = summary.run.run_id
    return Evaluation(
        summary=summary,
        results=tuple(
            JudgedAnswer.of(one.result, one.sample, row=one.position, claim_ids=one.claim_ids)
            for one in iterate_answers(store, run_id)
        ),
        unread=unread,
        troubles=list_troubles(store, run_id),
    )


def _printable_lines(lines: Iterable[str]) -> str:
    return "\n".join(map(printable, lines))


def _values(kind: type[Any], record: Any) -> dict[str, Any]:
    return {item.name: getattr(record, item.name) for item in fields(kind)}


def _frame(rows: Iterable[dict[str, Any]]) -> "DataFrame":
    """Return items of a JSON document, one a row: an object has a column for each of its keys, NAME.KEY."""
    import pandas

    return pandas.json_normalize(list(rows), max_level=1).convert_dtypes()


def _place(result: JudgedAnswer) -> dict[str, Any]:
    return {"key": result.sample.key or None, "row": result.row, "segment": result.sample.segment}


def _claim_frame(results: Iterable[JudgedAnswer]) -> "DataFrame":
    return _frame(
        {
            **_place(result),
            "claim_number": number,
            "claim_id": result.claim_ids[number - 1] if result.claim_ids else None,
            **claim,
        }
        for result in results
        for number, claim in enumerate(result.to_dict()["claims"], start=1)
    )


def _answer_row(result: JudgedAnswer) -> dict[str, Any]:
    sample, document = result.sample, result.to_dict()
    del document["schema_version"]
    return {
        **_place(result),
        "question": sample.question,
        "answer": sample.answer,
        "reference": sample.reference,
        "timestamp": sample.timestamp,
        "chunks": len(sample.chunks),
        **document,
        "claims": {"all": len(result.claims), **{v.value: result.verdicts.count(v) for v in Verdict}},
        "extra": dict(sample.extra),
    }


def _verdict_words(verdict: Verdict, certainty: Certainty) -> str:
    return f"{STYLES[style_name(verdict, certainty)].glyph} {claim_verdict_words(verdict, certainty)}"


def _unknown(by: str, *known: str) -> InvalidInput:
    return InvalidInput(f"A frame has one row for each {' or '.join(known)}, not for each {by!r}.")
