"""The data sets that runs are over (`domain/dataset.py`): listed, recognised, renamed, compared version by version."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from faithview.domain import content_hashes
from faithview.domain.dataset import DatasetVersion, NamedDataset, VersionChange, compare_versions, row_identity
from faithview.domain.errors import InvalidInput, NotFound
from faithview.domain.run import Run
from faithview.domain.sample import Sample, find_unstorable
from faithview.services.container import Services
from faithview.store import dataset_versions
from faithview.store.datasets import listing, rows
from faithview.store.runs import runs

_MAX_NAME = 200
_RECOGNISED = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionStep:
    """A version, and what became of the rows of the one before it that is still there; None for the first."""

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


def place_older_runs(services: Services) -> int:
    """Work out which data set each run is over that is older than data sets; return how many are left.

    That takes one pass over the hashes of their rows, once. In a store that can only be read, they are all left.
    """
    waiting = dataset_versions.list_unplaced(services.db)
    if services.is_read_only:
        return len(waiting)
    for run_id in waiting:
        try:
            run = runs.get_run(services.db, run_id, now=datetime.now(UTC))
        except NotFound:  # deleted meanwhile
            continue
        dataset_versions.place_older_run(services.db, run)
    return 0


def list_datasets(services: Services) -> list[NamedDataset]:
    """Return the data sets, that with the newest run first; those without a run come last."""
    place_older_runs(services)
    return listing.list_datasets(services.db)


def get_dataset(services: Services, name: str) -> NamedDataset:
    """Return the data set of that name; raises NotFound."""
    for dataset in list_datasets(services):
        if dataset.name == name:
            return dataset
    raise NotFound(f"There is no data set {name!r}; `faithview datasets list` lists them.")


def get_version(dataset: NamedDataset, number: int | None = None) -> DatasetVersion:
    """Return a version of a data set by its number, None for the newest.

    Raises:
        NotFound: there is no such version, or none at all.
    """
    newest = dataset.newest
    if newest is None:
        raise NotFound(f"No run is over the data set {dataset.name!r} any more, so it has no rows.")
    if number is None:
        return newest
    for version in dataset.versions:
        if version.number == number:
            return version
    known = ", ".join(str(version.number) for version in dataset.versions)
    raise NotFound(f"The data set {dataset.name!r} has no version {number}; it has {known}.")


def list_runs_over(services: Services, version: DatasetVersion) -> list[Run]:
    """Return the runs over a version, archived ones and repeats too, the one that was made last first."""
    return _load_runs(services, listing.list_runs_over(services.db, version.version_id))


def list_steps(services: Services, dataset: NamedDataset) -> list[VersionStep]:
    """Return the versions, the newest first, each with what changed since the one before."""
    steps: list[VersionStep] = []
    before = None
    for version in dataset.versions:
        identities = rows.load_version_rows(services.db, version.version_id)
        change = None if before is None else compare_versions(before, identities)
        steps.append(VersionStep(version=version, change=change))
        before = identities
    return steps[::-1]


def hash_rows(samples: Iterable[Sample]) -> str:
    """Return the hash of the version that these rows are."""
    return content_hashes.rows_hash(row_identity(sample).row_hash for sample in samples)


def find_judged(services: Services, content_hash: str, *, besides: str | None = None) -> list[Run]:
    """Return the runs in use over exactly the rows with this hash (`hash_rows`), the one that was made last first.

    At most five; repeats are not among them, nor is the run with the id `besides`.
    """
    place_older_runs(services)
    found = listing.find_runs_over(services.db, content_hash, limit=_RECOGNISED + 1)
    return _load_runs(services, [run_id for run_id in found if run_id != besides][:_RECOGNISED])


def rename_dataset(services: Services, old: str, new: str) -> str:
    """Rename a data set and return its new name.

    Raises:
        NotFound: there is no such data set.
        InvalidInput: the name cannot be used.
        RunConflict: another data set has it.
    """
    name = clean_dataset_name(new)
    listing.rename_dataset(services.db, get_dataset(services, old).dataset_id, name)
    return name


def delete_dataset(services: Services, name: str) -> None:
    """Delete a data set that no run is over any more, with its tags and what is held out.

    Raises:
        NotFound: there is no such data set.
        RunConflict: a run is over it.
    """
    listing.delete_dataset(services.db, get_dataset(services, name).dataset_id)


def _load_runs(services: Services, run_ids: Iterable[str]) -> list[Run]:
    found = []
    for run_id in run_ids:
        try:
            found.append(runs.get_run(services.db, run_id, now=datetime.now(UTC)))
        except NotFound:  # deleted meanwhile
            continue
    return found
