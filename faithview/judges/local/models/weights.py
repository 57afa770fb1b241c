"""Loading a network's weights onto its device."""

import sys
from collections.abc import Mapping
from typing import Any

from faithview.domain.errors import JudgeUnavailable
from faithview.judges.local.models.prepared import Prepared
from faithview.judges.local.models.texts import first_line

# One matrix under two names; a file holds one of them or both.
_T5_EMBEDDINGS = {"transformer.shared.weight", "transformer.encoder.embed_tokens.weight"}


def load_network(kind: str, prepared: Prepared) -> Any:
    """Load a model with the class of Transformers that is named, "AutoModelForTokenClassification" for example.

    Raises:
        JudgeUnavailable: it cannot be loaded, or lacks weights: a model that was never trained for this would answer
            at random.
    """
    import torch
    import transformers

    files = prepared.files
    try:
        with _quietly():
            model, info = getattr(transformers, kind).from_pretrained(
                files.place,
                config=prepared.config,
                revision=files.revision,
                trust_remote_code=prepared.options.trusts_code,
                dtype=getattr(torch, prepared.device.dtype),
                output_loading_info=True,
            )
    except (OSError, ValueError, KeyError, RuntimeError, ImportError, AttributeError) as error:
        raise JudgeUnavailable(f"The model {files.place!r} cannot be loaded: {first_line(error)}") from error
    missing = sorted(info["missing_keys"])
    if missing:
        raise JudgeUnavailable(
            f"The model {files.place!r} lacks {missing[0]!r} and so was not trained for this judge; choose another."
        )
    return model.to(prepared.device.name).eval()


def load_hhem(prepared: Prepared) -> Any:
    """Load HHEM's weights into Transformers' own T5 encoder with a classifier.

    Its repository has a class of its own, which does the same and does not load in Transformers 5; this way none of the
    repository's code runs.
    """
    import torch
    from safetensors.torch import load_file
    from transformers import T5ForTokenClassification

    place = prepared.files.place
    path = prepared.files.find("model.safetensors")
    if path is None:
        raise JudgeUnavailable(f"The model {place!r} has no model.safetensors; it is not HHEM-2.1-Open.")
    prepared.config.num_labels = 2
    weights = {name.removeprefix("t5."): tensor for name, tensor in load_file(str(path)).items()}
    model = T5ForTokenClassification(prepared.config)
    _check_names(place, model.state_dict(), weights)
    try:
        model.load_state_dict(weights, strict=False)
    except RuntimeError as error:
        raise JudgeUnavailable(f"The weights of {place!r} do not fit HHEM-2.1-Open: {first_line(error)}") from error
    return model.to(device=prepared.device.name, dtype=getattr(torch, prepared.device.dtype)).eval()


def load_hhem_with_its_code(prepared: Prepared) -> Any:
    """Load HHEM with the class that its repository brings, which runs that repository's code: the user allowed it."""
    import torch
    from transformers import AutoModelForSequenceClassification

    files = prepared.files
    try:
        with _quietly():
            model = AutoModelForSequenceClassification.from_pretrained(
                files.place,
                revision=files.revision,
                trust_remote_code=True,
                dtype=getattr(torch, prepared.device.dtype),
            )
    except (OSError, ValueError, KeyError, RuntimeError, ImportError, AttributeError) as error:
        raise JudgeUnavailable(
            f"The code that comes with {files.place!r} does not load here: {first_line(error)}. Leave the option "
            "trust_remote_code out: FaithView then loads the same weights without that code."
        ) from error
    return model.to(prepared.device.name).eval()


def _check_names(place: str, wanted: Mapping[str, Any], given: Mapping[str, Any]) -> None:
    has_embeddings = bool(_T5_EMBEDDINGS & given.keys())
    missing = wanted.keys() - given.keys() - (_T5_EMBEDDINGS if has_embeddings else set())
    strange = given.keys() - wanted.keys()
    if missing or strange:
        what = f"lack {min(missing)!r}" if missing else f"hold {min(strange)!r}, which HHEM-2.1-Open has not"
        raise JudgeUnavailable(f"The weights of {place!r} {what}; it is another model.")


class _quietly:  # noqa: N801 - used as a function is
    """Without Transformers' reports, and without bars outside a terminal: what is missing is an error here."""

    def __enter__(self) -> None:
        from transformers.utils import logging

        self._level = logging.get_verbosity()
        self._had_bars = logging.is_progress_bar_enabled()
        logging.set_verbosity_error()
        if not sys.stderr.isatty():  # whoever waits at a terminal sees how far a model is fetched and loaded
            logging.disable_progress_bar()

    def __exit__(self, *_: object) -> None:
        from transformers.utils import logging

        logging.set_verbosity(self._level)
        if self._had_bars:
            logging.enable_progress_bar()
