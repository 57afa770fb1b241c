"""What the judge `embedded` is worth as it is shipped, beside the rules alone. See README.md.

    python -m tests.performance.embedded_quality

Nothing was fitted to the part `end` of the help-desk answers, to the bundled sample and to the files named so. Figures
out of fold of the files that were fitted are printed by `tests/training/fit_combination.py`. `--write` writes the
counts over both help-desk sets into `faithview/judges/measured.json`: the product says them beside its verdicts.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import NamedTuple

from faithview.domain.claim import Verdict
from faithview.domain.result import Result, State
from faithview.domain.run import JudgeErrors
from faithview.domain.sample import Sample
from faithview.judges.embedded import judge as embedded
from faithview.judges.lexical import judge as lexical
from faithview.services.dataset_files import open_dataset
from faithview.stats import judge_quality
from tests.dashboard import ROOT
from tests.helpdesk import FIRST_DOMAINS, HelpdeskAnswer, Part, read_answers
from tests.performance import tables
from tests.performance.judge_quality import read_rows

_FOLDER = ROOT.parent / "shared" / "bench"
_FILES = ("summedits", "bump", "records_kept_aside")
# The sets that the product's own figures are counted on, and where these are.
HELPDESK = ("help-desk, the first 160", "help-desk, others of the end")
MEASURED = ROOT / "faithview" / "judges" / "measured.json"
_NAMES = {"rules": "lexical", "embedded": "embedded"}
_ALARMS = 0.1
_BINS = 10
_HARD = ("contradiction", "conflation")

JudgeSample = Callable[[Sample], Result]


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """An answer with its wrong places `(start, end, type)`; None where only the whole answer has a label."""

    sample: Sample
    is_faithful: bool
    errors: tuple[tuple[int, int, str], ...] | None


class FoundClaim(NamedTuple):
    """What a judge said of a claim; `error` is the type of the error in it, "" for none."""

    is_wrong: bool
    support: float
    is_supported: bool
    is_near_cut: bool
    error: str


@dataclass(slots=True)
class Found:
    """What a judge said of a set: of each claim, of each answer, and of each error whether it was caught."""

    claims: list[FoundClaim] = field(default_factory=list)
    answers: list[tuple[bool, float, bool]] = field(default_factory=list)
    errors: list[bool] = field(default_factory=list)

    def add(self, row: Labelled, result: Result) -> None:
        if result.state is not State.JUDGED:
            self.answers.append((not row.is_faithful, -(result.answer_score or 0.0), False))
            self.errors += [False] * len(row.errors or ())
            return
        self.answers.append((not row.is_faithful, -(result.answer_score or 0.0), result.is_faithful is False))
        if row.errors is None:
            return
        caught = [False] * len(row.errors)
        for claim, certainty in zip(result.claims, result.certainties, strict=True):
            is_supported = claim.verdict is Verdict.SUPPORTED
            hit = [
                number
                for number, (start, end, _) in enumerate(row.errors)
                if any(start < span.end and span.start < end for span in claim.spans)
            ]
            kind = row.errors[hit[0]][2] if hit else ""
            support = claim.support_score or 0.0
            self.claims.append(FoundClaim(bool(hit), support, is_supported, certainty.is_near_cut, kind))
            for number in hit:
                caught[number] |= not is_supported
        self.errors += caught

    def __add__(self, other: "Found") -> "Found":
        """Return what was said of both sets."""
        return Found(
            claims=self.claims + other.claims, answers=self.answers + other.answers, errors=self.errors + other.errors
        )

    def counts(self) -> JudgeErrors:
        """Return what the product says beside the judge's verdicts."""
        right = [claim for claim in self.claims if not claim.is_wrong]
        near, sure = self._supported()
        return JudgeErrors(
            answers=len(self.answers),
            errors=len(self.errors),
            errors_caught=sum(self.errors),
            right_claims=len(right),
            false_alarms=sum(not claim.is_supported for claim in right),
            near_cut=len(near),
            near_cut_wrong=sum(claim.is_wrong for claim in near),
            surely_supported=len(sure),
            surely_supported_wrong=sum(claim.is_wrong for claim in sure),
        )

    def _supported(self) -> tuple[list[FoundClaim], list[FoundClaim]]:
        """Return the claims that were called supported: those near the cut, which read "Check this", and the others."""
        supported = [claim for claim in self.claims if claim.is_supported]
        return [claim for claim in supported if claim.is_near_cut], [c for c in supported if not c.is_near_cut]

    def cells(self) -> list[str]:
        wrong = [claim.is_wrong for claim in self.claims]
        right = [claim for claim in self.claims if not claim.is_wrong]
        near, sure = self._supported()
        unfaithful = [is_unfaithful for is_unfaithful, *_ in self.answers]
        return [
            _number(judge_quality.auroc(wrong, [-claim.support for claim in self.claims]) if self.claims else None),
            _number(judge_quality.auroc(unfaithful, [score for _, score, _ in self.answers])),
            _number(judge_quality.rates(unfaithful, [flag for *_, flag in self.answers]).balanced_accuracy),
            _share(self.errors),
            _share([not claim.is_supported for claim in right]),
            self._caught_at_ten_percent(),
            self._calibration_error(),
            _share([claim.is_wrong for claim in sure]),
            _share([claim.is_wrong for claim in near]),
        ]

    def _caught_at_ten_percent(self) -> str:
        right = sorted(claim.support for claim in self.claims if not claim.is_wrong)
        hard = [claim.support for claim in self.claims if claim.is_wrong and claim.error in _HARD]
        return _share([score < right[int(_ALARMS * len(right))] for score in hard]) if hard else ""

    def _calibration_error(self) -> str:
        called = sorted((claim.support, not claim.is_wrong) for claim in self.claims if claim.is_supported)
        if len(called) < _BINS:
            return ""
        bins = [called[len(called) * k // _BINS : len(called) * (k + 1) // _BINS] for k in range(_BINS)]
        gaps = [abs(sum(score - right for score, right in part)) for part in bins]
        return f"{sum(gaps) / len(called):.3f}"


def sets(folder: Path) -> Iterator[tuple[str, list[Labelled]]]:
    """Return the sets by name; those of the labelled files only where the folder is there."""
    end = [answer for answer in read_answers() if answer.part is Part.END]
    yield HELPDESK[0], [_helpdesk(a) for a in end if a.domain in FIRST_DOMAINS]
    yield HELPDESK[1], [_helpdesk(a) for a in end if a.domain not in FIRST_DOMAINS]
    yield "bundled sample, five runs", list(_bundled())
    for name in _FILES if folder.exists() else ():
        rows = [row for row in read_rows(name, folder) if row.sample.has_context]
        yield name, [Labelled(sample=row.sample, is_faithful=row.label == 1, errors=None) for row in rows]


def _helpdesk(answer: HelpdeskAnswer) -> Labelled:
    return Labelled(
        sample=Sample.of(answer.answer, list(answer.chunks), question=answer.question),
        is_faithful=not answer.errors,
        errors=tuple((error.start, error.end, error.type) for error in answer.errors),
    )


def _bundled() -> Iterator[Labelled]:
    errors: dict[tuple[str, str], list[tuple[int, int, str]]] = {}
    for line in (ROOT / "data" / "labels.jsonl").read_text(encoding="utf-8").splitlines():
        label = json.loads(line)
        errors.setdefault((label["run"], label["id"]), []).append((label["start"], label["end"], label["type"]))
    for path in sorted((ROOT / "data" / "runs").glob("*.jsonl")):
        samples, _ = open_dataset(path).read()
        for sample in samples:
            known = tuple(errors.get((path.stem, sample.key or ""), ()))
            yield Labelled(sample=sample, is_faithful=not known, errors=known)


def main(arguments: Sequence[str] | None = None) -> int:
    """Judge, and print a line for each set and judge."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=_FOLDER, help="where the labelled files are")
    parser.add_argument("--write", action="store_true", help="write what the product says of its judges")
    options = parser.parse_args(arguments)
    judges: dict[str, JudgeSample] = {"rules": lexical.judge_sample, "embedded": embedded.judge_sample}
    lines: list[list[object]] = []
    on_helpdesk: dict[str, Found] = {}
    for name, rows in sets(options.folder):
        for judge, judge_sample in judges.items():
            found = Found()
            for row in rows:
                found.add(row, judge_sample(row.sample))
            if name in HELPDESK:
                on_helpdesk[judge] = on_helpdesk.get(judge, Found()) + found
            lines.append([name, judge, len(rows), len(found.claims), *found.cells()])
    tables.show(
        "The judge as it is shipped, on answers that nothing was fitted to",
        [
            "answers from",
            "judge",
            "answers",
            "labelled claims",
            "claim AUROC",
            "answer AUROC",
            "balanced accuracy",
            "errors caught",
            "false alarms",
            "contradictions and conflations caught at 10 % false alarms",
            "calibration error of supported",
            "wrong of supported",
            "wrong of check this",
        ],
        lines,
    )
    if options.write:
        counts = {_NAMES[judge]: asdict(found.counts()) for judge, found in on_helpdesk.items()}
        MEASURED.write_text(json.dumps(counts, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    return 0


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _share(values: Sequence[bool]) -> str:
    return f"{sum(values) / len(values):.0%} of {len(values)}" if values else ""


if __name__ == "__main__":
    sys.exit(main())
