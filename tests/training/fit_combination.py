"""Fit the combination of rules and reader, choose its cuts, and print what it is worth.

    python -m tests.training.fit_combination claims.jsonl -o faithview/judges/embedded/combination.json

Figures of fitted files are out of fold by document. The part `end` of the help-desk answers, the first pairs of hand b
and the files marked with * are never fitted; the cuts are chosen on the others. Texts with markup are fitted with it
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
from faithview.judges.embedded.combination import Combination, Strictness, answer_figures, crossed, lead_figures
from faithview.judges.lexical.scoring.answer_pooling import AnswerKind, kind_of, weakest_claims
from faithview.judges.lexical.scoring.model import log_odds, logistic
from faithview.judges.lexical.verdicts.decide import is_mentioned
from faithview.services.judge_quality.training_pooling import UNSUPPORTED_BELOW
from faithview.stats import classification
from tests.helpdesk import Part
from tests.performance import tables
from tests.training.claim_table import LabelledAnswer, read_table

Floats = NDArray[np.float64]
Sets = Mapping[str, Sequence[LabelledAnswer]]
Line = Mapping[str, float]

_FOLDS = 5
_PLAIN = ", plain"


def _both(*names: str) -> tuple[str, ...]:
    return tuple(name + suffix for name in names for suffix in ("", _PLAIN))


_HELPDESK = _both(f"helpdesk {Part.FIT.value}", f"helpdesk {Part.TUNE.value}")
_OTHERS = _both("ragtruth", "wice", "refchecker_dolly", "factcheck_stance", "begin")
_PAIRS = ("first_pairs a", "first_pairs c")
_RECORDS = ("records",)
_FITTED = (*_HELPDESK, *_OTHERS, *_PAIRS, *_RECORDS)

# Help-desk answers and RAGTruth's weigh more than others where claims are fitted.
_WEIGHTS = {**dict.fromkeys(_HELPDESK, 3.0), "ragtruth": 4.0}

_TEXT = ("length", "passages", "recall", "copied", "rules", "spread", "claims", "claim_length")
_FIGURES = {
    "read": ("entailed", "contradicted", "worst", "rules", "conflict", "missing_values", "missing_names"),
    "unread": ("rules",),
}
_RIDGE = {"lead": 1.0, "read": 200.0, "unread": 20.0, "answer": 20.0}

_WRONG_SHARE = 0.2
# Where the rules lead, only claims of which they are less sure than this are read.
_UNSURE = 0.85

# Of right claims in documentation the lenient judge questions half as many as the balanced one, the strict one twice.
_ALARMS = {Strictness.LENIENT: 0.5, Strictness.STRICT: 2.0}

# Of claims beside a short text, seen on the hands a to d of the first pairs: above it only right claims are lost.
_NEAR_CUT = 0.5
# What the balanced accuracy of claims counts beside that of answers where cuts are chosen.
_CLAIMS_COUNT = 0.05

_SURELY_ENTAILED = log_odds(0.8)


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


def fit_claims(sets: Sets, lead: Line) -> dict[str, Line]:
    """Fit the lines of claims that were read and of those that were not."""
    open_ = Combination(document_of({"lead": lead}), "")
    lines = {}
    for line, names in (("read", (*_HELPDESK, *_OTHERS)), ("unread", (*_OTHERS, *_RECORDS))):
        figures: list[dict[str, float]] = []
        labels: list[float] = []
        weights: list[float] = []
        for name in names:
            rows = [
                (crossed(_only(row, _FIGURES[line]), open_.about(answer.text)), known)
                for answer in sets.get(name, ())
                for row, known in zip(answer.read if line == "read" else answer.unread, answer.known, strict=True)
                if known >= 0 and (line == "unread" or "entailed" in row)
            ]
            figures += [row for row, _ in rows]
            labels += [known for _, known in rows]
            # How often claims are wrong was chosen by whoever made the file; in use it is rather one in five.
            wrong = max(1, sum(known == 0 for _, known in rows))
            right = max(1, len(rows) - wrong)
            share = 1000 * _WEIGHTS.get(name, 1.0)
            weights += [
                share * (_WRONG_SHARE / wrong if known == 0 else (1 - _WRONG_SHARE) / right) for _, known in rows
            ]
        lines[line] = line_of(line, figures, labels, np.array(weights))
    return lines


def document_of(lines: Mapping[str, Line]) -> Any:
    """Return a document that `Combination` reads, with cuts to be chosen; a line that is not given is nothing."""
    nothing = {"intercept": 0.0}
    return {
        **dict.fromkeys(("lead", "read", "unread", "answer"), nothing),
        **lines,
        "cuts": {"reader": 0.5, "rules": 0.5, "near": _NEAR_CUT},
        "answer_cuts": dict.fromkeys(("reader", *(kind.value for kind in AnswerKind)), 0.5),
        "shifts": dict.fromkeys((strictness.value for strictness in Strictness), 0.0),
        "unsure": _UNSURE,
        "sure": 0.8,
    }


class Judged:
    """What a combination says of an answer: its claims' probabilities, and which of them may be supported."""

    def __init__(self, answer: LabelledAnswer, combination: Combination) -> None:
        self.answer = answer
        self.about = combination.about(answer.text)
        self.support: list[float] = []
        self.has_details: list[bool] = []
        self.was_read = 0
        for unread, read in zip(answer.unread, answer.read, strict=True):
            probability = logistic(unread["rules"])
            is_unsure = abs(log_odds(probability)) < log_odds(_UNSURE)
            is_read = not answer.is_record and (self.reader_leads or read["near"] > 0 or is_unsure)
            self.was_read += is_read
            figures = read if is_read else unread
            self.support.append(combination.support_of(figures, self.about))
            lacks = figures["missing_values"] + figures["missing_names"] > 0
            is_told = not lacks or figures.get("entailed", -9.0) >= _SURELY_ENTAILED
            self.has_details.append(is_told and not figures["decided"])
        self.kind = kind_of(len(self.support) or 1, is_record=answer.is_record)

    @property
    def reader_leads(self) -> bool:
        """Whether the answer has the cuts of those in which the reader leads."""
        return self.about["lead"] >= 0.5

    def figures(self) -> dict[str, float]:
        """Return what the answer's score is made of."""
        return crossed(answer_figures(self.support, self.answer.rules_score), self.about)

    def is_flagged(self, cut: float, answer_cut: float, score: float) -> bool:
        """Return whether the answer is not faithful, under these cuts."""
        return is_faithful(self.verdicts(cut, answer_cut, score)) is False

    def verdicts(self, cut: float, answer_cut: float, score: float) -> list[Verdict]:
        """Return the claims' verdicts; the table does not tell which of them the reader calls denied."""
        verdicts = []
        for number, is_supported in enumerate(self.supported(cut, answer_cut, score)):
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

    def supported(self, cut: float, answer_cut: float, score: float) -> list[bool]:
        """Return which claims are supported, under these cuts."""
        weak = weakest_claims(self.support) if score < answer_cut else set[int]()
        return [
            value >= cut and has and (number not in weak or self.answer.unread[number]["near"] > 0)
            for number, (value, has) in enumerate(zip(self.support, self.has_details, strict=True))
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


def balanced(judged: Iterable[tuple[Judged, float]], cut: float, answer_cuts: Mapping[str, float]) -> float:
    """Return the balanced accuracy of answers under these cuts."""
    rows = [(j, s) for j, s in judged if j.support]
    flagged = [j.is_flagged(cut, answer_cuts[_cut_name(j)], s) for j, s in rows]
    return classification.rates([not j.answer.is_faithful for j, _ in rows], flagged).balanced_accuracy or 0.0


def balanced_claims(judged: Iterable[tuple[Judged, float]], cut: float, answer_cuts: Mapping[str, float]) -> float:
    """Return the balanced accuracy of claims under these cuts."""
    rows = [
        (known == 0, not is_supported)
        for j, score in judged
        if j.support
        for known, is_supported in zip(j.answer.known, j.supported(cut, answer_cuts[_cut_name(j)], score), strict=True)
        if known >= 0
    ]
    return classification.rates([wrong for wrong, _ in rows], [flagged for _, flagged in rows]).balanced_accuracy or 0.0


def _cut_name(judged: Judged) -> str:
    return "reader" if judged.reader_leads else judged.kind.value


def choose_cuts(judged: Mapping[str, Sequence[Judged]], scores: Mapping[str, Sequence[float]], document: Any) -> None:
    """Choose the cuts with the best balanced accuracy of answers, and of claims where answers are alike.

    It is a mean weighed by the root of each file's claims.
    """
    grid = [round(float(value), 3) for value in np.arange(0.3, 0.83, 0.03)]
    kinds = {"reader": ["reader"], "rules": [kind.value for kind in AnswerKind]}
    for kind, tried in kinds.items():
        pairs = {
            name: [
                (j, s) for j, s in zip(judged[name], scores[name], strict=True) if j.reader_leads == (kind == "reader")
            ]
            for name in _FITTED
            if name in judged
        }
        weights = {name: _weight(name) * sum(len(j.support) for j, _ in rows) ** 0.5 for name, rows in pairs.items()}

        def worth(cut: float, cuts: Mapping[str, float], pairs: Any = pairs, weights: Any = weights) -> float:
            found = sum(
                weights[name]
                * (balanced(pairs[name], cut, cuts) + _CLAIMS_COUNT * balanced_claims(pairs[name], cut, cuts))
                for name in pairs
            )
            return float(found / sum(weights.values()))

        best = (0.0, 0.5, dict(document["answer_cuts"]))
        for cut, answer_cut in product(grid, [0.02, *grid]):
            cuts = document["answer_cuts"] | dict.fromkeys(tried, answer_cut)
            best = max(best, (round(worth(cut, cuts), 4), cut, cuts), key=lambda item: item[0])
        for name, answer_cut in product(tried, [0.02, *grid]):
            cuts = best[2] | {name: answer_cut}
            best = max(best, (round(worth(best[1], cuts), 4), best[1], cuts), key=lambda item: item[0])
        document["cuts"][kind] = best[1]
        document["answer_cuts"] = best[2]
    usual = _alarms(judged, scores, document, 0.0)
    for strictness, share in _ALARMS.items():
        shifts = np.arange(-3.0, 3.01, 0.05)
        found = [abs(_alarms(judged, scores, document, float(shift)) - share * usual) for shift in shifts]
        document["shifts"][strictness.value] = round(float(shifts[int(np.argmin(found))]), 2)


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
            j.supported(
                combination.cut(j.about, Strictness.BALANCED),
                combination.answer_cut(j.about, j.kind, Strictness.BALANCED),
                score,
            ),
            j.answer.known,
            strict=True,
        )
        if known == 1
    ]
    return float(np.mean(questioned))


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
    claims = [
        (known == 0, value, has, kind, unread["rules"], read.get("entailed", 0.0))
        for j in judged
        for known, value, has, kind, unread, read in zip(
            j.answer.known, j.support, j.has_details, j.answer.types, j.answer.unread, j.answer.read, strict=True
        )
        if known >= 0
    ]
    wrong = [claim[0] for claim in claims]
    cuts = [combination.cut(j.about, Strictness.BALANCED) for j in judged]
    cut = float(np.median(cuts))
    unfaithful = [not j.answer.is_faithful for j in judged]
    flagged = [
        bool(j.support) and j.is_flagged(at, combination.answer_cut(j.about, j.kind, Strictness.BALANCED), score)
        for j, at, score in zip(judged, cuts, scores, strict=True)
    ]
    hard = [(value, kind) for is_wrong, value, _, kind, *_ in claims if is_wrong and kind]
    return [
        name + ("" if name in _FITTED else " *"),
        len(judged),
        f"{sum(j.was_read for j in judged) / max(1, sum(len(j.support) for j in judged)):.0%}",
        *(_auroc(wrong, [-claim[at] for claim in claims]) for at in (4, 5, 1)),
        _auroc(unfaithful, [-j.answer.rules_score for j in judged]),
        _auroc(unfaithful, [-score for score in scores]),
        _number(classification.rates(unfaithful, flagged).balanced_accuracy),
        _caught(claims, hard),
        f"{np.mean([v < cut or not has for w, v, has, *_ in claims if w]):.0%}" if any(wrong) else "",
        f"{np.mean([v < cut or not has for w, v, has, *_ in claims if not w]):.0%}" if not all(wrong) else "",
        _calibration_error([(v, not w) for w, v, *_ in claims if v >= cut]),
    ]


def _auroc(wrong: Sequence[bool], ranks: Sequence[float]) -> str:
    return _number(classification.auroc(wrong, ranks))


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
