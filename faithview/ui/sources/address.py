"""What the sources page looks at, in the address."""

from faithview.services.sources.board import ChunkFault, Fault
from faithview.ui.shell.address_field import AddressField, clear

_FAULT, _LEVEL, _SOURCE = AddressField("fault"), AddressField("level"), AddressField("source")
_DOCUMENTS = "documents"


def selected_fault() -> Fault | None:
    """Return the fault that the address names; None where it names none."""
    named = _FAULT.get()
    return Fault(named) if named in set(Fault) else None


def select_fault(fault: Fault) -> None:
    """Show the list of another fault; its first entry opens."""
    if selected_fault() is not fault:
        _FAULT.set(fault.value)
        clear(_SOURCE)


def is_by_document() -> bool:
    """Return whether the address asks for documents instead of single chunks."""
    return _LEVEL.get() == _DOCUMENTS


def select_level(*, by_document: bool) -> None:
    """Show documents, or single chunks (the default, which stays out of the address)."""
    if by_document == is_by_document():
        return
    clear(_SOURCE)
    _LEVEL.set(_DOCUMENTS if by_document else None)


def selected_source() -> str | None:
    """Return the chunk or document that the address names."""
    return _SOURCE.get()


def select_source(item: ChunkFault) -> None:
    """Open a chunk or a document."""
    _SOURCE.set(source_name(item))


def source_name(item: ChunkFault) -> str:
    """Return the name of a chunk or a document in the address; chunks with one id may have several texts."""
    return item.name if item.text_id is None else f"{item.text_id}"


def address() -> dict[str, str]:
    """Return this page's parameters, to be taken along to another page.

    `st.switch_page` puts its parameters first on the page that is left (seen with 1.67.0); without these the way back
    would lead to another list.
    """
    return {field.name: value for field in (_FAULT, _LEVEL, _SOURCE) if (value := field.get()) is not None}
