"""Where a file came from and how it was read, so that another process can read on in it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from faithview.domain.errors import FaithViewError, InvalidInput
from faithview.formats.rows.mapping import Mapping as ColumnMapping
from faithview.services.datasets.files import Dataset, open_dataset


@dataclass(frozen=True, slots=True, kw_only=True)
class FileOrigin:
    """A file on this machine.

    Attributes:
        path: where it is.
        content_key: as in `Dataset`; it changes when the file does.
        format_name: the format that a person named; None for what is recognised.
        mapping: the fields of the mapping under which it was read; None for the one that is detected.
        others: the other files that belong to it.
        limit: the most usable rows that were wanted; None for all.
    """

    path: str
    content_key: str
    format_name: str | None = None
    mapping: Mapping[str, Any] | None = None
    others: tuple[str, ...] = ()
    limit: int | None = None

    def settled(self, dataset: Dataset) -> "FileOrigin":
        """Return the origin with the columns and settings under which the file is read after a first pass."""
        return replace(self, mapping=asdict(dataset.mapping))

    def document(self) -> dict[str, Any]:
        """Return it as the store keeps it."""
        return asdict(self)

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> "FileOrigin":
        """Return what `document` made."""
        return cls(**{**document, "others": tuple(document["others"])})

    def open(self) -> Dataset:
        """Open the file as it was read the first time.

        Raises:
            InvalidInput: it is gone, or is not as it was.
        """
        try:
            dataset = open_dataset(Path(self.path), format_name=self.format_name, others=[Path(p) for p in self.others])
        except FaithViewError as error:
            raise InvalidInput(f"The rest of {self.path} cannot be read: {error}") from error
        if dataset.content_key != self.content_key:
            raise InvalidInput(f"{self.path} was changed since its first rows were read; judge it as a new run.")
        if self.mapping is None:
            return dataset
        # JSON knows no tuples.
        fields: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in self.mapping.items()
        }
        return replace(dataset, mapping=ColumnMapping(**fields))
