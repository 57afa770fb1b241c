"""The Overview page: the latest runs and what needs attention."""
