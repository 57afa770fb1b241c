"""How often a judge was wrong about answers whose errors are known."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeErrors:
    """Counts over `answers` about documentation whose errors are marked, and to which nothing in the judge was fitted.

    `errors` are the wrong places in them; `errors_caught` are those with a claim that the judge did not call supported.
    `right_claims` are the claims without an error; `false_alarms` are those that the judge did not call supported.
    """

    answers: int
    errors: int
    errors_caught: int
    right_claims: int
    false_alarms: int

    @property
    def caught(self) -> float:
        """The share of the errors that the judge caught, in [0, 1]."""
        return self.errors_caught / self.errors

    @property
    def alarms(self) -> float:
        """The share of the right claims that the judge questioned, in [0, 1]."""
        return self.false_alarms / self.right_claims
