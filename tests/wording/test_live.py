"""The words about live traffic: how much of it a run judges, what a round did, what waits."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from faithview.domain.live import Backlog, LiveWindow
from faithview.domain.run import RunSummary
from faithview.wording.live import (
    backlog_words,
    inclusion_words,
    rate_words,
    round_words,
    sample_words,
    sampled_runs_words,
)
from tests.factories import make_run, make_summary

NOW = datetime(2026, 5, 6, 12, tzinfo=UTC)
RUN = make_run()
SUMMARY = make_summary(RUN, rows=412)


def _window(rate: float) -> RunSummary:
    live = LiveWindow(
        application="shop", starts_at=NOW, ends_at=NOW + timedelta(days=1), sample_rate=rate, logged=8_230
    )
    return replace(SUMMARY, run=replace(RUN, live=live))


def test_a_run_says_what_part_of_the_logged_answers_it_holds() -> None:
    assert sample_words(SUMMARY) is None
    assert sample_words(_window(0.05)) == "5% sample: 412 of 8,230 logged answers"
    assert sample_words(_window(0.0025)) == "0.25% sample: 412 of 8,230 logged answers"
    assert sample_words(_window(1.0)) == "all 8,230 logged answers"


def test_answers_with_different_chances_are_said_to_be_weighted() -> None:
    assert inclusion_words(0.05, 0.05) is None
    assert "from 5% to 100%" in (inclusion_words(0.05, 1.0) or "")
    assert rate_words(0.5) == "50%"


def test_a_round_says_what_it_did_and_what_waits() -> None:
    assert round_words(41, 771, 41, 2, 1, rate=0.05) == (
        "41 of 812 new answers drawn (5%), 41 judged, 2 of them without a verdict; 1 is waiting"
    )
    backlog = Backlog(application="shop", waiting=3, taken=9, skipped=0, oldest_at=NOW - timedelta(seconds=75))
    assert backlog_words(backlog, now=NOW) == "shop: 3 logged answers are waiting, the oldest for 1 min 15 s"
    assert backlog_words(replace(backlog, waiting=0), now=NOW) == "shop: no logged answer is waiting"


def test_how_many_runs_of_a_trend_are_samples() -> None:
    assert sampled_runs_words(()) is None
    assert sampled_runs_words((0.05,)) == (
        "1 run is a sample of the logged answers (5%); the means are estimates for all logged answers, and "
        "their intervals allow for those that were not drawn."
    )
    words = sampled_runs_words((0.05, 0.2, 0.05))
    assert words is not None
    assert words.startswith("3 runs are samples of the logged answers (5% to 20%);")
