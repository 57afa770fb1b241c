"""How often the corrected score's interval holds the truth, on people's labels. See README.md beside this.

Each file of labels is a run whose truth is known. The embedded judge judges it out of fold: no answer by trees that
have seen its document. Then spot-checks are drawn from it again and again with the product's sampler, people's labels
are looked up, and the product's own path leads from the labels to the interval, which is held against the truth.
Nothing is tuned here.
"""

import argparse
import gzip
import hashlib
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from faithview.domain.claim import Verdict
from faithview.domain.label import Label, LabelKind
from faithview.domain.spot_check import Design, SpotCheck
from faithview.services.judge_quality.fit import read_answers
from faithview.services.review.corrected_score import make_sample, people_in_check
from faithview.services.review.spot_checks import plan_draw
from faithview.stats.corrected_score import CorrectedScore, NotEnoughLabels, SpotCheckSample, corrected_score
from faithview.stats.intervals import ALPHA, CONFIDENCE, NORMAL_QUANTILE
from faithview.stats.precision import labels_needed
from faithview.store.spot_checks import ClaimColumns
from tests.performance import judge_quality, tables

LABELLED = Path(__file__).parents[3] / "shared" / "bench"
_FILES = ("refchecker_dolly", "wice", "ragtruth")
_SIZES = (20, 50, 100, 200)
_WANTED = (0.92, 0.97)
CHECK = SpotCheck(spot_check_id=1, name="", created_at=datetime(2026, 1, 1, tzinfo=UTC), created_by="")

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]


class Case(StrEnum):
    """What becomes of the drawn claims.

    `complete`: all are labelled. `skipped`: people pass over 30 % of the unsupported claims and 5 % of the supported
    ones. `tied`: two reviewers disagree on 15 % and 5 %. `no claim`: a tenth of the judge's claims are none. `grown`:
    all are labelled, and then so many more as the page proposes for +-0.05.
    """

    COMPLETE = "complete"
    SKIPPED = "skipped"
    TIED = "tied"
    NO_CLAIM = "no claim"
    GROWN = "grown"


_OPEN = {Case.SKIPPED: (0.30, 0.05), Case.TIED: (0.15, 0.05)}  # of the unsupported and of the supported claims
_NO_CLAIM_SHARE = 0.1
_GROWN_TO = 0.05  # half the interval's width


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedClaim:
    """A claim: its answer, whether judge and people call it supported, and the judge's support score, in [0, 1]."""

    answer: str
    judge: bool
    people: bool
    support: float


@dataclass(frozen=True, kw_only=True)
class LabelledRun:
    """A run with its truth, by claim in the order of its answers.

    `no_claims` says which claims are none in the case `NO_CLAIM`; None draws a tenth of them at random.
    """

    facts: list[ClaimColumns]
    people: Booleans
    no_claims: Booleans | None = None

    @cached_property
    def rows(self) -> NDArray[np.int64]:
        """The answer of each claim, from 1."""
        return np.array([fact.row for fact in self.facts])

    @cached_property
    def claims_of_row(self) -> list[NDArray[np.int64]]:
        """The positions of each answer's claims, by row, which counts from 1."""
        return [np.flatnonzero(self.rows == row) for row in range(self.rows.max() + 1)]

    @cached_property
    def is_no_claim(self) -> Booleans:
        """Which claims people call none in the case `NO_CLAIM`."""
        if self.no_claims is not None:
            return self.no_claims
        return np.random.default_rng(0).random(len(self.facts)) < _NO_CLAIM_SHARE

    def truth(self, case: Case) -> float:
        """Return the score that people's labels of the whole run give."""
        real = ~self.is_no_claim if case is Case.NO_CLAIM else np.ones(len(self.facts), dtype=bool)
        count = np.bincount(self.rows, real)
        right = np.bincount(self.rows, real & self.people)
        return float((right[count > 0] / count[count > 0]).mean())


def main(arguments: Sequence[str] | None = None) -> int:
    """Simulate, print the tables, and return 1 where a figure misses what is wanted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=300)
    parser.add_argument("--labelled", type=Path, default=LABELLED, help="the folder with the labelled files")
    options = parser.parse_args(arguments)
    if not options.labelled.is_dir():
        sys.stdout.write(f"There are no labelled files at {options.labelled}; nothing was measured.\n")
        return 0
    start = perf_counter()
    runs = {name: run_of(claims) for name, claims in judged_claims(options.labelled).items()}
    rows = [line for name, run in runs.items() for line in _measure(name, run, options.repetitions)]
    columns = ["file", "claims", "case", "design", "n", "truth", "judge", "holds", "width", "lambda"]
    columns += ["sampling alone holds", "labels only: holds", "width", "refused", ""]
    tables.show(f"95 % interval over {options.repetitions:,} spot-checks; n = claims drawn", columns, rows)
    missed = sum(line[-1] == "misses" for line in rows)
    low, high = _WANTED
    sys.stdout.write(
        f"\nWanted: holds {low:.0%} to {high:.0%}, with unknown labels at least {low:.0%}; {missed} missed by more "
        f"than the error of the simulation, +-{_error(options.repetitions):.1%}. {perf_counter() - start:.0f} s.\n"
    )
    return 1 if missed else 0


def judged_claims(folder: Path) -> dict[str, list[JudgedClaim]]:
    """Return the files' claims as the rules see them out of fold."""
    judged = judge_quality.judged_out_of_fold(folder)
    claims: dict[str, list[JudgedClaim]] = {name: [] for name in _FILES}
    for name, file_claims in claims.items():
        labelled = judge_quality.read_rows(name, folder)
        with gzip.open(judge_quality.labelled_path(name, folder), "rt", encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines]
        for row, answer, seen in zip(rows, read_answers(labelled), judged[name], strict=True):
            if not seen.support:
                continue  # no claims, so not part of a run's mean
            if row["claim"] is None:
                file_claims += [
                    JudgedClaim(answer=str(row["id"]), judge=supported, people=known != 0, support=score)
                    for supported, known, score in zip(seen.supported, answer.known, seen.support, strict=True)
                ]
            else:
                # The row is one claim of an answer; where the judge finds several statements, all must be supported.
                key = hashlib.sha256(repr((row["doc"], row["model"], row["answer"])).encode()).hexdigest()[:16]
                is_right, support = row["label"] == 1, min(seen.support)
                file_claims.append(JudgedClaim(answer=key, judge=all(seen.supported), people=is_right, support=support))
    return claims


def run_of(claims: Sequence[JudgedClaim]) -> LabelledRun:
    """Return the claims as a run, in which claims of one answer stand together."""
    by_answer: dict[str, list[JudgedClaim]] = {}
    for claim in claims:
        by_answer.setdefault(claim.answer, []).append(claim)
    facts = [
        ClaimColumns(row, number, _verdict(claim).value)
        for row, part in enumerate(by_answer.values(), start=1)
        for number, claim in enumerate(part, start=1)
    ]
    return LabelledRun(facts=facts, people=np.array([claim.people for part in by_answer.values() for claim in part]))


def _verdict(claim: JudgedClaim) -> Verdict:
    if claim.judge:
        return Verdict.SUPPORTED
    return Verdict.PARTIALLY_SUPPORTED if claim.support >= 0.2 else Verdict.NOT_MENTIONED


def draw_sample(run: LabelledRun, case: Case, design: Design, *, size: int, seed: int) -> SpotCheckSample:
    """Draw a spot-check, look people's labels up, and return them as they are at the end of the queue."""
    frame, drawn = plan_draw(run.facts, design, size, seed=seed)
    rng = np.random.default_rng([seed, 1])
    claims = [
        (replace(run.facts[at], stratum=stratum, pi=pi), len(run.claims_of_row[run.facts[at].row]))
        for at, stratum, pi in drawn
    ]
    people = [
        people_in_check(CHECK, Verdict(run.facts[at].verdict), _labels(run, at, case, float(rng.random())))
        for at, _, _ in drawn
    ]
    return make_sample(frame, claims, people)


def _labels(run: LabelledRun, at: int, case: Case, chance: float) -> Sequence[Label]:
    is_supported = bool(run.people[at])
    number = run.facts[at].number
    of_bad, of_good = _OPEN.get(case, (0.0, 0.0))
    if chance < (of_good if is_supported else of_bad):
        return [give_label(number, True, by="ann"), give_label(number, False, by="bob")] if case is Case.TIED else []
    if case is Case.NO_CLAIM and run.is_no_claim[at]:
        return [give_label(number, None, by="ann")]
    people = ("ann", "bob") if case is Case.TIED else ("ann",)
    return [give_label(number, is_supported, by=name) for name in people]


def give_label(number: int, is_supported: bool | None, *, by: str) -> Label:
    """Return a label given in the spot-check; None is "not a claim"."""
    verdict = None if is_supported is None else Verdict.SUPPORTED if is_supported else Verdict.NOT_MENTIONED
    return Label(
        label_id=1 if by == "ann" else 2,  # ids tell labels of a claim apart
        kind=LabelKind.NOT_A_CLAIM if is_supported is None else LabelKind.VERDICT,
        reviewer=by,
        at=datetime(2026, 1, 1, tzinfo=UTC),
        claim_number=number,
        verdict=verdict,
        spot_check_id=CHECK.spot_check_id,
        is_blind=True,
    )


def _measure(name: str, run: LabelledRun, repetitions: int) -> Iterator[list[str]]:
    for case in Case:
        for design in (Design.RANDOM, Design.BALANCED) if case is Case.COMPLETE else (Design.RANDOM,):
            for size in _SIZES:
                if size < len(run.facts):
                    head = [name, f"{len(run.facts):,}", case.value, design.value, str(size)]
                    yield [*head, *_simulate(run, case, design, size, repetitions)]


def _simulate(run: LabelledRun, case: Case, design: Design, size: int, repetitions: int) -> list[str]:
    truth = run.truth(case)
    found = [
        _grown(run, size, seed)
        if case is Case.GROWN
        else corrected_score(draw_sample(run, case, design, size=size, seed=seed))
        for seed in range(repetitions)
    ]
    scores = [score for score in found if isinstance(score, CorrectedScore)]
    if not scores:
        return [f"{truth:.3f}", *[""] * 7, str(repetitions), ""]
    corrected = [score.corrected.interval for score in scores]
    sampling = [score.corrected.interval if score.unknown is None else score.unknown.sampling for score in scores]
    plain = [score.labels_only.interval for score in scores]
    holds, sampling_holds, plain_holds = (
        float(np.mean([interval.low <= truth <= interval.high for interval in part]))
        for part in (corrected, sampling, plain)
    )
    low, high = _WANTED[0] - _error(repetitions), _WANTED[1] + _error(repetitions)
    # The interval holds whatever the unknown labels would be, and may hold too often.
    is_wide = case in _OPEN
    return [
        f"{truth:.3f}",
        f"{scores[0].judge:.3f}",
        f"{holds:.1%}",
        f"{np.mean([interval.high - interval.low for interval in corrected]):.3f}",
        f"{np.mean([score.tuning for score in scores]):.2f}",
        f"{sampling_holds:.1%}" if case in _OPEN else "",
        f"{plain_holds:.1%}",
        f"{np.mean([interval.high - interval.low for interval in plain]):.3f}",
        str(repetitions - len(scores)),
        "" if low <= holds and (is_wide or holds <= high) else "misses",
    ]


def _grown(run: LabelledRun, size: int, seed: int) -> CorrectedScore | NotEnoughLabels:
    first = draw_sample(run, Case.GROWN, Design.RANDOM, size=size, seed=seed)
    score = corrected_score(first)
    if isinstance(score, CorrectedScore):
        size += labels_needed(first, score, half_width=_GROWN_TO)
    return corrected_score(draw_sample(run, Case.GROWN, Design.RANDOM, size=size, seed=seed))


def _error(repetitions: int) -> float:
    return float(NORMAL_QUANTILE * (CONFIDENCE * ALPHA / repetitions) ** 0.5)


if __name__ == "__main__":
    sys.exit(main())
