"""The rows of a data set: looked at, searched, tagged and held out."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from faithview.domain.dataset import (
    DatasetRow,
    DatasetVersion,
    NamedDataset,
    Part,
    RowFilter,
    draw_subjects,
)
from faithview.domain.errors import InvalidInput
from faithview.domain.sample import find_unstorable
from faithview.services.container import Services
from faithview.store.datasets import marks, rows

_MAX_TAG = 100
_PAGE = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionCounts:
    """What is in a version: its rows, how many of them are held out, and how many questions these are about."""

    rows: int
    questions: int
    held_out_rows: int
    held_out_questions: int


def list_rows(
    services: Services,
    dataset: NamedDataset,
    version: DatasetVersion,
    filters: RowFilter,
    *,
    limit: int,
    offset: int = 0,
) -> list[DatasetRow]:
    """Return the rows of a version that the filter lets through, in the order of the file."""
    return rows.list_rows(services.db, dataset.dataset_id, version.version_id, filters, limit=limit, offset=offset)


def count_rows(services: Services, dataset: NamedDataset, version: DatasetVersion, filters: RowFilter) -> int:
    """Return how many rows of a version the filter lets through."""
    return rows.count_rows(services.db, dataset.dataset_id, version.version_id, filters)


def find_source(services: Services, version: DatasetVersion) -> str:
    """Return the id of the run that a version's rows are read from: the newest over it; "" where there is none."""
    return rows.find_run(services.db, version.version_id)


def iterate_rows(
    services: Services, dataset: NamedDataset, version: DatasetVersion, filters: RowFilter, *, source: str | None = None
) -> Iterator[DatasetRow]:
    """Yield the rows that the filter lets through, reading a few hundred at a time.

    They are all those of one run, `source` (`find_source`), for a newer one may have them in another order.
    """
    after, run_id = 0, find_source(services, version) if source is None else source
    while page := rows.list_rows(
        services.db, dataset.dataset_id, version.version_id, filters, limit=_PAGE, after=after, run_id=run_id
    ):
        yield from page
        after = page[-1].position


def count_parts(services: Services, dataset: NamedDataset, version: DatasetVersion) -> VersionCounts:
    """Return how many rows and questions of a version are held out."""
    place = (services.db, dataset.dataset_id, version.version_id)
    everything, held_out = RowFilter(), RowFilter(part=Part.HELD_OUT)
    return VersionCounts(
        rows=rows.count_rows(*place, everything),
        questions=rows.count_questions(*place, everything),
        held_out_rows=rows.count_rows(*place, held_out),
        held_out_questions=rows.count_questions(*place, held_out),
    )


def find_subjects(services: Services, dataset: NamedDataset, version: DatasetVersion, filters: RowFilter) -> list[str]:
    """Return what the rows that the filter lets through are about, each once.

    Raises:
        InvalidInput: the filter names an id that no row has, or lets no row through.
    """
    if filters.keys is not None:
        known = rows.list_keys(services.db, dataset.dataset_id, version.version_id, filters.keys)
        missing = [key for key in filters.keys if key not in known]
        if missing:
            raise InvalidInput(f"Version {version.number} of {dataset.name!r} has no row {missing[0]!r}.")
    found = list(dict.fromkeys(_subjects(services, dataset, version, filters)))
    if not found:
        raise InvalidInput(f"No row of version {version.number} of {dataset.name!r} matches.")
    return found


def clean_tag(tag: str) -> str:
    """Return a tag on one line.

    Raises:
        InvalidInput: it is empty or too long, or contains a character that cannot be stored.
    """
    line = " ".join(tag.split())
    if not line or len(line) > _MAX_TAG:
        raise InvalidInput(f"A tag needs 1 to {_MAX_TAG} characters, not {len(line)}.")
    if find_unstorable(line) is not None:
        raise InvalidInput(f"The tag {line!r} contains a character that cannot be stored; remove it.")
    return line


def add_tag(services: Services, dataset: NamedDataset, subjects: Collection[str], tag: str, *, by: str) -> int:
    """Tag what some rows are about; return how many questions did not have the tag. Raises InvalidInput for the tag."""
    name = clean_tag(tag)
    return marks.add_tag(services.db, dataset.dataset_id, subjects, name, by=by, at=datetime.now(UTC))


def remove_tag(services: Services, dataset: NamedDataset, subjects: Collection[str], tag: str) -> int:
    """Take a tag away; return how many questions had it."""
    return marks.remove_tag(services.db, dataset.dataset_id, subjects, clean_tag(tag))


def hold_out(services: Services, dataset: NamedDataset, subjects: Collection[str], *, by: str) -> int:
    """Hold out what some rows are about; return how many questions were not held out yet."""
    return marks.hold_out(services.db, dataset.dataset_id, subjects, by=by, at=datetime.now(UTC))


def release(services: Services, dataset: NamedDataset, subjects: Collection[str]) -> int:
    """Hold these out no longer; return how many questions were held out."""
    return marks.release(services.db, dataset.dataset_id, subjects)


def hold_out_share(services: Services, dataset: NamedDataset, version: DatasetVersion, share: float, *, by: str) -> int:
    """Draw questions of a version until this share of them is held out; return how many were added.

    What is held out already stays so. The same questions are drawn each time (`domain.dataset.draw_subjects`).

    Raises:
        InvalidInput: the share is not between 0 and 1.
    """
    if not 0 < share < 1:
        raise InvalidInput(f"The share to hold out must be more than 0 and less than 1, not {share}.")
    subjects = _subjects(services, dataset, version, RowFilter())
    held_out = _subjects(services, dataset, version, RowFilter(part=Part.HELD_OUT))
    return hold_out(services, dataset, draw_subjects(subjects, held_out=frozenset(held_out), share=share), by=by)


def list_held_out(services: Services) -> frozenset[str]:
    """Return what is held out in any data set of the store (`domain.dataset.subject_hash`)."""
    return marks.list_held_out(services.db)


def _subjects(services: Services, dataset: NamedDataset, version: DatasetVersion, filters: RowFilter) -> list[str]:
    return rows.list_subjects(services.db, dataset.dataset_id, version.version_id, filters)
