"""Judging with a model from the command line: killed and resumed, against a faulty server, without leaking a key."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from faithview.domain.result import State
from faithview.services.results import get_run, iterate_answers
from tests.cli.conftest import Command
from tests.dashboard import ROOT
from tests.factories import open_services
from tests.judges.llm.server import Answer, Request, Say, Status, sensible
from tests.vendor import KEY, Vendor, running

ROWS = 100
_TWO_STEPS = ("--judge", "openai:m", "--method", "claims")


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "rows.jsonl"
    items = [
        {"id": f"k{n}", "question": "q?", "answer": f"Answer {n} is here.", "contexts": [f"Chunk about {n}."]}
        for n in range(ROWS)
    ]
    path.write_text("".join(json.dumps(item) + "\n" for item in items), encoding="utf-8")
    return path


def _faulty(request: Request) -> Answer:
    """Of every twenty requests two are too many, one meets an error, and one reply is cut off, repairs left out.

    A reply is repaired once; chance alone would make one in four hundred useless twice.
    """
    match request.number % 20:
        case 3 | 11:
            return Status(code=429, message="slow down", headers={"retry-after-ms": "20"})
        case 7:
            return Status(code=500, message=f"trouble with {request.headers.get('authorization')}")
        case 13 if "Your earlier reply" not in request.user:
            return Say(text='{"claims": [{"text": "Ans')
    return sensible(request)


@pytest.mark.process
def test_a_hundred_rows_end_judged_whatever_goes_wrong_on_the_way_and_no_key_is_left_anywhere(
    faithview: Command, store: Path, rows: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(_faulty) as vendor:
        for name, value in vendor.environment.items():
            monkeypatch.setenv(name, value)
        done = faithview("evaluate", rows, *_TWO_STEPS, "--concurrency", "32", "--name", "r", "--json")
    assert done.status == 0, done.err
    assert done.document["states"]["judged"] == ROWS
    assert done.document["llm_calls"] >= 2 * ROWS
    exported = tmp_path / "out.jsonl"
    assert faithview("export", "r", "--format", "jsonl", "-o", exported).status == 0
    left = [done.out, done.err, exported.read_text(encoding="utf-8")]
    assert not any(KEY in text for text in left)
    for file in store.parent.iterdir():
        assert KEY.encode() not in file.read_bytes(), file


def test_a_refused_key_is_not_in_the_error(
    faithview: Command, store: Path, dataset: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(request: Request) -> Answer:
        key = request.headers.get("authorization", "") + request.headers.get("x-api-key", "")
        return Status(code=401, message=f"Incorrect API key provided: {key}")

    with running(refused) as vendor:
        for name, value in vendor.environment.items():
            monkeypatch.setenv(name, value)
        for judge in ("openai:m", "anthropic:m"):
            done = faithview("evaluate", dataset, "--judge", judge, "--json")
            assert done.status == 3
            assert done.document["states"]["failed"] == 3
            assert KEY not in done.out + done.err
            shown = faithview("check", "--answer", "A.", "--context", "C.", "--judge", judge, "--json")
            assert shown.document["state"] == "failed"
            assert KEY not in shown.out + shown.err
    for file in store.parent.iterdir():
        assert KEY.encode() not in file.read_bytes(), file


@pytest.mark.process
def test_a_run_killed_half_way_judges_nothing_twice_when_it_is_resumed(store: Path, rows: Path) -> None:
    url = f"sqlite:///{store}"
    with running(latency_s=0.05) as vendor:
        environment = {**os.environ, **vendor.environment, "FAITHVIEW_DB": url}
        command = [sys.executable, "-m", "faithview"]
        process = subprocess.Popen(
            [*command, "evaluate", str(rows), *_TWO_STEPS, "--concurrency", "8", "--name", "cut", "--json"],
            env=environment,
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + 60
        while vendor.calls < ROWS:
            assert time.monotonic() < deadline
            assert process.poll() is None
            time.sleep(0.01)
        process.kill()
        process.wait()
        with open_services(url) as services:
            kept = {
                detail.sample.answer
                for detail in iterate_answers(services, get_run(services, "cut").run_id)
                if detail.result.state is State.JUDGED
            }
        assert 0 < len(kept) < ROWS
        before = vendor.calls
        done = subprocess.run(
            [*command, "resume", "cut", "--json"], env=environment, cwd=ROOT, capture_output=True, text=True, check=True
        )
        assert vendor.calls - before == 2 * (ROWS - len(kept))
        asked = vendor.calls_by_answer("Extraction")
        assert {answer for answer in kept if asked[answer] != 1} == set()
    document = json.loads(done.stdout)
    assert (document["status"], document["states"]["judged"], document["llm_calls"]) == ("complete", ROWS, 2 * ROWS)
    assert (document["faithfulness"], document["prompt_tokens"]) == (1.0, 2_000 * ROWS)


def test_judging_a_file_again_says_that_no_call_was_made(faithview: Command, dataset: Path, vendor: Vendor) -> None:
    first = faithview("evaluate", dataset, "--judge", "openai:m", "--json").document
    asked = vendor.calls
    again = faithview("evaluate", dataset, "--judge", "openai:m", "--json")
    assert vendor.calls == asked == first["llm_calls"]
    assert (again.document["llm_calls"], again.document["cached_calls"]) == (0, asked)
    assert "No call was made" in again.err
    anew = faithview("evaluate", dataset, "--judge", "openai:m", "--no-cache", "--json")
    assert anew.document["llm_calls"] == asked


def test_a_budget_leaves_a_run_that_says_why_it_stopped(faithview: Command, dataset: Path, vendor: Vendor) -> None:
    done = faithview(
        "evaluate", dataset, *_TWO_STEPS, "--max-calls", "3", "--concurrency", "1", "--name", "b", "--json"
    )
    assert (done.status, done.document["status"], done.document["llm_calls"]) == (3, "cancelled", 4)
    assert "4 calls of 3" in done.document["error"]
    assert "1 row pending" in done.err
    assert f"faithview resume {done.document['run_id']}" in done.err
    assert faithview("resume", "b", "--json").document["status"] == "complete"
    assert vendor.calls == 5
    refused = faithview("evaluate", dataset, *_TWO_STEPS, "--max-cost", "1")
    assert refused.status == 2
    assert "No price is known" in refused.err


def test_repeats_are_named_after_the_first_and_listed_with_it(
    faithview: Command, dataset: Path, vendor: Vendor
) -> None:
    document = faithview(
        "evaluate", dataset, *_TWO_STEPS, "--repeat", "2", "--name", "n", "--json"
    ).document  # fmt: skip
    assert vendor.calls == 10
    assert len(document["repeats"]) == 1
    listed = {run["name"]: run for run in faithview("run", "list", "--json").document["runs"]}
    assert set(listed) == {"n", "n (repeat 2)"}
    assert listed["n (repeat 2)"]["repeat_of"] == document["run_id"]
    assert listed["n"]["repeats"] == document["repeats"] == [listed["n (repeat 2)"]["run_id"]]


def test_resuming_a_run_goes_on_with_its_repeats_too(faithview: Command, dataset: Path, vendor: Vendor) -> None:
    arguments = (*_TWO_STEPS, "--repeat", "3", "--name", "n", "--max-calls", "7", "--concurrency", "1")
    done = faithview("evaluate", dataset, *arguments, "--json")
    assert (done.status, done.document["status"]) == (3, "complete")
    assert "5 rows pending" in done.err
    assert vendor.calls == 7  # the rest of the repeats is not started
    resumed = faithview("resume", "n", "--json")
    assert (resumed.status, resumed.document["name"]) == (0, "n")
    assert vendor.calls == 15
    statuses = {run["name"]: run["status"] for run in faithview("run", "list", "--json").document["runs"]}
    assert statuses == dict.fromkeys(["n", "n (repeat 2)", "n (repeat 3)"], "complete")


def test_an_estimate_calls_nothing_needs_no_key_and_makes_no_store(
    faithview: Command, store: Path, dataset: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    document = faithview("evaluate", dataset, "--judge", "openai:gpt-6-luna", "--estimate", "--json").document
    assert (document["answers"], document["calls"], document["host"]) == (3, 3, "api.openai.com")
    assert document["cost_usd"] > 0
    assert not store.exists()
    assert "the judge needs no server" in faithview("evaluate", dataset, "--estimate").out


def test_a_prompt_of_one_s_own_is_sent_and_goes_with_the_run(
    faithview: Command, dataset: Path, vendor: Vendor, tmp_path: Path
) -> None:
    prompt = tmp_path / "mine.md"
    prompt.write_text("Be kind.\n\n$chunks\n\n$question\n\n$answer\n", encoding="utf-8")
    arguments = ("evaluate", dataset, "--judge", "openai:m", "--method", "single", "--prompt", prompt)
    done = faithview(*arguments, "--max-calls", "1", "--concurrency", "1", "--name", "own", "--json")
    assert "mine" in done.document["fingerprint"]
    prompt.unlink()  # the run can be resumed without it
    states = faithview("resume", "own", "--json").document["states"]
    assert (states["judged"], states["abstained"]) == (2, 1)
    assert all("Be kind." in request.system for request in vendor.server.calls)


def test_rejudge_and_guard_take_a_prompt_and_judge_options(
    faithview: Command, dataset: Path, vendor: Vendor, tmp_path: Path
) -> None:
    faithview("evaluate", dataset, "--judge", "lexical", "--name", "first")
    prompt = tmp_path / "mine.md"
    prompt.write_text("Be kind.\n\n$chunks\n\n$question\n\n$answer\n", encoding="utf-8")
    judge = ("--judge", "openai:m", "--method", "single", "--prompt", prompt, "--judge-option", "timeout=60")
    assert "mine" in faithview("rejudge", "first", *judge, "--json").document["fingerprint"]
    assert faithview("guard", "--answer", "Yes.", "--context", "No.", "--no-correct", *judge).status in (0, 1)
    assert all("Be kind." in request.system for request in vendor.server.calls)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--judge", "openai:m", "--prompt", "{tmp}/none.md"), "cannot be read"),
        (("--judge", "openai:m", "--prompt", "{tmp}/bad.md"), "lacks $chunks"),
        (("--judge", "openai:m", "--method", "magic"), "No method named 'magic'"),
        (("--judge", "openai:m", "--strictness", "kind"), "strict or lenient"),
        (("--judge", "openai:m", "--judge-option", "x"), "NAME=VALUE"),
        (("--judge", "openai:m", "--judge-option", "x=1"), "no option 'x'"),
        (("--judge", "openai:m", "--batch", "--max-calls", "3"), "--limit"),
        (("--judge", "openai:m", "--batch", "--repeat", "2"), "--repeat or --batch"),
        (("--batch",), "cannot judge by batches"),
        (("--method", "single"), "does not call a model"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line_and_nothing_is_stored(
    faithview: Command,
    store: Path,
    dataset: Path,
    tmp_path: Path,
    vendor: Vendor,
    arguments: tuple[str, ...],
    message: str,
) -> None:
    (tmp_path / "bad.md").write_text("Nothing but $answer.", encoding="utf-8")
    done = faithview("evaluate", dataset, *(text.replace("{tmp}", str(tmp_path)) for text in arguments))
    assert (done.status, done.out) == (2, "")
    assert message in done.err
    assert done.err.count("\n") == 1
    assert not store.exists()


def test_a_missing_key_is_one_sentence_that_names_the_variable(
    faithview: Command, dataset: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    for judge, variable in (("openai:m", "OPENAI_API_KEY"), ("anthropic:m", "ANTHROPIC_API_KEY")):
        done = faithview("evaluate", dataset, "--judge", judge)
        assert done.status == 2
        assert variable in done.err
        assert done.err.count("\n") == 1
