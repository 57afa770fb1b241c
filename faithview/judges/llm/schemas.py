"""The shape of every reply. Field descriptions are sent with the schema; bounds are checked here and not by vendors.

A field without a value is `null` and never left out: vendors' strict modes want every field, and a default would turn
what a model forgot into something it said.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from faithview.domain.claim import ClaimType, HallucinationType, Importance, Severity, Verdict


def _storable(text: str) -> str:
    """Return the text without what no database can hold; JSON can write a NUL."""
    return text.replace("\x00", "\ufffd").encode("utf-8", "replace").decode("utf-8")


def _share(value: float) -> float:
    if not 0 <= value <= 1:
        raise ValueError("must be between 0 and 1")
    return value


def _not_empty(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be empty")
    return text


Text = Annotated[str, AfterValidator(_storable)]
SomeText = Annotated[str, AfterValidator(_storable), AfterValidator(_not_empty)]
Share = Annotated[float, AfterValidator(_share)]


def lean_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a JSON schema without what tells a model nothing, as every token of it is paid for with every call.

    These are the titles, which repeat the names, and the descriptions of closed lists, whose words the prompts explain.
    """
    return {name: _lean(value, name) for name, value in schema.items() if not _is_noise(schema, name)}


def _lean(value: Any, name: str) -> Any:
    if isinstance(value, list):
        return [lean_schema(item) if isinstance(item, dict) else item for item in value]
    if not isinstance(value, dict):
        return value
    if name in ("properties", "$defs"):  # here the names are our own
        return {own: lean_schema(part) for own, part in value.items()}
    return lean_schema(value)


def _is_noise(schema: dict[str, Any], name: str) -> bool:
    return name == "title" or (name == "description" and "enum" in schema)


class _Reply(BaseModel):
    # Text from the model is never parsed into other types: "1" is no number, "yes" no truth value.
    model_config = ConfigDict(strict=True, use_attribute_docstrings=True)


class Quote(_Reply):
    """Words of a chunk that bear on the verdict."""

    chunk: int
    """The chunk's number."""
    quote: SomeText
    """Copied from the chunk, character by character."""


class ExtractedClaim(_Reply):
    """One statement of the answer."""

    text: SomeText
    """The claim, so worded that it can be understood alone."""
    quote: Text
    """The words of the answer that make the claim, copied character by character."""
    occurrence: int
    """Which occurrence of the quote in the answer this is, counted from 1."""
    type: Annotated[ClaimType, Field(strict=False)]
    importance: Annotated[Importance, Field(strict=False)]


class Ruling(_Reply):
    """What the chunks say about one claim."""

    verdict: Annotated[Verdict, Field(strict=False)]
    confidence: Share
    """The probability, from 0 to 1, that the verdict is right."""
    explanation: Text
    """One or two sentences."""
    supporting_chunks: list[int]
    """Numbers of the chunks that the verdict rests on, the best first; empty where it rests on none."""
    evidence: list[Quote]
    hallucination_type: Annotated[HallucinationType, Field(strict=False)] | None
    """null where the claim is supported."""
    severity: Annotated[Severity, Field(strict=False)] | None
    """null where the claim is supported."""
    correction: Text | None
    """What the chunks say instead; null where they say nothing."""


class ClaimRuling(Ruling):
    """What the chunks say about the claim with this number."""

    claim: int
    """The claim's number."""


class JudgedClaim(ExtractedClaim, Ruling):
    """One statement of the answer and what the chunks say about it."""


class Extraction(_Reply):
    """The claims of an answer."""

    claims: list[ExtractedClaim]
    """In the order of the answer; empty where it makes none."""
    abstained: bool
    """Whether the answer says only that the context does not tell."""


class Verification(_Reply):
    """A ruling for every claim."""

    rulings: list[ClaimRuling]
    suggestions: list[Text]
    """How the answer as a whole could be made faithful; empty where it is."""


class SingleReply(_Reply):
    """The claims of an answer, each with its ruling."""

    claims: list[JudgedClaim]
    """In the order of the answer; empty where it makes none."""
    abstained: bool
    """Whether the answer says only that the context does not tell."""
    suggestions: list[Text]
    """How the answer as a whole could be made faithful; empty where it is."""


class Support(StrEnum):
    """The labels of the `per-claim` method."""

    SUPPORTED = "SUPPORTED"
    PARTIAL = "PARTIAL"
    UNSUPPORTED = "UNSUPPORTED"
    CONTRADICTED = "CONTRADICTED"


class OneRuling(_Reply):
    """What the chunks say about the one claim that was asked about."""

    label: Annotated[Support, Field(strict=False)]
    confidence: Share
    """The probability, from 0 to 1, that the label is right."""
    explanation: Text
    evidence: list[Quote]
    correction: Text | None
    """What the chunks say instead; null where they say nothing."""


class Entailment(StrEnum):
    """The labels of the `nli` method."""

    ENTAILMENT = "entailment"
    NEUTRAL = "neutral"
    CONTRADICTION = "contradiction"


class SentenceEntailment(_Reply):
    """How the chunks bear on the sentence with this number."""

    sentence: int
    """The sentence's number."""
    label: Annotated[Entailment, Field(strict=False)]
    explanation: Text
    evidence: list[Quote]


class NliReply(_Reply):
    """A label for every sentence."""

    sentences: list[SentenceEntailment]
    abstained: bool
    """Whether the answer says only that the context does not tell."""


class SentenceFaithfulness(_Reply):
    """Whether the sentence with this number is faithful to the chunks."""

    sentence: int
    """The sentence's number."""
    faithful: bool
    score: Share
    """How much of the sentence the chunks bear out, from 0 to 1."""
    contradicted: bool
    """Whether the chunks say otherwise."""
    problematic_phrases: list[SomeText]
    """Words of the sentence that the chunks do not bear out, copied exactly; empty where it is faithful."""
    explanation: Text
    evidence: list[Quote]


class SentenceReply(_Reply):
    """A ruling for every sentence."""

    sentences: list[SentenceFaithfulness]
    abstained: bool
    """Whether the answer says only that the context does not tell."""


class AnsweredQuestion(_Reply):
    """A question with what the answer under judgement says to it."""

    question: SomeText
    answer: SomeText
    """What the answer under judgement says to it."""
    quote: Text
    """The words of the answer that say it, copied character by character."""


class Questions(_Reply):
    """Questions that the answer under judgement answers."""

    questions: list[AnsweredQuestion]
    abstained: bool
    """Whether the answer says only that the context does not tell."""


class ContextAnswer(_Reply):
    """What the chunks say to the question with this number."""

    question: int
    """The question's number."""
    answer: SomeText
    """From the chunks alone; NOT FOUND where they do not tell."""
    evidence: list[Quote]


class ContextAnswers(_Reply):
    """An answer from the chunks to every question."""

    answers: list[ContextAnswer]


class Sameness(StrEnum):
    """How two answers to one question compare."""

    SAME = "same"
    PARTLY = "partly"
    DIFFERENT = "different"


class Comparison(_Reply):
    """How the two answers to the question with this number compare."""

    question: int
    """The question's number."""
    sameness: Annotated[Sameness, Field(strict=False)]
    explanation: Text


class Comparisons(_Reply):
    """A comparison for every question."""

    comparisons: list[Comparison]


class ChunkRelevance(_Reply):
    """How relevant the chunk with this number is to the question."""

    chunk: int
    """The chunk's number."""
    relevance: Share


class Companions(_Reply):
    """How relevant the answer and each chunk are to the question, whether or not they are true."""

    answer_relevance: Share
    chunks: list[ChunkRelevance]


# What is replied to each prompt.
BY_STEP: Mapping[str, type[BaseModel]] = {
    "claims_extract": Extraction,
    "claims_verify": Verification,
    "single": SingleReply,
    "per_claim": OneRuling,
    "nli": NliReply,
    "sentence": SentenceReply,
    "qa_questions": Questions,
    "qa_answers": ContextAnswers,
    "qa_compare": Comparisons,
    "companions": Companions,
}
