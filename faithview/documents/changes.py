"""Documents of commands that change something and do not print the object itself."""

from typing import Literal

from faithview.documents.base import Count, Document, entry


class DeletedDocument(Document):
    """The object that was deleted."""

    kind: Literal["run", "knowledge_base", "event", "alert_rule"] = entry("Its kind.")
    id: str = entry("Its id or number; its name if it has neither.")
    name: str = entry("Its name, or what it said.")


class RenamedDocument(Document):
    """The object that was renamed."""

    kind: Literal["series"] = entry("Its kind.")
    old_name: str = entry("The name before.")
    name: str = entry("The name now.")


class WrittenDocument(Document):
    """A file that was just written."""

    path: str = entry("Its path.")
    rows: Count | None = entry("How many answers or rows are in it; null for reports and backups.")


class UpgradedDocument(Document):
    """The schema of a store before and after its upgrade."""

    found: str | None = entry("The schema before; null for a new store.")
    wanted: str = entry("The schema now.")
    copy_path: str | None = entry("The copy from before the migration; null if nothing was migrated.")


class RestoredDocument(Document):
    """A store that was just restored from a backup."""

    source: str = entry("The backup.")
    replaced: str | None = entry("The copy of the store that was there before; null if there was none.")
    is_current: bool = entry("Whether its schema is this version's; an older one is migrated at its next use.")
