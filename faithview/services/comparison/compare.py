"""Two runs compared: is the difference real, where is it, which claims made it, and why."""

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import numpy as np
from pydantic import TypeAdapter

from faithview.domain.comparison import CauseShare, Change, Pairing
from faithview.domain.errors import InvalidInput, NotFound
from faithview.domain.run import Run, RunStatus
from faithview.domain.views import View
from faithview.services.comparison.changes import find_changes
from faithview.services.comparison.judge_noise import JudgeNoise, judge_noise
from faithview.services.comparison.pairing import PairedRuns, pair_runs
from faithview.services.container import Services
from faithview.services.results.answers import get_answer_at
from faithview.services.results.runs import get_run
from faithview.services.review.corrected_score import correct_run
from faithview.stats import paired
from faithview.stats.corrected_difference import CorrectedDifference, NoCorrectedDifference, compare_corrected
from faithview.stats.decomposition import share_causes
from faithview.stats.paired import McNemar, PairedDifference, SegmentDifference
from faithview.store.comparison import comparisons
from faithview.store.comparison.comparisons import PairChoice as PairChoice  # what `decide_pair` takes

# Grows when what is kept changes shape or meaning, so that older documents are worked out again.
_LAYOUT = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Caution:
    """Why a comparison is to be read with care; `code` is for programs."""

    code: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two runs compared on the answers that both have.

    `difference` and everything below it rest on the pairs that have a score on both sides (`pairing.scored`). `causes`
    add up to `difference.mean`, the largest loss first. `changes` are the pairs in which anything changed, the worst
    regression first; pairs that are alike in everything are only counted. `corrected` compares the runs' own corrected
    scores, or says what is missing, where the view asks for them; everything else then shows people's verdicts.
    """

    baseline: Run
    candidate: Run
    view: View
    cautions: tuple[Caution, ...]
    pairing: Pairing
    difference: PairedDifference
    faithful: McNemar
    segments: tuple[SegmentDifference, ...]
    causes: tuple[CauseShare, ...]
    changes: tuple[Change, ...]
    noise: JudgeNoise | None
    corrected: CorrectedDifference | NoCorrectedDifference | None = None

    @property
    def is_significant(self) -> bool:
        """Whether the difference is one that chance seldom makes (p < 0.05)."""
        return self.difference.is_significant

    @property
    def is_judge_noise(self) -> bool:
        """Whether judging the same answers again moves the score as much as this."""
        return (
            self.noise is not None
            and self.difference.mean is not None
            and abs(self.difference.mean) <= self.noise.half_width
        )

    @property
    def is_regression(self) -> bool:
        """Whether the candidate is worse by more than chance and the judge's own noise make."""
        return self.is_significant and not self.is_judge_noise and (self.difference.mean or 0.0) < 0


_DOCUMENT = TypeAdapter(Comparison)


def compare_runs(services: Services, baseline: str, candidate: str, *, view: View = View.JUDGE) -> Comparison:
    """Compare two runs, by id or unique name; what was worked out before is taken from the store.

    Raises:
        NotFound: there is no such run.
        InvalidInput: they are one and the same, or no answer is in both.
    """
    before, after = get_run(services, baseline), get_run(services, candidate)
    if before.run_id == after.run_id:
        raise InvalidInput(f"{before.name!r} cannot be compared with itself; name two runs.")
    stamp = f"{_LAYOUT} {comparisons.make_stamp(services.db, before, after, view)}"

    def find_or_work_out() -> Comparison:
        kept = comparisons.find_document(services.db, before, after, view, stamp=stamp)
        if kept is not None:
            return _DOCUMENT.validate_json(kept)
        with _collector_at_rest():
            found = _work_out(services, before, after, view)
        comparisons.keep_document(
            services.db, before, after, view, stamp=stamp, document=_DOCUMENT.dump_json(found).decode()
        )
        return found

    # Reading a large document takes a tenth of a second, which would be in every click on a page.
    found = services.comparison_cache.get("comparison", (before.run_id, after.run_id, view), stamp, find_or_work_out)
    return replace(found, baseline=before, candidate=after)


def decide_pair(services: Services, baseline: str, candidate: str, choices: Sequence[PairChoice], *, by: str) -> None:
    """Store what a person said about pairs of answers or claims; the next comparison heeds it.

    Raises:
        NotFound: there is no such run, or it has no such row.
    """
    before, after = get_run(services, baseline), get_run(services, candidate)
    for choice in choices:
        for run, row, claim in (
            (before, choice.baseline_row, choice.baseline_claim),
            (after, choice.candidate_row, choice.candidate_claim),
        ):
            answer = get_answer_at(services, run.run_id, row)
            if claim is not None and not 1 <= claim <= len(answer.result.claims):
                raise NotFound(f"Row {row} of run {run.run_id} has no claim {claim}.")
    comparisons.add_choices(services.db, before.run_id, after.run_id, choices, by=by, now=datetime.now(UTC))


@contextmanager
def _collector_at_rest() -> Iterator[None]:
    """Hold Python's garbage collector, which takes half the time over a million small rows without a cycle.

    Another thread's cycles wait for the few seconds too; what is in no cycle is freed as ever.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _work_out(services: Services, before: Run, after: Run, view: View) -> Comparison:
    choices = comparisons.list_choices(services.db, before.run_id, after.run_id)
    runs = pair_runs(services.db, before, after, view=view, choices=choices)
    if not runs.pairs:
        raise InvalidInput(
            f"No answer of {before.name!r} is in {after.name!r}: neither ids nor questions are equal. Compare runs "
            "over the same questions, or give the rows an id."
        )
    scored = [pair for pair in runs.pairs if pair.is_scored]
    changes = find_changes(services.db, before, after, runs.pairs, view=view, choices=choices)
    scores = np.array([[p.before.score, p.after.score] for p in scored], dtype=np.float64).reshape(-1, 2)
    clusters = _numbered([pair.before.cluster for pair in scored])
    return Comparison(
        baseline=before,
        candidate=after,
        view=view,
        cautions=tuple(_cautions(before, after, runs)),
        pairing=runs.pairing,
        difference=paired.compare_pairs(scores[:, 0], scores[:, 1], clusters),
        faithful=paired.mcnemar(
            np.array([bool(pair.before.is_faithful) for pair in scored], dtype=np.bool_),
            np.array([bool(pair.after.is_faithful) for pair in scored], dtype=np.bool_),
            clusters,
        ),
        segments=paired.compare_segments([p.segment for p in scored], scores[:, 0], scores[:, 1], clusters),
        causes=share_causes([change.terms for change in changes], pairs=len(scored)),
        changes=tuple(sorted(changes, key=_worst_first)),
        noise=judge_noise(services, before, after, pairs=len(scored)),
        corrected=_corrected(services, before, after) if view is View.CORRECTED else None,
    )


def _corrected(services: Services, before: Run, after: Run) -> CorrectedDifference | NoCorrectedDifference:
    found = [correct_run(services, run.run_id) for run in (before, after)]
    baseline, candidate = (None if one is None else one.score for one in found)
    return compare_corrected(baseline, candidate)


def _numbered(names: Sequence[str]) -> paired.IntArray:
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(name, len(numbers)) for name in names], dtype=np.int64)


def _worst_first(change: Change) -> tuple[float, int, int]:
    difference = change.difference
    if difference is None:
        # Answers that are judged on one side only come after those that fell and before those that did not change.
        return (-1e-9, change.candidate_row, 0)
    return (difference, change.candidate_row, 0)


def _cautions(before: Run, after: Run, runs: PairedRuns) -> list[Caution]:
    found = []
    if before.fingerprint != after.fingerprint:
        names = [f"{run.judge.name}, {run.judge.method}" for run in (before, after)]
        how = "two versions of one judge, or two prompts" if names[0] == names[1] else f"{names[0]} and {names[1]}"
        found.append(
            Caution(
                code="different_judges",
                text=f"The runs were judged differently ({how}), so the difference may be the judges'. Judge the "
                "earlier answers again with the later judge before concluding anything.",
            )
        )
    if before.threshold != after.threshold:
        found.append(
            Caution(
                code="different_thresholds",
                text=f"An answer counts as faithful from {before.threshold:g} in one run and from {after.threshold:g} "
                "in the other; scores are not affected, the counts of faithful answers are.",
            )
        )
    found += [
        Caution(code="incomplete", text=f"{run.name} is {run.status.value}: rows that are not judged yet are left out.")
        for run in (before, after)
        if run.status is not RunStatus.COMPLETE
    ]
    if runs.pairing.key_conflicts:
        found.append(
            Caution(
                code="key_conflicts",
                text=f"{runs.pairing.key_conflicts:,} rows have the same id in both runs and another question; they "
                "were not paired by id.",
            )
        )
    alone = len(runs.pairing.only_in_baseline) + len(runs.pairing.only_in_candidate)
    if alone > 0.2 * (alone + len(runs.pairs)):
        found.append(
            Caution(
                code="many_unpaired",
                text=f"{alone:,} answers are in one run only and enter no figure here: the runs' own means may differ "
                "for that alone.",
            )
        )
    return found
