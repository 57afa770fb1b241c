"""Tiny models, each made once for all tests of a process."""

from collections.abc import Callable
from pathlib import Path

import pytest

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
