"""How often the corrected score's interval holds the truth, on people's labels. See README.md beside this.

Each file of labels is a run whose truth is known: the embedded judge judges it once, then spot-checks are drawn from it
again and again, people's labels are looked up for the units drawn, and the interval is held against the truth. Units
are claims drawn singly or answers drawn whole. The judge is not tuned here, nor is the estimator.
"""

import argparse
import asyncio
import gzip
import hashlib
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from faithview.domain.claim import Claim, Verdict
from faithview.domain.result import State
from faithview.domain.run import JudgeSpec
from faithview.domain.sample import Sample
from faithview.judges.base import Judge
from faithview.judges.lexical import build
from faithview.stats.conventions import ALPHA, CONFIDENCE, NORMAL_QUANTILE
from faithview.stats.prediction_powered import CorrectedScore, corrected_score
from faithview.stats.sampling import Allocation, Plan, draw, plan_spot_check
from faithview.stats.spot_check import SpotCheckSample, Stratum, Unit
from tests.performance import tables

LABELLED = Path(__file__).parents[3] / "shared" / "bench"
_FILES = ("refchecker_dolly", "wice", "ragtruth")
_DESIGNS = ("random", "stratified", "uncertain")
_SIZES = (50, 100, 200)
_WANTED = (0.93, 0.97)
_BANDS = (0.5, 0.8, 1.0)  # of an answer's score by the judge, for strata

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A claim: its answer, whether judge and people call it supported, and how sure the judge is, in [0, 1]."""

    answer: str
    judge: float
    people: float
    uncertainty: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A run with its truth, one entry for each unit."""

    weight: Floats
    judge: Floats
    people: Floats
    uncertainty: Floats
    strata: list[str]

    @property
    def truth(self) -> float:
        """The score that people's labels of the whole run give."""
        return float(self.weight @ self.people)


def main(arguments: Sequence[str] | None = None) -> int:
    """Simulate, print the tables, and return 1 where a figure misses what is wanted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=1_000)
    parser.add_argument("--labelled", type=Path, default=LABELLED, help="the folder with the labelled files")
    options = parser.parse_args(arguments)
    if not options.labelled.is_dir():
        sys.stdout.write(f"There are no labelled files at {options.labelled}; nothing was measured.\n")
        return 0
    start = perf_counter()
    claims = {name: judged_claims(options.labelled / f"{name}.jsonl.gz") for name in _FILES}
    low, high = _WANTED
    missed = 0
    for unit in Unit:
        rows = [
            line
            for name in _FILES
            if _has_units(claims[name], unit)
            for line in _measure(name, claims[name], unit, options)
        ]
        missed += sum(bool(line[-1]) for line in rows)
        columns = ["file", "units", "design", "n", "truth", "judge", "holds", "width", "lambda"]
        columns += ["labels only: holds", "width", "shorter by", "refused", ""]
        tables.show(
            f"95 % interval over {options.repetitions:,} spot-checks; n = labelled "
            + ("claims, drawn singly" if unit is Unit.CLAIM else "answers, drawn whole"),
            columns,
            rows,
        )
    error = NORMAL_QUANTILE * (CONFIDENCE * ALPHA / options.repetitions) ** 0.5
    sys.stdout.write(
        f"\nWanted: holds {low:.0%} to {high:.0%}, and no wider on average than the labels alone; {missed} missed. "
        f"A share of 95 % is itself known to +-{error:.1%} from so many repetitions. {perf_counter() - start:.0f} s.\n"
    )
    return 1 if missed else 0


def judged_claims(path: Path) -> list[Judged]:
    """Return a labelled file's claims as the embedded judge sees them; judged once for each file and judge."""
    judge = build(JudgeSpec(name="lexical"))
    rules = Path(sys.modules[type(judge).__module__].__file__ or "").parent
    digest = hashlib.sha256(judge.fingerprint.encode() + path.read_bytes())
    for source in sorted(rules.glob("*.*")):  # a rule changed without a new fingerprint must not go unseen
        digest.update(source.read_bytes())
    cache = Path(tempfile.gettempdir()) / f"faithview-coverage-{digest.hexdigest()[:20]}.json"
    if not cache.exists():
        rows = [[c.answer, c.judge, c.people, c.uncertainty] for c in asyncio.run(_judge(path, judge))]
        unfinished = cache.with_suffix(".part")
        unfinished.write_text(json.dumps(rows), encoding="utf-8")
        unfinished.replace(cache)
    return [
        Judged(answer=answer, judge=f, people=y, uncertainty=u)
        for answer, f, y, u in json.loads(cache.read_text(encoding="utf-8"))
    ]


async def _judge(path: Path, judge: Judge) -> list[Judged]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [claim for line in lines for claim in await _judge_row(json.loads(line), judge)]


async def _judge_row(row: dict[str, object], judge: Judge) -> list[Judged]:
    text = row["claim"] or row["answer"]
    chunks, question = row["chunks"], row["question"]
    assert isinstance(text, str)
    assert isinstance(chunks, list)
    assert question is None or isinstance(question, str)
    result = await judge.judge(Sample.of(text, chunks, question=question))
    answer = hashlib.sha256(repr((row["doc"], row["model"], row["answer"], row["claim"] is None)).encode()).hexdigest()[
        :16
    ]
    if row["claim"] is None:
        answer = str(row["id"])
        if result.state is not State.JUDGED:
            return []  # no claims, so not part of a run's mean
        return [_one(answer, [claim], people=float(not _is_marked(claim, row["spans"]))) for claim in result.claims]
    # The row is one claim of an answer; where the judge finds several statements in it, all must be supported.
    return [_one(answer, result.claims, people=float(row["label"] == 1))]


def _one(answer: str, claims: Sequence[Claim], *, people: float) -> Judged:
    supported = all(claim.verdict is Verdict.SUPPORTED for claim in claims)
    support = min((claim.support_score for claim in claims if claim.support_score is not None), default=1.0)
    return Judged(answer=answer, judge=float(supported), people=people, uncertainty=1 - abs(2 * support - 1))


def _is_marked(claim: Claim, spans: object) -> bool:
    assert isinstance(spans, list)
    return any(span.start < bad["end"] and bad["start"] < span.end for span in claim.spans for bad in spans)


def _has_units(claims: Sequence[Judged], unit: Unit) -> bool:
    """Say whether the units differ from single claims; one claim an answer is the same either way."""
    return unit is Unit.CLAIM or len({claim.answer for claim in claims}) < len(claims)


def _measure(name: str, claims: Sequence[Judged], unit: Unit, options: argparse.Namespace) -> Iterator[list[str]]:
    run = _run_of(claims, unit)
    for design in _DESIGNS:
        for size in _SIZES:
            if size >= len(run.weight):
                continue
            plan = plan_spot_check(
                run.weight,
                size=size,
                strata=run.strata if design == "stratified" else None,
                allocation=Allocation.NEYMAN if design == "stratified" else Allocation.PROPORTIONAL,
                judge=run.judge,
                uncertainty=run.uncertainty if design == "uncertain" else None,
            )
            yield [name, f"{len(run.weight):,}", design, str(size), *_simulate(run, plan, options.repetitions)]


def _simulate(run: Run, plan: Plan, repetitions: int) -> list[str]:
    found = [corrected_score(_spot_check(run, plan, seed)) for seed in range(repetitions)]
    scores = [score for score in found if isinstance(score, CorrectedScore)]
    estimates = [[score.corrected for score in scores], [score.labels_only for score in scores]]
    holds, plain_holds = (
        float(np.mean([e.interval.low <= run.truth <= e.interval.high for e in part])) for part in estimates
    )
    width, plain_width = (float(np.mean([2 * e.half_width for e in part])) for part in estimates)
    low, high = _WANTED
    verdict = [] if low <= holds <= high else ["misses"]
    verdict += ["wider"] if width > plain_width else []
    return [
        f"{run.truth:.3f}",
        f"{run.weight @ run.judge:.3f}",
        f"{holds:.1%}",
        f"{width:.4f}",
        f"{np.mean([score.tuning for score in scores]):.2f}",
        f"{plain_holds:.1%}",
        f"{plain_width:.4f}",
        f"{1 - width / plain_width:.1%}",
        str(repetitions - len(scores)),
        ", ".join(verdict),
    ]


def _spot_check(run: Run, plan: Plan, seed: int) -> SpotCheckSample:
    drawn = draw(plan, seed=seed)
    at = drawn.units
    count = len(plan.names)
    totals = (
        np.bincount(plan.stratum, minlength=count),
        np.bincount(plan.stratum, run.weight, minlength=count),
        np.bincount(plan.stratum, run.weight * run.judge, minlength=count),
    )
    return SpotCheckSample(
        strata=tuple(
            Stratum(name=name, units=int(units), weight=float(weight), judged=float(judged))
            for name, units, weight, judged in zip(plan.names, *totals, strict=True)
        ),
        stratum=plan.stratum[at],
        pi=drawn.pi,
        weight=run.weight[at],
        judge=run.judge[at],
        people=run.people[at],
    )


def _run_of(claims: Sequence[Judged], unit: Unit) -> Run:
    _, of = np.unique([claim.answer for claim in claims], return_inverse=True)
    number = np.bincount(of).astype(np.float64)
    judge, people, uncertainty = (
        np.array([getattr(claim, name) for claim in claims]) for name in ("judge", "people", "uncertainty")
    )
    if unit is Unit.CLAIM:
        return Run(
            weight=1 / (len(number) * number[of]),
            judge=judge,
            people=people,
            uncertainty=uncertainty,
            strata=["supported" if supported else "not supported" for supported in judge],
        )
    by_answer = [np.bincount(of, values) / number for values in (judge, people, uncertainty)]
    return Run(
        weight=np.full(len(number), 1 / len(number)),
        judge=by_answer[0],
        people=by_answer[1],
        uncertainty=by_answer[2],
        strata=[f"score band {band}" for band in np.digitize(by_answer[0], _BANDS)],
    )


if __name__ == "__main__":
    sys.exit(main())
