"""Mappings of columns, saved under a name and offered again for files with the same columns."""

from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from faithview.domain.errors import InvalidInput, NotFound
from faithview.domain.mapping import SavedMapping, hash_columns
from faithview.domain.sample import find_unstorable
from faithview.services.container import Store
from faithview.store import mappings

if TYPE_CHECKING:
    from faithview.services.dataset_files import Dataset

_MAX_NAME = 100


def save_mapping(store: Store, name: str, dataset: "Dataset", *, author: str | None = None) -> bool:
    """Save the mapping in use for a file; return whether it replaced one with that name.

    Args:
        store: the store.
        name: 1 to 100 characters.
        dataset: the file under the mapping.
        author: who saves it; None without log-in.

    Raises:
        InvalidInput: the name is invalid or taken by a mapping for other columns, or a column is not in the file.
    """
    from faithview.formats.rows.mapping import check_columns, mapped_fields

    fields = mapped_fields(dataset.mapping)
    check_columns(fields, dataset.table.columns)
    mapping = SavedMapping(
        name=clean_name(name),
        columns=tuple(sorted(set(dataset.table.columns))),
        format=dataset.detection.reader.name,
        fields=fields,
        saved_at=datetime.now(UTC),
        saved_by=author,
    )
    return mappings.save(store.db, mapping)


_AS_IN_RUN = "as in run "


def remember_columns(store: Store, dataset: "Dataset", run_name: str) -> None:
    """Save the mapping that a run was made with under the run's name, unless one for these columns says the same.

    The next file with these columns is then read in the same way. Nothing is saved where that name is taken by other
    columns or is too long.
    """
    from faithview.formats.rows.mapping import mapped_fields

    fields = mapped_fields(dataset.mapping)
    if any(mapping.fields == fields for mapping in find_mappings(store, dataset)):
        return
    with suppress(InvalidInput):
        save_mapping(store, f"{_AS_IN_RUN}{run_name}", dataset)


def run_of_mapping(name: str) -> str | None:
    """Return the name of the run whose columns a mapping of that name has; None if a user named it."""
    return name.removeprefix(_AS_IN_RUN) if name.startswith(_AS_IN_RUN) else None


def find_mappings(store: Store, dataset: "Dataset") -> list[SavedMapping]:
    """Return the mappings that were saved for files with the columns of this one, the newest first."""
    return mappings.list_all(store.db, columns_hash=hash_columns(dataset.table.columns))


def get_mapping(store: Store, name: str) -> SavedMapping:
    """Return the mapping of that name.

    Raises:
        NotFound: there is none; the message lists the existing ones.
    """
    known = mappings.list_all(store.db)
    for mapping in known:
        if mapping.name == name:
            return mapping
    listed = (
        f"the saved ones are {', '.join(repr(mapping.name) for mapping in known)}"
        if known
        else "no mapping is saved yet"
    )
    raise NotFound(f"There is no saved mapping {name!r}; {listed}.")


def use_mapping(dataset: "Dataset", mapping: SavedMapping) -> "Dataset":
    """Return the file under a saved mapping.

    Raises:
        InvalidInput: the file is not in the mapping's format, or lacks a column that it names.
    """
    from faithview.formats.rows.mapping import check_columns

    if dataset.detection.reader.name != mapping.format:
        dataset = dataset.as_format(mapping.format)
    try:
        check_columns(mapping.fields, dataset.table.columns)
    except InvalidInput as error:
        raise InvalidInput(f"The mapping {mapping.name!r} does not fit {dataset.table.name}: {error}") from error
    return dataset.override(mapping.fields)


def delete_mapping(store: Store, name: str) -> None:
    """Delete a saved mapping; raises NotFound as `get_mapping` does."""
    if not mappings.remove(store.db, name):
        get_mapping(store, name)


def clean_name(name: str) -> str:
    """Return a mapping's name on one line; raises InvalidInput if it cannot be stored."""
    cleaned = " ".join(name.split())
    if not cleaned or len(cleaned) > _MAX_NAME:
        raise InvalidInput(f"The name of a mapping needs 1 to {_MAX_NAME} characters, not {len(cleaned)}.")
    if find_unstorable(cleaned) is not None:
        raise InvalidInput("The name of the mapping has a character that cannot be stored.")
    return cleaned
