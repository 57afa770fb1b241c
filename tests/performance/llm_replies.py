"""What replies cost: prompt tokens of every method, and the calls that replies of weaker models take.

Tokens are estimated at 4 bytes each, over ten synthetic answers. The replies are those written by hand in
`tests/judges/llm/written_replies.py`; the server gives the same one each time it is asked. The third table has a row
per thing that weaker models do (`tests/judges/llm/weaker_models.py`): how many answers fail, and the calls of all. The
README beside this file has the figures of the prompts and forms before them (v2).
"""

import argparse
import sys
from collections import Counter
from collections.abc import Sequence

from faithview.judges.llm.methods import METHODS
from tests.judges.llm.judging import judge_against
from tests.judges.llm.server import Say, Script
from tests.judges.llm.weaker_models import ALTERATIONS, CUT_OFF, LONG, judge_altered
from tests.judges.llm.weaker_models import METHODS as WEAKER_METHODS
from tests.judges.llm.written_replies import CASES
from tests.performance import tables
from tests.performance.llm import describe_tokens
from tests.performance.synthetic import make_samples

_ALL = (*CASES, *LONG)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print both tables and return 0."""
    argparse.ArgumentParser(description=__doc__).parse_args(arguments)
    samples = make_samples(10, seed=1)
    columns = [
        "method",
        "calls",
        "prompt tokens",
        "instructions and schema",
        "chunks",
        "first in the prompt and stable",
    ]
    lines = [describe_tokens(samples, "openai", method) for method in METHODS]
    tables.show("Calls and prompt tokens an answer (4 bytes a token)", columns, lines)
    columns = ["model", "answers", "calls", "as a person says", "failed", "quotes", "of them found"]
    tables.show("Replies written by hand, `single`", columns, [_replies(careful=True), _replies(careful=False)])
    columns = ["the model", *(f"{method}: failed, calls" for method in WEAKER_METHODS)]
    tables.show(
        f"Replies of weaker models, {len(_ALL)} answers ({len(LONG)} where a reply is cut off)",
        columns,
        [[name, *(_weaker(name, method) for method in WEAKER_METHODS)] for name in ALTERATIONS],
    )
    return 0


def _weaker(name: str, method: str) -> str:
    judged = judge_altered(method, ALTERATIONS[name], LONG if name == CUT_OFF else _ALL)
    failed = sum(result.error is not None for _, result, _ in judged)
    return f"{failed}, {sum(len(server.calls) for *_, server in judged)}"


def _replies(*, careful: bool) -> list[str]:
    calls, right, found = 0, 0, Counter[bool]()
    failed = 0
    for case in CASES:
        said = Say(text=case.careful if careful else case.careless)
        (result,), server = judge_against(_always(said), [case.sample], method="single")
        calls += len(server.calls)
        failed += result.error is not None
        right += result.error is None and result.verdicts == case.verdicts
        found.update(item.is_verified for claim in result.claims for item in claim.evidence)
    figures = [len(CASES), calls, right, failed, found.total(), found[True]]
    return ["careful" if careful else "careless", *(str(figure) for figure in figures)]


def _always(said: Say) -> Script:
    return lambda _: said


if __name__ == "__main__":
    sys.exit(main())
