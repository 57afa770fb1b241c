"""What all models share: reading records, writing JSON, and the types of their fields."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import (
    AliasPath,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    WithJsonSchema,
)

from faithview.domain.scoring import Interval
from faithview.domain.spans import Span


class _Joined:
    """Several records as one: an attribute is that of the first which has it."""

    def __init__(self, more: Mapping[str, object], records: tuple[object, ...]) -> None:
        self.__dict__ |= more
        self._records = records

    def __getattr__(self, name: str) -> object:
        record = next((record for record in self._records if hasattr(record, name)), None)
        return getattr(record, name)


class Part(BaseModel):
    """A part of a document. The JSON has its fields in the order of the class.

    Fields of the last base come first, then those of the bases before it, then the class's own.
    """

    model_config = ConfigDict(
        defer_build=True,
        extra="forbid",
        from_attributes=True,
        json_schema_serialization_defaults_required=True,
        populate_by_name=True,
        protected_namespaces=(),
        use_enum_values=True,
    )

    @classmethod
    def of(cls, *records: object, **more: object) -> Self:
        """Return the model of records: each field is in `more`, else in the first record that has it.

        Raises:
            ValidationError: a field is in none of them, or is of another type.
        """
        return cls.model_validate(_Joined(more, records))

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object; `json.dumps` takes it."""
        return self.model_dump()


class Document(Part):
    """A whole JSON document."""

    schema_version: Literal[1] = Field(
        default=1, description="Increases when a field is removed or renamed, but not when one is added."
    )


def entry(meaning: str, at: str | None = None, *, default: Any = ...) -> Any:
    """Describe a field.

    Args:
        meaning: the field's meaning and unit, in plain words.
        at: where the record has it, "run.judge.name" for example, if not under the field's own name. With a default a
            None on the way is that default.
        default: the value if the record has no such attribute.
    """
    path = None if at is None else AliasPath(*at.split("."))
    return Field(default=default, description=meaning, validation_alias=path)


def _time(value: object) -> object:
    return value.isoformat() if isinstance(value, datetime) else value


def _interval_as_list(value: object) -> object:
    return [value.low, value.high] if isinstance(value, Interval) else value


def _offsets(value: object) -> object:
    return [value.start, value.end] if isinstance(value, Span) else value


def _length(value: object) -> object:
    return len(value) if isinstance(value, tuple | list) else value


# Numbers are written unchanged: 1 stays 1. Ranges are published but not enforced.
Number = Annotated[int | float, WithJsonSchema({"type": "number"})]
Seconds = Annotated[int | float, WithJsonSchema({"type": "number", "minimum": 0})]
Count = Annotated[int, WithJsonSchema({"type": "integer", "minimum": 0})]
# The length of a list in the record.
Length = Annotated[int, BeforeValidator(_length), WithJsonSchema({"type": "integer", "minimum": 0})]
Position = Annotated[int, WithJsonSchema({"type": "integer", "minimum": 1})]
Share = Annotated[int | float, WithJsonSchema({"type": "number", "minimum": 0, "maximum": 1})]
Difference = Annotated[int | float, WithJsonSchema({"type": "number", "minimum": -1, "maximum": 1})]
Ends = Annotated[
    list[Number],
    BeforeValidator(_interval_as_list),
    WithJsonSchema({"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}),
]
Offsets = Annotated[
    list[int],
    BeforeValidator(_offsets),
    WithJsonSchema({"type": "array", "items": {"type": "integer", "minimum": 0}, "minItems": 2, "maxItems": 2}),
]
Time = Annotated[str, BeforeValidator(_time), WithJsonSchema({"type": "string", "format": "date-time"})]
# Objects that came with the user's data, of any depth.
Given: TypeAlias = dict[str, Any]
