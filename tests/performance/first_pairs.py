"""What the default judge makes of first pairs: one short chunk, one statement, one small difference. See README.md.

    python -m tests.performance.first_pairs [--judge lexical] [--hand a] [--show] [file]

A wrong statement *passes* where the judge calls it supported; a right one is *flagged* where it does not.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from faithview.domain.claim import Verdict
from faithview.domain.result import Result, State
from faithview.domain.sample import Chunk, Sample
from faithview.judges.embedded import judge as embedded
from faithview.judges.lexical import judge as lexical
from faithview.stats import judge_quality
from tests.performance import tables

PAIRS = Path(__file__).parents[1] / "data" / "first_pairs.jsonl"

_JUDGES: dict[str, Callable[[Sample], Result]] = {"embedded": embedded.judge_sample, "lexical": lexical.judge_sample}


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstPair:
    """A chunk and an answer about it; `verdict` is what a careful reader says, `hand` who wrote it."""

    id: str
    hand: str
    family: str
    question: str | None
    chunk: str
    answer: str
    verdict: str

    @property
    def is_right(self) -> bool:
        """Whether the chunk supports all of the answer."""
        return self.verdict == Verdict.SUPPORTED

    def sample(self) -> Sample:
        """Return the pair as a row to be judged."""
        return Sample(
            answer=self.answer, chunks=(Chunk(chunk_id="1", text=self.chunk),), question=self.question or None
        )


def read_pairs(path: Path = PAIRS) -> list[FirstPair]:
    """Return the pairs of a file of JSON lines."""
    with path.open(encoding="utf-8") as lines:
        return [FirstPair(**json.loads(line)) for line in lines]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the judge said of a pair: the verdict that weighs most, and whether all claims are supported."""

    pair: FirstPair
    verdict: str
    is_supported: bool
    score: float
    result: Result


def judged(pairs: Sequence[FirstPair], judge: Callable[[Sample], Result]) -> Iterator[Outcome]:
    """Yield what the judge says of each pair."""
    worst_first = [Verdict.CONTRADICTED, Verdict.NOT_MENTIONED, Verdict.PARTIALLY_SUPPORTED, Verdict.SUPPORTED]
    for pair in pairs:
        result = judge(pair.sample())
        verdicts = {claim.verdict for claim in result.claims}
        worst = next((verdict for verdict in worst_first if verdict in verdicts), None)
        is_supported = result.state is State.JUDGED and verdicts == {Verdict.SUPPORTED}
        score = min((claim.support_score or 0.0 for claim in result.claims), default=0.0)
        yield Outcome(pair, worst.value if worst else result.state.value, is_supported, score, result)


def line(name: str, outcomes: Sequence[Outcome]) -> list[object]:
    """Return a row of the table."""
    wrong = [o for o in outcomes if not o.pair.is_right]
    right = [o for o in outcomes if o.pair.is_right]
    auroc = judge_quality.auroc([not o.pair.is_right for o in outcomes], [-o.score for o in outcomes])
    return [
        name,
        len(wrong),
        sum(o.is_supported for o in wrong),
        sum(o.verdict == o.pair.verdict for o in wrong),
        len(right),
        sum(not o.is_supported for o in right),
        "" if auroc is None else f"{auroc:.2f}",
    ]


COLUMNS = ("family", "wrong", "passed", "right class", "right", "flagged", "AUROC")


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, nargs="?", default=PAIRS)
    parser.add_argument("--judge", choices=tuple(_JUDGES), default="embedded")
    parser.add_argument("--hand", help="only pairs that this hand wrote")
    parser.add_argument("--show", action="store_true", help="print the pairs that the judge gets wrong")
    options = parser.parse_args(arguments)
    pairs = [pair for pair in read_pairs(options.file) if options.hand in (None, pair.hand)]
    outcomes = list(judged(pairs, _JUDGES[options.judge]))
    families = sorted({pair.family for pair in pairs})
    rows = [line(name, [o for o in outcomes if o.pair.family == name]) for name in families]
    hands = sorted({pair.hand for pair in pairs})
    rows += [line(f"all of hand {hand}", [o for o in outcomes if o.pair.hand == hand]) for hand in hands]
    tables.show(f"First pairs, judge {options.judge}", COLUMNS, [*rows, line("all", outcomes)])
    for outcome in outcomes if options.show else ():
        if outcome.is_supported != outcome.pair.is_right:
            sys.stdout.write(_described(outcome))
    return 0


def _described(outcome: Outcome) -> str:
    pair = outcome.pair
    claims = "".join(f"    {c.verdict} {c.support_score}: {c.explanation}\n" for c in outcome.result.claims)
    question = f"    Q: {pair.question}\n" if pair.question else ""
    texts = f"{question}    chunk: {pair.chunk}\n    answer: {pair.answer}\n"
    return f"\n{pair.id} {pair.family}: {pair.verdict}\n{texts}{claims}"


if __name__ == "__main__":
    sys.exit(main())
