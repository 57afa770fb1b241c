"""Projects: who describes them, which store each has, and who gets in."""

__all__ = ["description", "named", "secrets_file"]
