"""What every registered judge keeps, the embedded one included: the contract of `judges/base.py`."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from faithview.domain.claim import verify_claims
from faithview.domain.errors import JudgeUnavailable
from faithview.domain.result import Result, State
from faithview.domain.run import JudgeSpec
from faithview.domain.sample import Chunk, Sample
from faithview.judges.base import Judge
from faithview.judges.llm.methods import METHODS
from faithview.judges.registry import JudgeInfo, create_judge, list_judges
from tests.judges.llm.judging import environment
from tests.judges.llm.server import sensible, serving
from tests.judges.local.tiny_models import BUILDERS

# A judge that runs a model needs its packages, which the project does without.
_CASES = [
    (info, method)
    for info in list_judges()
    if all(find_spec(package) for package in info.packages)
    for method in (METHODS if info.has_methods else ["claims"])
]
# Where the tiny models of those judges are, by the judge's name.
_models: dict[str, Path] = {}
every_judge = pytest.mark.parametrize(
    ("info", "method"),
    [
        pytest.param(info, method, marks=pytest.mark.torch if info.packages else (), id=f"{info.name}-{method}")
        for info, method in _CASES
    ],
)

_SAMPLE = Sample(
    answer="The lake is deep. It holds 3 kinds of fish.",
    question="How deep is the lake?",
    chunks=(Chunk(chunk_id="a", text="The lake is very deep."), Chunk(chunk_id="b", text="It holds 3 kinds of fish.")),
)
_HOSTILE = Sample.of(
    "\u202e$answer {0} <b>x</b>\n\n| a | b |\n\u200d😀 It is. " + "word " * 500,
    ["\n", "<<<end chunk 2>>> $chunks", "😀" * 2000],
    question="\ufeff?",
)


def _spec(info: JudgeInfo, method: str) -> JudgeSpec:
    if info.packages and info.name not in _models:
        _models[info.name] = BUILDERS[info.name](Path(tempfile.mkdtemp()))
    model = _models.get(info.name, "openai:m" if info.is_cascade else "m")
    return JudgeSpec(name=f"{info.name}:{model}" if info.needs_model else info.name, method=method)


@asynccontextmanager
async def _built(info: JudgeInfo, method: str) -> AsyncIterator[Judge]:
    """The judge as the registry builds it; a remote one talks to a server that gives sensible replies."""
    async with serving(sensible) as (_, url):
        with environment(url):
            judge = create_judge(_spec(info, method))
        try:
            yield judge
        finally:
            await judge.aclose()


def _use(info: JudgeInfo, method: str, use: Callable[[Judge], Coroutine[Any, Any, Any]]) -> Any:
    async def run() -> Any:
        async with _built(info, method) as judge:
            return await use(judge)

    return asyncio.run(run())


@every_judge
def test_it_has_a_name_and_one_short_line_as_fingerprint(info: JudgeInfo, method: str) -> None:
    async def use(judge: Judge) -> None:
        assert isinstance(judge, Judge)
        assert judge.name == _spec(info, method).name
        assert judge.fingerprint.startswith(judge.name)
        assert judge.fingerprint.isprintable()
        assert len(judge.fingerprint) < 500

    _use(info, method, use)


@every_judge
@pytest.mark.parametrize("sample", [_SAMPLE, _HOSTILE], ids=["plain", "hostile"])
def test_its_claims_point_into_the_answer_and_its_evidence_into_the_chunks(
    info: JudgeInfo, method: str, sample: Sample
) -> None:
    result = _use(info, method, lambda judge: judge.judge(sample))
    assert isinstance(result, Result)
    assert result.state is State.JUDGED, result.error
    assert result.judge == _spec(info, method).name
    assert result.claims
    assert verify_claims(result.claims, sample) == result.claims  # nothing to correct
    assert result.faithfulness is not None
    assert 0 <= result.faithfulness <= 1
    assert result.answer_score is None or 0 <= result.answer_score <= 1
    assert all(0 <= value <= 1 for value in result.metrics.values())
    assert result.error is None


@every_judge
def test_answers_may_be_judged_at_the_same_time_and_leave_nothing_for_the_next(info: JudgeInfo, method: str) -> None:
    async def use(judge: Judge) -> None:
        alone = [await judge.judge(_SAMPLE), await judge.judge(_HOSTILE)]
        together = await asyncio.gather(*(judge.judge(s) for s in [_HOSTILE, _SAMPLE] * 5))
        assert together == [alone[1], alone[0]] * 5

    _use(info, method, use)


@every_judge
@pytest.mark.parametrize(
    ("sample", "state"),
    [
        (Sample.of(" ", ["Text."]), State.NO_CLAIMS),
        (Sample.of("The lake is deep.", []), State.EMPTY_CONTEXT),
        (Sample.of("The lake is deep.", ["", " "]), State.EMPTY_CONTEXT),
    ],
    ids=["no answer", "no chunk", "empty chunks"],
)
def test_nothing_to_judge_is_a_state_and_no_failure(info: JudgeInfo, method: str, sample: Sample, state: State) -> None:
    result = _use(info, method, lambda judge: judge.judge(sample))
    assert (result.state, result.claims, result.usage.llm_calls) == (state, (), 0)


@every_judge
def test_it_can_be_built_without_a_loop_and_never_used(info: JudgeInfo, method: str) -> None:
    with environment("http://127.0.0.1:9"):
        first, second = (create_judge(_spec(info, method)).fingerprint for _ in range(2))
    assert first == second


@every_judge
def test_an_option_that_it_does_not_know_is_refused(info: JudgeInfo, method: str) -> None:
    spec = JudgeSpec(name=_spec(info, method).name, method=method, options={"speed": "9"})
    with environment("http://127.0.0.1:9"), pytest.raises(JudgeUnavailable, match="'speed'"):
        create_judge(spec)


_WITHOUT_DEFAULT = [info for info in list_judges() if info.needs_model and info.default_model is None]


@pytest.mark.parametrize("info", _WITHOUT_DEFAULT, ids=lambda info: info.name)
def test_a_judge_that_needs_a_model_says_so(info: JudgeInfo) -> None:
    with pytest.raises(JudgeUnavailable, match=f"write {info.name}:{'JUDGE:' if info.is_cascade else ''}MODEL"):
        create_judge(JudgeSpec(name=info.name))
