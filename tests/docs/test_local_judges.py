"""The table "Without a key" of docs/judges.md says what the code of each judge says."""

import re
from collections.abc import Mapping
from importlib.resources import files

from faithview.judges.embedded import reader
from faithview.judges.local import loading
from faithview.judges.local.options import Family
from faithview.judges.registry import list_judges
from tests.docs.tables import page_table

_LOCAL = {family.value for family in Family}


def _rows() -> Mapping[str, list[str]]:
    rows = page_table("docs/judges.md", "## Without a key")
    return {re.findall("`([a-z]+)", row[0])[0]: row for row in rows}


def test_the_table_lists_every_judge_that_can_run_without_a_key() -> None:
    builtin = [info for info in list_judges() if info.target.startswith("faithview.")]
    assert list(_rows()) == [info.name for info in builtin if not (info.is_remote or info.is_cascade)] + ["openai"]


def test_the_table_names_the_default_models_and_the_extra() -> None:
    rows = _rows()
    for info in list_judges():
        if info.name in _LOCAL:
            assert f"`{info.default_model}`" in rows[info.name][4]
    assert {name for name, row in rows.items() if "extra `local`" in row[5]} == _LOCAL


def test_the_table_says_how_much_each_judge_reads_at_a_time() -> None:
    reads = {name: row[3] for name, row in _rows().items()}
    for family, window in loading._WINDOWS.items():
        assert f"{window:,} tokens of a chunk" in reads[family]
    assert f"{loading._LETTUCEDETECT_LIMIT:,} tokens" in reads["lettucedetect"]
    assert f"{reader.MOST_TOKENS} tokens" in reads["embedded"]


def test_the_table_gives_the_size_of_the_packaged_model() -> None:
    size = len(files("faithview.judges.embedded").joinpath("reader.onnx").read_bytes())
    assert f"{size / 1e6:.0f} MB" in _rows()["embedded"][4]


def test_the_table_gives_each_local_model_the_verdicts_that_its_limits_leave() -> None:
    given = {name: row[2].split(", ") for name, row in _rows().items() if name in _LOCAL}
    limits = {info.name: " ".join(info.limits) for info in list_judges()}
    for name, verdicts in given.items():
        assert ("contradicted" in verdicts) == ("not_mentioned" not in limits[name])
        assert ("partially supported" in verdicts) == ("never calls a claim partially supported" not in limits[name])
        assert {"supported", "not mentioned"} <= set(verdicts)
