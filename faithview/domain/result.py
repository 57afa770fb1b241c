"""A judge's result on one answer: its state, its claims with their verdicts, and the cost of judging it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from faithview.domain import scoring
from faithview.domain.certainty import Certainty, certainty_of, is_uncertain
from faithview.domain.claim import Claim, Verdict
from faithview.domain.scoring import State

__all__ = ["REPAIRED", "Result", "State", "Usage", "Weakness", "read_weakness", "weakness_warning"]

# A warning with this prefix says what was repaired in a complete result.
REPAIRED = "Repaired: "


class Weakness(StrEnum):
    """A part of a judge's rulings on an answer that a reader cannot check, or has to.

    `unquoted`: a claim's verdict needs a quote, and no quote of the judge is in a chunk. `unplaced`: the judge does not
    say where the answer makes a claim, or quotes words that are not in the answer. `uncovered`: less than half of the
    answer is in the words of its claims, so the judge may have missed some; it is about the answer, not about a claim.
    """

    UNQUOTED = "unquoted"
    UNPLACED = "unplaced"
    UNCOVERED = "uncovered"


_WEAKNESS_WORDS: Mapping[Weakness, str] = {
    Weakness.UNQUOTED: "The verdict on {claims} needs a quote and has none that is in a chunk.",
    Weakness.UNPLACED: "The words of {claims} were not found in the answer.",
    Weakness.UNCOVERED: "Less than half of the text is in the words of a claim; look for claims that were missed.",
}
_WEAKNESS_FORMS = {
    weakness: re.compile(re.escape(words).replace(re.escape("{claims}"), r"(\d+) claims?"))
    for weakness, words in _WEAKNESS_WORDS.items()
}


def weakness_warning(weakness: Weakness, claims: int) -> str:
    """Return the warning that says how many claims of an answer, or of several answers, have this weakness.

    The one about an uncovered answer names no number.

    Example:
        `weakness_warning(Weakness.UNPLACED, 2)` is "The words of 2 claims were not found in the answer."
    """
    return _WEAKNESS_WORDS[weakness].format(claims=f"{claims} claim{'' if claims == 1 else 's'}")


def read_weakness(warning: str) -> tuple[Weakness, int] | None:
    """Return the weakness and the number of claims that a warning is about; None for a warning about anything else.

    For an uncovered answer the number is 0.
    """
    for weakness, form in _WEAKNESS_FORMS.items():
        if match := form.fullmatch(warning):
            return weakness, int(match[1]) if form.groups else 0
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """The cost of judging one answer. Calls answered from the verdict cache are counted apart.

    `prompt_tokens` are all that were sent; `cached_prompt_tokens` are those of them that the vendor read from its own
    prompt cache, at a lower price. `cost_usd` is None if no price is known.
    """

    llm_calls: int = 0
    cached_calls: int = 0
    prompt_tokens: int = 0
    cached_prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = None

    def __add__(self, other: "Usage") -> "Usage":
        """Return the sum; its cost is None if the cost of any calls is unknown."""
        costs = [usage.cost_usd for usage in (self, other) if usage.llm_calls or usage.cost_usd is not None]
        known = [cost for cost in costs if cost is not None]
        return Usage(
            llm_calls=self.llm_calls + other.llm_calls,
            cached_calls=self.cached_calls + other.cached_calls,
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            cached_prompt_tokens=self.cached_prompt_tokens + other.cached_prompt_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
            cost_usd=sum(known) if known and len(known) == len(costs) else None,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One answer, judged.

    `error` says why a `failed` answer could not be judged and is None otherwise. `suggestions` are a judge's advice on
    the answer as a whole. `answer_score` is a judge's own probability in [0, 1] that the whole answer is faithful,
    if it has a better one than the share of supported claims; it ranks answers and is never shown as faithfulness.
    `metrics` are further figures in [0, 1] by name, shown separately and never mixed into faithfulness. `raw_reply` is
    the last reply of a model, unchanged, if the answer failed because of it. `warnings` say what is missing from an
    otherwise complete result; those that begin with `REPAIRED` say what was repaired in it, and those that
    `read_weakness` reads say what a reader cannot check. `given_score` is the faithfulness in [0, 1] that
    another tool gave a `judged` answer without listing its claims; it counts only if there are no claims. `is_cut` says
    that the judge did not read all of the answer and its chunks; it is known only of a result that comes from the
    judge, and not of a stored one.
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
    given_score: float | None = None
    is_cut: bool = False

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """The claims' verdicts, in the order of the claims."""
        return tuple(claim.verdict for claim in self.claims)

    @property
    def certainties(self) -> tuple[Certainty, ...]:
        """How sure the judge is of each of these verdicts; in a cascade, the judge that gave it."""
        return tuple(
            certainty_of(claim.verdict, claim.confidence, claim.decided_by or self.judge) for claim in self.claims
        )

    @property
    def uncertain(self) -> int:
        """How many claims a cascade would send to a model, because the judge is unsure of them."""
        return sum(is_uncertain(claim.support_score, claim.decided_by or self.judge) for claim in self.claims)

    @property
    def faithfulness(self) -> float | None:
        """Supported claims / all claims, or the score that was given without claims; None if there is neither."""
        if self._has_no_score:
            return None
        return self.given_score if self.is_scored_without_claims else scoring.faithfulness(self.verdicts)

    @property
    def faithfulness_weighted(self) -> float | None:
        """Mean weight of the verdicts, clipped to [0, 1]; None if there are no claims."""
        return None if self._has_no_score else scoring.faithfulness_weighted(self.verdicts)

    @property
    def is_faithful(self) -> bool | None:
        """Whether the answer is faithful (`scoring.is_faithful`); None if `faithfulness` is None."""
        if self._has_no_score:
            return None
        if self.is_scored_without_claims:
            return scoring.is_score_faithful(self.given_score, threshold=self.threshold)
        return scoring.is_faithful(self.verdicts, threshold=self.threshold)

    @property
    def is_scored_without_claims(self) -> bool:
        """Whether another tool scored the answer as a whole, without claims that show where it is wrong."""
        return self.state is State.JUDGED and not self.claims and self.given_score is not None

    @property
    def is_whole(self) -> bool:
        """Whether the result is complete: all warnings are about repairs or weaknesses."""
        return all(warning.startswith(REPAIRED) or read_weakness(warning) for warning in self.warnings)

    @property
    def no_claims(self) -> bool:
        """Whether the answer has no claims to check."""
        return self.state in (State.NO_CLAIMS, State.ABSTAINED)

    @property
    def _has_no_score(self) -> bool:
        return self.state is not State.JUDGED
