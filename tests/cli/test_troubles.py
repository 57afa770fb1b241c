"""What went wrong is told with counts, a wrong setting costs one call, and failed answers are judged again if asked."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.judges.llm.server import Answer, Request, Say, Script, Status, sensible
from tests.vendor import KEY, Vendor, configured

ROWS = 100


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "rows.jsonl"
    items = [{"id": f"k{n}", "answer": f"Answer {n} is here.", "contexts": [f"Chunk about {n}."]} for n in range(ROWS)]
    path.write_text("".join(json.dumps(item) + "\n" for item in items), encoding="utf-8")
    return path


class _Vendor:
    """A vendor whose script can be changed between two commands."""

    def __init__(self) -> None:
        self.script: Script = sensible

    def __call__(self, request: Request) -> Answer:
        return self.script(request)


@pytest.fixture
def scripted() -> _Vendor:
    return _Vendor()


@pytest.fixture
def vendor(scripted: _Vendor, monkeypatch: pytest.MonkeyPatch) -> object:
    with configured(monkeypatch, scripted) as started:
        yield started


_JUDGE = ("--judge", "openai:m", "--method", "single")


def test_a_wrong_key_costs_one_call_is_told_once_and_can_be_set_right(
    faithview: Command, rows: Path, vendor: Vendor, scripted: _Vendor
) -> None:
    scripted.script = lambda _: Status(code=401, message=f"Incorrect API key provided: {KEY}.")
    done = faithview("evaluate", rows, *_JUDGE, "--name", "n")
    assert (done.status, vendor.calls) == (3, 1)
    assert f"100 of {ROWS} answers could not be judged:" in done.out
    assert done.out.count("replied with status 401") == 1
    assert "Check the key." in done.out
    assert KEY not in done.out + done.err
    assert "--retry-failed` judges them again" in done.err
    scripted.script = sensible
    assert faithview("resume", "n").status == 3  # nothing is pending, so nothing is asked
    assert vendor.calls == 1
    again = faithview("resume", "n", "--retry-failed", "--json")
    assert (again.status, vendor.calls) == (0, 1 + ROWS)
    assert (again.document["states"]["judged"], again.document["errors"]) == (ROWS, [])


def test_errors_that_differ_in_numbers_alone_are_one_and_the_document_has_them(
    faithview: Command, rows: Path, vendor: Vendor, scripted: _Vendor
) -> None:
    def script(request: Request) -> Answer:
        if "Answer 7 " in request.user:
            return Status(code=400, message="Too strange.")
        if "Answer 1" in request.user:
            return Status(code=400, message=f"Prompt of {len(request.user)} tokens, request req_{request.number:06x}.")
        return sensible(request)

    scripted.script = script
    done = faithview("evaluate", rows, *_JUDGE, "--name", "n", "--json")
    assert done.status == 3
    counts = [item["rows"] for item in done.document["errors"]]
    assert counts == [11, 1]  # answers 1 and 10 to 19, and answer 7
    assert "tokens, request req_" in done.document["errors"][0]["error"]
    assert "12 of 100 answers could not be judged, with 2 different errors" in done.err
    shown = faithview("show", "n")
    assert "errors        12 of 100 answers could not be judged, with 2 different errors:" in shown.out
    assert "Too strange" in shown.out
    assert faithview("show", "n", "--json").document["errors"] == done.document["errors"]


def test_repairs_are_counted_in_the_runs_summary(
    faithview: Command, rows: Path, vendor: Vendor, scripted: _Vendor
) -> None:
    scripted.script = lambda r: Say(text=f"Sure:\n{sensible(r).text}") if "Answer 2" in r.user else sensible(r)
    done = faithview("evaluate", rows, *_JUDGE, "--name", "n", "--limit", "30", "--json")
    assert (done.status, done.document["repaired_rows"]) == (0, 11)
    assert done.document["repairs"] == {"text around the JSON object was removed": 11}
    shown = faithview("show", "n").out
    assert "repaired      in 11 answers: text around the JSON object was removed (11)" in shown


def test_claims_that_cannot_be_checked_and_cut_off_answers_are_counted(
    faithview: Command, rows: Path, vendor: Vendor, scripted: _Vendor
) -> None:
    def script(request: Request) -> Answer:
        document = json.loads(sensible(request).text)
        (claim,) = document["claims"]
        if "Answer 2 " in request.user or "Answer 3 " in request.user:
            claim["evidence"] = [{"chunk": 1, "quote": claim["quote"]}]  # of the answer
        if "Answer 3 " in request.user:
            claim |= {"quote": "an answer, the third", "text": "It is the third answer."}
        if "Answer 5 " in request.user:
            claim |= {"quote": "here"}
        if "Answer 4 " in request.user:
            document["claims"] = [claim, {**claim, "text": "More."}]
            return Say(text=json.dumps(document)[:-80], finish="truncated")
        return Say(text=json.dumps(document))

    scripted.script = script
    done = faithview("evaluate", rows, *_JUDGE, "--name", "n", "--limit", "6", "--json")
    assert (done.status, done.document["states"]["judged"]) == (0, 6)
    cut = "The judge's replies were cut off, so a part of the answer was not judged."
    expected = {"unquoted_claims": 2, "unplaced_claims": 1, "uncovered_rows": 1, "gaps": {cut: 1}}
    assert {name: done.document[name] for name in expected} == expected
    shown = faithview("show", "n")
    assert f"missing       {cut} (1 answer)" in shown.out
    unquoted = "the verdict on 2 claims needs a quote and has none that is in a chunk."
    assert f"unchecked     In 2 answers, {unquoted}" in shown.out
    assert "unchecked     In 1 answer, the words of 1 claim were not found in the answer." in shown.out
    assert "unchecked     In 1 answer, less than half of the text is in the words of a claim; look for" in shown.out
    assert {name: faithview("show", "n", "--json").document[name] for name in expected} == expected


def test_what_failed_answers_cost_stays_counted_when_they_are_judged_again(
    faithview: Command, rows: Path, vendor: Vendor, scripted: _Vendor
) -> None:
    scripted.script = lambda _: Say(text="No.")
    first = faithview("evaluate", rows, *_JUDGE, "--name", "n", "--limit", "3", "--json").document
    assert first["llm_calls"] == 12
    scripted.script = sensible
    again = faithview("resume", "n", "--retry-failed", "--json").document
    assert again["states"]["judged"] == 3
    assert again["llm_calls"] == 15
    assert again["prompt_tokens"] == 15_000


def test_repeats_end_with_what_the_judges_noise_is(
    faithview: Command, rows: Path, vendor: Vendor, scripted: _Vendor
) -> None:
    def script(request: Request) -> Answer:
        said = sensible(request).text
        is_second = request.number > 20
        return Say(
            text=said.replace('"supported"', '"not_mentioned"') if is_second and "Answer 3 " in request.user else said
        )

    scripted.script = script
    done = faithview("evaluate", rows, *_JUDGE, "--limit", "20", "--repeat", "2", "--name", "n", "--concurrency", "1")
    noise = next(line for line in done.err.splitlines() if line.startswith("noise: "))
    assert "20 answers judged 2 times: the support of 5% of the claims and the score of 5% of the answers" in noise
    assert "noise         20 answers judged 2 times" in faithview("show", "n").out


@pytest.mark.parametrize("command", [("evaluate", "/nowhere/rows.jsonl", "--estimate"), ("check", "--answer", "A.")])
def test_a_mistyped_judge_is_refused_before_anything_else(faithview: Command, command: tuple[str, ...]) -> None:
    done = faithview(*command, "--judge", "opnai:x")
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("faithview: No judge named 'opnai:x'; known: ")
    assert "Did you mean 'openai:x'?" in done.err


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("gpt-4o", "'openai:gpt-4o'?"),
        ("GPT-5.1", "'openai:GPT-5.1'?"),
        ("o3", "'openai:o3'?"),
        ("o4-mini", "'openai:o4-mini'?"),
        ("chatgpt-4o-latest", "'openai:chatgpt-4o-latest'?"),
        ("openai/gpt-4o", "'openai:gpt-4o'?"),
        ("claude-opus-4-1", "'anthropic:claude-opus-4-1'?"),
        ("anthropic/claude-3-5-haiku", "'anthropic:claude-3-5-haiku'?"),
        ("sonnet", "'anthropic:sonnet'?"),
        ("gemini-2.5-pro", "'openai:gemini-2.5-pro', with OPENAI_BASE_URL set to the server that has the model?"),
        ("llama3", "'openai:llama3', with OPENAI_BASE_URL"),
        ("llama3:8b", "'openai:llama3:8b', with OPENAI_BASE_URL"),
        ("ollama:llama3:8b", "'openai:llama3:8b', with OPENAI_BASE_URL"),
        ("ollama/mistral", "'openai:mistral', with OPENAI_BASE_URL"),
        ("azure:gpt-4o", "'openai:gpt-4o', with OPENAI_BASE_URL"),
        ("mistral-large-latest", "'openai:mistral-large-latest', with OPENAI_BASE_URL"),
        ("Qwen/Qwen3-8B", "'openai:Qwen/Qwen3-8B', with OPENAI_BASE_URL"),
        ("cross-encoder/nli-deberta-v3-base", "'nli:cross-encoder/nli-deberta-v3-base'?"),
        ("lytang/MiniCheck-Flan-T5-Large", "'minicheck:lytang/MiniCheck-Flan-T5-Large'?"),
        ("Embedded", "'embedded'?"),
        ("OpenAI:gpt-4o", "'openai:gpt-4o'?"),
    ],
)
def test_a_model_that_is_named_without_its_judge_is_understood(faithview: Command, name: str, meant: str) -> None:
    for option in ("--judge", "--generate"):
        command = (
            ("check", "--answer", "A.") if option == "--judge" else ("guard", "--question", "Q?", "--context", "C.")
        )
        done = faithview(*command, option, name)
        assert (done.status, done.out) == (2, "")
        assert done.err.startswith(f"faithview: No judge named {name!r}; known: ")
        assert f" Did you mean {meant}" in done.err


def test_a_judge_without_its_model_is_refused_before_an_estimate(faithview: Command, rows: Path) -> None:
    done = faithview("evaluate", rows, "--judge", "openai", "--estimate")
    assert done.status == 2
    assert "needs a model: write openai:MODEL" in done.err


def test_check_shows_what_was_not_found_where_the_judge_says_that_it_stands(
    faithview: Command, vendor: Vendor, scripted: _Vendor
) -> None:
    ruled = {
        "quote": "opens at eight sharp",
        "text": "It opens at 8.",
        "evidence": [{"chunk": 1, "quote": "opens at nine"}, {"chunk": 1, "quote": "opens at eight"}],
        "explanation": "Another hour.",
        "verdict": "contradicted",
        "confidence": 0.9,
        "problem": {"wrong": "8", "kind": "contradiction", "severity": "high", "correction": "It opens at nine."},
    }
    said = json.dumps({"claims": [ruled], "abstained": False})
    scripted.script = lambda _: Say(text=said)
    arguments = ("check", "--answer", "It opens at 8.", "--context", "It opens at nine.", *_JUDGE)
    shown = faithview(*arguments).out
    assert "[1] “opens at nine”" in shown
    assert "[1] not found: “opens at eight”" in shown
    assert "Its words were not found in the answer." in shown
    assert "contradiction, high severity. Another hour." in shown
    assert "Chunk 1 says: It opens at nine." in shown
    (claim,) = faithview(*arguments, "--json").document["claims"]
    assert claim["answer_spans"] == []
    assert claim["evidence"][1] == {"chunk_id": "1", "start": None, "end": None, "quote": "opens at eight"}


def test_a_run_that_was_stored_before_it_failed_is_told_with_status_3_and_its_id(
    faithview: Command, rows: Path, vendor: Vendor, scripted: _Vendor
) -> None:
    scripted.script = lambda _: Status(code=400, message="No file of this kind is taken.")
    done = faithview("evaluate", rows, *_JUDGE, "--batch", "--name", "n", "--json")
    assert done.status == 3
    assert "400" in done.err
    (stored,) = faithview("runs", "--json").document["runs"]
    assert done.document["run_id"] == stored["run_id"]
    assert (stored["status"], stored["states"]["pending"]) == ("failed", ROWS)
    assert (
        f"faithview: stopped with {ROWS} rows pending; `faithview resume {stored['run_id']}` continues it." in done.err
    )
