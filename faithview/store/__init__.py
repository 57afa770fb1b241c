"""The database: tables, migrations, and queries in one package per subject."""

__all__ = [
    "comparison",
    "database",
    "dialect",
    "inbox",
    "judge_quality",
    "live",
    "live_windows",
    "monitoring",
    "review",
    "runs",
    "schema",
    "sources",
    "trends",
]
