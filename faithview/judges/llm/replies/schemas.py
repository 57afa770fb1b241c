"""The shape of every reply, and how a model's way to write a value is read."""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    AliasChoices,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationInfo,
    WithJsonSchema,
    model_validator,
)

from faithview.domain.claim import VERDICT_WORDS, HallucinationType, Severity, Verdict
from faithview.judges.llm.replies.find_json import Repair, Repairs

# ruff: noqa: SIM905 - lists of words are read as words


_NOTHING = frozenset({"", "none", "null", "nil", "n/a", "na", "not applicable", "-", "\u2013", "\u2014"})
_TRUTH = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
# Around a word of a closed list: "Verdict: supported", "not supported by the chunks".
_AROUND = re.compile(
    r"^(?:verdict|label|the_claim_is|claim_is|it_is|is)_|_claim$"
    r"|_(?:by|in|from|with)_(?:(?:the|any|provided|given|retrieved)_)*"
    r"(?:chunks?|contexts?|sources?|passages?|documents?|texts?|evidence|information)(?:_(?:and_)?\d+)*$"
)
_NUMBER = re.compile(r"[^\d-]{0,20}(\d{1,6})(?:\.0+)?\D{0,3}")
_WRITTEN_NUMBER = re.compile(r"-?(?:\d+(?:[.,]\d+)?|[.,]\d+)")
_PERCENT = re.compile(r"\s*(?:%|per\s?cent\b)", re.IGNORECASE)
_OUT_OF = re.compile(r"\s*(?:/|\bout of\b)\s*", re.IGNORECASE)
# A number above this and up to 100 is a percentage. A smaller one may be on a scale from 1 to 5 or from 1 to 10.
_LEAST_PERCENTAGE = 10

# How probable a verdict is by the words that models have for it, in the form of `_folded`. No word means less than 0.5,
# because a verdict that is less probable would not have been chosen.
_CONFIDENCE_WORDS: Mapping[str, float] = {
    **dict.fromkeys(
        "certain absolutely_certain completely_certain very_certain absolute definite definitely full complete total "
        "sure very_sure absolutely_sure".split(),
        0.99,
    ),
    **dict.fromkeys(
        "very_high extremely_high highest very_strong very_confident extremely_confident very_likely almost_certain "
        "nearly_certain near_certain".split(),
        0.95,
    ),
    **dict.fromkeys("high strong confident highly_confident highly_likely quite_sure".split(), 0.9),
    **dict.fromkeys("medium_high moderately_high fairly_high quite_high fairly_confident likely probable".split(), 0.8),
    **dict.fromkeys("medium moderate mid middle average fair moderately_confident somewhat_confident".split(), 0.7),
    **dict.fromkeys("medium_low moderately_low fairly_low".split(), 0.6),
    **dict.fromkeys(
        "low very_low extremely_low lowest minimal weak uncertain unsure not_sure not_certain not_confident "
        "unlikely guess".split(),
        0.5,
    ),
}
_FILLER = re.compile(r"(?:^|_)(?:confidence|level|is|the|my)(?=_|$)")


def is_nothing(text: str) -> bool:
    """Return whether a text is a word for no value: "none", "n/a"."""
    return text.strip().casefold() in _NOTHING


def note(info: ValidationInfo, repair: Repair) -> None:
    """Count a repair in the validation's context, if it has a counter."""
    if isinstance(info.context, Repairs):
        info.context.note(repair)


def one_of(kind: type[StrEnum], also: Mapping[str, StrEnum] | None = None) -> BeforeValidator:
    """Read a word of a closed list, in any case, with spaces or hyphens, and with words around it that say nothing.

    `also` are other words by member.
    """
    words = dict(also or {}) | {_folded(member.value): member for member in kind}

    def read(value: Any, info: ValidationInfo) -> Any:
        if not isinstance(value, str):
            return value
        folded = _folded(value)
        member = words.get(folded) or words.get(_AROUND.sub("", folded))
        if member is not None and member.value != value:
            note(info, Repair.VALUE)
        return value if member is None else member

    return BeforeValidator(read)


def one_of_or_none(kind: type[StrEnum]) -> BeforeValidator:
    """Read a word of a closed list that decides nothing: what cannot be read is None."""
    words = {_folded(member.value): member for member in kind}

    def read(value: Any, info: ValidationInfo) -> Any:
        member = words.get(_folded(value)) if isinstance(value, str) else None
        if value is not None and (member is None or member.value != value):
            is_known = member is not None or (isinstance(value, str) and is_nothing(value))
            note(info, Repair.VALUE if is_known else Repair.LEFT_OUT)
        return member

    return BeforeValidator(read)


def _read_number(value: Any, info: ValidationInfo) -> Any:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    elif isinstance(value, str) and (match := _NUMBER.fullmatch(value.strip())):
        value = int(match[1])
    else:
        return value
    note(info, Repair.VALUE)
    return value


def _read_share(value: Any, info: ValidationInfo) -> Any:
    share = _share_in(value) if isinstance(value, str) else _as_share(value)
    if share is None or (share == value and not isinstance(value, str)):
        return value
    note(info, Repair.VALUE)
    return share


def _as_share(value: Any) -> float | None:
    """Return a certain percentage as a share, and any other number unchanged; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value / 100 if _LEAST_PERCENTAGE < value <= 100 else float(value)


def _share_in(text: str) -> float | None:
    """Return the one share that a text names: "0,95", "about 95 %", "9/10", "High (0.9)"; None if it is not one."""
    numbers = list(_WRITTEN_NUMBER.finditer(text))
    values = [float(number[0].replace(",", ".")) for number in numbers]
    if len(values) == 2 and _OUT_OF.fullmatch(text[numbers[0].end() : numbers[1].start()]) and values[1] >= 1:
        return values[0] / values[1]
    if len(values) != 1:
        return None
    return values[0] / 100 if _PERCENT.match(text, numbers[0].end()) else _as_share(values[0])


def _read_confidence(value: Any, info: ValidationInfo) -> Any:
    if value is None or (isinstance(value, str) and is_nothing(value)):
        note(info, Repair.LEFT_OUT)
        return None
    word = _FILLER.sub("", _folded(value)).strip("_") if isinstance(value, str) else ""
    if word not in _CONFIDENCE_WORDS:
        return _read_share(value, info)
    note(info, Repair.VALUE)
    return _CONFIDENCE_WORDS[word]


def _read_flag(value: Any, info: ValidationInfo) -> Any:
    truth = None if isinstance(value, bool) else _TRUTH.get(str(value).strip().casefold())
    if truth is None:
        return value
    note(info, Repair.VALUE)
    return truth


def _read_text(value: Any, info: ValidationInfo) -> Any:
    if value is None:
        note(info, Repair.LEFT_OUT)
        return ""
    return value


def _read_text_or_none(value: Any, info: ValidationInfo) -> Any:
    if isinstance(value, str) and is_nothing(value):
        note(info, Repair.VALUE)
        return None
    return value


def _read_list(value: Any, info: ValidationInfo) -> Any:
    if isinstance(value, list) and None not in value:
        return value
    note(info, Repair.VALUE)
    if value is None or (isinstance(value, str) and is_nothing(value)):
        return []
    return [item for item in value if item is not None] if isinstance(value, list) else [value]


def _read_quotes(value: Any, info: ValidationInfo) -> Any:
    """Read a list of quotes; one without words is none, and one without a chunk's number has the number 0."""
    quotes = []
    for item in _read_list(value, info):
        if isinstance(item, str):
            item = {"quote": item}
        if not isinstance(item, dict):
            return value
        words = item.get("quote")
        if words is None or (isinstance(words, str) and not words.strip()):
            note(info, Repair.LEFT_OUT)
            continue
        if item.get("chunk") is None:
            note(info, Repair.LEFT_OUT)
            item = {**item, "chunk": 0}
        quotes.append(item)
    return quotes


def _read_words(value: Any, info: ValidationInfo) -> Any:
    """Read copied words; several are one text with "…" between them."""
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        note(info, Repair.VALUE)
        return " … ".join(value)
    if isinstance(value, str) and is_nothing(value) and value:
        note(info, Repair.VALUE)
        return ""
    return _read_text(value, info)


def _read_problem(value: Any, info: ValidationInfo) -> Any:
    """Read what is wrong with a claim; None if the reply says nothing; a plain string is the wrong words."""
    if value is None:
        return None
    read = next(iter(value), None) if isinstance(value, list) else value
    if isinstance(read, str):
        read = {"wrong": read}
    if not isinstance(read, dict):
        note(info, Repair.LEFT_OUT)
        return None
    if "kind" not in read:
        read = {**read, "kind": read.get("hallucination_type", read.get("type"))}
    is_empty = all(part in (None, []) or (isinstance(part, str) and is_nothing(part)) for part in read.values())
    if is_empty or read != value:
        note(info, Repair.VALUE)
    return None if is_empty else read


NUMBER = BeforeValidator(_read_number)
SHARE = BeforeValidator(_read_share)
CONFIDENCE = BeforeValidator(_read_confidence)
FLAG = BeforeValidator(_read_flag)
TEXT = BeforeValidator(_read_text)
TEXT_OR_NONE = BeforeValidator(_read_text_or_none)
LIST = BeforeValidator(_read_list)
QUOTES = BeforeValidator(_read_quotes)
WORDS = BeforeValidator(_read_words)
PROBLEM = BeforeValidator(_read_problem)


def _folded(word: str) -> str:
    return re.sub(r"[\W_]+", "_", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", word).casefold()).strip("_")


# ruff: noqa: SIM905 - lists of words are read as words


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
_ENTAILMENT_BY_VERDICT = {
    Verdict.SUPPORTED: Entailment.ENTAILMENT,
    Verdict.PARTIALLY_SUPPORTED: Entailment.NEUTRAL,  # not all of it follows, and nothing is denied
    Verdict.NOT_MENTIONED: Entailment.NEUTRAL,
    Verdict.CONTRADICTED: Entailment.CONTRADICTION,
}
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

Text = Annotated[str, AfterValidator(_storable), TEXT]
SomeText = Annotated[str, AfterValidator(_storable), AfterValidator(_not_empty)]
Words = Annotated[str, AfterValidator(_storable), WORDS]
TextOrNone = Annotated[Annotated[str, AfterValidator(_storable)] | None, TEXT_OR_NONE]
Share = Annotated[float, AfterValidator(_share), SHARE]
# The schema asks for a number; null is also accepted, for models that give none.
Confidence = Annotated[Annotated[float, AfterValidator(_share)] | None, CONFIDENCE, WithJsonSchema({"type": "number"})]
Number = Annotated[int, NUMBER]
Flag = Annotated[bool, FLAG]


def _asked_as(kind: type[StrEnum]) -> WithJsonSchema:
    """Ask for a word of a closed list, though a reply without one can be read."""
    return WithJsonSchema({"type": "string", "enum": [member.value for member in kind]})


def lean_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a JSON schema without parts that tell a model nothing, because each token is paid for in every call.

    These are titles, descriptions and defaults. Closed lists are inlined. Every field is required, including those
    with a default: vendors' strict modes demand it.
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
    # `values` defines the accepted spellings of a value; others are rejected: 1 alone is not a truth value.
    model_config = ConfigDict(strict=True)

    @model_validator(mode="after")
    def _note_defaults(self, info: ValidationInfo) -> "_Reply":
        if len(self.model_fields_set) < len(type(self).model_fields):
            note(info, Repair.LEFT_OUT)
        return self


class Quote(_Reply):
    """Words of a chunk that bear on the verdict. The chunk 0 is one that the model did not name."""

    chunk: Number
    quote: SomeText


Quotes = Annotated[list[Quote], QUOTES]


class Problem(_Reply):
    """What is wrong with a claim: its wrong words, how it goes wrong, the harm, and what the chunks say instead."""

    wrong: Words = ""
    kind: Annotated[HallucinationType | None, one_of_or_none(HallucinationType), _asked_as(HallucinationType)] = None
    severity: Annotated[Severity | None, one_of_or_none(Severity), _asked_as(Severity)] = None
    correction: TextOrNone = None


class ExtractedClaim(_Reply):
    """One statement of the answer, in words that can be understood alone."""

    quote: Text = ""
    text: SomeText


# The fields of a problem as the second version of the prompts had them: in the ruling itself.
_FLAT = {"kind": "hallucination_type", "severity": "severity", "correction": "correction"}


class Ruling(_Reply):
    """What the chunks say about one claim."""

    evidence: Quotes
    explanation: Text = ""
    verdict: Annotated[Verdict, Field(strict=False), one_of(Verdict, VERDICT_WORDS)]
    confidence: Confidence
    problem: Annotated[Problem | None, PROBLEM] = None

    @model_validator(mode="before")
    @classmethod
    def _read_other_shape(cls, value: Any, info: ValidationInfo) -> Any:
        if not isinstance(value, dict):
            return value
        read = dict(value)
        if "verdict" not in read and "label" in read:
            read["verdict"] = read.pop("label")
        if "problem" not in read and any(name in read for name in _FLAT.values()):
            flat = {field: read.pop(name, None) for field, name in _FLAT.items()}
            read["problem"] = flat if any(flat.values()) else None
        if read != value:
            note(info, Repair.VALUE)
        return read


class _ClaimNumber(_Reply):
    claim: Number


class ClaimRuling(Ruling, _ClaimNumber):
    """What the chunks say about the claim with this number."""


class JudgedClaim(Ruling, ExtractedClaim):
    """One statement of the answer and what the chunks say about it."""


class Extraction(_Reply):
    """The claims of an answer."""

    claims: Annotated[list[ExtractedClaim], LIST]
    abstained: Flag = False


class Verification(_Reply):
    """A ruling for every claim."""

    rulings: Annotated[list[ClaimRuling], LIST]


class SingleReply(_Reply):
    """The claims of an answer, each with its ruling."""

    claims: Annotated[list[JudgedClaim], LIST]
    abstained: Flag = False


class OneRuling(Ruling):
    """What the chunks say about the one claim that was asked about."""


class SentenceEntailment(_Reply):
    """How the chunks bear on the sentence with this number."""

    sentence: Number
    evidence: Quotes
    explanation: Text = ""
    label: Annotated[Entailment, Field(strict=False), one_of(Entailment, _ENTAILMENT_WORDS)]
    wrong: Words = ""


class NliReply(_Reply):
    """A label for every sentence."""

    sentences: Annotated[list[SentenceEntailment], LIST]
    abstained: Flag = False


class SentenceFaithfulness(_Reply):
    """Whether the sentence with this number is faithful to the chunks."""

    sentence: Number
    is_claim: Flag = True
    evidence: Quotes
    explanation: Text = ""
    wrong: Words = Field("", validation_alias=AliasChoices("wrong", "problematic_phrases"))
    contradicted: Flag
    score: Share


class SentenceReply(_Reply):
    """A ruling for every sentence."""

    sentences: Annotated[list[SentenceFaithfulness], LIST]
    abstained: Flag = False


class AnsweredQuestion(_Reply):
    """A question with what the answer under judgement says to it."""

    quote: Text = ""
    question: SomeText
    answer: SomeText


class Questions(_Reply):
    """Questions that the answer under judgement answers."""

    questions: Annotated[list[AnsweredQuestion], LIST]
    abstained: Flag = False


class ContextAnswer(_Reply):
    """What the chunks say to the question with this number."""

    question: Number
    evidence: Quotes
    answer: SomeText


class ContextAnswers(_Reply):
    """An answer from the chunks to every question."""

    answers: Annotated[list[ContextAnswer], LIST]


class Comparison(_Reply):
    """How the two answers to the question with this number compare."""

    question: Number
    explanation: Text = ""
    sameness: Annotated[Sameness, Field(strict=False), one_of(Sameness, _SAMENESS_WORDS)]


class Comparisons(_Reply):
    """A comparison for every question."""

    comparisons: Annotated[list[Comparison], LIST]


class ChunkRelevance(_Reply):
    """How relevant the chunk with this number is to the question."""

    chunk: Number
    relevance: Share


class Companions(_Reply):
    """How relevant the answer and each chunk are to the question, whether or not they are true."""

    chunks: Annotated[list[ChunkRelevance], LIST]
    answer_relevance: Share


class RewrittenSentence(_Reply):
    """The sentence with this number as the chunks have it; "" where it is to be removed."""

    sentence: Number
    text: Text


class Rewritings(_Reply):
    """A text for every sentence."""

    sentences: Annotated[list[RewrittenSentence], LIST]


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
