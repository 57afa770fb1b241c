# ruff: noqa: SIM905 - lists of words are read as words
"""The shape of every reply: first what the model has read, then what it concludes.

Strict modes write the fields in the order of the schema, and a model that writes its verdict first can only defend it
afterwards. So each shape begins with the claim's words and the words of the chunks, goes on with the reason, and ends
with verdict and confidence. What decides nothing has a default, as one such field is no reason to lose an answer; what
decides has none, because a default would turn what a model forgot into something it said. `values` says how values are
read.

The prompts explain the fields, so the schema that is sent has no descriptions: it goes out with every call.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationInfo, WithJsonSchema, model_validator

from faithview.domain.claim import ClaimType, HallucinationType, Importance, Severity, Verdict
from faithview.domain.text.verdict_words import VERDICT_WORDS
from faithview.judges.llm.replies import values
from faithview.judges.llm.replies.repairs import Repair


class Support(StrEnum):
    """The labels of the `per-claim` method."""

    SUPPORTED = "SUPPORTED"
    PARTIAL = "PARTIAL"
    UNSUPPORTED = "UNSUPPORTED"
    CONTRADICTED = "CONTRADICTED"


class Entailment(StrEnum):
    """The labels of the `nli` method."""

    ENTAILMENT = "entailment"
    NEUTRAL = "neutral"
    CONTRADICTION = "contradiction"
    NO_CLAIM = "no_claim"


class Sameness(StrEnum):
    """How two answers to one question compare."""

    SAME = "same"
    PARTLY = "partly"
    DIFFERENT = "different"


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


# A model that knows several vocabularies uses the words of another one for the same thing.
_SUPPORT_BY_VERDICT = {
    Verdict.SUPPORTED: Support.SUPPORTED,
    Verdict.PARTIALLY_SUPPORTED: Support.PARTIAL,
    Verdict.NOT_MENTIONED: Support.UNSUPPORTED,
    Verdict.CONTRADICTED: Support.CONTRADICTED,
}
_ENTAILMENT_BY_VERDICT = {
    Verdict.SUPPORTED: Entailment.ENTAILMENT,
    Verdict.PARTIALLY_SUPPORTED: Entailment.NEUTRAL,  # not all of it follows, and nothing is denied
    Verdict.NOT_MENTIONED: Entailment.NEUTRAL,
    Verdict.CONTRADICTED: Entailment.CONTRADICTION,
}
_SUPPORT_WORDS: Mapping[str, StrEnum] = {w: _SUPPORT_BY_VERDICT[verdict] for w, verdict in VERDICT_WORDS.items()}
_ENTAILMENT_WORDS: Mapping[str, StrEnum] = {
    **{word: _ENTAILMENT_BY_VERDICT[verdict] for word, verdict in VERDICT_WORDS.items()},
    **dict.fromkeys(("not_a_claim", "non_claim", "no_claims", "none", "not_applicable", "n_a"), Entailment.NO_CLAIM),
}
_SAMENESS_WORDS: Mapping[str, StrEnum] = {
    **dict.fromkeys(
        "identical equivalent equal match matches agree agrees consistent the_same fully_the_same essentially_the_same "
        "semantically_equivalent".split(),
        Sameness.SAME,
    ),
    **dict.fromkeys(
        "partial partially partly_the_same partially_the_same partly_same partially_same mostly_the_same mostly_same "
        "similar overlapping overlap partial_match".split(),
        Sameness.PARTLY,
    ),
    **dict.fromkeys(
        "differ differs not_the_same not_same mismatch disagree disagrees contradictory contradiction contradicted "
        "contradicts conflict conflicting inconsistent opposite unrelated not_equivalent no_match".split(),
        Sameness.DIFFERENT,
    ),
}

Text = Annotated[str, AfterValidator(_storable), values.TEXT]
SomeText = Annotated[str, AfterValidator(_storable), AfterValidator(_not_empty)]
TextOrNone = Annotated[Annotated[str, AfterValidator(_storable)] | None, values.TEXT_OR_NONE]
Share = Annotated[float, AfterValidator(_share), values.SHARE]
# The schema that is sent asks for a number; null is read all the same, as that of a model that names none.
Confidence = Annotated[
    Annotated[float, AfterValidator(_share)] | None, values.CONFIDENCE, WithJsonSchema({"type": "number"})
]
Number = Annotated[int, values.NUMBER]
Flag = Annotated[bool, values.FLAG]


def lean_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a JSON schema without what tells a model nothing, as every token of it is paid for with every call.

    These are titles, descriptions and defaults. Closed lists stand where they are used. Every field is wanted, those
    with a default too: vendors' strict modes demand it.
    """
    definitions = schema.get("$defs", {})
    lean = _lean({name: part for name, part in schema.items() if name != "$defs"}, definitions)
    kept = {name: _lean(part, definitions) for name, part in definitions.items() if "enum" not in part}
    return {"$defs": kept, **lean} if kept else lean


def _lean(part: dict[str, Any], definitions: Mapping[str, Any]) -> dict[str, Any]:
    referred = definitions.get(part.get("$ref", "").removeprefix("#/$defs/"), {})
    if "enum" in referred:
        return {"type": "string", "enum": referred["enum"]}
    lean = {name: value for name, value in part.items() if name not in ("title", "description", "default")}
    if "items" in lean:
        lean["items"] = _lean(lean["items"], definitions)
    if "anyOf" in lean:
        lean["anyOf"] = [_lean(choice, definitions) for choice in lean["anyOf"]]
    if "properties" in lean:
        lean["properties"] = {name: _lean(value, definitions) for name, value in lean["properties"].items()}
        lean["required"] = list(lean["properties"])
    return lean


class _Reply(BaseModel):
    # How a model may write a value is said in `values`; nothing is read in another way: 1 is no truth value by itself.
    model_config = ConfigDict(strict=True)

    @model_validator(mode="after")
    def _note_defaults(self, info: ValidationInfo) -> "_Reply":
        if len(self.model_fields_set) < len(type(self).model_fields):
            values.note(info, Repair.LEFT_OUT)
        return self


class Quote(_Reply):
    """Words of a chunk that bear on the verdict. The chunk 0 is one that the model did not name."""

    chunk: Number
    quote: SomeText


Quotes = Annotated[list[Quote], values.QUOTES]


class StatedClaim(_Reply):
    """One statement of the answer, in words that can be understood alone."""

    text: SomeText
    quote: Text = ""


class ExtractedClaim(StatedClaim):
    """One statement of the answer."""

    type: Annotated[ClaimType | None, values.one_of_or_none(ClaimType)] = None
    importance: Annotated[Importance | None, values.one_of_or_none(Importance)] = None


class Ruling(_Reply):
    """What the chunks say about one claim."""

    evidence: Quotes
    explanation: Text = ""
    verdict: Annotated[Verdict, Field(strict=False), values.one_of(Verdict, VERDICT_WORDS)]
    confidence: Confidence
    hallucination_type: Annotated[HallucinationType | None, values.one_of_or_none(HallucinationType)] = None
    severity: Annotated[Severity | None, values.one_of_or_none(Severity)] = None
    correction: TextOrNone = None


class _ClaimNumber(_Reply):
    claim: Number


class ClaimRuling(Ruling, _ClaimNumber):
    """What the chunks say about the claim with this number."""


class JudgedClaim(Ruling, StatedClaim):
    """One statement of the answer and what the chunks say about it."""

    type: Annotated[ClaimType | None, values.one_of_or_none(ClaimType)] = None
    importance: Annotated[Importance | None, values.one_of_or_none(Importance)] = None


class Extraction(_Reply):
    """The claims of an answer."""

    claims: Annotated[list[ExtractedClaim], values.LIST]
    abstained: Flag = False


class Verification(_Reply):
    """A ruling for every claim."""

    rulings: Annotated[list[ClaimRuling], values.LIST]
    suggestions: Annotated[list[Text], values.LIST] = []


class SingleReply(_Reply):
    """The claims of an answer, each with its ruling."""

    claims: Annotated[list[JudgedClaim], values.LIST]
    abstained: Flag = False
    suggestions: Annotated[list[Text], values.LIST] = []


class OneRuling(_Reply):
    """What the chunks say about the one claim that was asked about."""

    evidence: Quotes
    explanation: Text = ""
    label: Annotated[Support, Field(strict=False), values.one_of(Support, _SUPPORT_WORDS)]
    confidence: Confidence
    correction: TextOrNone = None


class SentenceEntailment(_Reply):
    """How the chunks bear on the sentence with this number."""

    sentence: Number
    evidence: Quotes
    explanation: Text = ""
    label: Annotated[Entailment, Field(strict=False), values.one_of(Entailment, _ENTAILMENT_WORDS)]


class NliReply(_Reply):
    """A label for every sentence."""

    sentences: Annotated[list[SentenceEntailment], values.LIST]
    abstained: Flag = False


class SentenceFaithfulness(_Reply):
    """Whether the sentence with this number is faithful to the chunks."""

    sentence: Number
    evidence: Quotes
    problematic_phrases: Annotated[list[SomeText], values.LIST] = []
    explanation: Text = ""
    is_claim: Flag = True
    contradicted: Flag
    score: Share


class SentenceReply(_Reply):
    """A ruling for every sentence."""

    sentences: Annotated[list[SentenceFaithfulness], values.LIST]
    abstained: Flag = False


class AnsweredQuestion(_Reply):
    """A question with what the answer under judgement says to it."""

    question: SomeText
    answer: SomeText
    quote: Text = ""


class Questions(_Reply):
    """Questions that the answer under judgement answers."""

    questions: Annotated[list[AnsweredQuestion], values.LIST]
    abstained: Flag = False


class ContextAnswer(_Reply):
    """What the chunks say to the question with this number."""

    question: Number
    evidence: Quotes
    answer: SomeText


class ContextAnswers(_Reply):
    """An answer from the chunks to every question."""

    answers: Annotated[list[ContextAnswer], values.LIST]


class Comparison(_Reply):
    """How the two answers to the question with this number compare."""

    question: Number
    explanation: Text = ""
    sameness: Annotated[Sameness, Field(strict=False), values.one_of(Sameness, _SAMENESS_WORDS)]


class Comparisons(_Reply):
    """A comparison for every question."""

    comparisons: Annotated[list[Comparison], values.LIST]


class ChunkRelevance(_Reply):
    """How relevant the chunk with this number is to the question."""

    chunk: Number
    relevance: Share


class Companions(_Reply):
    """How relevant the answer and each chunk are to the question, whether or not they are true."""

    chunks: Annotated[list[ChunkRelevance], values.LIST]
    answer_relevance: Share


class RewrittenSentence(_Reply):
    """The sentence with this number as the chunks have it; "" where it is to be removed."""

    sentence: Number
    text: Text


class Rewritings(_Reply):
    """A text for every sentence."""

    sentences: Annotated[list[RewrittenSentence], values.LIST]


class WrittenAnswer(_Reply):
    """An answer to the question."""

    answer: SomeText


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
    "rewrite": Rewritings,
    "generate": WrittenAnswer,
}
