"""The HTTP service: `faithview serve`. FastAPI is imported here only."""

__all__ = ["app", "gate", "process", "request_bodies", "routes", "settings", "waiting_line"]
