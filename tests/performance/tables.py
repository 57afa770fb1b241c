"""Plain tables of figures, and the two statistics that stand in them."""

import os
import platform
import sys
from collections.abc import Sequence


def median(values: Sequence[float]) -> float:
    """Return the middle value."""
    return quantile(values, 0.5)


def quantile(values: Sequence[float], share: float) -> float:
    """Return the value below which that share of them lies, interpolated between neighbours."""
    ordered = sorted(values)
    at = share * (len(ordered) - 1)
    below = int(at)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (at - below)


def show(title: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a table: the first column to the left, figures to the right."""
    cells = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(line[at]) for line in [list(columns), *cells]) for at in range(len(columns))]
    lines = [
        "  ".join(
            cell.ljust(width) if at == 0 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        for line in [list(columns), ["-" * width for width in widths], *cells]
    ]
    sys.stdout.write(f"\n{title}\n\n" + "\n".join(line.rstrip() for line in lines) + "\n")
    sys.stdout.flush()


def machine() -> str:
    """Return what the figures were measured on: cores, Python, and how busy the machine was just then."""
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return f"{os.cpu_count()} cores, Python {platform.python_version()}{load}"
