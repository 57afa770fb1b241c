"""What may be said of series whose truth is known, and what may not.

An expectation names the words and numbers that decide, not the sentence, so that it survives another wording. `must`
and `never` are regular expressions, case ignored: all of the first have to be found in the text, none of the second.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from faithview.ui import navigation
from tests.performance.figures.commands import Commands
from tests.performance.figures.pages import Pages
from tests.performance.figures.series import CARRIED_LABELS, CARRIED_RUNS, REVIEWED_NAC

_FELL = r"\bfell\b|down by|has not recovered"
_REAL = r"\bfell by\b|\brose by\b"
_OVERLAP = r"intervals overlap"
_CLEAR = r"nothing needs attention|all clear"
_TOO_FEW = r"too few"
_NO_WEAK_SPOT = r"no part of \S+ scores lower"
_ZERO_CHANGE = r"(fell|rose|down|up) by 0\.0+\b(?!\d)|from (\d\.\d+)( \([^)]*\))? to \2\b"
_OTHERS = r"(other|different|same|shared) questions|in one run only|60 (of|questions|answers)|not the same"
_NAMED_AS_CAUSE = r"(most of it in|of (the loss|it) (was|is) in) billing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What a place has to say of a series; `point` is the point of the audit that it is from.

    What has to be said has to be said only `when` the text matches that, "" for always.
    """

    series: str
    place: str
    point: str
    must: Sequence[str] = ()
    never: Sequence[str] = ()
    when: str = ""
    in_browser: bool = True  # what a chart says is drawn there

    @property
    def name(self) -> str:
        """What the table calls it."""
        return f"{self.series}, {self.place}"

    @property
    def is_of_page(self) -> bool:
        """Whether the place is a page of the dashboard."""
        return any(self.place.startswith(page) for page in _PAGES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """An expectation with what is wrong about the text, "" where nothing is."""

    expected: Expected
    wrong: str


OVERVIEW, TRENDS, COMPARE, INSPECT, JUDGES, SLICES = "Overview", "Trends", "Compare", "Inspect", "Judges", "Weak spots"
_PAGES: Mapping[str, str] = {
    OVERVIEW: navigation.OVERVIEW,
    TRENDS: navigation.TRENDS,
    COMPARE: navigation.CHANGES,
    INSPECT: navigation.ANSWERS,
    JUDGES: navigation.JUDGES,
    SLICES: navigation.WEAK_SPOTS,
}
# The runs that Compare and the command line compare, and the run that Inspect and Weak spots show.
_COMPARED = {"decl": ("decl0", "decl5"), "rec": ("rec2", "rec5")}

EXPECTED: tuple[Expected, ...] = (
    # A fall from .95 to .85 in steps that are small one by one.
    Expected(series="decl", place=TRENDS, point="A3", must=[r"\bfell\b|\bdown\b|declin|drift"], never=["is steady"]),
    Expected(series="decl", place=OVERVIEW, point="A3", never=[_CLEAR]),
    Expected(series="decl", place=COMPARE, point="A3", must=[r"fell by 0\.10"]),
    # Recovered, and back at the bottom.
    Expected(series="rec", place=OVERVIEW, point="A4", never=["all clear", "nothing needs attention"]),
    Expected(series="rec", place=TRENDS, point="A4", must=[r"again|has not recovered"]),
    Expected(series="rec", place=COMPARE, point="A4", must=[r"fell by 0\.11"]),
    # Two segments that moved in opposite directions.
    Expected(series="opp", place=COMPARE, point="A7", must=["alpha.{0,40}0\\.25", "beta.{0,40}0\\.25"]),
    Expected(series="mix", place=COMPARE, point="A7", must=["alpha.{0,40}0\\.35"]),
    Expected(series="opp", place="gate", point="A7", must=["alpha", "beta"], when="no regression"),
    # Every segment fell alike.
    Expected(series="uni", place=COMPARE, point="A8", must=[r"fell by 0\.10"], never=[_NAMED_AS_CAUSE]),
    Expected(series="uni", place=TRENDS, point="A8", must=[r"fell by 0\.10"], never=[_NAMED_AS_CAUSE]),
    Expected(series="uni", place=OVERVIEW, point="A8", never=[_NAMED_AS_CAUSE]),
    Expected(series="uni", place="report of two", point="A8", never=[r"80 ?% of it is in billing"]),
    Expected(series="uni", place=OVERVIEW, point="A10", never=[r"security fell"]),
    # Twenty segments alike, of which the lowest is as low as one of twenty is by chance.
    Expected(series="alk", place=INSPECT, point="A13", never=["weakest segment"]),
    # Labels on one of two identical runs.
    Expected(series="ph", place="compare", point="A1", must=[r"p 1\.00"]),
    Expected(series="ph", place="compare --view reviewed", point="A1", must=["label"], never=[r"p 0\.\d", "p <"]),
    Expected(series="ph", place="gate --view reviewed", point="A1", must=[r"^exit 0"], never=["fell by"]),
    Expected(series="ph", place="gate --view corrected", point="A1", must=[r"^exit [02]"], never=["fell by"]),
    Expected(series="ph", place=f"{COMPARE} reviewed", point="A1", must=["label"], never=[_REAL]),
    Expected(series="ph", place=f"{OVERVIEW} reviewed", point="A1", never=[r"up by 0\.05", r"rose by 0\.05"]),
    Expected(series="ph", place="show --json", point="A15", never=[r"0\.90000\d*[1-9]"]),
    # Labels on flagged claims only.
    Expected(
        series="fl",
        place=JUDGES,
        point="A5",
        must=["flagged"],
        never=[r"finds 100 ?%", r"\b1\.00 \(0\.9\d–1\.00, n 60\)", r"\b0\.00 \(0\.00–0\.\d\d, n 40\)"],
    ),
    Expected(series="fl", place="agreement --json", point="A5", must=['"sensitivity": null', '"specificity": null']),
    Expected(series="fl", place=OVERVIEW, point="A15", never=["not checked by reviewers"]),
    Expected(series="nac", place=JUDGES, point="A5", must=["precision"]),
    # What people call no claim.
    Expected(series="nac", place="agreement", point="A9", must=["corrected score"]),
    # Two answers, one answer.
    Expected(series="two", place=OVERVIEW, point="A10", never=[_FELL, _NO_WEAK_SPOT]),
    Expected(series="two", place=TRENDS, point="A10", never=[_FELL]),
    Expected(series="two", place=COMPARE, point="A10", must=[r"not statistically significant|p 0\.50"]),
    Expected(series="two", place=OVERVIEW, point="A12", must=[_TOO_FEW]),
    Expected(series="one", place=OVERVIEW, point="A10", never=[_OVERLAP, _NO_WEAK_SPOT, _FELL]),
    Expected(series="one", place=OVERVIEW, point="A12", must=[_TOO_FEW]),
    Expected(series="one", place=TRENDS, point="A15", never=["would you conclude the same. yes"]),
    # A change too small for two digits.
    Expected(series="tiny", place=OVERVIEW, point="A11", never=[_ZERO_CHANGE]),
    Expected(series="tiny", place=TRENDS, point="A11", never=[_ZERO_CHANGE]),
    Expected(series="tiny", place=COMPARE, point="A11", must=[r"0\.00[1-9]|0\.[1-9] ?%"], never=[_ZERO_CHANGE]),
    Expected(series="tiny", place="compare", point="A11", must=[r"-0\.004"]),
    # Nothing to look for, and nothing changed.
    Expected(series="all", place=OVERVIEW, point="A12", must=[_TOO_FEW], never=[_NO_WEAK_SPOT]),
    Expected(series="zer", place=OVERVIEW, point="A12", must=[_TOO_FEW], never=[_NO_WEAK_SPOT, _CLEAR]),
    Expected(series="all", place=SLICES, point="A12", must=[_TOO_FEW]),
    Expected(series="zer", place="slices", point="A12", must=[_TOO_FEW]),
    Expected(series="all", place=COMPARE, point="E", must=["no answer's score changed"]),
    Expected(series="zer", place=COMPARE, point="E", must=["no answer's score changed"]),
    Expected(series="all", place=TRENDS, point="A15", never=["the order of the 2 runs is the same"]),
    Expected(series="zer", place=TRENDS, point="A15", never=["the order of the 2 runs is the same"]),
    # Days by the reader's zone; a change that is no more than chance.
    Expected(series="tz", place=OVERVIEW, point="A10", never=[r"last change.{0,60}rose by 0\.13"]),
    Expected(series="tz", place=COMPARE, point="A10", must=["not statistically significant", r"p 0\.063"]),
    Expected(
        series="tz",
        place=f"{TRENDS} New York",
        point="E",
        must=[r"\b1 Mar", r"\b10 Mar", r"\b19 Mar"],
        in_browser=False,
    ),
    Expected(
        series="tz", place=f"{TRENDS} Tokyo", point="E", must=[r"\b2 Mar", r"\b11 Mar", r"\b20 Mar"], in_browser=False
    ),
    # Other questions in the second run.
    Expected(series="dif", place=COMPARE, point="E", must=["340 answers are in one run only"]),
    Expected(series="dif", place=OVERVIEW, point="E", must=[_OTHERS], when=_FELL),
    Expected(series="dif", place=TRENDS, point="E", must=[_OTHERS], when=_FELL),
    # Half of what was to be judged was not.
    Expected(series="cov", place=OVERVIEW, point="A12b", must=[r"75 ?%"], never=[_CLEAR]),
    Expected(series="cov", place="show", point="A12b", must=[r"75 ?%|0\.75"]),
    Expected(series="cov", place="runs", point="A12b", must=[r"75 ?%|0\.75"]),
    Expected(series="cov", place="report", point="A12b", must=[r"75 ?%|0\.75"]),
)

# Expectations over stores of their own.
_CARRIED = (Expected(series="car", place=JUDGES, point="A5b", must=[rf"n {CARRIED_LABELS}\b"], never=[r"\b360\b"]),)
_SAMPLE = (
    Expected(
        series="sample",
        place=f"{TRENDS} after the benchmark's file",
        point="UX 1",
        never=["with the update of the knowledge base of 30 October", "update of 30 October"],
    ),
    Expected(
        series="sample",
        place=f"{OVERVIEW} after the benchmark's file",
        point="UX 1",
        never=["with the update of the knowledge base of 30 October", "update of 30 October"],
    ),
    Expected(series="sample", place=f"{COMPARE} w42 w43", point="A8", must=["handovers"]),
)


def hear_series(
    commands: Commands, pages: Pages, *, runs: Mapping[str, int], expected: Sequence[Expected] = EXPECTED
) -> list[Heard]:
    """Hold what is said of the series against what has to be said."""
    texts = _Texts(commands, pages, runs)
    return [held(one, texts.of(one.series, one.place)) for one in expected]


def hear_corrected(commands: Commands) -> Heard:
    """Look whether the corrected score of `nac` holds the run's own mean, or says what else it is about."""
    expected = Expected(series="nac", place="agreement --json", point="A9")
    found = commands.json("agreement", "nac0").get("human_corrected", {})
    ends = found.get("ci")
    if ends is None:
        return Heard(expected=expected, wrong="gives no corrected score")
    holds = ends[0] <= REVIEWED_NAC <= ends[1]
    is_named = re.search(
        r"not a claim|no claim|headings|of the claims", commands("agreement", "nac0").out.split("Judge")[0]
    )
    wrong = "" if holds or is_named else f"{found['estimate']:.2f} ({ends[0]:.2f}-{ends[1]:.2f}) misses {REVIEWED_NAC}"
    return Heard(expected=expected, wrong=wrong)


def hear_carried(commands: Commands, pages: Pages) -> list[Heard]:
    """Hold what is said of labels that six runs share against what has to be said."""
    text = pages.read(navigation.JUDGES, series="car")
    heard = [held(one, text) for one in _CARRIED]
    counted = [commands.json("agreement", f"car{number}").get("labelled_claims", 0) for number in range(CARRIED_RUNS)]
    at_first = Expected(series="car", place="agreement --json", point="A5b")
    heard.append(
        Heard(
            expected=at_first,
            wrong="" if counted[0] == CARRIED_LABELS else f"{counted[0]} labels, not {CARRIED_LABELS}",
        )
    )
    return heard


def hear_sample(pages: Pages) -> list[Heard]:
    """Hold what is said of the sample, after the benchmark's file was judged too, against what has to be said."""
    texts = {TRENDS: navigation.TRENDS, OVERVIEW: navigation.OVERVIEW}
    heard = []
    for one in _SAMPLE:
        page = one.place.split()[0]
        if page == COMPARE:
            weeks = [f"Help centre 2026-{week}" for week in one.place.split()[1:]]
            text = pages.read(navigation.CHANGES, baseline=weeks[0], candidate=weeks[1]).partition(" worse")[0]
        else:
            text = pages.read(texts[page])
        heard.append(held(one, text))
    return heard


class _Texts:
    """What is said in each place of each series, asked once."""

    def __init__(self, commands: Commands, pages: Pages, runs: Mapping[str, int]) -> None:
        self._commands = commands
        self._pages = pages
        self._runs = runs
        self._known: dict[tuple[str, str], str] = {}

    def of(self, series: str, place: str) -> str:
        """Return the text of a place."""
        if (series, place) not in self._known:
            self._known[series, place] = self._ask(series, place)
        return self._known[series, place]

    def _ask(self, series: str, place: str) -> str:
        last = f"{series}{self._runs[series] - 1}"
        before, after = _COMPARED.get(series, (f"{series}0", last))
        word, _, rest = place.partition(" ")
        name = next((page for page in _PAGES if place.startswith(page)), None)
        if name is not None:
            text = self._pages.read(_PAGES[name], **_address(name, place, series, before, after, last))
            # The sentence alone: the tables below it name every segment.
            return text.partition(" worse")[0] if name == COMPARE else text
        view = rest.split() if rest.startswith("--view") else []
        if word == "gate":  # the other way round, so that the labelled run is the baseline
            said = self._commands("compare", after, before, "--fail-on-regression", *view)
            return _normal(f"exit {said.status} {' '.join(said.err.split())}")  # without the table, which names all
        if word == "compare":
            return _normal(self._commands("compare", before, after, *view).text)
        if word == "report":
            return _report(self._commands, *((before, after) if rest else (last,)))
        if word == "runs":
            return _normal(self._commands("runs", "--series", series).text)
        return _normal(self._commands(word, last, *rest.split()).text)


def _address(name: str, place: str, series: str, before: str, after: str, last: str) -> dict[str, str]:
    rest = place.removeprefix(name).strip()
    zones = {"New York": "America/New_York", "Tokyo": "Asia/Tokyo"}
    if rest in zones:
        return {"series": series, "by": "day", "zone": zones[rest]}
    view = {"view": rest} if rest else {}
    if name == COMPARE:
        return {"baseline": before, "candidate": after, **view}
    if name in (INSPECT, SLICES):
        return {"run": last, **view}
    return {"series": series, **view}


def _report(commands: Commands, *runs: str) -> str:
    with_path = commands("report", *runs, "--no-texts", "-o", "-")
    return _normal(words_of_html(with_path.out))


def words_of_html(html: str) -> str:
    """Return the words of a report."""
    import html as entities

    text = re.sub(r"(?s)<(script|style).*?</\1>", " ", html)
    return " ".join(entities.unescape(re.sub(r"<[^>]*>", " ", text)).split())


def _normal(text: str) -> str:
    return text.replace("−", "-")


def held(expected: Expected, text: str) -> Heard:
    """Hold a text against what it has to say."""
    text = _normal(text)
    is_due = not expected.when or re.search(expected.when, text, re.IGNORECASE)
    missing = [pattern for pattern in expected.must if is_due and not re.search(pattern, text, re.IGNORECASE)]
    said = [found[0] for pattern in expected.never if (found := re.search(pattern, text, re.IGNORECASE))]
    wrong = [*(f"misses /{pattern}/" for pattern in missing), *(f"says “{words}”" for words in said)]
    return Heard(expected=expected, wrong="; ".join(wrong))
