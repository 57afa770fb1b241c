"""A model before its weights are loaded: files, configuration, device. It is cheap, so that mistakes show early."""

import json
from dataclasses import dataclass
from typing import Any

from faithview.domain.errors import JudgeUnavailable
from faithview.judges.local.models.files import ModelFiles, find_model, is_folder_name
from faithview.judges.local.models.texts import first_line
from faithview.judges.local.options import Family, LocalOptions
from faithview.judges.local.running.devices import Device, pick_device

# HHEM-2.1-Open and the tokenizer it was trained with, at commits whose content does not change.
_HHEM_REVISION = "8e4a2e6e96c708cc76c2344f7e4757df2515292c"
_HHEM_MODEL = "vectara/hallucination_evaluation_model"
_FOUNDATION = "google/flan-t5-base"
_FOUNDATION_REVISION = "7bcac572ce56db69c1ea7c8af255c5d7c9672fc2"

# A new number whenever the code changes a verdict.
_RULES = "local/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A model that can be loaded. `texts_files` is where its tokenizer is: beside it, unless it is HHEM's."""

    options: LocalOptions
    files: ModelFiles
    texts_files: ModelFiles
    config: Any  # a class of Transformers, which has no types here; HHEM's is that of its foundation
    device: Device

    @property
    def version(self) -> str:
        """What can change a verdict besides the texts: code, model, precision, options."""
        parts = [_RULES, self.files.version]
        if self.texts_files is not self.files:
            parts.append(self.texts_files.version)
        if self.device.is_half:
            parts.append("half")
        if self.options.window is not None:
            parts.append(f"window={self.options.window}")
        if self.options.labels:
            parts.append(f"labels={','.join(self.options.labels)}")
        return "+".join(parts)


def prepare(options: LocalOptions) -> Prepared:
    """Find a model and read its configuration.

    Raises:
        JudgeUnavailable: the model is not there, is one for something else, or the device is not there.
    """
    if options.family is Family.HHEM:
        return _prepare_hhem(options)
    files = find_model(options.model, options.revision)
    config = _read_config(files, trusts_code=options.trusts_code)
    device = pick_device(options.device, is_t5=config.model_type == "t5")
    return Prepared(options=options, files=files, texts_files=files, config=config, device=device)


def _prepare_hhem(options: LocalOptions) -> Prepared:
    """HHEM's repository holds weights only; configuration and tokenizer are those of the model it was made from."""
    revision = options.revision or (_HHEM_REVISION if options.model == _HHEM_MODEL else None)
    files = find_model(options.model, None if is_folder_name(options.model) else revision)
    named = hhem_setting(files, "foundation", _FOUNDATION)
    foundation = options.foundation or named
    pinned = _FOUNDATION_REVISION if foundation == _FOUNDATION and not is_folder_name(foundation) else None
    texts_files = find_model(foundation, pinned)
    config = _read_config(texts_files, trusts_code=False)
    if config.model_type != "t5":
        raise JudgeUnavailable(f"HHEM is made from T5, and {foundation!r} is {config.model_type!r}.")
    device = pick_device(options.device, is_t5=True)
    return Prepared(options=options, files=files, texts_files=texts_files, config=config, device=device)


def hhem_setting(files: ModelFiles, name: str, default: str) -> str:
    """Return a setting of HHEM's config.json, which Transformers cannot read without running the model's own code."""
    path = files.find("config.json")
    given = json.loads(path.read_text(encoding="utf-8")) if path is not None else {}
    value = given.get(name, default)
    return value if isinstance(value, str) else default


def _read_config(files: ModelFiles, *, trusts_code: bool) -> Any:
    from transformers import AutoConfig

    try:
        return AutoConfig.from_pretrained(files.place, revision=files.revision, trust_remote_code=trusts_code)
    except (OSError, ValueError, KeyError, ImportError) as error:
        if "trust_remote_code" in str(error):
            raise JudgeUnavailable(
                f"The model {files.place!r} comes with Python code of its own. If you have read it and trust it, add "
                "--judge-option trust_remote_code=yes."
            ) from error
        raise JudgeUnavailable(f"The model {files.place!r} cannot be read: {first_line(error)}") from error
