"""What a guard's outcome says, in sentences."""

from collections.abc import Sequence

from faithview.domain.claim import Verdict
from faithview.domain.result import Result, State
from faithview.wording import numbers as fmt
from faithview.wording.verdict_styles import STATE_SENTENCES, STATE_WORDS

_PASSES = ":green[:material/check_circle:]"
_CORRECTED = ":blue[:material/edit:]"
_BLOCKED = ":orange[:material/block:]"


def sent_finding(before: Result, after: Result, *, passed: bool, changed: bool) -> str:
    """Return what would be sent in place of an answer, and why, in Markdown.

    Args:
        before: the verdicts on the given answer.
        after: those on the answer that would be sent; equal to `before` where nothing was changed.
        passed: whether the answer that would be sent passes.
        changed: whether it differs from the given one.
    """
    if passed and not changed:
        return f"{_PASSES} **Passes as it is:** {_fit(before)}"
    if passed:
        return f"{_CORRECTED} **Passes once corrected:** {_unfit(before)}; of what is left, {_fit(after)}"
    if changed:
        better = f"The corrected answer is better but does not pass: {_unfit(after)}."
        return f"{_BLOCKED} **Blocked:** {_unfit(before)}. {better}"
    return f"{_BLOCKED} **Blocked:** {_unfit(before)}."


def generation_finding(attempts: int, *, best: int, result: Result, validated: bool) -> str:
    """Return what came of generating an answer, in Markdown; `best` is the number of the best attempt, from 1."""
    tried = "at the first attempt" if attempts == 1 else f"at attempt {best}"
    if validated and result.state is State.ABSTAINED:
        return f"{_PASSES} **Passes {tried}:** the model says that the chunks do not answer the question."
    if validated:
        return f"{_PASSES} **Passes {tried}:** {_fit(result)}"
    if attempts == 1:
        return f"{_BLOCKED} **Blocked:** the only attempt does not pass: {_unfit(result)}."
    return f"{_BLOCKED} **Blocked:** none of {attempts} attempts passes. In the best, attempt {best}, {_unfit(result)}."


def score_note(result: Result | None) -> str:
    """Return the score of one answer with its n: "2 of 5 claims supported, faithfulness 0.40"; "" without a result."""
    if result is None:
        return ""
    if result.state is not State.JUDGED or result.faithfulness is None:
        return STATE_SENTENCES[result.state]
    return f"{short_score(result)}, faithfulness {fmt.share(result.faithfulness)}"


def short_score(result: Result) -> str:
    """Return how many claims are supported: "2 of 5 claims supported"; the state's word where there are none."""
    if result.state is not State.JUDGED or result.faithfulness is None:
        return STATE_WORDS[result.state]
    supported = result.verdicts.count(Verdict.SUPPORTED)
    return f"{supported} of {fmt.plural(len(result.claims), 'claim')} supported"


def claims_words(numbers: Sequence[int]) -> str:
    """Return "claim 2" or "claims 2 and 5"."""
    return f"{'claim' if len(numbers) == 1 else 'claims'} {fmt.listed([str(number) for number in numbers])}"


def _fit(result: Result) -> str:
    if result.state is not State.JUDGED or result.faithfulness is None:
        return STATE_SENTENCES[result.state][:1].lower() + STATE_SENTENCES[result.state][1:]
    total, supported = len(result.claims), result.verdicts.count(Verdict.SUPPORTED)
    if supported == total:
        every = {1: "the one claim is", 2: "both claims are"}.get(total, f"all {total} claims are")
        return f"{every} supported."
    return f"{supported} of {total} claims are supported, the others in part."


def _unfit(result: Result) -> str:
    if result.state is State.FAILED:
        return f"the answer could not be judged ({fmt.literal(result.error or 'no reason was given')})"
    if result.is_cut:
        return "the judge did not read all of the answer and its chunks"
    if result.state is not State.JUDGED:
        return STATE_SENTENCES[result.state][:1].lower() + STATE_SENTENCES[result.state][1:].rstrip(".")
    total = len(result.claims)
    bad = total - result.verdicts.count(Verdict.SUPPORTED)
    contradicted = result.verdicts.count(Verdict.CONTRADICTED)
    if total == 1:
        return "the chunks contradict its only claim" if contradicted else "its only claim is not fully supported"
    text = f"{bad} of {fmt.plural(total, 'claim')} {fmt.verb(bad, 'is', 'are')} not fully supported"
    if contradicted == bad > 0:
        return f"the chunks contradict {bad} of {fmt.plural(total, 'claim')}"
    if contradicted:
        text += f", and the chunks contradict {contradicted} of {'it' if bad == 1 else 'them'}"
    return text
