"""A claim of an answer, its verdict with other tools' names for it, and the evidence for the verdict."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from faithview.domain import content_hashes
from faithview.domain.sample import Sample, find_unstorable
from faithview.domain.spans import Occurrences, Span, find_quote, is_verbatim, span_at, without_false_quotations


class Verdict(StrEnum):
    """What the chunks say about a claim."""

    SUPPORTED = "supported"
    PARTIALLY_SUPPORTED = "partially_supported"
    NOT_MENTIONED = "not_mentioned"
    CONTRADICTED = "contradicted"


# Where claims overlap, the worst verdict counts.
WORST_FIRST = (Verdict.CONTRADICTED, Verdict.NOT_MENTIONED, Verdict.PARTIALLY_SUPPORTED, Verdict.SUPPORTED)


class HallucinationType(StrEnum):
    """How an unsupported claim goes wrong.

    `fabrication`: an invented fact. `contradiction`: the chunks say otherwise. `extrapolation`: goes beyond what the
    chunks say. `conflation`: joins things that the chunks keep apart.
    """

    FABRICATION = "fabrication"
    CONTRADICTION = "contradiction"
    EXTRAPOLATION = "extrapolation"
    CONFLATION = "conflation"


class Severity(StrEnum):
    """How much harm an unsupported claim can do."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class ClaimType(StrEnum):
    """What kind of statement a claim is."""

    FACTUAL = "factual"
    OPINION = "opinion"
    DEFINITION = "definition"


class Importance(StrEnum):
    """How much the answer depends on the claim."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimRef:
    """Names a claim in the store: its run, the position of its row and the claim's number, both from 1."""

    run_id: str
    row: int
    claim_number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """A quote from a chunk for or against a claim.

    `span` is None if the quote is not verbatim in the chunk: such evidence is stored and shown as unverified.
    """

    chunk_id: str
    quote: str
    span: Span | None

    @property
    def is_verified(self) -> bool:
        """Whether the quote is verbatim in its chunk."""
        return self.span is not None


class Mismatch(NamedTuple):
    """Words `[start, end)` of the answer that are wrong, and the words of a chunk that contradict them.

    `chunk_id` is None if no chunk has such words; then the chunk's range is (0, 0).
    """

    start: int
    end: int
    chunk_id: str | None = None
    chunk_start: int = 0
    chunk_end: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One statement of an answer with a judge's verdict on it.

    `text` is the claim as judged, which may be rephrased to be understood alone; `spans` are the places of the claim in
    the answer, empty if none was found. `confidence` is the judge's probability in [0, 1] that its verdict is right,
    None if the judge gives none. `support_score` is its probability in [0, 1] that the claim is supported, which ranks
    claims (confidence cannot: a sure contradiction has a high one); None if the judge gives none.
    `supporting_chunk_ids` are the chunks that the verdict is based on, best first (for a contradicted claim, those that
    contradict it). `evidence` are the quotes from them; for a *not mentioned* claim without such chunks, the nearest
    passages, where a reader looks first. `correction` is what the chunks say instead, if the judge knows. `mismatches`
    are the words that the verdict is based on, if the judge can tell; empty for a supported claim. `decided_by` is the
    name of the judge that gave the verdict, if the answer's judge is a cascade of two; None for other judges.
    """

    text: str
    verdict: Verdict
    spans: tuple[Span, ...] = ()
    confidence: float | None = None
    support_score: float | None = None
    explanation: str = ""
    claim_type: ClaimType | None = None
    importance: Importance | None = None
    hallucination_type: HallucinationType | None = None
    severity: Severity | None = None
    correction: str | None = None
    supporting_chunk_ids: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    mismatches: tuple[Mismatch, ...] = ()
    decided_by: str | None = None

    @property
    def is_anchored(self) -> bool:
        """Whether the claim's place in the answer is known."""
        return bool(self.spans)

    @property
    def grounds(self) -> tuple[Evidence, ...]:
        """The evidence that the verdict rests on: all of it, or none if it is the nearest passages."""
        rests_on_none = self.verdict is Verdict.NOT_MENTIONED and not self.supporting_chunk_ids
        return () if rests_on_none else self.evidence

    @property
    def claim_hash(self) -> str:
        """The claim's identity, by its text."""
        return content_hashes.claim_hash(self.text)


def verify_claims(claims: Iterable[Claim], sample: Sample) -> tuple[Claim, ...]:
    """Return the claims with every span checked against the text it points into.

    A span of the answer that lies outside it is removed. A quote that is not where its span says is looked up in its
    chunk: if found, it gets that span; if not, it loses its span, which marks it as unverified. Occurrence indices are
    set. If an explanation quotes words from a chunk that the chunk does not have, these lose their quotation marks.
    Only spans and mismatches that point nowhere are dropped.

    Raises:
        ValueError: evidence names a chunk that the sample does not have, a text holds a character that cannot be
            stored, or a probability is not in [0, 1].
    """
    claims = tuple(claims)
    chunks = {chunk.chunk_id: chunk.text for chunk in sample.chunks}
    answer = Occurrences(sample.answer, [(span.start, span.end) for claim in claims for span in claim.spans])
    return tuple(_verify(claim, answer, len(sample.answer), chunks) for claim in claims)


def _verify(claim: Claim, answer: Occurrences, length: int, chunks: dict[str, str]) -> Claim:
    for chunk_id in (*claim.supporting_chunk_ids, *(item.chunk_id for item in claim.evidence)):
        if chunk_id not in chunks:
            raise ValueError(f"The claim {claim.text!r} cites chunk {chunk_id!r}, which the answer does not have.")
    texts = (claim.text, claim.explanation, claim.correction or "", claim.decided_by or "")
    for text in (*texts, *(item.quote for item in claim.evidence)):
        if find_unstorable(text) is not None:
            raise ValueError(f"The claim {claim.text!r} contains a character that cannot be stored, in {text!r}.")
    for name, value in (("confidence", claim.confidence), ("support score", claim.support_score)):
        if value is not None and not 0 <= value <= 1:
            raise ValueError(f"The claim {claim.text!r} has a {name} of {value}, which is not in [0, 1].")
    spans = tuple(answer.span_at(span.start, span.end) for span in claim.spans if span.end <= length)
    evidence = tuple(_verified(item, chunks[item.chunk_id]) for item in claim.evidence)
    explanation = without_false_quotations(claim.explanation, chunks)
    mismatches = tuple(item for item in claim.mismatches if _is_inside(item, length, chunks))
    checked = replace(claim, spans=spans, evidence=evidence, explanation=explanation, mismatches=mismatches)
    return claim if checked == claim else checked


def _is_inside(item: Mismatch, length: int, chunks: dict[str, str]) -> bool:
    if not 0 <= item.start < item.end <= length:
        return False
    return item.chunk_id is None or 0 <= item.chunk_start < item.chunk_end <= len(chunks.get(item.chunk_id, ""))


def _verified(item: Evidence, text: str) -> Evidence:
    span = _verified_span(text, item.quote, item.span)
    return item if span == item.span else replace(item, span=span)


def _verified_span(text: str, quote: str, span: Span | None) -> Span | None:
    if span is not None and is_verbatim(text, quote, span):
        return span_at(text, span.start, span.end)
    return find_quote(text, quote)


# ruff: noqa: SIM905 - lists of words are read as words


# In lower case, with one underscore between words.
VERDICT_WORDS: Mapping[str, Verdict] = MappingProxyType(
    {
        **dict.fromkeys(
            "supported support supports full full_support fully_supported directly_supported explicitly_supported "
            "clearly_supported strongly_supported well_supported entirely_supported completely_supported "
            "entailment entailed entails fully_entailed implied inferable faithful attributable attributed grounded "
            "fully_grounded consistent correct accurate verified verifiable confirmed confirms substantiated "
            "corroborated stated mentioned backed proven".split(),
            Verdict.SUPPORTED,
        ),
        **dict.fromkeys(
            "partial partially partly partial_support partially_supported partially_support partly_supported "
            "mostly_supported largely_supported somewhat_supported weakly_supported incompletely_supported "
            "partially_entailed partial_entailment partly_entailed partially_grounded partially_verified "
            "partially_correct mostly_correct partially_accurate partially_faithful partially_attributable "
            "incomplete mixed supported_in_part in_part".split(),
            Verdict.PARTIALLY_SUPPORTED,
        ),
        **dict.fromkeys(
            "unsupported not_supported non_supported un_supported no_support lacks_support unsupportable neutral "
            "not_mentioned unmentioned not_stated unstated not_addressed not_covered not_found not_present "
            "not_in_context not_in_source not_specified not_given not_provided absent missing idk unknown unclear "
            "uncertain undetermined undecided indeterminate inconclusive not_sure cannot_tell cannot_determine "
            "cannot_be_determined unfaithful not_faithful extrapolatory extrapolated extrapolation not_entailed "
            "non_entailment unverifiable unverified not_verifiable not_verified cannot_verify cannot_be_verified "
            "unconfirmed not_confirmed unsubstantiated not_substantiated uncorroborated unproven not_proven "
            "unattributable not_attributable unattributed ungrounded not_grounded baseless unfounded fabricated "
            "fabrication hallucinated hallucination nei not_enough_info not_enough_information not_enough_evidence "
            "not_enough_context insufficient insufficient_info insufficient_information insufficient_evidence "
            "insufficient_context lacks_evidence no_evidence no_info no_information no_mention".split(),
            Verdict.NOT_MENTIONED,
        ),
        **dict.fromkeys(
            "contradicted contradiction contradictory contradicts contradict contradicting conflict conflicts "
            "conflicting conflicted in_conflict refuted refutes refute refutation refuting disproved disproven "
            "disproves denied denies negated rebutted opposed opposes inconsistent incorrect inaccurate wrong "
            "misstated misrepresented evident_conflict subtle_conflict".split(),
            Verdict.CONTRADICTED,
        ),
    }
)
