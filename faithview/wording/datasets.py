"""Words for data sets: what changed between versions, what is held out, and that rows were judged before."""

from collections.abc import Sequence
from typing import Protocol

from faithview.domain.dataset import VersionChange
from faithview.domain.run import Run
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
    return f"these rows were judged {'; '.join(judged)}. They are judged again as a run of their own."


def judged_before_markdown(runs: Sequence[Run]) -> str:
    """Write the same in Markdown, with the newest run alone, and what can be done."""
    run = runs[0]
    more = f", and in {fmt.plural(len(runs) - 1, 'earlier run')}" if len(runs) > 1 else ""
    return (
        f"**These rows were judged before:** in *{fmt.literal(run.name)}* by {fmt.literal(run.judge.name)} on "
        f"{fmt.day(run.created_at)}{more}. Open that run, or judge them again: the two runs can then be compared."
    )
