"""Another tool's results as a run: its scores stand, nothing is judged, and nothing is said that it did not say."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from faithview.domain.answer import AnswerFilter, Order, View
from faithview.domain.claim import Verdict
from faithview.domain.comparison import Cause
from faithview.domain.errors import InvalidInput, JudgeUnavailable, UnreadableFile
from faithview.domain.result import State
from faithview.domain.run import RunStatus
from faithview.formats.readers import by_name, registry
from faithview.formats.reading.reader import Annotation, Judged, Reader, Row
from faithview.formats.reading.values import make_claim, read_claims
from faithview.services.comparison.compare import compare_runs
from faithview.services.comparison.compared_runs import waterfall_steps
from faithview.services.comparison.comparison_document import compare_document
from faithview.services.container import Store
from faithview.services.dataset_files import open_dataset
from faithview.services.exports import export_documents
from faithview.services.imports import ImportedRun, find_results, import_run
from faithview.services.judge_quality.scorecards import list_judge_cards
from faithview.services.results import get_answer_at, get_summary, list_runs
from faithview.services.review.labels import LabelProvenance
from faithview.services.runs import intake
from faithview.services.runs.create import check_judge
from faithview.store import results, retention
from faithview.store.answers import list_answers
from faithview.wording.findings import result_finding, run_finding
from tests.factories import label_missed_claim
from tests.formats.made_files import as_jsonl
from tests.formats.readers.reading import FILES

ROWS: Sequence[Mapping[str, Any]] = (
    {"user_input": "How tall?", "response": "It is 330 m.", "retrieved_contexts": ["It is 330 m."], "faithfulness": 1.0,
     "answer_relevancy": 0.75},
    {"user_input": "When?", "response": "In 1887.", "retrieved_contexts": ["It opened in 1889."], "faithfulness": 0.25,
     "answer_relevancy": 0.5},
    {"user_input": "Who?", "response": "Gustave.", "retrieved_contexts": ["It opened in 1889."],
     "faithfulness": float("nan"), "answer_relevancy": 1.0},
)  # fmt: skip


def imported(services: Store, rows: Sequence[Mapping[str, Any]] = ROWS, *maps: str, **request: Any) -> ImportedRun:
    dataset = open_dataset(as_jsonl(rows), name="x.jsonl").remap(list(maps))
    return import_run(services, find_results(dataset), **request)


def test_scores_without_claims_stand_and_a_row_without_a_score_is_failed(services: Store) -> None:
    summary = imported(services).summary
    run_id = summary.run.run_id
    assert (summary.run.name, summary.run.judge.name, summary.run.is_imported) == ("x (judged by Ragas)", "Ragas", True)
    assert (summary.score.mean, summary.score.judged, summary.score.unscored) == (0.625, 2, 1)
    assert (summary.weighted, summary.hallucination_rate, sum(summary.claims.values())) == (None, None, 0)
    assert summary.faithful_rows == 1
    details = [get_answer_at(services, run_id, position) for position in (1, 2, 3)]
    assert [(d.result.state, d.result.faithfulness, d.result.is_faithful) for d in details] == [
        (State.JUDGED, 1.0, True),
        (State.JUDGED, 0.25, False),
        (State.FAILED, None, None),
    ]
    assert details[2].result.error == "Ragas gave this answer no score."
    assert details[0].result.metrics == {"answer_relevancy": 0.75}
    assert details[0].sample.extra == {"faithfulness": 1.0, "answer_relevancy": 0.75}


def test_lists_exports_and_sentences_say_that_there_are_no_claims(services: Store) -> None:
    summary = imported(services).summary
    page = list_answers(services.db, summary.run.run_id, AnswerFilter(), order=Order.WORST)
    assert [row.faithfulness for row in page.rows] == [0.25, 1.0, None]
    exported = list(export_documents(services, summary.run.run_id))
    assert [(row["state"], row["faithfulness"], row["claims"]) for row in exported][:2] == [
        ("judged", 1.0, []),
        ("judged", 0.25, []),
    ]
    assert "without claims" in run_finding(summary)
    assert "1 of 2 answers reach the threshold" in run_finding(summary)
    assert result_finding(get_answer_at(services, summary.run.run_id, 2).result) == (
        "**Not faithful:** scored 0.25 without claims, so no claim says what is wrong."
    )


def test_an_imported_run_is_compared_with_another(services: Store) -> None:
    before = imported(services, name="before").summary.run
    better = [dict(row, faithfulness=1.0) for row in ROWS[:2]]
    after = imported(services, better, name="after").summary.run
    comparison = compare_runs(services, before.run_id, after.run_id)
    assert comparison.difference.mean == pytest.approx(0.375)
    (change,) = comparison.changes
    assert [(term.cause, term.value) for term in change.terms] == [(Cause.OTHER, 0.75)]
    document = compare_document(services, comparison).to_dict()
    assert (document["changes"][0]["claims_broken"], document["changes"][0]["claims_fixed"]) == ([], [])
    assert waterfall_steps(comparison)[1].label == "Other: higher"


def test_an_imported_run_is_compared_with_a_run_that_has_claims(services: Store) -> None:
    before = imported(services, name="before").summary.run
    claims = [{"text": row["response"], "verdict": "no"} for row in ROWS]
    rows = [dict(row, mine=[claim]) for row, claim in zip(ROWS, claims, strict=True)]
    after = imported(services, rows, "claims=mine", "score=", name="after").summary.run
    comparison = compare_runs(services, before.run_id, after.run_id)
    assert comparison.difference.mean == pytest.approx(-0.625)
    assert {term.cause for change in comparison.changes for term in change.terms} == {Cause.OTHER}


def test_an_imported_run_cannot_be_continued(services: Store) -> None:
    run = imported(services).summary.run
    with pytest.raises(JudgeUnavailable, match="judged by Ragas, whose results were imported"):
        check_judge(run.judge)


def test_claims_that_people_add_do_not_change_a_score_given_without_claims(services: Store) -> None:
    run_id = imported(services).summary.run.run_id
    ann = LabelProvenance(reviewer="ann")
    label_missed_claim(services, run_id, 1, start=0, end=5, verdict="contradicted", provenance=ann)
    assert get_summary(services, run_id, view=View.REVIEWED).score.mean == 0.625
    length = len("It is 330 m.")
    label_missed_claim(services, run_id, 1, start=0, end=length, verdict="contradicted", provenance=ann)
    assert get_summary(services, run_id, view=View.REVIEWED).score.mean == 0.125
    (first, *_) = export_documents(services, run_id)
    assert first["faithfulness"] == 0.0


CLAIMS = [
    {"claim": "It is 330 m.", "verdict": "yes", "reason": "It says so."},
    {"statement": "It opened in 1887.", "label": "Contradiction"},
    {"text": "It is nice.", "verdict": "idk"},
]


@pytest.mark.parametrize("as_text", [False, True], ids=["list", "JSON in a cell"])
def test_claims_in_a_column_are_the_runs_claims(services: Store, *, as_text: bool) -> None:
    claims: Any = json.dumps(CLAIMS) if as_text else CLAIMS
    row = {"question": "q", "answer": "It is 330 m. It opened in 1887.", "contexts": ["c"], "statements": claims,
           "groundedness": 0.5, "who": "grader 2"}  # fmt: skip
    summary = imported(services, [row], "claims=statements", "judge=who").summary
    assert summary.run.judge.name == "grader 2"
    result = get_answer_at(services, summary.run.run_id, 1).result
    assert [(c.verdict, c.explanation, c.is_anchored) for c in result.claims] == [
        (Verdict.SUPPORTED, "It says so.", True),
        (Verdict.CONTRADICTED, "", True),
        (Verdict.NOT_MENTIONED, "", False),
    ]
    # Counted from the claims; the tool's own score stays beside it.
    assert result.faithfulness == pytest.approx(1 / 3)
    assert result.metrics == {"grader 2 faithfulness": 0.5}
    assert summary.weighted == 0.0


def test_without_one_of_its_claims_an_answer_has_none_and_the_first_bad_one_is_named() -> None:
    claims, notes = read_claims([{"text": "A.", "verdict": "yes"}, "B.", {"text": "C."}], answer="A.")
    assert claims == ()
    assert "claim 2: it is 'B.', not an object" in notes[0]


@pytest.mark.parametrize(
    ("maps", "cell", "score"),
    [
        (["score=s"], "0,75", 0.75),
        (["score=s"], "85%", 0.85),
        (["score=s"], "pass", 1.0),
        (["score=s"], "No", 0.0),
        (["score=s"], 1, 1.0),
        (["score=s"], "NaN", None),
        (["score=s"], "N/A", None),
        (["score=s", "score_range=1-5"], {"score": True}, 1.0),
        (["score=s", "score_range=0-1"], 7, None),
        (["score=s", "score_range=1-5"], 4, 0.75),
        (["hallucination=s"], 0.25, 0.75),
        (["hallucination=s"], "yes", 0.0),
        (["hallucination=s"], "hallucinated", 0.0),
        (["hallucination=s"], "faithful", 1.0),
    ],
)
@pytest.mark.parametrize("store_url", ["sqlite"], indirect=True)  # read before anything is stored
def test_scores_are_read_however_they_are_written(
    services: Store, maps: list[str], cell: object, score: float | None
) -> None:
    rows = [{"answer": "a", "contexts": ["c"], "s": cell}, {"answer": "b", "contexts": ["c"], "s": 1}]
    run_id = imported(services, rows, *maps).summary.run.run_id
    result = get_answer_at(services, run_id, 1).result
    assert result.faithfulness == (None if score is None else pytest.approx(score))
    if cell == 7:
        assert result.error == "The result cannot be read: the score is 7, which is not between 0 and 1."


def test_a_file_that_is_replaced_between_the_passes_is_named(services: Store, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(as_jsonl(ROWS))
    found = find_results(open_dataset(path))
    path.write_text("[]\n", encoding="utf-8")
    with pytest.raises(UnreadableFile, match=r"x.jsonl was changed while it was read"):
        import_run(services, found)


def test_a_cell_that_says_that_there_was_no_error_is_none(services: Store) -> None:
    said = ["None", "nan", False, 0, "", "out of tokens"]
    rows = [{"answer": "a", "contexts": ["c"], "s": 0.5, "failed": cell} for cell in said]
    run_id = imported(services, rows, "score=s", "error=failed").summary.run.run_id
    results = [get_answer_at(services, run_id, position).result for position in range(1, 7)]
    assert [result.state for result in results] == [*[State.JUDGED] * 5, State.FAILED]
    assert results[-1].error == "out of tokens"


def test_a_file_without_results_or_with_several_scores_is_asked_about(services: Store) -> None:
    row: dict[str, Any] = {"answer": "a", "contexts": ["c"]}
    with pytest.raises(InvalidInput, match="Name one with --map score=COLUMN"):
        imported(services, [row])
    row = {**row, "groundedness": 1, "faithful": 0}
    with pytest.raises(InvalidInput, match=r"Say which with --map score=groundedness or --map score=faithful\."):
        imported(services, [row])
    assert imported(services, [row], "score=faithful").summary.score.mean == 0


def test_a_file_of_results_may_have_no_chunks(services: Store) -> None:
    assert imported(services, [{"answer": "a", "groundedness": 1}]).summary.score.mean == 1


def test_what_people_said_becomes_labels(services: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = "It is 330 m. It opened in 1887."

    def judged(row: Row) -> Judged:
        if row.sample.key == "whole":
            return Judged(score=1.0, annotations=(Annotation(verdict=Verdict.NOT_MENTIONED, reviewer="bob"),))
        claims = (
            replace(
                make_claim("It is 330 m.", Verdict.SUPPORTED, answer=answer),
                supporting_chunk_ids=("1", "nowhere"),
            ),
            make_claim("It opened in 1887.", Verdict.SUPPORTED, answer=answer),
        )
        return Judged(
            judge="tool 2",
            claims=claims,
            annotations=(
                Annotation(verdict=Verdict.CONTRADICTED, claim_number=2, note="1889"),
                Annotation(verdict=Verdict.CONTRADICTED, claim_number=7),
                Annotation(verdict=Verdict.SUPPORTED),
            ),
        )

    reader = Reader(name="tool", title="Tool", recognise=by_name.recognise, judged=judged)
    monkeypatch.setattr(registry, "READERS", (reader,))
    run = imported(
        services,
        [{"id": k, "answer": answer, "contexts": ["c"], "score": 1} for k in ("claims", "whole")],
        "score=score",
    )
    assert run.labels == 2
    assert run.report.warnings == {
        "An annotation was left out: the answer has no claim 7.": 1,
        "An annotation applies to a whole answer with claims; it is kept with the row but is not a label.": 1,
    }
    reviewed = get_summary(services, run.summary.run.run_id, view=View.REVIEWED)
    assert (run.summary.score.mean, reviewed.score.mean) == (1.0, 0.25)
    result = get_answer_at(services, run.summary.run.run_id, 1).result
    assert result.claims[0].supporting_chunk_ids == ("1",)
    assert result.warnings == ("Claims name chunks that the row does not have: nowhere.",)


def test_a_labelled_set_is_peoples_verdict_and_what_they_marked_their_labels(services: Store) -> None:
    dataset = open_dataset(FILES / "ragtruth" / "response.jsonl")
    done = import_run(services, find_results(dataset))
    run_id = done.summary.run.run_id
    assert done.summary.run.name == "response (judged by RAGTruth's annotators)"
    assert (done.labels, done.summary.score.mean, done.summary.faithful_rows) == (3, 1 / 2, 2)
    first = next(iter(export_documents(services, run_id)))
    assert [label["verdict"] for label in first["missed_claims"]] == ["contradicted", "not_mentioned"]
    # That people agree with themselves is no finding.
    assert [card.labelled for card in list_judge_cards(services)] == [0]


def test_an_import_that_was_stopped_leaves_nothing_twice(
    services: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def annotated(row: Row) -> Judged:
        claims, _ = read_claims([{"text": row.sample.answer, "verdict": "yes"}], answer=row.sample.answer)
        note = Annotation(verdict=Verdict.CONTRADICTED, reviewer="ann", claim_number=1)
        return Judged(claims=claims, judge="tool 1", annotations=(note,))

    tool = Reader(name="tool", title="Tool", recognise=by_name.recognise, judged=annotated)
    monkeypatch.setattr(registry, "READERS", (tool,))
    monkeypatch.setattr(intake, "_MOST_ROWS", 4)
    path = tmp_path / "results.jsonl"
    path.write_bytes(as_jsonl([{**ROWS[0], "id": f"k{n}", "claims": "x"} for n in range(15)]))

    save_results = results.save_results

    def die(*arguments: Any, **more: Any) -> bool:
        if arguments[2][0][0] > 8:  # its rows are stored by then
            raise KeyboardInterrupt
        return save_results(*arguments, **more)

    found = find_results(open_dataset(path))
    with monkeypatch.context() as patched:
        patched.setattr(results, "save_results", die)
        with pytest.raises(KeyboardInterrupt):
            import_run(services, found, name="stopped")
    assert list_runs(services) == []
    with monkeypatch.context() as patched:
        patched.setattr(results, "save_results", die)
        patched.setattr(retention, "delete_run", None)  # as after a kill
        with pytest.raises(KeyboardInterrupt):
            import_run(services, found, name="stopped")
    assert get_summary(services, "stopped").rows == 12
    again = import_run(services, find_results(open_dataset(path)), name="stopped")
    assert [run.name for run in list_runs(services)] == ["stopped"]
    whole = import_run(services, find_results(open_dataset(path)), name="whole")
    assert again.labels == whole.labels == 15
    for view in View:
        first, second = (get_summary(services, name, view=view) for name in ("stopped", "whole"))
        assert (first.states, first.claims, first.score) == (second.states, second.claims, second.score)
        assert second.run.rows_hash == first.run.rows_hash is not None
    assert again.summary.run.status is RunStatus.COMPLETE
