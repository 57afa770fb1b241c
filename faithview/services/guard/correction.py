"""Correct a judged answer: wrong values are put right, other unsupported sentences go, and nothing else changes.

A judge with a model rewrites the unsupported sentences first. What it leaves, and what another judge found, is
corrected from the judgement alone: the chunk's value replaces the answer's, and sentences, list items and table rows
without a supported claim are removed. Nothing here judges the result: the guard does, and keeps it if it is better.

"""

import asyncio
import logging
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, islice, pairwise, takewhile
from typing import NamedTuple

from markdown_it import MarkdownIt

from faithview.domain.claim import Verdict
from faithview.domain.errors import InvalidSample
from faithview.domain.result import State, Usage
from faithview.domain.sample import Sample
from faithview.judges.base import Judge
from faithview.judges.capabilities import FlawedSentence, SupportsRewriting
from faithview.judges.lexical.passages.values import find_values
from faithview.judges.lexical.splitting.claims import split_answer
from faithview.judges.text.sentences import Range, split_sentences, trim
from faithview.services.guard.check import GuardCheck, Issue
from faithview.wording.numbers import plural
from faithview.wording.verdict_styles import STATE_SENTENCES

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """`[start, end)` of the given answer becomes `replacement`; "" removes the words.

    Offsets are code points. Edits are in the order of the answer and do not overlap. `claim_numbers` are the claims
    that caused it, from 1; `reason` is a sentence.
    """

    start: int
    end: int
    replacement: str
    claim_numbers: tuple[int, ...]
    reason: str


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


async def correct_answer(
    check: GuardCheck, sample: Sample | InvalidSample, judge: Judge, *, only_removes: bool = False
) -> Correction:
    """Correct an answer by its judgement; `usage` is the cost of the correction alone.

    Args:
        check: the judgement.
        sample: the answer with its chunks, or why it cannot be judged.
        judge: who judged; its model rewrites sentences if it has one.
        only_removes: whether sentences are only removed, and neither rewritten nor put right.
    """
    result = check.result
    if isinstance(sample, InvalidSample) or result.state is not State.JUDGED:
        return _unchanged(check, check.reason or STATE_SENTENCES[result.state])
    if not check.issues:
        return _unchanged(check)
    edits, notes, usage = list[Edit](), list[str](), Usage()
    if isinstance(judge, SupportsRewriting) and not only_removes:
        edits, notes, usage = await _rewrite(check, sample, judge)
    # In a thread: the longest answer takes seconds, and the guard judges other answers meanwhile.
    edits, left = await asyncio.to_thread(_correct_locally, check, sample, edits, only_removes=only_removes)
    answer = apply_edits(check.answer, edits)
    return Correction(
        answer=answer,
        changed=answer != check.answer,
        edits=tuple(edits),
        notes=(*notes, *left),
        check=check,
        usage=usage,
    )


def _unchanged(check: GuardCheck, *notes: str) -> Correction:
    return Correction(answer=check.answer, changed=False, edits=(), notes=notes, check=check, usage=Usage())


NOTHING_LEFT = "Nothing in this answer is supported, so there is nothing to keep."
_STUCK = "Some unsupported words stay: they share a sentence with a supported claim, or were not found in the answer."


def _correct_locally(
    check: GuardCheck, sample: Sample, rewritten: Sequence[Edit], *, only_removes: bool
) -> tuple[list[Edit], list[str]]:
    """Return all edits, with those that rewrite sentences, and notes on what could not be corrected."""
    answer = check.answer
    texts = {chunk.chunk_id: chunk.text for chunk in sample.chunks}
    edits = list(rewritten)
    taken = [(edit.start, edit.end) for edit in rewritten]
    supported = [c for c in check.result.claims if c.verdict is Verdict.SUPPORTED]
    kept = [*taken, *((span.start, span.end) for claim in supported for span in claim.spans)]
    faults: list[Issue] = []
    for issue in check.issues:
        places = [(span.start, span.end) for span in issue.spans]
        if any(_touches(place, taken) for place in places):
            continue
        better = [] if only_removes else _put_right(answer, issue, texts)
        if better and not any(_touches((edit.start, edit.end), kept) for edit in better):
            edits += better
            kept += places
        else:
            faults.append(issue)
    removals = _remove(answer, faults, kept)
    cut = [(edit.start, edit.end) for edit in removals]  # with whitespace, which another edit may touch
    edits = [edit for edit in edits if not _touches((edit.start, edit.end), cut)]
    edits = sorted([*edits, *removals], key=lambda edit: edit.start)
    if removals and not kept and not split_answer(apply_edits(answer, edits)).refusals:
        return [], [NOTHING_LEFT]
    changed = {number for edit in edits for number in edit.claim_numbers}
    return edits, [] if changed.issuperset(issue.number for issue in faults) else [_STUCK]


# A value or a name has hardly ever more words; a judge may also name a whole sentence that says otherwise.
_MOST_WORDS = 4


def _put_right(answer: str, issue: Issue, texts: Mapping[str, str]) -> list[Edit]:
    """Return the edits that put a chunk's words in the place of a claim's; empty unless each wrong word has some."""
    edits: list[Edit] = []
    for at in sorted(issue.claim.mismatches):
        old = answer[at.start : at.end]
        new = texts.get(at.chunk_id or "", "")[at.chunk_start : at.chunk_end]
        is_one_kind = bool(find_values(old)) is bool(find_values(new))
        if not new.strip() or max(len(old.split()), len(new.split())) > _MOST_WORDS or not is_one_kind or old == new:
            return []
        if edits and at.start < edits[-1].end:
            return []
        if old[:1].isupper():  # "Two weeks" at the beginning of a sentence
            new = new[:1].upper() + new[1:]
        reason = f"Chunk {at.chunk_id} says “{new}”."
        edits.append(Edit(start=at.start, end=at.end, replacement=new, claim_numbers=(issue.number,), reason=reason))
    return edits


_REASONS = {
    Verdict.CONTRADICTED: "The chunks contradict this.",
    Verdict.NOT_MENTIONED: "The chunks do not mention this.",
    Verdict.PARTIALLY_SUPPORTED: "The chunks support only a part of this.",
}
_INTRODUCES_NOTHING = "Everything that this introduces was removed."


def _remove(answer: str, faults: Sequence[Issue], kept: Sequence[Range]) -> list[Edit]:
    """Return the edits that remove every sentence with a fault and nothing kept, and what introduces only such."""
    blocks = _read_blocks(answer)
    wrong = [(span.start, span.end) for issue in faults for span in issue.spans]
    gone = {
        sentence
        for block in blocks
        for sentence in block.sentences
        if _touches(sentence, wrong) and not _touches(sentence, kept)
    }
    for number, block in reversed(list(enumerate(blocks))):
        last = block.sentences[-1]
        is_announcing = answer[slice(*last)].rstrip("*_ ").endswith(":")
        if (is_announcing or block.kind in ("heading_open", "table_open")) and not _touches(last, kept):
            below = _below(blocks, number)
            if below and all(gone.issuperset(other.sentences) for other in below):
                gone.add(last)
    whole = {(block.start, block.end) for block in blocks if gone.issuperset(block.sentences)}
    cuts = [*_cuts(answer, [(block.start, block.end) for block in blocks], whole)]
    for block in blocks:
        if (block.start, block.end) not in whole:
            cuts += _cuts(answer, block.sentences, gone)
    edits = []
    for start, end in cuts:
        numbers = _numbers_at(start, end, faults)
        reasons = (_REASONS[issue.claim.verdict] for issue in faults if issue.number in numbers)
        reason = " ".join(dict.fromkeys(reasons)) or _INTRODUCES_NOTHING
        edits.append(Edit(start=start, end=end, replacement="", claim_numbers=numbers, reason=reason))
    return edits


def _below(blocks: Sequence["_Block"], number: int) -> list["_Block"]:
    """Return what belongs to a block: the items of a lead-in, the rows of a head, all of a section."""
    depth = blocks[number].depth
    return list(takewhile(lambda block: block.depth > depth, islice(blocks, number + 1, None)))


def _cuts(answer: str, pieces: Sequence[Range], gone: Container[Range]) -> Iterator[Range]:
    """Yield what to cut out to be rid of these pieces, with the whitespace on one side; the wider gap remains."""
    for is_gone, group in groupby(range(len(pieces)), lambda number: pieces[number] in gone):
        if not is_gone:
            continue
        run = list(group)
        start, end = pieces[run[0]][0], pieces[run[-1]][1]
        before = pieces[run[0] - 1][1] if run[0] else None
        after = pieces[run[-1] + 1][0] if run[-1] + 1 < len(pieces) else None
        if after is None or (
            before is not None and answer.count("\n", before, start) <= answer.count("\n", end, after)
        ):
            yield start if before is None else before, end
        else:
            yield start, after


# Indented text, HTML and definitions of links are text that people read, with claims in it; marks inside a line are not
# asked for.
_UNREAD = ["code", "html_block", "reference", "inline"]
_LINE_END = re.compile(r"\r\n?|\n")
# A line that begins with a small letter continues the sentence before it.
_NEW_LINE = re.compile(r"[\r\n](?![ \t>]*[a-z\n])")


class _Block(NamedTuple):
    """`[start, end)` of an answer: a paragraph (or that of a list item), a heading, code, or a table's head or row.

    `kind` is the name of markdown-it's token. A block belongs to the last one before it that has less `depth`. Only
    paragraphs have several sentences.
    """

    kind: str
    start: int
    end: int
    depth: int
    sentences: tuple[Range, ...]


def _read_blocks(answer: str) -> list[_Block]:
    lines = [0, *(match.end() for match in _LINE_END.finditer(answer)), len(answer)]
    blocks = []
    # A reader for each answer: its first use is not safe in two threads.
    tokens = MarkdownIt("commonmark").enable("table").disable(_UNREAD).parse(answer)
    for token, inside in zip(tokens, [*tokens[1:], None], strict=True):
        kind, depth = token.type, token.level
        is_leaf = kind in ("paragraph_open", "heading_open", "table_open", "tr_open", "fence", "hr")
        if not is_leaf or token.map is None or (inside is not None and inside.type == "th_open"):
            continue
        first, last = token.map
        if kind == "table_open":  # its head with the rule below; each row is a block of its own
            depth, last = depth + 1, first + 2
        elif kind == "heading_open":
            depth = int(token.tag[1]) - 10
        start, end = trim(answer, lines[first], lines[min(last, len(lines) - 1)])
        sentences: tuple[Range, ...] = ((start, end),)
        if kind == "paragraph_open" and inside is not None:  # an item's marker is not part of its first sentence
            text = answer.index(inside.content.split("\n")[0], start)
            sentences = _sentences(answer, text, end) or sentences
        blocks.append(_Block(kind, start, end, depth, sentences))
    return blocks


def _sentences(answer: str, start: int, end: int) -> tuple[Range, ...]:
    sentences: list[Range] = []
    for line in pairwise([start, *(match.end() for match in _NEW_LINE.finditer(answer, start, end)), end]):
        for sentence in split_sentences(answer, *line):
            is_mark = not any(character.isalpha() for character in answer[slice(*sentence)])  # as "[2]", a citation
            if sentences and (is_mark or _is_open(answer[slice(*sentences[-1])])):
                sentences[-1] = sentences[-1][0], sentence[1]
            else:
                sentences.append(sentence)
    return tuple(sentences)


def _is_open(text: str) -> bool:
    """Return whether a bracket or mark in a text has its partner after it, and would be left without one."""
    has_bracket = any(text.count(pair[0]) > text.count(pair[1]) for pair in ("()", "[]", "“”", "«»"))
    return has_bracket or any(text.count(mark) % 2 for mark in ("**", '"', "`"))


async def _rewrite(check: GuardCheck, sample: Sample, judge: SupportsRewriting) -> tuple[list[Edit], list[str], Usage]:
    """Have the judge's model rewrite the sentences with issues; return the edits, the problems and the cost."""
    answer, wrong = check.answer, [(span.start, span.end) for issue in check.issues for span in issue.spans]
    blocks = [block for block in await asyncio.to_thread(_read_blocks, answer) if block.kind == "paragraph_open"]
    places = [sentence for block in blocks for sentence in block.sentences if _touches(sentence, wrong)]
    if not places:
        return [], [], Usage()
    sentences = []
    for place in places:
        claims = [c for c in check.result.claims if any(_touches(place, [(s.start, s.end)]) for s in c.spans)]
        right = tuple(claim for claim in claims if claim.verdict is Verdict.SUPPORTED)
        flawed = tuple(claim for claim in claims if claim.verdict is not Verdict.SUPPORTED)
        sentences.append(FlawedSentence(text=answer[slice(*place)], wrong=flawed, right=right))
    try:
        writing = await judge.rewrite(sample, sentences)
    except Exception as error:  # noqa: BLE001 - noted for the caller and logged whole
        # A plug-in judge may raise any error, and a guard must not fail because of an answer.
        _log.exception("Judge %s failed to rewrite", judge.fingerprint)
        return [], [f"{_NOT_REWRITTEN} {type(error).__name__}: {error}"], Usage()
    if writing.error is not None or len(writing.texts) != len(places):
        reason = writing.error or f"{len(writing.texts)} texts came for {plural(len(places), 'sentence')}."
        return [], [f"{_NOT_REWRITTEN} {reason}"], writing.usage
    known = _words("\n".join([*(chunk.text for chunk in sample.chunks), sample.question or ""]))
    edits, refused = [], 0
    for place, sentence, reply in zip(places, sentences, writing.texts, strict=True):
        text = " ".join(reply.split())
        if not text or text == sentence.text:
            continue  # it is corrected without the model
        if _adds_something(text, sentence.text, known):
            refused += 1
            continue
        numbers = _numbers_at(*place, check.issues)
        reason = f"Rewritten by {writing.writer}."
        edits.append(Edit(start=place[0], end=place[1], replacement=text, claim_numbers=numbers, reason=reason))
    notes = [f"{plural(refused, 'rewritten sentence')} added new content and was rejected."] if refused else []
    return edits, notes, writing.usage


_NOT_REWRITTEN = "The model could not rewrite the answer, so it was corrected without one:"

# How much longer a rewriting may be: another value has more digits, a limit more words.
_LONGER, _MORE_CHARACTERS = 1.25, 40
_MARKUP = ("<", "](", "`", "|", "**")
_WORD = re.compile(r"\w+(?:[^\s\w]+\w+)*")


def _words(text: str) -> set[str]:
    return {word.casefold() for match in _WORD.finditer(text) for word in (match[0], *re.split(r"\W+", match[0]))}


def _adds_something(text: str, sentence: str, known: Container[str]) -> bool:
    """Return whether a rewriting is much longer than its sentence, or has content that neither it nor the chunks have.

    Such content is a number, a link, a mark of Markdown or HTML, or a name: a word with a capital letter, except the
    first, which may be any word. A chunk may hold instructions to a model; this keeps their links out.
    """
    if len(text) > _LONGER * len(sentence) + _MORE_CHARACTERS:
        return True
    own = _words(sentence)
    for match in _WORD.finditer(text):
        word = match[0]
        is_telling = not word.isalpha() or (match.start() > 0 and word[0].isupper())
        if is_telling and word.casefold() not in own and word.casefold() not in known:
            return True
    return any(text.count(mark) > sentence.count(mark) for mark in _MARKUP)


def apply_edits(answer: str, edits: Iterable[Edit]) -> str:
    """Return the answer with the edits applied; they are in order and do not overlap."""
    pieces, at = [], 0
    for edit in edits:
        pieces += [answer[at : edit.start], edit.replacement]
        at = edit.end
    return "".join([*pieces, answer[at:]])


def compose(first: Sequence[Edit], second: Sequence[Edit], issues: Sequence[Issue]) -> tuple[Edit, ...]:
    """Return the edits of the given answer that do `first`, and then `second` on what that made of it.

    An edit that cuts a replacement of `first` takes all of it. The second judgement numbers its claims separately, so
    its edits get the numbers of the given answer's `issues` that they overlap.
    """
    later = []
    for edit in second:
        start, end = _given_place(first, edit.start, is_end=False), _given_place(first, edit.end, is_end=True)
        later.append(replace(edit, start=start, end=end, claim_numbers=_numbers_at(start, end, issues)))
    places = [(edit.start, edit.end) for edit in later]
    earlier = [edit for edit in first if not _touches((edit.start, edit.end), places)]
    return tuple(sorted([*earlier, *later], key=lambda edit: edit.start))


def _given_place(edits: Sequence[Edit], at: int, *, is_end: bool) -> int:
    """Return where a place of the changed answer is in the given one."""
    longer = 0
    for edit in edits:
        start = edit.start + longer
        if at < start or (is_end and at == start):
            break
        if at < start + len(edit.replacement):
            return edit.end if is_end else edit.start
        longer += len(edit.replacement) - (edit.end - edit.start)
    return at - longer


def _touches(place: Range, places: Iterable[Range]) -> bool:
    return any(place[0] < end and start < place[1] for start, end in places)


def _numbers_at(start: int, end: int, issues: Sequence[Issue]) -> tuple[int, ...]:
    return tuple(i.number for i in issues if _touches((start, end), [(s.start, s.end) for s in i.spans]))
