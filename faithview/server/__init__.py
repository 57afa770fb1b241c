"""The HTTP service: `faithview serve`. FastAPI is imported here only."""
