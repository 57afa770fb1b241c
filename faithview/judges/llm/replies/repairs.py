"""What was repaired on the way from a model's reply to a result, counted, because a reader should know of it."""

from collections import Counter
from enum import StrEnum

from faithview.domain.result import REPAIRED


class Repair(StrEnum):
    """One kind of repair, in the words of a warning."""

    OTHER_TEXT = "text around the JSON object was removed"
    NOTATION = "the JSON object was not written as JSON demands"
    WRAPPED = "the JSON object was inside another value"
    VALUE = "a value was written otherwise than asked"
    LEFT_OUT = "a field that decides nothing was left out or could not be read"
    OTHER_CHUNK = "a quote stands in another chunk than the one named"
    NO_CHUNK = "a quote from a chunk that does not exist was removed"
    NO_CLAIM = "a statement about the chunks or the answer was listed as a claim"
    CUT_OFF = "a reply was cut off, and its end was asked for"
    ASKED_AGAIN = "a part of a reply was asked for again"
    ASKED_ANEW = "a whole reply was asked for again"


# What is said of an answer if the model never came to the end of a list.
CUT_SHORT = "The judge's replies were cut off, so a part of the answer was not judged."


class Repairs:
    """Counts the repairs of one answer; `is_cut` says that a part of it was not judged, as replies were cut off."""

    def __init__(self) -> None:
        self._counts: Counter[Repair] = Counter()
        self.is_cut = False

    def note(self, repair: Repair, times: int = 1) -> None:
        """Count a repair."""
        self._counts[repair] += times

    def add(self, other: "Repairs") -> None:
        """Count what another counted: the repairs of a reply count once the reply is used."""
        self._counts += other._counts
        self.is_cut = self.is_cut or other.is_cut

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is missing, then one warning for each kind of repair, in a fixed order, with how often it happened."""
        repaired = tuple(
            f"{REPAIRED}{kind.value}" + (f" ({count} times)" if (count := self._counts[kind]) > 1 else "") + "."
            for kind in Repair
            if self._counts[kind]
        )
        return (CUT_SHORT, *repaired) if self.is_cut else repaired
