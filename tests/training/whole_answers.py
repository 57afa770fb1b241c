"""What a judge makes of whole answers, each beside two versions of its chunks. See tests/data/README.md.

    python -m tests.training.whole_answers [--judge lexical] [--show]

A right sentence is *flagged* where a claim in it is not called supported; a wrong one *passes* where none is flagged.
Wrong are contradicted, not mentioned and partially supported ones. A *turned* sentence is right beside one version and
wrong beside the other: it counts where the judge tells the two apart.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from faithview import check
from faithview.domain.claim import Verdict
from tests.performance import tables

ANSWERS = Path(__file__).parents[1] / "data" / "whole_answers.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """Chunks of an answer, with the verdict of each of its sentences beside them."""

    chunks: tuple[str, ...]
    verdicts: tuple[Verdict, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeAnswer:
    """An answer in its sentences, which stand in it in this order, beside two versions of its chunks."""

    id: str
    domain: str
    question: str
    answer: str
    sentences: tuple[str, ...]
    versions: tuple[Version, Version]

    def places(self) -> list[tuple[int, int]]:
        """Return the start and the end of each sentence."""
        found, at = [], 0
        for sentence in self.sentences:
            start = self.answer.index(sentence, at)
            at = start + len(sentence)
            found.append((start, at))
        return found


def read_whole_answers(path: Path = ANSWERS) -> list[WholeAnswer]:
    """Return the answers of a file of JSON lines."""
    answers = []
    for line in path.read_text(encoding="utf-8").splitlines():
        given = json.loads(line)
        one, other = (
            Version(chunks=tuple(v["chunks"]), verdicts=tuple(map(Verdict, v["verdicts"]))) for v in given["versions"]
        )
        answers.append(WholeAnswer(**given | {"sentences": tuple(given["sentences"]), "versions": (one, other)}))
    return answers


def flags(answer: WholeAnswer, version: Version, judge: str) -> list[bool]:
    """Return for each sentence whether the judge flags it."""
    result = check(answer=answer.answer, context=version.chunks, question=answer.question, judge=judge)
    wrong = [span for claim in result.claims if claim.verdict is not Verdict.SUPPORTED for span in claim.spans]
    return [any(span.start < end and start < span.end for span in wrong) for start, end in answer.places()]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--judge", default="embedded")
    parser.add_argument("--show", action="store_true", help="print the sentences that the judge gets wrong")
    options = parser.parse_args(arguments)
    found: list[tuple[Verdict, bool]] = []
    turned: list[bool] = []
    for answer in read_whole_answers():
        sides = [flags(answer, version, options.judge) for version in answer.versions]
        for version, flagged in zip(answer.versions, sides, strict=True):
            found += zip(version.verdicts, flagged, strict=True)
            for text, verdict, is_flagged in zip(answer.sentences, version.verdicts, flagged, strict=True):
                if options.show and is_flagged == (verdict is Verdict.SUPPORTED):
                    sys.stdout.write(f"{answer.id}: {verdict}, {'flagged' if is_flagged else 'passed'}: {text}\n")
        is_right = [[verdict is Verdict.SUPPORTED for verdict in version.verdicts] for version in answer.versions]
        for one, other, flagged, also in zip(*is_right, *sides, strict=True):
            if one != other:
                turned.append(flagged != also and flagged != one)
    rows = [
        [verdict.value, len(own := [flag for of, flag in found if of is verdict]), sum(own), len(own) - sum(own)]
        for verdict in Verdict
    ]
    wrong = [flag for verdict, flag in found if verdict is not Verdict.SUPPORTED]
    rows.append(["all wrong ones", len(wrong), sum(wrong), len(wrong) - sum(wrong)])
    tables.show(f"Sentences of whole answers, judge {options.judge}", ("sentences", "all", "flagged", "passed"), rows)
    sys.stdout.write(f"\n{sum(turned)} of {len(turned)} turned sentences told apart\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
