"""The command line: parse options, call a service, print the result."""

__all__ = [
    "alerts",
    "bench",
    "database",
    "doctor",
    "evaluate",
    "events",
    "exports",
    "imports",
    "knowledge",
    "main",
    "pulls",
    "runs",
    "spot_checks",
]
