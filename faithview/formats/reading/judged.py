"""What another tool or a person found about one answer, in FaithView's terms."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from faithview.domain.claim import Claim, Verdict
from faithview.domain.label import LabelRole
from faithview.domain.result import Usage
from faithview.domain.state import State


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotation:
    """What a person said about one answer or one of its claims.

    Attributes:
        verdict: their verdict; None with `is_claim` False where they said that it is no claim.
        reviewer: who they are; "" where the file does not say.
        claim_number: which of the claims, from 1; None for the whole answer, or for `span`.
        span: where in the answer the words stand that they marked, in code points; None for the whole answer.
        note: what they wrote.
        at: when; None where the file does not say.
        role: in which role they gave it.
        is_blind: whether the judge's verdict was hidden from them until they had given it.
        judge_seen: whether it was in sight, or had been before.
        corrected_text: the claim in full, where the marked words alone are unclear.
        seconds: how long they took; None if unknown.
        inclusion_probability: the probability in (0, 1] with which a spot-check drew the claim; None outside one.
        spot_check: which spot-check of the file it was given in; "" outside one.
        is_inherited: whether it was carried over from an earlier run.
        is_stale: whether what it rested on had changed since, so that it did not count.
        retracted_at: when its author took it back; None where they did not.
    """

    verdict: Verdict | None
    reviewer: str = ""
    claim_number: int | None = None
    span: tuple[int, int] | None = None
    note: str = ""
    at: datetime | None = None
    role: LabelRole = LabelRole.REVIEWER
    is_blind: bool = False
    judge_seen: bool = True
    corrected_text: str = ""
    seconds: float | None = None
    inclusion_probability: float | None = None
    spot_check: str = ""
    is_inherited: bool = False
    is_stale: bool = False
    retracted_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnItem:
    """A claim, by its number from 1, that a spot-check drew; `place` is that in its queue, from 1."""

    claim_number: int
    place: int
    stratum: str
    inclusion_probability: float


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenSpotCheck:
    """A spot-check of FaithView as one answer of an export holds it.

    Attributes:
        check_id: its id in the store that it comes from.
        document: everything about it that does not depend on the answer, as in the export; nothing of it is checked.
        items: which of the answer's claims it drew.
    """

    check_id: str
    document: Mapping[str, object]
    items: tuple[DrawnItem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """A note of a person on a claim, the number of which is from 1, that is no label's reason."""

    claim_number: int
    author: str
    text: str
    at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A tool's result on one answer.

    Attributes:
        score: its faithfulness in [0, 1]; None where the tool gave none. It is the answer's score where there are no
            claims; where there are, faithfulness is counted from them and this is kept beside it.
        claims: its claims with verdicts, in order. A claim needs no place: one that stands verbatim in the answer is
            found there. Chunks are named by their ids.
        error: why the tool could not score the answer.
        state: NO_CLAIMS or ABSTAINED where the tool says so; None follows from the rest.
        judge: who judged, with version or model if the file says ("ragas 0.4", "deepeval 3.2 (gpt-4o)"); "" for the
            reader's name.
        reason: what the tool says of the answer as a whole.
        metrics: further scores in [0, 1] by name.
        annotations: what people said.
        suggestions: its advice on the answer.
        raw_reply: the model's reply that could not be used, where the answer failed because of it.
        notes: what cannot be taken over as it is ("the claims are no JSON"), as whole sentences.
        cost_usd: what it cost; None if unknown.
        seconds: how long it took.
        usage: all that judging cost, where the file says more than `cost_usd`.
        answer_score: the judge's own probability in [0, 1] that the whole answer is faithful; None if it gave none.
        remarks: people's notes on claims that are no labels.
        spot_checks: FaithView's spot-checks that drew claims of the answer.
    """

    score: float | None = None
    claims: tuple[Claim, ...] = ()
    error: str | None = None
    state: State | None = None
    judge: str = ""
    reason: str = ""
    metrics: Mapping[str, float] = field(default_factory=dict)
    annotations: tuple[Annotation, ...] = ()
    suggestions: tuple[str, ...] = ()
    raw_reply: str | None = None
    notes: tuple[str, ...] = ()
    cost_usd: float | None = None
    seconds: float = 0.0
    usage: Usage | None = None
    answer_score: float | None = None
    remarks: tuple[Remark, ...] = ()
    spot_checks: tuple[GivenSpotCheck, ...] = ()
