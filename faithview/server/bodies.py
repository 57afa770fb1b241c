"""Bodies of requests: their fields and limits, and one sentence about what is wrong with them."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NamedTuple

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from faithview.domain.live import LONGEST_APPLICATION
from faithview.domain.sample import Chunk, has_unstorable
from faithview.server.settings import (
    MOST_ANSWER_CHARACTERS,
    MOST_CHUNK_CHARACTERS,
    MOST_CHUNKS,
    MOST_CONTEXT_CHARACTERS,
    MOST_LOGGED_AT_ONCE,
    MOST_QUESTION_CHARACTERS,
)

_MOST_ID_CHARACTERS = 500
_LONGEST_FIELD = 200
_METADATA = "metadata"
# A body may have many fields that are not known, and each would be an error of its own in memory.
_MOST_FIELDS = 50


def _storable(value: Any) -> Any:
    if has_unstorable(value):
        raise PydanticCustomError("unstorable", "The text contains a NUL character or an incomplete character")
    return value


def _short_enough(context: Any) -> Any:
    texts = (
        [context] if isinstance(context, str) else [item if isinstance(item, str) else item.text for item in context]
    )
    if (length := sum(map(len, texts))) > MOST_CONTEXT_CHARACTERS:
        raise PydanticCustomError(
            "long_context",
            "The chunks have {length} characters together; at most {most} are judged",
            {"length": f"{length:,}", "most": f"{MOST_CONTEXT_CHARACTERS:,}"},
        )
    return context


Storable = AfterValidator(_storable)
Text = Annotated[str, Storable]
ChunkText = Annotated[str, Field(max_length=MOST_CHUNK_CHARACTERS), Storable]
Question = Annotated[str, Field(max_length=MOST_QUESTION_CHARACTERS), Storable]
Id = Annotated[str, Field(max_length=_MOST_ID_CHARACTERS), Storable]
Metadata = Annotated[dict[str, JsonValue], Storable]


class _Strict(BaseModel):
    # strict: a flag must not be a string, as the document says.
    model_config = ConfigDict(extra="forbid", allow_inf_nan=False, strict=True)

    @model_validator(mode="before")
    @classmethod
    def _few_fields(cls, value: object) -> object:
        if isinstance(value, Mapping) and len(value) > _MOST_FIELDS:
            raise PydanticCustomError("many_fields", "The object has {n} fields, too many to list", {"n": len(value)})
        return value


class ChunkBody(_Strict):
    """A retrieved chunk with what is known about it."""

    text: ChunkText
    id: Id | None = Field(
        default=None, description="Your own id, which evidence refers to. If left out, the chunk's rank is its id."
    )
    score: float | None = Field(default=None, description="The retriever's score.")
    metadata: Metadata = Field(default_factory=dict)


class CheckBody(_Strict):
    """An answer with the chunks that were retrieved for it."""

    answer: Annotated[
        str,
        Field(max_length=MOST_ANSWER_CHARACTERS, examples=["The office opens at 9 am. Parking is free."]),
        Storable,
    ]
    context: Annotated[
        ChunkText | Annotated[list[ChunkText | ChunkBody], Field(max_length=MOST_CHUNKS)],
        AfterValidator(_short_enough),
        Field(
            description=f"The retrieved chunks, best first; a plain text is one chunk. Together they have at most "
            f"{MOST_CONTEXT_CHARACTERS:,} characters.",
            examples=[["The office opens at 9 am.", "Parking costs 7 euros."]],
        ),
    ]
    question: Question | None = None

    def arguments(self) -> dict[str, Any]:
        """Return it as a guard takes it."""
        return {"answer": self.answer, "context": chunks_of(self.context), "question": self.question}


class GuardBody(CheckBody):
    """An answer with its chunks, and whether to correct it if it does not pass."""

    correct: bool = Field(default=False, description="Also correct the answer, and check the corrected one.")


class LoggedBody(_Strict):
    """An answer that a live application gave."""

    answer: Text
    context: Text | list[Text | ChunkBody]
    question: Text | None = None
    id: Id | None = Field(default=None, description="Your own id: answers with the same id are stored once.")
    at: Text | None = Field(
        default=None,
        description="The answer's time, with its time zone; now, if left out.",
        json_schema_extra={"format": "date-time"},
    )
    segment: Id | None = None
    metadata: Metadata = Field(default_factory=dict)


class Unusable(NamedTuple):
    """An item of a batch that is not an answer: its own id if it has one, and what is wrong with it."""

    record_id: str | None
    field: str
    message: str


def _or_unusable(value: object, read: ValidatorFunctionWrapHandler) -> object:
    try:
        return read(value)
    except ValidationError as error:
        own = value.get("id") if isinstance(value, dict) else None
        known = own if isinstance(own, str) and len(own) <= _MOST_ID_CHARACTERS else None
        return Unusable(known, *first_error(error.errors(include_url=False, include_input=False)))


class LogBody(_Strict):
    """Answers to store. `faithview watch` judges them."""

    # Whatever is not an answer is read as `Unusable`, so it keeps no other out.
    answers: Annotated[
        list[Annotated[Annotated[LoggedBody, WrapValidator(_or_unusable)] | Any, Field(union_mode="left_to_right")]],
        Field(
            min_length=1,
            max_length=MOST_LOGGED_AT_ONCE,
            description="Invalid answers are listed in `refused`; if all are invalid, the request is refused.",
        ),
    ]
    application: Annotated[str, Field(max_length=LONGEST_APPLICATION, pattern=r"\S"), Storable] | None = Field(
        default=None, description="The application that gave the answers; ids are unique within one application."
    )


def chunks_of(context: str | list[str | ChunkBody]) -> list[Chunk]:
    """Return a context as the judge takes it."""
    return [
        Chunk(text=item)
        if isinstance(item, str)
        else Chunk(text=item.text, chunk_id=item.id or "", score=item.score, metadata=item.metadata)
        for item in ([context] if isinstance(context, str) else context)
    ]


def first_error(errors: Sequence[Any]) -> tuple[str, str]:
    """Return the place of the first of pydantic's errors, "context.2.text" for example, and a sentence about it."""
    first = errors[0]
    # Of a text or a list of chunks, the reading that got furthest says what is wrong.
    deepest = max((e for e in errors if e["loc"][:1] == first["loc"][:1]), key=lambda e: len(e["loc"]))
    parts = [str(part) for part in deepest["loc"] if not _is_branch(part)]
    if _METADATA in parts:  # what is inside it is the client's own
        del parts[parts.index(_METADATA) + 1 :]
    return ".".join(parts)[:_LONGEST_FIELD], f"{deepest['msg'].rstrip('.')}."


def _is_branch(part: int | str) -> bool:
    """Return whether a part of a field's place names a branch of a union, which no client has heard of."""
    return isinstance(part, str) and (part in ("str", "constrained-str", "ChunkBody") or "[" in part)
