"""Correcting a judged answer."""

import asyncio
from dataclasses import dataclass

from faithview.domain.errors import InvalidSample
from faithview.domain.result import State, Usage
from faithview.domain.sample import Sample
from faithview.judges.base import Judge
from faithview.judges.capabilities import SupportsRewriting
from faithview.services.guard.check import GuardCheck
from faithview.services.guard.correction.edits import Edit, apply_edits
from faithview.services.guard.correction.local import correct_locally
from faithview.services.guard.correction.parts import places_of
from faithview.services.guard.correction.rewriting import Rewriting, rewrite_sentences
from faithview.wording.verdicts import STATE_SENTENCES


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """An answer with what is not supported changed or removed; nobody has judged it again.

    `answer` is the given one where nothing was changed. Between the `edits` it is the given answer to the byte. `notes`
    say what could not be corrected, in sentences. `check` is what the guard found in the given answer; `usage` is what
    that and the correction cost.
    """

    answer: str
    changed: bool
    edits: tuple[Edit, ...]
    notes: tuple[str, ...]
    check: GuardCheck
    usage: Usage


async def correct_answer(check: GuardCheck, sample: Sample | InvalidSample, judge: Judge) -> Correction:
    """Correct an answer by its judgement; `usage` is what the correction alone costs.

    Args:
        check: the judgement.
        sample: the answer with its chunks, or why they make no sample.
        judge: who judged; its model rewrites sentences if it has one.
    """
    result = check.result
    if isinstance(sample, InvalidSample) or result.state is not State.JUDGED:
        return _unchanged(check, check.reason or STATE_SENTENCES[result.state])
    if not check.issues:
        return _unchanged(check)
    rewriting = Rewriting()
    if isinstance(judge, SupportsRewriting):
        rewriting = await rewrite_sentences(check, sample, judge)
    # The longest answer takes seconds, in which the guard judges other answers.
    draft = await asyncio.to_thread(
        correct_locally,
        check.answer,
        check.issues,
        places_of(result.claims),
        sample.chunks,
        rewritten=rewriting.edits,
    )
    answer = apply_edits(check.answer, draft.edits)
    return Correction(
        answer=answer,
        changed=answer != check.answer,
        edits=draft.edits,
        notes=(*rewriting.notes, *draft.notes),
        check=check,
        usage=rewriting.usage,
    )


def _unchanged(check: GuardCheck, *notes: str) -> Correction:
    return Correction(answer=check.answer, changed=False, edits=(), notes=notes, check=check, usage=Usage())
