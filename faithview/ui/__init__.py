"""The dashboard's parts: the only package that imports Streamlit, besides app.py and pages/."""

__all__ = [
    "charts",
    "check",
    "compare",
    "components",
    "inbox",
    "inspect",
    "judges",
    "overview",
    "parts",
    "queue",
    "settings",
    "shell",
    "sources",
    "trends",
    "upload",
]
