"""The value of one cell, or of a path inside it: as text, as JSON, or as Python prints it."""

import ast
import base64
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, time, timedelta
from decimal import Decimal

from faithview.domain.sample import Json, has_unstorable
from faithview.formats.limits import check_levels, load_json

# Keys of an object's text, for example a message's.
TEXT_KEYS = ("content", "text", "answer", "response", "output", "value")
_HUMAN_ROLES = ("human", "user")


class BadCell(ValueError):
    """A cell whose value does not fit the field that its column is mapped to; the text says why."""


def is_missing(value: object) -> bool:
    """Return whether a cell is empty: None, NaN, NaT, NA or whitespace."""
    if value is None:
        return True
    if isinstance(value, str):
        return not value or value.isspace()
    if isinstance(value, float):
        return math.isnan(value)
    # NaT is not equal to itself. Comparing pandas' NA gives NA, and an array an array, not True.
    return type(value).__name__ == "NAType" or (value != value) is True


def as_text(value: object, *, what: str) -> str | None:
    """Return a cell as text, None if it is empty.

    A whole float is written without its fraction (spreadsheets store ids as floats). For a message, an object with
    `content` or a similar key, it is its text.

    Raises:
        BadCell: the cell contains a list, or an object without text.
    """
    value = _plain(value)
    if is_missing(value):
        return None
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    if isinstance(value, int | float | Decimal | date | time):
        return str(value)
    if isinstance(value, Mapping):
        return _text_in(value, what=what)
    if isinstance(value, list | tuple):
        if len(value) == 1:
            return as_text(value[0], what=what)
        raise BadCell(f"the {what} is a list of {len(value)} items instead of one text")
    raise BadCell(f"the {what} is a {type(value).__name__} instead of a text")


def as_question(value: object) -> str | None:
    """Return the question in a cell; for a conversation (a list of messages) the user's last message.

    Raises:
        BadCell: the cell contains neither text nor messages.
    """
    value = _plain(value)
    asked = [
        item
        for item in (value if isinstance(value, list) else [])
        if isinstance(item, Mapping) and str(item.get("role") or item.get("type") or "").lower() in _HUMAN_ROLES
    ]
    return as_text(asked[-1] if asked else value, what="question")


def as_reference(value: object) -> str | None:
    """Return the reference answer in a cell; several acceptable answers become one line each.

    Raises:
        BadCell: the cell contains something other than texts.
    """
    value = _plain(value)
    if isinstance(value, list | tuple):
        texts = [as_text(item, what="reference") for item in value]
        return "\n".join(text for text in texts if text is not None) or None
    return as_text(value, what="reference")


def as_json(value: object) -> Json:
    """Return a cell as a JSON value; NaN and NaT become None, everything else is kept.

    Infinities, and decimals that no float represents exactly, become text. Bytes become text if they are UTF-8, else
    base64.
    """
    value = _plain(value)
    if isinstance(value, float) and math.isinf(value):
        return str(value)
    if is_missing(value) and not isinstance(value, str):
        return None
    if isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, Mapping):
        return {str(key): as_json(item) for key, item in value.items()}
    if isinstance(value, bytes | bytearray | memoryview):
        return _bytes_as_text(bytes(value))
    if isinstance(value, Decimal):
        return _decimal_as_json(value)
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, Iterable):
        return [as_json(item) for item in value]
    return str(value)


def _decimal_as_json(value: Decimal) -> Json:
    if value.is_finite() and value == value.to_integral_value():
        return int(value)
    return as_json(float(value)) if Decimal(repr(float(value))) == value else str(value)


def _bytes_as_text(value: bytes) -> str:
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return base64.b64encode(value).decode("ascii")


def as_number(value: float | Decimal) -> float:
    """Return a number as a float; an integer that is too large becomes infinity, as it does with a decimal point."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def find_unstorable(value: Json) -> str | None:
    """Name what no database or UTF-8 file can store and the value contains; None if there is nothing."""
    return "a NUL character or an incomplete character (a lone surrogate)" if has_unstorable(value) else None


def _plain(value: object) -> object:
    """Turn arrays and scalars of numpy into lists and numbers, without importing numpy."""
    to_list = getattr(value, "tolist", None)
    return to_list() if callable(to_list) and not isinstance(value, memoryview | bytes) else value


def _text_in(value: Mapping[object, object], *, what: str) -> str | None:
    text = next((text for key in TEXT_KEYS if isinstance(text := value.get(key), str)), None)
    if text is None:
        raise BadCell(f"the {what} is an object without a text (keys: {', '.join(map(str, value)) or 'none'})")
    return str(text) or None


# Python's parser needs about a hundred bytes per character.
MOST_CHARACTERS = 2_000_000
# Names that Python prints for a missing or infinite value, and around a plain one.
_NOTHING = ("nan", "NaN", "NaT", "inf")
_WRAPPERS = ("array", "list", "Decimal", "Timestamp", "ObjectId", "UUID", "HttpUrl")


def read_literal(text: str) -> Json:
    """Parse a printed Python value; it is parsed and never run.

    Lists, tuples, dicts, texts, numbers and None are returned as JSON values; `nan` is None. A printed object becomes
    its fields: `Document(id='7', text='…')` is `{"id": "7", "text": "…"}`, and `array(['a', 'b'], dtype=object)` its
    list.

    Raises:
        ValueError: the text is something else, or too long or too deep to be parsed.
    """
    if len(text) > MOST_CHARACTERS:
        raise ValueError("the text is too long for a printed value")
    try:
        value = as_json(ast.literal_eval(_Plain().visit(ast.parse(text.strip(), mode="eval"))))
    except (SyntaxError, TypeError, MemoryError, RecursionError) as error:
        raise ValueError("the text is not a printed value") from error
    check_levels(value)
    return value


class _Plain(ast.NodeTransformer):
    """Puts plain values in place of printed names and objects."""

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Constant(None) if node.id in _NOTHING else node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.func, ast.Name):
            return ast.Constant(ast.unparse(node)) if ast.unparse(node.func) == "datetime.datetime" else node
        if node.args and node.func.id in _WRAPPERS:
            return node.args[0]
        if node.args or not node.keywords:
            return node
        return ast.Dict([ast.Constant(field.arg) for field in node.keywords], [field.value for field in node.keywords])


_STARTS = ("{", "[", "(", "array(")
_NUMBER = re.compile(r"\d{1,9}")


def value_at(values: Mapping[str, object], path: str) -> object:
    """Return the value at a path; None if the row has none.

    A column whose own name is the path comes first. Otherwise the longest column that the path begins with is entered,
    key by key and, in lists, item by item from 0; `*` applies the rest of the path to every item. Text that is JSON or
    a printed Python value is entered as well.
    """
    for column, rest in _splits(path):
        if column in values:
            return _inside(values[column], rest)
    return None


def column_of(path: str, columns: Sequence[str]) -> str | None:
    """Return the column that a path leads into or names; None if there is none."""
    known = set(columns)
    return next((name for name, _ in _splits(path) if name in known), None)


def parsed(value: object) -> object:
    """Return the value of a text that is JSON or a printed Python value; anything else unchanged."""
    if not isinstance(value, str) or not value.lstrip().startswith(_STARTS):
        return value
    try:
        return load_json(value)
    except ValueError:
        pass
    try:
        return read_literal(value)
    except ValueError:
        return value


def _splits(path: str) -> list[tuple[str, str]]:
    """Return the beginnings of a path with the rest, the longest first: a name may contain dots, as "llm.model"."""
    parts = path.split(".")
    return [(".".join(parts[:length]), ".".join(parts[length:])) for length in range(len(parts), 0, -1)]


def _inside(value: object, path: str) -> object:
    if not path:
        return value
    value = parsed(_plain(value))
    if isinstance(value, Mapping):
        return value_at(value, path)
    if not isinstance(value, list | tuple):
        return None
    part, _, rest = path.partition(".")
    if _NUMBER.fullmatch(part):
        return _inside(value[int(part)], rest) if int(part) < len(value) else None
    found = [_inside(item, rest if part == "*" else path) for item in value]
    return found if any(item is not None for item in found) else None
