"""Draw the two pictures of docs/intervals.md from a simulation: `python -m tests.docs.pictures`.

The numbers of the page are worked out here too; test_pictures.py compares the page and the files with them.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from faithview.stats.run_score import Cluster, mean_interval
from tests.docs.pages import DOCS

IMAGES = DOCS / "images"
_SEED = 20  # one run in twenty misses the truth on either side, as is to be expected
_TRUTH = 0.85
_RUNS = 20
SIZES = (25, 200)
_WIDTH = 640
_TEXT, _GREY, _BLUE, _RED = "#24292f", "#6e7781", "#1d5bb8", "#c4461d"


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One simulated run: its score and its interval."""

    score: float
    low: float
    high: float

    @property
    def holds(self) -> bool:
        """Whether the interval contains the true score."""
        return self.low <= _TRUTH <= self.high


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """The worked example: a judge's score of a run, and labels of some of its claims."""

    claims: int = 500
    judge: float = 0.86
    judge_of_labelled: float = 0.88
    labelled_supported: float = 0.80
    disagreements: float = 0.16

    @property
    def corrected(self) -> float:
        """The judge's score, less what it was too generous by where somebody looked."""
        return self.judge - (self.judge_of_labelled - self.labelled_supported)

    def half_width(self, labels: int) -> float:
        """Return half of the 95% interval with so many labels, by the normal approximation."""
        bias = self.judge_of_labelled - self.labelled_supported
        variance = (self.disagreements - bias**2) / labels * (1 - labels / self.claims)
        return 1.96 * math.sqrt(variance)


EXAMPLE = Correction()


def simulate(size: int) -> list[Run]:
    """Return runs of so many answers by one unchanged application, which is right in 85% of its answers."""
    rng = np.random.default_rng([_SEED, size])
    runs = []
    for _ in range(_RUNS):
        right = int(rng.binomial(size, _TRUTH))
        kinds = [Cluster(answers=1, total=1.0, count=right), Cluster(answers=1, total=0.0, count=size - right)]
        interval = mean_interval([kind for kind in kinds if kind.count])
        assert interval is not None
        runs.append(Run(score=right / size, low=interval.low, high=interval.high))
    return runs


def draw_intervals() -> str:
    """Return the picture of twenty runs with few answers beside twenty with many."""
    parts = []
    for column, size in enumerate(SIZES):
        left = 30 + column * 316
        scale = 270 / 0.5  # from 0.5 to 1
        parts.append(_words(left, 30, f"20 runs of {size} questions", bold=True))
        truth = left + (_TRUTH - 0.5) * scale
        parts.append(_line(truth, 44, truth, 304, f'stroke="{_GREY}" stroke-dasharray="4 3"'))
        for number, run in enumerate(simulate(size)):
            y = 52 + number * 12.6
            colour = _BLUE if run.holds else _RED
            low, high, score = (left + (max(value, 0.5) - 0.5) * scale for value in (run.low, run.high, run.score))
            parts.append(_line(low, y, high, y, f'stroke="{colour}" stroke-width="2"'))
            parts.append(f'<circle cx="{score:.1f}" cy="{y:.1f}" r="3.2" fill="{colour}"/>')
        for tick in (0.5, 0.6, 0.7, 0.8, 0.9, 1.0):
            parts.append(_words(left + (tick - 0.5) * scale, 322, f"{tick:.1f}", anchor="middle", colour=_GREY))
    caption = "Dashed: the true score. Dot: the score of a run. Line: its interval; red if it misses the truth."
    parts.append(_words(30, 348, caption))
    return _picture(360, parts, "Scores and intervals of simulated runs with 25 and with 200 questions")


def draw_correction() -> str:
    """Return the picture of the worked example: the bars of judge and labels, and the corrected score."""
    one = EXAMPLE
    rows = [
        ("The judge, on all 500 claims", one.judge, _GREY, 0.0),
        ("The judge, on the 50 labelled claims", one.judge_of_labelled, _GREY, 0.0),
        ("You, on the same 50 claims", one.labelled_supported, _BLUE, 0.0),
        ("Corrected, 50 labels", one.corrected, _BLUE, one.half_width(50)),
        ("Corrected, 200 labels", one.corrected, _BLUE, one.half_width(200)),
    ]
    parts = []
    for number, (name, value, colour, half) in enumerate(rows):
        y = 24 + number * 44
        right = 270 + value * 320
        parts.append(_words(258, y + 19, name, anchor="end"))
        bar = f'width="{value * 320:.1f}" height="28" fill="{colour}" fill-opacity="0.35"'
        parts.append(f'<rect x="270" y="{y}" {bar}/>')
        parts.append(_words(280, y + 19, f"{value:.0%}", bold=True))
        if half:
            low, high = right - half * 320, right + half * 320
            middle = y + 14
            pen = f'stroke="{_BLUE}" stroke-width="3"'
            parts.append(_line(low, middle, high, middle, pen))
            parts += [_line(end, middle - 7, end, middle + 7, pen) for end in (low, high)]
    parts.append(_words(270, 262, "Lines: the 95% interval of the corrected score.", colour=_GREY))
    return _picture(276, parts, "The judge's score, your labels, and the corrected score with its interval")


def _line(x1: float, y1: float, x2: float, y2: float, pen: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" {pen}/>'


def _words(x: float, y: float, text: str, *, anchor: str = "start", bold: bool = False, colour: str = _TEXT) -> str:
    weight = ' font-weight="600"' if bold else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}"{weight}>{text}</text>'


def _picture(height: int, parts: list[str], title: str) -> str:
    """Return an SVG on a light ground, which can be read in both themes."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" viewBox="0 0 {_WIDTH} {height}" '
        f'font-family="sans-serif" font-size="13" role="img">'
    )
    ground = f'<rect width="{_WIDTH}" height="{height}" rx="6" fill="#ffffff"/>'
    return "\n".join([head, f"<title>{title}</title>", ground, *parts, "</svg>"]) + "\n"


def pictures() -> Iterator[tuple[str, str]]:
    """Return the pictures by the name of their file."""
    yield "intervals.svg", draw_intervals()
    yield "correction.svg", draw_correction()


if __name__ == "__main__":
    for name, text in pictures():
        (IMAGES / name).write_text(text, encoding="utf-8")
    for size in SIZES:
        runs = simulate(size)
        print(size, [round(run.score, 2) for run in runs], "missed", sum(not run.holds for run in runs))
    for labels in (50, 200):
        print(labels, "labels:", round(EXAMPLE.corrected, 2), "+-", round(EXAMPLE.half_width(labels), 2))
