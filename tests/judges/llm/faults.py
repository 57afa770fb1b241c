"""Faults at random: of all calls one in ten is too many, one in twenty breaks or hangs, one in twenty is malformed.

Repairs meet them as often as first questions do. Run as a script, it judges 100 answers for each of many seeds and says
for which an answer was left unjudged:

    python -m tests.judges.llm.faults --seeds 100
"""

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Sequence

from faithview.domain.result import State
from faithview.domain.sample import Sample
from tests.judges.llm.judging import VENDORS, judge_against
from tests.judges.llm.server import Answer, Drop, Hang, Raw, Request, Say, Status, sensible


class Faults:
    """A script for a server; `met` counts the faults by kind."""

    def __init__(self, seed: int) -> None:
        self.met: Counter[str] = Counter()
        self._rng = random.Random(seed)

    def __call__(self, request: Request) -> Answer:
        draw = self._rng.random()
        if draw < 0.10:
            self.met["429"] += 1
            return Status(code=429, headers={"retry-after": "0.02"} if self._rng.random() < 0.5 else {})
        if draw < 0.15:
            self.met["500"] += 1
            cut = Raw(content=b'{"id": "c-1"}' * 20, cut=100)
            troubles: list[Answer] = [Status(code=500), Drop(), cut, Hang()]
            return self._rng.choice(troubles)
        if draw < 0.20:
            self.met["malformed"] += 1
            return Say(text=self._malformed(sensible(request).text))
        return sensible(request)

    def _malformed(self, text: str) -> str:
        document = json.loads(text)
        document.pop(next(iter(document)))
        return self._rng.choice([text[:-20], "", "I think it is fine.", json.dumps(document)])


def main(arguments: Sequence[str] | None = None) -> int:
    """Judge 100 answers a seed; return 0 if all ended judged."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--method", default="claims")
    options = parser.parse_args(arguments)
    samples = [Sample.of(f"Fact number {n} holds.", [f"Fact number {n} holds."], key=str(n)) for n in range(100)]
    bad = 0
    for seed in range(options.seeds):
        vendor = VENDORS[seed % len(VENDORS)]
        results, _ = judge_against(Faults(seed), samples, vendor=vendor, method=options.method, timeout_s=3.0)
        left = [result.error for result in results if result.state is not State.JUDGED]
        if left:
            bad += 1
            sys.stdout.write(f"{vendor}, seed {seed}: {len(left)} of 100 not judged, {left[0]}\n")
    sys.stdout.write(f"{options.method}: {options.seeds - bad} of {options.seeds} seeds ended with all rows judged\n")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
