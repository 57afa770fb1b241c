"""Which changes of a series are significant, tested as Compare tests two runs, and what is known about them."""

__all__ = ["default_pair", "level_changes", "step_tests"]
