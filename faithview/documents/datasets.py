"""Data sets: the rows of runs, in versions."""

from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator

from faithview.documents.base import Count, Document, Given, Part, Position, Time, WithOptional, entry
from faithview.documents.runs import VersionName
from faithview.domain.run import RunStatus


class DatasetVersionFigures(Part):
    """A version of a data set."""

    version: Position = entry("Its number.", "number")
    content_hash: str = entry("The hash of its rows.")
    rows: Count = entry("Its rows.")
    first_seen: Time = entry("When it was first used.", "created_at")
    runs: Count = entry("The runs over it.")


class RowChanges(Part):
    """What changed in the rows since the previous version."""

    kept: Count = entry("Rows that are the same.")
    changed: Count = entry("Rows that changed.")
    added: Count = entry("Rows that are new.")
    removed: Count = entry("Rows that are gone.")


class _Change(Part):
    change: RowChanges | None = entry("What changed since the previous version; null for the first.")


class DatasetStep(_Change, DatasetVersionFigures):
    """A version and what changed since the one before."""


def _by_tag(tags: Any) -> Any:
    return dict(tags)


class _Name(Part):
    name: str = entry("The data set's name.")


class _Versions(Part):
    versions: list[DatasetVersionFigures] = entry("Its versions, oldest first.")


class _Steps(Part):
    versions: list[DatasetStep] = entry("Its versions, oldest first, with what changed.")


class _Figures(Part):
    runs: Count = entry("The runs over it.")
    newest_at: Time | None = entry("When the newest run was made.")
    tags: Annotated[dict[str, Count], BeforeValidator(_by_tag)] = entry("Tagged questions by tag.")
    held_out_questions: Count = entry("Questions that are held out.", "held_out")


class DatasetFigures(_Figures, _Versions, _Name):
    """A data set."""


class DatasetsDocument(Document):
    """The data sets of a store."""

    datasets: list[DatasetFigures] = entry("The data sets, the one with the newest run first.")


class RunOverVersion(Part):
    """A run over a version."""

    run_id: str = entry("The run's id.")
    name: str = entry("Its name.")
    judge: str = entry("The judge's name.", "judge.name")
    fingerprint: str = entry("The exact judge: version, model, prompt.")
    status: RunStatus = entry("The run's status.")
    created_at: Time = entry("When it was made.")
    archived_at: Time | None = entry("When it was archived.")


class _ShownFigures(Part):
    rows: Count = entry("Its rows.", "counts.rows")
    questions: Count = entry("Its different questions.", "counts.questions")
    held_out_rows: Count = entry("Rows that are held out.", "counts.held_out_rows")
    held_out_questions: Count = entry("Questions that are held out.", "counts.held_out_questions")
    runs: list[RunOverVersion] = entry("The runs over it.", "runs_over")


class ShownVersion(_ShownFigures, VersionName):
    """The version whose rows are shown."""


class _Shown(Part):
    shown: ShownVersion = entry("The version whose rows are shown.")
    matching: Count = entry("Its rows that match the filter.")
    rows: list[Given] = entry(
        "The first of them, each with its own columns and `key`, `question`, `answer`, `chunks`, `reference`, "
        "`segment`, `timestamp`, `dataset_tags` and `dataset_held_out`."
    )


class DatasetDocument(_Shown, _Figures, _Steps, _Name, Document):
    """A data set with one of its versions."""


class TaggedDocument(WithOptional, Document):
    """The result of `faithview datasets tag`."""

    left_out: ClassVar[frozenset[str]] = frozenset({"added_questions", "removed_questions"})

    dataset: str = entry("The data set.")
    tag: str = entry("The tag.")
    questions: Count = entry("Questions that were chosen.")
    added_questions: Count | None = entry("Questions that got the tag; missing with --remove.", default=None)
    removed_questions: Count | None = entry("With --remove only: questions that lost the tag.", default=None)


class HeldOutDocument(WithOptional, Document):
    """The held-out rows after `faithview datasets hold-out`."""

    left_out: ClassVar[frozenset[str]] = frozenset({"added_questions", "released_questions"})

    dataset: str = entry("The data set.")
    version: Position = entry("The version's number.")
    added_questions: Count | None = entry("Questions that are held out now; missing with --release.", default=None)
    released_questions: Count | None = entry("With --release only: questions that no longer are.", default=None)
    held_out_rows: Count = entry("Rows that are held out.", "counts.held_out_rows")
    held_out_questions: Count = entry("Questions that are held out.", "counts.held_out_questions")
    rows: Count = entry("All its rows.", "counts.rows")
    questions: Count = entry("All its questions.", "counts.questions")
