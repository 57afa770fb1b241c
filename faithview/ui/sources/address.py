"""What the sources page looks at: in the address. Everything read here comes from outside and is only looked up."""

import streamlit as st

from faithview.services.sources.board import ChunkFault, Fault

_FAULT, _LEVEL, _SOURCE = "fault", "level", "source"
_DOCUMENTS = "documents"


def selected_fault() -> Fault | None:
    """Return the fault that the address names; None where it names none."""
    named = st.query_params.get(_FAULT)
    return Fault(named) if named in set(Fault) else None


def select_fault(fault: Fault) -> None:
    """Look at another list; its first entry opens."""
    if selected_fault() is not fault:
        st.query_params[_FAULT] = fault.value
        _drop(_SOURCE)


def is_by_document() -> bool:
    """Return whether the address wants the chunks of a document together."""
    return st.query_params.get(_LEVEL) == _DOCUMENTS


def select_level(*, by_document: bool) -> None:
    """Look at documents, or at chunks, which goes without saying."""
    if by_document == is_by_document():
        return
    _drop(_SOURCE, _LEVEL)
    if by_document:
        st.query_params[_LEVEL] = _DOCUMENTS


def selected_source() -> str | None:
    """Return the chunk or document that the address names."""
    return st.query_params.get(_SOURCE)


def select_source(item: ChunkFault) -> None:
    """Look at a chunk or a document."""
    if selected_source() != source_name(item):
        st.query_params[_SOURCE] = source_name(item)


def source_name(item: ChunkFault) -> str:
    """Return what names a chunk or a document in the address: chunks of one id may have several texts."""
    return item.name if item.text_id is None else f"{item.text_id}"


def address() -> dict[str, str]:
    """Return what the address says of this page, to be taken along to another one.

    `st.switch_page` puts its parameters first on the page that is left (seen with 1.67.0); without these the way back
    would lead to another list.
    """
    return {name: st.query_params[name] for name in (_FAULT, _LEVEL, _SOURCE) if name in st.query_params}


def _drop(*names: str) -> None:
    for name in names:
        if name in st.query_params:
            del st.query_params[name]
