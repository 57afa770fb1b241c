"""Alert rules: what breaks them, when an alert is open, and who is told."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest

from faithview import Sample, State, Verdict
from faithview.domain.alert import AlertKind
from faithview.domain.errors import InvalidInput, NotFound
from faithview.domain.run import Run, RunStatus
from faithview.services.alerts import acknowledge, add_rule, delete_rule, evaluate_alerts, list_open_alerts
from faithview.services.comparison.baselines import find_previous
from faithview.services.container import Store
from faithview.services.results import delete_run, get_run
from faithview.services.runs.create import judge_here
from faithview.store.alerts import list_alerts, list_rules
from tests import hook as hooks
from tests.factories import NOW, add_run, make_result, make_run, store_run
from tests.hook import Hook
from tests.services.scripted import ScriptedJudge

ROWS = 40
NOWHERE: dict[str, str] = {}


@pytest.fixture
def hook() -> Iterator[Hook]:
    with hooks.listening() as listening:
        yield listening


def _store(
    services: Store,
    day: int,
    *,
    bad: int = 0,
    failed: int = 0,
    abstained: int = 0,
    name: str | None = None,
    fingerprint: str = "lexical/1",
    questions: str = "Q",
    repeat_of: str | None = None,
) -> Run:
    """Store a run of forty answers, the first in segment "a" and the other half in "b"; the first `bad` are wrong."""
    samples = [
        Sample(
            answer=f"a{n}", key=f"{questions}{n}", question=f"{questions} {n}?", segment="a" if n < ROWS / 2 else "b"
        )
        for n in range(ROWS)
    ]
    judged = [make_result(Verdict.NOT_MENTIONED if n < bad else Verdict.SUPPORTED) for n in range(ROWS)]
    for n in range(failed):
        judged[-1 - n] = make_result(state=State.FAILED)
    for n in range(abstained):
        judged[-1 - failed - n] = make_result(state=State.ABSTAINED)
    run_id = name or f"r{day}"
    run = make_run(run_id, as_of=NOW + timedelta(days=day))
    run = replace(run, fingerprint=fingerprint, repeat_of=repeat_of)
    return store_run(services.db, samples, judged, run=run)


def _evaluate(services: Store, run: Run) -> list[tuple[str, str | None, float]]:
    raised = evaluate_alerts(services, run, environ=NOWHERE)
    return [(alert.rule.kind.value, alert.rule.segment, round(alert.value, 4)) for alert in raised]


def test_a_score_below_the_threshold_raises_an_alert(services: Store) -> None:
    add_rule(services, AlertKind.BELOW, 0.8)
    assert _evaluate(services, _store(services, 0, bad=8)) == []  # 0.8 is not below 0.8
    assert _evaluate(services, _store(services, 1, bad=9)) == [("below", None, 0.775)]
    (alert,) = list_alerts(services.db)
    assert (alert.run_id, alert.run_name, alert.value, alert.baseline_id) == ("r1", "r1", 0.775, None)
    assert (alert.posted_at, alert.post_error, alert.is_acknowledged) == (None, None, False)
    assert all(said in alert.message for said in ("r1", "0.7750", "40 answers", "0.8"))


def test_a_rule_may_look_at_one_segment(services: Store) -> None:
    add_rule(services, AlertKind.BELOW, 0.8, segment="a")
    add_rule(services, AlertKind.BELOW, 0.8, segment="b")
    add_rule(services, AlertKind.BELOW, 0.8, segment="no such")
    assert _evaluate(services, _store(services, 0, bad=8)) == [("below", "a", 0.6)]
    assert "20 answers" in list_alerts(services.db)[0].message


def test_coverage_counts_the_answers_that_should_have_a_verdict(services: Store) -> None:
    add_rule(services, AlertKind.COVERAGE, 0.9)
    add_rule(services, AlertKind.COVERAGE, 0.9, segment="b")
    add_rule(services, AlertKind.COVERAGE, 0.9, segment="a")
    assert _evaluate(services, _store(services, 0, abstained=20)) == []
    assert _evaluate(services, _store(services, 1, failed=4)) == [("coverage", "b", 0.8)]  # 36 of 40 is 0.9


def test_a_real_fall_against_the_previous_comparable_run_raises_an_alert(services: Store) -> None:
    add_rule(services, AlertKind.FELL, 0.05)
    add_rule(services, AlertKind.FELL, 0.05, segment="a")
    add_rule(services, AlertKind.FELL, 0.05, segment="b")
    first = _store(services, 0, bad=2)
    assert _evaluate(services, first) == []
    second = _store(services, 1, bad=12)
    whole, part = evaluate_alerts(services, second, environ=NOWHERE)
    assert (round(whole.value, 9), whole.baseline_id, whole.rule.segment) == (-0.25, "r0", None)
    assert all(said in whole.message for said in ("0.2500", "r0", "40 answers", "p = 0.00", "0.05"))
    assert (round(part.value, 9), part.rule.segment) == (-0.5, "a")


@pytest.mark.parametrize("bad", [4, 0], ids=["too few to be sure", "better"])
def test_a_fall_that_may_be_chance_raises_none(services: Store, bad: int) -> None:
    add_rule(services, AlertKind.FELL, 0.0)
    _store(services, 0, bad=2)
    assert _evaluate(services, _store(services, 1, bad=bad)) == []


def test_a_fall_smaller_than_the_rule_asks_for_raises_none(services: Store) -> None:
    add_rule(services, AlertKind.FELL, 0.3)
    _store(services, 0, bad=2)
    assert _evaluate(services, _store(services, 1, bad=12)) == []


def test_the_previous_run_is_one_by_the_same_judge_on_the_same_questions(services: Store) -> None:
    _store(services, 0)
    _store(services, 1, name="judge", fingerprint="lexical/2")
    _store(services, 2, name="other", questions="X")
    _store(services, 3, name="repeat", repeat_of="r0")
    add_run(services, [Sample(answer="x")], "pending")
    run = _store(services, 4, bad=20)
    previous = find_previous(services, run)
    assert previous is not None
    assert previous.run_id == "r0"
    first = get_run(services, "r0")
    assert find_previous(services, first) is None


def test_evaluating_again_adds_nothing(services: Store) -> None:
    add_rule(services, AlertKind.BELOW, 0.9)
    run = _store(services, 0, bad=20)
    assert evaluate_alerts(services, run, environ=NOWHERE) == evaluate_alerts(services, run, environ=NOWHERE)
    assert len(list_alerts(services.db)) == 1


def test_repeats_and_unfinished_runs_raise_none(services: Store) -> None:
    add_rule(services, AlertKind.BELOW, 0.9)
    assert _evaluate(services, _store(services, 0, bad=20, repeat_of="r9")) == []
    pending = add_run(services, [Sample(answer="x")], "pending")
    assert _evaluate(services, pending) == []


def test_an_alert_is_open_until_it_is_acknowledged(services: Store) -> None:
    add_rule(services, AlertKind.BELOW, 0.9)
    (alert,) = evaluate_alerts(services, _store(services, 0, bad=20), environ=NOWHERE)
    assert list_open_alerts(services) == [alert]
    acknowledge(services, alert.alert_id)
    assert list_open_alerts(services) == []
    assert list_alerts(services.db) == [replace(alert, is_acknowledged=True)]
    with pytest.raises(NotFound, match="no alert 77"):
        acknowledge(services, 77)


def test_an_alert_is_open_until_a_later_comparable_run_keeps_the_rule(services: Store) -> None:
    add_rule(services, AlertKind.BELOW, 0.9)
    run = _store(services, 0, bad=20)
    evaluate_alerts(services, run, environ=NOWHERE)
    _store(services, -1)  # earlier
    _store(services, 1, name="judge", fingerprint="lexical/2")
    _store(services, 2, name="other", questions="X")
    _store(services, 3, bad=20)
    assert [alert.run_id for alert in list_open_alerts(services)] == ["r0"]
    _store(services, 4)
    assert list_open_alerts(services) == []
    delete_run(services, "r4")
    assert [alert.run_id for alert in list_open_alerts(services)] == ["r0"]


def test_a_fall_is_made_good_only_by_a_run_near_the_level_before_it(services: Store) -> None:
    add_rule(services, AlertKind.FELL, 0.1)
    _store(services, 0)
    evaluate_alerts(services, _store(services, 1, bad=20), environ=NOWHERE)
    still_low = _store(services, 2, bad=20)
    assert evaluate_alerts(services, still_low, environ=NOWHERE) == []
    _store(services, 3, bad=5)
    assert [alert.run_id for alert in list_open_alerts(services)] == ["r1"]
    _store(services, 4, bad=4)
    assert list_open_alerts(services) == []


def test_an_equal_rule_is_not_made_twice(services: Store) -> None:
    rule = add_rule(services, AlertKind.BELOW, 0.9)
    assert add_rule(services, AlertKind.BELOW, 0.9) == rule
    assert list_rules(services.db) == [rule]


def test_a_deleted_rule_takes_its_alerts_with_it(services: Store) -> None:
    rule = add_rule(services, AlertKind.BELOW, 0.9)
    evaluate_alerts(services, _store(services, 0, bad=20), environ=NOWHERE)
    delete_rule(services, rule.rule_id)
    assert (list_rules(services.db), list_alerts(services.db)) == ([], [])
    with pytest.raises(NotFound, match="no alert rule 5"):
        delete_rule(services, 5)


@pytest.mark.parametrize(
    ("kind", "threshold", "segment"),
    [
        (AlertKind.BELOW, 0.0, None),
        (AlertKind.BELOW, 1.1, None),
        (AlertKind.BELOW, float("nan"), None),
        (AlertKind.COVERAGE, -0.1, None),
        (AlertKind.FELL, 1.0, None),
        (AlertKind.FELL, -0.1, None),
        (AlertKind.BELOW, 0.5, " "),
        (AlertKind.BELOW, 0.5, "a\x00"),
    ],
)
@pytest.mark.parametrize("store_url", ["sqlite"], indirect=True)  # the rule is the same on every engine
def test_a_rule_that_nothing_could_break_is_refused(
    services: Store, kind: AlertKind, threshold: float, segment: str | None
) -> None:
    with pytest.raises(InvalidInput, match=r"threshold|segment"):
        add_rule(services, kind, threshold, segment=segment)
    assert list_rules(services.db) == []


def test_a_run_is_held_against_the_rules_once_it_is_complete(
    services: Store, judge: ScriptedJudge, hook: Hook, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert judge.fingerprint == "scripted/1"
    monkeypatch.setenv("FAITHVIEW_WEBHOOK_URL", hook.url)
    add_rule(services, AlertKind.BELOW, 1.0)
    samples = [Sample.of("abc", ["x"]), Sample.of("abcde", ["x"])]  # contradicted, partially supported
    run = add_run(services, samples, "<!channel> & co")
    assert judge_here(services, run).run.status is RunStatus.COMPLETE
    (alert,) = list_alerts(services.db)
    assert (alert.value, alert.post_error) == (0.0, None)
    assert alert.posted_at is not None
    (document,) = hook.documents
    assert "&lt;!channel&gt; &amp; co" in document["text"]
    assert document["source"] == "faithview"
    assert document["run"] == {
        "run_id": run.run_id,
        "name": "<!channel> & co",
        "as_of": run.as_of.isoformat(),
        "faithfulness": 0.0,
        "rows": 2,
    }
    assert document["alerts"] == [
        {
            "kind": "below",
            "threshold": 1.0,
            "segment": None,
            "value": 0.0,
            "message": alert.message,
            "baseline_run_id": None,
        }
    ]


def test_a_webhook_that_fails_is_noted_and_tried_again_and_fails_no_run(services: Store, hook: Hook) -> None:
    add_rule(services, AlertKind.BELOW, 0.9)
    run, environ = _store(services, 0, bad=20), {"FAITHVIEW_WEBHOOK_URL": f" {hook.url}\n"}
    hook.status = 503
    (alert,) = evaluate_alerts(services, run, environ=environ)
    assert (alert.posted_at, alert.post_error) == (None, "The webhook answered with status 503.")
    hook.status = 204
    (alert,) = evaluate_alerts(services, run, environ=environ)
    assert alert.posted_at is not None
    assert alert.post_error is None
    evaluate_alerts(services, run, environ=environ)
    assert len(hook.documents) == 2


def test_a_run_that_keeps_every_rule_tells_nobody(services: Store, hook: Hook) -> None:
    add_rule(services, AlertKind.BELOW, 0.5)
    assert evaluate_alerts(services, _store(services, 0), environ={"FAITHVIEW_WEBHOOK_URL": hook.url}) == []
    assert hook.documents == []
