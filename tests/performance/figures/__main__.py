"""Is each figure the same everywhere, and is each sentence true? `python -m tests.performance.figures`.

Builds stores of series whose truth is known and of two labelled runs, collects every figure from commands, exports,
reports, Python, pages and the service, works it out apart from FaithView, and prints what differs; then what is said of
the series against what may be said. See README.md of the folder above. The exit status is 1 if anything differs.
"""

import argparse
import json
import sys
import tempfile
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from faithview.services.container import Store
from faithview.services.demo import load_sample
from tests.dashboard import ROOT
from tests.factories import open_services
from tests.performance import tables
from tests.performance.figures import places, recomputed, sentences
from tests.performance.figures.answers import RUN_A, RUN_B, make_public, make_synthetic
from tests.performance.figures.collected import collect_answers, collect_carried, collect_judges
from tests.performance.figures.commands import Commands
from tests.performance.figures.compared import compare
from tests.performance.figures.pages import browser_pages, run_pages
from tests.performance.figures.places import FORMATS, Shown
from tests.performance.figures.sentences import Heard
from tests.performance.figures.series import RUNS, make_carried, make_series
from tests.service import running_service

_BENCH = ROOT.parent / "shared" / "bench"
_MADE_ANSWERS = 240
_CHECKED = 60  # answers that the service judges


def main(arguments: Sequence[str] | None = None) -> int:
    """Build, collect, compare, print, and return 1 if anything differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--browser", action="store_true", help="read the pages in Chromium too")
    parser.add_argument("--labelled", type=Path, default=_BENCH, help="the folder with the public labelled answers")
    options = parser.parse_args(arguments)
    shown: dict[str, list[Shown]] = {}
    heard: list[Heard] = []
    with tempfile.TemporaryDirectory(prefix="faithview-figures-") as name:
        folder = Path(name)
        series = _store(folder / "w.db", make_series)
        carried = _store(folder / "c.db", make_carried)
        public = options.labelled / "ragtruth.jsonl.gz"
        answers = {
            "made answers": _store(folder / "m.db", lambda services: make_synthetic(services, answers=_MADE_ANSWERS))
        }
        if public.exists():
            answers["public answers"] = _store(
                folder / "s.db", lambda services: make_public(services, options.labelled)
            )
        sample = _store(folder / "sample.db", load_sample)
        with run_pages(series) as pages:
            heard += sentences.hear_series(Commands(series), pages, runs=RUNS)
            heard.append(sentences.hear_corrected(Commands(series)))
            shown["the series nac"] = collect_judges(Commands(series), pages)
        with run_pages(carried) as pages:
            heard += sentences.hear_carried(Commands(carried), pages)
            shown["carried-over labels"] = collect_carried(Commands(carried), pages)
        for source, store in answers.items():
            with run_pages(store) as pages:
                formats = dict.fromkeys(places.VIEWS, FORMATS)
                shown[source] = collect_answers(Commands(store), pages, formats=formats)
            if options.browser:
                shown[source] += _in_browser(store)
            _print_orientation(Commands(store), source)
        shown["the service"] = _of_service(Commands(sample), folder)
        with run_pages(sample) as pages:
            heard += sentences.hear_sample(pages)
        if options.browser:
            heard += _heard_in_browser(series)
    sys.stdout.write(f"\n{tables.machine()}; figures of {', '.join(shown)}\n")
    return int(_print_figures(shown) + _print_sentences(heard) > 0)


def _store(path: Path, fill: Callable[[Store], object]) -> Path:
    with open_services(path) as services:
        fill(services)
    return path


def _of_service(commands: Commands, folder: Path) -> list[Shown]:
    """Judge the sample's labelled file by the rules as a run, and its answers one by one in the service."""
    run = commands.json("evaluate", ROOT / "data" / "bench.jsonl", "--judge", "lexical", "--name", "bench")["run_id"]
    rows = places.exported_rows(commands, run, "judge")[:_CHECKED]
    log = folder / "service.log"
    with running_service("--judge", "lexical", database_url=f"sqlite:///{folder / 'service.db'}", log=log) as service:
        return list(places.service_figures(service.url, rows, post=_post))


def _post(url: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as reply:
        document: Mapping[str, Any] = json.load(reply)
        return document


def _in_browser(answers: Path) -> list[Shown]:
    with browser_pages(answers) as pages:
        return [
            *places.headline_figures(pages, RUN_B, prefix="browser, "),
            *places.finding_figures(pages, RUN_A, RUN_B, prefix="browser, "),
        ]


def _heard_in_browser(series: Path) -> list[Heard]:
    expected = [one for one in sentences.EXPECTED if one.in_browser and one.is_of_page]
    with browser_pages(series) as pages:
        return sentences.hear_series(Commands(series), pages, runs=RUNS, expected=expected)


def _print_figures(shown: Mapping[str, Sequence[Shown]]) -> int:
    outcomes = {source: compare(values) for source, values in shown.items()}
    number = sum(len(outcome.different) for outcome in outcomes.values())
    tables.show(
        "Figures that are not the same everywhere" if number else "Every figure is the same everywhere",
        ["from", "of", "figure", "place", "shows", "reference", "which is of"],
        [
            [
                source,
                d.shown.subject,
                d.shown.figure,
                d.shown.place,
                _number(d.shown),
                _number(d.reference),
                d.reference.place,
            ]
            for source, outcome in outcomes.items()
            for d in outcome.different
        ],
    )
    tables.show(
        "Compared",
        ["from", "figures", "places", "values", "differ"],
        [
            [source, outcome.figures, outcome.places, len(shown[source]), len(outcome.different)]
            for source, outcome in outcomes.items()
        ],
    )
    return number


def _print_sentences(heard: Sequence[Heard]) -> int:
    wrong = [one for one in heard if one.wrong]
    tables.show(
        "Sentences that do not fit what is known" if wrong else "Every sentence fits what is known",
        ["series and place", "point", "what is wrong"],
        [[one.expected.name, one.expected.point, one.wrong] for one in wrong],
    )
    sys.stdout.write(f"\n{len(heard)} expectations: {len(wrong)} not met\n")
    return len(wrong)


def _print_orientation(commands: Commands, source: str) -> None:
    """Print p-values of other tests beside the one shown; they answer the same question in other ways."""
    rows = (places.exported_rows(commands, RUN_A, "judge"), places.exported_rows(commands, RUN_B, "judge"))
    flips, ols, gee = recomputed.paired_p(rows)
    p_value = commands.json("compare", RUN_A, RUN_B)["p_value"]
    tables.show(
        f"{source}: p of the difference of {RUN_A} and {RUN_B} by other tests, for orientation",
        ["test", "p"],
        [
            ["shown", f"{p_value:.5f}"],
            ["sign flips of questions, 40,000 draws", f"{flips:.5f}"],
            ["OLS, questions as clusters", f"{ols:.5f}"],
            ["GEE, questions as clusters", f"{gee:.5f}"],
        ],
    )


def _number(shown: Shown) -> str:
    if shown.value is None:
        return "nothing"
    return f"{shown.value:.12g}" if shown.decimals is None else f"{shown.value:.{shown.decimals}f}"


if __name__ == "__main__":
    sys.exit(main())
