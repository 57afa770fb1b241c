"""The HTTP service: `faithview serve`. FastAPI is imported here only."""

__all__ = ["app", "process", "settings"]
