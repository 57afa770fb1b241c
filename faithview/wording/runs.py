"""Words for data sets: what changed between versions, what is held out, and that rows were judged before."""

from collections.abc import Sequence
from typing import Protocol

from faithview.domain.dataset import VersionChange
from faithview.domain.result import Usage
from faithview.domain.retention import OldRun
from faithview.domain.run import Run, RunContents
from faithview.domain.series import Placement
from faithview.wording import numbers as fmt


class Counts(Protocol):
    """How many rows and questions there are, and how many of them are held out."""

    @property
    def rows(self) -> int:
        """Rows."""
        ...

    @property
    def questions(self) -> int:
        """Questions that they are about."""
        ...

    @property
    def held_out_rows(self) -> int:
        """Rows that are held out."""
        ...

    @property
    def held_out_questions(self) -> int:
        """Questions that are held out."""
        ...


def change_words(change: VersionChange) -> str:
    """Write what changed since the version before: "6 rows changed, 2 added, 1 removed, 109 kept"."""
    parts = [
        (change.changed, "changed"),
        (change.added, "added"),
        (change.removed, "removed"),
        (change.kept, "kept"),
    ]
    named = [(number, word) for number, word in parts if number]
    if not named:
        return "no row"
    (number, word), *rest = named
    return ", ".join([f"{fmt.plural(number, 'row')} {word}", *(f"{fmt.count(n)} {w}" for n, w in rest)])


def counts_words(counts: Counts) -> str:
    """Write how many rows there are and how many are held out, as a sentence."""
    rows = f"{fmt.plural(counts.rows, 'row')} on {fmt.plural(counts.questions, 'question')}"
    if not counts.held_out_rows:
        return f"{rows}, none held out."
    held_out = fmt.plural(counts.held_out_questions, "question")
    return f"{rows}, {fmt.plural(counts.held_out_rows, 'row')} on {held_out} held out."


def judged_before(runs: Sequence[Run]) -> str:
    """Write in which runs exactly these rows were judged already; the run that was made last first."""
    judged = [f"in run {run.run_id} ({run.name!r}) by {run.judge.name} on {fmt.day(run.created_at)}" for run in runs]
    return f"these rows were judged {'; '.join(judged)}. They are judged again as a separate run."


def judged_before_markdown(runs: Sequence[Run]) -> str:
    """Write the same in Markdown, with the newest run alone, and what can be done."""
    run = runs[0]
    more = f", and in {fmt.plural(len(runs) - 1, 'earlier run')}" if len(runs) > 1 else ""
    return (
        f"**These rows were judged before:** in *{fmt.literal(run.name)}* by {fmt.literal(run.judge.name)} on "
        f"{fmt.day(run.created_at)}{more}. Open that run, or judge them again: the two runs can then be compared."
    )


def placement_words(placement: Placement) -> str:
    """Return which series a new run joined or began, why, and how to change that; plain text for a terminal."""
    share = fmt.percent(placement.share)
    if placement.by_ids:
        return f"Added to the series {placement.series!r}: {share} of the ids are also in its newest run."
    if placement.joins:
        return (
            f"Added to the series {placement.series!r}: {share} of the questions are also in its newest run, and "
            "neither has ids. To separate them, move the run in its menu on Answers."
        )
    return (
        f"Started the series {placement.series!r}: {share} of the questions are also in {placement.alike!r}, but the "
        "ids are not. If it is the same application, move the run in its menu on Answers."
    )


def same_application_markdown(placement: Placement) -> str:
    """Return the question, in Markdown, whether a file belongs to a series over the same questions."""
    name = f"*{fmt.literal(placement.series if placement.joins else placement.alike or '')}*"
    why = "and neither has ids" if placement.joins else "but the ids are not"
    return f"{fmt.percent(placement.share)} of the questions are also in {name}, {why}. Is it the same application?"


def contents_words(contents: RunContents) -> str:
    """Return what is deleted with a run as a list in plain text: "12 answers, 40 claims and 7 labels by Ada"."""
    parts = [fmt.plural(contents.answers, "answer"), fmt.plural(contents.claims, "claim")]
    if contents.labels:
        given = sum(contents.labels.values())
        parts.append(f"{fmt.plural(given, 'label')} by {fmt.listed(list(contents.labels))}")
    if contents.spot_checks:
        noun = "the spot-check" if len(contents.spot_checks) == 1 else "the spot-checks"
        parts.append(f"{noun} {fmt.listed([repr(name) for name in contents.spot_checks])}")
    if contents.shortened_spot_checks:
        noun = "part of the spot-check" if len(contents.shortened_spot_checks) == 1 else "parts of the spot-checks"
        parts.append(f"{noun} {fmt.listed([repr(name) for name in contents.shortened_spot_checks])}")
    return fmt.listed(parts)


def deleted_words(runs: int, answers: int, logged: int, *, keep_scores: bool) -> str:
    """Say what is deleted: "2 runs with 80 answers, and the texts of 3 logged answers"."""
    whole = f"{fmt.plural(runs, 'run')} with {fmt.plural(answers, 'answer')}"
    what = f"the texts of {whole}" if keep_scores else whole
    texts = f"the texts of {fmt.plural(logged, 'logged answer')}"
    return ", and ".join([*([what] if runs else []), *([texts] if logged else [])]) or "nothing"


def spared_words(run: OldRun) -> str:
    """Say why an old run is kept."""
    if run.is_busy:
        return f"Run {run.run_id} ({run.name!r}) is kept: it is being judged, or its file is being read."
    checks = ", ".join(map(repr, run.open_checks))
    kept = f"Run {run.run_id} ({run.name!r}) is kept for its open spot-check {checks}"
    return f"{kept}; --include-open-spot-checks deletes it too."


def judging_words(run: Run, usage: Usage) -> str:
    """Return how long judging took and what it cost, in plain text; "" before any of it is stored.

    A judge that calls no model costs nothing. Calls without a known price have an unknown cost.
    """
    if not run.seconds:
        return ""
    if not usage.llm_calls:
        cost = "no new calls" if usage.cached_calls else "no calls to a model"
    else:
        cost = f"{fmt.plural(usage.llm_calls, 'call')}, "
        cost += "cost unknown" if usage.cost_usd is None else fmt.dollars(usage.cost_usd)
    return f"judged in {fmt.duration(run.seconds)}, {cost}"
