"""The methods: each file defines which questions one method asks and what the replies mean."""

import re
from collections.abc import Mapping

from faithview.domain.errors import JudgeUnavailable
from faithview.judges.llm.methods.claims import Claims, Combined, PerClaim, Single, parse_weights
from faithview.judges.llm.methods.method import Method
from faithview.judges.llm.methods.qa import Qa
from faithview.judges.llm.methods.sentences import NLI, SENTENCE

__all__ = ["METHODS", "create_method", "default_method"]

METHODS: Mapping[str, str] = {
    "single": "Claims are listed and verified in one call: the cheapest",
    "claims": "Claims are listed, then all verified in one call (two calls per answer)",
    "per-claim": "Claims are listed, then each is verified in a separate call",
    "nli": "Each sentence is entailed, neutral or contradicted (one call)",
    "qa": "Questions from the answer are answered from the chunks, and the answers compared (three calls)",
    "sentence": "Each sentence is faithful or not, with the wrong phrases (one call)",
    "combined": "Claims, nli and qa together, weighted (six calls)",
}


# Below this, a model makes fewer mistakes with two flat lists than with one nested list.
_SMALL = 14.0
# The parameters in a model's name, in billions: "qwen3:8b", "mixtral-8x7b", "gemma-2-2.5b-it".
_PARAMETERS = re.compile(r"(?<![a-z0-9.])(?:(\d+)x)?(\d+(?:\.\d+)?)b(?![a-z0-9])", re.IGNORECASE)


def default_method(model: str) -> str:
    """Return the method for a model by its name: "claims" if that says fewer than 14 billion parameters, else "single".

    Of several numbers the largest counts: "qwen3-30b-a3b" has 30 billion.
    """
    sizes = [float(times or 1) * float(size) for times, size in _PARAMETERS.findall(model)]
    return "claims" if sizes and max(sizes) < _SMALL else "single"


def create_method(name: str, *, weights: str | None = None) -> Method:
    """Return the method with this name.

    Raises:
        JudgeUnavailable: there is none, or the weights of `combined` cannot be read.
    """
    methods: tuple[Method, ...] = (Single(), Claims(), PerClaim(), NLI, Qa(), SENTENCE)
    simple = {method.name: method for method in methods}
    if weights is not None and name != "combined":
        raise JudgeUnavailable(f"Only the method 'combined' has weights; {name!r} has none; leave them out.")
    if name == "combined":
        return Combined(weights=parse_weights(weights))
    if name not in simple:
        raise JudgeUnavailable(f"No method named {name!r}; known: {', '.join(METHODS)}.")
    return simple[name]
