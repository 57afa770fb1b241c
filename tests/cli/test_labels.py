"""`faithview labels import`, `labels` and `agreement`: the contract, key by key, and files good and bad."""

import json
from pathlib import Path
from typing import Any

import pytest

from faithview.domain.answer import AnswerFilter, Order, View
from faithview.services.review import label_files, queue
from faithview.store.answers import list_answers
from tests.cli.conftest import Command
from tests.factories import draw_check, open_services

AGREEMENT = ["labelled_claims", "accuracy", "cohen_kappa", "confusion", "judge_faithfulness", "human_corrected"]
AGREEMENT += ["weighted", "sensitivity", "specificity", "precision", "missed_claims", "used_claims"]
AGREEMENT += ["not_known", "rates"]
CORRECTED = [
    "estimate", "ci", "method", "labelled_rows", "labels", "n", "tied",
    "skipped", "lambda", "labels_only", "labels_only_ci",
]  # fmt: skip
VERDICTS = ["supported", "partially_supported", "not_mentioned", "contradicted"]


@pytest.fixture
def run_id(faithview: Command, dataset: Path) -> str:
    """A run of an answer that is right, one that is wrong, and an abstention."""
    return str(faithview("evaluate", dataset, "--json").document["run_id"])


def _write(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def _labels(faithview: Command, run_id: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = faithview("labels", "export", run_id, "--json").document["labels"]
    return rows


def test_good_rows_are_kept_and_bad_ones_named(faithview: Command, run_id: str, tmp_path: Path) -> None:
    good = {"claim_id": f"{run_id}-1-1", "verdict": "supported", "reviewer": "ann", "note": "=1+1", "blind": True}
    rows: list[dict[str, Any]] = [
        good,
        {**good, "verdict": "so-so"},
        {**good, "claim_id": f"{run_id}-1-9"},
        {**good, "claim_id": "other-1-1"},
        {**good, "claim_id": None},
        {**good, "reviewer": " "},
        {**good, "at": "yesterday"},
        {**good, "blind": "perhaps"},
        {**good, "role": "king"},
        {"claim_id": f"{run_id}-2-1", "verdict": "not_a_claim", "reviewer": "bob", "at": "2026-03-01T12:00:00+01:00"},
    ]
    done = faithview("labels", "import", run_id, _write(tmp_path / "labels.jsonl", rows), "--json")
    assert done.status == 0, done.err
    assert done.document == {"added": 2, "known": 0, "problems": 8}
    assert done.err.count("left out:") == 8
    for words in (
        "'so-so'",
        "-1-9'",
        "'other-1-1'",
        "no claim_id",
        "no reviewer",
        "'yesterday'",
        "'perhaps'",
        "'king'",
    ):
        assert words in done.err
    first, second = _labels(faithview, run_id)
    assert (first["verdict"], first["reviewer"], first["note"], first["blind"]) == ("supported", "ann", "=1+1", True)
    assert (second["verdict"], second["at"]) == ("not_a_claim", "2026-03-01T11:00:00+00:00")


def test_a_dash_is_standard_output_for_every_file_that_a_command_writes(
    faithview: Command, run_id: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    row = {"claim_id": f"{run_id}-1-1", "verdict": "supported", "reviewer": "ann"}
    faithview("labels", "import", run_id, _write(tmp_path / "in.jsonl", [row]))
    files = sorted(tmp_path.iterdir())
    report = faithview("report", run_id, "-o", "-")
    assert (report.status, report.err) == (0, "Wrote the report to standard output.\n")
    assert report.out.startswith("<!doctype html>")
    assert faithview("report", run_id, "-o", "-", "--format", "markdown").out.startswith("# ")
    export = faithview("export", run_id, "-o", "-")
    assert [json.loads(line)["key"] for line in export.out.splitlines()] == ["a", "b", "c"]
    assert "Wrote 3 answers to standard output" in export.err
    (label,) = faithview("labels", "export", run_id, "-o", "-").out.splitlines()
    assert json.loads(label)["reviewer"] == "ann"
    both = faithview("labels", "export", run_id, "-o", "-", "--json")
    assert (both.status, both.out) == (2, "")
    assert "name a file with -o" in both.err
    pulled = faithview("pull", "phoenix", "--source-project", "p", "-o", "-")
    assert (pulled.status, pulled.out) == (2, "")
    assert "the file needs a name" in pulled.err
    assert sorted(tmp_path.iterdir()) == files


@pytest.mark.parametrize("name", ["out.csv", "out.jsonl"])
def test_labels_written_to_a_file_are_known_when_read_again(
    faithview: Command, run_id: str, tmp_path: Path, name: str
) -> None:
    rows: list[dict[str, Any]] = [
        {"claim_id": f"{run_id}-1-1", "verdict": "supported", "reviewer": "-ann", "note": '=A1, "x"\nсмех'},
        {"claim_id": f"{run_id}-1-1", "verdict": "contradicted", "reviewer": "eve", "role": "adjudicator"},
        {"claim_id": f"{run_id}-2-1", "verdict": "not_a_claim", "reviewer": "'+bob", "blind": "yes"},
    ]
    assert faithview("labels", "import", run_id, _write(tmp_path / "in.jsonl", rows)).status == 0
    before = _labels(faithview, run_id)
    out = tmp_path / name
    done = faithview("labels", "export", run_id, "-o", out)
    assert (done.status, done.out) == (0, "")
    again = faithview("labels", "import", run_id, out, "--json")
    assert again.document == {"added": 0, "known": 3, "problems": 0}, again.err
    assert _labels(faithview, run_id) == before
    assert {row["role"] for row in before} == {"reviewer", "adjudicator"}


def test_importing_twice_changes_nothing_even_where_a_file_contradicts_itself(
    faithview: Command, run_id: str, tmp_path: Path
) -> None:
    claim = {"claim_id": f"{run_id}-1-1", "reviewer": "ann"}
    rows: list[dict[str, Any]] = [
        {**claim, "verdict": "supported"},
        {**claim, "verdict": "contradicted"},
        {**claim, "reviewer": "bob", "verdict": "contradicted", "at": "2026-03-02T00:00:00Z"},
        {**claim, "reviewer": "bob", "verdict": "supported", "at": "2026-03-01T00:00:00Z"},
        {**claim, "reviewer": "bob", "verdict": "supported", "at": "2026-03-01T00:00:00Z"},
    ]
    file = _write(tmp_path / "labels.jsonl", rows)
    first = faithview("labels", "import", run_id, file, "--json")
    assert first.document == {"added": 3, "known": 1, "problems": 1}
    assert "row 1: row 2 gives another verdict" in first.err
    before = _labels(faithview, run_id)
    # The later label of each person counts, whatever the order in the file.
    assert [(row["reviewer"], row["verdict"]) for row in before] == [("bob", "contradicted"), ("ann", "contradicted")]
    assert faithview("labels", "import", run_id, file, "--json").document == {"added": 0, "known": 4, "problems": 1}
    assert _labels(faithview, run_id) == before


def test_a_label_older_than_what_its_author_says_now_does_not_replace_it(
    faithview: Command, run_id: str, tmp_path: Path
) -> None:
    row = {"claim_id": f"{run_id}-1-1", "reviewer": "ann", "verdict": "supported"}
    faithview("labels", "import", run_id, _write(tmp_path / "new.jsonl", [row]))
    old = {**row, "verdict": "contradicted", "at": "2020-01-01T00:00:00Z"}
    done = faithview("labels", "import", run_id, _write(tmp_path / "old.jsonl", [old]), "--json")
    assert done.document == {"added": 0, "known": 0, "problems": 1}
    assert "older" in done.err
    assert [label["verdict"] for label in _labels(faithview, run_id)] == ["supported"]


@pytest.mark.parametrize(
    "command",
    [("labels", "import", "nope", "labels.jsonl"), ("labels", "export", "nope"), ("labels", "agreement", "nope")],
)
def test_an_unknown_run_or_file_is_one_line_and_status_2(faithview: Command, command: tuple[str, ...]) -> None:
    done = faithview(*command)
    assert (done.status, done.out) == (2, "")
    assert len(done.err.splitlines()) == 1


def test_agreement_prints_the_contract_s_document_and_says_why_it_corrects_nothing(
    faithview: Command, run_id: str, tmp_path: Path
) -> None:
    empty = faithview("labels", "agreement", run_id, "--json")
    assert list(empty.document) == AGREEMENT
    assert (empty.document["labelled_claims"], empty.document["accuracy"], empty.document["confusion"]) == (0, None, {})
    judged = [claim for line in _export(faithview, run_id, tmp_path) for claim in line["claims"]]
    assert [claim["verdict"] for claim in judged] == ["supported", "contradicted"]
    rows: list[dict[str, Any]] = [
        {"claim_id": judged[0]["claim_id"], "verdict": "supported", "reviewer": "ann"},
        {"claim_id": judged[1]["claim_id"], "verdict": "not_mentioned", "reviewer": "ann"},
    ]
    faithview("labels", "import", run_id, _write(tmp_path / "labels.jsonl", rows))
    done = faithview("labels", "agreement", run_id, "--json")
    document = done.document
    assert list(document) == AGREEMENT
    assert (document["labelled_claims"], document["accuracy"], document["judge_faithfulness"]) == (2, 0.5, 0.5)
    assert document["cohen_kappa"] == pytest.approx(1 / 3)
    assert list(document["confusion"]) == VERDICTS
    assert document["confusion"]["contradicted"]["not_mentioned"] == 1
    assert sum(count for row in document["confusion"].values() for count in row.values()) == 2
    assert list(document["human_corrected"]) == CORRECTED
    none = dict.fromkeys(("labelled_rows", "labels", "tied", "skipped"), 0)
    assert document["human_corrected"] == {**dict.fromkeys(CORRECTED), **none}
    assert "spot-check" in done.err
    assert "kappa" in faithview("labels", "agreement", run_id).out


def test_agreement_says_what_labels_on_flagged_claims_alone_do_not_show(
    faithview: Command, run_id: str, tmp_path: Path
) -> None:
    judged = [claim for line in _export(faithview, run_id, tmp_path) for claim in line["claims"]]
    row = {"claim_id": judged[1]["claim_id"], "verdict": "contradicted", "reviewer": "ann"}
    faithview("labels", "import", run_id, _write(tmp_path / "labels.jsonl", [row]))
    document = faithview("labels", "agreement", run_id, "--json").document
    why = "unknown: the labelled claims were not drawn at random"
    assert (document["sensitivity"], document["specificity"], document["not_known"]) == (None, None, why)
    assert document["precision"] == 1.0
    words = faithview("labels", "agreement", run_id).out
    assert f"recall              {why}" in words
    assert "precision           too few labels; 1 of 1 labelled" in words


def test_agreement_corrects_the_score_where_a_spot_check_was_labelled(
    faithview: Command, store: Path, tmp_path: Path
) -> None:
    file = tmp_path / "rows.jsonl"
    rows: list[dict[str, Any]] = [
        {"id": f"k{n}", "question": f"{n}?", "answer": "Parking is free.", "contexts": ["Parking is free."]}
        for n in range(12)
    ]
    run_id = faithview("evaluate", _write(file, rows), "--json").document["run_id"]
    with open_services(store) as services:
        check = draw_check(services, run_id, size=6)
        for position in range(1, 6):
            said = "contradicted" if position == 1 else "supported"
            queue.label_and_advance(services, check, position, said, reviewer="ann")
        half_way = faithview("labels", "agreement", run_id, "--json").document["human_corrected"]
        half_way_words = faithview("labels", "agreement", run_id).err
        queue.label_and_advance(services, check, 6, "supported", reviewer="ann")
    assert (half_way["estimate"], half_way["labelled_rows"]) == (None, 5)
    assert "5 of the 6 drawn claims are labelled" in " ".join(half_way_words.split())
    done = faithview("labels", "agreement", run_id, "--json")
    corrected = done.document["human_corrected"]
    assert done.err == ""
    assert corrected["estimate"] == pytest.approx(5 / 6)
    assert corrected["ci"][0] < corrected["estimate"] < corrected["ci"][1]
    assert (corrected["method"], corrected["labelled_rows"]) == ("labels-only", 6)
    assert (corrected["n"], corrected["labels"], corrected["tied"]) == (6, 6, 0)
    assert (corrected["lambda"], corrected["labels_only"]) == (0, pytest.approx(5 / 6))
    assert "6 labels in 6 answers" in " ".join(faithview("labels", "agreement", run_id).out.split())
    assert "labels-only" in faithview("labels", "agreement", run_id).out


def test_an_export_goes_by_reviewers_and_has_the_judge_beside_it(
    faithview: Command, run_id: str, store: Path, tmp_path: Path
) -> None:
    rows: list[dict[str, Any]] = [
        {"claim_id": f"{run_id}-1-1", "verdict": "contradicted", "reviewer": "ann"},
        {"claim_id": f"{run_id}-2-1", "verdict": "not_a_claim", "reviewer": "bob"},
        {"claim_id": f"{run_id}-3-missed", "verdict": "supported", "reviewer": "ann", "start": 0, "end": 4},
    ]
    assert faithview("labels", "import", run_id, _write(tmp_path / "labels.jsonl", rows)).status == 0
    reviewed = _export(faithview, run_id, tmp_path)
    first, second, third = reviewed
    (claim,) = first["claims"]
    assert (claim["verdict"], claim["effective_verdict"]) == ("supported", "contradicted")
    assert [(label["reviewer"], label["verdict"]) for label in claim["labels"]] == [("ann", "contradicted")]
    assert set(claim["labels"][0]) == set(label_files.COLUMNS)
    assert second["claims"][0]["effective_verdict"] == "not_a_claim"
    (missed,) = third["missed_claims"]
    assert (missed["start"], missed["end"], missed["corrected_text"]) == (0, 4, third["answer"][:4])
    assert (third["claims"], first["missed_claims"]) == ([], [])
    judged = [row["judge_result"] for row in reviewed]
    assert judged[0]["faithfulness"] == 1.0
    assert reviewed[0]["faithfulness"] == 0.0
    assert [row["state"] for row in reviewed] == ["judged", "no_claims", "abstained"]
    with open_services(store) as services:
        for view, exported in ((View.JUDGE, judged), (View.REVIEWED, reviewed)):
            shown = list_answers(services.db, run_id, AnswerFilter(), view=view, order=Order.FILE).rows
            assert [(row.state.value, row.faithfulness) for row in shown] == [
                (row["state"], row["faithfulness"]) for row in exported
            ]


def _export(faithview: Command, run_id: str, folder: Path, *options: str) -> list[dict[str, Any]]:
    out = folder / "export.jsonl"
    assert faithview("export", run_id, "-o", out, *options).status == 0
    return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("name", ["out.csv", "out.jsonl"])
def test_missed_claims_and_corrected_texts_go_out_and_come_in_again(
    faithview: Command, run_id: str, tmp_path: Path, name: str
) -> None:
    rows: list[dict[str, Any]] = [
        {"claim_id": f"{run_id}-1-1", "verdict": "contradicted", "reviewer": "ann", "corrected_text": "=Up to 20."},
        {"claim_id": f"{run_id}-1-missed", "verdict": "supported", "reviewer": "ann", "start": 0, "end": 4},
        {"claim_id": f"{run_id}-1-missed", "verdict": "supported", "reviewer": "ann", "start": 0, "end": 9},
        {"claim_id": f"{run_id}-1-missed", "verdict": "supported", "reviewer": "ann", "start": 5, "end": 9999},
        {"claim_id": f"{run_id}-1-missed", "verdict": "supported", "reviewer": "ann"},
        {"claim_id": f"{run_id}-99-missed", "verdict": "supported", "reviewer": "ann", "start": 0, "end": 4},
        {"claim_id": f"{run_id}-1-missed", "verdict": "not_a_claim", "reviewer": "ann", "start": 0, "end": 4},
    ]
    done = faithview("labels", "import", run_id, _write(tmp_path / "in.jsonl", rows), "--json")
    assert done.document == {"added": 3, "known": 0, "problems": 4}, done.err
    before = _labels(faithview, run_id)
    assert [(row["claim_id"], row["start"], row["end"]) for row in before] == [
        (f"{run_id}-1-1", None, None),
        (f"{run_id}-1-missed", 0, 4),
        (f"{run_id}-1-missed", 0, 9),
    ]
    assert before[0]["corrected_text"] == "=Up to 20."
    out = tmp_path / name
    assert faithview("labels", "export", run_id, "-o", out).status == 0
    assert faithview("labels", "import", run_id, out, "--json").document == {"added": 0, "known": 3, "problems": 0}
    assert _labels(faithview, run_id) == before


def test_a_file_of_which_no_row_can_be_used_is_refused(faithview: Command, run_id: str, tmp_path: Path) -> None:
    row = {"claim_id": f"{run_id}-9-9", "verdict": "so-so", "reviewer": "ann"}
    done = faithview("labels", "import", run_id, _write(tmp_path / "bad.jsonl", [row, row]), "--json")
    assert (done.status, done.out) == (2, "")
    assert done.err.count("left out:") == 2
    assert "none of the 2 rows of 'bad.jsonl' could be used" in done.err
    assert _labels(faithview, run_id) == []
