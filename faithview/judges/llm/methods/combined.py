"""`combined`: the weighted mean of `claims`, `nli` and `qa`, which run at the same time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from faithview.domain import scoring
from faithview.domain.errors import JudgeUnavailable
from faithview.domain.result import State
from faithview.domain.sample import Sample
from faithview.judges.llm.asking import Asker, together
from faithview.judges.llm.methods.base import Expected, Method, Outcome
from faithview.judges.llm.methods.claims import Claims
from faithview.judges.llm.methods.nli import Nli
from faithview.judges.llm.methods.qa import Qa

_PARTS: tuple[Method, ...] = (Claims(), Nli(), Qa())
WEIGHTS: Mapping[str, float] = {"claims": 0.4, "nli": 0.3, "qa": 0.3}


@dataclass(frozen=True, slots=True)
class Combined:
    """Three methods at once; a part with weight 0 is not asked. The claims shown are those of `claims`."""

    weights: Mapping[str, float] = field(default_factory=lambda: dict(WEIGHTS))

    name = "combined"
    main_step = "claims_verify"

    @property
    def label(self) -> str:
        """The name with the weights."""
        return "combined(" + ",".join(f"{name}={self.weights[name]:g}" for name in WEIGHTS) + ")"

    @property
    def steps(self) -> tuple[str, ...]:
        """The prompts of all parts."""
        return tuple(step for part in self._weighted_methods for step in part.steps)

    async def judge(self, sample: Sample, asker: Asker) -> Outcome:
        """Judge one answer.

        An answer in which `claims` finds nothing to check has no score, regardless of the others.
        """
        parts = self._weighted_methods
        outcomes = await together([part.judge(sample, asker) for part in parts])
        main = outcomes[0]
        if main.state is not State.JUDGED:
            return main
        scores = {part.name: _score(outcome) for part, outcome in zip(parts, outcomes, strict=True)}
        known = {name: score for name, score in scores.items() if score is not None}
        total = sum(self.weights[name] for name in known)
        combined = sum(self.weights[name] * score for name, score in known.items()) / total
        return Outcome(
            state=State.JUDGED,
            claims=main.claims,
            suggestions=main.suggestions,
            score=combined,
            metrics={**known, "combined": combined},
        )

    def expect(self, sample: Sample) -> Sequence[Expected]:
        """All that the parts expect."""
        return tuple(expected for part in self._weighted_methods for expected in part.expect(sample))

    @property
    def _weighted_methods(self) -> list[Method]:
        return [part for part in _PARTS if self.weights[part.name] > 0]


def parse_weights(text: str | None) -> Mapping[str, float]:
    """Return weights from "claims=0.4,nli=0.3,qa=0.3"; the shipped ones if there is no text.

    Raises:
        JudgeUnavailable: a part is unknown or missing, a weight is negative or not a number, or that of `claims` is 0.
    """
    if text is None:
        return dict(WEIGHTS)
    weights = {}
    for item in text.split(","):
        name, _, value = item.partition("=")
        try:
            weights[name.strip()] = float(value)
        except ValueError:
            raise JudgeUnavailable(f"The weight {item!r} cannot be read; write 'claims=0.4,nli=0.3,qa=0.3'.") from None
    if set(weights) != set(WEIGHTS):
        raise JudgeUnavailable(f"The weights {text!r} must name exactly {', '.join(WEIGHTS)}.")
    if not all(0 <= weight < float("inf") for weight in weights.values()) or weights["claims"] <= 0:
        raise JudgeUnavailable(f"The weights {text!r} must not be negative, and that of 'claims' must be above 0.")
    return weights


def _score(outcome: Outcome) -> float | None:
    """Return a part's score; None if it found nothing to check."""
    if outcome.state is not State.JUDGED:
        return None
    return scoring.faithfulness([c.verdict for c in outcome.claims]) if outcome.score is None else outcome.score
