"""The gates of `evaluate` and `resume`: exit status 1 and one line that says why."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Command

_OPENING = "The office number {n} opens at {hour} am."


def _write(
    path: Path, *, wrong: int, rows: int = 12, empty: int = 0, unusable: int = 0, day: int = 1, prefix: str = "q"
) -> Path:
    """Write answers, the first of them wrong, the last without context, and behind them rows without an answer."""
    lines = []
    for n in range(rows):
        context = [] if n >= rows - empty else [_OPENING.format(n=n, hour=9)]
        row = {
            "id": f"{prefix}{n}",
            "question": f"When does the office {prefix} {n} open?",
            "answer": _OPENING.format(n=n, hour=11 if n < wrong else 9),
            "contexts": context,
            "timestamp": f"2026-03-{day:02}T00:00:00Z",
            "series": "desk",
        }
        lines.append(json.dumps(row))
    lines += [json.dumps({"id": f"null{n}", "answer": None, "contexts": ["Text."]}) for n in range(unusable)]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


@pytest.fixture
def before(tmp_path: Path) -> Path:
    return _write(tmp_path / "before.jsonl", wrong=0)


@pytest.fixture
def after(tmp_path: Path) -> Path:
    return _write(tmp_path / "after.jsonl", wrong=8, day=2)


def test_too_few_verdicts_fail_the_gate(faithview: Command, tmp_path: Path) -> None:
    file = _write(tmp_path / "some.jsonl", wrong=0, empty=3)
    done = faithview("evaluate", file, "--min-coverage", "0.8", "--json")
    assert (done.status, done.document["states"]["empty_context"]) == (1, 3)
    assert done.err == "faithview: coverage 0.7500 is below 0.8.\n"
    assert faithview("evaluate", file, "--min-coverage", "0.75").status == 0
    assert faithview("resume", done.document["run_id"], "--min-coverage", "0.8").status == 1


def test_abstentions_need_no_verdict(faithview: Command, dataset: Path) -> None:
    assert faithview("evaluate", dataset, "--min-coverage", "1").status == 0


def test_several_gates_are_one_line(faithview: Command, tmp_path: Path) -> None:
    file = _write(tmp_path / "some.jsonl", wrong=9, empty=3)
    done = faithview("evaluate", file, "--min-coverage", "0.8", "--fail-under", "0.5")
    assert done.status == 1
    assert done.err == ("faithview: faithfulness 0.0000 is below 0.5; coverage 0.7500 is below 0.8.\n")


def test_a_significant_fall_against_the_previous_run_fails_the_gate(
    faithview: Command, before: Path, after: Path
) -> None:
    first = faithview("evaluate", before, "--fail-on-regression")
    assert (first.status, first.err) == (
        0,
        "note: There is no earlier complete run by this judge on these questions in its series, "
        "so there is nothing to compare with.\n",
    )
    done = faithview("evaluate", after, "--fail-on-regression", "--json")
    assert done.status == 1
    assert done.err.startswith("faithview: faithfulness fell by 0.6667 since before (p = 0.00")
    assert done.document["faithfulness"] == pytest.approx(1 / 3)
    assert faithview("resume", "after", "--fail-on-regression").status == 1
    assert faithview("resume", "after").status == 0


def test_a_fall_that_may_be_chance_passes(faithview: Command, before: Path, tmp_path: Path) -> None:
    faithview("evaluate", before)
    file = _write(tmp_path / "one.jsonl", wrong=1, day=2)
    done = faithview("evaluate", file, "--fail-on-regression", "--json")
    assert (done.status, done.document["status"]) == (0, "complete")
    assert done.err == (
        "note: No regression since before: faithfulness 1.00 -> 0.92, −0.08 (−0.35 to +0.20), p 1.00, n 12 pairs; "
        "a fall of 0.23 would have been noticed 80% of the time.\n"
    )


def test_a_gate_over_few_pairs_says_that_it_could_notice_little(faithview: Command, tmp_path: Path) -> None:
    for name, wrong in (("first", 0), ("second", 1), ("third", 1)):
        file = _write(tmp_path / f"{name}.jsonl", wrong=wrong, rows=4)
        done = faithview("evaluate", file, "--fail-on-regression")
        assert done.status == 0
    assert "note: No regression since second: faithfulness 0.75 -> 0.75, 0.00 (" in done.err
    assert " is not ruled out.\n" in done.err
    single = [_write(tmp_path / f"{name}.jsonl", wrong=0, rows=1, prefix="x") for name in ("a", "b")]
    faithview("evaluate", single[0])
    done = faithview("evaluate", single[1], "--fail-on-regression")
    assert (done.status, "with so few pairs even a fall to 0 might not have been noticed." in done.err) == (0, True)


def test_a_comparison_of_two_named_runs_is_the_same_gate(
    faithview: Command, before: Path, after: Path, tmp_path: Path
) -> None:
    one = _write(tmp_path / "one.jsonl", wrong=1, day=3)
    # Every answer abstains, so no pair has a score.
    silent = tmp_path / "silent.jsonl"
    rows = [json.loads(line) for line in one.read_text(encoding="utf-8").splitlines()]
    silent.write_text(
        "\n".join(json.dumps({**row, "answer": "The documents do not say."}) for row in rows), encoding="utf-8"
    )
    for file in (before, after, one, silent):
        faithview("evaluate", file)
    passed = faithview("compare", "before", "one", "--fail-on-regression", "--json")
    assert (passed.status, passed.document["paired_rows"]) == (0, 12)
    assert passed.err.endswith("a fall of 0.23 would have been noticed 80% of the time.\n")
    assert faithview("compare", "before", "after", "--fail-on-regression").status == 1
    unknown = faithview("compare", "before", "silent", "--fail-on-regression")
    assert unknown.status == 1
    assert "it is not known whether faithfulness fell: no pair of answers has a score in both runs." in unknown.err
    assert faithview("compare", "before", "silent").status == 0


@pytest.mark.parametrize(
    ("variable", "arguments"),
    [
        ("FAITHVIEW_DB", ("run", "list")),
        ("FAITHVIEW_DB", ("evaluate", "FILE", "--fail-on-regression")),
        ("FAITHVIEW_DB", ("doctor", "--no-call")),
        ("FAITHVIEW_DB", ("db", "check")),
        ("FAITHVIEW_DB", ("ui", "--no-browser")),
        ("FAITHVIEW_DB", ("demo", "--no-browser")),
        ("FAITHVIEW_DB", ("serve",)),
        ("FAITHVIEW_PROJECT", ("evaluate", "FILE", "--fail-on-regression")),
        ("FAITHVIEW_PROJECT", ("ui", "--no-browser")),
        ("FAITHVIEW_SECRETS", ("ui", "--no-browser")),
        ("FAITHVIEW_TOKEN", ("serve",)),
        ("FAITHVIEW_RETENTION", ("watch", "--once")),
        ("FAITHVIEW_LEXICAL_MODEL", ("evaluate", "FILE", "--judge", "lexical")),
    ],
)
@pytest.mark.parametrize("value", ["", "  "])
def test_a_variable_that_is_empty_is_an_error_and_nothing_is_judged(
    faithview: Command,
    before: Path,
    store: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    variable: str,
    arguments: tuple[str, ...],
    value: str,
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv(variable, value)
    done = faithview(*(str(before) if word == "FILE" else word for word in arguments))
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(f"faithview: {variable} is set but empty: set it to ")
    assert not store.exists()
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("option", ["--db", "--project", "--baseline"])
def test_an_option_that_is_empty_is_an_error(faithview: Command, before: Path, store: Path, option: str) -> None:
    done = faithview("evaluate", before, "--fail-on-regression", option, "")
    assert (done.status, done.out, len(done.err.splitlines())) == (2, "", 1)
    assert faithview("evaluate", before).status == 0


def test_a_baseline_that_is_named_goes_before_the_previous_run(
    faithview: Command, before: Path, after: Path, tmp_path: Path
) -> None:
    faithview("evaluate", before)
    faithview("evaluate", after)
    low = _write(tmp_path / "still-low.jsonl", wrong=8, day=3)
    assert faithview("evaluate", low, "--fail-on-regression", "--name", "low 1").status == 0
    done = faithview("evaluate", low, "--fail-on-regression", "--baseline", "before", "--name", "low 2")
    assert done.status == 1
    assert "fell by 0.6667 since before" in done.err


def test_a_baseline_on_other_questions_is_no_pass(faithview: Command, before: Path, tmp_path: Path) -> None:
    faithview("evaluate", before)
    other = _write(tmp_path / "other.jsonl", wrong=0, prefix="x", day=2)
    done = faithview("evaluate", other, "--fail-on-regression", "--baseline", "before")
    assert done.status == 1
    assert done.err.startswith(
        "faithview: it is not known whether the score fell since before: 'before' and 'other' have"
    )


def test_a_wrong_baseline_is_bad_input_and_nothing_is_judged(faithview: Command, before: Path) -> None:
    for arguments, expected in (
        (("--baseline", "x"), "A baseline has no effect without --fail-on-regression"),
        (("--baseline", "x", "--fail-on-regression"), "There is no run 'x'"),
        (("--min-coverage", "2"), "--min-coverage"),
    ):
        done = faithview("evaluate", before, *arguments)
        assert (done.status, done.out, len(done.err.splitlines())) == (2, "", 1), done
        assert expected in done.err
    assert faithview("run", "list", "--json").document["runs"] == []
    faithview("evaluate", before)
    done = faithview("resume", "before", "--fail-on-regression", "--baseline", "before")
    assert (done.status, "cannot be compared with itself" in done.err) == (2, True)


def test_a_fall_fails_the_gate_where_the_two_files_have_the_same_timestamps(
    faithview: Command, before: Path, tmp_path: Path
) -> None:
    faithview("evaluate", before)
    worse = _write(tmp_path / "worse.jsonl", wrong=8)
    done = faithview("evaluate", worse, "--fail-on-regression")
    assert done.status == 1
    assert "faithfulness fell by 0.6667 since before" in done.err
    # The newest earlier run is the baseline, and a run that was made later never is.
    again = faithview("evaluate", worse, "--fail-on-regression", "--name", "again")
    assert (again.status, "fell" in again.err) == (0, False)
    assert faithview("resume", "before", "--fail-on-regression", "--require-baseline").status == 1


def test_a_required_baseline_that_is_missing_fails_the_gate(
    faithview: Command, before: Path, after: Path, tmp_path: Path
) -> None:
    done = faithview("evaluate", before, "--fail-on-regression", "--require-baseline", "--json")
    assert done.status == 1
    assert done.err == (
        "faithview: there is no earlier complete run by this judge on these questions in its series to compare with "
        "(--require-baseline); this run can be the next one's baseline.\n"
    )
    assert done.document["status"] == "complete"
    other = _write(tmp_path / "other.jsonl", wrong=0, prefix="x", day=3)
    assert faithview("evaluate", other, "--fail-on-regression", "--require-baseline").status == 1
    same = _write(tmp_path / "same.jsonl", wrong=0)
    done = faithview("evaluate", same, "--fail-on-regression", "--require-baseline")
    assert (done.status, "baseline" in done.err) == (0, False)
    alone = faithview("evaluate", before, "--require-baseline")
    assert (alone.status, "--require-baseline has no effect without --fail-on-regression" in alone.err) == (2, True)


def test_rows_that_cannot_be_read_count_against_the_coverage(faithview: Command, tmp_path: Path) -> None:
    file = _write(tmp_path / "half.jsonl", wrong=0, rows=20, unusable=20)
    done = faithview("evaluate", file, "--min-coverage", "0.9", "--json")
    assert done.status == 1
    assert done.err.endswith("faithview: coverage 0.5000 (20 rows of the file could not be read) is below 0.9.\n")
    assert (done.document["rows"], done.document["rows_left_out"]) == (20, 20)
    # The run remembers them, so that going on with it is no way around the gate.
    assert faithview("resume", done.document["run_id"], "--min-coverage", "0.9").status == 1
    assert faithview("resume", done.document["run_id"], "--min-coverage", "0.5").status == 0


def test_rows_that_cannot_be_read_count_in_an_alert_s_coverage(faithview: Command, tmp_path: Path) -> None:
    faithview("alert", "add", "--coverage", "0.9")
    done = faithview("evaluate", _write(tmp_path / "half.jsonl", wrong=0, rows=4, unusable=4))
    assert "alert: Coverage of half is 50.00%" in done.err
