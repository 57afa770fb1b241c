"""Use cases: the only layer in which judges, formats, store and statistics meet."""

__all__ = [
    "bundled_files",
    "comparison",
    "container",
    "datasets",
    "demo",
    "destination",
    "exports",
    "inbox",
    "judge_catalogue",
    "judge_quality",
    "live",
    "monitoring",
    "report",
    "results",
    "review",
    "revision_cache",
    "runs",
    "schema",
    "sources",
    "trends",
]
