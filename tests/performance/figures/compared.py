"""Which figures differ between places."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from tests.performance.figures.places import Shown
from tests.performance.figures.recomputed import PLACE

TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Different:
    """A place whose figure is not that of the others; `reference` is the figure to go by, and where it is from."""

    shown: Shown
    reference: Shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How many figures were compared, in how many places, and which differ."""

    figures: int
    places: int
    different: tuple[Different, ...]


def compare(shown: Iterable[Shown]) -> Outcome:
    """Hold all places against what was recomputed, else against the first place that has all decimals."""
    by_figure: dict[tuple[str, str], list[Shown]] = defaultdict(list)
    for one in shown:
        by_figure[one.subject, one.figure].append(one)
    different: list[Different] = []
    compared = 0
    for same in by_figure.values():
        reference = min(same, key=lambda one: (one.value is None, one.place != PLACE, one.decimals is not None))
        others = [one for one in same if one is not reference]
        compared += bool(others)
        texts: dict[int, Shown] = {}
        for one in others:
            if not _agrees(one, reference):
                different.append(Different(shown=one, reference=reference))
            elif one.decimals is not None and one.value != texts.setdefault(one.decimals, one).value:
                # 0.625 is within half a digit of both 0.62 and 0.63, and a reader sees two numbers.
                different.append(Different(shown=one, reference=texts[one.decimals]))
    return Outcome(
        figures=compared,
        places=len({one.place for same in by_figure.values() for one in same}),
        different=tuple(different),
    )


def _agrees(one: Shown, reference: Shown) -> bool:
    if one.value is None or reference.value is None:
        return one.value is None and reference.value is None
    decimals = min((d for d in (one.decimals, reference.decimals) if d is not None), default=None)
    reach = TOLERANCE if decimals is None else 0.5 * 10.0**-decimals + TOLERANCE
    return abs(one.value - reference.value) <= reach
