"""Where a model's files are: in a folder, or at the Hugging Face Hub and from then on in its cache.

The Hub's own settings apply: HF_HUB_OFFLINE=1 reads the cache only, HF_HOME moves it, HF_ENDPOINT names a mirror and
HF_TOKEN opens a repository that asks for a licence.
"""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import file_digest, sha256
from pathlib import Path
from typing import NamedTuple

from faithview.domain.errors import JudgeUnavailable

# HHEM-2.1-Open and the model that it was made from, at commits whose content does not change.
FOUNDATION = "google/flan-t5-base"
_REVISIONS = {
    "vectara/hallucination_evaluation_model": "8e4a2e6e96c708cc76c2344f7e4757df2515292c",
    FOUNDATION: "7bcac572ce56db69c1ea7c8af255c5d7c9672fc2",
}

# Files that decide what a model says.
_DECIDE = (".json", ".safetensors", ".bin", ".model", ".txt", ".py")
_VERSION_DIGITS = 12


class ModelFiles(NamedTuple):
    """A model that was found: what Transformers loads it from, its config.json, and the name of its exact content."""

    place: str
    revision: str | None
    config: Path
    version: str


def folder_of(model: str) -> Path | None:
    """Return the folder that a model's name means; None if it is a name at the Hugging Face Hub.

    Raises:
        JudgeUnavailable: the name begins like a path and no model is there.
    """
    folder = Path(model).expanduser()
    if not folder.is_dir() and not folder.is_absolute() and not model.startswith("."):
        return None
    if not (folder / "config.json").is_file():
        what = "has no config.json" if folder.is_dir() else "does not exist"
        raise JudgeUnavailable(f"The model's folder {folder} {what}; name the folder with the model's files.")
    return folder


def find_files(model: str, revision: str | None) -> ModelFiles:
    """Return where a model is; of one at the Hub only the configuration is fetched.

    Raises:
        JudgeUnavailable: it is not there, or the Hub cannot be reached.
    """
    folder = folder_of(model)
    if folder is not None:
        return ModelFiles(str(folder), None, folder / "config.json", _digest(folder))
    from huggingface_hub import hf_hub_download

    try:
        with _quietly():
            config = Path(hf_hub_download(model, "config.json", revision=revision or _REVISIONS.get(model)))
    except (OSError, ValueError) as error:
        raise JudgeUnavailable(
            f"The model {model!r} is not on this machine and cannot be fetched from the Hugging Face Hub "
            f"({type(error).__name__}). Name the folder that holds it, or check its name, the connection and HF_TOKEN."
        ) from error
    commit = config.parent.name  # .../snapshots/COMMIT/config.json
    return ModelFiles(model, commit, config, commit[:_VERSION_DIGITS])


def _digest(folder: Path) -> str:
    digest = sha256()
    for path in sorted(path for path in folder.iterdir() if path.suffix in _DECIDE):
        with path.open("rb") as file:
            digest.update(path.name.encode() + file_digest(file, sha256).digest())
    return digest.hexdigest()[:_VERSION_DIGITS]


@contextmanager
def loading(files: ModelFiles) -> Iterator[None]:
    """Turn what goes wrong in the block into one sentence that names the model; raises JudgeUnavailable."""
    try:
        with _quietly():
            yield
    except Exception as error:  # a border: Transformers raises anything
        if "trust_remote_code" in str(error):
            raise JudgeUnavailable(
                f"The model {files.place!r} comes with its own Python code. If you have read it and trust it, add "
                "--judge-option trust_remote_code=yes."
            ) from error
        raise JudgeUnavailable(f"The model {files.place!r} cannot be loaded: {first_line(error)}") from error


@contextmanager
def _quietly() -> Iterator[None]:
    """Keep the libraries' warnings off the terminal, and their bars out of other outputs: what fails is said once."""
    from transformers.utils import logging as bars

    loggers = [logging.getLogger(name) for name in ("transformers", "huggingface_hub")]
    levels = [logger.level for logger in loggers]
    had_bars = bars.is_progress_bar_enabled()
    for logger in loggers:
        logger.setLevel(logging.ERROR)
    if not sys.stderr.isatty():
        bars.disable_progress_bar()
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
        if had_bars:
            bars.enable_progress_bar()


def first_line(error: Exception) -> str:
    """Return the first line of an error's text, or the error's kind where it has no text."""
    return (str(error).strip() or type(error).__name__).splitlines()[0]
