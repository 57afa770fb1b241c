"""The protocol of a method, and helpers that several of them share."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeVar, runtime_checkable

from faithview.domain.claim import Claim, Verdict
from faithview.domain.result import State, Weakness, weakness_warning
from faithview.domain.sample import Sample
from faithview.domain.spans import Span
from faithview.judges.llm.asking import Asker
from faithview.judges.llm.prompts import fence_items
from faithview.judges.llm.replies.anchoring import anchor_claims, cited_chunks, evidence_from
from faithview.judges.llm.replies.find_json import Repair, Repairs
from faithview.judges.llm.replies.schemas import ExtractedClaim, JudgedClaim, Quote, Ruling, StatedClaim
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


def weakness_warnings(claims: Iterable[Claim]) -> tuple[str, ...]:
    """Return a warning for each weakness that claims of an answer have, with the number of claims that have it."""
    found = [weakness for claim in claims for weakness in weaknesses_of(claim)]
    return tuple(weakness_warning(weakness, found.count(weakness)) for weakness in Weakness if weakness in found)


# The confidence assumed for a model that gives none, for the order of claims.
_UNSAID = 0.5

_Stated = TypeVar("_Stated", ExtractedClaim, JudgedClaim)


class Abstaining(Protocol):
    """A reply that says whether the answer abstains."""

    abstained: bool

    @property
    def model_fields_set(self) -> set[str]:
        """The fields that the model wrote."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The outcome of a method: claims (or sentences, or questions, as claims), and the method's own score in [0, 1].

    `score` is None if the method has only the share of supported claims.
    """

    state: State
    claims: tuple[Claim, ...] = ()
    suggestions: tuple[str, ...] = ()
    score: float | None = None
    metrics: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """The number of calls of one step per answer, and of tokens per reply, for an estimate."""

    step: str
    calls: float
    completion_tokens: float


class Method(Protocol):
    """A way to judge one answer by asking a model."""

    @property
    def name(self) -> str:
        """The method's name as in `--method`."""
        ...

    @property
    def label(self) -> str:
        """The name with everything in the method that can change a verdict."""
        ...

    @property
    def steps(self) -> tuple[str, ...]:
        """The prompts it uses."""
        ...

    @property
    def main_step(self) -> str:
        """The prompt that says what counts as support, which a user's own prompt replaces."""
        ...

    async def judge(self, sample: Sample, asker: Asker) -> Outcome:
        """Judge one answer that has text and chunks.

        Raises:
            JudgeFailed: it could not be judged.
        """
        ...

    def expect(self, sample: Sample) -> Sequence[Expected]:
        """Return what judging the answer will take, by experience."""
        ...


@runtime_checkable
class VerifyingMethod(Method, Protocol):
    """A method that lists an answer's claims first, and can also verify claims that are known already."""

    async def verify(self, sample: Sample, claims: Sequence[ExtractedClaim], asker: Asker) -> Outcome:
        """Verify these claims of the answer, at least one."""
        ...


def nothing_claimed(*, abstained: bool) -> Outcome:
    """Return the outcome of an answer that makes no claim."""
    return Outcome(state=State.ABSTAINED if abstained else State.NO_CLAIMS)


def expected_claims(sample: Sample) -> float:
    """Return the approximate number of claims in an answer: one for every 60 characters, at least one."""
    return max(1.0, len(sample.answer) / 60)


def ruling_flaws(ruling: Ruling, sample: Sample) -> list[str]:
    """Return what is wrong with a ruling, after its name: a verdict that rests on no words of a chunk."""
    return quote_flaws(ruling.evidence, sample, f"is {ruling.verdict.value}") if needs_quote(ruling.verdict) else []


def quote_flaws(quotes: Sequence[Quote], sample: Sample, said: str) -> list[str]:
    """Return what is wrong with quotes that something which was `said` rests on: there must be one from a chunk."""
    evidence = evidence_from(quotes, sample, Repairs())
    if any(item.is_verified for item in evidence):
        return []
    if evidence:
        return [f"{said}, but its quotes are not in the chunks; copy words of a chunk"]
    count = len(sample.chunks)
    chunks = f"chunks are 1 to {count}" if count > 1 else "chunk 1 is the only one"
    strange = sorted({quote.chunk for quote in quotes if not 1 <= quote.chunk <= count})
    return [f"quotes chunk {number}, which does not exist; {chunks}" for number in strange] or [
        f"{said}, but no chunk is quoted"
    ]


def places_of(stated: Sequence[StatedClaim], sample: Sample) -> list[tuple[Span, ...]]:
    """Return the places of claims in the answer, in their order."""
    return anchor_claims(sample.answer, [claim.quote for claim in stated], [claim.text for claim in stated])


def place_flaws(stated: StatedClaim, sample: Sample) -> list[str]:
    """Return what is wrong with a claim's words, after its name: they are not in the answer."""
    if is_remark(stated.text) or any(places_of([stated], sample)):
        return []
    return [
        "has a `quote` that is not in the answer; copy words of the answer"
        if stated.quote.strip()
        else "has no `quote`; copy the words of the answer that make it"
    ]


def listed_claims(texts: Mapping[int, str]) -> str:
    """Return claims to give again, fenced: the model has worded them, perhaps in the words of a hostile answer."""
    items = fence_items("claims", [{"claim": number, "text": text} for number, text in texts.items()])
    return f" These are the claims; keep their `text` as it is.\n\n{items}"


def only_claims(stated: Sequence[_Stated], repairs: Repairs) -> list[_Stated]:
    """Return the statements without remarks about the chunks, which are not claims."""
    claims = [claim for claim in stated if not is_remark(claim.text)]
    if len(claims) < len(stated):
        repairs.note(Repair.NO_CLAIM, len(stated) - len(claims))
    return claims


def check_no_claims(reply: Abstaining) -> list[str]:
    """Return what an answer's list of no claims lacks: whether the answer says that it cannot tell."""
    return [] if "abstained" in reply.model_fields_set else ["abstained is missing"]


def support_score(verdict: Verdict, confidence: float | None) -> float:
    """Return the probability that a claim is supported, from the verdict and how sure the model is of it.

    With full confidence, *supported* is 1 and every other verdict has its place on the scale below a half; with less
    confidence, the score is closer to a half. A model that does not say how sure it is counts as half sure.
    """
    sure = {
        Verdict.SUPPORTED: 1.0,
        Verdict.PARTIALLY_SUPPORTED: 0.4,
        Verdict.NOT_MENTIONED: 0.1,
        Verdict.CONTRADICTED: 0.0,
    }[verdict]
    return 0.5 + (sure - 0.5) * (_UNSAID if confidence is None else confidence)


def claim_from(
    stated: ExtractedClaim | JudgedClaim, ruling: Ruling, sample: Sample, spans: tuple[Span, ...], repairs: Repairs
) -> Claim:
    """Return a claim with its ruling; what belongs to unsupported claims only is left off a supported one."""
    is_supported = ruling.verdict is Verdict.SUPPORTED
    evidence = evidence_from(ruling.evidence, sample, repairs)
    return Claim(
        text=stated.text,
        verdict=ruling.verdict,
        spans=spans,
        confidence=ruling.confidence,
        support_score=support_score(ruling.verdict, ruling.confidence),
        explanation=ruling.explanation,
        claim_type=stated.type,
        importance=stated.importance,
        hallucination_type=None if is_supported else ruling.hallucination_type,
        severity=None if is_supported else ruling.severity,
        correction=None if is_supported else ruling.correction,
        supporting_chunk_ids=cited_chunks(evidence),
        evidence=evidence,
    )


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
