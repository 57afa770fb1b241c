"""The methods: each file defines which questions one method asks and what the replies mean."""

from collections.abc import Mapping

from faithview.domain.errors import JudgeUnavailable
from faithview.judges.llm.methods.claims_first import Claims, Combined, PerClaim, parse_weights
from faithview.judges.llm.methods.method import Method
from faithview.judges.llm.methods.nli import Nli
from faithview.judges.llm.methods.qa import Qa
from faithview.judges.llm.methods.sentence import Sentences
from faithview.judges.llm.methods.single import Single

__all__ = ["METHODS", "create_method", "method", "nli"]

METHODS: Mapping[str, str] = {
    "claims": "Claims are listed, then all verified in one call (two calls per answer)",
    "single": "Claims are listed and verified in one call: the cheapest",
    "per-claim": "Claims are listed, then each is verified in a separate call",
    "nli": "Each sentence is entailed, neutral or contradicted (one call)",
    "qa": "Questions from the answer are answered from the chunks, and the answers compared (three calls)",
    "sentence": "Each sentence is faithful or not, with the wrong phrases (one call)",
    "combined": "Claims, nli and qa together, weighted (six calls)",
}


def create_method(name: str, *, weights: str | None = None) -> Method:
    """Return the method with this name.

    Raises:
        JudgeUnavailable: there is none, or the weights of `combined` cannot be read.
    """
    simple = {m.name: m for m in (Claims(), Single(), PerClaim(), Nli(), Qa(), Sentences())}
    if weights is not None and name != "combined":
        raise JudgeUnavailable(f"Only the method 'combined' has weights; {name!r} has none; leave them out.")
    if name == "combined":
        return Combined(weights=parse_weights(weights))
    if name not in simple:
        raise JudgeUnavailable(f"No method named {name!r}; known: {', '.join(METHODS)}.")
    return simple[name]
