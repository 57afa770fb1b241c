"""The judge as the rest of FaithView uses it: its contract, its speed on hard input, the same on any machine."""

import asyncio
import gc
import json
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

from faithview.domain.errors import JudgeUnavailable
from faithview.domain.result import State
from faithview.domain.run import JudgeSpec
from faithview.domain.sample import Sample
from faithview.judges.base import Judge
from faithview.judges.lexical import build
from faithview.judges.lexical.judge import judge_sample
from faithview.judges.lexical.scoring.model import packaged_model
from faithview.judges.registry import create_judge

_ANSWER = "Support answers within 48 hours. Paris is the capital, and it has 2 million people. The lake is deep."
_CHUNKS = ["Support answers within 24 hours.", "Paris is the capital of France.", "The lake is very deep and cold."]


def test_the_registry_builds_the_judge() -> None:
    judge = create_judge(JudgeSpec(name="lexical"))
    assert isinstance(judge, Judge)
    assert judge.name == "lexical"
    assert judge.fingerprint.startswith("lexical/9+")


def test_judging_through_the_contract_gives_the_same_result() -> None:
    async def use() -> None:
        judge = build(JudgeSpec())
        sample = Sample.of(_ANSWER, _CHUNKS)
        assert await judge.judge(sample) == judge_sample(sample)
        await judge.aclose()

    asyncio.run(use())


_SCRIPT = f"""
from faithview.domain.sample import Sample
from faithview.judges.lexical.judge import judge_sample
print(repr(judge_sample(Sample.of({_ANSWER!r}, {_CHUNKS!r}, question="Where is the lake?"))))
"""


@pytest.mark.process
def test_the_same_input_gives_the_same_bytes_in_another_process() -> None:
    runs = {
        subprocess.run(
            [sys.executable, "-c", _SCRIPT], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2", "77")
    }
    assert len(runs) == 1
    assert b"contradicted" in runs.pop()


@pytest.mark.process
def test_importing_the_judge_loads_no_heavy_package() -> None:
    script = (
        "import sys; from faithview.judges.lexical.judge import judge_sample;"
        "print([m for m in ('numpy', 'pandas', 'streamlit', 'sqlalchemy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, text=True)
    assert done.stdout.strip() == "[]"


def test_every_claim_of_a_huge_answer_is_kept() -> None:
    answer = "The sky is blue. " * 1_000
    result = judge_sample(Sample.of(answer, ["The sky is blue."]))
    assert result.state is State.JUDGED
    assert len(result.claims) == 1_000
    assert result.claims[-1].spans[0].occurrence == 999


def test_a_claim_with_more_words_missing_has_a_lower_score() -> None:
    chunk = "The lake is very deep and cold, and its water comes from two glaciers in the north."
    said, invented = (
        judge_sample(Sample.of(answer, [chunk])).claims[0].support_score
        for answer in ("The water of the lake comes from two glaciers.", "The water of the lake tastes of iron ore.")
    )
    assert said is not None
    assert invented is not None
    assert said > invented


def test_the_packaged_model_is_a_small_file_of_numbers() -> None:
    path = files("faithview.judges.lexical.scoring").joinpath("model.json")
    assert len(path.read_bytes()) < 2_000_000
    document = json.loads(path.read_text(encoding="utf-8"))
    words = {w for value in (document["features"], document["answer"], document["cuts"]) for w in value}
    assert all(isinstance(number, int | float) for tree in document["trees"] for number in tree["leaves"])
    assert max(map(len, words)) < 30


def test_another_model_judges_where_the_environment_names_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    document = json.loads(files("faithview.judges.lexical.scoring").joinpath("model.json").read_text(encoding="utf-8"))
    document["base"] -= 30
    other = tmp_path / "model.json"
    other.write_text(json.dumps(document), encoding="utf-8")
    sample = Sample.of("The lake is deep.", ["The lake is deep."])
    monkeypatch.setenv("FAITHVIEW_LEXICAL_MODEL", str(other))
    judge = build(JudgeSpec())
    assert judge.fingerprint != f"lexical/2+{packaged_model().digest}"
    assert asyncio.run(judge.judge(sample)).faithfulness == 0
    assert judge_sample(sample).faithfulness == 1


@pytest.mark.parametrize("content", ["", "{}", '{"format": 1}', "[1]", '{"format": 2, "features": []}'])
def test_a_file_that_is_no_model_is_refused(content: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "model.json"
    path.write_text(content, encoding="utf-8")
    monkeypatch.setenv("FAITHVIEW_LEXICAL_MODEL", str(path))
    with pytest.raises(JudgeUnavailable, match="is not a model of this judge"):
        build(JudgeSpec())


def test_a_model_that_is_not_there_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAITHVIEW_LEXICAL_MODEL", str(tmp_path / "none.json"))
    with pytest.raises(JudgeUnavailable, match="cannot be read"):
        build(JudgeSpec())


@pytest.mark.parametrize("was_on", [True, False])
def test_the_garbage_collector_is_left_as_it_was(*, was_on: bool) -> None:
    before = gc.isenabled()
    (gc.enable if was_on else gc.disable)()
    try:
        judge_sample(Sample.of(_ANSWER, _CHUNKS))
        assert gc.isenabled() is was_on
    finally:
        (gc.enable if before else gc.disable)()
