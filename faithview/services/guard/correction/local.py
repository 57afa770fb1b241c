"""Correcting an answer without a model: a chunk's value takes the place of a wrong one, and the rest is removed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from faithview.domain.claim import Verdict
from faithview.domain.sample import Chunk
from faithview.judges.lexical.splitting.claims import split_answer
from faithview.services.guard.correction.edits import Edit, apply_edits, merged
from faithview.services.guard.correction.lists import take_out
from faithview.services.guard.correction.parts import Place
from faithview.services.guard.correction.removal import remove
from faithview.services.guard.correction.values import find_replacements
from faithview.services.guard.issue import Issue
from faithview.wording.numbers import listed

NOTHING_LEFT = "Nothing in this answer is supported, so there is nothing to keep."

_REASONS: Mapping[Verdict, str] = {
    Verdict.CONTRADICTED: "The chunks contradict this.",
    Verdict.NOT_MENTIONED: "The chunks do not mention this.",
    Verdict.PARTIALLY_SUPPORTED: "The chunks support only a part of this.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """Edits of an answer, and what a reader of the corrected one should know besides."""

    edits: tuple[Edit, ...] = ()
    notes: tuple[str, ...] = ()


def correct_locally(
    answer: str,
    issues: Sequence[Issue],
    kept: Sequence[Place],
    chunks: Iterable[Chunk],
    *,
    rewritten: Sequence[Edit] = (),
) -> Draft:
    """Return the edits that make the answer's issues right or take them out.

    Args:
        answer: the answer.
        issues: the claims that are not fully supported.
        kept: the places of the supported claims. They stay as they are, but for the case of a letter that comes to
            stand at the beginning of a sentence.
        chunks: the chunks that the answer was judged by.
        rewritten: edits that put rewritten sentences in place of others, and so are right already.
    """
    texts = {chunk.chunk_id: chunk.text for chunk in chunks}
    edits = list(rewritten)
    right = [Place(edit.start, edit.end, 0) for edit in rewritten]
    faults: list[Place] = []
    for issue in issues:
        places = _outside(issue, rewritten)
        if issue.spans and not places:
            continue
        mended = [edit for edit in _mended(answer, issue, texts) if _is_free(edit, [*kept, *faults], edits)]
        if mended:
            edits += mended
            right += places
        else:
            faults += places
    removal = remove(answer, faults, [*kept, *right])
    gone = {number for edit in removal.edits for number in edit.claim_numbers}
    reasons = {issue.number: _REASONS[issue.claim.verdict] for issue in issues}
    edits = [*edits, *(_with_reason(edit, reasons) for edit in removal.edits)]
    draft = Draft(edits=merged(edits), notes=tuple(_notes(issues, removal.stuck, removal.miscounted)))
    if gone and not (kept or right or _abstains(apply_edits(answer, draft.edits))):
        return Draft(notes=(NOTHING_LEFT,))
    return draft


def _outside(issue: Issue, rewritten: Sequence[Edit]) -> list[Place]:
    """Return the places of an issue outside the sentences that were rewritten."""
    places = []
    for span in issue.spans:
        at = span.start
        for edit in [*rewritten, None]:
            end = span.end if edit is None else min(edit.start, span.end)
            if at < end:
                places.append(Place(at, end, issue.number))
            at = max(at, span.end if edit is None else edit.end)
    return places


def _mended(answer: str, issue: Issue, texts: Mapping[str, str]) -> list[Edit]:
    """Return the edits that make a claim right without taking it out; none if there are none that surely do."""
    edits = [
        Edit(
            start=found.start,
            end=found.end,
            replacement=found.text,
            claim_numbers=(issue.number,),
            reason=f"Chunk {found.chunk_id} says “{found.text}”.",
        )
        for found in find_replacements(answer, issue.claim, texts)
    ]
    if edits or issue.claim.verdict is not Verdict.PARTIALLY_SUPPORTED:
        return edits
    return [
        Edit(start=start, end=end, replacement=text, claim_numbers=(issue.number,), reason="No chunk has this.")
        for start, end, text in take_out(answer, issue.claim)
    ]


def _is_free(edit: Edit, places: Sequence[Place], edits: Sequence[Edit]) -> bool:
    """Return whether an edit touches no words of another claim that stays, and no other edit."""
    taken = [*((p.start, p.end) for p in places), *((e.start, e.end) for e in edits)]
    return not any(start < edit.end and edit.start < end for start, end in taken)


def _with_reason(edit: Edit, reasons: Mapping[int, str]) -> Edit:
    if edit.reason or not edit.claim_numbers:
        return edit
    return replace(edit, reason=" ".join(dict.fromkeys(reasons[number] for number in edit.claim_numbers)))


def _abstains(answer: str) -> bool:
    split = split_answer(answer)
    return bool(split.refusals) and not split.claims


def _notes(issues: Sequence[Issue], stuck: Iterable[int], miscounted: Sequence[str]) -> list[str]:
    notes = []
    lost = [f"{issue.number}" for issue in issues if not issue.spans]
    if lost:
        notes.append(f"{_claims(lost)} cannot be found in the answer, so nothing was changed for it.")
    tied = [f"{number}" for number in sorted(stuck)]
    if tied:
        notes.append(f"{_claims(tied)} could not be removed without words that are supported.")
    notes += [f"“{' '.join(line.split())}” may count more than the list now has." for line in miscounted]
    return notes


def _claims(numbers: Sequence[str]) -> str:
    return f"{'Claim' if len(numbers) == 1 else 'Claims'} {listed(numbers)}"
