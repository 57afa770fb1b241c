"""Tiny models, each made once for all tests of a process."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from faithview.domain.result import Result
from faithview.domain.run import JudgeSpec
from faithview.domain.sample import Sample
from faithview.judges.registry import create_judge

MakeModel = Callable[[Callable[[Path], Path]], Path]


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> MakeModel:
    """Return a function that makes a model with one of `tiny_models`, or returns the folder where it was made."""
    pytest.importorskip("torch", reason="PyTorch is not installed")
    pytest.importorskip("transformers", reason="Transformers is not installed")
    made: dict[Callable[[Path], Path], Path] = {}

    def make(build: Callable[[Path], Path]) -> Path:
        if build not in made:
            made[build] = build(tmp_path_factory.mktemp(build.__name__))
        return made[build]

    return make


def judge_once(name: str, sample: Sample, **options: str) -> Result:
    """Make a judge, judge one answer with it, and close it."""

    async def use() -> Result:
        judge = create_judge(JudgeSpec(name=name, options=options))
        try:
            return await judge.judge(sample)
        finally:
            await judge.aclose()

    return asyncio.run(use())
