"""How two runs were made: the settings in which they differ, those that are the same, and those that are unknown."""

from collections.abc import Mapping

from faithview.domain.event import EventKind
from faithview.domain.run import Run
from faithview.services.container import Store
from faithview.services.events import list_settings
from faithview.store.samples import most_chunks
from faithview.wording import numbers as fmt
from faithview.wording.numbers import short_judge_names


def compare_settings(store: Store, before: Run, after: Run) -> dict[str, tuple[str | None, str | None]]:
    """Return the settings of two runs by their names, as plain text; None for a run that does not state one.

    Model and prompt are known if all rows of a run name the same one. The top-k is the largest number of chunks that an
    answer of the run retrieved.
    """
    ids = (before.run_id, after.run_id)
    made = list_settings(store, ids)
    chunks = store.cache.get("most chunks", ids, None, lambda: most_chunks(store.db, ids))
    judges = short_judge_names([before.fingerprint, after.fingerprint])
    old, new = (
        {
            "model": made[run.run_id].get(EventKind.MODEL),
            "prompt": made[run.run_id].get(EventKind.PROMPT),
            "top-k": str(chunks[run.run_id]) if chunks.get(run.run_id) else None,
            "knowledge base": run.kb_version,
            "judge": judges[run.fingerprint],
            "threshold": fmt.threshold(run.threshold),
        }
        for run in (before, after)
    )
    return {name: (old[name], new[name]) for name in old}


def differences_words(settings: Mapping[str, tuple[str | None, str | None]]) -> str:
    """Write in Markdown what differs, what is the same and what is unknown, each named once."""
    differing, same, unknown = [], [], []
    for name, (old, new) in settings.items():
        if old is None or new is None:
            known = f" now (before {fmt.literal(old)})" if old else f" before (now {fmt.literal(new)})" if new else ""
            unknown.append(f"{name}{known}")
        elif old == new:
            same.append(name)
        else:
            differing.append(f"{name} {fmt.literal(old)} → {fmt.literal(new)}")
    lead = f"**Differs:** {' · '.join(differing)}" if differing else "**No known setting differs**"
    parts = [f"{title}: {', '.join(names)}" for title, names in (("Same", same), ("Unknown", unknown)) if names]
    return ". ".join([lead, *parts]) + "."
