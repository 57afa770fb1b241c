"""The shape of every reply, and the other ways in which models write a value."""

import re
from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    AliasChoices,
    BaseModel,
    BeforeValidator,
    Field,
    WithJsonSchema,
    model_validator,
)

from faithview.domain.claim import VERDICT_WORDS, ClaimType, HallucinationType, Importance, Severity, Verdict

MOST_SUGGESTIONS = 3

_NOTHING = frozenset({"", "none", "null", "nil", "n/a", "na", "not applicable", "-", "\u2013", "\u2014"})
# "0,95", "about 95 %", "9/10"
_SHARE = re.compile(r"(-?\d*[.,]?\d+)\s*(%|/\s*\d+)?")
_SURENESS = {"high": 0.9, "medium": 0.7, "low": 0.5}
# A number above this and up to 100 is a percentage. A smaller one may be on a scale from 1 to 5 or from 1 to 10.
_LEAST_PERCENTAGE = 10


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


# A model that knows several vocabularies uses the words of another one for the same thing.
_ENTAILMENT_BY_VERDICT = {
    Verdict.SUPPORTED: Entailment.ENTAILMENT,
    Verdict.PARTIALLY_SUPPORTED: Entailment.NEUTRAL,  # not all of it follows, and nothing is denied
    Verdict.NOT_MENTIONED: Entailment.NEUTRAL,
    Verdict.CONTRADICTED: Entailment.CONTRADICTION,
}
_ENTAILMENT_WORDS = {
    **{word: _ENTAILMENT_BY_VERDICT[verdict] for word, verdict in VERDICT_WORDS.items()},
    **dict.fromkeys(("not_a_claim", "none"), Entailment.NO_CLAIM),
}
_SAMENESS_WORDS = {
    **dict.fromkeys(("identical", "equivalent", "equal", "the_same"), Sameness.SAME),
    **dict.fromkeys(("partial", "partially", "partly_the_same", "similar"), Sameness.PARTLY),
    **dict.fromkeys(("not_the_same", "contradictory", "contradicted", "conflicting"), Sameness.DIFFERENT),
}


def is_nothing(text: str) -> bool:
    """Return whether a text is a word for no value: "none", "n/a"."""
    return text.strip().casefold() in _NOTHING


def _word(kind: type[StrEnum], also: Mapping[str, StrEnum] | None = None) -> BeforeValidator:
    """Read a word of a closed list, in any case and with spaces or hyphens; `also` are other words by member."""
    words = {**(also or {}), **{member.value: member for member in kind}}

    def read(value: Any) -> Any:
        return words.get(_folded(value), value) if isinstance(value, str) else value

    return BeforeValidator(read)


def _word_or_none(kind: type[StrEnum]) -> tuple[BeforeValidator, WithJsonSchema]:
    """Read a word of a closed list that decides nothing: what cannot be read is None, though a word is asked for."""
    words = {member.value: member for member in kind}

    def read(value: Any) -> StrEnum | None:
        return words.get(_folded(value)) if isinstance(value, str) else None

    return BeforeValidator(read), WithJsonSchema({"type": "string", "enum": list(words)})


def _folded(word: str) -> str:
    return re.sub(r"[\W_]+", "_", word.casefold()).strip("_")


def _read_share(value: Any) -> Any:
    if isinstance(value, str):
        found = _SHARE.search(value)
        if found is None:
            return _SURENESS.get(value.strip().casefold(), value)
        value = float(found[1].replace(",", "."))
        if found[2]:
            return value / (100 if found[2] == "%" else float(found[2][1:]) or 1)
    return value / 100 if isinstance(value, int | float) and _LEAST_PERCENTAGE < value <= 100 else value


def _read_confidence(value: Any) -> float | None:
    """Read a confidence; None for one that cannot be read, because it decides nothing."""
    share = _read_share(value)
    is_share = isinstance(share, int | float) and not isinstance(share, bool) and 0 <= share <= 1
    return float(share) if is_share else None


def _read_number(value: Any) -> Any:
    """Read the number of a thing, "chunk 1" too; 0 where there is none."""
    if isinstance(value, str) and (digits := re.search(r"\d{1,6}", value)):
        return int(digits[0])
    return 0 if value is None else value


def _read_list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        value = [] if value is None or (isinstance(value, str) and is_nothing(value)) else [value]
    return [item for item in value if item is not None]


def _read_quotes(value: Any) -> list[Any]:
    quotes = [{"quote": item} if isinstance(item, str) else item for item in _read_list(value)]
    return [item for item in quotes if not isinstance(item, dict) or str(item.get("quote") or "").strip()]


def _read_words(value: Any) -> Any:
    """Read copied words; several are one text with "…" between them."""
    if isinstance(value, list):
        value = " … ".join(str(item) for item in value)
    return "" if value is None or (isinstance(value, str) and is_nothing(value)) else value


def _storable(text: str) -> str:
    """Return the text without what no database can hold; JSON can write a NUL."""
    return text.replace("\x00", "\ufffd").encode("utf-8", "replace").decode("utf-8")


Number = Annotated[int, BeforeValidator(_read_number)]
Text = Annotated[str, AfterValidator(_storable), BeforeValidator(lambda value: "" if value is None else value)]
SomeText = Annotated[str, Field(pattern=r"\S"), AfterValidator(_storable)]
Words = Annotated[str, AfterValidator(_storable), BeforeValidator(_read_words)]
Share = Annotated[float, Field(ge=0, le=1), BeforeValidator(_read_share)]
# The schema asks for a number; null is also accepted, for models that give none.
Confidence = Annotated[float | None, BeforeValidator(_read_confidence), WithJsonSchema({"type": "number"})]
_LIST = BeforeValidator(_read_list)


class Quote(BaseModel):
    """Words of a chunk that bear on the verdict. The chunk 0 is one that the model did not name."""

    chunk: Number = 0
    quote: SomeText


Quotes = Annotated[list[Quote], BeforeValidator(_read_quotes)]


class Problem(BaseModel):
    """What is wrong with a claim: its wrong words, how it goes wrong, the harm, and what the chunks say instead."""

    wrong: Words = ""
    kind: Annotated[HallucinationType | None, *_word_or_none(HallucinationType)] = None
    severity: Annotated[Severity | None, *_word_or_none(Severity)] = None
    correction: Annotated[Words | None, BeforeValidator(lambda value: _read_words(value) or None)] = None


class ExtractedClaim(BaseModel):
    """One statement of the answer, in words that can be understood alone."""

    quote: Text = ""
    text: SomeText
    type: Annotated[ClaimType | None, *_word_or_none(ClaimType)] = None
    importance: Annotated[Importance | None, *_word_or_none(Importance)] = None


class Ruling(BaseModel):
    """What the chunks say about one claim."""

    evidence: Quotes
    explanation: Text = ""
    verdict: Annotated[Verdict, _word(Verdict, VERDICT_WORDS)] = Field(
        validation_alias=AliasChoices("verdict", "label")
    )
    confidence: Confidence = None
    problem: Annotated[
        Problem | None, BeforeValidator(lambda value: value if isinstance(value, dict) and value else None)
    ] = None


class _ClaimNumber(BaseModel):
    claim: Number


class ClaimRuling(Ruling, _ClaimNumber):
    """What the chunks say about the claim with this number."""


class JudgedClaim(Ruling, ExtractedClaim):
    """One statement of the answer and what the chunks say about it."""


Suggestions = Annotated[list[SomeText], _LIST, AfterValidator(lambda texts: texts[:MOST_SUGGESTIONS])]


class Extraction(BaseModel):
    """The claims of an answer."""

    claims: Annotated[list[ExtractedClaim], _LIST]
    abstained: bool = False


class Verification(BaseModel):
    """A ruling for every claim, and advice on the answer as a whole."""

    rulings: Annotated[list[ClaimRuling], _LIST]
    suggestions: Suggestions = []


class SingleReply(BaseModel):
    """The claims of an answer, each with its ruling, and advice on the answer as a whole."""

    claims: Annotated[list[JudgedClaim], _LIST]
    abstained: bool = False
    suggestions: Suggestions = []


class SentenceEntailment(BaseModel):
    """How the chunks bear on the sentence with this number."""

    sentence: Number
    evidence: Quotes
    explanation: Text = ""
    label: Annotated[Entailment, _word(Entailment, _ENTAILMENT_WORDS)]
    wrong: Words = ""

    @property
    def is_claim(self) -> bool:
        """Whether the sentence says something that can be true or false."""
        return self.label is not Entailment.NO_CLAIM

    @property
    def verdict(self) -> Verdict:
        """The label as a verdict."""
        verdicts = {
            Entailment.ENTAILMENT: Verdict.SUPPORTED,
            Entailment.CONTRADICTION: Verdict.CONTRADICTED,
        }
        return verdicts.get(self.label, Verdict.NOT_MENTIONED)

    @property
    def score(self) -> float:
        """The label as a share of support: 1, 0.5 or 0."""
        return {Entailment.ENTAILMENT: 1.0, Entailment.CONTRADICTION: 0.0}.get(self.label, 0.5)


class NliReply(BaseModel):
    """A label for every sentence."""

    sentences: Annotated[list[SentenceEntailment], _LIST]
    abstained: bool = False


class SentenceFaithfulness(BaseModel):
    """Whether the sentence with this number is faithful to the chunks."""

    sentence: Number
    is_claim: bool = True
    evidence: Quotes
    explanation: Text = ""
    wrong: Words = ""
    contradicted: bool
    score: Share

    @property
    def verdict(self) -> Verdict:
        """Supported with the score 1, not mentioned with 0, partially supported between them, unless denied."""
        if self.contradicted:
            return Verdict.CONTRADICTED
        if self.score in (0, 1):
            return Verdict.SUPPORTED if self.score else Verdict.NOT_MENTIONED
        return Verdict.PARTIALLY_SUPPORTED

    @model_validator(mode="after")
    def _check_score(self) -> "SentenceFaithfulness":
        if self.is_claim and self.score == 1 and (self.contradicted or self.wrong):
            raise ValueError("has the score 1, and yet is contradicted or has wrong words")
        return self


class SentenceReply(BaseModel):
    """A ruling for every sentence."""

    sentences: Annotated[list[SentenceFaithfulness], _LIST]
    abstained: bool = False


class AnsweredQuestion(BaseModel):
    """A question with what the answer under judgement says to it."""

    quote: Text = ""
    question: SomeText
    answer: SomeText


class Questions(BaseModel):
    """Questions that the answer under judgement answers."""

    questions: Annotated[list[AnsweredQuestion], _LIST]
    abstained: bool = False


class ContextAnswer(BaseModel):
    """What the chunks say to the question with this number."""

    question: Number
    evidence: Quotes
    answer: SomeText


class ContextAnswers(BaseModel):
    """An answer from the chunks to every question."""

    answers: Annotated[list[ContextAnswer], _LIST]


class Comparison(BaseModel):
    """How the two answers to the question with this number compare."""

    question: Number
    explanation: Text = ""
    sameness: Annotated[Sameness, _word(Sameness, _SAMENESS_WORDS)]


class Comparisons(BaseModel):
    """A comparison for every question."""

    comparisons: Annotated[list[Comparison], _LIST]


class ChunkRelevance(BaseModel):
    """How relevant the chunk with this number is to the question."""

    chunk: Number
    relevance: Share


class Companions(BaseModel):
    """How relevant the answer and each chunk are to the question, whether or not they are true."""

    chunks: Annotated[list[ChunkRelevance], _LIST]
    answer_relevance: Share


class RewrittenSentence(BaseModel):
    """The sentence with this number as the chunks have it; "" where it is to be removed."""

    sentence: Number
    text: Text


class Rewritings(BaseModel):
    """A text for every sentence."""

    sentences: Annotated[list[RewrittenSentence], _LIST]


class WrittenAnswer(BaseModel):
    """An answer to the question."""

    answer: SomeText


# What is replied to each prompt.
BY_STEP: Mapping[str, type[BaseModel]] = {
    "claims_extract": Extraction,
    "claims_verify": Verification,
    "single": SingleReply,
    "per_claim": Ruling,
    "nli": NliReply,
    "sentence": SentenceReply,
    "qa_questions": Questions,
    "qa_answers": ContextAnswers,
    "qa_compare": Comparisons,
    "companions": Companions,
    "rewrite": Rewritings,
    "generate": WrittenAnswer,
}


@lru_cache(maxsize=64)
def lean_schema(schema: type[BaseModel]) -> dict[str, Any]:
    """Return the JSON schema of a reply without what tells a model nothing: each token is paid for in every call.

    There are no titles, descriptions and defaults. Every field is required, those with a default too, and no other is
    allowed: vendors' strict modes demand it. Making it takes a millisecond, so it is made once; do not change it.
    """
    whole = schema.model_json_schema()
    definitions = whole.get("$defs", {})

    def lean(part: dict[str, Any]) -> dict[str, Any]:
        if "$ref" in part:
            return lean(definitions[part["$ref"].removeprefix("#/$defs/")])
        kept: dict[str, Any] = {name: part[name] for name in ("type", "enum") if name in part}
        if "items" in part:
            kept["items"] = lean(part["items"])
        if "anyOf" in part:
            kept["anyOf"] = [lean(choice) for choice in part["anyOf"]]
        if "properties" in part:
            kept["properties"] = {name: lean(field) for name, field in part["properties"].items()}
            kept |= {"required": list(part["properties"]), "additionalProperties": False}
        return kept

    return lean(whole)
