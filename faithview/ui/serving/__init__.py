"""The server that shows the dashboard: how it starts, which requests it turns away, how uploads get to disk."""
