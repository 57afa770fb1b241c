"""Python's garbage collector in a process that does nothing but judge.

An answer makes thousands of small objects and no cycles, so a collection finds next to nothing. A process that judges
and does nothing else collects rarely; a server with other work and other threads is left as it is.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

# About fifty answers of the embedded judge between two collections, instead of one.
_ALLOCATIONS = 50_000


def collect_rarely() -> None:
    """Leave out of collections what has been imported, and make them rare, until the process ends."""
    gc.freeze()
    gc.set_threshold(_ALLOCATIONS, *gc.get_threshold()[1:])


@contextmanager
def collecting_rarely() -> Iterator[None]:
    """Do as `collect_rarely` while the block runs: for a command, which tests may call within their own process."""
    thresholds = gc.get_threshold()
    collect_rarely()
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        gc.unfreeze()
