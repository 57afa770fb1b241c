"""The words for verdicts, causes, numbers and findings that the command line, the dashboard and reports print."""

__all__ = [
    "causes",
    "changes",
    "events",
    "evidence",
    "knowledge",
    "numbers",
    "quotations",
    "run_findings",
    "trends",
    "troubles",
    "verdicts",
    "views",
]
