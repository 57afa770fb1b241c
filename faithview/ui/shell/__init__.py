"""What every page needs: services, identity, navigation, the address and the session."""

__all__ = [
    "address",
    "address_field",
    "app",
    "cached",
    "identity",
    "nav",
    "series",
    "session",
    "shell_line",
    "write",
]
