"""The words for verdicts, causes, numbers and findings that the command line, the dashboard and reports print."""

__all__ = [
    "causes",
    "changes",
    "datasets",
    "events",
    "evidence",
    "knowledge",
    "live",
    "numbers",
    "quotations",
    "run_findings",
    "segment_shares",
    "series",
    "trends",
    "troubles",
    "verdicts",
    "views",
]
