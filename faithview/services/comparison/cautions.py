"""Cautions: reasons to read a comparison with care."""

from collections.abc import Iterator
from dataclasses import dataclass

from faithview.domain.run import Run, RunStatus
from faithview.services.comparison.pairing import PairedRuns
from faithview.services.review.checks.label_balance import LabelBalance
from faithview.wording import numbers as fmt

__all__ = ["UNBALANCED_LABELS", "Caution", "find_cautions"]

# The code of the caution that there is no test because the runs are not labelled alike.
UNBALANCED_LABELS = "unbalanced_labels"

# Above this share of answers in one run only, the runs' own means may differ for that reason alone.
_MANY_UNPAIRED = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class Caution:
    """A reason to read a comparison with care; `code` is stable and meant for programs."""

    code: str
    text: str


def find_cautions(before: Run, after: Run, runs: PairedRuns, labels: LabelBalance | None = None) -> tuple[Caution, ...]:
    """Return the cautions that apply to a comparison of these two runs, the most serious first."""
    return tuple(
        Caution(code=code, text=text)
        for code, text in (
            *_labels(labels),
            *_judges(before, after),
            *_thresholds(before, after),
            *_incomplete(before, after),
            *_key_conflicts(runs),
            *_unpaired(runs),
        )
    )


# These texts are part of the document that `faithview compare --json` prints.
def _labels(labels: LabelBalance | None) -> Iterator[tuple[str, str]]:
    if labels is None or labels.is_balanced:
        return
    alone = labels.baseline_alone + labels.candidate_alone
    yield (
        UNBALANCED_LABELS,
        f"{labels.counts_words(baseline='the baseline', candidate='the candidate')}, and "
        f"{fmt.plural(alone, 'label')} {fmt.verb(alone, 'changes', 'change')} a verdict in one run only. Labelling "
        "alone can make such a difference between the reviewed scores, so there is no p-value and no interval. Label "
        "the same claims in both runs, or compare the corrected scores of two spot-checks.",
    )


def _judges(before: Run, after: Run) -> Iterator[tuple[str, str]]:
    if before.fingerprint == after.fingerprint:
        return
    names = [f"{run.judge.name}, {run.judge.method}" for run in (before, after)]
    how = "two versions of one judge, or two prompts" if names[0] == names[1] else f"{names[0]} and {names[1]}"
    yield (
        "different_judges",
        f"The runs were judged differently ({how}), so the difference may be the judges'. Judge the earlier answers "
        "again with the later judge before concluding anything.",
    )


def _thresholds(before: Run, after: Run) -> Iterator[tuple[str, str]]:
    if before.threshold != after.threshold:
        yield (
            "different_thresholds",
            f"An answer counts as faithful from {before.threshold:g} in one run and from {after.threshold:g} in the "
            "other; scores are not affected, the counts of faithful answers are.",
        )


def _incomplete(before: Run, after: Run) -> Iterator[tuple[str, str]]:
    for run in (before, after):
        if run.status is not RunStatus.COMPLETE:
            yield "incomplete", f"{run.name} is {run.status.value}: rows that are not judged yet are left out."


def _key_conflicts(runs: PairedRuns) -> Iterator[tuple[str, str]]:
    if runs.pairing.key_conflicts:
        yield (
            "key_conflicts",
            f"{runs.pairing.key_conflicts:,} rows have the same id in both runs and another question; they were not "
            "paired by id.",
        )


def _unpaired(runs: PairedRuns) -> Iterator[tuple[str, str]]:
    alone = len(runs.pairing.only_in_baseline) + len(runs.pairing.only_in_candidate)
    if alone > _MANY_UNPAIRED * (alone + len(runs.pairs)):
        yield (
            "many_unpaired",
            f"{alone:,} answers are in one run only and enter no figure here: the runs' own means may differ for that "
            "alone.",
        )
