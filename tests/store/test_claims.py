"""What queries read under people's verdicts is what the domain's rules give for the same labels."""

import itertools
from dataclasses import replace

import hypothesis.strategies as st
from hypothesis import HealthCheck, given, settings
from sqlalchemy import select

from faithview import Result, Sample, State, Verdict
from faithview.domain import scoring
from faithview.domain.answer import AnswerFilter, Order, View
from faithview.domain.label import Label, LabelKind, LabelRole, VerdictSource
from faithview.domain.scoring import apply_labels, reviewed_state
from faithview.services.exports import export_document
from faithview.store import answers, labels, results
from faithview.store.claims import effective_verdict, settled_verdict
from faithview.store.database import Database
from faithview.store.schema.review import ClaimReviewRow
from faithview.store.schema.runs import ClaimRow, SampleRow
from tests.factories import make_label, make_result, make_run, store_run

_numbers = itertools.count(1)
_SETTLED = (VerdictSource.REVIEWERS, VerdictSource.ADJUDICATED)

verdicts = st.sampled_from(list(Verdict))
judged = st.one_of(
    st.lists(verdicts, max_size=4).map(lambda given: make_result(*given)),
    st.sampled_from([State.ABSTAINED, State.EMPTY_CONTEXT, State.FAILED]).map(lambda state: make_result(state=state)),
)


@st.composite
def labelled_answers(draw: st.DrawFn) -> tuple[list[Result], list[tuple[int, Label]], set[int]]:
    """Results, labels as (row, label), and which of the labels their reviewers take back."""
    answers_ = draw(st.lists(judged, min_size=1, max_size=3))
    given: list[tuple[int, Label]] = []
    for row in draw(st.lists(st.integers(1, len(answers_)), max_size=8)):
        number = draw(st.integers(0, len(answers_[row - 1].claims))) or None
        verdict = draw(verdicts if number is None else st.one_of(st.none(), verdicts))
        kind = LabelKind.MISSED_CLAIM if number is None else LabelKind.VERDICT if verdict else LabelKind.NOT_A_CLAIM
        label = make_label(
            verdict,
            number,
            by=draw(st.sampled_from(["ann", "bob", "eve"])),
            kind=kind,
            role=draw(st.sampled_from(list(LabelRole))) if number else LabelRole.REVIEWER,
            corrected_text="A claim that the judge missed." if number is None else None,
        )
        given.append((row, label))
    retracted = draw(st.sets(st.integers(0, len(given) - 1), max_size=3)) if given else set()
    return answers_, given, retracted


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(case=labelled_answers())
def test_queries_agree_with_the_rules_of_the_domain(
    db: Database, case: tuple[list[Result], list[tuple[int, Label]], set[int]]
) -> None:
    judged_, given_, retracted = case
    run = make_run(f"r{next(_numbers)}")
    samples = [Sample.of(f"answer {n}", ["chunk"], question=f"{run.run_id} q{n}") for n in range(len(judged_))]
    store_run(db, samples, judged_, run=run)
    labels.add_labels(db, [(run.run_id, row, label) for row, label in given_])
    stored = [label for _, label in sorted(labels.list_labels(db, run.run_id), key=lambda item: item[1].label_id)]
    taken_back = [
        (
            run.run_id,
            given_[at][0],
            replace(stored[at], kind=LabelKind.RETRACTION, verdict=None, retracts=stored[at].label_id),
        )
        for at in sorted(retracted)
    ]
    labels.add_labels(db, taken_back)

    history = labels.list_labels(db, run.run_id)
    page = answers.list_answers(
        db, run.run_id, AnswerFilter(), view=View.REVIEWED, order=Order.FILE, offset=0, limit=50
    )
    details = results.list_details(db, run.run_id, after=0, limit=50)
    effective, settled = _read_verdicts(db, run.run_id)
    assert len(page.rows) == len(judged_)
    for row, detail, result in zip(page.rows, details, judged_, strict=True):
        own = [label for position, label in history if position == row.position]
        reviewed = apply_labels(result.verdicts, own)
        verdicts_ = reviewed.verdicts if reviewed.labelled else result.verdicts
        if reviewed.labelled:
            assert row.state is reviewed_state(result.state, claims=len(verdicts_))
            scored = verdicts_ if row.state is State.JUDGED else ()
            assert row.faithfulness == scoring.faithfulness(scored)
            assert row.is_faithful == scoring.is_faithful(scored, threshold=result.threshold)
        else:
            assert (row.state, row.faithfulness) == (result.state, result.faithfulness)
            assert row.is_faithful == result.is_faithful
        assert row.claims == {verdict: verdicts_.count(verdict) for verdict in Verdict}
        document = export_document(detail, own)
        assert (document["state"], document["faithfulness"]) == (row.state.value, row.faithfulness)
        assert document["is_faithful"] == row.is_faithful
        for number, item in enumerate(reviewed.effective, start=1):
            assert effective[row.position, number] == item.verdict
            expected = (item.verdict or "") if item.source in _SETTLED else None
            assert settled[row.position, number] == expected


def _read_verdicts(
    db: Database, run_id: str
) -> tuple[dict[tuple[int, int], str | None], dict[tuple[int, int], str | None]]:
    """Return the effective and the settled verdicts that queries read, by (row, claim number)."""
    query = (
        select(SampleRow.position, ClaimRow.number, effective_verdict(View.REVIEWED), settled_verdict())
        .join(SampleRow, SampleRow.id == ClaimRow.sample_id)
        .outerjoin(ClaimReviewRow, ClaimReviewRow.claim_id == ClaimRow.id)
        .where(ClaimRow.run_id == run_id)
    )
    with db.read() as connection:
        rows = [((row, number), own, people) for row, number, own, people in connection.execute(query)]
    return {place: own for place, own, _ in rows}, {place: people for place, _, people in rows}
