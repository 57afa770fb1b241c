"""What tests/performance/coverage.py simulates is what the product draws and estimates."""

import random

import numpy as np
import pytest

from faithview.services.container import Store
from faithview.services.review.corrected_score import correct_run
from faithview.services.review.spot_checks import Strata
from faithview.stats.corrected_score import CorrectedScore, corrected_score
from faithview.stats.spot_check import Unit
from faithview.store import spot_check_claims as stored_corrected_score
from faithview.store import spot_checks
from tests.factories import C, N, S, draw_check, label_check, make_claim, make_row, store_rows
from tests.performance import coverage

# The arithmetic is the same on every engine; test_corrected_score.py and tests/store ask both.
pytestmark = pytest.mark.parametrize("store_url", ["sqlite"], indirect=True)


def _store(services: Store) -> list[bool]:
    """Store a run of 40 answers with one to four claims, and return which claims people support."""
    source = random.Random(3)
    rows = []
    people = []
    for row in range(40):
        claims = []
        for number in range(1 + row % 4):
            verdict = source.choice([S, S, S, N])
            claims.append(make_claim(f"{row}.{number}", verdict, "c", support=0.9 if verdict is S else 0.1))
            people.append(source.random() < (0.9 if verdict is S else 0.2))
        rows.append(make_row({"c": f"chunk {row}"}, *claims, question=f"q{row}", key=f"k{row}"))
    store_rows(services, "r", rows)
    return people


@pytest.mark.parametrize("unit", list(Unit))
@pytest.mark.parametrize("design", list(coverage.Design))
def test_simulated_spot_checks_are_drawn_and_estimated_as_the_product_s(
    services: Store, unit: Unit, design: coverage.Design
) -> None:
    people = _store(services)
    run = coverage.LabelledRun(
        facts=stored_corrected_score.list_claim_columns(services.db, "r"), people=np.array(people)
    )
    strata = Strata.NONE
    if design is coverage.Design.STRATIFIED:
        strata = Strata.SCORE if unit is Unit.ANSWER else Strata.VERDICT
    number = draw_check(
        services,
        "r",
        size=40 if unit is Unit.CLAIM else 50,
        unit=unit,
        strata=strata,
        prefers_uncertain=design is coverage.Design.UNCERTAIN,
        seed=5,
    )
    items = spot_checks.list_items(services.db, number)
    check = coverage.plan_check(run, unit, design, units=40 if unit is Unit.CLAIM else 20)
    sample = coverage.draw_sample(run, check, coverage.Case.COMPLETE, seed=5).sample_at()
    by_place = {(fact.row, fact.number): at for at, fact in enumerate(run.facts)}
    label_check(services, number, lambda item: S if people[by_place[item.drawn.row, item.drawn.claim_number]] else C)
    found = correct_run(services, "r")
    simulated = corrected_score(sample)
    assert found is not None
    assert isinstance(found.score, CorrectedScore)
    assert isinstance(simulated, CorrectedScore)
    chances = {
        (item.drawn.row, 0 if unit is Unit.ANSWER else item.drawn.claim_number): item.drawn.inclusion_probability
        for item in items
    }
    assert sorted(sample.pi) == pytest.approx(sorted(chances.values()))
    assert simulated.corrected.score == pytest.approx(found.score.corrected.score)
    assert simulated.corrected.interval == pytest.approx(found.score.corrected.interval)
