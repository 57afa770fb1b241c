"""The version of this package, read by the build and printed by `faithview --version`."""

__version__ = "0.2.0"
