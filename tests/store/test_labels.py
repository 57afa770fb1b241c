"""Labels in the store: what follows from them, that nothing is ever lost, and that many can write at once."""

import os
import random
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from faithview import Sample, State, Verdict
from faithview.domain import scoring
from faithview.domain.answer import AnswerFilter, Order, View
from faithview.domain.errors import InvalidInput, NotFound
from faithview.domain.label import Label, LabelKind, LabelRole, effective_verdict
from faithview.domain.spans import Span
from faithview.store import answers, labels, retention
from faithview.store.database import Database
from faithview.store.runs import get_run
from tests.factories import HOSTILE, NOW, make_label, make_result, store_run, summarise

ROOT = Path(__file__).parents[2]
S, P, N, C = Verdict
RUN = "r1"


def _give(db: Database, position: int, label: Label) -> Label:
    return labels.add_label(db, label, run_id=RUN, position=position)


def _retract(db: Database, position: int, label: Label, *, by: str | None = None) -> Label:
    taken = replace(
        label, kind=LabelKind.RETRACTION, verdict=None, retracts=label.label_id, reviewer=by or label.reviewer
    )
    return _give(db, position, taken)


def _store(db: Database, *rows: tuple[Verdict, ...]) -> None:
    samples = [Sample.of(f"answer {n}", ["chunk"], question=f"q{n}") for n in range(len(rows))]
    store_run(db, samples, [make_result(*verdicts) for verdicts in rows])


def _faithfulness(db: Database, view: View = View.REVIEWED) -> list[float | None]:
    page = answers.list_answers(db, RUN, AnswerFilter(), view=view, order=Order.FILE, offset=0, limit=50)
    return [row.faithfulness for row in page.rows]


def test_a_label_is_read_back_as_it_was_given(db: Database) -> None:
    _store(db, (S, C))
    given = make_label(
        P,
        2,
        by=HOSTILE,
        role=LabelRole.ADJUDICATOR,
        note=HOSTILE,
        corrected_text=HOSTILE,
        seconds=2.5,
        is_blind=True,
    )
    stored = _give(db, 1, given)
    missed = _give(
        db,
        1,
        make_label(N, None, kind=LabelKind.MISSED_CLAIM, corrected_text="x", span=Span(start=2, end=5, occurrence=1)),
    )
    assert labels.list_labels(db, RUN) == [(1, stored), (1, missed)]
    assert replace(stored, label_id=0) == given
    assert missed.span == Span(start=2, end=5, occurrence=1)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param([], 0.5, id="nobody: the judge's"),
        pytest.param([(C, "ann")], 0.0, id="one reviewer"),
        pytest.param([(C, "ann"), (S, "bob"), (C, "eve")], 0.0, id="majority"),
        pytest.param([(C, "ann"), (S, "bob")], 0.5, id="tie: the judge's"),
        pytest.param([(C, "ann"), (S, "ann")], 0.5, id="change of mind"),
        pytest.param([(S, "ann"), (C, "ann"), (C, "bob")], 0.0, id="a changed mind counts once"),
        pytest.param([(None, "ann")], 0.0, id="not a claim leaves one unsupported claim"),
        pytest.param([(None, "ann"), (S, "bob")], 0.5, id="tie with not a claim"),
        pytest.param([(S, "ann"), (S, "bob"), (C, "chief", LabelRole.ADJUDICATOR)], 0.0, id="adjudicated"),
        pytest.param([(C, "chief", LabelRole.ADJUDICATOR), (S, "ann"), (S, "bob")], 0.0, id="adjudicated before"),
        pytest.param([(C, "chief", LabelRole.ADJUDICATOR), (S, "dan", LabelRole.ADJUDICATOR)], 0.5, id="the last one"),
    ],
)
def test_the_verdict_that_counts(
    db: Database, given: list[tuple[Verdict | None, str] | tuple[Verdict | None, str, LabelRole]], expected: float
) -> None:
    _store(db, (S, C))
    for verdict, by, *role in given:
        _give(db, 1, make_label(verdict, by=by, role=role[0] if role else LabelRole.REVIEWER))
    assert _faithfulness(db) == [expected]
    assert _faithfulness(db, View.JUDGE) == [0.5]


def test_a_retraction_brings_the_label_before_back_and_stays_in_the_history(db: Database) -> None:
    _store(db, (S, C))
    first = _give(db, 1, make_label(C))
    second = _give(db, 1, make_label(S))
    assert _faithfulness(db) == [0.5]
    _retract(db, 1, second)
    assert _faithfulness(db) == [0.0]
    _retract(db, 1, first)
    assert _faithfulness(db) == [0.5]
    kinds = [label.kind for _, label in labels.list_labels(db, RUN)]
    assert kinds == [LabelKind.VERDICT, LabelKind.VERDICT, LabelKind.RETRACTION, LabelKind.RETRACTION]


def test_an_answer_whose_claims_are_none_has_no_claims_and_one_with_a_missed_claim_is_judged(db: Database) -> None:
    _store(db, (C,), ())
    _give(db, 1, make_label(None))
    missed = _give(db, 2, make_label(C, None, kind=LabelKind.MISSED_CLAIM, corrected_text="x"))
    summary = summarise(db, get_run(db, RUN, now=NOW), view=View.REVIEWED)
    assert (summary.states[State.NO_CLAIMS], summary.states[State.JUDGED]) == (1, 1)
    assert summary.score.mean == 0.0
    _retract(db, 2, missed)
    assert summarise(db, get_run(db, RUN, now=NOW), view=View.REVIEWED).score.mean is None


def test_settled_scores_equal_those_worked_out_from_the_whole_history(db: Database) -> None:
    source = random.Random(11)
    rows = [tuple(source.choices((S, P, N, C), k=source.randint(1, 5))) for _ in range(8)]
    _store(db, *rows)
    given: list[tuple[int, Label]] = []
    for _ in range(150):
        row = source.randint(1, len(rows))
        claim = source.randint(1, len(rows[row - 1]))
        verdict = source.choice((S, P, N, C, None))
        role = source.choices((LabelRole.REVIEWER, LabelRole.ADJUDICATOR), (9, 1))[0]
        stored = _give(db, row, make_label(verdict, claim, by=source.choice("abcd"), role=role))
        if source.random() < 0.2:
            _retract(db, row, stored)
        if source.random() < 0.1:
            _give(db, row, make_label(source.choice((S, C)), None, kind=LabelKind.MISSED_CLAIM, corrected_text="x"))
    given = labels.list_labels(db, RUN)
    expected = []
    for row, judged in enumerate(rows, start=1):
        own = [label for position, label in given if position == row]
        verdicts = [
            effective_verdict(verdict, [label for label in own if label.claim_number == number]).verdict
            for number, verdict in enumerate(judged, start=1)
        ]
        verdicts += [label.verdict for label in own if label.kind is LabelKind.MISSED_CLAIM]
        kept = [verdict for verdict in verdicts if verdict is not None]
        expected.append(scoring.faithfulness(kept) if kept else 1.0)
    assert _faithfulness(db) == pytest.approx(expected)


def test_many_labels_at_once_settle_as_one_by_one(db: Database) -> None:
    _store(db, (S, C), (S, C))
    labels.add_labels(db, [(RUN, 2, make_label(C)), (RUN, 1, make_label(S, 2)), (RUN, 2, make_label(S))])
    assert _faithfulness(db) == [1.0, 0.5]
    with pytest.raises(NotFound, match="claim 9"):
        labels.add_labels(db, [(RUN, 1, make_label(C)), (RUN, 1, make_label(C, 9))])
    with pytest.raises(NotFound, match="row 7"):
        labels.add_labels(db, [(RUN, 7, make_label(C))])
    assert len(labels.list_labels(db, RUN)) == 3
    assert sorted(labels.iterate_claims(db, RUN)) == [(1, 1), (1, 2), (2, 1), (2, 2)]
    assert {row: len(found) for row, found in labels.list_labels_between(db, RUN, 2, 9).items()} == {2: 2}


def test_labels_of_what_is_not_there_are_refused_and_nobody_takes_back_another_s(db: Database) -> None:
    _store(db, (S,), (S,))
    label = _give(db, 1, make_label(C))
    for position, given in ((3, make_label(C)), (1, make_label(C, 2))):
        with pytest.raises(NotFound):
            _give(db, position, given)
    with pytest.raises(InvalidInput, match="only the reviewer who gave"):
        _retract(db, 1, label, by="bob")
    with pytest.raises(NotFound):
        _retract(db, 2, label)
    assert [found for _, found in labels.list_labels(db, RUN)] == [label]


def test_a_deleted_run_takes_its_labels_along(db: Database) -> None:
    _store(db, (S,))
    _give(db, 1, make_label(C))
    retention.delete_run(db, RUN)
    assert not labels.has_labels(db, RUN)


def test_eight_writers_on_one_answer_lose_nothing(db: Database) -> None:
    _store(db, (S, S))
    with ThreadPoolExecutor(8) as pool:
        names = [f"reviewer {n}" for n in range(8)]
        stored = list(pool.map(lambda by: [_give(db, 1, make_label(C, n % 2 + 1, by=by)) for n in range(5)], names))
    ids = [label.label_id for group in stored for label in group]
    assert len(set(ids)) == 40
    assert sorted(ids) == sorted(label.label_id for _, label in labels.list_labels(db, RUN))
    for group in stored:
        assert all(first.label_id < second.label_id for first, second in pairwise(group))
    assert _faithfulness(db) == [0.0]


@pytest.mark.process
@pytest.mark.skipif(os.name == "nt", reason="a process cannot be killed with SIGKILL on Windows")
def test_a_killed_writer_loses_nothing_that_it_was_told_is_stored(db: Database, store_url: str) -> None:
    _store(db, *[(S, S, S)] * 40)
    script = f"""
import itertools, sys
from faithview.domain.claim import Verdict
from faithview.store import labels
from faithview.store.database import open_database
from tests.factories import make_label
db = open_database({store_url!r})
for n in itertools.count():
    stored = labels.add_label(db, make_label(Verdict.CONTRADICTED, n % 3 + 1), run_id={RUN!r}, position=n % 40 + 1)
    print(stored.label_id, flush=True)
"""
    with subprocess.Popen([sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        acknowledged = [int(writer.stdout.readline()) for _ in range(60)]
        writer.send_signal(signal.SIGKILL)
        acknowledged += [int(line) for line in writer.stdout if line.endswith("\n")]
    stored = {label.label_id: (row, label) for row, label in labels.list_labels(db, RUN)}
    assert set(acknowledged) <= set(stored)
    # What was stored is whole: every answer's score follows from its labels.
    touched = {row: {label.claim_number for at, label in stored.values() if at == row} for row, _ in stored.values()}
    expected = [1 - len(touched.get(row, ())) / 3 for row in range(1, 41)]
    assert _faithfulness(db) == pytest.approx(expected)
