"""What the causes of a comparison are called, in both directions, the rule behind each, and which of them to name."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from faithview.domain.comparison import Cause, CauseShare
from faithview.wording import numbers as fmt

# A second cause is worth a word from this share of the first one on.
_SECOND = 0.6


@dataclass(frozen=True, slots=True, kw_only=True)
class CauseWords:
    """A cause in words.

    `lost` and `won` name it in a chart or a list, for claims that broke and for claims that were mended. `because_lost`
    and `because_won` end a sentence after "because". `rule` says how the cause is told from the others.
    """

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
            lost="evidence removed from the knowledge base",
            won="misleading chunk removed",
            because_lost="the evidence was removed from the knowledge base",
            because_won="a misleading chunk was removed from the knowledge base",
            rule="What bore the claim is in no chunk of the newer knowledge base.",
        ),
        Cause.EVIDENCE_EDITED: CauseWords(
            lost="evidence edited",
            won="evidence edited",
            because_lost="the evidence was edited",
            because_won="the evidence was edited",
            rule="What bears the claim is in both knowledge bases, in another wording.",
        ),
        Cause.NOT_RETRIEVED: CauseWords(
            lost="evidence still there, not retrieved",
            won="evidence retrieved again",
            because_lost="the evidence, still in the knowledge base, was not retrieved",
            because_won="evidence that had been there was retrieved this time",
            rule="What bears the claim is in both knowledge bases, and was retrieved on one side only.",
        ),
        Cause.RANKED_LOWER: CauseWords(
            lost="evidence ranked lower or cut off",
            won="evidence ranked higher",
            because_lost="the evidence was ranked lower or cut off",
            because_won="the evidence was ranked higher",
            rule="What bears the claim was retrieved on both sides, but lower on one, or below the cut.",
        ),
        Cause.NO_LONGER_RETRIEVED: CauseWords(
            lost="evidence no longer retrieved",
            won="evidence newly retrieved",
            because_lost="the evidence is no longer retrieved",
            because_won="the evidence is newly retrieved",
            rule="What bears the claim was retrieved on one side only. Whether it was removed, edited or only not "
            "retrieved cannot be told without both knowledge bases: add them with `faithview kb add`.",
        ),
        Cause.EVIDENCE_ADDED: CauseWords(
            lost="rewritten on chunks new to the knowledge base",
            won="evidence new to the knowledge base",
            because_lost="the answer was rewritten on chunks new to the knowledge base",
            because_won="the evidence is new in the knowledge base",
            rule="The answer changed, and the claim rests on chunks that the older knowledge base does not have.",
        ),
        Cause.CONTEXT_CHANGED: CauseWords(
            lost="rewritten on other chunks",
            won="rewritten on other chunks",
            because_lost="the answer was rewritten on other chunks than before",
            because_won="the answer was rewritten on other chunks than before",
            rule="The answer changed, and the claim rests on chunks that were not retrieved on the other side.",
        ),
        Cause.ANSWER_CHANGED: CauseWords(
            lost="answer changed, evidence did not",
            won="answer changed, evidence did not",
            because_lost="the answer changed while the evidence did not",
            because_won="the answer changed while the evidence did not",
            rule="The answer changed, and nothing that was newly retrieved could have changed it: the model's doing.",
        ),
        Cause.DISTRACTION: CauseWords(
            lost="other chunks came in beside the evidence",
            won="fewer other chunks beside the evidence",
            because_lost="other chunks came in beside the same evidence",
            because_won="other chunks beside the same evidence are gone",
            rule="Claim and evidence are the same on both sides; other chunks stand beside it.",
        ),
        Cause.JUDGE_NOISE: CauseWords(
            # People's verdicts can differ like this too, where no judge was asked.
            lost="same claim and chunks, judged otherwise",
            won="same claim and chunks, judged otherwise",
            because_lost="the verdict on the same claim and chunks is another",
            because_won="the verdict on the same claim and chunks is another",
            rule="Claim and chunks are the same on both sides; only the verdict differs: it is the judge's noise, or "
            "people who judged the same differently.",
        ),
        Cause.ANSWER_LENGTH: CauseWords(
            lost="weighs more in a shorter answer",
            won="weighs less in a longer answer",
            because_lost="the answer has fewer claims, so that each weighs more",
            because_won="the answer has more claims, so that each weighs less",
            rule="Unsupported on both sides; it weighs more or less because the answer has fewer or more claims.",
        ),
    }
)


def why_words(causes: Sequence[CauseShare], *, is_won: bool) -> str:
    """Write why a score fell or rose, as a clause; "" where no cause is known.

    Named is the cause that most was lost (or won) by, and a second one where it weighs nearly as much. That answers
    have fewer claims or more breaks and mends none, so it is named only where there is nothing else.
    """

    def weight(share: CauseShare) -> float:
        return share.won if is_won else -share.lost

    telling = sorted((c for c in causes if weight(c) > 0), key=weight, reverse=True)
    if not telling:
        return ""
    first = [c for c in telling if c.cause is not Cause.ANSWER_LENGTH]
    if not first:
        none = "no claim was mended" if is_won else "no claim broke"
        return f"{none}, but {CAUSE_WORDS[Cause.ANSWER_LENGTH].because(is_won=is_won)}"
    named = [c for c in first[:2] if weight(c) >= _SECOND * weight(first[0])]
    counts = [c.mended if is_won else c.broken for c in named]
    verb = fmt.verb(counts[0], "was mended", "were mended") if is_won else "broke"
    clauses = [f"because {CAUSE_WORDS[c.cause].because(is_won=is_won)}" for c in named]
    text = f"{fmt.plural(counts[0], 'claim')} {verb} {clauses[0]}"
    return text + (f", {fmt.count(counts[1])} {clauses[1]}" if len(named) > 1 else "")
