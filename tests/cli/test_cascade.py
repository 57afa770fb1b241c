"""`--judge cascade:…` on the command line: checks, runs, estimates, budgets of claims, and doctor."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.judges.cascade.test_asking_a_model import SAMPLE, SURE_SAMPLE
from tests.judges.llm.server import Say
from tests.vendor import Vendor, running

_TEXTS = ("--answer", SAMPLE.answer, "--context", SAMPLE.chunks[0].text)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "rows.jsonl"
    items = [
        {"id": f"k{n}", "answer": sample.answer, "contexts": [f"{sample.chunks[0].text} Note {n}."]}
        for n, sample in enumerate([SAMPLE, SAMPLE, SURE_SAMPLE])
    ]
    path.write_text("".join(json.dumps(item) + "\n" for item in items), encoding="utf-8")
    return path


def test_check_says_who_decided_each_claim(faithview: Command, vendor: Vendor) -> None:
    done = faithview("check", *_TEXTS, "--judge", "cascade:openai:m", "--json")
    assert (done.status, done.document["judge"], done.document["llm_calls"]) == (0, "cascade:openai:m", 1)
    assert [claim["decided_by"] for claim in done.document["claims"]] == ["openai:m", "openai:m", "embedded"]
    text = faithview("check", *_TEXTS, "--judge", "cascade:anthropic:m").out
    assert (text.count("Decided by anthropic:m."), text.count("Decided by embedded.")) == (2, 1)
    assert "often wrong" not in text  # that was measured for the default judge alone


def test_check_of_another_judge_says_nothing_of_who_decided(faithview: Command) -> None:
    done = faithview("check", *_TEXTS, "--json")
    assert {claim["decided_by"] for claim in done.document["claims"]} == {None}
    assert "Decided by" not in faithview("check", *_TEXTS).out


def test_the_share_is_an_option_and_a_judges_option(faithview: Command, vendor: Vendor) -> None:
    for how in (("--cascade-share", "1"), ("--judge-option", "cascade_share=1")):
        done = faithview("check", *_TEXTS, "--judge", "cascade:openai:m", *how, "--json")
        assert {claim["decided_by"] for claim in done.document["claims"]} == {"openai:m"}
    done = faithview("check", *_TEXTS, "--judge", "cascade:openai:m", "--cascade-share", "0", "--json")
    assert (done.document["llm_calls"], vendor.calls) == (0, 2)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--judge", "cascade:openai:m", "--cascade-share", "1.5"), "less than or equal to 1"),
        (("--judge", "cascade:openai:m", "--judge-option", "cascade_share=30%"), "The cascade share is '30%'"),
        (("--cascade-share", "0.3"), "'embedded' is not one"),
        (("--judge", "cascade:openai:m", "--method", "single"), "the method 'single' does not apply"),
        (("--judge", "cascade:embedded"), "write cascade:JUDGE:MODEL"),
        (("--judge", "cascade"), "A cascade needs the judge that it asks"),
    ],
)
def test_what_cannot_be_meant_is_one_line(
    faithview: Command, vendor: Vendor, options: tuple[str, ...], said: str
) -> None:
    for command in ("check", "guard"):
        done = faithview(command, *_TEXTS, *options)
        assert (done.status, done.out, len(done.err.strip().splitlines())) == (2, "", 1)
        assert said in done.err
    assert vendor.calls == 0


def test_a_run_counts_the_claims_of_each_judge(faithview: Command, vendor: Vendor, file: Path) -> None:
    done = faithview("evaluate", file, "--judge", "cascade:openai:m", "--name", "c", "--json")
    assert done.status == 0, done.err
    assert done.document["decided_by"] == {"embedded": 3, "openai:m": 4}
    assert (done.document["llm_calls"], done.document["judge"]) == (2, "cascade:openai:m")
    assert "decided by    embedded 3 (43%), openai:m 4 (57%)" in faithview("run", "show", "c").out
    alone = faithview("rejudge", "c", "--json")
    assert alone.document["decided_by"] == {}
    wider = faithview("rejudge", "c", "--judge", "cascade:openai:m", "--cascade-share", "1", "--json")
    assert wider.document["decided_by"] == {"openai:m": 7}


def test_an_estimate_says_how_many_answers_it_is_counted_on(faithview: Command, vendor: Vendor, file: Path) -> None:
    text = faithview("evaluate", file, "--judge", "cascade:openai:m", "--estimate").out
    assert "  calls         about 2\n" in text
    assert "  counted on    3 answers, which the default judge judged\n" in text
    document = faithview("evaluate", file, "--judge", "cascade:openai:m", "--estimate", "--json").document
    assert (document["calls"], document["examined_answers"]) == (2, 3)
    other = faithview("evaluate", file, "--judge", "openai:m", "--estimate", "--json").document
    assert (other["calls"], other["examined_answers"]) == (3, None)
    assert vendor.calls == 0


def test_an_answer_that_the_model_cannot_decide_ends_incomplete(
    faithview: Command, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(lambda _: Say(text="no JSON")) as vendor:
        for name, value in vendor.environment.items():
            monkeypatch.setenv(name, value)
        checked = faithview("check", *_TEXTS, "--judge", "cascade:openai:m", "--json")
        done = faithview("evaluate", file, "--judge", "cascade:openai:m", "--json")
    assert (checked.status, checked.document["state"], checked.document["claims"]) == (3, "failed", [])
    assert "openai:m was asked about 2 of 3 claims" in checked.document["error"]
    assert (done.status, done.document["states"]["failed"], done.document["states"]["judged"]) == (3, 2, 1)


def test_guard_takes_the_cascade(faithview: Command, vendor: Vendor) -> None:
    done = faithview("guard", *_TEXTS, "--judge", "cascade:openai:m", "--json")
    assert (done.status, done.document["sent"]) == (0, SAMPLE.answer)
    assert vendor.calls == 1


def test_bench_measures_the_cascade(faithview: Command, vendor: Vendor, tmp_path: Path) -> None:
    path = tmp_path / "labelled.jsonl"
    same: dict[str, object] = {"source": "s", "task": "t", "question": "q?", "claim": None, "spans": []}
    rows = [
        {**same, "id": n, "chunks": [sample.chunks[0].text], "answer": sample.answer, "label": n}
        for n, sample in enumerate([SAMPLE, SURE_SAMPLE])
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    done = faithview("bench", path, "--judge", "cascade:openai:m", "--json")
    assert (done.status, done.document["judge"], done.document["failed"]) == (0, "cascade:openai:m", 0)
    assert vendor.calls == 1


def test_doctor_tests_the_judge_that_a_cascade_asks(faithview: Command, vendor: Vendor) -> None:
    done = faithview("doctor", "--judge", "cascade:openai:m", "--no-call", "--json")
    assert [(judge["judge"], judge["model"]) for judge in done.document["judges"] if judge["model"]] == [
        ("openai", "m")
    ]
    local = faithview("doctor", "--judge", "cascade:nli", "--no-call")
    assert (local.status, "does not call a server" in local.err) == (2, True)
