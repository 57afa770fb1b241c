"""`faithview kb preflight`: a new version of the knowledge base, checked before it is published."""

import json
import os
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from faithview.services.knowledge.preflight import list_preflights
from faithview.services.knowledge.versions import save_knowledge_base
from faithview.services.results import get_progress
from tests.cli.conftest import Command
from tests.factories import open_services
from tests.judging_processes import gate, scripted_environment, start, wait_for
from tests.services.knowledge.preflight_cases import KNOWLEDGE, chunks_of, samples
from tests.services.scripted import LOG_VARIABLE
from tests.vendor import KEY, Vendor

pytestmark = pytest.mark.process  # takes long

NEW = {**KNOWLEDGE, "returns": KNOWLEDGE["returns"].replace("30 days", "14 days")}


def _write(path: Path, texts: dict[str, str], *, has_ids: bool = True) -> Path:
    ids = [{"id": name} if has_ids else {} for name in texts]
    rows = [{**of, "text": text, "document": f"{name}.md"} for of, (name, text) in zip(ids, texts.items(), strict=True)]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    path = tmp_path / "answers.jsonl"
    rows = [
        {
            "id": sample.key,
            "question": sample.question,
            "answer": sample.answer,
            "segment": sample.segment,
            "contexts": [{"id": chunk.chunk_id, "text": chunk.text} for chunk in sample.chunks],
        }
        for sample in samples()
    ]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def filled(faithview: Command, answers: Path, tmp_path: Path) -> Command:
    """The command line over a store with version v1 and a run that used it."""
    assert faithview("kb", "add", "v1", _write(tmp_path / "v1.jsonl", KNOWLEDGE)).status == 0
    done = faithview("evaluate", answers, "--name", "monday", "--kb-version", "v1", "--segment", "segment")
    assert done.status == 0, done.err
    return faithview


@pytest.fixture
def new(tmp_path: Path) -> Path:
    return _write(tmp_path / "new.jsonl", NEW)


def test_it_says_what_would_break_and_why(filled: Command, new: Path) -> None:
    done = filled("kb", "preflight", new)
    assert done.status == 0
    lines = done.out.splitlines()
    assert lines[:4] == [
        "v1 -> new.jsonl, checked on monday",
        "  documents     1 document edited, none added, none removed; 3 unchanged",
        "  affected      2 of 4 answers",
        "  finding       1 claim would break.",
    ]
    assert any(line.startswith("monday, affected answers -> monday on new.jsonl: ") for line in lines)
    assert any(line.startswith("  - ") and "Items can be returned within 30 days" in line for line in lines)
    assert "--run names another" in done.err
    # What was judged is in no list of runs.
    assert [run["name"] for run in filled("run", "list", "--json").document["runs"]] == ["monday"]


def test_a_folder_is_split_as_the_stored_version_was(filled: Command, tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    for name, text in NEW.items():
        (folder / f"{name}.md").write_text(f"# {name}\n\n{text}\n", encoding="utf-8")
    found = filled("kb", "preflight", folder, "--run", "monday", "--json").document
    assert (found["edited"], found["added"], found["removed"], found["unchanged"]) == (1, 0, 0, 3)
    assert _broken(found) == ["returns"]
    assert found["new_version"] == "docs"


def test_it_is_a_gate(filled: Command, new: Path, tmp_path: Path) -> None:
    failed = filled("kb", "preflight", new, "--run", "monday", "--fail-over", "0")
    assert failed.status == 1
    assert failed.err.splitlines()[-1] == "faithview: 1 claim would break; at most 0 may."
    assert filled("kb", "preflight", new, "--run", "monday", "--fail-over", "1").status == 0
    same = _write(tmp_path / "same.jsonl", KNOWLEDGE)
    passed = filled("kb", "preflight", same, "--run", "monday", "--fail-over", "0")
    assert passed.status == 0
    assert "no claim would break" in passed.out
    assert filled("kb", "preflight", same, "--run", "monday", "--json").document["comparison"] is None


def test_the_document_has_the_counts_and_the_comparison(filled: Command, new: Path) -> None:
    found = filled("kb", "preflight", new, "--run", "monday", "--as", "v2", "--json").document
    assert (found["answers"], found["answers_affected"], found["answers_pending"]) == (4, 2, 0)
    assert (found["claims_broken"], found["claims_fixed"], found["new_version"]) == (1, 0, "v2")
    assert [cause["cause"] for cause in found["comparison"]["causes"]] == ["document_edited"]
    ids = [found["comparison"][side] for side in ("baseline", "candidate")]
    compared = filled("compare", *ids, "--json").document
    assert {name: found["comparison"][name] for name in compared} == compared
    assert (
        filled("kb", "preflight", new, "--run", "monday", "--as", "v2", "--json").document == found
    )  # nothing is judged again


def _broken(found: dict[str, Any]) -> list[str]:
    return [change["key"] for change in found["comparison"]["changes"] if change["claims_broken"]]


def test_the_report_is_that_of_the_comparison_and_escapes_texts(filled: Command, tmp_path: Path) -> None:
    hostile = {**NEW, "returns": NEW["returns"] + " <script>alert(1)</script> {{ 7 * 7 }}"}
    new = _write(tmp_path / "new.jsonl", hostile)
    page, text = tmp_path / "report.html", tmp_path / "report.md"
    done = filled("kb", "preflight", new, "--run", "monday", "-o", page)
    assert done.err.splitlines()[-1] == f"Wrote the report to {page}."
    html = page.read_text(encoding="utf-8")
    assert "alert(1)" in html
    assert "<script>" not in html
    filled("kb", "preflight", new, "--run", "monday", "-o", text)
    assert "# " in text.read_text(encoding="utf-8")
    bare = tmp_path / "bare.html"
    filled("kb", "preflight", new, "--run", "monday", "-o", bare, "--no-texts")
    assert "Items can be returned" not in bare.read_text(encoding="utf-8")


def test_bad_input_is_one_clear_line(filled: Command, answers: Path, new: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    image = tmp_path / "kb.png"
    image.write_bytes(b"\x89PNG\r\n\x1a\n")
    filled("evaluate", answers, "--name", "bare")
    filled("evaluate", answers, "--name", "gone", "--kb-version", "v0")
    for arguments, words in (
        ((tmp_path / "missing.jsonl", "--run", "monday"), "is neither a stored version nor a file or folder"),
        ((image, "--run", "monday"), "contains binary data instead of text"),
        ((empty, "--run", "monday"), "has no text in .md, .html and .txt files"),
        ((new, "--run", "friday"), "There is no run 'friday'"),
        ((new, "--run", "bare"), "Name a stored one with --kb-version"),
        ((new, "--run", "gone"), "Knowledge base 'v0' is not stored."),
        ((new, "--run", "monday", "--judge", "nobody"), "No judge named 'nobody'"),
        ((new, "--run", "monday", "--method", "single"), "belong to --judge"),
        ((new, "--run", "monday", "--json", "-o", "-"), "name a file with -o"),
        ((new, "--run", "monday", "--fail-over", "-1"), "--fail-over"),
    ):
        done = filled("kb", "preflight", *arguments)
        assert (done.status, done.out, len(done.err.splitlines())) == (2, "", 1), done
        assert words in done.err, done.err


def test_the_new_version_can_be_a_stored_one(filled: Command, new: Path) -> None:
    filled("kb", "add", "v2", new)
    found = filled("kb", "preflight", "v2", "--run", "monday", "--json").document
    of_file = filled("kb", "preflight", new, "--run", "monday", "--json").document
    assert found["new_version"] == "v2"
    assert _broken(found) == _broken(of_file) == ["returns"]


def test_without_a_version_in_the_run_it_can_be_named(filled: Command, answers: Path, new: Path) -> None:
    filled("evaluate", answers, "--name", "bare")
    found = filled("kb", "preflight", new, "--run", "bare", "--kb-version", "v1", "--json").document
    assert (found["kb_version"], found["claims_broken"]) == ("v1", 1)


def test_a_model_s_cost_is_shown_before_it_is_asked(
    filled: Command, new: Path, answers: Path, vendor: Vendor, store: Path
) -> None:
    model = ("--judge", "openai:gpt-4.1-mini", "--method", "claims")
    filled("evaluate", answers, "--name", "asked", "--kb-version", "v1", *model)
    before = vendor.calls
    estimate = filled("kb", "preflight", new, "--run", "asked", "--estimate", "--json").document
    assert (estimate["answers"], estimate["calls"]) == (2, 2)  # the claims are known, so only verdicts are asked for
    refused = filled("kb", "preflight", new, "--run", "asked")
    assert (refused.status, refused.out) == (2, "")
    assert "  calls         about 2" in refused.err.splitlines()
    assert refused.err.splitlines()[-1].endswith("add --yes to judge them. Nothing was changed.")
    assert vendor.calls == before
    with open_services(store) as services:
        assert list_preflights(services) == []
    done = filled("kb", "preflight", new, "--run", "asked", "--yes", "--json")
    assert done.status == 0
    assert vendor.calls - before == 2
    assert "  calls         about 2" in done.err
    assert KEY not in done.out + done.err
    again = filled("kb", "preflight", new, "--run", "asked", "--json")
    assert (again.status, vendor.calls - before) == (0, 2)


def test_a_limit_stops_it_and_it_continues(filled: Command, new: Path, answers: Path, vendor: Vendor) -> None:
    filled("evaluate", answers, "--name", "asked", "--kb-version", "v1", "--judge", "openai:m")
    stopped = filled("kb", "preflight", new, "--run", "asked", "--max-calls", "1", "--concurrency", "1", "--json")
    assert stopped.status == 3
    assert stopped.document["answers_pending"] == 1
    assert "Run the same command again to continue." in stopped.err
    done = filled("kb", "preflight", new, "--run", "asked", "--yes", "--json")
    assert (done.status, done.document["answers_pending"]) == (0, 0)
    assert done.document["comparison"]["candidate"] == stopped.document["comparison"]["candidate"]


@pytest.mark.process
def test_a_killed_one_continues_where_it_was_and_judges_nothing_twice(store_url: str, tmp_path: Path) -> None:
    environment = scripted_environment(tmp_path, store_url)
    old, new = (
        {f"{name}-{number}": f"{text} {word} {number}." for number in range(40) for name, text in KNOWLEDGE.items()}
        for word in ("Old", "New")
    )
    file = tmp_path / "answers.jsonl"
    lines = [{"id": name, "answer": "xx", "contexts": [text]} for name, text in old.items()]
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    with open_services(store_url) as services:
        # The scripted judge cites chunk "1", so no chunk has an id of its own.
        save_knowledge_base(services, "v1", [replace(chunk, chunk_id="1") for chunk in chunks_of(old)])
        command = ["evaluate", str(file), "--judge", "scripted", "--name", "run", "--kb-version", "v1", "--json"]
        judged = start(environment, *command)
        _, errors = judged.communicate(timeout=100)
        assert judged.returncode == 0, errors
        log = Path(environment[LOG_VARIABLE])
        log.unlink()
        gate(environment).touch()
        words = ["kb", "preflight", str(_write(tmp_path / "new.jsonl", new, has_ids=False)), "--run", "run", "--json"]
        first = start(environment, *words, "--concurrency", "1")
        wait_for(lambda: list_preflights(services))
        ((_, after),) = list_preflights(services)
        wait_for(lambda: get_progress(services, after.run_id).done >= 20)
        os.kill(first.pid, signal.SIGKILL)
        first.communicate()
        progress = get_progress(services, after.run_id)
        assert progress.done < progress.total == 160
        log.unlink()
        gate(environment).unlink()
        second = start(environment, *words)
        out, errors = second.communicate(timeout=200)
        assert second.returncode == 0, errors
        found = json.loads(out)
        assert (found["comparison"]["candidate"], found["answers_pending"]) == (after.run_id, 0)
        assert len(log.read_text(encoding="utf-8").splitlines()) == progress.total - progress.done
