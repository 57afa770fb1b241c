"""The causes of a comparison in words: their names, the rule behind each, and why a score moved."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from faithview.domain.comparison import CAUSES_WITHOUT_CLAIMS, Cause, CauseShare, ChunkChange, ClaimChange
from faithview.wording import numbers as fmt

# A second cause is named if it weighs at least this share of the first.
_SECOND = 0.6


@dataclass(frozen=True, slots=True, kw_only=True)
class CauseWords:
    """A cause in words.

    `topic` names it where one line covers both directions. `lost` and `won` name it in a chart or a list, for claims
    that broke and for claims that were fixed: no two are the same. `because_lost` and `because_won` follow "because" in
    a sentence. `rule` says when a claim has this cause.
    """

    topic: str
    lost: str
    won: str
    because_lost: str
    because_won: str
    rule: str

    def name(self, *, is_won: bool) -> str:
        """Return the name for one direction."""
        return self.won if is_won else self.lost

    def because(self, *, is_won: bool) -> str:
        """Return the end of a sentence for one direction."""
        return self.because_won if is_won else self.because_lost


CAUSE_WORDS: Mapping[Cause, CauseWords] = MappingProxyType(
    {
        Cause.EVIDENCE_REMOVED: CauseWords(
            topic="Evidence removed",
            lost="Evidence removed",
            won="Misleading chunk removed",
            because_lost="the evidence was removed from the knowledge base",
            because_won="a misleading chunk was removed from the knowledge base",
            rule="The evidence for the claim is in no chunk of the newer knowledge base.",
        ),
        Cause.EVIDENCE_EDITED: CauseWords(
            topic="Evidence edited",
            lost="Evidence edited: broke",
            won="Evidence edited: fixed",
            because_lost="the evidence was edited",
            because_won="the evidence was edited",
            rule="Both knowledge bases have the evidence for the claim, in different words.",
        ),
        Cause.NOT_RETRIEVED: CauseWords(
            topic="Evidence exists, retrieved in one run only",
            lost="Evidence exists, not retrieved",
            won="Evidence retrieved again",
            because_lost="the evidence, still in the knowledge base, was not retrieved",
            because_won="evidence that existed before was retrieved this time",
            rule="Both knowledge bases have the evidence for the claim; only one of the runs retrieved it.",
        ),
        Cause.RANKED_LOWER: CauseWords(
            topic="Evidence ranked differently",
            lost="Evidence ranked lower or cut off",
            won="Evidence ranked higher",
            because_lost="the evidence was ranked lower or cut off",
            because_won="the evidence was ranked higher",
            rule="Both runs retrieved the evidence for the claim, one of them at a lower rank or below the cut-off.",
        ),
        Cause.NO_LONGER_RETRIEVED: CauseWords(
            topic="Evidence retrieved in one run only",
            lost="Evidence no longer retrieved",
            won="Evidence newly retrieved",
            because_lost="the evidence is no longer retrieved",
            because_won="the evidence is newly retrieved",
            rule="Only one of the runs retrieved the evidence for the claim. To know whether it was removed, edited or "
            "just not retrieved, add both knowledge bases with `faithview kb add`.",
        ),
        Cause.EVIDENCE_ADDED: CauseWords(
            topic="Built on newly added chunks",
            lost="Built on newly added chunks",
            won="Evidence newly added",
            because_lost="the answer is now built on newly added chunks",
            because_won="the evidence was added to the knowledge base",
            rule="The answer changed, and the claim is based on chunks that the older knowledge base lacks.",
        ),
        Cause.CONTEXT_CHANGED: CauseWords(
            topic="Built on other chunks",
            lost="Built on other chunks: broke",
            won="Built on other chunks: fixed",
            because_lost="the answer is now built on other chunks",
            because_won="the answer is now built on other chunks",
            rule="The answer changed, and the claim is based on chunks that the other run did not retrieve.",
        ),
        Cause.ANSWER_CHANGED: CauseWords(
            topic="Reworded, same evidence",
            lost="Reworded: broke",
            won="Reworded: fixed",
            because_lost="the answer was reworded on the same evidence",
            because_won="the answer was reworded on the same evidence",
            rule="The answer was reworded, and no newly retrieved chunk explains it: the model changed it.",
        ),
        Cause.DISTRACTION: CauseWords(
            topic="Same evidence, different surrounding chunks",
            lost="Same evidence, chunks added",
            won="Same evidence, chunks gone",
            because_lost="other chunks were retrieved with the same evidence",
            because_won="other chunks retrieved with the same evidence are gone",
            rule="Claim and evidence are the same in both runs; the other retrieved chunks differ.",
        ),
        Cause.JUDGE_NOISE: CauseWords(
            # Reviewers' verdicts can differ like this too, without a judge.
            topic="Only the verdict differs",
            lost="Only the verdict differs: broke",
            won="Only the verdict differs: fixed",
            because_lost="the same claim and chunks got a different verdict",
            because_won="the same claim and chunks got a different verdict",
            rule="Claim and chunks are the same in both runs, only the verdict differs: judge noise, or reviewers who "
            "judged differently.",
        ),
        Cause.ANSWER_LENGTH: CauseWords(
            topic="Same claim, more or fewer around it",
            lost="Same claim, fewer around it",
            won="Same claim, more around it",
            because_lost="the answer has fewer claims, so each weighs more",
            because_won="the answer has more claims, so each weighs less",
            rule="Not supported in either run; it weighs more or less because the answer has fewer or more claims.",
        ),
        Cause.SCORED_WHOLE: CauseWords(
            topic="Scored without claims",
            lost="Scored lower, without claims",
            won="Scored higher, without claims",
            because_lost="answers that another tool scored without claims scored lower",
            because_won="answers that another tool scored without claims scored higher",
            rule="Another tool scored the answer as a whole in one of the runs: no claim says why the score differs.",
        ),
    }
)


def count_claims(causes: Sequence[CauseShare]) -> tuple[int, int]:
    """Return how many claims broke and how many were fixed.

    A claim whose weight changed only because its answer has another number of claims did neither. An answer that was
    scored without claims has none.
    """
    moved = [share for share in causes if share.cause not in CAUSES_WITHOUT_CLAIMS]
    return sum(share.broken for share in moved), sum(share.fixed for share in moved)


def ledger_words(causes: Sequence[CauseShare], *, is_won: bool) -> str:
    """Write both sides, the finding's first: "1,131 claims fixed, 781 broke"; "" if no claim moved."""
    lost, fixed = count_claims(causes)
    if not lost and not fixed:
        return ""
    if is_won:
        return f"{fmt.plural(fixed, 'claim')} fixed, {fmt.count(lost)} broke"
    return f"{fmt.plural(lost, 'claim')} broke, {fmt.count(fixed)} fixed"


def why_words(causes: Sequence[CauseShare], *, is_won: bool) -> str:
    """Write how many claims broke and were fixed, and why a score fell or rose; "" if no cause is known.

    It names the cause with the largest loss (or gain), and a second one if it weighs nearly as much. A different number
    of claims per answer neither breaks nor fixes a claim, so it is named only if there is no other cause.
    """

    def weight(share: CauseShare) -> float:
        return share.won if is_won else -share.lost

    telling = sorted((c for c in causes if weight(c) > 0), key=weight, reverse=True)
    if not telling:
        return ""
    first = [c for c in telling if c.cause not in CAUSES_WITHOUT_CLAIMS]
    if not first:
        none = "no claim was fixed" if is_won else "no claim broke"
        return f"{none}, but {CAUSE_WORDS[telling[0].cause].because(is_won=is_won)}"
    named = [c for c in first[:2] if weight(c) >= _SECOND * weight(first[0])]
    counts = [c.fixed if is_won else c.broken for c in named]
    clauses = [f"because {CAUSE_WORDS[c.cause].because(is_won=is_won)}" for c in named]
    lost, fixed = count_claims(causes)
    is_all = counts[0] == (fixed if is_won else lost)
    which = "" if is_all else f"{fmt.count(counts[0])} of the {'fixed' if is_won else 'broken'} "
    text = f"{ledger_words(causes, is_won=is_won)}{', ' if is_all else '; '}{which}{clauses[0]}"
    return text + (f", {fmt.count(counts[1])} {clauses[1]}" if len(named) > 1 else "")


CLAIM_CHANGE_WORDS: Mapping[ClaimChange, str] = MappingProxyType(
    {
        ClaimChange.SAME: "same words",
        ClaimChange.REWORDED: "reworded",
        ClaimChange.LOST: "no longer claimed",
        ClaimChange.NEW: "new claim",
    }
)
# In the order in which lists show them.
CHUNK_CHANGE_WORDS: Mapping[ChunkChange, str] = MappingProxyType(
    {
        ChunkChange.EDITED: "edited",
        ChunkChange.ADDED: "newly retrieved",
        ChunkChange.REMOVED: "no longer retrieved",
        ChunkChange.MOVED: "same text, another rank",
        ChunkChange.SAME: "same",
    }
)
