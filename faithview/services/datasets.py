"""Data sets (`domain/dataset.py`): list, rename, compare versions; search, tag and hold out rows."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from faithview.domain import content_hashes
from faithview.domain.dataset import (
    DatasetRow,
    DatasetVersion,
    NamedDataset,
    Part,
    RowFilter,
    VersionChange,
    compare_versions,
    draw_subjects,
    row_identity,
)
from faithview.domain.errors import InvalidInput, NotFound
from faithview.domain.run import Run
from faithview.domain.sample import Sample, find_unstorable
from faithview.services.container import Store
from faithview.store import dataset_versions, datasets, runs

_MAX_NAME = 200
_RECOGNISED = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionStep:
    """A version, and how its rows differ from the previous version that still exists; None for the first."""

    version: DatasetVersion
    change: VersionChange | None


def clean_dataset_name(name: str) -> str:
    """Return the name of a data set on one line.

    Raises:
        InvalidInput: it is empty or too long, or contains a character that cannot be stored.
    """
    line = " ".join(name.split())
    if not line or len(line) > _MAX_NAME:
        raise InvalidInput(f"A data set's name needs 1 to {_MAX_NAME} characters, not {len(line)}.")
    if find_unstorable(line) is not None:
        raise InvalidInput(f"The data set {line!r} contains a character that cannot be stored; remove it.")
    return line


def place_older_runs(store: Store) -> int:
    """Find the data set of each run that was stored before data sets existed; return how many are left.

    This takes one pass over the hashes of their rows, once. In a read-only store all of them are left.
    """
    waiting = dataset_versions.list_unplaced(store.db)
    if store.is_read_only:
        return len(waiting)
    for run_id in waiting:
        try:
            run = runs.get_run(store.db, run_id, now=datetime.now(UTC))
        except NotFound:  # deleted meanwhile
            continue
        dataset_versions.place_older_run(store.db, run)
    return 0


def list_datasets(store: Store) -> list[NamedDataset]:
    """Return the data sets, newest run first; those without a run come last."""
    place_older_runs(store)
    return datasets.list_datasets(store.db)


def get_dataset(store: Store, name: str) -> NamedDataset:
    """Return the data set of that name; raises NotFound."""
    for dataset in list_datasets(store):
        if dataset.name == name:
            return dataset
    raise NotFound(f"There is no data set {name!r}.")


def get_version(dataset: NamedDataset, number: int | None = None) -> DatasetVersion:
    """Return a version of a data set by its number, None for the newest.

    Raises:
        NotFound: the version does not exist, or the data set has none.
    """
    newest = dataset.newest
    if newest is None:
        raise NotFound(f"No run uses the data set {dataset.name!r} any more, so it has no rows.")
    if number is None:
        return newest
    for version in dataset.versions:
        if version.number == number:
            return version
    known = ", ".join(str(version.number) for version in dataset.versions)
    raise NotFound(f"The data set {dataset.name!r} has no version {number}; it has {known}.")


def list_runs_over(store: Store, version: DatasetVersion) -> list[Run]:
    """Return the runs over a version, including archived ones and repeats, newest first."""
    return _load_runs(store, datasets.list_runs_over(store.db, version.version_id))


def list_steps(store: Store, dataset: NamedDataset) -> list[VersionStep]:
    """Return the versions, the newest first, each with what changed since the one before."""
    steps: list[VersionStep] = []
    before = None
    for version in dataset.versions:
        identities = datasets.load_version_rows(store.db, version.version_id)
        change = None if before is None else compare_versions(before, identities)
        steps.append(VersionStep(version=version, change=change))
        before = identities
    return steps[::-1]


def hash_rows(samples: Iterable[Sample]) -> str:
    """Return the hash of the version that these rows form."""
    return content_hashes.rows_hash(row_identity(sample).row_hash for sample in samples)


def find_judged(store: Store, content_hash: str, *, besides: str | None = None) -> list[Run]:
    """Return the runs, not archived, over exactly the rows with this hash (`hash_rows`), newest first.

    At most five, without repeats and without the run with the id `besides`.
    """
    place_older_runs(store)
    found = datasets.find_runs_over(store.db, content_hash, limit=_RECOGNISED + 1)
    return _load_runs(store, [run_id for run_id in found if run_id != besides][:_RECOGNISED])


def rename_dataset(store: Store, old: str, new: str) -> str:
    """Rename a data set and return its new name.

    Raises:
        NotFound: there is no such data set.
        InvalidInput: the name cannot be used.
        RunConflict: another data set has it.
    """
    name = clean_dataset_name(new)
    datasets.rename_dataset(store.db, get_dataset(store, old).dataset_id, name)
    return name


def delete_dataset(store: Store, name: str) -> None:
    """Delete a data set that no run uses any more, with its tags and held-out marks.

    Raises:
        NotFound: there is no such data set.
        RunConflict: a run uses it.
    """
    datasets.delete_dataset(store.db, get_dataset(store, name).dataset_id)


def _load_runs(store: Store, run_ids: Iterable[str]) -> list[Run]:
    found = []
    for run_id in run_ids:
        try:
            found.append(runs.get_run(store.db, run_id, now=datetime.now(UTC)))
        except NotFound:  # deleted meanwhile
            continue
    return found


_MAX_TAG = 100
_PAGE = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionCounts:
    """Counts of a version: its rows, the rows held out, and the questions of these rows."""

    rows: int
    questions: int
    held_out_rows: int
    held_out_questions: int


def iterate_rows(
    store: Store, dataset: NamedDataset, version: DatasetVersion, filters: RowFilter, *, source: str | None = None
) -> Iterator[DatasetRow]:
    """Yield the rows that match the filter, reading a few hundred at a time.

    All are read from one run, `source` (`store.datasets.find_run`), because a newer run may have another order.
    """
    after, run_id = 0, datasets.find_run(store.db, version.version_id) if source is None else source
    while page := datasets.list_rows(
        store.db, dataset.dataset_id, version.version_id, filters, limit=_PAGE, after=after, run_id=run_id
    ):
        yield from page
        after = page[-1].position


def count_parts(store: Store, dataset: NamedDataset, version: DatasetVersion) -> VersionCounts:
    """Return how many rows and questions of a version are held out."""
    place = (store.db, dataset.dataset_id, version.version_id)
    everything, held_out = RowFilter(), RowFilter(part=Part.HELD_OUT)
    return VersionCounts(
        rows=datasets.count_rows(*place, everything),
        questions=datasets.count_questions(*place, everything),
        held_out_rows=datasets.count_rows(*place, held_out),
        held_out_questions=datasets.count_questions(*place, held_out),
    )


def find_subjects(store: Store, dataset: NamedDataset, version: DatasetVersion, filters: RowFilter) -> list[str]:
    """Return the subjects of the rows that match the filter, each once.

    Raises:
        InvalidInput: the filter names an id that no row has, or matches no row.
    """
    if filters.keys is not None:
        known = datasets.list_keys(store.db, dataset.dataset_id, version.version_id, filters.keys)
        missing = [key for key in filters.keys if key not in known]
        if missing:
            raise InvalidInput(f"Version {version.number} of {dataset.name!r} has no row {missing[0]!r}.")
    found = list(dict.fromkeys(_subjects(store, dataset, version, filters)))
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


def add_tag(store: Store, dataset: NamedDataset, subjects: Collection[str], tag: str, *, by: str) -> int:
    """Tag the subjects of rows; return how many questions were new to the tag. Raises InvalidInput for a bad tag."""
    name = clean_tag(tag)
    return datasets.add_tag(store.db, dataset.dataset_id, subjects, name, by=by, at=datetime.now(UTC))


def remove_tag(store: Store, dataset: NamedDataset, subjects: Collection[str], tag: str) -> int:
    """Remove a tag; return how many questions had it."""
    return datasets.remove_tag(store.db, dataset.dataset_id, subjects, clean_tag(tag))


def hold_out(store: Store, dataset: NamedDataset, subjects: Collection[str], *, by: str) -> int:
    """Hold out the subjects of rows; return how many questions were not held out before."""
    return datasets.hold_out(store.db, dataset.dataset_id, subjects, by=by, at=datetime.now(UTC))


def release(store: Store, dataset: NamedDataset, subjects: Collection[str]) -> int:
    """Release these subjects; return how many questions were held out."""
    return datasets.release(store.db, dataset.dataset_id, subjects)


def hold_out_share(store: Store, dataset: NamedDataset, version: DatasetVersion, share: float, *, by: str) -> int:
    """Draw questions of a version until this share of them is held out; return how many were added.

    Questions already held out stay held out. The draw is deterministic (`domain.dataset.draw_subjects`).

    Raises:
        InvalidInput: the share is not between 0 and 1.
    """
    if not 0 < share < 1:
        raise InvalidInput(f"The share to hold out must be more than 0 and less than 1, not {share}.")
    subjects = _subjects(store, dataset, version, RowFilter())
    held_out = _subjects(store, dataset, version, RowFilter(part=Part.HELD_OUT))
    return hold_out(store, dataset, draw_subjects(subjects, held_out=frozenset(held_out), share=share), by=by)


def _subjects(store: Store, dataset: NamedDataset, version: DatasetVersion, filters: RowFilter) -> list[str]:
    return datasets.list_subjects(store.db, dataset.dataset_id, version.version_id, filters)
