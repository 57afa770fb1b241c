"""`faithview kb`."""

from pathlib import Path

import pytest

from tests.cli.conftest import Command


@pytest.fixture
def kb(tmp_path: Path) -> Path:
    path = tmp_path / "kb-2026-03.csv"
    path.write_text("id,text\na,The office opens at 9 am.\nb,Parking is free.\n", encoding="utf-8")
    return path


def test_versions_are_added_replaced_listed_and_deleted(faithview: Command, kb: Path) -> None:
    assert faithview("kb", "add", "v1", kb).out == "Knowledge base v1: 2 chunks.\n"
    kb.write_text("text\none\n[bold]two\n\nthree\n", encoding="utf-8")
    assert faithview("kb", "add", "v1", kb).out == "Knowledge base v1: 3 chunks (replaced 2 chunks).\n"
    (base,) = faithview("kb", "list", "--json").document["knowledge_bases"]
    assert (base["version"], base["chunks"], base["source"]) == ("v1", 3, "kb-2026-03.csv")
    assert "kb-2026-03.csv" in faithview("kb", "list").out
    assert faithview("kb", "delete", "v1", "--yes").status == 0
    assert faithview("kb", "list", "--json").document == {"knowledge_bases": []}


def test_a_folder_is_stored_and_split_as_an_earlier_version_was(faithview: Command, kb: Path, tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    text = "# Office\n\nThe office opens at 9 am, and every Friday it closes an hour early.\n\nParking is free.\n"
    (folder / "office.md").write_text(text, encoding="utf-8")
    assert faithview("kb", "add", "v1", folder).out == "Knowledge base v1: 1 chunk.\n"
    kb.write_text(
        'id,text\nopening,"The office opens at 9 am, and every Friday it closes an hour early."\n', encoding="utf-8"
    )
    faithview("kb", "add", "v2", kb)
    assert faithview("kb", "add", "v3", folder, "--split-as", "v2").out == "Knowledge base v3: 2 chunks.\n"
    assert faithview("kb", "diff", "v2", "v3").out.startswith("v2 -> v3: 1 document added, none edited, none removed")
    refused = faithview("kb", "add", "v4", folder, "--split-as", "v0")
    assert (refused.status, refused.out) == (2, "")
    assert "'v0' is not stored" in refused.err


def test_a_bad_knowledge_base_is_one_clear_line_and_nothing_is_written(
    faithview: Command, tmp_path: Path, store: Path
) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text('[{"words": "x"}]', encoding="utf-8")
    for arguments in (
        ("kb", "add", "v1", bad),
        ("kb", "add", "v1", tmp_path / "missing.csv"),
        ("kb", "add", "v1", tmp_path),
        ("kb", "add", "", bad),
    ):
        done = faithview(*arguments)
        assert (done.status, done.out, len(done.err.splitlines())) == (2, "", 1), done
        assert not store.exists()
    assert faithview("kb", "delete", "v1", "--yes").err.startswith("faithview: There is no knowledge base 'v1'")


def test_two_versions_are_shown_side_by_side(faithview: Command, kb: Path) -> None:
    faithview("kb", "add", "v1", kb)
    kb.write_text("id,text\na,The office opens at 10 am.\nc,Dogs are welcome.\n", encoding="utf-8")
    faithview("kb", "add", "v2", kb)
    done = faithview("kb", "diff", "v1", "v2")
    assert done.out.startswith("v1 -> v2: 1 document added, 1 edited, 1 removed; 0 unchanged.\n")
    document = faithview("kb", "diff", "v1", "v2", "--json").document
    assert {one["name"]: one["kind"] for one in document["documents"]["changed"]} == {
        "a": "edited",
        "b": "removed",
        "c": "added",
    }
    assert document["claims"] is None
    missing = faithview("kb", "diff", "v1", "v3")
    assert missing.status == 2
    assert "'v3' is not stored" in missing.err


def test_claims_are_those_of_the_runs_over_both_versions(faithview: Command, dataset: Path, kb: Path) -> None:
    faithview("kb", "add", "v1", kb)
    first = faithview("evaluate", dataset, "--kb-version", "v1", "--name", "first", "--json").document
    kb.write_text("id,text\na,The office opens at 10 am.\n", encoding="utf-8")
    faithview("kb", "add", "v2", kb)
    second = faithview("evaluate", dataset, "--kb-version", "v2", "--name", "second", "--json").document
    document = faithview("kb", "diff", "v1", "v2", "--json").document
    assert document["claims"]["baseline"]["run_id"] == first["run_id"]
    assert document["claims"]["candidate"]["run_id"] == second["run_id"]
    assert "Claims are counted on the" in faithview("kb", "diff", "v1", "v2").out
    wrong = faithview("kb", "diff", "v1", "v2", "--runs", "second", "first")
    assert "used version 'v2'" in wrong.err
