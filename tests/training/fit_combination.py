"""Fit the combination of rules and reader, choose its cuts, and print what it is worth.

    python -m tests.training.fit_combination claims.jsonl -o faithview/judges/embedded/combination.json

Figures of fitted files are out of fold by document. The part `end` of the help-desk answers, the first pairs of hands b
and e and the
files marked with * are never fitted; the cuts are chosen on the others. Texts with markup are fitted with it
and without, and each is a set of its own in what is printed.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from faithview.domain.claim import Verdict
from faithview.domain.scoring import is_faithful
from faithview.judges.embedded.combination import (
    SURELY_ENTAILED,
    Combination,
    Strictness,
    answer_figures,
    crossed,
    is_told_otherwise,
    lead_figures,
    shares,
    with_readings,
)
from faithview.judges.lexical.scoring.model import AnswerKind, kind_of, log_odds, logistic, weakest_claims
from faithview.judges.lexical.verdicts import is_mentioned
from faithview.services.judge_quality.fit import UNSUPPORTED_BELOW
from faithview.stats import judge_quality
from tests.helpdesk import Part
from tests.performance import tables
from tests.training.claim_table import NO_LINES, LabelledAnswer, read_table

Floats = NDArray[np.float64]
Sets = Mapping[str, Sequence[LabelledAnswer]]
Line = Mapping[str, float]

_FOLDS = 5
_PLAIN = ", plain"


def _both(*names: str) -> tuple[str, ...]:
    return tuple(name + suffix for name in names for suffix in ("", _PLAIN))


_HELPDESK = _both(f"helpdesk {Part.FIT.value}", f"helpdesk {Part.TUNE.value}")
_OTHERS = _both("ragtruth", "wice", "refchecker_dolly", "factcheck_stance", "begin")
_PAIRS = ("first_pairs a", "first_pairs c", "first_pairs d")
_RECORDS = ("records",)
_FITTED = (*_HELPDESK, *_OTHERS, *_PAIRS, *_RECORDS)

# Where claims are fitted, these weigh more than others.
_WEIGHTS = {**dict.fromkeys(_HELPDESK, 3.0), "ragtruth": 5.0, "begin": 4.0, **dict.fromkeys(_PAIRS, 1.5)}

# Sets with fewer wrong claims, or right ones, than this weigh less.
_FEW_CLAIMS = 20

_TEXT = ("length", "passages", "recall", "copied", "rules", "spread", "claims", "claim_length")
_READER = ("rules", "entailed", "contradicted", "worst")
_DETAILS = ("conflict", "missing_values", "missing_names")
_READ = {
    "documentation": (
        *_READER,
        "conflict",
        "mean_entailed",
        "lowest_entailed",
        "words",
        "recall",
        "missing_words",
        "claims",
        "copied",
        "wording",
        "missing_values",
        "missing_names",
    ),
    "other": (*_READER, "conflict", "copied", "wording"),
    "near": (*_READER, *_DETAILS, "decided", "mixed", "copied"),
}
_UNREAD = {"text": ("rules", "copied"), "record": ("rules",)}
_RIDGE = {"lead": 1.0, "read": 200.0, "unread": 50.0, "answer": 100.0}

_WRONG_SHARE = 0.2
# Where the rules lead, only claims of which they are less sure than this are read, and all of short answers.
_UNSURE = 0.85
_FEW = 2

# Of right claims in documentation the lenient judge questions half as many as the balanced one, the strict one twice.
_ALARMS = {Strictness.LENIENT: 0.5, Strictness.STRICT: 2.0}

# With a higher cut of answers more than three in a hundred right claims of the bundled sample are questioned.
_MOST_DOUBTED = 0.51
# The same of the cut of claims: .72 catches more on help-desk answers and questions one right claim in six there.
_MOST_QUESTIONED = 0.63
# Cuts of claims beside a short text whose balanced accuracy differs by less are as good as each other.
_AS_WELL = 0.005
# What the balanced accuracy of claims counts beside that of answers where cuts are chosen.
_CLAIMS_COUNT = 0.05

_SURELY_ENTAILED = log_odds(SURELY_ENTAILED)


def name_of(answer: LabelledAnswer) -> str:
    """Return the set that an answer belongs to."""
    name = f"{answer.file} {Part(answer.part).value}" if answer.part else answer.file
    return name + (_PLAIN if answer.is_plain else "")


def line_of(name: str, figures: Sequence[Mapping[str, float]], labels: Sequence[float], weights: Floats) -> Line:
    """Fit a logistic regression to all figures and return its line as the product reads it."""
    names = list(figures[0])
    table = np.array([[row[column] for column in names] for row in figures])
    mean, spread = table.mean(axis=0), table.std(axis=0) + 1e-9
    model = LogisticRegression(C=1 / _RIDGE[name], max_iter=5000).fit((table - mean) / spread, labels, weights)
    slopes = model.coef_[0] / spread
    line = {"intercept": float(model.intercept_[0] - (slopes * mean).sum())}
    return {column: round(float(slope), 4) for column, slope in (line | dict(zip(names, slopes, strict=True))).items()}


def _only(row: Mapping[str, float], names: Iterable[str]) -> dict[str, float]:
    return {name: row[name] for name in names}


def fit_lead(sets: Sets) -> Line:
    """Fit what tells answers that paraphrase documentation from others; both kinds weigh the same, and so do sets."""
    rows = [
        (lead_figures({name: answer.text[name] for name in _TEXT}), kind, 1000 / len(sets[name]) / len(names))
        for kind, names in ((1.0, _HELPDESK), (0.0, _OTHERS))
        for name in names
        for answer in sets.get(name, ())
    ]
    return line_of("lead", [row[0] for row in rows], [row[1] for row in rows], np.array([row[2] for row in rows]))


def about(answer: LabelledAnswer, combination: Combination, *, reads_all: bool = False) -> dict[str, float]:
    """Return what the judge knows of an answer after reading those of its claims that are to be read."""
    known = combination.about(answer.text, is_record=answer.is_record)
    read = [row["entailed"] for row in answer.read if reads_all or _is_read(row, known, combination)]
    return with_readings(known, read)


def _is_read(row: Mapping[str, float], about: Mapping[str, float], combination: Combination) -> bool:
    return combination.needs_reading(about, logistic(row["rules"]), is_near=row["near"] > 0)


def fit_claims(sets: Sets, lead: Line) -> dict[str, dict[str, Line]]:
    """Fit the lines of claims that were read, all at once, and those of claims that were not."""
    open_ = Combination(document_of({"lead": lead}), "")

    def read_figures(row: Mapping[str, float], known: Mapping[str, float]) -> dict[str, float]:
        all_ = {**row, **known}
        part = shares(row, known)
        gated = {f"{line} {name}": part[line] * all_[name] for line, names in _READ.items() for name in names}
        return gated | {f"{line} intercept": part[line] for line in ("documentation", "other")}

    together = _fit_rows(
        "read",
        {
            name: [
                (read_figures(row, known), label)
                for answer in sets.get(name, ())
                for known in (about(answer, open_),)
                for row, label in zip(answer.read, answer.known, strict=True)
                if label >= 0 and "entailed" in row
            ]
            for name in (*_HELPDESK, *_OTHERS, *_PAIRS)
        },
    )
    read: dict[str, Line] = {
        line: {
            "intercept": round(together["intercept"] + together.get(f"{line} intercept", 0.0), 4),
            **{name: together[f"{line} {name}"] for name in names},
        }
        for line, names in _READ.items()
    }
    unread = {
        line: _fit_rows(
            "unread",
            {
                name: [
                    (_only({**row, **answer.text, "rules": row["rules"]}, _UNREAD[line]), label)
                    for answer in sets.get(name, ())
                    if answer.is_record == (line == "record")
                    for row, label in zip(answer.unread, answer.known, strict=True)
                    if label >= 0
                ]
                for name in names
            },
        )
        for line, names in (("text", _OTHERS), ("record", _RECORDS))
    }
    return {"read": read, "unread": unread}


def _fit_rows(line: str, rows_of: Mapping[str, Sequence[tuple[dict[str, float], int]]]) -> Line:
    """Fit a line to the rows of all sets. How often claims are wrong was chosen by whoever made a set.

    In use it is rather one in five, so wrong and right ones weigh that much in each.
    """
    figures: list[dict[str, float]] = []
    labels: list[float] = []
    weights: list[float] = []
    for name, rows in rows_of.items():
        wrong = max(_FEW_CLAIMS, sum(label == 0 for _, label in rows))
        right = max(_FEW_CLAIMS, sum(label == 1 for _, label in rows))
        share = 1000 * _WEIGHTS.get(name, 1.0)
        figures += [row for row, _ in rows]
        labels += [label for _, label in rows]
        weights += [share * (_WRONG_SHARE / wrong if label == 0 else (1 - _WRONG_SHARE) / right) for _, label in rows]
    return line_of(line, figures, labels, np.array(weights))


def document_of(lines: Mapping[str, Any]) -> Any:
    """Return a document that `Combination` reads, with cuts to be chosen; a line that is not given is nothing."""
    return {
        **NO_LINES,
        **lines,
        "cuts": {"reader": 0.5, "rules": 0.5, "near": 0.5},
        "answer_cuts": dict.fromkeys(("reader", *(kind.value for kind in AnswerKind)), 0.5),
        "shifts": dict.fromkeys((strictness.value for strictness in Strictness), 0.0),
        "unsure": _UNSURE,
        "few": _FEW,
    }


class Judged:
    """What a combination says of an answer: its claims' probabilities, and which of them may be supported."""

    def __init__(self, answer: LabelledAnswer, combination: Combination) -> None:
        self.answer = answer
        self.about = about(answer, combination)
        self.support: list[float] = []
        self.has_details: list[bool] = []
        self.near: list[bool] = []
        self.was_read = 0
        for unread, read in zip(answer.unread, answer.read, strict=True):
            is_read = _is_read(unread, self.about, combination)
            self.was_read += is_read
            figures = read if is_read else unread
            self.support.append(combination.support_of(figures, self.about))
            self.near.append(figures["near"] > 0)
            self.has_details.append(self._has_details(figures, self.support[-1]))
        self.kind = kind_of(len(self.support) or 1, is_record=answer.is_record)

    def _has_details(self, figures: Mapping[str, float], support: float) -> bool:
        if figures["decided"]:
            return False
        if figures["recall"] and not figures["missing_values"] + figures["missing_names"]:
            return True
        if "entailed" not in figures:
            return False
        is_sure = figures["entailed"] >= _SURELY_ENTAILED and figures["recall"] > 0
        return is_sure or is_told_otherwise(self.about, support)

    @property
    def reader_leads(self) -> bool:
        """Whether the answer has the cuts of those in which the reader leads."""
        return self.about["lead"] >= 0.5

    def figures(self) -> dict[str, float]:
        """Return what the answer's score is made of."""
        return crossed(answer_figures(self.support, self.answer.rules_score), self.about)

    def is_flagged(self, cuts: Mapping[str, float], answer_cut: float, score: float) -> bool:
        """Return whether the answer is not faithful, under these cuts."""
        return is_faithful(self.verdicts(cuts, answer_cut, score)) is False

    def verdicts(self, cuts: Mapping[str, float], answer_cut: float, score: float) -> list[Verdict]:
        """Return the claims' verdicts; the table does not tell which of them the reader calls denied."""
        verdicts = []
        for number, is_supported in enumerate(self.supported(cuts, answer_cut, score)):
            figures = self.answer.unread[number]
            if is_supported:
                verdicts.append(Verdict.SUPPORTED)
            elif figures["conflict"]:
                verdicts.append(Verdict.CONTRADICTED)
            elif figures["untold"] or not is_mentioned(
                figures["recall"], self.support[number], unsupported=UNSUPPORTED_BELOW
            ):
                verdicts.append(Verdict.NOT_MENTIONED)
            else:
                verdicts.append(Verdict.PARTIALLY_SUPPORTED)
        return verdicts

    def supported(self, cuts: Mapping[str, float], answer_cut: float, score: float) -> list[bool]:
        """Return which claims are supported, under these cuts: `usual`, and `near` of claims beside a short text."""
        weak = weakest_claims(self.support) if score < answer_cut else set[int]()
        return [
            value >= cuts["near" if is_near else "usual"] and has and (number not in weak or is_near)
            for number, (value, has, is_near) in enumerate(zip(self.support, self.has_details, self.near, strict=True))
        ]


def fit_answers(judged: Mapping[str, Sequence[Judged]]) -> Line:
    """Fit the line of answers to claims judged out of fold."""
    rows = [
        (one, 1000 * _weight(name) / len(judged[name]))
        for name in _FITTED
        for one in judged.get(name, ())
        if one.support
    ]
    labels = [float(one.answer.is_faithful) for one, _ in rows]
    return line_of("answer", [one.figures() for one, _ in rows], labels, np.array([weight for _, weight in rows]))


def out_of_fold(sets: Sets) -> tuple[dict[str, list[Judged]], dict[str, list[float]], Any]:
    """Return all answers as judged by fits that have not seen the document, their scores, and the fit to all."""
    lead = fit_lead(sets)
    whole = {"lead": lead, **fit_claims(sets, lead)}
    folds = []
    for fold in range(_FOLDS):
        rest = {n: [a for a in v if n not in _FITTED or a.fold % _FOLDS != fold] for n, v in sets.items()}
        folds.append(Combination(document_of({"lead": lead, **fit_claims(rest, lead)}), "fold"))
    all_ = Combination(document_of(whole), "whole")
    judged = {
        name: [Judged(a, folds[a.fold % _FOLDS] if name in _FITTED else all_) for a in answers]
        for name, answers in sets.items()
    }
    line = fit_answers(judged)
    by_fold = [
        fit_answers({n: [j for j in v if n not in _FITTED or j.answer.fold % _FOLDS != k] for n, v in judged.items()})
        for k in range(_FOLDS)
    ]
    scorers = [Combination(document_of({"answer": fitted}), "") for fitted in (*by_fold, line)]
    scores = {
        name: [
            scorers[j.answer.fold % _FOLDS if name in _FITTED else _FOLDS].answer_support(
                j.about, j.support, j.answer.rules_score
            )
            if j.support
            else 1.0
            for j in of_set
        ]
        for name, of_set in judged.items()
    }
    return judged, scores, document_of({**whole, "answer": line})


def balanced(
    judged: Iterable[tuple[Judged, float]], cuts: Mapping[str, float], answer_cuts: Mapping[str, float]
) -> float:
    """Return the balanced accuracy of answers under these cuts."""
    rows = [(j, s) for j, s in judged if j.support]
    flagged = [j.is_flagged(cuts, answer_cuts[_cut_name(j)], s) for j, s in rows]
    return judge_quality.rates([not j.answer.is_faithful for j, _ in rows], flagged).balanced_accuracy or 0.0


def balanced_claims(
    judged: Iterable[tuple[Judged, float]], cuts: Mapping[str, float], answer_cuts: Mapping[str, float]
) -> float:
    """Return the balanced accuracy of claims under these cuts."""
    rows = [
        (known == 0, not is_supported)
        for j, score in judged
        if j.support
        for known, is_supported in zip(j.answer.known, j.supported(cuts, answer_cuts[_cut_name(j)], score), strict=True)
        if known >= 0
    ]
    return judge_quality.rates([wrong for wrong, _ in rows], [flagged for _, flagged in rows]).balanced_accuracy or 0.0


def _cut_name(judged: Judged) -> str:
    return "reader" if judged.reader_leads else judged.kind.value


def choose_cuts(judged: Mapping[str, Sequence[Judged]], scores: Mapping[str, Sequence[float]], document: Any) -> None:
    """Choose the cuts with the best balanced accuracy of answers, and of claims where answers are alike.

    It is a mean weighed by the root of each file's claims.
    """
    grid = [round(float(value), 3) for value in np.arange(0.3, 0.83, 0.03)]
    near = document["cuts"]["near"] = near_cut(judged, grid)
    kinds = {"reader": ["reader"], "rules": [kind.value for kind in AnswerKind]}
    for kind, tried in kinds.items():
        pairs = {
            name: [
                (j, s) for j, s in zip(judged[name], scores[name], strict=True) if j.reader_leads == (kind == "reader")
            ]
            for name in (_HELPDESK if kind == "reader" else _FITTED)
            if name in judged
        }
        weights = {name: _weight(name) * sum(len(j.support) for j, _ in rows) ** 0.5 for name, rows in pairs.items()}

        def worth(cut: float, cuts: Mapping[str, float], pairs: Any = pairs, weights: Any = weights) -> float:
            both = {"usual": cut, "near": near}
            found = sum(
                weights[name]
                * (balanced(pairs[name], both, cuts) + _CLAIMS_COUNT * balanced_claims(pairs[name], both, cuts))
                for name in pairs
            )
            return float(found / sum(weights.values()))

        answer_grid = [0.02, *grid]
        balances = np.array(
            [
                [worth(cut, document["answer_cuts"] | dict.fromkeys(tried, answer_cut)) for answer_cut in answer_grid]
                for cut in grid
            ]
        )
        at, beside = np.unravel_index(int(np.argmax(_smoothed(balances))), balances.shape)
        cuts = document["answer_cuts"] | dict.fromkeys(tried, answer_grid[beside])
        best = (worth(grid[at], cuts), grid[at], cuts)
        for name, answer_cut in product(tried if len(tried) > 1 else (), answer_grid):
            cuts = best[2] | {name: answer_cut}
            best = max(best, (round(worth(best[1], cuts), 4), best[1], cuts), key=lambda item: item[0])
        document["cuts"][kind] = best[1]
        document["answer_cuts"] = best[2]
    document["answer_cuts"]["reader"] = min(_MOST_DOUBTED, document["answer_cuts"]["reader"])
    document["cuts"]["reader"] = min(_MOST_QUESTIONED, document["cuts"]["reader"])
    usual = _alarms(judged, scores, document, 0.0)
    for strictness, share in _ALARMS.items():
        shifts = np.arange(-3.0, 3.01, 0.05)
        found = [abs(_alarms(judged, scores, document, float(shift)) - share * usual) for shift in shifts]
        document["shifts"][strictness.value] = round(float(shifts[int(np.argmin(found))]), 2)


def _smoothed(found: Floats) -> Floats:
    """Return each number's mean with its neighbours: a cut that is best by chance alone has none that are good."""
    padded = np.pad(found, 1, mode="edge")
    parts = [padded[i : i + found.shape[0], k : k + found.shape[1]] for i, k in product(range(3), repeat=2)]
    smoothed: Floats = np.mean(parts, axis=0)
    return smoothed


def near_cut(judged: Mapping[str, Sequence[Judged]], grid: Sequence[float]) -> float:
    """Return the highest cut of claims beside a short text that tells the first pairs' claims as well as any other.

    That is by balanced accuracy. Between many cuts there is hardly a claim, and a higher one catches more.
    """
    claims = [
        (known == 0, value if has else 0.0)
        for name in _PAIRS
        for one in judged.get(name, ())
        for value, has, known in zip(one.support, one.has_details, one.answer.known, strict=True)
        if known >= 0
    ]
    wrong = [is_wrong for is_wrong, _ in claims]
    worth = [judge_quality.rates(wrong, [value < cut for _, value in claims]).balanced_accuracy or 0.0 for cut in grid]
    return max(cut for cut, value in zip(grid, worth, strict=True) if value >= max(worth) - _AS_WELL)


def _weight(name: str) -> float:
    """Return how much a set weighs where cuts are chosen and answers are fitted: help-desk answers twice as much."""
    return 1.0 if name in _HELPDESK or name == "ragtruth" else 0.5


def _alarms(
    judged: Mapping[str, Sequence[Judged]], scores: Mapping[str, Sequence[float]], document: Any, shift: float
) -> float:
    """Return the share of right claims of documentation that the judge would question with its cuts shifted so."""
    shifts = document["shifts"] | {Strictness.BALANCED.value: shift}
    combination = Combination(document | {"shifts": shifts}, "")
    questioned = [
        not is_supported
        for name in _HELPDESK
        for j, score in zip(judged[name], scores[name], strict=True)
        if j.support
        for is_supported, known in zip(
            j.supported(_cuts(combination, j), combination.answer_cut(j.about, j.kind, Strictness.BALANCED), score),
            j.answer.known,
            strict=True,
        )
        if known == 1
    ]
    return float(np.mean(questioned))


def _cuts(combination: Combination, judged: Judged) -> dict[str, float]:
    about, usual = judged.about, Strictness.BALANCED
    return {"usual": combination.cut(about, usual), "near": combination.cut(about, usual, is_near=True)}


def main(arguments: Sequence[str] | None = None) -> int:
    """Fit, print, and write the document."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", type=Path)
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args(arguments)
    sets: dict[str, list[LabelledAnswer]] = {}
    for answer in read_table(options.table):
        sets.setdefault(name_of(answer), []).append(answer)
    judged, scores, document = out_of_fold(sets)
    choose_cuts(judged, scores, document)
    combination = Combination(document, "")
    lines = [_row(name, judged[name], scores[name], combination) for name in sets]
    tables.show(
        "Claims and answers by rules, reader and both (* never fitted)",
        [
            "file",
            "answers",
            "read",
            "claims: rules",
            "reader",
            "both",
            "answers: rules",
            "both",
            "balanced",
            "contradicted, conflated at 10 %",
            "caught",
            "alarms",
            "calibration error",
        ],
        lines,
    )
    print(json.dumps(document))
    if options.output is not None:
        options.output.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    return 0


def _row(name: str, judged: Sequence[Judged], scores: Sequence[float], combination: Combination) -> list[object]:
    cuts = [_cuts(combination, j) for j in judged]
    answer_cuts = [combination.answer_cut(j.about, j.kind, Strictness.BALANCED) for j in judged]
    rows = list(zip(judged, cuts, answer_cuts, scores, strict=True))
    called = [j.supported(at, cut, score) for j, at, cut, score in rows]
    claims = [
        (known == 0, value, is_supported, kind, unread["rules"], read.get("entailed", 0.0))
        for j, supported in zip(judged, called, strict=True)
        for known, value, is_supported, kind, unread, read in zip(
            j.answer.known, j.support, supported, j.answer.types, j.answer.unread, j.answer.read, strict=True
        )
        if known >= 0
    ]
    wrong = [claim[0] for claim in claims]
    unfaithful = [not j.answer.is_faithful for j in judged]
    flagged = [bool(j.support) and j.is_flagged(at, cut, score) for j, at, cut, score in rows]
    hard = [(value, kind) for is_wrong, value, _, kind, *_ in claims if is_wrong and kind]
    return [
        name + ("" if name in _FITTED else " *"),
        len(judged),
        f"{sum(j.was_read for j in judged) / max(1, sum(len(j.support) for j in judged)):.0%}",
        *(_auroc(wrong, [-claim[at] for claim in claims]) for at in (4, 5, 1)),
        _auroc(unfaithful, [-j.answer.rules_score for j in judged]),
        _auroc(unfaithful, [-score for score in scores]),
        _number(judge_quality.rates(unfaithful, flagged).balanced_accuracy),
        _caught(claims, hard),
        f"{np.mean([not is_supported for w, _, is_supported, *_ in claims if w]):.0%}" if any(wrong) else "",
        f"{np.mean([not is_supported for w, _, is_supported, *_ in claims if not w]):.0%}" if not all(wrong) else "",
        _calibration_error([(v, not w) for w, v, is_supported, *_ in claims if is_supported]),
    ]


def _auroc(wrong: Sequence[bool], ranks: Sequence[float]) -> str:
    return _number(judge_quality.auroc(wrong, ranks))


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _caught(claims: Sequence[Sequence[Any]], hard: Sequence[tuple[float, str]]) -> str:
    """Return the share of contradictions and conflations below the cut that questions a tenth of right claims."""
    right = sorted(value for is_wrong, value, *_ in claims if not is_wrong)
    of_type = [value for value, kind in hard if kind in ("contradiction", "conflation")]
    if not of_type:
        return ""
    cut = right[int(0.1 * len(right))]
    return f"{np.mean([value < cut for value in of_type]):.0%} of {len(of_type)}"


def _calibration_error(called: Sequence[tuple[float, bool]]) -> str:
    """Return the expected calibration error of claims called supported, in ten bins of equal size."""
    bins = [part for part in np.array_split(np.array(sorted(called), dtype=np.float64), 10) if len(part)]
    if not bins:
        return ""
    return f"{sum(len(part) * abs(part[:, 0].mean() - part[:, 1].mean()) for part in bins) / len(called):.3f}"


if __name__ == "__main__":
    sys.exit(main())
