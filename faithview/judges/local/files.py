"""Where a model's files are: in a folder, or at the Hugging Face Hub and from then on in its cache.

The Hub's own settings apply: HF_HUB_OFFLINE=1 reads the cache only, HF_HOME moves it, HF_ENDPOINT names a mirror and
HF_TOKEN opens a repository that asks for a licence.
"""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from faithview.domain.errors import JudgeUnavailable

_DIGITS = 12
_BLOCK = 1 << 20
# Files that decide a model's output.
_FILES = ("*.json", "*.safetensors", "*.bin", "*.onnx", "*.model", "*.txt", "*.py", "onnx/model.onnx")
_PATH_MARKS = ("/", "./", "../", "~", ".\\", "..\\")


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFiles:
    """A model that was found. `place` and `revision` are what Transformers loads it from.

    `version` names its exact content: the first digits of the Hub's commit, or of the hash of a folder's files.
    """

    place: str
    revision: str | None
    version: str

    @property
    def is_folder(self) -> bool:
        """Whether the model is in a folder, and so needs no Hub."""
        return self.revision is None

    def find(self, name: str) -> Path | None:
        """Return a file of the model, fetched if need be; None if the model has no such file."""
        if self.is_folder:
            path = Path(self.place) / name
            return path if path.is_file() else None
        from huggingface_hub import hf_hub_download
        from huggingface_hub.errors import EntryNotFoundError, HfHubHTTPError, OfflineModeIsEnabled

        try:
            with _without_warnings():
                return Path(hf_hub_download(self.place, name, revision=self.revision))
        except (EntryNotFoundError, OfflineModeIsEnabled):
            return None  # offline, a file that was never fetched is one that the model was used without
        except (HfHubHTTPError, OSError) as error:
            raise JudgeUnavailable(_cannot_fetch(self.place, error)) from error


def is_folder_name(model: str) -> bool:
    """Return whether a model's name means a folder: it begins like a path, or such a folder is there."""
    return model.startswith(_PATH_MARKS) or Path(model).is_absolute() or Path(model).is_dir()


def check_folder(model: str) -> None:
    """Raise JudgeUnavailable where a model's name means a folder that holds none; looks at nothing else."""
    if not is_folder_name(model):
        return
    folder = _folder(model)
    if not (folder / "config.json").is_file():
        what = "has no config.json" if folder.is_dir() else "does not exist"
        raise JudgeUnavailable(f"The model's folder {folder} {what}; name the folder with the model's files.")


def find_model(model: str, revision: str | None = None) -> ModelFiles:
    """Return where a model is; of one at the Hub only the configuration is fetched.

    Raises:
        JudgeUnavailable: there is no such folder or model, or it cannot be reached.
    """
    check_folder(model)
    if is_folder_name(model):
        return _in_folder(_folder(model), revision)
    from huggingface_hub import hf_hub_download
    from huggingface_hub.errors import (
        EntryNotFoundError,
        GatedRepoError,
        HfHubHTTPError,
        HFValidationError,
        LocalEntryNotFoundError,
        OfflineModeIsEnabled,
        RepositoryNotFoundError,
        RevisionNotFoundError,
    )

    try:
        with _without_warnings():
            config = Path(hf_hub_download(model, "config.json", revision=revision))
    except (OfflineModeIsEnabled, LocalEntryNotFoundError) as error:
        raise JudgeUnavailable(
            f"The model {model!r} is not on this machine and the Hugging Face Hub cannot be reached; fetch it where "
            "there is a connection, or name a folder that holds it."
        ) from error
    except GatedRepoError as error:
        raise JudgeUnavailable(
            f"The model {model!r} requires you to accept its licence at the Hugging Face Hub; accept it there and set "
            "HF_TOKEN."
        ) from error
    except RevisionNotFoundError as error:
        raise JudgeUnavailable(f"The model {model!r} has no revision {revision!r} at the Hugging Face Hub.") from error
    except (RepositoryNotFoundError, HFValidationError) as error:
        raise JudgeUnavailable(
            f"There is no model {model!r}, as a folder or at the Hugging Face Hub; write its name as "
            "OWNER/NAME, or the path of its folder."
        ) from error
    except EntryNotFoundError as error:
        raise JudgeUnavailable(f"The model {model!r} has no config.json, so Transformers cannot load it.") from error
    except (HfHubHTTPError, OSError) as error:
        raise JudgeUnavailable(_cannot_fetch(model, error)) from error
    commit = config.parent.name  # .../snapshots/COMMIT/config.json
    return ModelFiles(place=model, revision=commit, version=commit[:_DIGITS])


def _folder(model: str) -> Path:
    return Path(os.path.expanduser(model))


def _in_folder(folder: Path, revision: str | None) -> ModelFiles:
    if revision is not None:
        raise JudgeUnavailable(f"{folder} is a folder, which has no revisions; leave the option revision out.")
    files = sorted({path for pattern in _FILES for path in folder.glob(pattern) if path.is_file()})
    stamps = tuple((str(path), path.stat().st_size, path.stat().st_mtime_ns) for path in files)
    return ModelFiles(place=str(folder), revision=None, version=_digest(stamps))


@lru_cache(maxsize=8)
def _digest(stamps: tuple[tuple[str, int, int], ...]) -> str:
    """Return the hash of files' names and contents; sizes and times tell when it must be computed again."""
    digest = sha256()
    for name, size, _ in stamps:
        path = Path(name)
        digest.update(f"{path.name}:{size}:".encode())
        with path.open("rb") as file:
            while block := file.read(_BLOCK):
                digest.update(block)
    return digest.hexdigest()[:_DIGITS]


@contextmanager
def _without_warnings() -> Iterator[None]:
    """Keep the Hub's warnings about each of its attempts off the terminal: what failed in the end is said once."""
    logger = logging.getLogger("huggingface_hub")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)


def _cannot_fetch(model: str, error: Exception) -> str:
    reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    return f"The model {model!r} cannot be fetched from the Hugging Face Hub: {reason}"
