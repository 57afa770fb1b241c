"""One parameter of the page's address. What it holds comes from outside: look it up, never trust it."""

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st
from streamlit.errors import StreamlitAPIException


@dataclass(frozen=True, slots=True)
class AddressField:
    """A parameter by its name in the address."""

    name: str

    def get(self) -> str | None:
        """Return the text in the address; None where the parameter is missing."""
        return st.query_params.get(self.name)

    def number(self, *, digits: int) -> int | None:
        """Return a whole number of at most so many digits; None for anything else."""
        text = self.get() or ""
        return int(text) if text.isascii() and text.isdecimal() and len(text) <= digits else None

    def is_set(self) -> bool:
        """Return whether the address has the parameter."""
        return self.name in st.query_params

    def set(self, value: str | None) -> None:
        """Write the parameter, or remove it (None). An unchanged value is not written: each write is one step back."""
        if value is None:
            clear(self)
        elif self.get() != value:
            st.query_params[self.name] = value


# In the address of every page where there are projects; `shell/projects` writes it.
PROJECT = AddressField("project")


def clear(*fields: AddressField) -> None:
    """Remove parameters from the address."""
    for field in fields:
        if field.is_set():
            del st.query_params[field.name]


def write_together(values: Mapping[AddressField, str | None]) -> None:
    """Write parameters, or remove them (None), as one step of the browser's history where Streamlit allows it."""
    changed = {field: value for field, value in values.items() if field.get() != value}
    if not changed:
        return
    removed = {field.name for field in changed}
    address = {name: value for name, value in st.query_params.to_dict().items() if name not in removed}
    try:
        st.query_params.from_dict({**address, **{f.name: value for f, value in changed.items() if value is not None}})
    except StreamlitAPIException:  # a widget of the page has a parameter of its own, which only the widget may write
        for field, value in changed.items():
            field.set(value)
