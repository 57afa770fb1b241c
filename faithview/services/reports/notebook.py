"""Results, runs and comparisons in a notebook: HTML without scripts and external files, with every text escaped."""

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from faithview.domain.certainty import Certainty
from faithview.domain.claim import Claim, Verdict
from faithview.domain.result import Result, State
from faithview.domain.run import RunStatus, RunSummary
from faithview.domain.sample import Sample
from faithview.formats.files.report import RowProblem
from faithview.services.comparison.compared_runs import Comparison
from faithview.services.reports.rendering import Piece, Quoted, mark_claims, mark_evidence, render
from faithview.wording import numbers as fmt
from faithview.wording.corrected_score import corrected_line
from faithview.wording.findings import coverage_words, faithful_word, unsupported_words
from faithview.wording.verdict_styles import (
    STATE_SENTENCES,
    STATE_WORDS,
    claim_verdict_words,
    correction_lead,
    count_words,
    style_name,
)

# A notebook stores its output in its file, so the output is kept small.
_MOST_CHARACTERS = 4_000
_MOST_CLAIMS = 30
_MOST_ANSWERS = 10
_MOST_PROBLEMS = 5
_MOST_RUNS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class _Claim:
    number: int
    style: str
    words: str
    text: str
    explanation: str
    correction: str
    evidence: Sequence[Quoted]
    is_open: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    question: str | None
    pieces: Sequence[Piece]
    cut: int
    caution: str
    claims: Sequence[_Claim]
    more_claims: int


def show_answer(sample: Sample, result: Result) -> str:
    """Return one judged answer with its claims marked; claims that are not fully supported are unfolded."""
    return render(
        "notebook_answer.html", heading=_heading(result), judge=result.judge, shown=_to_shown_answer(sample, result)
    )


def show_run(summary: RunSummary, answers: Sequence[tuple[Sample, Result]], unread: Sequence[RowProblem] = ()) -> str:
    """Return a run: its score with interval, n and left-out answers; folded, the answers with the lowest scores."""
    low = sorted(
        ((sample, result) for sample, result in answers if (result.faithfulness or 0.0) < 1 and _is_judged(result)),
        key=lambda pair: pair[1].faithfulness or 0.0,
    )
    status = summary.run.status
    return render(
        "notebook_run.html",
        summary=summary,
        run_line=fmt.run_line(summary.run, with_status=status is not RunStatus.COMPLETE),
        unread=[str(problem) for problem in unread[:_MOST_PROBLEMS]],
        coverage=coverage_words(summary),
        states={STATE_WORDS[State(state)]: count for state, count in summary.states.items() if count},
        claim_words=count_words({Verdict(name): count for name, count in summary.claims.items()}),
        answers=[(s.key, r.faithfulness, _to_shown_answer(s, r)) for s, r in low[:_MOST_ANSWERS]],
        more=max(0, len(low) - _MOST_ANSWERS),
    )


def show_runs(summaries: Sequence[RunSummary]) -> str:
    """Return a table of runs."""
    shown = summaries[:_MOST_RUNS]
    words = ["" if s.run.status is RunStatus.COMPLETE else fmt.STATUS_WORDS[s.run.status] for s in shown]
    return render(
        "notebook_runs.html",
        runs=list(zip(shown, words, strict=True)),
        more=max(0, len(summaries) - _MOST_RUNS),
    )


def show_comparison(
    comparison: Comparison, broken: Mapping[tuple[int, int], Sequence[tuple[str, Verdict | None, str]]]
) -> str:
    """Return a comparison: the difference with its interval and n, left-out answers, and the worst regressions.

    Args:
        comparison: the comparison.
        broken: by the rows of both runs, the claims that broke or were fixed: text, current verdict, and cause.
    """
    regressed = [change for change in comparison.changes if (change.difference or 0.0) < 0]
    shown = [change for change in regressed if (change.baseline_row, change.candidate_row) in broken]
    return render(
        "notebook_comparison.html",
        comparison=comparison,
        finding=_finding(comparison),
        corrected=corrected_line(comparison.corrected).removesuffix(".") if comparison.corrected is not None else "",
        unscored=sum(comparison.pairing.unscored.values()),
        changes=[(change, broken[change.baseline_row, change.candidate_row]) for change in shown],
        more=len(regressed) - len(shown),
    )


def _finding(comparison: Comparison) -> str:
    if not comparison.is_significant:
        return "The difference is not statistically significant."
    return "The difference is statistically significant."


def _heading(result: Result) -> str:
    if result.faithfulness is None:
        return f"{STATE_WORDS[result.state].capitalize()}."
    score = f"faithfulness {fmt.share(result.faithfulness)}, threshold {fmt.share(result.threshold)}"
    return f"{faithful_word(result).capitalize()}: {unsupported_words(Counter(result.verdicts))} ({score})."


def _to_shown_answer(sample: Sample, result: Result) -> _Answer:
    pieces, cut = _truncate(mark_claims(sample.answer, result.claims, result.verdicts, result.certainties))
    caution = "" if _is_judged(result) else result.error or STATE_SENTENCES[result.state]
    # If not all are shown, those that are not fully supported come first.
    numbered = list(zip(itertools.count(1), result.claims, result.certainties))
    if len(numbered) > _MOST_CLAIMS:
        numbered = sorted(sorted(numbered, key=_place)[:_MOST_CLAIMS], key=lambda item: item[0])
    return _Answer(
        question=sample.question,
        pieces=pieces,
        cut=cut,
        caution=caution,
        claims=[_to_shown_claim(number, claim, certainty, sample) for number, claim, certainty in numbered],
        more_claims=len(result.claims) - len(numbered),
    )


def _to_shown_claim(number: int, claim: Claim, certainty: Certainty, sample: Sample) -> _Claim:
    correction = f"{correction_lead(claim.correction, sample.chunks)}{claim.correction}" if claim.correction else ""
    return _Claim(
        number=number,
        style=style_name(claim.verdict, certainty),
        words=claim_verdict_words(claim.verdict, certainty),
        text=claim.text,
        explanation=claim.explanation,
        correction=correction,
        evidence=mark_evidence(claim, sample),
        is_open=_place((number, claim, certainty)) < _SUPPORTED,
    )


def _truncate(pieces: Sequence[Piece]) -> tuple[list[Piece], int]:
    """Return the beginning of a marked text, and the number of characters left out."""
    shown: list[Piece] = []
    room = _MOST_CHARACTERS
    for piece in pieces:
        if room <= 0:
            break
        shown.append(piece if len(piece.text) <= room else Piece(piece.text[:room], piece.mark))
        room -= len(piece.text)
    return shown, sum(len(piece.text) for piece in pieces) - sum(len(piece.text) for piece in shown)


def _is_judged(result: Result) -> bool:
    return result.state is State.JUDGED


_SUPPORTED = 2


def _place(item: tuple[int, Claim, Certainty]) -> int:
    """Return which claims are shown first: those that are not fully supported, then those that should be checked."""
    _, claim, certainty = item
    if claim.verdict is not Verdict.SUPPORTED:
        return 0
    return 1 if certainty.is_near_cut else _SUPPORTED
