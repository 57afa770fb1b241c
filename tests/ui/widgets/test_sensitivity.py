"""Runs under other definitions of the score: a sentence, and a row per different result."""

from collections.abc import Sequence

import numpy as np
import pytest

from faithview.stats.sensitivity import RunVerdicts, sensitivity
from faithview.ui.widgets.sensitivity import (
    CHOICES,
    pair_sentence,
    ranking_sentence,
    sensitivity_rows,
    short_names,
    without_difference,
)

NAMES = ("before", "now")


def _run(*answers: tuple[int, int, int], without_claims: int = 0, unscored: int = 0) -> RunVerdicts:
    """One (claims, supported, partially supported) an answer."""
    claims, supported, partial = np.array(answers, dtype=np.int64).reshape(-1, 3).T
    return RunVerdicts(
        claims=claims, supported=supported, partial=partial, without_claims=without_claims, unscored=unscored
    )


GOOD, BAD = _run((2, 2, 0), (4, 3, 0)), _run((2, 1, 0), (4, 2, 0))


def test_a_run_that_is_worse_under_every_definition_is_called_so() -> None:
    found = sensitivity([GOOD, BAD])
    assert pair_sentence(found, NAMES) == (
        "**Yes.** *now* is worse than *before* under all 36 definitions of the score."
    )
    assert ranking_sentence(found, NAMES).startswith("**Yes.** The order of the 2 runs is the same under all 36")


def test_the_sentence_says_where_the_other_run_is_better() -> None:
    # By answers 0.5 and 0.55, by claims 10/12 and 2/10; nothing else matters here.
    found = sensitivity([_run((2, 0, 0), (10, 10, 0)), _run((1, 1, 0), (10, 1, 0))])
    assert pair_sentence(found, NAMES) == (
        "**Not under every definition:** *now* is better than *before* under 18 of 36 definitions of the score; "
        "it is worse where the mean is over claims."
    )


def test_a_run_that_is_level_somewhere_is_nearly_the_same() -> None:
    # Partly supported claims make up for it exactly where they count 1.
    found = sensitivity([_run((2, 2, 0)), _run((2, 1, 1))])
    assert pair_sentence(found, NAMES) == (
        "**Nearly:** *now* is worse than *before* under 24 of 36 definitions of the score; "
        "it is equal where a partially supported claim counts 1."
    )
    assert ranking_sentence(found, NAMES).startswith("**Nearly.** Under 12 of 36 definitions of the score, a tie is")
    assert [row.ranking for row in sensitivity_rows(found, NAMES)] == ["", "", "level"]


def test_a_run_without_a_score_cannot_be_ranked() -> None:
    found = sensitivity([GOOD, _run()])
    assert "has no score, so they cannot be ranked under all 36 definitions" in pair_sentence(found, NAMES)


def test_definitions_with_equal_scores_share_a_row_and_no_definition_is_missing() -> None:
    rows = sensitivity_rows(sensitivity([GOOD, BAD]), NAMES)
    # No partially supported claim, none without claims, none failed: only the mean matters.
    assert [(row.choices["average"], row.definitions, row.is_standard) for row in rows] == [
        ("answers", 18, True),
        ("claims", 18, False),
    ]
    assert [row.scores for row in rows] == [(0.875, 0.5), (5 / 6, 0.5)]
    assert without_difference(rows) == ["partial", "no_claims", "failed"]
    mixed = sensitivity_rows(sensitivity([_run((3, 1, 1), unscored=1), _run((2, 1, 1), without_claims=2)]), NAMES)
    assert sum(row.definitions for row in mixed) == 36
    assert mixed[0].is_standard
    # In a mean over claims an answer without any has nothing to count.
    assert [row.choices["no_claims"] for row in mixed if row.choices["average"] == "claims"] == ["any"] * 6
    assert without_difference(mixed) == []


@pytest.mark.parametrize("runs", [[GOOD, BAD], [_run((3, 1, 1), unscored=1), _run((2, 1, 1), without_claims=2), BAD]])
def test_every_row_has_the_scores_of_its_definitions(runs: Sequence[RunVerdicts]) -> None:
    found = sensitivity(runs)
    rows = sensitivity_rows(found, [str(at) for at in range(len(runs))])
    for result in found.settings:
        words = {name: CHOICES[name][getattr(result.setting, name)] for name in CHOICES}
        fitting = [
            row
            for row in rows
            if all(row.choices[name] == "any" or words[name] in row.choices[name].split(" or ") for name in CHOICES)
        ]
        assert len(fitting) == 1
        assert fitting[0].scores == pytest.approx(result.scores)
        assert fitting[0].is_changed == result.is_changed


def test_pairs_of_runs_that_change_places_are_named() -> None:
    close = _run((2, 0, 0), (10, 10, 0)), _run((1, 1, 0), (10, 1, 0))
    best = _run((2, 2, 0))
    found = sensitivity([*close, best])
    assert ranking_sentence(found, ("a_1", "b", "best")) == (
        "*a\\_1* and *b* are too close to rank: their order depends on how the score is defined. "
        "All other pairs of runs keep their order under all 36 definitions."
    )
    assert {row.ranking for row in sensitivity_rows(found, ("a", "b", "best"))} == {"", "a above b"}


def test_runs_of_two_groups_are_not_listed_as_one() -> None:
    # By answers and by claims: 0.9 and 0.82, 0.88 and 0.99; far below, 0.35 and 0.25, 0.3 and 0.5.
    above = _run((2, 2, 0), (20, 16, 0)), _run((2, 1, 0), (100, 100, 0), (2, 2, 0), (2, 2, 0))
    below = _run((2, 1, 0), (10, 2, 0)), _run((2, 0, 0), (10, 6, 0))
    sentence = ranking_sentence(sensitivity([above[0], below[0], above[1], below[1]]), ("w42", "w43", "w45", "w44"))
    assert sentence == (
        "*w42* and *w45* are too close to rank: their order depends on how the score is defined. "
        "So are *w43* and *w44*. Between these groups the order is the same under all 36 definitions."
    )


def test_runs_that_tie_are_not_said_to_keep_an_order() -> None:
    assert ranking_sentence(sensitivity([GOOD, GOOD]), NAMES) == (
        "**No difference.** The 2 runs score the same under all 36 definitions of the score."
    )
    assert ranking_sentence(sensitivity([GOOD, GOOD, BAD]), ("a", "b", "c")) == (
        "**Yes.** The order of the 3 runs, ties included, is the same under all 36 definitions of the score."
    )


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["Help centre 2026-w42", "Help centre 2026-w43"], ["w42", "w43"]),
        (["alpha", "beta"], ["alpha", "beta"]),
        (
            ["run_a (judged by Ragas)", "run_b (judged by Ragas)"],
            ["run_a (judged by Ragas)", "run_b (judged by Ragas)"],
        ),
        (["week (2)", "week (3)"], ["(2)", "(3)"]),
        (['week "2"', 'week "3"'], ['"2"', '"3"']),
        (["run", "run 2"], ["run", "run 2"]),
        (["run ", "run 2"], ["run ", "run 2"]),
        (["one run"], ["run"]),
    ],
)
def test_names_are_shortened_by_their_common_beginning(names: list[str], expected: list[str]) -> None:
    assert short_names(names) == expected
