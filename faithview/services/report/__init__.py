"""Reports: a run, or a comparison of two, as one HTML file that works offline."""

__all__ = [
    "comparison",
    "files",
    "knowledge",
    "run",
]
