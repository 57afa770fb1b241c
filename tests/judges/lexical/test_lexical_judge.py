"""The judge as the rest of FaithView uses it: its contract, its speed on hard input, the same on any machine."""

import asyncio
import subprocess
import sys
import time

import pytest

from faithview.domain.errors import JudgeUnavailable
from faithview.domain.result import State
from faithview.domain.run import JudgeSpec
from faithview.domain.sample import Sample
from faithview.judges.base import Judge
from faithview.judges.lexical import build
from faithview.judges.lexical.judge import judge_sample
from faithview.judges.lexical.model import support_probability
from faithview.judges.registry import create_judge

_ANSWER = "Support answers within 48 hours. Paris is the capital, and it has 2 million people. The lake is deep."
_CHUNKS = ["Support answers within 24 hours.", "Paris is the capital of France.", "The lake is very deep and cold."]


def test_the_registry_builds_the_judge() -> None:
    judge = create_judge(JudgeSpec(name="lexical"))
    assert isinstance(judge, Judge)
    assert judge.name == "lexical"
    assert judge.fingerprint == "lexical/1"


def test_an_option_is_refused() -> None:
    with pytest.raises(JudgeUnavailable, match="no option 'speed'"):
        build(JudgeSpec(options={"speed": "9"}))


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


def test_the_same_input_gives_the_same_bytes_in_another_process() -> None:
    runs = {
        subprocess.run(
            [sys.executable, "-c", _SCRIPT], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2", "77")
    }
    assert len(runs) == 1
    assert b"contradicted" in runs.pop()


def test_importing_the_judge_loads_no_heavy_package() -> None:
    script = (
        "import sys; from faithview.judges.lexical.judge import judge_sample;"
        "print([m for m in ('numpy', 'pandas', 'streamlit', 'sqlalchemy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, text=True)
    assert done.stdout.strip() == "[]"


def _cpu_seconds(answer: str, chunks: list[str]) -> float:
    sample = Sample.of(answer, chunks)
    start = time.process_time()
    judge_sample(sample)
    return time.process_time() - start


@pytest.mark.parametrize(
    "answer",
    [
        "word " * 200_000,
        "a" * 1_000_000,
        "The sky is blue and 3 km long. " * 32_000,
        "no. " * 250_000,
        "\n" * 1_000_000,
        "1,000 " * 160_000,
        "“(" * 500_000,
        "Dr. " * 250_000,
    ],
    ids=["words", "one word", "sentences", "short sentences", "line breaks", "numbers", "quotes", "abbreviations"],
)
def test_an_answer_of_a_megabyte_is_judged_in_seconds(answer: str) -> None:
    assert _cpu_seconds(answer, ["The sky is blue. It is 3 km long."]) < 40


def test_a_hundred_long_chunks_are_judged_in_a_second() -> None:
    chunks = [f"Topic {n} is about item {n * 7} and it costs {n} euros per month. " * 33 for n in range(100)]
    assert _cpu_seconds("Topic 7 costs 9 euros per month. Item 49 is blue. " * 5, chunks) < 3


def test_every_claim_of_a_huge_answer_is_kept() -> None:
    answer = "The sky is blue. " * 5_000
    result = judge_sample(Sample.of(answer, ["The sky is blue."]))
    assert result.state is State.JUDGED
    assert len(result.claims) == 5_000
    assert result.claims[-1].spans[0].occurrence == 4_999


def test_more_words_found_never_mean_a_lower_probability_with_all_else_equal() -> None:
    from faithview.judges.lexical.features import FEATURES

    found = [0.0] * len(FEATURES)
    missing = list(found)
    missing[FEATURES.index("unlike_words")] = 1.0
    missing[FEATURES.index("missing_values")] = 1.0
    assert support_probability(missing) < support_probability(found)
