"""Agreement: Krippendorff's own example, worked tables, and a second implementation."""

import random

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from faithview.stats.agreement import (
    Agreement,
    Rating,
    Ratings,
    kappa_of,
)


def ratings_of(*columns: str, answer_size: int = 1) -> list[Rating]:
    """One string a rater, one letter a claim, a space where the rater gave none."""
    return [
        Rating(answer=f"a{at // answer_size:02d}", claim=f"c{at:02d}", rater=f"r{rater}", verdict=letter)
        for rater, column in enumerate(columns)
        for at, letter in enumerate(column)
        if letter != " "
    ]


def kappa(first: str, second: str, *, answer_size: int = 1) -> Agreement:
    return Ratings(ratings_of(first, second, answer_size=answer_size)).kappa("r0", "r1")


def test_kappa_of_a_table_worked_by_hand() -> None:
    # 50 claims: both yes 20, both no 15, 5 and 10 apart: observed 0.7, by chance 0.5 * 0.6 + 0.5 * 0.4 = 0.5.
    found = kappa("y" * 25 + "n" * 25, "y" * 20 + "n" * 5 + "y" * 10 + "n" * 15)
    assert found.value == pytest.approx(0.4)
    assert found.observed == pytest.approx(0.7)
    assert found.claims == 50
    assert found.interval is not None
    # The large-sample standard error is sqrt(0.7 * 0.3 / 50) / 0.5 = 0.13.
    assert found.interval.low == pytest.approx(0.4 - 1.96 * 0.13, abs=0.04)
    assert found.interval.high == pytest.approx(0.4 + 1.96 * 0.13, abs=0.04)


def test_kappa_is_scikit_learns() -> None:
    # sklearn.metrics.cohen_kappa_score on the same two columns
    assert kappa("ssscnpsscn", "sscccpsnsn").value == pytest.approx(0.42028985507246375)


def test_alpha_of_krippendorffs_own_example() -> None:
    # "Computing Krippendorff's Alpha-Reliability" (2011), section C: four observers, twelve units, nominal: 0.743
    found = Ratings(ratings_of("123321412   ", "1233224125 3", " 3332342251 ", "12332441251 ")).alpha()
    assert found.value == pytest.approx(0.743421052631579)
    assert found.claims == 11  # the last was rated by one observer only


def test_alpha_of_two_raters_worked_by_hand() -> None:
    # The four pairs 00, 00, 11, 01: observed 1/4; of 8 values five are 0: expected 2 * 5 * 3 / (8 * 7) = 30/56.
    assert Ratings(ratings_of("0010", "0011")).alpha().value == pytest.approx(1 - (1 / 4) / (30 / 56))


def test_where_everything_is_supported_there_is_no_agreement_beyond_chance_to_speak_of() -> None:
    found = kappa("ssss", "ssss")
    assert (found.value, found.interval) == (None, None)
    assert found.observed == 1


def test_claims_that_only_one_person_rated_do_not_count() -> None:
    assert Ratings(ratings_of("sn  ", "  ns")).alpha().claims == 0
    assert kappa("sn s", "s nn").claims == 2


def test_claims_of_one_answer_are_not_taken_for_independent() -> None:
    first, second = "snsnsnsnsnsn" * 4, "snsnsnnsnsns" * 4
    apart, together = kappa(first, second), kappa(first, second, answer_size=6)
    assert apart.value == together.value
    assert apart.interval is not None
    assert together.interval is not None
    assert together.interval.high - together.interval.low > 1.5 * (apart.interval.high - apart.interval.low)


def test_one_answer_gives_no_interval() -> None:
    assert kappa("ssns", "snns", answer_size=4).interval is None


def test_a_verdict_on_its_own_is_held_against_all_others() -> None:
    ratings = Ratings(ratings_of("scnp", "scpn"))
    assert ratings.alpha(verdict="c").value == 1
    # n against the rest: the pairs 00 00 10 01, so observed 1/2; of 8 values two are n: expected 2 * 6 * 2 / (8 * 7).
    assert ratings.alpha(verdict="n").value == pytest.approx(1 - (1 / 2) / (24 / 56))


def test_every_pair_with_claims_in_common_is_listed_once() -> None:
    pairs = Ratings(ratings_of("ssn ", "snn ", "   s")).kappas()
    assert list(pairs) == [("r0", "r1")]


def test_kappa_of_columns_is_that_of_ratings() -> None:
    first, second = "ssscnpsscn", "sscccpsnsn"
    found = kappa_of([at // 2 for at in range(10)], list(first), list(second))
    assert found == kappa(first, second, answer_size=2)
    assert kappa_of([], [], []).claims == 0
    with pytest.raises(ValueError, match="one of each per claim"):
        kappa_of([1, 2], ["s"], ["s", "n"])


columns = st.integers(4, 30).flatmap(
    lambda size: st.tuples(*[st.text(alphabet="scn ", min_size=size, max_size=size)] * 3)
)


@given(columns=columns)
def test_alpha_is_truescores(columns: tuple[str, ...]) -> None:
    import truescore

    found = Ratings(ratings_of(*columns)).alpha()
    assume(found.value is not None and found.claims > 1)  # truescore refuses a single claim
    codes = {"s": 1.0, "c": 2.0, "n": 3.0, " ": np.nan}
    matrix = np.array([[codes[letter] for letter in column] for column in columns])
    assert found.value == pytest.approx(truescore.krippendorff_alpha(matrix))


@given(columns=columns, rng=st.randoms(use_true_random=False))
def test_neither_the_order_of_ratings_nor_the_names_of_verdicts_or_people_matter(
    columns: tuple[str, ...], rng: random.Random
) -> None:
    ratings = ratings_of(*columns)
    names = {"s": "z", "c": "y", "n": "x"}
    renamed = [Rating(answer=r.answer, claim=r.claim, rater=f"x{r.rater}", verdict=names[r.verdict]) for r in ratings]
    rng.shuffle(renamed)
    one, other = Ratings(ratings).alpha(), Ratings(renamed).alpha()
    assert one.claims == other.claims
    assert (one.value is None) == (other.value is None)
    if one.value is not None:
        assert one.value == pytest.approx(other.value)
