"""Correct a judged answer: unsupported parts are removed or put right, and nothing else changes.

Without a model, a chunk's value replaces a wrong one, single list elements or brackets are removed, and other
unsupported parts are removed as a whole (`removal`). `rewriting` has a judge's model rewrite sentences instead.

"""

import asyncio
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from faithview.domain.claim import Claim, Mismatch, Verdict
from faithview.domain.errors import InvalidSample
from faithview.domain.result import State, Usage
from faithview.domain.sample import Chunk, Sample
from faithview.judges.base import Judge
from faithview.judges.capabilities import SupportsRewriting
from faithview.judges.lexical.comparing.edits import Alignment, align, differs_in_class
from faithview.judges.lexical.comparing.edits import Edit as AlignedEdit
from faithview.judges.lexical.passages.equality import can_differ, is_same
from faithview.judges.lexical.passages.values import Kind, Value, find_values
from faithview.judges.lexical.records.schedule import clock_like
from faithview.judges.lexical.splitting.claims import split_answer
from faithview.judges.text.lexicon import FUNCTION_WORDS, word_set
from faithview.judges.text.sentences import Range, split_sentences_quickly
from faithview.judges.text.tokens import Token, tokenize
from faithview.services.guard.check import GuardCheck, Issue
from faithview.services.guard.edits import Edit, apply_edits, merged
from faithview.services.guard.removal import Place, places_of, remove
from faithview.services.guard.rewriting import Rewriting, rewrite_sentences
from faithview.wording.numbers import listed
from faithview.wording.verdict_styles import STATE_SENTENCES

_BEFORE = re.compile(r"(?P<comma>,)?\s(?P<word>(?:and|or)\s)?\Z")
_AFTER = re.compile(r"(?P<comma>,\s?)?(?P<word>\s?(?:and|or)\s)?")
_LONGEST_SEPARATOR = 6
_MOST_WORDS = 3

# "between A and B", "both A and B", "A rather than B": such a list needs all its elements.
_NEEDS_ALL = word_set("between both either neither from whether than")


class Cut(NamedTuple):
    """An edit: `[start, end)` of the answer becomes `text`."""

    start: int
    end: int
    text: str = ""


def take_out(answer: str, claim: Claim) -> tuple[Cut, ...]:
    """Return how to remove a claim's words that no chunk has; empty if it cannot be done cleanly.

    Clean removals are one element of a uniform list, and one pair of brackets with all the words.
    """
    faults = claim.mismatches
    if not faults or any(fault.chunk_id is not None for fault in faults):
        return ()
    span = next((s for s in claim.spans if all(s.start <= f.start and f.end <= s.end for f in faults)), None)
    if span is None:
        return ()
    within = (span.start, span.end)
    return _brackets(answer, within, faults) or (_element(answer, within, faults[0]) if len(faults) == 1 else ())


def _brackets(answer: str, within: Range, faults: Sequence[Mismatch]) -> tuple[Cut, ...]:
    for match in re.finditer(r"[ \t]\([^()\n]*\)", answer[slice(*within)]):
        start, end = within[0] + match.start(), within[0] + match.end()
        if all(start < fault.start and fault.end < end for fault in faults):
            return (Cut(start, end),)
    return ()


def _element(answer: str, within: Range, fault: Mismatch) -> tuple[Cut, ...]:
    start, end = fault.start, fault.end
    before = _BEFORE.search(answer, max(within[0], start - _LONGEST_SEPARATOR), start)
    after = _AFTER.match(answer, end, within[1])
    if before is None or after is None or not _looks_like_element(answer[start:end]):
        return ()
    if before["word"]:
        return _last(answer, within, fault, Cut(before.start(), end), before["word"])
    if before["comma"] and after["word"]:
        # "A, B and C" without B; two elements need no comma: "A, B, and C" becomes "A and C".
        has_more = _comma_before(answer, within[0], before.start(), answer[start:end]) is not None
        stop = end + 1 if after["comma"] and not has_more else end
        return (Cut(before.start(), stop),)
    if before["comma"] and after["comma"]:
        return (Cut(before.start(), end),)
    return ()


def _last(answer: str, within: Range, fault: Mismatch, cut: Cut, word: str) -> tuple[Cut, ...]:
    """Return how to remove the element after "and"; the "and" then moves before the new last element."""
    if answer[fault.end : fault.end + 1] not in ("", ".", ",", ";", ")", "!", "\n") and fault.end < within[1]:
        return ()  # "A and B are": the verb is for two
    alike = answer[fault.start : fault.end]
    comma = _comma_before(answer, within[0], cut.start, alike)
    if comma is not None:
        second = _comma_before(answer, within[0], comma, alike)
        is_oxford = answer[cut.start] == "," and second is not None
        return Cut(comma, comma + 2, f", {word}" if is_oxford else f" {word}"), cut
    words = tokenize(answer, within[0], fault.start)
    if "," in answer[within[0] : cut.start] or any(token.word.lower in _NEEDS_ALL for token in words):
        return ()
    return (cut,)


def _comma_before(answer: str, start: int, end: int, alike: str) -> int | None:
    """Return where the comma before the element that ends here is; None if no element ends here."""
    at = answer.rfind(", ", start, end)
    if at < 0:
        return None
    element = answer[at + 2 : end].rstrip(", ")
    is_alike = _looks_like_element(element) and element[:1].isupper() == alike[:1].isupper()
    return at if is_alike else None


def _looks_like_element(text: str) -> bool:
    tokens = tokenize(text)
    if not 1 <= len(tokens) <= _MOST_WORDS or any(token.word.lower in FUNCTION_WORDS for token in tokens):
        return False
    is_small = len(tokens) == 1
    return is_small or all(text[token.start].isupper() or text[token.start].isdigit() for token in tokens)


# How many of the claim's other words the sentence must have, in order; and how many directly next to the value.
_REPEATED = 0.6
_BESIDE = 3
# Longer sentences of a chunk are not matched: matching takes quadratic time in the number of words.
_MOST_TOKENS = 400
_LONGEST_NAME = 4
_LONGEST_PARTICLE = 3

# A record has no sentences to compare: the judge found the value by its field.
_RECORD_MARKS = frozenset('{}|[]"')


class Replacement(NamedTuple):
    """`[start, end)` of the answer, the words of a chunk that replace it, and the chunk."""

    start: int
    end: int
    text: str
    chunk_id: str


class _Sides(NamedTuple):
    """A claim in the answer, and the sentence of a chunk that contradicts it."""

    answer: str
    claim: Range
    chunk: str
    sentence: Range
    mismatch: Mismatch


def find_replacements(answer: str, claim: Claim, chunks: Mapping[str, str]) -> tuple[Replacement, ...]:
    """Return the values and names of chunks that correct a claim, in order; empty unless every error has one.

    A value is used only if it certainly corresponds: claim and sentence match around it, or each has exactly one value
    of that kind. Other values that differ in the same way are then replaced as well, because the judge may name one
    difference of two ("24 months on Team and 36 on Scale").

    Args:
        answer: the answer.
        claim: a claim with mismatches.
        chunks: the chunks' texts by their ids.
    """
    found: dict[Range, Replacement] = {}
    for mismatch in claim.mismatches:
        replacements = list(_of_mismatch(answer, claim, mismatch, chunks))
        if not any(r.start < mismatch.end and mismatch.start < r.end for r in replacements):
            return ()
        found |= {(r.start, r.end): r for r in replacements}
    ordered = sorted(found.values())
    is_apart = all(one.end <= other.start for one, other in pairwise(ordered))
    return tuple(ordered) if is_apart else ()


def _of_mismatch(answer: str, claim: Claim, mismatch: Mismatch, chunks: Mapping[str, str]) -> Iterator[Replacement]:
    span = next((s for s in claim.spans if s.start <= mismatch.start and mismatch.end <= s.end), None)
    if mismatch.chunk_id is None or mismatch.chunk_id not in chunks or span is None:
        return
    chunk = chunks[mismatch.chunk_id]
    sentence = _sentence_with(chunk, mismatch.chunk_start, mismatch.chunk_end)
    sides = _Sides(answer, (span.start, span.end), chunk, sentence, mismatch)
    mine, theirs = tokenize(answer, *sides.claim), tokenize(chunk, *sentence)
    if len(theirs) <= _MOST_TOKENS:
        alignment = align(mine, theirs, chunk)
        pairs = [
            pair for edit in alignment.edits if (pair := _differing_words(sides, edit, alignment, mine)) is not None
        ]
        if any(a < mismatch.end and mismatch.start < b for (a, b), _ in pairs):
            for (a, b), text in pairs:
                yield Replacement(a, b, text, mismatch.chunk_id)
            return
    lone = _lone_value(sides)
    if lone is not None:
        yield Replacement(*lone, mismatch.chunk_id)


def _sentence_with(chunk: str, start: int, end: int) -> Range:
    sentences = split_sentences_quickly(chunk, 0, len(chunk))
    return next(((a, b) for a, b in sentences if a <= start and end <= b), (start, end))


def _differing_words(
    sides: _Sides, edit: AlignedEdit, alignment: Alignment, tokens: Sequence[Token]
) -> tuple[Range, str] | None:
    """Return the claim's differing words and the chunk's; None if they are not a value or name."""
    repeated = alignment.matched / max(1, len(tokens) - len(edit.mine))
    if not edit.mine or not edit.theirs or edit.before + edit.after < _BESIDE or repeated < _REPEATED:
        return None
    mine = (edit.mine[0].start, edit.mine[-1].end)
    theirs = (edit.theirs[0].start, edit.theirs[-1].end)
    value, other = _value_of(sides.answer, sides.claim, mine), _value_of(sides.chunk, sides.sentence, theirs)
    if value is not None and other is not None:
        return _exchange(sides, value, other)
    return _word_pair(sides, edit, mine, theirs)


def _value_of(text: str, within: Range, words: Range) -> Value | None:
    """Return the one value that all these words belong to."""
    for value in find_values(text, *within):
        if value.start <= words[0] and words[1] <= value.end:
            return value
    return None


def _exchange(sides: _Sides, mine: Value, theirs: Value) -> tuple[Range, str] | None:
    if not can_differ(mine, theirs) or is_same(mine, theirs):
        return None
    text = sides.chunk[theirs.start : theirs.end]
    written = sides.answer[mine.start : mine.end]
    if mine.kind is Kind.TIME:
        text = clock_like(text, written)
    is_plural_at_stake = (mine.number == 1) != (theirs.number == 1) and mine.kind in (Kind.NUMBER, Kind.QUANTITY)
    if is_plural_at_stake and _next_word(sides.answer, mine.end) != _next_word(sides.chunk, theirs.end):
        return None
    # Capitals depend on the place: "Two weeks" at the beginning of a sentence.
    if written[:1].isupper() and text[:1].islower():
        text = text[:1].upper() + text[1:]
    return (mine.start, mine.end), text


def _next_word(text: str, at: int) -> str:
    tokens = tokenize(text, at, min(len(text), at + 40))
    return tokens[0].word.lower if tokens else ""


def _word_pair(sides: _Sides, edit: AlignedEdit, mine: Range, theirs: Range) -> tuple[Range, str] | None:
    is_fault = (mine[0] < sides.mismatch.end and sides.mismatch.start < mine[1]) and (
        theirs[0] < sides.mismatch.chunk_end and sides.mismatch.chunk_start < theirs[1]
    )
    is_name = _is_name(sides.answer, edit.mine) and _is_name(sides.chunk, edit.theirs)
    if not is_fault or not (is_name or _is_of_one_class(edit)):
        return None
    if edit.before == 0 and (mine[0] == sides.claim[0]) != (theirs[0] == sides.sentence[0]):
        return None  # a capital letter at the beginning of a sentence does not make a name
    text = sides.chunk[slice(*theirs)]
    if _article(sides.answer, mine[0]) != _article(sides.chunk, theirs[0]):
        return None
    return mine, text


def _is_name(text: str, tokens: Sequence[Token]) -> bool:
    inside = text[tokens[0].start : tokens[-1].end]
    if len(tokens) > _LONGEST_NAME or any(mark in inside for mark in ",;:.\n"):
        return False
    return all(
        text[token.start].isupper() or text[token.start].isdigit() or _is_particle(token, tokens) for token in tokens
    )


def _is_particle(token: Token, name: Sequence[Token]) -> bool:
    """Return whether a word is the "am" of "Frankfurt am Main"."""
    return token not in (name[0], name[-1]) and token.end - token.start <= _LONGEST_PARTICLE


def _is_of_one_class(edit: AlignedEdit) -> bool:
    """Return whether both are single words that exclude each other and fit the same sentence: "weekly", "daily"."""
    if len(edit.mine) != 1 or len(edit.theirs) != 1 or not edit.before or not edit.after:
        return False
    mine, theirs = edit.mine[0].word.lower, edit.theirs[0].word.lower
    return _is_plural(mine) == _is_plural(theirs) and differs_in_class(edit.mine, edit.theirs)


def _is_plural(word: str) -> bool:
    return word.endswith("s") and not word.endswith("ss")


def _article(text: str, at: int) -> str:
    before = text[max(0, at - 4) : at].lower().split()
    return before[-1] if before and before[-1] in ("a", "an") else ""


def _lone_value(sides: _Sides) -> tuple[int, int, str] | None:
    """Return the replacement of the claim's value by the chunk's if each has just one candidate."""
    mismatch = sides.mismatch
    mine = _value_of(sides.answer, sides.claim, (mismatch.start, mismatch.end))
    theirs = _value_of(sides.chunk, sides.sentence, (mismatch.chunk_start, mismatch.chunk_end))
    if mine is None or theirs is None:
        return None
    if sum(can_differ(mine, value) for value in find_values(sides.answer, *sides.claim)) != 1:
        return None
    is_record = not _RECORD_MARKS.isdisjoint(sides.chunk[slice(*sides.sentence)])
    if not is_record and sum(can_differ(mine, value) for value in find_values(sides.chunk, *sides.sentence)) != 1:
        return None
    exchange = _exchange(sides, mine, theirs)
    return None if exchange is None else (*exchange[0], exchange[1])


NOTHING_LEFT = "Nothing in this answer is supported, so there is nothing to keep."

_REASONS: Mapping[Verdict, str] = {
    Verdict.CONTRADICTED: "The chunks contradict this.",
    Verdict.NOT_MENTIONED: "The chunks do not mention this.",
    Verdict.PARTIALLY_SUPPORTED: "The chunks support only a part of this.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """Edits of an answer, and notes for readers of the corrected one."""

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
    """Return the edits that correct or remove the answer's issues.

    Args:
        answer: the answer.
        issues: the claims that are not fully supported.
        kept: the places of the supported claims. They are unchanged, except for the case of a letter that becomes the
            beginning of a sentence.
        chunks: the chunks that the answer was judged by.
        rewritten: edits that replace sentences with rewritten ones.
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
    draft = Draft(edits=merged(edits), notes=tuple(_correction_notes(issues, removal.stuck, removal.miscounted)))
    if gone and not (kept or right or _abstains(apply_edits(answer, draft.edits))):
        return Draft(notes=(NOTHING_LEFT,))
    return draft


def _outside(issue: Issue, rewritten: Sequence[Edit]) -> list[Place]:
    """Return the places of an issue outside rewritten sentences."""
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
    """Return the edits that correct a claim without removing it; empty unless they are certain to."""
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
        Edit(start=start, end=end, replacement=text, claim_numbers=(issue.number,), reason="No chunk states this.")
        for start, end, text in take_out(answer, issue.claim)
    ]


def _is_free(edit: Edit, places: Sequence[Place], edits: Sequence[Edit]) -> bool:
    """Return whether an edit overlaps neither a claim that is kept nor another edit."""
    taken = [*((p.start, p.end) for p in places), *((e.start, e.end) for e in edits)]
    return not any(start < edit.end and edit.start < end for start, end in taken)


def _with_reason(edit: Edit, reasons: Mapping[int, str]) -> Edit:
    if edit.reason or not edit.claim_numbers:
        return edit
    return replace(edit, reason=" ".join(dict.fromkeys(reasons[number] for number in edit.claim_numbers)))


def _abstains(answer: str) -> bool:
    split = split_answer(answer)
    return bool(split.refusals) and not split.claims


def _correction_notes(issues: Sequence[Issue], stuck: Iterable[int], miscounted: Sequence[str]) -> list[str]:
    notes = []
    lost = [f"{issue.number}" for issue in issues if not issue.spans]
    if lost:
        notes.append(f"{_name_claims(lost)} cannot be found in the answer, so nothing was changed for it.")
    tied = [f"{number}" for number in sorted(stuck)]
    if tied:
        notes.append(f"{_name_claims(tied)} could not be removed without removing supported words.")
    notes += [f"“{' '.join(line.split())}” may state a larger number than the list now has." for line in miscounted]
    return notes


def _name_claims(numbers: Sequence[str]) -> str:
    return f"{'Claim' if len(numbers) == 1 else 'Claims'} {listed(numbers)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """An answer with its unsupported parts changed or removed; it was not judged again.

    `answer` is the given one if nothing was changed. Outside the `edits` it equals the given answer byte for byte.
    `notes` are sentences saying what could not be corrected. `check` is the check of the given answer; `usage` is the
    cost of the check and the correction.
    """

    answer: str
    changed: bool
    edits: tuple[Edit, ...]
    notes: tuple[str, ...]
    check: GuardCheck
    usage: Usage


async def correct_answer(check: GuardCheck, sample: Sample | InvalidSample, judge: Judge) -> Correction:
    """Correct an answer by its judgement; `usage` is the cost of the correction alone.

    Args:
        check: the judgement.
        sample: the answer with its chunks, or why it cannot be judged.
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
    # In a thread: the longest answer takes seconds, and the guard judges other answers meanwhile.
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
