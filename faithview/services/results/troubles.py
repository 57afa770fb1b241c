"""What went wrong while a run was judged, told by kind: errors of failed answers, repairs, and unchecked claims."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from faithview.domain.result import REPAIRED, Weakness, read_weakness
from faithview.services.container import Services
from faithview.store.runs import runs, summaries

# Errors that differ in these alone are one: ids of requests, numbers of attempts and tokens.
_VARIES = re.compile(r"\breq[_-]\w+|\b(?=\w*\d)[0-9a-f]{8,}(?:-[0-9a-f]+)*\b|\d+")
_TIMES = re.compile(r" \(\d+ times\)(?=\.?\Z)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """One thing that went wrong, and in how many answers."""

    text: str
    answers: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WeakClaims:
    """How many claims of a run have a weakness, and in how many answers."""

    weakness: Weakness
    claims: int
    answers: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTroubles:
    """What went wrong in a run, the most frequent first.

    `errors` are those of failed answers. `repaired` counts the judged answers in which something was repaired,
    `repairs` says what. `gaps` says what is missing from judged answers, `weak` which claims a reader cannot check.
    """

    errors: tuple[Trouble, ...] = ()
    repaired: int = 0
    repairs: tuple[Trouble, ...] = ()
    gaps: tuple[Trouble, ...] = ()
    weak: tuple[WeakClaims, ...] = ()

    def count_weak(self, weakness: Weakness) -> int:
        """Return how many claims have this weakness."""
        return sum(weak.claims for weak in self.weak if weak.weakness is weakness)

    @property
    def unquoted(self) -> int:
        """How many claims need a quote and have none that is in a chunk."""
        return self.count_weak(Weakness.UNQUOTED)

    @property
    def unplaced(self) -> int:
        """How many claims were not found in the answer."""
        return self.count_weak(Weakness.UNPLACED)

    @property
    def failed(self) -> int:
        """How many answers failed."""
        return sum(trouble.answers for trouble in self.errors)


def list_troubles(services: Services, run_id: str) -> RunTroubles:
    """Return what went wrong in a run."""
    repairs, gaps = Counter[str](), Counter[str]()
    weak_claims, weak_answers = Counter[Weakness](), Counter[Weakness]()
    repaired = 0
    for warnings, answers in summaries.count_warnings(services.db, run_id):
        kinds = {_TIMES.sub("", w).removeprefix(REPAIRED).rstrip(".") for w in warnings if w.startswith(REPAIRED)}
        repairs.update(dict.fromkeys(kinds, answers))
        repaired += answers if kinds else 0
        weak = dict(found for w in warnings if (found := read_weakness(w)) is not None)
        weak_claims.update({weakness: claims * answers for weakness, claims in weak.items()})
        weak_answers.update(dict.fromkeys(weak, answers))
        others = (w for w in warnings if not w.startswith(REPAIRED) and read_weakness(w) is None)
        gaps.update(dict.fromkeys(others, answers))
    return RunTroubles(
        errors=_alike(summaries.count_errors(services.db, run_id)),
        repaired=repaired,
        repairs=_by_count(repairs.items()),
        gaps=_alike(gaps),
        weak=tuple(
            WeakClaims(weakness=weakness, claims=weak_claims[weakness], answers=weak_answers[weakness])
            for weakness in Weakness
            if weak_claims[weakness]
        ),
    )


def retry_failed(services: Services, run_id: str) -> int:
    """Make a run's failed answers pending again, so that judging it judges them, and return how many they are.

    Raises:
        RunConflict: the run is being judged.
    """
    return runs.reset_failed(services.db, run_id, now=datetime.now(UTC))


def _alike(counts: Mapping[str, int]) -> tuple[Trouble, ...]:
    """Return texts that differ in numbers and ids alone as one, each in its most frequent form."""
    totals, forms = Counter[str](), dict[str, str]()
    for text, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        kind = _VARIES.sub("#", text)
        totals[kind] += count
        forms.setdefault(kind, text)
    return _by_count((forms[kind], count) for kind, count in totals.items())


def _by_count(counts: Iterable[tuple[str, int]]) -> tuple[Trouble, ...]:
    ordered = sorted(counts, key=lambda item: (-item[1], item[0]))
    return tuple(Trouble(text=text, answers=answers) for text, answers in ordered)
