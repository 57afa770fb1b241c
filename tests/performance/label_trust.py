"""What people's labels say of a judge and of a run, where labels are not what they seem. See README.md beside this.

Made runs whose truth is known: 500 answers of 1 to 12 claims, a judge that finds 60 % of what is not supported and
passes 95 % of what is. Labels are drawn and read by the product's own code. Printed is how often 95 % intervals hold
the truth where labels were given outside of the draw, where they are carried over to later runs, where what people call
no claim is concentrated in some answers, and where two reviewers do not agree.
"""

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from faithview.domain.claim import Verdict
from faithview.domain.label import Label
from faithview.services.judge_quality.scorecards import judged_labels, list_judge_cards
from faithview.services.review import carry_over
from faithview.services.review.spot_check_sample import CheckedRun
from faithview.services.review.spot_checks import DrawOrder
from faithview.services.review.spot_checks import draw as draw_check
from faithview.stats.corrected_score import CorrectedScore, answers_apart, corrected_score
from faithview.stats.judge_quality import JudgedLabel, judge_figures
from faithview.stats.sampling import draw
from faithview.stats.shares import Share
from faithview.stats.spot_check import Unit
from faithview.store.settled_claims import MissedClaim, SettledClaim
from tests.factories import C, S, label_check, make_rows, open_services, store_rows
from tests.performance import tables
from tests.performance.coverage import (
    Case,
    Design,
    DrawnCheck,
    JudgedClaim,
    LabelledRun,
    draw_sample,
    give_label,
    plan_check,
    run_of,
)

_ANSWERS = 500
_RECALL, _SPECIFICITY = 0.60, 0.95
_SIZES = (50, 100, 200)
_LEAST = 0.93  # what an interval must hold, less the error of the simulation

Booleans = NDArray[np.bool_]


def main(arguments: Sequence[str] | None = None) -> int:
    """Simulate, print the tables, and return 1 where an interval holds less than it says without anything beside it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=400)
    parser.add_argument("--part", choices=list(_PARTS), action="append", help="only this table; may be repeated")
    options = parser.parse_args(arguments)
    start = perf_counter()
    missed = sum(_PARTS[part](options.repetitions) for part in options.part or _PARTS)
    sys.stdout.write(f"\n{missed} miss {_LEAST:.0%} unannounced. {perf_counter() - start:.0f} s.\n")
    return 1 if missed else 0


def make_run(seed: int, *, answers: int = _ANSWERS, supported: float = 0.85, claims: int = 12) -> LabelledRun:
    """Return a run of answers with 1 to that many claims, some answers better than others."""
    rng = np.random.default_rng(seed)
    made = []
    for answer in range(answers):
        quality = rng.beta(6 * supported, 6 * (1 - supported))
        for _ in range(rng.integers(1, claims + 1)):
            people = bool(rng.random() < quality)
            judge = bool(rng.random() < (_SPECIFICITY if people else 1 - _RECALL))
            made.append(JudgedClaim(answer=str(answer), judge=judge, people=people, support=0.8 if judge else 0.3))
    return run_of(made)


_RATES = ("accuracy", "sensitivity", "specificity", "precision")


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelling:
    """How a run comes to its labels.

    `size` claims are drawn singly by the `design`. `outside` counts the flagged claims that people label besides, as
    Inbox asks them to. `missed` is the share of the answers in which the judge missed an unsupported claim.
    """

    design: Design = Design.RANDOM
    size: int = 80
    outside: int = 0
    missed: float = 0.0


def labels_of(run: LabelledRun, how: Labelling, *, seed: int) -> list[JudgedLabel]:
    """Draw and label a spot-check, and return the labels as the page Judges takes them."""
    check = plan_check(run, Unit.CLAIM, how.design, units=how.size)
    drawn = draw(check.plan, seed=seed)
    pi = {int(check.units[unit][0]): float(chance) for unit, chance in zip(drawn.units, drawn.pi, strict=True)}
    flagged = np.random.default_rng([seed, 2]).permutation(np.flatnonzero(~_passed(run)))[: how.outside]
    settled = [
        SettledClaim(
            run_id="r",
            row=run.facts[at].row,
            number=run.facts[at].number,
            text="",
            question=str(run.facts[at].row),
            judged=Verdict(run.facts[at].verdict),
            people=_people(run, at),
            confidence=None,
            pi=pi.get(at),
        )
        for at in sorted({*pi, *(int(at) for at in flagged)})
    ]
    missed = []
    for row in _rows_with_missed(run, how):
        claims = run.claims_of_row[row]
        weight = sum(1 / pi[int(at)] for at in claims if int(at) in pi) / len(claims)
        missed.append(MissedClaim(question=str(row), verdict=Verdict.NOT_MENTIONED, weight=weight))
    return judged_labels(settled, missed)


def truth_of(run: LabelledRun, how: Labelling) -> dict[str, float]:
    """Return the judge's rates over all claims of the run."""
    passed = _passed(run)
    same = [fact.verdict == _people(run, at).value for at, fact in enumerate(run.facts)]
    wrong = int((~run.people).sum()) + len(_rows_with_missed(run, how))
    return {
        "accuracy": float(np.mean(same)),
        "sensitivity": int((~passed & ~run.people).sum()) / wrong,
        "specificity": float(passed[run.people].mean()),
        "precision": float((~run.people)[~passed].mean()),
    }


def _passed(run: LabelledRun) -> Booleans:
    return np.array([fact.verdict == Verdict.SUPPORTED for fact in run.facts])


def _rows_with_missed(run: LabelledRun, how: Labelling) -> list[int]:
    chosen = np.random.default_rng(3).random(len(run.claims_of_row)) < how.missed
    return [row for row in range(1, len(run.claims_of_row)) if chosen[row]]


def _people(run: LabelledRun, at: int) -> Verdict:
    """Return people's verdict; where both call a claim unsupported it is of the judge's kind."""
    if run.people[at]:
        return S
    judged = Verdict(run.facts[at].verdict)
    return Verdict.NOT_MENTIONED if judged is S else judged


def _outside_labels(repetitions: int) -> int:
    cases = [Labelling(design=design, outside=outside) for design in Design for outside in (0, 30, 150, 10_000)]
    cases += [Labelling(size=30), Labelling(size=200), Labelling(missed=0.3), Labelling(size=200, missed=0.3)]
    lines, below = [], 0
    for how in cases:
        beside = "all flagged" if how.outside >= 10_000 else str(how.outside)
        made = ((run, seed) for seed in range(repetitions) for run in [make_run(seed)])
        runs = ((run, [labels_of(run, how, seed=seed)]) for run, seed in made)
        line, misses = _judge_line(runs, how, repetitions)
        below += misses
        lines.append([how.design.value, str(how.size), beside, f"{how.missed:.0%}", *line])
    tables.show(
        f"Judges: labels outside the draw, {repetitions:,} repetitions; how often each interval holds",
        ["design", "drawn", "outside", "missed", "recall: bias", "width", *_RATES],
        lines,
    )
    return below


def _drawn_again(repetitions: int) -> int:
    """Draw a spot-check of each of several identical runs: what is drawn again was labelled before."""
    lines, below = [], 0
    for weeks in (1, 3, 10):
        made = ((run, seed) for seed in range(repetitions) for run in [make_run(seed)])
        runs = (
            (run, [labels_of(run, Labelling(), seed=seed + 7919 * week) for week in range(weeks)]) for run, seed in made
        )
        line, misses = _judge_line(runs, Labelling(), repetitions)
        below += misses
        lines.append([str(weeks), *line])
    tables.show(
        "Judges: the same answers in several runs, 80 claims drawn from each; labels of claims drawn again are carried "
        "over",
        ["runs", "recall: bias", "width", *_RATES],
        lines,
    )
    return below


def _judge_line(
    runs: Iterable[tuple[LabelledRun, Sequence[Sequence[JudgedLabel]]]], how: Labelling, repetitions: int
) -> tuple[list[str], int]:
    held: dict[str, list[bool]] = {name: [] for name in _RATES}
    biases, widths = [], []
    for run, parts in runs:
        truth, rates = truth_of(run, how), judge_figures([label for part in parts for label in part]).rates
        assert rates is not None
        for name in _RATES:
            share: Share = getattr(rates, name)
            if share.interval is not None:
                held[name].append(share.interval.low <= truth[name] <= share.interval.high)
        recall = rates.sensitivity
        if recall.value is not None and recall.interval is not None:
            biases.append(recall.value - truth["sensitivity"])
            widths.append(recall.interval.high - recall.interval.low)
    shares = [float(np.mean(held[name])) for name in _RATES]
    misses = sum(share < _LEAST - _error(repetitions) for share in shares)
    return [f"{np.mean(biases):+.3f}", f"{np.mean(widths):.2f}", *(f"{share:.1%}" for share in shares)], misses


def _carried_over(repetitions: int) -> int:
    """Store a run, label a spot-check of it, store it again and again, and count the labels each time."""
    del repetitions  # nothing is random in it
    lines = []
    rows = make_rows((S if at % 7 else C, S) for at in range(120))
    with TemporaryDirectory() as folder, open_services(Path(folder) / "s.db") as services:
        for week in range(31):
            store_rows(services, f"r{week}", rows, week=week)
            if week == 0:
                order = DrawOrder(name="n", run_ids=["r0"], size=60, unit=Unit.CLAIM, seed=1)
                check = draw_check(services, order, created_by="ann")
                label_check(services, check, lambda item: C if item.drawn.row % 5 == 0 else S)
            carry_over.carry_labels(services.db, f"r{week}")
            if week in (0, 5, 10, 30):
                (card,) = list_judge_cards(services)
                assert card.rates is not None
                shares = (card.rates.accuracy, card.rates.sensitivity)
                cells = [f"{s.value:.3f} ({s.interval.low:.3f}-{s.interval.high:.3f})" for s in shares if s.interval]
                lines.append([str(week + 1), str(card.labelled), str(card.wrong), *cells])
    tables.show(
        "Judges: 60 labels of a spot-check, carried over to later runs of the same file",
        ["runs", "labelled", "mistakes", "accuracy", "recall"],
        lines,
    )
    return sum(line[1:] != lines[0][1:] for line in lines)


def concentrated_run(seed: int, *, answers: int = 400) -> LabelledRun:
    """Return a run of which half of the answers are half headings, and worse than the others: .70 against .92."""
    rng = np.random.default_rng(seed)
    made, no_claims = [], []
    for answer in range(answers):
        claims = int(rng.integers(1, 4)) * 2
        for number in range(claims):
            people = bool(rng.random() < (0.92 if answer % 2 else 0.70))
            judge = bool(rng.random() < (_SPECIFICITY if people else 1 - _RECALL))
            made.append(JudgedClaim(answer=str(answer), judge=judge, people=people, support=0.8 if judge else 0.3))
            no_claims.append(answer % 2 == 0 and number < claims / 2)
    return replace(run_of(made), no_claims=np.array(no_claims))


def _concentrated(repetitions: int) -> int:
    lines, below = [], 0
    for size in (80, 200, 400, 1000):
        errors, held, held_apart, aparts = [], [], [], []
        for seed in range(repetitions):
            run = concentrated_run(seed)
            sample = draw_sample(run, plan_check(run, Unit.CLAIM, Design.RANDOM, units=size), Case.NO_CLAIM, seed=seed)
            check, truth = sample.sample_at(), run.truth(Case.NO_CLAIM)
            score = corrected_score(check)
            assert isinstance(score, CorrectedScore)
            interval, apart = score.corrected.interval, answers_apart(check, score.corrected.score)
            errors.append(score.corrected.score - truth)
            aparts.append(apart)
            held.append(interval.low <= truth <= interval.high)
            held_apart.append(interval.low - apart <= truth <= interval.high + apart)
        below += float(np.mean(held_apart)) < _LEAST - _error(repetitions)
        bias, apart_text = f"{np.mean(errors):+.3f}", f"{np.mean(aparts):.3f}"
        lines.append([str(size), bias, f"{np.mean(held):.1%}", apart_text, f"{np.mean(held_apart):.1%}"])
    tables.show(
        "Corrected score: half of the answers are half headings; claims drawn singly; the target is the mean over "
        "answers",
        ["drawn", "bias", "holds", "apart, announced", "holds with it"],
        lines,
    )
    return below


Say = Callable[[bool, np.random.Generator], bool]


def _alike(truth: bool, rng: np.random.Generator) -> bool:
    return truth


def _stricter(truth: bool, rng: np.random.Generator) -> bool:
    return truth and bool(rng.random() >= 1 / 3)


def _opposite(truth: bool, rng: np.random.Generator) -> bool:
    return not truth


def _careless(truth: bool, rng: np.random.Generator) -> bool:
    return truth if rng.random() >= 0.05 else not truth


@dataclass(frozen=True, slots=True, kw_only=True)
class Reviewers:
    """Two people: what each says where this is true, the second's share of the labels, and of both."""

    name: str
    first: Say
    second: Say
    of_second: float
    of_both: float


REVIEWERS = (
    Reviewers(name="both label all, differ on 20 %", first=_alike, second=lambda t, r: t != (r.random() < 0.2),
              of_second=0.0, of_both=1.0),
    Reviewers(name="stricter by a third, 20 % in common", first=_alike, second=_stricter, of_second=0.2, of_both=0.2),
    Reviewers(name="stricter by a third, half, 20 % in common", first=_alike, second=_stricter, of_second=0.5,
              of_both=0.2),
    Reviewers(name="opposite, 20 % in common", first=_alike, second=_opposite, of_second=0.2, of_both=0.2),
    Reviewers(name="both wrong on 5 %, 20 % in common", first=_careless, second=_careless, of_second=0.5, of_both=0.2),
    Reviewers(name="stricter by a third, none in common", first=_alike, second=_stricter, of_second=0.2, of_both=0.0),
    Reviewers(name="opposite, none in common", first=_alike, second=_opposite, of_second=0.2, of_both=0.0),
)  # fmt: skip


def labels_by_two(run: LabelledRun, drawn: DrawnCheck, people: Reviewers, *, seed: int) -> DrawnCheck:
    """Return the spot-check with the labels of two people in place of one's."""
    rng = np.random.default_rng([seed, 5])
    truth = {(fact.row, fact.number): bool(said) for fact, said in zip(run.facts, run.people, strict=True)}
    labels: dict[tuple[int, int | None], Sequence[Label]] = {}
    for place in drawn.labels:
        number = place[1]
        assert number is not None
        right, chance = truth[place[0], number], rng.random()
        ann = give_label(number, people.first(right, rng), by="ann")
        bob = give_label(number, people.second(right, rng), by="bob")
        is_both = chance < people.of_both
        is_second = chance < people.of_both + (1 - people.of_both) * people.of_second
        labels[place] = [ann, bob] if is_both else [bob] if is_second else [ann]
    return replace(drawn, labels=labels)


def _two_reviewers(repetitions: int) -> int:
    lines, below = [], 0
    for people in REVIEWERS:
        for size in _SIZES:
            errors, held, widths, known = [], [], [], []
            for seed in range(repetitions):
                run = make_run(seed)
                check = plan_check(run, Unit.CLAIM, Design.RANDOM, units=size)
                drawn = draw_sample(run, check, Case.COMPLETE, seed=seed)
                checked: CheckedRun = labels_by_two(run, drawn, people, seed=seed).read_at()
                score, truth = corrected_score(checked.sample), run.truth(Case.COMPLETE)
                assert isinstance(score, CorrectedScore)
                interval = score.corrected.interval
                errors.append(score.corrected.score - truth)
                widths.append(interval.high - interval.low)
                known.append(checked.errors.is_known)
                held.append(interval.low <= truth <= interval.high)
            is_known = np.array(known)
            there, elsewhere = np.array(held)[is_known], np.array(held)[~is_known]
            below += len(there) > 0 and float(there.mean()) < _LEAST - _error(len(there))
            cells = [f"{part.mean():.1%}" if len(part) else "" for part in (there, elsewhere)]
            head = [people.name, str(size), f"{np.mean(errors):+.3f}", f"{np.mean(widths):.2f}"]
            lines.append([*head, f"{is_known.mean():.0%}", *cells])
    tables.show(
        "Corrected score: two reviewers, of whom the first is right; claims drawn singly",
        ["the second", "drawn", "bias", "width", "known in", "holds there", "elsewhere, announced"],
        lines,
    )
    return below


_PARTS = {
    "outside": _outside_labels,
    "again": _drawn_again,
    "carried": _carried_over,
    "no claim": _concentrated,
    "reviewers": _two_reviewers,
}


def _error(repetitions: int) -> float:
    return float(1.96 * (0.95 * 0.05 / repetitions) ** 0.5)


if __name__ == "__main__":
    sys.exit(main())
