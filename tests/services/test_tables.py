"""Tables that people take with them: every row, every figure in full."""

import csv
import io
from datetime import UTC

import pytest

from faithview.domain.answer import AnswerFilter, Order, View
from faithview.domain.buckets import Step
from faithview.services import tables
from faithview.services.comparison.compare import compare_runs
from faithview.services.container import Store
from faithview.services.judge_quality.scorecards import list_judge_cards
from faithview.services.results import list_summaries
from faithview.services.tables import (
    answer_rows,
    card_rows,
    change_rows,
    file_name,
    mistake_rows,
    point_rows,
    run_rows,
    write_table,
)
from faithview.services.trends import TrendQuery, load_trend
from tests.factories import C, N, S, make_claim, make_row, say, store_rows

LONG = "=SUM(A1) " + "very " * 100 + "long."


@pytest.fixture
def stored(services: Store) -> Store:
    old = [
        make_row({"k": "Nine."}, make_claim("At nine.", S, "k"), make_claim(LONG, N), key="a"),
        make_row({"k": "Nine."}, make_claim("Nine sharp.", S, "k"), key="b", question="Sharp?"),
        make_row({"k": "Nine."}, key="c", question="And?"),
    ]
    new = [make_row({"k": "Ten."}, make_claim("At nine.", C, "k"), make_claim(LONG, N), key="a"), *old[1:]]
    store_rows(services, "old", old)
    store_rows(services, "new", new, week=1)
    return services


def test_answers_are_all_there_in_the_lists_order_with_their_whole_texts(
    stored: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "_PAGE", 2)
    rows = list(answer_rows(stored, "old", AnswerFilter()))
    assert [(row["key"], row["faithfulness"], row["supported"], row["not_mentioned"]) for row in rows] == [
        ("a", 0.5, 1, 1),
        ("b", 1.0, 1, 0),
        ("c", None, 0, 0),  # no claim
    ]
    assert rows[0]["answer"] == f"At nine. {LONG}"
    (kept,) = answer_rows(stored, "old", AnswerFilter(search="sharp"), order=Order.BEST)
    assert (kept["key"], kept["row"]) == ("b", 2)
    assert list(answer_rows(stored, "old", AnswerFilter(search="nowhere"))) == []


def test_answers_go_by_the_view_that_is_shown(stored: Store) -> None:
    say(stored, "old", 1, 2, "supported")
    scores = {row["key"]: row["faithfulness"] for row in answer_rows(stored, "old", AnswerFilter(), view=View.REVIEWED)}
    assert scores == {"a": 1.0, "b": 1.0, "c": None}


def test_runs_carry_their_interval_bounds_and_what_is_left_out(stored: Store) -> None:
    (new, old) = run_rows(list_summaries(stored), view=View.JUDGE)
    assert (old["run"], old["faithfulness"], old["judged"], old["rows"], old["no_claims"]) == ("old", 0.75, 2, 3, 1)
    assert (new["faithfulness"], new["claims_contradicted"], new["hallucination_rate"]) == (
        0.5,
        1,
        pytest.approx(2 / 3),
    )
    assert 0 <= new["low"] <= 0.5 <= new["high"] <= 1  # type: ignore[operator]  # numbers
    assert (new["bound_low"], new["bound_high"]) == (0.5, 0.5)


def test_changes_name_the_cause_of_every_claim(stored: Store) -> None:
    (row,) = change_rows(compare_runs(stored, "old", "new").changes)
    assert (row["key"], row["baseline"], row["candidate"], row["difference"]) == ("a", 0.5, 0.0, -0.5)
    causes = row["causes"]
    assert isinstance(causes, list)
    assert [(one["value"], one["baseline_claim"], one["candidate_claim"]) for one in causes] == [(-0.5, 1, 1)]


def test_points_of_a_trend_are_in_utc_with_their_runs(stored: Store) -> None:
    trend = load_trend(stored, TrendQuery(step=Step.RUN, zone="UTC"))
    rows = list(point_rows(trend.of_view(View.JUDGE)))
    assert [(row["faithfulness"], row["judged"], row["run_ids"]) for row in rows] == [
        (0.75, 2, ("old",)),
        (0.5, 2, ("new",)),
    ]
    assert all(row["at"].tzinfo is UTC for row in rows)  # type: ignore[attr-defined]  # times


def test_judges_carry_what_people_found(stored: Store) -> None:
    say(stored, "old", 1, 1, "contradicted")
    say(stored, "old", 1, 2, "not_mentioned")
    (card,) = list_judge_cards(stored)
    (row,) = card_rows([card])
    assert (row["judge"], row["labelled_claims"], row["accuracy"], row["mistakes"]) == ("lexical", 2, 0.5, 1)
    (mistake,) = mistake_rows(card)
    assert (mistake["row"], mistake["claim_number"], mistake["judge"], mistake["people"]) == (
        1,
        1,
        "supported",
        "contradicted",
    )


def test_a_table_written_is_read_back_as_it_was(stored: Store) -> None:
    content = write_table(answer_rows(stored, "old", AnswerFilter()), file_format="csv").decode("utf-8-sig")
    (first, *_) = csv.DictReader(io.StringIO(content, newline=""))
    assert (first["faithfulness"], first["answer"]) == ("0.5", f"At nine. {LONG}")


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (("Week 44", "answers"), "Week 44-answers.csv"),
        (("../../etc/passwd", "runs"), "etc_passwd-runs.csv"),
        (('a"b\r\nc: d', "x"), "a_b_c_ d-x.csv"),
        (("Öl", ""), "Öl.csv"),
        (("…",), "table.csv"),
        (("x" * 200,), "x" * 80 + ".csv"),
    ],
)
def test_a_files_name_is_one_that_every_system_takes(parts: tuple[str, ...], expected: str) -> None:
    assert file_name(*parts, ending="csv") == expected
