"""Bodies of requests: their fields and limits, and one sentence about what is wrong with them."""

import asyncio
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, JsonValue, ValidationError
from pydantic_core import PydanticCustomError
from starlette.requests import Request

from faithview.domain.live import LONGEST_APPLICATION, Refusal
from faithview.domain.sample import Chunk, find_unstorable, has_unstorable
from faithview.server.errors import BAD_REQUEST, INVALID, Refused
from faithview.server.settings import (
    MOST_ANSWER_CHARACTERS,
    MOST_CHUNK_CHARACTERS,
    MOST_CHUNKS,
    MOST_CONTEXT_CHARACTERS,
    MOST_LOGGED_AT_ONCE,
    MOST_QUESTION_CHARACTERS,
)

_Body = TypeVar("_Body", bound="_Strict")

_MOST_ID_CHARACTERS = 500
_LONGEST_FIELD = 200
# A longer body takes long enough to be read in a thread, so others are answered meanwhile.
_SHORT = 64 * 1024
# Each error costs memory before the first one can be named.
_MOST_ERRORS = 20_000


def _unstorable() -> PydanticCustomError:
    return PydanticCustomError("unstorable", "The text contains a NUL character or an incomplete character; remove it")


def _storable(text: str) -> str:
    if find_unstorable(text) is not None:
        raise _unstorable()
    return text


def _named(text: str) -> str:
    if not text.strip():
        raise PydanticCustomError("blank", "The name is blank; leave it out, or name the application")
    return text


def _plain_json(value: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    if has_unstorable(value):
        raise _unstorable()
    try:
        json.dumps(value, allow_nan=False)
    except ValueError:
        raise PydanticCustomError("no_number", "NaN and infinity are not valid JSON; leave them out") from None
    return value


# What pydantic says of a text that is checked by a function before its length; of a list it says "List".
_TEXT_LENGTH = re.compile(
    r"^Value should have at (?P<end>most|least) (?P<limit>\d+) items? after validation, not (?P<length>\d+)"
)

Text = Annotated[str, AfterValidator(_storable)]
Metadata = Annotated[dict[str, JsonValue], AfterValidator(_plain_json)]
Application = Annotated[Text, Field(min_length=1, max_length=LONGEST_APPLICATION), AfterValidator(_named)]
Id = Annotated[Text, Field(max_length=_MOST_ID_CHARACTERS)]


class _Strict(BaseModel):
    # strict: a time must be a string, not a number of seconds, and a flag must not be a string, as the document says.
    model_config = ConfigDict(extra="forbid", allow_inf_nan=False, strict=True)


class ChunkBody(_Strict):
    """A retrieved chunk with what is known about it."""

    text: Annotated[Text, Field(max_length=MOST_CHUNK_CHARACTERS)]
    id: Annotated[
        Id | None,
        Field(description="Your own id, which evidence refers to. If left out, the chunk's rank is its id."),
    ] = None
    score: Annotated[float, Field(description="The retriever's score.")] | None = None
    metadata: Metadata = Field(default_factory=dict)

    def chunk(self) -> Chunk:
        """Return it as the judge takes it."""
        return Chunk(text=self.text, chunk_id=self.id or "", score=self.score, metadata=self.metadata)


_ChunkText = Annotated[Text, Field(max_length=MOST_CHUNK_CHARACTERS)]
Context = Annotated[
    _ChunkText | Annotated[list[_ChunkText | ChunkBody], Field(max_length=MOST_CHUNKS)],
    Field(
        description=f"The retrieved chunks, best first; a plain text is one chunk. Together they have at most "
        f"{MOST_CONTEXT_CHARACTERS:,} characters.",
        examples=[["The office opens at 9 am.", "Parking costs 7 euros."]],
    ),
]


def chunks_of(context: str | list[str | ChunkBody]) -> list[Chunk]:
    """Return a context as chunks.

    Raises:
        Refused: its texts are too long together.
    """
    items = [context] if isinstance(context, str) else context
    chunks = [Chunk(text=item) if isinstance(item, str) else item.chunk() for item in items]
    length = sum(len(chunk.text) for chunk in chunks)
    if length > MOST_CONTEXT_CHARACTERS:
        message = f"The chunks have {length:,} characters together; at most {MOST_CONTEXT_CHARACTERS:,} are judged."
        raise Refused(INVALID, message, field="context")
    return chunks


class CheckBody(_Strict):
    """An answer with the chunks that were retrieved for it."""

    answer: Annotated[
        Text, Field(max_length=MOST_ANSWER_CHARACTERS, examples=["The office opens at 9 am. Parking is free."])
    ]
    context: Context
    question: Annotated[Text, Field(max_length=MOST_QUESTION_CHARACTERS)] | None = None


class GuardBody(CheckBody):
    """An answer with its chunks, and whether to correct it if it does not pass."""

    correct: bool = Field(default=False, description="Also correct the answer, and check the corrected one.")


class LoggedBody(_Strict):
    """An answer that a live application gave."""

    answer: Text
    context: Text | list[Text | ChunkBody]
    question: Text | None = None
    id: Annotated[Id | None, Field(description="Your own id: answers with the same id are stored once.")] = None
    at: Annotated[AwareDatetime | None, Field(description="The answer's time; now, if left out.")] = None
    segment: Id | None = None
    metadata: Metadata = Field(default_factory=dict)


class LogBody(_Strict):
    """Answers to store. `faithview watch` judges them."""

    # Whatever is not an answer is read as anything, so it keeps no other out.
    answers: Annotated[
        list[Annotated[LoggedBody | Any, Field(union_mode="left_to_right")]],
        Field(
            min_length=1,
            max_length=MOST_LOGGED_AT_ONCE,
            description="Invalid answers are listed in `refused`; if all are invalid, the request is refused.",
        ),
    ]
    application: Application | None = Field(
        default=None, description="The application that gave the answers; ids are unique within one application."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadAnswers:
    """What a body of `/log` holds: the answers that can be read, and why the others cannot, each with its place."""

    application: str | None
    answers: Sequence[tuple[int, LoggedBody]]
    refused: Sequence[Refusal] = ()


BODIES: tuple[type[_Strict], ...] = (CheckBody, GuardBody, LogBody)


async def receive_body(model: type[_Body], request: Request) -> _Body:
    """Return a request's body as the model; raises as `read_body`."""
    body = await request.body()
    if len(body) <= _SHORT:
        return read_body(model, body)
    return await asyncio.to_thread(read_body, model, body)


async def receive_answers(request: Request) -> ReadAnswers:
    """Return the answers of a body of `/log`; raises as `read_answers`."""
    body = await request.body()
    return read_answers(body) if len(body) <= _SHORT else await asyncio.to_thread(read_answers, body)


def read_answers(body: bytes) -> ReadAnswers:
    """Return the answers of a body; one that cannot be read keeps no other out.

    Raises:
        Refused: it is not JSON, no list of answers, or no answer in it can be read.
    """
    whole = read_body(LogBody, body)
    answers: list[tuple[int, LoggedBody]] = []
    refused: list[Refusal] = []
    first: Refused | None = None
    for index, item in enumerate(whole.answers):
        if isinstance(item, LoggedBody):
            answers.append((index, item))
            continue
        error = _why_unusable(item, f"answers.{index}")
        first = first or error
        refused.append(Refusal(index=index, record_id=_own_id(item), reason=f"{error.field}: {error.message}"))
    if not answers and first is not None:
        raise first
    return ReadAnswers(application=whole.application, answers=answers, refused=refused)


def _why_unusable(item: object, place: str) -> Refused:
    """Return what is wrong with an item that is not an answer; it is read once more, because a union does not say."""
    message, field = "This is not an answer in the documented form.", None
    try:
        read_body(LoggedBody, json.dumps(item).encode("ascii"))
    except Refused as error:
        message, field = error.message, error.field
    return Refused(INVALID, message, field=place if field is None else f"{place}.{field}"[:_LONGEST_FIELD])


def _own_id(item: object) -> str | None:
    own = item.get("id") if isinstance(item, dict) else None
    return own if isinstance(own, str) and len(own) <= _MOST_ID_CHARACTERS else None


def read_body(model: type[_Body], body: bytes) -> _Body:
    """Return a JSON body as the model.

    Raises:
        Refused: it is not JSON (400), or not what the model wants (422).
    """
    try:
        return model.model_validate_json(body)
    except ValidationError as error:
        count = error.error_count()
        if count > _MOST_ERRORS:
            raise Refused(INVALID, f"The body has {count:,} errors, too many to list.") from None
        errors = error.errors(include_url=False, include_context=False, include_input=False)
    first = errors[0]
    if first["type"] == "json_invalid":
        raise Refused(BAD_REQUEST, f"The body cannot be read as JSON in UTF-8: {_lower(first['msg'])}.")
    # Of a text or a list of chunks, the reading that got furthest says what is wrong.
    deepest = max((e for e in errors if e["loc"][:1] == first["loc"][:1]), key=lambda e: len(e["loc"]))
    field = ".".join(str(part) for part in deepest["loc"] if not _is_branch(part))
    message = _TEXT_LENGTH.sub(_in_characters, deepest["msg"]).rstrip(".")
    raise Refused(INVALID, f"{message}.", field=field[:_LONGEST_FIELD] or None)


def _in_characters(found: re.Match[str]) -> str:
    return f"The text has {int(found['length']):,} characters; at {found['end']} {int(found['limit']):,} are allowed"


def _is_branch(part: int | str) -> bool:
    """Return whether a part of a field's place names a branch of a union, which no client has heard of."""
    return isinstance(part, str) and (part in ("str", "constrained-str", "ChunkBody") or "[" in part)


def _lower(text: str) -> str:
    text = text.removeprefix("Invalid JSON: ").rstrip(".")
    return text[:1].lower() + text[1:]
