"""The HTTP service: `faithview serve`. FastAPI is imported here only."""

__all__ = ["app", "gate", "request_bodies", "routes", "serve", "settings", "waiting_line"]
