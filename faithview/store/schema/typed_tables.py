"""Tables as classes of typed columns.

    class RunRow(Base):
        __tablename__ = "run"

        id: ColumnClause[str] = column(String(16), primary_key=True)
        note: ColumnClause[str | None]

In a statement the class represents its table, and `RunRow.id` is a column of it. The annotation says whether the column
may be NULL, and its type, unless `column` names another one or a foreign key. It is `ColumnClause`, the base class of
columns, because type checkers reject a `Column` on a class since SQLAlchemy 2.1.

SQLAlchemy's ORM declares tables in the same way. It is not used here, because the store works only with rows, and
importing the ORM and mapping every table would slow down each command.
"""

from datetime import datetime
from inspect import get_annotations
from types import UnionType
from typing import Any, ClassVar, get_args

from sqlalchemy import JSON, Boolean, Column, Double, Integer, MetaData, Table, Text
from sqlalchemy.schema import SchemaItem
from sqlalchemy.types import TypeEngine

from faithview.store.dialect import UtcDateTime

_TYPES: dict[Any, type[TypeEngine[Any]] | TypeEngine[Any]] = {
    bool: Boolean,
    int: Integer,
    float: Double,
    str: Text,
    datetime: UtcDateTime,
    dict[str, Any]: JSON(none_as_null=True),
    list[Any]: JSON(none_as_null=True),
}


class _Declared:
    """The arguments of `column`."""

    def __init__(self, *parts: Any, **options: Any) -> None:
        self.parts, self.options = parts, options


def column(*parts: Any, **options: Any) -> Any:
    """Declare a column with `sqlalchemy.Column`'s arguments after the name: its type, foreign keys, and options."""
    return _Declared(*parts, **options)


class Base:
    """The base class of all tables. Constraints have names, because a migration cannot change a nameless constraint."""

    metadata: ClassVar = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    __tablename__: ClassVar[str]
    # Constraints and indexes, or options of `sqlalchemy.Table`.
    __table_args__: ClassVar[tuple[SchemaItem, ...] | dict[str, Any]] = ()
    __table__: ClassVar[Table]

    def __init_subclass__(cls) -> None:
        """Create the table, and replace the annotations with its columns."""
        columns = [
            _make_column(name, annotation, getattr(cls, name, _Declared()))
            for name, annotation in get_annotations(cls).items()
        ]
        more = cls.__table_args__
        items, options = ((), more) if isinstance(more, dict) else (more, {})
        cls.__table__ = Table(cls.__tablename__, cls.metadata, *columns, *items, **options)
        for made in columns:
            setattr(cls, made.key, made)

    @classmethod
    def __clause_element__(cls) -> Table:
        """Return the table that represents the class in a statement; SQLAlchemy calls this."""
        return cls.__table__


def _make_column(name: str, annotation: Any, declared: _Declared) -> Column[Any]:
    (held,) = get_args(annotation)  # ColumnClause[str | None] holds str | None
    is_nullable = isinstance(held, UnionType)
    if is_nullable:
        (held,) = (part for part in get_args(held) if part is not type(None))
    # A type is the first argument, if given; a foreign key has the type of the column that it refers to.
    types = () if declared.parts else (_TYPES[held],)
    return Column(name, *types, *declared.parts, nullable=is_nullable, **declared.options)
