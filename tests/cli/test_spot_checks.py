"""`faithview spot-check` and `label --spot-check`: draw here, label elsewhere, and read the corrected score here."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Command

DRAWN = ["spot_check_id", "run_ids", "design", "seed", "items"]
ITEM = ["claim_id", "run_id", "key", "inclusion_probability"]


def _lines(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def run_id(faithview: Command, tmp_path: Path) -> str:
    """A run of thirty answers with two claims each."""
    rows = [
        {
            "id": f"k{n}",
            "question": f"What about office {n}?",
            "answer": f"Office {n} opens at 9 am. Parking at office {n} costs {5 if n % 3 else 7} euros.",
            "contexts": [f"Office {n} opens at 9 am.", f"Parking at office {n} costs 5 euros."],
        }
        for n in range(30)
    ]
    document = faithview("evaluate", _lines(tmp_path / "r.jsonl", rows), "--json").document
    assert sum(document["claims"].values()) == 60
    return str(document["run_id"])


def _draw(faithview: Command, *arguments: object) -> dict[str, Any]:
    done = faithview("spot-check", "draw", *arguments, "--json")
    assert (done.status, done.err) == (0, "")
    return done.document


def test_a_draw_labelled_in_a_file_corrects_the_score(faithview: Command, run_id: str, tmp_path: Path) -> None:
    drawn = _draw(faithview, run_id, "--size", 20, "--seed", 7, "--name", "spring")
    assert [key for key in drawn if key in DRAWN] == DRAWN
    assert (drawn["run_ids"], drawn["design"], drawn["seed"]) == ([run_id], "random", 7)
    items = drawn["items"]
    assert len(items) == len({item["claim_id"] for item in items}) == 20
    assert list(items[0])[:4] == ITEM
    assert [item["inclusion_probability"] for item in items] == [pytest.approx(20 / 60)] * 20
    assert "verdict" not in json.dumps(drawn)  # a reviewer may see all of it

    check = drawn["spot_check_id"]
    before = faithview("spot-check", "show", check)
    assert (before.status, "0 of 20 claims, by no reviewer yet" in before.out) == (0, True)
    rows = [
        {"claim_id": item["claim_id"], "verdict": "supported", "reviewer": "ann", "blind": True,
         "at": "2026-03-01T12:00:00Z"}
        for item in items
    ]  # fmt: skip
    rows[0]["verdict"] = "contradicted"
    file = _lines(tmp_path / "labels.jsonl", rows)
    done = faithview("labels", "import", run_id, file, "--spot-check", check, "--json")
    assert done.document == {"added": 20, "known": 0, "problems": 0}
    again = faithview("labels", "import", run_id, file, "--spot-check", check, "--json")
    assert again.document == {"added": 0, "known": 20, "problems": 0}

    corrected = faithview("labels", "agreement", run_id, "--json").document["human_corrected"]
    assert corrected["ci"][0] < corrected["estimate"] < corrected["ci"][1]
    shown = faithview("spot-check", "show", check, "--json").document
    assert (shown["claims"], shown["labelled"], shown["by_reviewer"]) == (20, 20, {"ann": 20})
    (of_run,) = shown["runs"]
    assert (of_run["human_corrected"], of_run["reason"]) == (corrected, None)
    assert f"corrected score {corrected['estimate']:.2f}" in faithview("spot-check", "show", check).out
    (listed,) = faithview("spot-check", "list", "--json").document["spot_checks"]
    assert (listed["spot_check_id"], listed["name"], listed["labelled"]) == (check, "spring", 20)
    assert "20 of 20" in faithview("spot-check", "list").out
    label = faithview("labels", "export", run_id, "--json").document["labels"][0]
    assert (label["blind"], label["at"], label["inclusion_probability"]) == (
        True, "2026-03-01T12:00:00+00:00", pytest.approx(1 / 3),
    )  # fmt: skip


def test_labels_given_elsewhere_do_not_move_the_corrected_score(
    faithview: Command, run_id: str, tmp_path: Path
) -> None:
    drawn = _draw(faithview, run_id, "--size", 20, "--seed", 7)
    rows = [{"claim_id": item["claim_id"], "verdict": "supported", "reviewer": "ann"} for item in drawn["items"]]
    file = _lines(tmp_path / "labels.jsonl", rows)
    assert faithview("labels", "import", run_id, file, "--json").document["added"] == 20
    assert faithview("labels", "agreement", run_id, "--json").document["human_corrected"]["estimate"] is None
    # The same labels count once they are said to be of the spot-check; they are not taken for known.
    done = faithview("labels", "import", run_id, file, "--spot-check", drawn["spot_check_id"], "--json")
    assert done.document == {"added": 20, "known": 0, "problems": 0}
    assert faithview("labels", "agreement", run_id, "--json").document["human_corrected"]["estimate"] is not None


def test_a_claim_that_was_not_drawn_is_refused_with_its_line(faithview: Command, run_id: str, tmp_path: Path) -> None:
    drawn = _draw(faithview, run_id, "--size", 20, "--seed", 7)
    inside = {item["claim_id"] for item in drawn["items"]}
    outside = next(f"{run_id}-{row}-1" for row in range(1, 31) if f"{run_id}-{row}-1" not in inside)
    missed = {"claim_id": f"{run_id}-1-missed", "verdict": "supported", "reviewer": "ann", "start": 0, "end": 8}
    rows = [
        {"claim_id": drawn["items"][0]["claim_id"], "verdict": "supported", "reviewer": "ann"},
        {"claim_id": outside, "verdict": "supported", "reviewer": "ann"},
        missed,
    ]
    check = drawn["spot_check_id"]
    done = faithview("labels", "import", run_id, _lines(tmp_path / "l.jsonl", rows), "--spot-check", check, "--json")
    assert done.document == {"added": 1, "known": 0, "problems": 2}
    assert done.err.splitlines() == [
        f"left out: row 2: Run {run_id} has no claim '{outside}' that spot-check {check} drew.",
        f"left out: row 3: Run {run_id} has no claim '{run_id}-1-missed' that spot-check {check} drew.",
    ]


def test_a_spot_check_goes_with_the_last_of_its_runs(faithview: Command, run_id: str, tmp_path: Path) -> None:
    row = {"id": "x", "question": "When?", "answer": "It opens at 9 am.", "contexts": ["It opens at 9 am."]}
    other = faithview("evaluate", _lines(tmp_path / "other.jsonl", [row]), "--json").document["run_id"]
    check = _draw(faithview, run_id, other, "--size", 61)["spot_check_id"]
    faithview("run", "delete", run_id, "--yes")
    runs = faithview("spot-check", "show", check, "--json").document["runs"]
    (gone,) = [of_run for of_run in runs if of_run["run_id"] == run_id]
    assert gone["name"] is None
    assert run_id in gone["reason"]
    assert faithview("spot-check", "show", check).status == 0
    faithview("run", "delete", other, "--yes")
    done = faithview("spot-check", "show", check)
    assert done.status == 2
    assert f"no spot-check {check}" in done.err


def test_the_same_seed_draws_the_same_claims(faithview: Command, run_id: str) -> None:
    first, again, other = (_draw(faithview, run_id, "--size", 20, "--seed", seed)["items"] for seed in (7, 7, 8))
    assert first == again != other


def test_half_of_a_balanced_draw_is_flagged(faithview: Command, run_id: str, tmp_path: Path) -> None:
    drawn = _draw(faithview, run_id, "--size", 12, "--design", "balanced", "--no-blind")
    assert (drawn["design"], drawn["blind"], len(drawn["items"])) == ("balanced", False, 12)
    faithview("export", run_id, "--format", "jsonl", "-o", tmp_path / "o.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "o.jsonl").read_text(encoding="utf-8").splitlines()]
    flagged = {claim["claim_id"] for row in rows for claim in row["claims"] if claim["verdict"] != "supported"}
    assert sum(item["claim_id"] in flagged for item in drawn["items"]) == 6


def test_bad_input_is_one_line_and_nothing_is_drawn(faithview: Command, run_id: str, tmp_path: Path) -> None:
    file = _lines(tmp_path / "l.jsonl", [{"claim_id": f"{run_id}-1-1", "verdict": "supported", "reviewer": "ann"}])
    for arguments, words in (
        (("spot-check", "draw", "nope", "--size", 5), "There is no run 'nope'"),
        (("spot-check", "draw", run_id, "--size", 5, "--design", "all"), "--design"),
        (("spot-check", "draw", run_id), "--size"),
        (("spot-check", "show", 9), "spot-check 9"),
        (("labels", "import", run_id, file, "--spot-check", 9), "spot-check 9"),
    ):
        done = faithview(*arguments)
        assert (done.status, done.out, len(done.err.splitlines())) == (2, "", 1), done
        assert words in done.err
    assert faithview("spot-check", "list", "--json").document == {"spot_checks": []}
