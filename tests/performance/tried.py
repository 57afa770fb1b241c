"""How many of each kind were tried, and how many failed; and a part of a list that takes long."""

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from tests.performance import tables

_T = TypeVar("_T")


@dataclass(slots=True)
class Tally:
    """Counts by kind, in the order in which the kinds came. `what` heads the column of the kinds."""

    what: str
    _tried: Counter[str] = field(default_factory=Counter)
    _failed: Counter[str] = field(default_factory=Counter)

    def count(self, kind: str, *, failed: bool) -> None:
        """Count one that was tried."""
        self._tried[kind] += 1
        self._failed[kind] += failed

    @property
    def failed(self) -> int:
        """How many failed."""
        return self._failed.total()

    def show(self, title: str) -> None:
        """Print one line a kind, and one for all."""
        rows = [[kind, f"{count:,}", f"{self._failed[kind]:,}"] for kind, count in self._tried.items()]
        rows.append(["all", f"{self._tried.total():,}", f"{self.failed:,}"])
        tables.show(title, [self.what, "tried", "failed"], rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Every `of`-th item from the `number`-th on, counted from 1."""

    number: int
    of: int


def part(text: str) -> Part:
    """Read a part as it stands on a command line: 3/8. Raises argparse's error for anything else."""
    first, _, last = text.partition("/")
    if not (first.isdecimal() and last.isdecimal() and 1 <= int(first) <= int(last)):
        raise argparse.ArgumentTypeError(f"a part is written N/M, such as 3/8, not {text!r}")
    return Part(number=int(first), of=int(last))


def in_part(items: Sequence[_T], wanted: Part) -> Sequence[_T]:
    """Return the items of that part, in their order."""
    return items[wanted.number - 1 :: wanted.of]
