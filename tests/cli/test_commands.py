"""What commands print and how they end: the contract, key by key."""

import csv
import gzip
import io
import json
import re
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.parquet
import pytest

from faithview import open_store
from faithview.judges.judge_limits import measured_errors
from faithview.store.benchmarks import list_benchmarks
from faithview.store.runs import count_runs
from faithview.wording.findings import what_to_check
from tests.cli.conftest import Command, Terminal
from tests.factories import add_run
from tests.helpdesk import read_answers

STATES = ["pending", "judged", "no_claims", "abstained", "empty_context", "failed"]
VERDICTS = ["supported", "partially_supported", "not_mentioned", "contradicted"]
CLAIM = [
    "text", "verdict", "confidence", "claim_type", "importance", "explanation", "hallucination_type", "severity",
    "correction", "supporting_chunk_ids", "answer_spans", "evidence",
]  # fmt: skip
CHECK = ["faithfulness", "faithfulness_weighted", "is_faithful", "no_claims", "judge", "claims"]
RUN = [
    "run_id", "name", "judge", "method", "status", "rows", "states", "faithfulness", "faithfulness_ci",
    "faithfulness_bounds", "faithfulness_weighted", "hallucination_rate", "claims", "segments", "llm_calls",
    "cached_calls", "prompt_tokens", "completion_tokens", "cost_usd", "seconds",
]  # fmt: skip
EXPORT = ["key", "question", "answer", "segment", "state", "error", "faithfulness", "chunks", "claims", "extra"]
BENCH = [
    "balanced_accuracy", "f1_unfaithful", "precision_unfaithful", "recall_unfaithful", "auroc", "claim_auroc",
    "span_f1",
]  # fmt: skip
# What FaithView prints beyond the contract; the changelog names every one.
MORE_CLAIM = ["mismatches", "support_score", "decided_by"]
MORE_RESULT = ["suggestions", "metrics", "warnings", "raw_reply"]
MORE_CHECK = ["state", "error", *MORE_RESULT, "llm_calls", "prompt_tokens", "completion_tokens", "cost_usd"]
MORE_RUN = [
    "created_at", "archived_at", "note", "as_of", "kb_version", "fingerprint", "cached_prompt_tokens", "error",
    "repeat_of", "repeats", "rows_left_out", "series", "errors", "repaired_rows", "repairs", "application", "logged",
    "gaps", "unquoted_claims", "unplaced_claims", "uncovered_rows", "decided_by",
    "inclusion_probability", "source", "rows_hash",
    "threshold", "faithful_rows", "coverage",
]  # fmt: skip
MORE_EXPORT = [
    "is_faithful", "judge", "reference", "timestamp", "missed_claims", "inclusion_probability", "answer_score",
    "usage", "seconds", "judge_result", "schema_version", *MORE_RESULT,
]  # fmt: skip
MORE_CHUNK = ["score"]
OF_PEOPLE = ["claim_id", "labels", "notes", "effective_verdict"]


def _is(keys: Any, contract: list[str], more: list[str]) -> bool:
    """Return whether the keys are the contract's in its order, and besides them only those named."""
    found = list(keys)
    return [key for key in found if key not in more] == contract and sorted(set(found) - set(contract)) == sorted(more)


def test_an_answer_without_a_claim_has_no_number_anywhere(faithview: Command, dataset: Path, tmp_path: Path) -> None:
    for answer in ("", "The context does not say who."):
        document = faithview("check", "--answer", answer, "--context", "Parking is free.", "--json").document
        assert (document["faithfulness"], document["faithfulness_weighted"]) == (None, None)
        assert (document["is_faithful"], document["no_claims"]) == (None, True)
    assert "1.00" not in faithview("check", "--answer", "", "--context", "Parking is free.").out
    faithview("evaluate", dataset, "--name", "r")
    file = tmp_path / "out.jsonl"
    faithview("export", "r", "--format", "jsonl", "-o", file)
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert [(row["state"], row["faithfulness"]) for row in rows] == [
        ("judged", 1.0), ("judged", 0.0), ("abstained", None),
    ]  # fmt: skip


def test_check_prints_the_contract_s_document(faithview: Command, store: Path) -> None:
    done = faithview(
        "check", "--answer", "The office opens at 11 am.", "--context", "The office opens at 9 am.", "--context", "é",
        "--question", "When?", "--json",
    )  # fmt: skip
    assert (done.status, done.err) == (0, "")
    document = done.document
    assert _is(document, CHECK, MORE_CHECK)
    assert (document["faithfulness"], document["is_faithful"], document["judge"]) == (0.0, False, "embedded")
    (claim,) = document["claims"]
    assert list(claim) == [*CLAIM, *MORE_CLAIM]
    assert claim["verdict"] == "contradicted"
    assert claim["supporting_chunk_ids"] == ["1"]
    ((start, end),) = claim["answer_spans"]
    assert "The office opens at 11 am."[start:end] == claim["text"]
    for evidence in claim["evidence"]:
        assert list(evidence) == ["chunk_id", "start", "end", "quote"]
        assert "The office opens at 9 am."[evidence["start"] : evidence["end"]] == evidence["quote"]
    assert not store.exists()


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("N/A", "no_claims: faithfulness –, no claims\n  This answer states nothing that could be checked"),
        (
            "I am sorry, I do not know.",
            "abstained: faithfulness –, no claims\n  The answer only says that the chunks do not",
        ),
    ],
)
def test_check_says_why_an_answer_has_no_claims(faithview: Command, answer: str, sentence: str) -> None:
    done = faithview("check", "--answer", answer, "--context", "Parking is free.", "--question", "What is free?")
    assert done.status == 0
    assert done.out.startswith(sentence)


def _read_frame(path: Path) -> pd.DataFrame:
    if path.suffix == ".parquet":
        return pd.read_parquet(path)
    return pd.read_csv(path) if path.suffix == ".csv" else pd.read_json(path, lines=True)


def test_one_invented_claim_makes_an_answer_unfaithful_in_every_command(faithview: Command, tmp_path: Path) -> None:
    chunk = "Parking is free for guests. The office opens at 9 am."
    answer = "Parking is free for guests. The founder keeps four llamas."
    for threshold in ("0", "0.5"):
        options = ("--answer", answer, "--context", chunk, "--threshold", threshold)
        assert faithview("check", *options).out.startswith(
            "judged: not faithful, faithfulness 0.50, 1 of 2 claims is not supported\n"
        )
        assert faithview("check", *options, "--json").document["is_faithful"] is False
        assert faithview("guard", *options, "--no-correct").status == 1
    whole = faithview("check", "--answer", chunk, "--context", chunk)
    assert whole.out.startswith("judged: faithful, faithfulness 1.00, all 2 claims are supported\n")
    file = tmp_path / "answers.jsonl"
    lines = [{"answer": text, "contexts": [chunk]} for text in (answer, chunk, "I do not know.")]
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    run = faithview("evaluate", file, "--name", "r", "--threshold", "0.5", "--json").document
    assert (run["threshold"], run["faithful_rows"], run["states"]["judged"]) == (0.5, 1, 2)
    assert faithview("run", "show", "r", "--json").document["faithful_rows"] == 1
    assert "  faithful      1 of 2 judged answers (threshold 0.50)\n" in faithview("run", "show", "r").out
    for file_format in ("jsonl", "csv", "parquet"):
        out = tmp_path / f"out.{file_format}"
        faithview("export", "r", "--format", file_format, "-o", out)
        column = _read_frame(out)["is_faithful"]
        assert [None if pd.isna(flag) else bool(flag) for flag in column] == [False, True, None]


def test_evaluate_show_and_runs_print_the_contract_s_documents(faithview: Command, dataset: Path) -> None:
    done = faithview("evaluate", dataset, "--segment", "team", "--kb-version", "v7", "--json")
    assert done.status == 0, done.err
    document = done.document
    assert _is(document, RUN, MORE_RUN)
    assert (document["name"], document["status"], document["judge"], document["method"]) == (
        "answers", "complete", "embedded", "claims",
    )  # fmt: skip
    assert list(document["states"]) == STATES
    assert sum(document["states"].values()) == document["rows"] == 3
    assert document["states"]["judged"] == 2
    assert document["states"]["abstained"] == 1
    assert document["faithfulness"] == 0.5
    assert document["faithfulness_bounds"] == [0.5, 0.5]
    low, high = document["faithfulness_ci"]
    assert 0 <= low <= 0.5 <= high <= 1
    assert list(document["claims"]) == VERDICTS
    assert document["claims"]["supported"] == document["claims"]["contradicted"] == 1
    assert document["hallucination_rate"] == 0.5
    # An abstention has no score: n of the south's mean is 1.
    assert document["segments"] == {
        "north": {"rows": 1, "n": 1, "faithfulness": 1.0, "faithfulness_ci": None},
        "south": {"rows": 2, "n": 1, "faithfulness": 0.0, "faithfulness_ci": None},
    }
    assert (document["coverage"], document["threshold"]) == (1.0, 0.8)
    assert (document["llm_calls"], document["cached_calls"], document["cost_usd"]) == (0, 0, None)
    assert document["kb_version"] == "v7"
    for reference in (document["run_id"], "answers"):
        shown = faithview("run", "show", reference, "--json")
        assert (shown.status, shown.document) == (0, document)
    listed = faithview("run", "list", "--json").document
    assert listed == {"runs": [document]}
    assert "created_at" in listed["runs"][0]


def test_runs_of_an_empty_store_is_an_empty_list(faithview: Command) -> None:
    done = faithview("run", "list", "--json")
    assert (done.status, done.document, done.err) == (0, {"runs": []}, "")


def test_show_and_runs_give_the_coverage_and_the_n_of_each_segment_s_mean(faithview: Command, dataset: Path) -> None:
    faithview("evaluate", dataset, "--segment", "team", "--name", "r", "--threshold", "0.875")
    shown = faithview("run", "show", "r").out
    assert re.search(r"south +2 +0\.00 \(n 1\)", shown), shown
    assert "coverage      100% (2 of 2 answers)" in shown
    assert "(threshold 0.875)" in shown
    assert re.search(r"rows +coverage +faithfulness", faithview("run", "list").out)


def test_resume_prints_the_run_and_judges_nothing_again(faithview: Command, dataset: Path) -> None:
    first = faithview("evaluate", dataset, "--json").document
    again = faithview("resume", "answers", "--json")
    assert again.status == 0
    assert {**again.document, "seconds": 0} == {**first, "seconds": 0}


def test_a_second_run_of_a_file_gets_a_name_of_its_own(faithview: Command, dataset: Path) -> None:
    names = [faithview("evaluate", dataset, "--json").document["name"] for _ in range(2)]
    assert names == ["answers", "answers (2)"]
    assert [run["name"] for run in faithview("run", "list", "--json").document["runs"]] == ["answers (2)", "answers"]


def test_map_limit_and_threshold_are_heeded(faithview: Command, tmp_path: Path) -> None:
    path = tmp_path / "odd.csv.gz"
    with gzip.open(path, "wt", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["reply", "passage", "nr"])
        writer.writerows([["Parking is free.", "Parking is free.", n] for n in range(5)])
    options = ("--map", "answer=reply", "--map", "contexts=passage", "--map", "id=nr", "--limit", 3)
    done = faithview("evaluate", path, *options, "--json")
    if done.status == 2:  # what the field is called is for formats to say
        done = faithview("evaluate", path, *[o if o != "id=nr" else "key=nr" for o in options], "--json")
    assert done.status == 0, done.err
    assert (done.document["name"], done.document["rows"]) == ("odd", 3)


@pytest.mark.parametrize(("limit", "status"), [(0.5, 0), (0.51, 1), (0.0, 0), (1.0, 1)])
def test_fail_under_is_a_gate(faithview: Command, dataset: Path, limit: float, status: int) -> None:
    done = faithview("evaluate", dataset, "--fail-under", limit, "--json")
    assert done.status == status
    assert done.document["faithfulness"] == 0.5
    assert (done.err == "") == (status == 0)
    assert status == 0 or f"faithfulness 0.5000 is below {limit}" in done.err


def test_failed_rows_end_with_3_and_are_stored_with_their_errors(
    faithview: Command, dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from faithview.domain.errors import JudgeFailed
    from faithview.domain.result import Result
    from faithview.domain.sample import Sample
    from faithview.judges.embedded.judge import EmbeddedJudge, judge_sample

    async def judge(_self: object, sample: Sample) -> Result:
        if sample.key == "b":
            raise JudgeFailed("No answer from the model.")
        return judge_sample(sample)

    monkeypatch.setattr(EmbeddedJudge, "judge", judge)
    done = faithview("evaluate", dataset, "--json")
    assert done.status == 3
    assert "1 of 3 answers could not be judged" in done.err
    assert done.document["states"]["failed"] == 1
    assert done.document["faithfulness_bounds"] == [0.5, 1.0]
    out = tmp_path / "o.jsonl"
    faithview("export", "answers", "-o", out)
    errors = [json.loads(line)["error"] for line in out.read_text(encoding="utf-8").splitlines()]
    assert errors == [None, "No answer from the model.", None]
    assert faithview("evaluate", dataset, "--fail-under", 1).status == 3  # the mean of what was judged is 1
    monkeypatch.setattr(EmbeddedJudge, "judge", lambda *_: (_ for _ in ()).throw(JudgeFailed("Down.")))
    checked = faithview("check", "--answer", "a", "--context", "b", "--json")
    assert checked.status == 3
    assert checked.document["faithfulness"] is None


def test_export_writes_the_contract_s_rows_in_every_format(faithview: Command, dataset: Path, tmp_path: Path) -> None:
    run_id = faithview("evaluate", dataset, "--segment", "team", "--json").document["run_id"]
    done = faithview("export", run_id, "--format", "jsonl", "-o", tmp_path / "o.jsonl")
    assert (done.status, done.out) == (0, "")
    rows = [json.loads(line) for line in (tmp_path / "o.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [row["key"] for row in rows] == ["a", "b", "c"]
    for row in rows:
        assert _is(row, EXPORT, MORE_EXPORT)
        for chunk in row["chunks"]:
            assert _is(chunk, ["id", "text", "rank", "metadata"], MORE_CHUNK)
        for number, claim in enumerate(row["claims"], start=1):
            assert sorted(claim) == sorted([*CLAIM, *MORE_CLAIM, *OF_PEOPLE])
            assert claim["effective_verdict"] == claim["verdict"]
            assert claim["claim_id"].endswith(f"-{number}")
    assert rows[0]["extra"]["note"] == "ключ"
    assert rows[0]["segment"] == "north"
    assert len({claim["claim_id"] for row in rows for claim in row["claims"]}) == 2

    faithview("export", run_id, "--format", "csv", "-o", tmp_path / "o.csv")
    table = list(csv.DictReader(io.StringIO((tmp_path / "o.csv").read_text(encoding="utf-8-sig"))))
    assert set(table[0]) == set(rows[0]) - {"schema_version"}  # nothing else is in one format only
    faithview("export", run_id, "--format", "parquet", "-o", tmp_path / "o.parquet")
    parquet = pyarrow.parquet.read_table(tmp_path / "o.parquet").to_pylist()
    for row, as_csv, as_parquet in zip(rows, table, parquet, strict=True):
        assert as_csv["answer"] == as_parquet["answer"] == row["answer"]
        assert json.loads(as_csv["claims"]) == json.loads(as_parquet["claims"]) == row["claims"]
        assert as_parquet["faithfulness"] == row["faithfulness"]


def test_delete_asks_and_does_nothing_without_a_yes(
    faithview: Command, dataset: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    faithview("evaluate", dataset)
    for answer in ("n\n", ""):
        monkeypatch.setattr("sys.stdin", Terminal(answer))
        done = faithview("run", "delete", "answers")
        assert done.status == 2
        assert "('answers') with 3 answers and " in done.err
        assert "Cancelled; nothing was changed." in done.err
    assert len(faithview("run", "list", "--json").document["runs"]) == 1
    monkeypatch.setattr("sys.stdin", Terminal("y\n"))
    assert faithview("run", "delete", "answers").status == 0
    assert faithview("run", "list", "--json").document["runs"] == []


def test_delete_with_yes_does_not_ask(faithview: Command, dataset: Path) -> None:
    faithview("evaluate", dataset)
    done = faithview("run", "delete", "answers", "--yes")
    assert done.status == 0
    assert done.out == ""
    assert faithview("run", "show", "answers").status == 2


def test_db_check_and_upgrade_tell_the_schema(faithview: Command, store: Path) -> None:
    done = faithview("db", "check", "--json")
    assert done.status == 1
    wanted = done.document["wanted"]
    assert done.document == {
        "current": None, "wanted": wanted, "copy": None, "is_current": False, "problems": [],
    }  # fmt: skip
    assert not store.parent.exists()
    assert faithview("db", "upgrade").status == 0
    assert store.exists()
    done = faithview("db", "check", "--json")
    assert (done.status, done.document["is_current"]) == (0, True)
    assert (faithview("db", "check", "--quiet").out, faithview("db", "check", "--quiet").err) == ("", "")


def test_the_store_is_that_of_db_before_the_environment_s(faithview: Command, dataset: Path, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'other.db'}"
    faithview("evaluate", dataset, "--db", url)
    assert faithview("run", "list", "--json").document == {"runs": []}
    assert len(faithview("run", "list", "--json", "--db", url).document["runs"]) == 1


def test_bench_prints_the_contract_s_document(faithview: Command, tmp_path: Path, store: Path) -> None:
    path = tmp_path / "labelled.jsonl"
    base = {"source": "s", "question": "q", "chunks": ["The office opens at 9 am."], "claim": None}
    rows = [
        {"id": "1", "task": "qa", "answer": "The office opens at 9 am.", "label": 1, "spans": [], **base},
        {
            "id": "2",
            "task": "qa",
            "answer": "The office opens at 11 am.",
            "label": 0,
            "spans": [{"start": 20, "end": 26, "type": "x"}],
            **base,
        },
        {"id": "3", "task": "sum", "answer": "The office opens at 9 am.", "label": 1, "spans": [], **base},
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    done = faithview("bench", path, "--json")
    assert (done.status, done.err) == (0, "")
    document = done.document
    assert list(document) == [
        "judge", "file", "rows", "failed", *BENCH, "seconds", "answers_per_second", "tasks", "macro",
    ]  # fmt: skip
    assert (document["judge"], document["file"], document["rows"], document["failed"]) == (
        "embedded", "labelled.jsonl", 3, 0,
    )  # fmt: skip
    assert [document[name] for name in BENCH] == [1.0] * 7
    assert set(document["tasks"]) == {"qa", "sum"}
    for figures in (*document["tasks"].values(), document["macro"]):
        assert list(figures) == BENCH
    assert faithview("bench", path).status == 0
    with open_store(f"sqlite:///{store}") as services:
        (stored,) = list_benchmarks(services.db)
        assert count_runs(services.db) == 0
    assert stored.fingerprint.startswith("embedded")
    assert stored.document["macro"] == document["macro"]
    with_companions = faithview("bench", path, "--companions", "--json").document
    assert list(with_companions["companions"]) == ["answer_relevance", "context_relevance"]
    assert with_companions["macro"] == document["macro"]
    assert "answer_relevance: " in faithview("bench", path, "--companions").out


def test_a_run_under_way_elsewhere_is_not_resumed(faithview: Command, store: Path) -> None:
    from datetime import UTC, datetime

    from faithview import Sample, open_store
    from faithview.store import runs

    with open_store(f"sqlite:///{store}") as services:
        run = add_run(services, [Sample(answer="x")], "busy")
        runs.take_run(services.db, run.run_id, worker="elsewhere:1:x", now=datetime.now(UTC))
    done = faithview("resume", "busy", "--json")
    assert (done.status, done.out) == (2, "")
    assert "another process" in done.err
    assert faithview("run", "show", "busy", "--json").document["status"] == "running"


def test_a_claim_that_is_supported_only_just_is_to_be_checked(faithview: Command) -> None:
    answer = next(a for a in read_answers() if "in version 5 you're four short" in a.answer)
    claim = "In version 4 yes, in version 5 you're four short."
    said = ["check", "--answer", claim, "--question", answer.question]
    for chunk in answer.chunks:
        said += ["--context", chunk]
    done = faithview(*said)
    assert re.search(r"its one claim is supported, 1 to check$", done.out, re.MULTILINE)
    assert re.search(rf"^ +1 +check this +{re.escape(claim)}", done.out, re.MULTILINE)
    assert what_to_check(measured_errors()["embedded"]) in " ".join(done.out.split())
    lexical = faithview(*said, "--judge", "lexical")
    assert "check this" not in lexical.out.lower()
