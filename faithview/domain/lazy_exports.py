"""Names of a package that are imported when they are first used, which keeps the import of the package quick."""

import sys
from collections.abc import Callable, Mapping


def export_lazily(package: str, homes: Mapping[str, str]) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` of a package whose names are in other modules.

    Args:
        package: the package's name.
        homes: each name's module.
    """

    def get(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        from importlib import import_module

        return getattr(import_module(homes[name]), name)

    def list_names() -> list[str]:
        names = vars(sys.modules[package])
        return sorted({*names, *names["__all__"]})

    return get, list_names
