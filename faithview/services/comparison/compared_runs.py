"""The comparison of two runs: the difference, where it is, which claims made it, and why.

Also here: the cautions, the filters of changed answers, and the steps of the waterfall charts.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from faithview.domain.comparison import Cause, CauseShare, Change, Pairing
from faithview.domain.run import Run, RunStatus
from faithview.stats.corrected_difference import CorrectedDifference
from faithview.stats.paired import PairedDifference, SegmentDifference
from faithview.wording.causes import CAUSE_WORDS

# If a larger share of the answers is in one run only, the runs' own means may differ for that reason alone.
_MANY_UNPAIRED = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class Caution:
    """A reason to read a comparison with care; `code` is stable and meant for programs."""

    code: str
    text: str


def find_cautions(before: Run, after: Run, pairing: Pairing) -> tuple[Caution, ...]:
    """Return the cautions that apply to a comparison of these two runs, the most serious first."""
    found: list[tuple[str, str]] = []
    if before.fingerprint != after.fingerprint:
        names = [f"{run.judge.name}, {run.judge.method}" for run in (before, after)]
        how = "two versions of one judge, or two prompts" if names[0] == names[1] else f"{names[0]} and {names[1]}"
        text = (
            f"The runs were judged differently ({how}), so the difference may be the judges'. Judge the earlier "
            "answers again with the later judge before concluding anything."
        )
        found.append(("different_judges", text))
    if before.threshold != after.threshold:
        text = (
            f"The runs use different thresholds ({before.threshold:g} and {after.threshold:g}), so their counts of "
            "faithful answers cannot be compared; scores are not affected."
        )
        found.append(("different_thresholds", text))
    found += [
        ("incomplete", f"{run.name} is {run.status.value}: rows that are not judged yet are left out.")
        for run in (before, after)
        if run.status is not RunStatus.COMPLETE
    ]
    if pairing.key_conflicts:
        text = (
            f"{pairing.key_conflicts:,} rows have the same id in both runs but different questions, so they were not "
            "paired by id."
        )
        found.append(("key_conflicts", text))
    alone = len(pairing.only_in_baseline) + len(pairing.only_in_candidate)
    if alone > _MANY_UNPAIRED * (alone + sum(pairing.rules.values())):
        text = (
            f"{alone:,} answers are in one run only and are left out of all figures here, so the runs' own means may "
            "differ for that reason alone."
        )
        found.append(("many_unpaired", text))
    return tuple(Caution(code=code, text=text) for code, text in found)


# If the whole did not move, a segment's move is reported only below this p, because the whole was tested first at 5%.
SEGMENT_ALPHA = 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two runs compared, by the judge's verdicts, on the answers that both have.

    `difference`, `segments` and `causes` use the pairs with a score on both sides (`pairing.scored`), and
    `no_longer_faithful` and `newly_faithful` count answers among them. The `causes` add up to `difference.mean`, the
    largest loss first. `changes` are the pairs in which anything changed, the worst regression first; pairs without any
    change are only counted. `corrected` compares the corrected scores of the whole runs, where both have a spot-check
    with enough labels.
    """

    baseline: Run
    candidate: Run
    cautions: tuple[Caution, ...]
    pairing: Pairing
    difference: PairedDifference
    no_longer_faithful: int
    newly_faithful: int
    segments: tuple[SegmentDifference, ...]
    causes: tuple[CauseShare, ...]
    changes: tuple[Change, ...]
    corrected: CorrectedDifference | None = None

    @property
    def is_significant(self) -> bool:
        """Whether the difference is statistically significant."""
        return self.difference.is_significant

    @property
    def is_regression(self) -> bool:
        """Whether the candidate is significantly worse."""
        return self.is_significant and (self.difference.mean or 0.0) < 0

    @property
    def worse(self) -> list[Change]:
        """The pairs whose score fell, the worst first."""
        return [change for change in self.changes if (change.difference or 0.0) < 0]

    @property
    def moved_apart(self) -> tuple[SegmentDifference, ...]:
        """The segments that moved significantly although the whole did not, the largest move first.

        Two or more segments that moved in opposite directions count at the 5% level. Otherwise a segment needs a
        smaller p (`SEGMENT_ALPHA`), because the whole was tested first.
        """
        if self.is_significant:
            return ()
        moved = [segment for segment in self.segments if segment.is_significant]
        if not (any(s.difference < 0 for s in moved) and any(s.difference > 0 for s in moved)):
            moved = [s for s in moved if s.p_value_adjusted is not None and s.p_value_adjusted < SEGMENT_ALPHA]
        return tuple(sorted(moved, key=lambda segment: (-abs(segment.difference), segment.segment or "")))


class Shown(StrEnum):
    """Which answers are listed: worse ones, better ones, the others with any change, or all of them."""

    REGRESSIONS = "regressions"
    IMPROVEMENTS = "improvements"
    LEVEL = "level"
    ALL = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class CauseSide:
    """A cause in one direction: of claims that were fixed (`is_won`) or broke."""

    cause: Cause
    is_won: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeFilter:
    """Which changes a list keeps. None does not restrict; the segment "" means answers without a segment."""

    shown: Shown = Shown.REGRESSIONS
    side: CauseSide | None = None
    segment: str | None = None


def filter_changes(changes: Iterable[Change], wanted: ChangeFilter) -> list[Change]:
    """Return the matching changes in the given order; improvements are sorted, largest first."""

    def matches(change: Change) -> bool:
        difference = change.difference or 0.0
        is_shown = {
            Shown.REGRESSIONS: difference < 0,
            Shown.IMPROVEMENTS: difference > 0,
            Shown.LEVEL: difference == 0,
            Shown.ALL: True,
        }
        return (
            is_shown[wanted.shown]
            and wanted.segment in (None, change.segment or "")
            and (wanted.side is None or wanted.side in _sides_of(change))
        )

    found = [change for change in changes if matches(change)]
    if wanted.shown is Shown.IMPROVEMENTS:
        found.sort(key=lambda change: -(change.difference or 0.0))
    return found


def _sides_of(change: Change) -> set[CauseSide]:
    return {CauseSide(cause=term.cause, is_won=term.value > 0) for term in change.terms}


def count_sides(changes: Iterable[Change]) -> dict[CauseSide, int]:
    """Return how many answers each cause affected in either direction, the largest count first."""
    counts = Counter(side for change in changes for side in _sides_of(change))
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0].cause, item[0].is_won)))


def list_segments(changes: Iterable[Change]) -> list[str]:
    """Return the segments of the changes, sorted; "" (answers without a segment) comes last."""
    return sorted({change.segment or "" for change in changes}, key=lambda name: (not name, name))


def main_side(change: Change) -> CauseSide | None:
    """Return the cause that contributed most to the change of an answer's score; None if no claim did.

    If losses and gains cancel out, it is the cause of the losses.
    """
    is_won = (change.difference or 0.0) > 0
    totals: dict[Cause, float] = defaultdict(float)
    for term in change.terms:
        if (term.value > 0) == is_won:
            totals[term.cause] += abs(term.value)
    if not totals:
        return None
    return CauseSide(cause=max(totals, key=lambda cause: (totals[cause], cause.value)), is_won=is_won)


@dataclass(frozen=True, slots=True, kw_only=True)
class WaterfallStep:
    """One bar, from `start` to `end` in points of faithfulness; `side` is None for the two runs' means.

    `claims` moved the score by this cause in this direction.
    """

    label: str
    start: float
    end: float
    side: CauseSide | None = None
    claims: int = 0


def waterfall_steps(comparison: Comparison) -> list[WaterfallStep]:
    """Return the baseline's mean, the losses, the gains (each largest first) and the candidate's mean.

    The steps add up to the difference of the means. Without a scored pair there are none.
    """
    baseline, candidate = comparison.difference.baseline, comparison.difference.candidate
    if baseline is None or candidate is None:
        return []
    level = baseline
    steps = [WaterfallStep(label="before", start=baseline, end=baseline)]
    losses = sorted((c for c in comparison.causes if c.lost < 0), key=lambda c: c.lost)
    gains = sorted((c for c in comparison.causes if c.won > 0), key=lambda c: -c.won)
    for share, is_won in [*((c, False) for c in losses), *((c, True) for c in gains)]:
        value = share.won if is_won else share.lost
        steps.append(
            WaterfallStep(
                label=CAUSE_WORDS[share.cause].name(is_won=is_won),
                start=level,
                end=level + value,
                side=CauseSide(cause=share.cause, is_won=is_won),
                claims=share.fixed if is_won else share.broken,
            )
        )
        level += value
    return [*steps, WaterfallStep(label="now", start=candidate, end=candidate)]
