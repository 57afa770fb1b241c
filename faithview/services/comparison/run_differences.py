"""How two runs were made: the settings in which they differ, those that are the same, and those that are unknown."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from faithview.domain.event import EventKind
from faithview.domain.run import Run
from faithview.services.container import Store
from faithview.services.events import list_settings
from faithview.store.samples import most_chunks
from faithview.wording import numbers as fmt
from faithview.wording.numbers import short_judge_names


class Setting(StrEnum):
    """A setting of a run, in the order in which they are listed."""

    MODEL = "model"
    PROMPT = "prompt"
    TOP_K = "top-k"
    KNOWLEDGE_BASE = "knowledge base"
    JUDGE = "judge"
    THRESHOLD = "threshold"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunDifference:
    """A setting of two runs as plain text; None for a run that does not state it."""

    setting: Setting
    before: str | None
    after: str | None

    @property
    def is_known(self) -> bool:
        """Whether both runs state it."""
        return self.before is not None and self.after is not None

    @property
    def differs(self) -> bool:
        """Whether both runs state it, and not the same."""
        return self.is_known and self.before != self.after


def compare_settings(store: Store, before: Run, after: Run) -> tuple[RunDifference, ...]:
    """Return every setting of two runs.

    Model and prompt are known if all rows of a run name the same one. The top-k is the largest number of chunks that an
    answer of the run retrieved.
    """
    runs = (before, after)
    ids = (before.run_id, after.run_id)
    made = list_settings(store, ids)
    chunks = store.cache.get("most chunks", ids, None, lambda: most_chunks(store.db, ids))
    judges = short_judge_names([run.fingerprint for run in runs])
    sides: dict[Setting, list[str | None]] = {
        Setting.MODEL: [made[run_id].get(EventKind.MODEL) for run_id in ids],
        Setting.PROMPT: [made[run_id].get(EventKind.PROMPT) for run_id in ids],
        Setting.TOP_K: [str(chunks[run_id]) if chunks.get(run_id) else None for run_id in ids],
        Setting.KNOWLEDGE_BASE: [run.kb_version for run in runs],
        Setting.JUDGE: [judges[run.fingerprint] for run in runs],
        Setting.THRESHOLD: [fmt.threshold(run.threshold) for run in runs],
    }
    return tuple(RunDifference(setting=setting, before=old, after=new) for setting, (old, new) in sides.items())


def differences_words(settings: Sequence[RunDifference]) -> str:
    """Write in Markdown what differs, what is the same and what is unknown, each named once."""
    differing = [f"{one.setting} {_value(one.before)} → {_value(one.after)}" for one in settings if one.differs]
    same = [str(one.setting) for one in settings if one.is_known and not one.differs]
    unknown = [_unknown(one) for one in settings if not one.is_known]
    lead = f"**Differs:** {' · '.join(differing)}" if differing else "**No known setting differs**"
    parts = [f"{title}: {', '.join(names)}" for title, names in (("Same", same), ("Unknown", unknown)) if names]
    return ". ".join([lead, *parts]) + "."


def _unknown(one: RunDifference) -> str:
    if one.before is not None:
        return f"{one.setting} now (before {_value(one.before)})"
    if one.after is not None:
        return f"{one.setting} before (now {_value(one.after)})"
    return str(one.setting)


def _value(value: str | None) -> str:
    return fmt.literal(value or "")
