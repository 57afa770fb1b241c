"""What FaithView is about, on the standard library alone: samples, claims, verdicts, labels, runs, and their rules."""

__all__ = [
    "alert",
    "buckets",
    "causes",
    "claim",
    "comparison",
    "content_hashes",
    "errors",
    "event",
    "knowledge_base",
    "label",
    "matching",
    "pairing",
    "result",
    "run",
    "sample",
    "scoring",
    "spans",
    "spot_check",
    "trend",
    "views",
]
