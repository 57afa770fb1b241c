"""How often slices are found that are there, and that are not: `python -m tests.performance.slices`.

Runs are made from a seed: questions of eight topics, some asked several times, words by Zipf's law, four documents of a
topic retrieved for each. Then every slice of the product is looked at, as for a stored run. In runs without a low slice
no slice has to do with the chance that a claim is supported: it differs from question to question only. In the others a
claim is less often supported if its answer is in one slice, planted at random among those looked at.

A third table is of the sentence "Weakest segment": how often a run whose segments are all alike names one.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from faithview.services.weak_spots.slices import group_answers
from faithview.stats.intervals import ALPHA, wilson_interval
from faithview.stats.multiple_tests import low_part_p_values
from faithview.stats.run_score import Cluster, run_score
from faithview.stats.slices import IntArray, SliceSearch, find_low_slices
from faithview.store.slices import AnswerFact
from faithview.store.sources import Retrieved
from tests.performance import tables

_TOPICS, _TOPIC_WORDS, _COMMON_WORDS, _DOCUMENTS = 8, 40, 60, 15
_OPENINGS = ("how many", "how long", "how do", "what is", "which", "can i", "when", "where", "is", "why", "do you")
_PLANS = ("starter", "team", "scale")
_ASKED_AGAIN = (0.85, 0.1, 0.05)  # questions asked once, twice, three times
_RUNS_A_CORPUS = 10
_ALIKE_SHARE = 0.5  # of the answers that a found slice and the planted one hold together


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """A kind of run: how many answers, how often claims are supported, and how alike the claims of a question are.

    `alike` is the sum of the two figures of a beta distribution: the smaller, the more alike. `claims` is the mean
    number of claims; with 1 every score is 0 or 1.
    """

    answers: int
    mean: float
    alike: float
    claims: float

    def __str__(self) -> str:
        """Name the setting in a table."""
        scores = "0 or 1" if self.claims == 1 else f"{self.claims:g} claims"
        return f"{self.answers} answers, mean {self.mean:.2f}, {scores}, alike {self.alike:g}"


NULL = (
    Setting(answers=120, mean=0.95, alike=4, claims=3),
    Setting(answers=120, mean=0.95, alike=4, claims=1),
    Setting(answers=120, mean=0.8, alike=50, claims=4),
    Setting(answers=120, mean=0.6, alike=2, claims=3),
    Setting(answers=400, mean=0.97, alike=4, claims=3),
    Setting(answers=400, mean=0.97, alike=4, claims=1),
    Setting(answers=400, mean=0.9, alike=200, claims=5),
)
PLANTED = (
    Setting(answers=120, mean=0.95, alike=4, claims=3),
    Setting(answers=400, mean=0.95, alike=4, claims=3),
    Setting(answers=400, mean=0.95, alike=4, claims=1),
)
_SHARES, _EFFECTS = (0.08, 0.15, 0.3), (0.1, 0.2, 0.3, 0.45)


class Corpus:
    """Questions, documents and answers without verdicts."""

    def __init__(self, setting: Setting, rng: np.random.Generator) -> None:
        self._setting, self._rng = setting, rng
        self.question: list[int] = []
        while len(self.question) < setting.answers:
            times = 1 + int(rng.choice(len(_ASKED_AGAIN), p=_ASKED_AGAIN))
            self.question += [len(set(self.question))] * times
        self.question = self.question[: setting.answers]
        count = max(self.question) + 1
        topics = rng.choice(_TOPICS, size=count, p=_zipf(_TOPICS))
        texts = [f"{rng.choice(_OPENINGS)} {self._words(topic, 3 + int(rng.poisson(3)))}?" for topic in topics]
        extra = 0 if setting.claims == 1 else rng.poisson(setting.claims - 1, setting.answers)
        self.claims: NDArray[np.int64] = np.broadcast_to(1 + extra, setting.answers).astype(np.int64)
        answers, chunks = [], []
        for at, question in enumerate(self.question):
            topic = int(topics[question])
            columns = {"plan": str(rng.choice(_PLANS)), "seconds": float(rng.gamma(3))}
            answers.append(AnswerFact(at + 1, f"topic {topic}", str(question), 1.0, texts[question], columns))
            drawn = rng.choice(_DOCUMENTS, size=4, replace=False, p=_zipf(_DOCUMENTS))
            chunks += [Retrieved(at + 1, 0, "", f"t{topic}-{document}", {"section": topic}) for document in drawn]
        self.members = list(group_answers(answers, chunks).values())

    def supported(self, lowered: NDArray[np.float64]) -> NDArray[np.int64]:
        """Draw how many claims of each answer are supported, where `lowered` is taken from each answer's chance."""
        setting, rng = self._setting, self._rng
        chances = rng.beta(setting.alike * setting.mean, setting.alike * (1 - setting.mean), max(self.question) + 1)
        # So much of the chance is lost as makes the mean lower by just as much.
        own = chances[self.question] * (1 - lowered / setting.mean)
        return np.asarray(rng.binomial(self.claims, own))

    def search(self, supported: NDArray[np.int64]) -> SliceSearch:
        """Search the slices of a run in which so many claims of each answer are supported."""
        return find_low_slices(supported / self.claims, np.array(self.question), self.members)

    def _words(self, topic: int, number: int) -> str:
        own = self._rng.choice(_TOPIC_WORDS, size=number, p=_zipf(_TOPIC_WORDS))
        common = self._rng.choice(_COMMON_WORDS, size=number, p=_zipf(_COMMON_WORDS))
        is_own = self._rng.random(number) < 0.6
        return " ".join(
            _word(topic * _TOPIC_WORDS + a) if mine else _word(1_000 + b)
            for a, b, mine in zip(own, common, is_own, strict=True)
        )


def _zipf(number: int) -> NDArray[np.float64]:
    weights = 1 / np.arange(2, number + 2)
    return np.asarray(weights / weights.sum())


def _word(number: int) -> str:
    """Return a made-up word, which no stemmer shortens."""
    syllables = ("ka", "lo", "mu", "ri", "to", "ve", "zo", "na", "pi", "du")
    return "".join(syllables[int(digit)] for digit in f"{number:04d}") + "x"


def alarms(setting: Setting, repetitions: int, rng: np.random.Generator) -> int:
    """Return in how many runs without a slice one is reported."""
    found = 0
    for number in range(repetitions):
        if number % _RUNS_A_CORPUS == 0:
            corpus = Corpus(setting, rng)
        found += bool(corpus.search(corpus.supported(np.zeros(setting.answers))).slices)
    return found


@dataclass(slots=True)
class Finds:
    """Of runs with a planted slice: how often it was found, how often its interval held the truth, other slices."""

    runs: int = 0
    found: int = 0
    held: int = 0
    others: int = 0


def plant(setting: Setting, share: float, effect: float, repetitions: int, rng: np.random.Generator) -> Finds:
    """Search runs with one slice of about this share of the answers, whose score is lower by `effect`."""
    finds = Finds()
    while finds.runs < repetitions:
        corpus = Corpus(setting, rng)
        planted = choose(corpus, share, rng)
        if planted is None:
            continue
        search = corpus.search(corpus.supported(np.where(planted, effect, 0.0)))
        finds.runs += 1
        listed = [(low, corpus.members[low.number]) for low in search.slices]
        near = [(low, rows) for low, rows in listed if _overlap(rows, planted) >= _ALIKE_SHARE]
        finds.found += bool(near)
        finds.others += any(planted[rows].mean() < planted.mean() for _, rows in listed)
        for low, rows in near[:1]:
            inside, outside = planted[rows].mean(), np.delete(planted, rows).mean()
            finds.held += low.interval.low <= -effect * (inside - outside) <= low.interval.high
    return finds


ALIKE = (
    Setting(answers=25, mean=0.9, alike=4, claims=3),
    Setting(answers=25, mean=0.9, alike=4, claims=1),
    Setting(answers=25, mean=0.97, alike=4, claims=1),
    Setting(answers=25, mean=0.6, alike=2, claims=3),
)
SEGMENTS = (2, 10, 20, 40)
AGAIN = (1, 5)  # answers to each question


def segment_alarms(setting: Setting, segments: int, again: int, repetitions: int, rng: np.random.Generator) -> int:
    """Return how many runs name a weakest segment although all their segments are alike.

    Args:
        setting: of the answers of one segment.
        segments: how many a run has.
        again: how many answers each question has.
        repetitions: how many runs.
        rng: draws them.
    """
    return sum(_names_a_segment(setting, segments, again, rng) for _ in range(repetitions))


def _names_a_segment(setting: Setting, segments: int, again: int, rng: np.random.Generator) -> bool:
    questions = setting.answers // again
    chances = rng.beta(setting.alike * setting.mean, setting.alike * (1 - setting.mean), (segments, questions, 1))
    extra = 0 if setting.claims == 1 else rng.poisson(setting.claims - 1, (segments, questions, again))
    claims = np.broadcast_to(1 + extra, (segments, questions, again))
    totals = (rng.binomial(claims, np.broadcast_to(chances, claims.shape)) / claims).sum(axis=2)
    clusters = [[Cluster(answers=again, total=float(total)) for total in row] for row in totals]
    whole = run_score([cluster for row in clusters for cluster in row], unscored=0)
    p_values = low_part_p_values(whole, [run_score(row, unscored=0) for row in clusters])
    return any(p is not None and p < ALPHA for p in p_values)


def choose(corpus: Corpus, share: float, rng: np.random.Generator) -> NDArray[np.bool_] | None:
    """Return the answers of a random slice of about this share of all; None where there is none of this size."""
    answers = len(corpus.question)
    fitting = [rows for rows in corpus.members if 0.75 * share < len(rows) / answers < 1.3 * share]
    if not fitting:
        return None
    return np.isin(np.arange(answers), fitting[int(rng.integers(len(fitting)))])


def _overlap(rows: IntArray, planted: NDArray[np.bool_]) -> float:
    shared = planted[rows].sum()
    return float(shared / (len(rows) + planted.sum() - shared))


def main(arguments: Sequence[str] | None = None) -> int:
    """Simulate, print the tables, and return 1 where slices or segments are named too often in runs without any."""
    parser = argparse.ArgumentParser(description="How often are slices found that are there, and that are not?")
    parser.add_argument("--repetitions", type=int, default=500, help="runs without a slice, of each kind")
    parser.add_argument("--planted", type=int, default=40, help="runs with a slice, of each kind, size and effect")
    parser.add_argument("--segments", type=int, default=1_000, help="runs with segments that are alike, of each kind")
    parser.add_argument("--kind", type=int, help="only this row of either table, from 1")
    parser.add_argument("--seed", type=int, default=20_261_122)
    options = parser.parse_args(arguments)
    is_wrong = _show_alarms(options) if options.repetitions else False
    if options.segments:
        is_wrong |= _show_segments(options)
    if options.planted:
        _show_planted(options)
    return int(is_wrong)


def _chosen(settings: Sequence[Setting], kind: int | None) -> list[tuple[int, Setting]]:
    return [(at, setting) for at, setting in enumerate(settings) if kind in (None, at + 1)]


def _show_alarms(options: argparse.Namespace) -> bool:
    rows = []
    chosen = _chosen(NULL, options.kind)
    reported = is_wrong = 0
    for at, setting in chosen:
        found = alarms(setting, options.repetitions, np.random.default_rng([options.seed, at]))
        reported += found
        # Wider than the interval that is printed: of several kinds one may be above 5 % by chance.
        is_wrong |= (
            wilson_interval(found / options.repetitions, options.repetitions, z=_quantile(len(chosen))).low > ALPHA
        )
        rows.append([setting, *_share(found, options.repetitions)])
        sys.stderr.write(f"{setting}: {found} of {options.repetitions}\n")
    runs = options.repetitions * len(chosen)
    rows.append(["all", *_share(reported, runs)])
    tables.show(
        "Runs without a slice that report any", ["runs", "number", "report one", "share", "95 % interval"], rows
    )
    return bool(is_wrong or wilson_interval(reported / runs, runs).low > ALPHA)


def _show_segments(options: argparse.Namespace) -> bool:
    rows = []
    is_wrong = False
    kinds = [(at, setting, again) for at, setting in _chosen(ALIKE, options.kind) for again in AGAIN]
    looks = len(kinds) * len(SEGMENTS)
    for at, setting, again in kinds:
        row = [f"{setting}, {again} a question"]
        for segments in SEGMENTS:
            rng = np.random.default_rng([options.seed, 200 + at, again, segments])
            share = segment_alarms(setting, segments, again, options.segments, rng) / options.segments
            is_wrong |= wilson_interval(share, options.segments, z=_quantile(looks)).low > ALPHA
            row.append(f"{share:.1%}")
        rows.append(row)
    tables.show(
        f"Runs whose segments are alike that name a weakest one, of {options.segments:,} runs each",
        ["answers of a segment", *(f"{segments} segments" for segments in SEGMENTS)],
        rows,
    )
    return bool(is_wrong)


def _share(found: int, runs: int) -> list[str]:
    interval = wilson_interval(found / runs, runs)
    return [f"{runs:,}", f"{found:,}", f"{found / runs:.1%}", f"{interval.low:.1%} to {interval.high:.1%}"]


def _quantile(looks: int) -> float:
    """Return the normal quantile of intervals that hold so many truths together in 95 % of cases (Bonferroni)."""
    return NormalDist().inv_cdf(1 - ALPHA / 2 / looks)


def _show_planted(options: argparse.Namespace) -> None:
    for at, setting in _chosen(PLANTED, options.kind):
        rows = []
        held = found = runs = others = 0
        for number, share in enumerate(_SHARES):
            row = [f"{share:.0%} of the answers"]
            for effect in _EFFECTS:
                rng = np.random.default_rng([options.seed, 100 + at, number, round(100 * effect)])
                finds = plant(setting, share, effect, options.planted, rng)
                row.append(f"{finds.found / finds.runs:.0%}")
                held, found = held + finds.held, found + finds.found
                runs, others = runs + finds.runs, others + finds.others
            rows.append(row)
        tables.show(
            f"Planted slices found, of {options.planted} runs each: {setting}",
            ["size", *(f"lower by {effect:.2f}" for effect in _EFFECTS)],
            rows,
        )
        sys.stdout.write(
            f"The interval of a slice found held the planted difference in {held} of {found} cases. "
            f"{others} of {runs} runs reported a slice that the planted one does not explain.\n"
        )


if __name__ == "__main__":
    sys.exit(main())
