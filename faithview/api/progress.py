"""A progress bar for those who watch: in a notebook and in a terminal."""

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["is_watched", "progress_bar"]


def is_watched() -> bool:
    """Return whether somebody sees a progress bar: in a notebook, or where standard error is a terminal."""
    return _is_notebook() or (sys.stderr is not None and sys.stderr.isatty())


@contextmanager
def progress_bar(title: str, total: int, *, is_shown: bool) -> Iterator[Callable[[], None]]:
    """Show a bar of `total` steps and give the function that takes one; without a bar the function does nothing."""
    if not is_shown:
        yield lambda: None
        return
    bar = _tqdm()(total=total, desc=title, unit="answer")
    try:
        yield bar.update
    finally:
        bar.close()


def _tqdm() -> Any:
    with warnings.catch_warnings():
        # Without ipywidgets tqdm draws the bar with characters and warns; in a notebook that says it is experimental.
        warnings.simplefilter("ignore")
        from tqdm.auto import tqdm

    return tqdm


def _is_notebook() -> bool:
    # IPython is loaded wherever code runs in it. A kernel has this in its configuration, IPython in a terminal has not.
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and "IPKernelApp" in shell.config
