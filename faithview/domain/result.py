"""What a judge returns about one answer: its state, its claims with their verdicts, and what judging it cost."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from faithview.domain import scoring
from faithview.domain.claim import Claim, Verdict
from faithview.domain.state import State

__all__ = ["REPAIRED", "Result", "State", "Usage"]

# A warning that begins like this says what was repaired in a result that is whole.
REPAIRED = "Repaired: "


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What judging one answer cost. Calls answered from the verdict cache are counted apart.

    `prompt_tokens` are all that were sent; `cached_prompt_tokens` are those of them that the vendor read from its own
    prompt cache, at a lower price. `cost_usd` is None where no price is known.
    """

    llm_calls: int = 0
    cached_calls: int = 0
    prompt_tokens: int = 0
    cached_prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One answer, judged.

    `error` says why a `failed` answer could not be judged and is None otherwise. `suggestions` are a judge's advice on
    the answer as a whole. `answer_score` is a judge's own probability in [0, 1] that the whole answer is faithful,
    where it has a better one than the share of supported claims; it ranks answers and is never shown as faithfulness.
    `metrics` are further figures in [0, 1] by name, shown beside faithfulness and never mixed into it. `raw_reply` is
    the last reply of a model, as it came, where the answer failed because of it. `warnings` say what is missing from a
    result that is otherwise whole, and those that begin with `REPAIRED` what was repaired in it.
    """

    state: State
    judge: str
    claims: tuple[Claim, ...] = ()
    error: str | None = None
    suggestions: tuple[str, ...] = ()
    answer_score: float | None = None
    threshold: float = scoring.DEFAULT_THRESHOLD
    usage: Usage = Usage()
    seconds: float = 0.0
    metrics: Mapping[str, float] = field(default_factory=dict)
    raw_reply: str | None = None
    warnings: tuple[str, ...] = ()

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """The claims' verdicts, in the order of the claims."""
        return tuple(claim.verdict for claim in self.claims)

    @property
    def faithfulness(self) -> float | None:
        """Supported claims / all claims; None where the answer makes no claim or could not be judged."""
        return None if self._has_no_score else scoring.faithfulness(self.verdicts)

    @property
    def faithfulness_weighted(self) -> float | None:
        """Mean weight of the verdicts, clipped to [0, 1]; None where there is no `faithfulness`."""
        return None if self._has_no_score else scoring.faithfulness_weighted(self.verdicts)

    @property
    def is_faithful(self) -> bool | None:
        """No contradicted claim and faithfulness at least the threshold; None where there is no `faithfulness`."""
        return None if self._has_no_score else scoring.is_faithful(self.verdicts, threshold=self.threshold)

    @property
    def is_whole(self) -> bool:
        """Whether nothing is missing: every warning, if there is one, is about a repair."""
        return all(warning.startswith(REPAIRED) for warning in self.warnings)

    @property
    def no_claims(self) -> bool:
        """Whether the answer makes no claim that could be checked."""
        return self.state in (State.NO_CLAIMS, State.ABSTAINED)

    @property
    def _has_no_score(self) -> bool:
        return self.state is not State.JUDGED
