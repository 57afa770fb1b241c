"""Correcting an answer, judging it again, and keeping the better one."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from faithview.domain.claim import Verdict
from faithview.domain.errors import FaithViewError
from faithview.domain.result import Result, State, Usage
from faithview.services.guard.check import GuardCheck
from faithview.services.guard.correction.correct import Correction
from faithview.services.guard.correction.edits import Edit, composed
from faithview.wording.numbers import plural, share
from faithview.wording.terminal_text import printable

# A second correction sees what only the second judgement found; a third has not been seen to help.
_MOST_ROUNDS = 2

Check = Callable[[str], Awaitable[GuardCheck]]
Correct = Callable[[GuardCheck], Awaitable[Correction]]


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardedAnswer:
    """An answer that was judged, corrected if it did not pass, and judged again.

    `answer` is the corrected one where it is better, else the given one. `passed` says whether it may be sent; `before`
    judges the given answer and `after` the returned one. `edits` make the one of the other, with offsets into the given
    answer. `notes` say what could not be corrected, and where a correction was discarded. `usage` is what all calls
    cost together.
    """

    answer: str
    changed: bool
    passed: bool
    before: GuardCheck
    after: GuardCheck
    edits: tuple[Edit, ...]
    notes: tuple[str, ...]
    usage: Usage

    def __str__(self) -> str:
        """Return the judgement of the returned answer in lines, and the answer itself."""
        lead = "corrected, " if self.changed else ""
        return f"{lead}{self.after}\n{printable(self.answer)}"


class GuardBlocked(FaithViewError):
    """An answer was not good enough to be sent, and there was nothing to send instead.

    Attributes:
        check: what the guard found; a `GuardedAnswer` where it tried to correct the answer.
        result: the judge's result on the given answer.
    """

    def __init__(self, check: GuardCheck | GuardedAnswer) -> None:
        before = check.before if isinstance(check, GuardedAnswer) else check
        super().__init__(f"The answer is blocked. {before.reason}")
        self.check = check
        self.result: Result = before.result


def rank_of(check: GuardCheck) -> tuple[bool, bool, int, float, int]:
    """Return how good an answer is, the greater the better.

    First whether it passes, then whether it was judged, then how few claims are contradicted, then its faithfulness,
    then how much it says.
    """
    verdicts = check.result.verdicts
    score = -1.0 if check.score is None else check.score
    is_judged = check.result.state is not State.FAILED
    return check.passed, is_judged, -verdicts.count(Verdict.CONTRADICTED), score, verdicts.count(Verdict.SUPPORTED)


async def guard_answer(before: GuardCheck, *, check: Check, correct: Correct) -> GuardedAnswer:
    """Correct an answer that does not pass and judge it again, twice where that helps; never return a worse one."""
    best, usage = before, before.result.usage
    edits: tuple[Edit, ...] = ()
    notes: list[str] = []
    if not before.passed:
        for _ in range(_MOST_ROUNDS):
            correction = await correct(best)
            usage += correction.usage
            notes += [note for note in correction.notes if note not in notes]
            if not correction.changed:
                break
            after = await check(correction.answer)
            usage += after.result.usage
            refusal = _why_no_better(best, after)
            if refusal:
                notes.append(refusal)
                break
            edits = composed(before.answer, edits, correction.edits, before.issues) if edits else correction.edits
            best = after
            if best.passed:
                break
    return GuardedAnswer(
        answer=best.answer,
        changed=best.answer != before.answer,
        passed=best.passed,
        before=before,
        after=best,
        edits=edits,
        notes=tuple(notes),
        usage=usage,
    )


def _why_no_better(before: GuardCheck, after: GuardCheck) -> str:
    """Return why a corrected answer is discarded; "" where it is better."""
    if after.result.state is State.FAILED:
        return f"The corrected answer was discarded. {after.reason}"
    if after.result.state is State.NO_CLAIMS:
        return "The corrected answer was discarded: nothing was left that states a fact."
    if rank_of(after) > rank_of(before):
        return ""
    return f"The corrected answer was discarded because it is no better: {_figures(after)}; before, {_figures(before)}."


def _figures(check: GuardCheck) -> str:
    contradicted = check.result.verdicts.count(Verdict.CONTRADICTED)
    return f"faithfulness {share(check.score)} with {plural(contradicted, 'contradicted claim')}"
