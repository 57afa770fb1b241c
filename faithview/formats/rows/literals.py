"""Python values as programs print them, read from their text; nothing in the text is ever run."""

import ast
from collections.abc import Mapping
from types import MappingProxyType

from faithview.formats.limits.json_value import check_levels

# Python's parser needs about a hundred bytes per character.
MOST_CHARACTERS = 2_000_000
_NAMES: Mapping[str, object] = MappingProxyType(
    {"nan": None, "NaN": None, "NaT": None, "null": None, "NA": None, "inf": None, "true": True, "false": False}
)
# What is printed round a plain value.
_WRAPPERS = ("array", "list", "Decimal", "Timestamp", "ObjectId", "UUID", "HttpUrl")


def read_literal(text: str) -> object:
    """Return the value of a printed Python value.

    Lists, tuples, dicts, texts, numbers and None are themselves; `nan` is None. A printed object is its fields:
    `Document(id='7', text='…')` is `{"id": "7", "text": "…"}`, and `array(['a', 'b'], dtype=object)` its list.

    Raises:
        ValueError: the text is something else, or too long or too deep to be parsed.
    """
    if len(text) > MOST_CHARACTERS:
        raise ValueError("the text is too long for a printed value")
    try:
        value = _value(ast.parse(text.strip(), mode="eval").body)
        check_levels(value)
        return value
    except (SyntaxError, MemoryError, RecursionError) as error:
        raise ValueError("the text is no printed value") from error


def _value(node: ast.expr) -> object:
    match node:
        case ast.Constant(value=value) if value is not Ellipsis:
            return value
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return [_value(item) for item in items]
        case ast.Dict(keys=keys, values=values):
            return {str(_value(key)): _value(value) for key, value in zip(keys, values, strict=True) if key is not None}
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            return -number
        case ast.Name(id=name) if name in _NAMES:
            return _NAMES[name]
        case ast.Call(func=ast.Name(), args=[], keywords=fields) if fields and all(field.arg for field in fields):
            return {str(field.arg): _value(field.value) for field in fields}
        case ast.Call(func=ast.Name(id=name), args=[only]) if name in _WRAPPERS:
            return _value(only)
    raise ValueError(f"a printed value has no {type(node).__name__}")
