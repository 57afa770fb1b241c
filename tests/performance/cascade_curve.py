"""What a cascade can be worth: figures of the answers against the share of claims sent to a model. See README.md.

    python -m tests.performance.cascade_curve

On the help-desk answers to which nothing was fitted. Their labels stand in for the model's verdicts, so this is what a
model that is never wrong would bring. Beside it, as many claims drawn at random are sent. `--write` writes the
distribution that turns a share into cuts into `faithview/judges/cascade/shares.json`.
"""

import argparse
import asyncio
import json
import random
import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from faithview.domain.claim import Claim, Verdict
from faithview.domain.result import Result, State
from faithview.domain.sample import Sample
from faithview.judges.cascade.cuts import SHARES, USUAL, Cuts, cuts_for
from faithview.judges.cascade.judge import CascadeJudge
from faithview.judges.embedded.judge import NAME, judge_sample
from faithview.stats import judge_quality
from tests.dashboard import ROOT
from tests.performance import tables
from tests.performance.embedded_quality import HELPDESK, Labelled, sets

SHARE_FILE = ROOT / "faithview" / "judges" / "cascade" / SHARES
_SHARES = (0.0, 0.1, 0.2, 0.3, 0.5, 1.0)
_DRAWS = 20

# An answer and a claim of it, by their places.
_Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Judged:
    """A labelled answer and what a judge says of it."""

    row: Labelled
    result: Result


@dataclass(frozen=True, slots=True)
class Figures:
    """Shares of the claims and of the answers that were sent, and what the verdicts are worth then."""

    claims_sent: float
    answers_sent: float
    balanced_accuracy: float
    claim_auroc: float

    def cells(self) -> list[str]:
        return [f"{self.answers_sent:.0%}", f"{self.balanced_accuracy:.3f}", f"{self.claim_auroc:.3f}"]


class _Remembered:
    """The default judge, which has judged already."""

    name = fingerprint = NAME

    def __init__(self, result: Result) -> None:
        self._result = result

    async def judge(self, _sample: Sample) -> Result:
        return self._result

    async def aclose(self) -> None:
        pass


class _Labels:
    """The labels of an answer in the place of a model."""

    name = fingerprint = "labels"

    def __init__(self, row: Labelled) -> None:
        self._row = row

    async def judge(self, sample: Sample) -> Result:
        raise NotImplementedError

    async def verify(self, _sample: Sample, claims: Sequence[Claim]) -> Result:
        return Result(state=State.JUDGED, judge=self.name, claims=tuple(labelled(self._row, c) for c in claims))

    async def aclose(self) -> None:
        pass


def labelled(row: Labelled, claim: Claim) -> Claim:
    """Return the claim with the verdict of the labels."""
    is_wrong = _is_wrong(row, claim)
    verdict = Verdict.NOT_MENTIONED if is_wrong else Verdict.SUPPORTED
    return replace(claim, verdict=verdict, support_score=0.0 if is_wrong else 1.0, confidence=1.0)


def judge_all() -> list[Judged]:
    """Return the help-desk answers to which nothing was fitted, judged by the default judge."""
    rows = [row for name, found in sets(ROOT / "nowhere") if name in HELPDESK for row in found]
    return [Judged(row, judge_sample(row.sample)) for row in rows]


def by_cuts(judged: Sequence[Judged], cuts: Cuts) -> Figures:
    """Return the figures where the cascade sends the claims between these cuts."""

    async def ask() -> list[Result]:
        return [
            await CascadeJudge(_Remembered(one.result), _Labels(one.row), cuts).judge(one.row.sample) for one in judged
        ]

    return _figures([Judged(one.row, result) for one, result in zip(judged, asyncio.run(ask()), strict=True)])


def at_random(judged: Sequence[Judged], claims: int, *, draws: int = _DRAWS) -> Figures:
    """Return the mean figures where this many claims are drawn at random and sent."""
    places = [(number, at) for number, one in enumerate(judged) for at in range(len(one.result.claims))]
    drawn = [_figures(_sent(judged, set(random.Random(seed).sample(places, claims)))) for seed in range(draws)]
    return Figures(*(fmean(getattr(one, name) for one in drawn) for name in Figures.__dataclass_fields__))


def curve(judged: Sequence[Judged], shares: Sequence[float] = _SHARES) -> list[list[str]]:
    """Return the lines of the table."""
    wanted = sorted(
        [*((share, cuts_for(share), f"{share:.0%}") for share in shares), (_share_sent(judged), USUAL, "usual cuts")]
    )
    lines = []
    for _, cuts, name in wanted:
        found = by_cuts(judged, cuts)
        claims = round(found.claims_sent * sum(len(one.result.claims) for one in judged))
        lines.append([name, f"{found.claims_sent:.0%}", *found.cells(), *at_random(judged, claims).cells()])
    return lines


def _share_sent(judged: Sequence[Judged]) -> float:
    sent = [USUAL.is_between(claim.support_score) for one in judged for claim in one.result.claims]
    return fmean(sent)


def _sent(judged: Sequence[Judged], places: Collection[_Place]) -> list[Judged]:
    found = []
    for number, one in enumerate(judged):
        claims = tuple(
            replace(labelled(one.row, claim), decided_by=_Labels.name) if (number, at) in places else claim
            for at, claim in enumerate(one.result.claims)
        )
        found.append(Judged(one.row, replace(one.result, claims=claims)))
    return found


def _figures(judged: Sequence[Judged]) -> Figures:
    claims = [(one.row, claim) for one in judged for claim in one.result.claims]
    auroc = judge_quality.auroc(
        [_is_wrong(row, claim) for row, claim in claims], [-(claim.support_score or 0.0) for _, claim in claims]
    )
    flagged = [one.result.is_faithful is False for one in judged]
    accuracy = judge_quality.rates([not one.row.is_faithful for one in judged], flagged).balanced_accuracy
    assert auroc is not None
    assert accuracy is not None
    return Figures(
        claims_sent=fmean(_is_sent(claim) for _, claim in claims),
        answers_sent=fmean(any(map(_is_sent, one.result.claims)) for one in judged),
        balanced_accuracy=accuracy,
        claim_auroc=auroc,
    )


def _is_sent(claim: Claim) -> bool:
    return claim.decided_by == _Labels.name


def _is_wrong(row: Labelled, claim: Claim) -> bool:
    return any(start < span.end and span.start < end for span in claim.spans for start, end, _ in row.errors or ())


def distribution(judged: Sequence[Judged]) -> dict[str, object]:
    """Return what `shares.json` has: for each per cent, the chance that so many of the claims reach."""
    supports = [claim.support_score or 0.0 for one in judged for claim in one.result.claims]
    chances = sorted((min(support, 1 - support) for support in supports), reverse=True)
    reached = [0.5, *(chances[max(0, round(len(chances) * per_cent / 100) - 1)] for per_cent in range(1, 101))]
    return {"answers": len(judged), "claims": len(chances), "chances": [round(value, 4) for value in reached]}


def main(arguments: Sequence[str] | None = None) -> int:
    """Judge, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the distribution that turns a share into cuts")
    options = parser.parse_args(arguments)
    judged = judge_all()
    if options.write:
        SHARE_FILE.write_text(json.dumps(distribution(judged)) + "\n", encoding="utf-8")
    claims = sum(len(one.result.claims) for one in judged)
    tables.show(
        f"Claims sent to a model that is never wrong, {len(judged)} help-desk answers with {claims} claims",
        [
            "--cascade-share",
            "claims sent",
            "answers sent",
            "balanced accuracy",
            "claim AUROC",
            "at random: answers sent",
            "balanced accuracy",
            "claim AUROC",
        ],
        curve(judged),
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
