"""Agreement: Krippendorff's own example, worked tables, and a second implementation."""

import itertools
import random

import numpy as np
import pytest
import truescore
from hypothesis import assume, given
from hypothesis import strategies as st

from faithview.stats.agreement import (
    Agreement,
    Rating,
    Ratings,
    kappa_of,
)
from faithview.stats.intervals import student_quantile, wilson_interval


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


def test_perfect_agreement_on_a_few_answers_is_one_with_an_interval_that_says_how_few() -> None:
    few, many = kappa("ssnsn", "ssnsn"), kappa("ssnsn" * 40, "ssnsn" * 40)
    assert few.value == many.value == 1
    assert few.interval is not None
    assert many.interval is not None
    assert few.interval.high == 1
    assert few.interval.low < 0.2
    assert many.interval.low > 0.9


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


def test_two_labels_by_one_person_on_a_claim_are_refused() -> None:
    twice = [*ratings_of("s", "n"), Rating(answer="a00", claim="c00", rater="r0", verdict="n")]
    with pytest.raises(ValueError, match="'r0' rated the claim 'c00' twice"):
        Ratings(twice).alpha()


def test_the_interval_of_very_many_answers_is_the_one_that_resampling_each_of_them_gives(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(5)
    answers = np.repeat(np.arange(2_500), 3)
    judge = rng.choice(list("sscn"), size=len(answers))
    people = np.where(rng.random(len(answers)) < 0.8, judge, rng.choice(list("scn"), size=len(answers)))
    quick = kappa_of(answers, judge, people).interval
    monkeypatch.setattr("faithview.stats.agreement._MANY_ANSWERS", 10_000)
    slow = kappa_of(answers, judge, people).interval
    assert quick is not None
    assert slow is not None
    assert quick != slow
    # A limit of 2,000 resamples is itself known to about 3 % of the width.
    assert (quick.low, quick.high) == pytest.approx((slow.low, slow.high), abs=0.08 * (slow.high - slow.low))


columns = st.integers(4, 30).flatmap(
    lambda size: st.tuples(*[st.text(alphabet="scn ", min_size=size, max_size=size)] * 3)
)


@given(columns=columns)
def test_alpha_is_truescores(columns: tuple[str, ...]) -> None:
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


@pytest.mark.parametrize("answers", [2, 4, 10, 40])
def test_the_interval_of_kappa_has_a_width_also_where_all_answers_are_alike(answers: int) -> None:
    # Two claims an answer, agreed on the one and not on the other: every resample has the same kappa.
    found = kappa_of(np.repeat(np.arange(answers), 2), [1, 1] * answers, [1, 0] * answers)
    other = kappa_of(np.repeat(np.arange(answers), 3), [1, 0, 1] * answers, [1, 0, 0] * answers)
    assert found.value == 0.0
    assert other.value is not None
    for value, interval in ((found.value, found.interval), (other.value, other.interval)):
        assert interval is not None
        assert -1 <= interval.low < value < interval.high <= 1


def test_the_interval_of_kappa_over_eight_answers_holds_the_truth() -> None:
    # Right or wrong as likely, and each rater is mistaken on 15 % of the claims: kappa is 1 - 0.255 / 0.5.
    rng = np.random.default_rng(5)
    held = []
    for _ in range(200):
        true = rng.random(24) < np.repeat(rng.beta(1.5, 1.5, 8), 3)
        first, second = (np.where(rng.random(24) < 0.15, ~true, true) for _ in range(2))
        interval = kappa_of(np.repeat(np.arange(8), 3), first, second).interval
        held.append(interval is None or interval.low <= 0.49 <= interval.high)
    assert np.mean(held) >= 0.93


def table_claims(*tables: tuple[int, int, int, int]) -> tuple[list[int], list[str], list[str]]:
    """Columns of answers, each given as how many claims are (yes, yes), (yes, no), (no, yes) and (no, no)."""
    pairs = [("y", "y"), ("y", "n"), ("n", "y"), ("n", "n")]
    rows = [
        (at, *pair) for at, table in enumerate(tables) for pair, n in zip(pairs, table, strict=True) for _ in range(n)
    ]
    answers, first, second = zip(*rows, strict=True)
    return list(answers), list(first), list(second)


def plain_kappa(tables: list[tuple[int, int, int, int]]) -> float:
    a, b, c, d = (sum(cell) for cell in zip(*tables, strict=True))
    n = a + b + c + d
    chance = ((a + b) * (a + c) + (c + d) * (b + d)) / n**2
    return float(((a + d) / n - chance) / (1 - chance))


def test_the_interval_over_five_answers_is_the_quantile_of_all_their_resamples_with_tails_moved_out() -> None:
    tables = [(90, 10, 10, 90), (75, 20, 15, 90), (60, 40, 35, 65), (80, 25, 5, 90), (55, 45, 50, 50)]
    found = kappa_of(*table_claims(*tables), level=0.8).interval
    kappas = sorted(plain_kappa(list(sample)) for sample in itertools.product(tables, repeat=5))
    # Student's 10 % quantile with 4 degrees of freedom is 1.5332; times sqrt(5 / 4) it is the normal one of 4.33 %.
    low, high = np.quantile(kappas, [0.0433, 0.9567])
    assert found is not None
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.012)


def test_the_interval_over_two_answers_moves_its_tails_by_one_degree_of_freedom() -> None:
    # A quarter of all resamples hold the first answer twice. Student's quantile of a third is 0.577; times sqrt(2 / 1)
    # it is the normal one of 20.7 %, less than that quarter.
    good, bad = (90, 10, 10, 90), (60, 40, 40, 60)
    found = kappa_of(*table_claims(good, bad), level=1 / 3).interval
    assert found is not None
    assert (found.low, found.high) == pytest.approx((plain_kappa([bad]), plain_kappa([good])))


@pytest.mark.parametrize("answers", [2, 4, 10, 40])
def test_where_all_answers_are_alike_the_interval_is_that_of_the_share_that_agrees(answers: int) -> None:
    found = kappa_of(np.repeat(np.arange(answers), 2), [1, 1] * answers, [1, 0] * answers).interval
    # Half of the claims agree, and by chance half would not.
    share = wilson_interval(0.5, 2 * answers, z=student_quantile(0.95, answers - 1))
    assert found is not None
    assert (found.low, found.high) == pytest.approx((1 - (1 - share.low) / 0.5, 1 - (1 - share.high) / 0.5))


def test_an_interval_of_kappa_does_not_go_below_minus_1() -> None:
    perfect = kappa_of([1, 1, 1, 2, 2, 2], list("sssssn"), list("sssssn")).interval
    seldom = kappa_of(*table_claims((4, 1, 1, 0), (4, 1, 1, 0)), level=0.99).interval
    assert perfect is not None
    assert seldom is not None
    assert perfect.low == seldom.low == -1


def test_perfect_agreement_counts_answers_by_their_mean_weights() -> None:
    # Two claims of weight 1 in one answer and one of weight 3 in another: (1 + 3)^2 / (1 + 9) answers of equal weight.
    # 2 of 5 by weight are "s", so chance disagrees on 2 * 0.4 * 0.6 of the claims.
    found = kappa_of([1, 1, 2], ["s", "s", "n"], ["s", "s", "n"], weights=[1, 1, 3]).interval
    assert found is not None
    assert found.low == pytest.approx(1 - (1 - wilson_interval(1.0, 1.6).low) / 0.48)
    assert found.high == 1


@pytest.mark.parametrize(
    "table",
    # Answers that differ much, where resampling decides, and answers nearly alike, where the share that agrees does.
    [[(9, 1, 1, 9), (5, 5, 5, 5), (8, 3, 1, 8), (4, 7, 5, 4), (9, 0, 2, 9)], [(2, 1, 1, 2)] * 4 + [(3, 1, 1, 2)]],
)
def test_ten_answers_are_few_and_eleven_are_not(
    table: list[tuple[int, int, int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    ten, eleven = table_claims(*table * 2), table_claims(*table * 2, table[0])
    few, many = kappa_of(*ten).interval, kappa_of(*eleven).interval
    monkeypatch.setattr("faithview.stats.agreement._FEW_ANSWERS", 9)
    ten_as_many = kappa_of(*ten).interval
    monkeypatch.setattr("faithview.stats.agreement._FEW_ANSWERS", 11)
    eleven_as_few = kappa_of(*eleven).interval
    for wide, narrow in ((few, ten_as_many), (eleven_as_few, many)):
        assert wide is not None
        assert narrow is not None
        assert wide.low < narrow.low - 1e-3
        assert wide.high > narrow.high + 1e-3


def test_there_is_no_interval_where_many_resamples_leave_agreement_undefined() -> None:
    # Without the last answer, as (3 / 4)^4 of the resamples are, both raters always say "s".
    found = kappa("sssn", "ssss")
    assert (found.value, found.interval) == (0.0, None)


def test_a_rater_who_rated_nothing_agrees_with_nobody() -> None:
    for pair in (("r0", "nobody"), ("nobody", "r0")):
        found = Ratings(ratings_of("ssn", "sns")).kappa(*pair)
        assert found == Agreement(value=None, interval=None, observed=None, claims=0)


def test_a_label_that_weighs_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="must weigh more than 0"):
        kappa_of([1, 2], ["s", "n"], ["s", "n"], weights=[1.0, 0.0])
