"""Series of runs whose truth is known, made from a seed, for what pages and commands say about them.

Most answers make one claim, so that a run's score is the share of answers that are right. `RUNS` counts each series'
runs; a run is called by the series and its number from 0: "decl0" is the first of `decl`.

    decl  six runs from .95 down to .85, each .02 below the one before; which answers are wrong is drawn anew each time
    rec   falls, recovers, and is back at the bottom
    opp   segments Alpha and Beta change places, so that the mean stays
    mix   Alpha falls by .35, Beta rises by .23; the mean is down by less than chance explains
    uni   every segment falls by .10; Billing has 80 % of the answers
    alk   twenty segments of 25 answers, all as good but for chance
    ph    the same verdicts twice; on the second run people labelled the flagged claims, half of them supported
    fl    people labelled only flagged claims, and added claims that the judge missed
    nac   half the answers are half headings, which people call no claims; 230 of 240 claims are labelled
    two   two answers, both right, then both wrong
    one   one answer, right, then wrong
    tiny  8 of 2,000 answers are lost
    all   every answer is right in both runs
    zer   every answer is wrong in both runs
    tz    40 answers on three days that begin and end at other times in New York and Tokyo; 5 are gained
    dif   60 of 230 questions are in both runs and unchanged; the others are worse in the second
    cov   30 of 45 rows judged, all right; 10 without chunks, 5 abstained
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from faithview.domain.claim import Verdict
from faithview.domain.label import NOT_A_CLAIM
from faithview.domain.result import Result, State
from faithview.domain.sample import Chunk, Sample
from faithview.services.container import Store
from faithview.services.review import carry_over, labels
from faithview.services.review.labels import LabelProvenance
from faithview.store import spot_checks
from tests.factories import (
    N,
    S,
    draw_check,
    label_check,
    label_item,
    make_claim,
    make_result,
    say,
    store_rows,
)

Judged = tuple[Sample, Result]

RUNS: Mapping[str, int] = {
    "decl": 6, "rec": 6, "opp": 2, "mix": 2, "uni": 2, "alk": 1, "ph": 2, "fl": 1, "nac": 1,
    "two": 2, "one": 2, "tiny": 2, "all": 2, "zer": 2, "tz": 2, "dif": 2, "cov": 1,
}  # fmt: skip
REVIEWED_NAC = 0.75
COVERAGE = 0.75
CARRIED_LABELS = 60
CARRIED_RUNS = 6

_START = datetime(2026, 3, 2, 12, tzinfo=UTC)
_REVIEWER = "ann"
# 02:00 UTC is the evening before in New York, 16:00 UTC the day after in Tokyo.
_TZ_TIMES = tuple(datetime(2026, 3, day, hour, tzinfo=UTC) for day, hour in ((2, 2), (10, 16), (19, 18), (20, 1)))


@dataclass(frozen=True, slots=True)
class _Part:
    """So many answers of a segment, of which so many are right."""

    answers: int
    right: int
    segment: str | None = None
    name: str = "q"


def make_series(services: Store) -> None:
    """Store the series, in an empty store, and label what people labelled of them."""
    for name in RUNS:
        for number, rows in enumerate(_rows(name)):
            _store(services, f"{name}{number}", rows, series=name, week=number)
        if name in _LABELS:
            _LABELS[name](services)


def make_carried(services: Store) -> None:
    """Store one run of 120 answers with a spot-check of 60, and then the same answers five more times.

    People are right, and the judge finds 2 of the 20 wrong claims. Each later run takes over the labels.
    """
    truth = [number % 6 != 0 for number in range(120)]
    flagged = {0, 60}
    rows = [_answer(f"q{number}", number not in flagged) for number in range(120)]
    for week in range(CARRIED_RUNS):
        _store(services, f"car{week}", rows, series="car", week=week)
        if week == 0:
            check = draw_check(services, "car0", size=CARRIED_LABELS, name="October", seed=5, by=_REVIEWER)
            label_check(services, check, lambda item: S if truth[item.drawn.row - 1] else N, by=_REVIEWER)
        else:
            carry_over.carry_labels(services.db, f"car{week}")


def _rows(name: str) -> Iterator[list[Judged]]:
    """Yield the answers of each run of a series."""
    if name in _PARTS:
        for number, parts in enumerate(_PARTS[name]):
            yield _shuffled(parts, seed=number if name in _REDRAWN else 0)
    else:
        yield from _OTHERS[name]()


def _shuffled(parts: Sequence[_Part], *, seed: int) -> list[Judged]:
    source = random.Random(seed)
    rows = []
    for at, part in enumerate(parts):
        verdicts = [number < part.right for number in range(part.answers)]
        # The same order for the same seed, so that fewer right answers are a part of more.
        places = list(range(part.answers))
        source.shuffle(places)
        for number in range(part.answers):
            rows.append(_answer(f"{part.name}{at}-{number}", verdicts[places[number]], part.segment))
    return rows


def _one_part(answers: int, *shares: float) -> list[list[_Part]]:
    return [[_Part(answers, round(answers * share))] for share in shares]


# 425 of 500 are right. In 3 of 100 segments of 25 answers 17 or fewer are so by chance, and there are twenty.
_ALIKE = (17, 20, 20, 20, *[21] * 7, *[22] * 6, 23, 23, 23)
_UNI = ((320, "Billing"), (40, "Returns"), (40, "Security"))
_PARTS: Mapping[str, list[list[_Part]]] = {
    "decl": _one_part(400, 0.95, 0.93, 0.91, 0.89, 0.87, 0.85),
    "rec": _one_part(300, 0.95, 0.82, 0.93, 0.89, 0.85, 0.82),
    "opp": [
        [_Part(200, 190, "Alpha"), _Part(200, 140, "Beta")],
        [_Part(200, 140, "Alpha"), _Part(200, 190, "Beta")],
    ],
    "mix": [
        [_Part(60, 54, "Alpha"), _Part(60, 36, "Beta")],
        [_Part(60, 33, "Alpha"), _Part(60, 50, "Beta")],
    ],
    "uni": [
        [_Part(part, round(part * share), segment) for part, segment in _UNI]
        for share in (0.95, 0.85)
    ],
    "alk": [[_Part(25, right, f"Segment {at:02}") for at, right in enumerate(_ALIKE)]],
    "two": [[_Part(2, 2)], [_Part(2, 0)]],
    "one": [[_Part(1, 1)], [_Part(1, 0)]],
    "tiny": [[_Part(2000, 2000)], [_Part(2000, 2000 - 8)]],
    "all": [[_Part(30, 30)]] * 2,
    # The shared questions come first and are of one part; the others have names of their own in each run.
    "dif": [
        [_Part(60, 54), _Part(170, 160, name="early")],
        [_Part(60, 54), _Part(170, 125, name="late")],
    ],
}  # fmt: skip
# Which of the answers are wrong is drawn anew for each run.
_REDRAWN = ("decl", "rec")


def _tz() -> Iterator[list[Judged]]:
    for right in (35, 40):
        rows = [_answer(f"q{number}", number < right) for number in range(40)]
        yield [
            (replace(sample, timestamp=_TZ_TIMES[number % len(_TZ_TIMES)]), result)
            for number, (sample, result) in enumerate(rows)
        ]


def _zer() -> Iterator[list[Judged]]:
    for _ in range(2):
        yield [_claims(f"q{number}", [False], wrong=Verdict.CONTRADICTED) for number in range(30)]


def _ph() -> Iterator[list[Judged]]:
    for _ in range(2):  # 60 of 600 claims are flagged, each in another answer
        yield [_claims(f"q{number}", [number >= 60, True, True]) for number in range(200)]


def _fl() -> Iterator[list[Judged]]:
    yield [_answer(f"q{number}", number >= 40) for number in range(200)]


def _nac() -> Iterator[list[Judged]]:
    whole = [_claims(f"q{number}", [True] * 4) for number in range(30)]
    halves = [_claims(f"h{number}", [True, False, False, False]) for number in range(30)]
    yield whole + halves


def _cov() -> Iterator[list[Judged]]:
    judged = [_answer(f"q{number}", is_right=True) for number in range(30)]
    bare = [
        (Sample(key=f"e{n}", question=f"Bare e{n}?", answer=f"Answer e{n}."), make_result(state=State.EMPTY_CONTEXT))
        for n in range(10)
    ]
    refused = [(_sample(f"r{n}", "I cannot say.", None), make_result(state=State.ABSTAINED)) for n in range(5)]
    yield judged + bare + refused


_OTHERS: Mapping[str, Callable[[], Iterator[list[Judged]]]] = {
    "zer": _zer,
    "tz": _tz,
    "ph": _ph,
    "fl": _fl,
    "nac": _nac,
    "cov": _cov,
}


def _label_ph(services: Store) -> None:
    for number in range(60):
        _say(services, "ph1", number + 1, 1, "supported" if number % 2 else "not_mentioned")


def _label_fl(services: Store) -> None:
    for number in range(40):
        _say(services, "fl0", number + 1, 1, "supported" if number % 4 == 0 else "not_mentioned")
    for row in range(101, 131):  # the answer's own words, which the judge did not take for a claim
        provenance = LabelProvenance(reviewer=_REVIEWER)
        labels.label_missed_claim(services, "fl0", row, start=0, end=6, verdict="not_mentioned", provenance=provenance)


def _label_nac(services: Store) -> None:
    check = draw_check(services, "nac0", size=240, name="Headings", seed=3, by=_REVIEWER)
    for item in spot_checks.list_items(services.db, check)[:230]:
        row, claim = item.drawn.row, item.drawn.claim_number
        is_heading, is_right = row > 30 and claim > 2, row <= 30 or claim == 1
        verdict = NOT_A_CLAIM if is_heading else "supported" if is_right else "not_mentioned"
        label_item(services, item, verdict, by=_REVIEWER)


_LABELS: Mapping[str, Callable[[Store], None]] = {"ph": _label_ph, "fl": _label_fl, "nac": _label_nac}


def _say(services: Store, run: str, row: int, claim: int, verdict: str) -> None:
    say(services, run, row, claim, verdict, by=_REVIEWER)


def _answer(key: str, is_right: bool, segment: str | None = None) -> Judged:
    return _claims(key, [is_right], segment)


def _claims(
    key: str, right: Sequence[bool], segment: str | None = None, *, wrong: Verdict = Verdict.NOT_MENTIONED
) -> Judged:
    """Return an answer that makes a claim for each truth; the judge is right about all of them."""
    sentences = [f"Number {at} of {key} is so." for at in range(len(right))]
    sample = _sample(key, " ".join(sentences), segment)
    claims = [
        make_claim(text, S if is_right else wrong, answer=sample.answer)
        for text, is_right in zip(sentences, right, strict=True)
    ]
    return sample, make_result(*claims)


def _sample(key: str, answer: str, segment: str | None) -> Sample:
    chunk = Chunk(text=f"What the handbook says of {key}.", chunk_id=f"c-{key}")
    return Sample(key=key, question=f"What about {key}?", answer=answer, segment=segment, chunks=(chunk,))


def _store(services: Store, name: str, rows: Sequence[Judged], *, series: str, week: int) -> None:
    # Another judge than the others': its labels are a random sample and must not make up for what those lack.
    fingerprint = "lexical/2" if series == "nac" else "lexical/1"
    store_rows(services, name, rows, as_of=_START, week=week, series=series, fingerprint=fingerprint)
