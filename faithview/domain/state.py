"""The states of an answer in a run."""

from enum import StrEnum


class State(StrEnum):
    """The outcome of one answer. Each is counted separately; only `judged` answers enter a run's mean."""

    PENDING = "pending"
    JUDGED = "judged"
    NO_CLAIMS = "no_claims"
    ABSTAINED = "abstained"
    EMPTY_CONTEXT = "empty_context"
    FAILED = "failed"
