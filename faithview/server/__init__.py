"""The HTTP service: `faithview serve`. FastAPI is imported here only."""

__all__ = ["app", "gate", "openapi", "process", "request_bodies", "routes", "settings", "waiting_line"]
