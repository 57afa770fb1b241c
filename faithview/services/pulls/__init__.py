"""Records straight from another tool's server, as a file that `faithview import` and `faithview evaluate` read."""

__all__ = ["pull", "pull_server", "tool"]
