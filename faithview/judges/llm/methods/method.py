"""What a method is, and helpers that several of them share."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from faithview.domain.claim import Claim, Evidence, Mismatch, Verdict
from faithview.domain.result import State, Weakness, weakness_warning
from faithview.domain.sample import Sample
from faithview.domain.spans import Span, merge_spans
from faithview.judges.llm.asking import Asker
from faithview.judges.llm.replies.anchoring import anchor_pieces, cited_chunks, evidence_from
from faithview.judges.llm.replies.reading import Repairs
from faithview.judges.llm.replies.schemas import Extraction, Questions, Quote, SingleReply
from faithview.judges.text.sentences import plain_lines, plain_words, split_sentences, tidy, trim

_GIVEN = r"(?:provided|given|retrieved|supplied|available|above|cited)"
_CHUNKS = (
    rf"(?:(?:{_GIVEN}\s+)?(?:chunks?|passages?|context|excerpts?|snippets?|search\s+results?)"
    rf"|{_GIVEN}\s+(?:texts?|documents?|information|sources?|materials?|content|data|documentation)"
    rf"|(?:texts?|documents?|information|sources?|materials?)\s+{_GIVEN})"
)
_THE = r"(?:the|these|this|those|any\s+of\s+the|your|all)"
_TELL = (
    r"(?:mention|say|state|specify|contain|provide|include|give|address|discuss|tell|cover|explain|indicate|describe|"
    r"clarify|reveal|list|disclose|show|define)"
)
_DENIES = (
    rf"(?:(?:do(?:es)?\s+not|do(?:es)?n['’]t|did\s+not|didn['’]t|fails?\s+to|never)\s+(?:\w+ly\s+)?{_TELL}s?\b"
    r"|(?:contains?|gives?|provides?|has|have|includes?)\s+no\b|makes?\s+no\s+mention\b|says?\s+nothing\b|(?:is|are)\s+silent\b)"
)
_NOT_TOLD = rf"(?:is|are|was|were)(?:\s+not|n['’]t)\s+(?:\w+ly\s+)?{_TELL}e?d\b"
_LEAD = r"\W*(?:(?:however|unfortunately|but|and|also|additionally|note\s+that|the\s+answer\s+\w+\s+that)\W+)*"

_REMARK = re.compile(
    rf"{_LEAD}(?:"
    rf"none\s+of\s+(?:{_THE}\s+)?{_CHUNKS}\s+{_TELL}s?\b"
    rf"|(?:{_THE}\s+)?{_CHUNKS}(?:\s+(?:that\s+(?:was|were)\s+)?{_GIVEN})?\s+{_DENIES}"
    rf"|(?:there\s+is\s+|I\s+(?:found|see|have)\s+)?no\s+(?:\w+\s+){{0,2}}(?:information|mention|details?)\b.*\b(?:in|by|from)\s+"
    rf"(?:{_THE}\s+)?{_CHUNKS}"
    rf"|.*\b{_NOT_TOLD}\s+(?:\w+\s+)?(?:in|by|within)\s+(?:{_THE}\s+)?{_CHUNKS}"
    r").*",
    re.IGNORECASE | re.DOTALL,
)
# Text after one of these is a separate statement.
_GOES_ON = re.compile(r"\b(?:but|however|although|though|yet|while|whereas|instead|so|therefore)\b|[;:]", re.IGNORECASE)

_LONGEST = 400


def is_remark(statement: str) -> bool:
    """Return whether a statement says only what the chunks do not tell ("The passages do not mention a price.")."""
    if len(statement) > _LONGEST or _REMARK.fullmatch(statement) is None:
        return False
    lead = re.match(_LEAD, statement, re.IGNORECASE)
    return _GOES_ON.search(statement, lead.end() if lead else 0) is None


NO_QUOTE_GIVEN = "No quote given."

# The factor on a judge's confidence. A verdict that nothing shows is little better than a guess; a claim that is
# not found in the answer is mostly one in other words.
_KEPT = {Weakness.UNQUOTED: 0.5, Weakness.UNPLACED: 0.75}


def needs_quote(verdict: Verdict) -> bool:
    """Return whether a verdict rests on words of a chunk: every one but *not mentioned* does."""
    return verdict is not Verdict.NOT_MENTIONED


def weaknesses_of(claim: Claim) -> tuple[Weakness, ...]:
    """Return what of a claim's ruling a reader cannot check; nothing where all of it can be checked."""
    is_unquoted = needs_quote(claim.verdict) and not any(item.is_verified for item in claim.evidence)
    found = {Weakness.UNQUOTED: is_unquoted, Weakness.UNPLACED: not claim.is_anchored}
    return tuple(weakness for weakness, is_found in found.items() if is_found)


def weigh(claim: Claim) -> Claim:
    """Return the claim with less confidence for each weakness, and with a mark if it has no quote at all.

    The confidence is lowered, and the support score moves as much closer to a half.
    """
    weaknesses = weaknesses_of(claim)
    kept = 1.0
    for weakness in weaknesses:
        kept *= _KEPT[weakness]
    is_marked = Weakness.UNQUOTED in weaknesses and not claim.evidence
    return replace(
        claim,
        confidence=None if claim.confidence is None else claim.confidence * kept,
        support_score=None if claim.support_score is None else 0.5 + (claim.support_score - 0.5) * kept,
        explanation=f"{claim.explanation} {NO_QUOTE_GIVEN}".strip() if is_marked else claim.explanation,
    )


def _letters(text: str) -> int:
    return sum(character.isalnum() for character in text)


# An answer with a smaller share of its letters in the words of its claims is not covered.
_COVERED = 0.5


def weakness_warnings(claims: Sequence[Claim], answer: str | None, *, is_cut: bool) -> tuple[str, ...]:
    """Return a warning for each weakness that an answer or its claims have, with the number of claims that have it.

    Args:
        claims: the answer's claims. While one has no place in the answer, it is not known how much they cover.
        answer: the answer; None if the model was asked only about some of its claims.
        is_cut: whether the judge did not look at all of it, which is said elsewhere and leaves a part uncovered.
    """
    found = [weakness for claim in claims for weakness in weaknesses_of(claim)]
    is_known = bool(claims) and not is_cut and Weakness.UNPLACED not in found
    if answer is not None and is_known and covered_share(claims, answer) < _COVERED:
        found.append(Weakness.UNCOVERED)
    return tuple(weakness_warning(weakness, found.count(weakness)) for weakness in Weakness if weakness in found)


def covered_share(claims: Iterable[Claim], answer: str) -> float:
    """Return the share of the answer's letters and digits that are in the words of a claim.

    Statements about the chunks, which are not claims, count on neither side.
    """
    covered = merge_spans([(span.start, span.end) for claim in claims for span in claim.spans])
    places = [place for place in sentences_of(answer) if not is_remark(answer[slice(*place)])]
    whole = sum(_letters(answer[start:end]) for start, end in places)
    inside = sum(_letters(answer[max(a, start) : min(b, end)]) for a, b in covered for start, end in places)
    return inside / whole if whole else 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The outcome of a method: claims (or sentences, or questions, as claims), and the method's own score in [0, 1].

    `score` is None if the method has only the share of supported claims. `suggestions` are advice on the whole answer.
    """

    state: State
    claims: tuple[Claim, ...] = ()
    suggestions: tuple[str, ...] = ()
    score: float | None = None
    metrics: Mapping[str, float] = field(default_factory=dict)


class Method(ABC):
    """A way to judge one answer by asking a model.

    Attributes:
        name: the method's name as in `--method`.
        steps: the prompts it uses, the last of which says what counts as support; a user's own prompt replaces it.
    """

    name: str
    steps: tuple[str, ...]

    @property
    def label(self) -> str:
        """The name with everything in the method that can change a verdict."""
        return self.name

    @property
    def main_step(self) -> str:
        """The prompt that says what counts as support."""
        return self.steps[-1]

    @abstractmethod
    async def judge(self, sample: Sample, asker: Asker) -> Outcome:
        """Judge one answer that has text and chunks.

        Raises:
            JudgeFailed: it could not be judged.
        """


def nothing_claimed(*, abstained: bool) -> Outcome:
    """Return the outcome of an answer that makes no claim."""
    return Outcome(state=State.ABSTAINED if abstained else State.NO_CLAIMS)


def check_abstained(reply: Extraction | SingleReply | Questions, listed: Sequence[object]) -> list[str]:
    """Return what a list of no claims lacks: whether the answer says that it cannot tell."""
    return [] if listed or "abstained" in reply.model_fields_set else ["abstained is missing"]


def quote_flaws(said: Verdict | str, quotes: Sequence[Quote], sample: Sample) -> list[str]:
    """Return what is wrong with the quotes that a verdict rests on: there must be one from a chunk."""
    if said is Verdict.NOT_MENTIONED:
        return []  # nothing can be quoted for what is absent
    if any(item.is_verified for item in evidence_from(quotes, sample, Repairs())):
        return []
    last = len(sample.chunks)
    strange = [quote.chunk for quote in quotes if not 1 <= quote.chunk <= last]
    if strange:
        return [f"quotes chunk {strange[0]}, which does not exist: the last is {last}"]
    return [f"is {said}, but no quote of it is in a chunk; copy words of a chunk"]


def make_claim(
    text: str,
    verdict: Verdict,
    spans: tuple[Span, ...],
    asker: Asker,
    *,
    quotes: Sequence[Quote],
    wrong: str = "",
    **fields: Any,
) -> Claim:
    """Return a claim with its quotes and wrong words in their places.

    The quotes for a claim that is *not mentioned* are the nearest passages: its verdict rests on no chunk.

    Args:
        text: the claim.
        verdict: its verdict.
        spans: its places in the answer.
        asker: has the answer with its chunks, and counts what had to be repaired.
        quotes: what the model quotes from the chunks.
        wrong: the words of the answer that are wrong, copied by the model; "" if it names none.
        fields: the other fields of the claim.
    """
    evidence = evidence_from(quotes, asker.sample, asker.repairs)
    against = next((item for item in evidence if item.is_verified), None) if verdict is Verdict.CONTRADICTED else None
    return Claim(
        text=text,
        verdict=verdict,
        spans=spans,
        supporting_chunk_ids=cited_chunks(evidence) if needs_quote(verdict) else (),
        evidence=evidence,
        mismatches=() if verdict is Verdict.SUPPORTED else _mismatches(wrong, spans, asker.sample.answer, against),
        **fields,
    )


def _mismatches(wrong: str, spans: Sequence[Span], answer: str, against: Evidence | None) -> tuple[Mismatch, ...]:
    """Return the places of the wrong words in the claim; none if they are not there, or are all of it."""
    if not wrong.strip() or not spans:
        return ()
    start, end = min(span.start for span in spans), max(span.end for span in spans)
    found = [(start + place.start, start + place.end) for place in anchor_pieces(answer[start:end], wrong)]
    within = merge_spans([(a, b) for a, b in found if any(s.start <= a and b <= s.end for s in spans)])
    if sum(_letters(answer[a:b]) for a, b in within) >= sum(_letters(span.of(answer)) for span in spans):
        return ()
    if against is None or against.span is None:
        return tuple(Mismatch(a, b) for a, b in within)
    return tuple(Mismatch(a, b, against.chunk_id, against.span.start, against.span.end) for a, b in within)


def sentences_of(answer: str) -> list[tuple[int, int]]:
    """Return the places of the answer's sentences, line by line; sentences without a letter or digit are left out.

    Citation marks and Markdown are not a part of them: "Within 30 days.[1] Sale items are final." has two.
    """
    plain = plain_words(plain_lines(answer))
    ranges = []
    start = 0
    for line in plain.splitlines(keepends=True):
        first, last = trim(plain, start, start + len(line))
        start += len(line)
        if first < last:
            ranges += split_sentences(plain, first, last)
    return [(a, b) for a, b in ranges if any(c.isalnum() for c in plain[a:b])]


def sentence_text(answer: str, place: tuple[int, int]) -> str:
    """Return a sentence of the answer as it reads, without marks."""
    return tidy(plain_words(plain_lines(answer[slice(*place)])))
