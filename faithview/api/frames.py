"""Results as data frames of pandas: the items of the JSON documents, one a row."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pandas import DataFrame

    from faithview.documents.base import Part

__all__ = ["make_frame"]

_TIMES = ("timestamp", "as_of", "created_at", "archived_at")
_INTERVALS = ("faithfulness_ci", "faithfulness_bounds", "delta_ci")


def make_frame(items: Iterable[Mapping[str, Any]], model: "type[Part]", *, first: Sequence[str] = ()) -> "DataFrame":
    """Return items of a JSON document as a frame with a column for each key, in the order of the document.

    An interval has two columns, NAME_low and NAME_high, and an object one for each of its keys, NAME.KEY. Lists stay
    lists, and what is missing is NA. An empty frame has the columns of `first` and of the model's keys.
    """
    import pandas

    names = [*first, *(field.serialization_alias or name for name, field in model.model_fields.items())]
    rows = [_flat(item) for item in items]
    frame = (
        pandas.json_normalize(rows, max_level=1) if rows else pandas.DataFrame(columns=[*_flat(dict.fromkeys(names))])
    )
    for name in filter(frame.columns.__contains__, _TIMES):
        frame[name] = pandas.to_datetime(frame[name], utc=True, format="ISO8601")
    return frame.convert_dtypes()


def _flat(item: Mapping[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in item.items():
        if key in _INTERVALS:
            flat[f"{key}_low"], flat[f"{key}_high"] = value or (None, None)
        else:
            flat[key] = value
    return flat
