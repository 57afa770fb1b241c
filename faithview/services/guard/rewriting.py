"""Correct an answer with the judge's model, which rewrites only the unsupported sentences.

A rewriting that adds content is rejected; its sentence is then corrected without a model.
"""

import asyncio
import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from faithview.domain.claim import Claim, Verdict
from faithview.domain.result import Usage
from faithview.domain.sample import Sample
from faithview.judges.capabilities import FlawedSentence, SupportsRewriting, Writing
from faithview.judges.lexical.passages.equality import ValueIndex, is_same
from faithview.judges.lexical.passages.values import find_values
from faithview.judges.lexical.splitting.claims import MARKER
from faithview.judges.text.lexicon import FUNCTION_WORDS
from faithview.judges.text.sentences import Range
from faithview.judges.text.tokens import tokenize
from faithview.services.guard.check import GuardCheck
from faithview.services.guard.edits import Edit
from faithview.services.guard.removal import Kind, read_layout
from faithview.wording.numbers import plural

_log = logging.getLogger(__name__)

# How much longer a rewriting may be: another value has more digits, a limit more words.
_LONGER = 1.25
_MORE_CHARACTERS = 40

_LINK = re.compile(
    r"(?:https?://|www\.)\S+|[\w.+-]+@[\w-]+\.\w+|\b[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev)\b\S*",
    re.IGNORECASE,
)
_MARKUP = ("<", ">", "](", "```", "|", "**", "\n")
_END_MARK = re.compile(r"[.!?…。！？][\"'”’)\]*_]*\Z")
# At the beginning of a sentence, only rare words are certain to be names.
_RARE = 6.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewriting:
    """The edits that replace sentences with rewritten ones, the problems, and the cost."""

    edits: tuple[Edit, ...] = ()
    notes: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)


async def rewrite_sentences(check: GuardCheck, sample: Sample, judge: SupportsRewriting) -> Rewriting:
    """Have the judge's model rewrite the sentences with issues."""
    places = _flawed_places(check)
    if not places:
        return Rewriting()
    sentences = [_flawed(check, place) for place in places]
    try:
        writing = await judge.rewrite(sample, sentences)
    except Exception as error:  # noqa: BLE001 - noted for the caller and logged whole
        # A plug-in judge may raise any error, and a guard must not fail because of an answer.
        _log.exception("Judge %s failed to rewrite", judge.fingerprint)
        return Rewriting(notes=(_failed(f"{type(error).__name__}: {error}"),))
    if writing.error is not None or len(writing.texts) != len(places):
        reason = writing.error or f"{len(writing.texts)} texts came for {plural(len(places), 'sentence')}."
        return Rewriting(notes=(_failed(reason),), usage=writing.usage)
    # In a thread: the longest context takes seconds, and the guard judges other answers meanwhile.
    return await asyncio.to_thread(_taken_over, check, sample, places, sentences, writing)


def _taken_over(
    check: GuardCheck, sample: Sample, places: Sequence[Range], sentences: Sequence[FlawedSentence], writing: Writing
) -> Rewriting:
    known = Known.of(sample)
    edits, refused = [], 0
    for place, sentence, text in zip(places, sentences, writing.texts, strict=True):
        fitted = _fitted(sentence.text, text)
        if not fitted or fitted == sentence.text:
            continue  # it is removed unless something in it is supported
        if adds_something(fitted, sentence.text, known):
            refused += 1
            continue
        numbers = tuple(n for n, claim in enumerate(check.result.claims, start=1) if claim in sentence.wrong)
        reason = f"Rewritten by {writing.writer}."
        edits.append(Edit(start=place[0], end=place[1], replacement=fitted, claim_numbers=numbers, reason=reason))
    notes = (f"{plural(refused, 'rewritten sentence')} added new content and was rejected.",) if refused else ()
    return Rewriting(edits=tuple(edits), notes=notes, usage=writing.usage)


def _failed(reason: str) -> str:
    return f"The model could not rewrite the answer, so it was corrected without one: {reason}"


def _flawed_places(check: GuardCheck) -> list[Range]:
    spans = [span for issue in check.issues for span in issue.spans]
    blocks = [block for block in read_layout(check.answer) if block.kind in (Kind.PARAGRAPH, Kind.ITEM)]
    sentences = [place for block in blocks for place in block.sentences]
    return [(start, end) for start, end in sentences if any(s.start < end and start < s.end for s in spans)]


def _flawed(check: GuardCheck, place: Range) -> FlawedSentence:
    start, end = place
    inside = [c for c in check.result.claims if any(s.start < end and start < s.end for s in c.spans)]
    return FlawedSentence(
        text=check.answer[start:end],
        wrong=_select_claims(inside, is_right=False),
        right=_select_claims(inside, is_right=True),
    )


def _select_claims(claims: Sequence[Claim], *, is_right: bool) -> tuple[Claim, ...]:
    return tuple(claim for claim in claims if (claim.verdict is Verdict.SUPPORTED) is is_right)


def _fitted(sentence: str, text: str) -> str:
    """Return a rewriting that fits the place of the sentence: without its own marker, with the sentence's end mark."""
    fitted = text.strip()
    marker = MARKER.match(fitted)
    if marker is not None and MARKER.match(sentence) is None:
        fitted = fitted[marker.end() :]
    if "\n" not in sentence:
        fitted = " ".join(fitted.split("\n"))
    end = _END_MARK.search(sentence)
    if fitted and end is not None and _END_MARK.search(fitted) is None:
        fitted += end[0][:1]
    return fitted


@dataclass(frozen=True, slots=True)
class Known:
    """The values, names and links of the chunks and the question."""

    text: str
    words: frozenset[str]
    values: ValueIndex

    @classmethod
    def of(cls, sample: Sample) -> "Known":
        """Return the known content of a sample's chunks and question."""
        text = "\n".join([*(chunk.text for chunk in sample.chunks), sample.question or ""])
        return cls(text, frozenset(token.word.stem for token in tokenize(text)), ValueIndex(find_values(text)))


def adds_something(text: str, sentence: str, known: Known) -> bool:
    """Return whether a rewriting is much longer than its sentence, or has content that neither it nor the chunks have.

    Such content is a number, a name, a link or a mark of Markdown or HTML.
    """
    if len(text) > _LONGER * len(sentence) + _MORE_CHARACTERS:
        return True
    if any(text.count(mark) > sentence.count(mark) for mark in _MARKUP):
        return True
    links = [link[0].rstrip(".,;:!?)") for link in _LINK.finditer(text)]
    if any(link not in sentence and link not in known.text for link in links):
        return True
    return _has_new_value(text, sentence, known) or _has_new_name(text, sentence, known)


def _has_new_value(text: str, sentence: str, known: Known) -> bool:
    values = find_values(text)
    if not values:
        return False
    here = find_values(sentence)
    return any(not known.values.units_of_same(v) and not any(is_same(v, other) for other in here) for v in values)


def _has_new_name(text: str, sentence: str, known: Known) -> bool:
    words = known.words | {token.word.stem for token in tokenize(sentence)}
    for number, token in enumerate(tokenize(text)):
        is_name = text[token.start].isupper() or token.word.is_number
        if not is_name or token.word.stem in words or token.word.lower in FUNCTION_WORDS:
            continue
        if number or token.word.weight >= _RARE or token.word.is_number:
            return True
    return False
