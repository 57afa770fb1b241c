"""What the knowledge base page looks at, in the address."""

from faithview.ui.shell.address import BASELINE, CANDIDATE
from faithview.ui.shell.address_field import AddressField, write_together

_DOCUMENT = AddressField("document")


def selected_runs() -> tuple[str | None, str | None]:
    """Return the earlier and the later run that the address names."""
    return BASELINE.get(), CANDIDATE.get()


def select_runs(baseline: str, candidate: str) -> None:
    """Look at another step; the document of the old one leaves the address."""
    if selected_runs() != (baseline, candidate):
        write_together({BASELINE: baseline, CANDIDATE: candidate, _DOCUMENT: None})


def selected_document() -> str | None:
    """Return the key of the document that the address names."""
    return _DOCUMENT.get()


def select_document(key: str) -> None:
    """Open a document."""
    _DOCUMENT.set(key)


def address() -> dict[str, str]:
    """Return this page's parameters, to be taken along to another page, so that the way back leads here again."""
    fields = (BASELINE, CANDIDATE, _DOCUMENT)
    return {field.name: value for field in fields if (value := field.get()) is not None}
