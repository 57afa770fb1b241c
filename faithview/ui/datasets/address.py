"""What the Data sets page looks at, in the address: a data set, a version, which rows, and the open one."""

from faithview.domain.dataset import Part, RowFilter
from faithview.ui.shell.address_field import AddressField, write_together

_DATASET, _VERSION, _KEY = AddressField("dataset"), AddressField("version"), AddressField("key")
_SEARCH, _TAG, _PART = AddressField("search"), AddressField("tag"), AddressField("part")
_DIGITS = 9


def selected_dataset() -> str | None:
    """Return the name of the data set that the address names."""
    return _DATASET.get()


def select_dataset(name: str) -> None:
    """Look at another data set; what was chosen in the old one leaves the address."""
    write_together({_DATASET: name, **dict.fromkeys((_VERSION, _KEY, _SEARCH, _TAG, _PART))})


def selected_version() -> int | None:
    """Return the number of the version that the address names."""
    return _VERSION.number(digits=_DIGITS)


def select_version(number: int) -> None:
    """Look at another version."""
    _VERSION.set(str(number))


def selected_row() -> str | None:
    """Return the id of the row that the address names."""
    return _KEY.get()


def select_row(key: str) -> None:
    """Open a row."""
    _KEY.set(key)


def row_filter() -> RowFilter:
    """Return which rows the address asks for; a part that there is not counts as all."""
    part = _PART.get()
    return RowFilter(
        search=_SEARCH.get() or "",
        tag=_TAG.get() or None,
        part=Part(part) if part in list(Part) else Part.ALL,
    )


def search_rows(words: str) -> None:
    """Ask for rows with words; empty for all. The open row leaves the address, as with every other choice of rows."""
    write_together({_SEARCH: words or None, _KEY: None})


def select_tag(tag: str | None) -> None:
    """Ask for rows with a tag; None for all."""
    write_together({_TAG: tag, _KEY: None})


def select_part(part: Part) -> None:
    """Ask for rows of a part."""
    write_together({_PART: None if part is Part.ALL else part.value, _KEY: None})
