"""The server that shows the dashboard: how it starts, where it listens, and which requests it turns away."""
