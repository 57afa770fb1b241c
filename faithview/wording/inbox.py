"""The inbox in words: its facets, the reviewers' verdicts on a claim, and where equal claims are."""

from collections.abc import Mapping
from types import MappingProxyType

from faithview.domain.claim import HallucinationType
from faithview.domain.inbox import NONE, TO_CHECK, ClaimGroup, Facet, LabelOutcome
from faithview.wording import numbers as fmt
from faithview.wording.verdict_styles import CHECK_STYLE, verdict_word

FACETS: Mapping[Facet, str] = MappingProxyType(
    {
        Facet.VERDICT: "Verdict",
        Facet.TYPE: "Type of error",
        Facet.LABEL: "Labels",
        Facet.RUN: "Run",
        Facet.SEGMENT: "Segment",
        Facet.DOCUMENT: "Document",
        Facet.ASSIGNEE: "Assigned to",
    }
)
LABEL_STATES: Mapping[LabelOutcome, str] = MappingProxyType(
    {
        LabelOutcome.UNLABELLED: "not labelled",
        LabelOutcome.CONFIRMED: "reviewers agree with the judge",
        LabelOutcome.OVERRULED: "reviewers changed the verdict",
        LabelOutcome.DISPUTED: "reviewers disagree",
    }
)
_NONE_WORDS: Mapping[Facet, str] = MappingProxyType(
    {
        Facet.TYPE: "no type",
        Facet.SEGMENT: "no segment",
        Facet.DOCUMENT: "no document named",
        Facet.ASSIGNEE: "no reviewer",
    }
)
# The worst first, as a person reads the counts.
_ORDER = ("contradicted", "not_mentioned", "partially_supported", "supported", "not_a_claim")


def value_words(facet: Facet, value: str, name: str) -> str:
    """Return a value of a facet in words; `name` is the run's name where the value is a run."""
    if value == NONE:
        return _NONE_WORDS.get(facet, name)
    if facet is Facet.VERDICT:
        return verdict_word(value)
    if facet is Facet.LABEL:
        return CHECK_STYLE.word if value == TO_CHECK else LABEL_STATES[LabelOutcome(value)]
    return HallucinationType(value).value if facet is Facet.TYPE else name


def group_words(group: ClaimGroup) -> str:
    """Return where equal claims are: "in 5 runs: 2 contradicted, 3 supported"; "only in w46" for a single claim."""
    total = sum(group.verdicts.values())
    if total == 1:
        return f"only in {group.run_name}"
    counts = ", ".join(
        f"{fmt.count(group.verdicts[verdict])} {verdict_word(verdict)}"
        for verdict in _ORDER
        if verdict in group.verdicts
    )
    runs = f"in {fmt.plural(group.runs, 'run')}" if group.runs > 1 else f"in {group.run_name}"
    return f"{runs}: {counts}" if total == group.runs else f"{fmt.count(total)} times {runs}: {counts}"


def latest_words(group: ClaimGroup) -> str | None:
    """Return the verdict of the newest of equal claims; None if it is that of the claim that is shown."""
    if group.latest_verdict is group.verdict:
        return None
    word = verdict_word(group.latest_verdict.value if group.latest_verdict else None)
    return f"latest: {word} in {group.latest_run_name}"
