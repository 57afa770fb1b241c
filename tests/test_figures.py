"""Each figure is the same everywhere, and each sentence fits what is known: the short form of
`python -m tests.performance.figures`, without the public answers, the service and the sample.
"""

from pathlib import Path

import pytest

from tests.factories import open_services
from tests.performance.figures import sentences
from tests.performance.figures.answers import RUN_A, RUN_B, make_synthetic
from tests.performance.figures.collected import collect_answers, collect_carried, collect_judges
from tests.performance.figures.commands import Commands
from tests.performance.figures.compared import compare
from tests.performance.figures.pages import run_pages
from tests.performance.figures.places import FORMATS, Shown
from tests.performance.figures.sentences import EXPECTED, Expected
from tests.performance.figures.series import RUNS, make_carried, make_series

_ANSWERS = 75
# Reviewed rows are exported as JSON lines to be recomputed from; other formats hold the same.
_EXPORTED = {"judge": FORMATS}
_NAMES = [f"{number:02} {one.name}" for number, one in enumerate(EXPECTED)]
_PAIR = f"{RUN_A} to {RUN_B}"
_SUBJECTS = [
    *(f"{run}, {view}" for run in (RUN_A, RUN_B) for view in ("judge", "reviewed", "corrected")),
    f"{RUN_A}, judge's quality",
    f"{RUN_B}, judge's quality",
    *(f"{_PAIR}, {view}" for view in ("judge", "reviewed", "corrected")),
]


@pytest.fixture(scope="module")
def heard(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What is wrong about what is said of the series, by expectation; "" where nothing is."""
    store = tmp_path_factory.mktemp("series") / "w.db"
    with open_services(store) as services:
        make_series(services)
    with run_pages(store) as pages:
        found = sentences.hear_series(Commands(store), pages, runs=RUNS)
        found.append(sentences.hear_corrected(Commands(store)))
        judges = collect_judges(Commands(store), pages)
    names = [*_NAMES, *(one.expected.name for one in found[len(_NAMES) :])]
    return {name: one.wrong for name, one in zip(names, found, strict=True)} | {"judges": _differing(judges)}


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> list[Shown]:
    """Every figure of two labelled runs and of their difference, from all places."""
    store = tmp_path_factory.mktemp("answers") / "m.db"
    with open_services(store) as services:
        make_synthetic(services, answers=_ANSWERS)
    with run_pages(store) as pages:
        return collect_answers(Commands(store), pages, formats=_EXPORTED)


@pytest.mark.parametrize("name", [*_NAMES, "nac, agreement --json"])
def test_a_sentence_fits_what_is_known_of_its_series(heard: dict[str, str], name: str) -> None:
    assert heard[name] == ""


def test_the_judges_quality_is_the_same_on_its_page_in_its_command_and_recomputed(heard: dict[str, str]) -> None:
    assert heard["judges"] == ""


def test_a_label_that_later_runs_take_over_counts_once(tmp_path: Path) -> None:
    store = tmp_path / "c.db"
    with open_services(store) as services:
        make_carried(services)
    with run_pages(store) as pages:
        found = sentences.hear_carried(Commands(store), pages)
        assert [one.wrong for one in found if one.wrong] == []
        assert _differing(collect_carried(Commands(store), pages)) == ""


@pytest.mark.parametrize("subject", _SUBJECTS)
def test_a_figure_is_the_same_in_every_place_and_recomputed(answers: list[Shown], subject: str) -> None:
    assert [one for one in answers if one.subject == subject]
    assert _differing([one for one in answers if one.subject == subject]) == ""


def test_no_figure_is_left_out(answers: list[Shown]) -> None:
    assert {one.subject for one in answers} == set(_SUBJECTS)


def test_a_different_figure_is_found() -> None:
    """So that the tables cannot be empty for want of a comparison."""

    def shown(place: str, value: float | None, decimals: int | None = None) -> Shown:
        return Shown(subject="run", figure="faithfulness", place=place, value=value, decimals=decimals)

    assert not compare([shown("recomputed", 0.625), shown("show", 0.63, 2), shown("export", 0.625 + 1e-10)]).different
    for other in (shown("export", 0.6251), shown("show", 0.64, 2), shown("show", None)):
        (different,) = compare([shown("recomputed", 0.625), other]).different
        assert different.shown is other
    tie = compare([shown("recomputed", 0.625), shown("show", 0.63, 2), shown("Inspect", 0.62, 2)])
    assert [one.shown.place for one in tie.different] == ["Inspect"]


def test_a_sentence_that_must_not_be_said_is_found() -> None:
    expected = Expected(series="decl", place="Trends", point="A3", must=["fell"], never=["is steady"])
    assert sentences.held(expected, "Faithfulness fell by 0.10.").wrong == ""
    assert sentences.held(expected, "Faithfulness is **steady**, it is steady.").wrong == (
        "misses /fell/; says “is steady”"
    )


def _differing(shown: list[Shown]) -> str:
    return "\n".join(
        f"{one.shown.figure} of {one.shown.subject}: {one.shown.value} in {one.shown.place}, "
        f"{one.reference.value} in {one.reference.place}"
        for one in compare(shown).different
    )
