"""Nothing is called clear that nobody looked at: unchecked runs, low coverage, contradicted claims, too few answers."""

from faithview.domain.result import State
from faithview.domain.sample import Sample
from faithview.services.container import Store
from faithview.services.review.corrected_score import correct_run
from faithview.ui import navigation
from tests.factories import (
    C,
    N,
    S,
    draw_check,
    label_check,
    make_result,
    make_rows,
    make_run,
    say,
    store_rows,
    store_run,
)
from tests.ui.conftest import OpenPage, words_of

_CLEAR = ("All clear",)


def _one_claim_each(services: Store, verdicts: str, *, run_id: str = "r") -> None:
    of = {"s": S, "n": N, "c": C}
    store_rows(services, run_id, make_rows((of[word],) for word in verdicts))


def _check(services: Store, run_id: str = "r") -> None:
    """Draw a spot-check of all claims and label them as the judge did."""
    check = draw_check(services, run_id, size=500, name="October")
    label_check(services, check, lambda _: S)


def test_a_run_that_nobody_checked_is_not_clear_and_a_checked_one_is(services: Store, open_page: OpenPage) -> None:
    _one_claim_each(services, "s" * 60)
    text = words_of(open_page(navigation.OVERVIEW))
    assert not [words for words in _CLEAR if words in text]
    assert "No reviewer has checked the judge on *r*: label 20 claims" in text
    _check(services)
    correction = correct_run(services, "r")
    assert correction is not None
    assert correction.headline
    text = words_of(open_page(navigation.OVERVIEW))
    assert [words for words in _CLEAR if words not in text] == [], text


def test_contradicted_claims_need_attention_until_people_say_otherwise(services: Store, open_page: OpenPage) -> None:
    _one_claim_each(services, "s" * 58 + "cc")
    assert "2 claims contradict their chunks" in words_of(open_page(navigation.OVERVIEW))
    say(services, "r", 59, 1, "supported")
    text = words_of(open_page(navigation.OVERVIEW))
    assert "1 claim contradicts its chunks, under reviewers' labels" in text
    say(services, "r", 60, 1, "supported")
    assert "its chunks" not in words_of(open_page(navigation.OVERVIEW))


def test_low_coverage_is_shown_and_needs_attention(services: Store, open_page: OpenPage) -> None:
    states = [None] * 30 + [State.EMPTY_CONTEXT] * 10 + [State.ABSTAINED] * 5
    samples = [Sample(answer="So.", question=f"q{n}") for n in range(45)]
    results = [make_result(S) if state is None else make_result(state=state) for state in states]
    store_run(services.db, samples, results, run=make_run("cov"))
    app = open_page(navigation.OVERVIEW)
    text = words_of(app)
    assert "on 30 answers · coverage 75% (30 of 40 answers)" in text
    assert "*cov*: only 75% of the answers that should have a verdict have one (10 empty context)." in text
    assert not [words for words in _CLEAR if words in text]
    frame = app.dataframe[0].value
    assert list(frame["coverage"]) == ["75%"]
