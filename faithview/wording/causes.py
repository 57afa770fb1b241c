"""The causes of a comparison in words: their names, the rule behind each, and why a score moved."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from faithview.domain.comparison import Cause, CauseShare, ChunkChange, ClaimChange
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
        Cause.DOCUMENT_EDITED: CauseWords(
            topic="Document edited",
            lost="Document edited: broke",
            won="Document edited: fixed",
            because_lost="the evidence was edited",
            because_won="the evidence was edited",
            rule="The claim is based on, or about, a chunk whose words differ between the runs.",
        ),
        Cause.DOCUMENT_REMOVED: CauseWords(
            topic="Document removed",
            lost="Evidence removed",
            won="Misleading chunk removed",
            because_lost="the evidence was removed from the knowledge base",
            because_won="a misleading chunk was removed from the knowledge base",
            rule="Only the run before retrieved that chunk, and the knowledge base no longer has it.",
        ),
        Cause.NOT_RETRIEVED: CauseWords(
            topic="Not retrieved now",
            lost="Evidence not retrieved now",
            won="Misleading chunk not retrieved now",
            because_lost="the evidence is no longer retrieved",
            because_won="a misleading chunk is no longer retrieved",
            rule="Only the run before retrieved that chunk. To know whether it was removed, edited or just not "
            "retrieved, add both knowledge bases with `faithview kb add`.",
        ),
        Cause.RETRIEVED: CauseWords(
            topic="Retrieved now",
            lost="Built on newly retrieved chunks",
            won="Evidence newly retrieved",
            because_lost="the answer is now built on newly retrieved chunks",
            because_won="the evidence is newly retrieved",
            rule="Only the run now retrieved that chunk; or the claim and its evidence are the same, and other chunks "
            "were retrieved as well.",
        ),
        Cause.ANSWER_REWRITTEN: CauseWords(
            topic="Answer rewritten",
            lost="Answer rewritten: broke",
            won="Answer rewritten: fixed",
            because_lost="the answer was rewritten on the same evidence",
            because_won="the answer was rewritten on the same evidence",
            rule="The answer changed, and no chunk that changed explains the claim: the model changed it.",
        ),
        Cause.JUDGE_NOISE: CauseWords(
            topic="Judge disagrees with itself",
            lost="Only the verdict differs: broke",
            won="Only the verdict differs: fixed",
            because_lost="the same claim and chunks got a different verdict",
            because_won="the same claim and chunks got a different verdict",
            rule="Claim and chunks are the same in both runs, only the verdict differs.",
        ),
        Cause.OTHER: CauseWords(
            topic="Other",
            lost="Other: lower",
            won="Other: higher",
            because_lost="answers have another number of claims, or were scored without claims",
            because_won="answers have another number of claims, or were scored without claims",
            rule="No claim broke or was fixed. A claim that is not supported in either run weighs more or less because "
            "the answer has fewer or more claims; or another tool scored the answer as a whole.",
        ),
    }
)


def count_claims(causes: Sequence[CauseShare]) -> tuple[int, int]:
    """Return how many claims broke and how many were fixed.

    A claim whose weight changed only because its answer has another number of claims did neither. An answer that was
    scored without claims has none.
    """
    moved = [share for share in causes if share.cause is not Cause.OTHER]
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
    first = [c for c in telling if c.cause is not Cause.OTHER]
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
