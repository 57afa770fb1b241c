"""The inbox: claims of several runs that are not fully supported, with equal ones grouped, and their filters."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from faithview.domain.answer import LabelState
from faithview.domain.certainty import Certainty
from faithview.domain.claim import HallucinationType, Verdict
from faithview.domain.label import NOT_A_CLAIM, EffectiveVerdict, VerdictSource

# The verdicts that the inbox shows by default: all that are not fully supported.
OPEN_VERDICTS = (Verdict.CONTRADICTED, Verdict.NOT_MENTIONED, Verdict.PARTIALLY_SUPPORTED)
# The value of `Facet.LABEL` for unlabelled claims that are to be checked. The judge calls them supported, so they are
# listed beside those that are not.
TO_CHECK = LabelState.TO_CHECK.value
# The value of a facet for "none": no segment, no document, no type, no assignee.
NONE = ""
_MAX_WORDS = 500
_MAX_VALUES = 100
_MAX_VALUE = 2_000


class Facet(StrEnum):
    """The filters of the inbox. A claim must match one of the chosen values of each facet."""

    VERDICT = "verdict"
    TYPE = "type"
    LABEL = "label"
    RUN = "run"
    SEGMENT = "segment"
    DOCUMENT = "document"
    ASSIGNEE = "assignee"


class LabelOutcome(StrEnum):
    """How reviewers labelled a claim.

    `confirmed`: they agreed on the judge's verdict. `overruled`: they agreed on another one. `disputed`: they are
    tied.
    """

    UNLABELLED = "unlabelled"
    CONFIRMED = "confirmed"
    OVERRULED = "overruled"
    DISPUTED = "disputed"

    @property
    def is_labelled(self) -> bool:
        """Whether the claim has a label that holds."""
        return self is not LabelOutcome.UNLABELLED


_KNOWN_VALUES: Mapping[Facet, frozenset[str]] = {
    Facet.VERDICT: frozenset({*Verdict, NOT_A_CLAIM}),
    Facet.TYPE: frozenset({*HallucinationType, NONE}),
    Facet.LABEL: frozenset({*LabelOutcome, TO_CHECK}),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxFilter:
    """The claims to list: those with all `words` (`store/search.py`) and a chosen value of each facet.

    The values of `Facet.RUN` are run ids, those of `Facet.VERDICT` are verdicts or "not_a_claim". If no verdict is
    chosen, claims that are not fully supported are listed, and those to check if the label `TO_CHECK` is chosen.
    """

    words: str = ""
    chosen: Mapping[Facet, tuple[str, ...]] = field(default_factory=dict)

    def values(self, facet: Facet) -> tuple[str, ...]:
        """Return the chosen values; () if the facet restricts nothing."""
        return self.chosen.get(facet, OPEN_VERDICTS if facet is Facet.VERDICT else ())

    def with_facet(self, facet: Facet, values: Sequence[str]) -> "InboxFilter":
        """Return the filter with other values of one facet."""
        return make_filter(self.words, {**self.chosen, facet: values})


def make_filter(words: str, chosen: Mapping[Facet, Sequence[str]]) -> InboxFilter:
    """Return a filter of unchecked values: unknown, repeated and overlong ones are left out."""
    kept: dict[Facet, tuple[str, ...]] = {}
    for facet in Facet:
        known = _KNOWN_VALUES.get(facet)
        values = [v for v in dict.fromkeys(chosen.get(facet, ())) if len(v) <= _MAX_VALUE and "\x00" not in v]
        values = values[:_MAX_VALUES] if known is None else [value for value in values if value in known]
        if values:
            kept[facet] = tuple(sorted(values))
    return InboxFilter(words=" ".join(words[:_MAX_WORDS].split()), chosen=kept)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimGroup:
    """Equal claims of several runs, as one row.

    The row shows, of the claims that the filter matches and that do most harm, the newest: `claim_id` (the store's),
    `run_id`, `row` (its position, from 1), `key`, `claim_number`, `text`, `explanation`, `question` (shortened),
    `certainty` (how sure its verdict is), `verdict` (the effective one; None for "not a claim") and `label_state` are
    that claim's.
    `listed` counts the claims that the filter matches: 0 in a row that is kept after it has left the filter. `runs`
    and `verdicts` count all equal claims of the selected runs, by verdict or "not_a_claim"; `latest_verdict` is that of
    the newest of them, in the run `latest_run_name`.
    `harm` is the highest of the listed claims (`scoring.expected_harm`); `assignees` are the reviewers assigned to any
    of them.
    """

    claim_id: int
    run_id: str
    run_name: str
    row: int
    key: str
    claim_number: int
    text: str
    explanation: str
    question: str | None
    verdict: Verdict | None
    certainty: Certainty
    label_state: LabelOutcome
    listed: int
    runs: int
    verdicts: Mapping[str, int]
    latest_verdict: Verdict | None
    latest_run_name: str
    harm: float
    assignees: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxPage:
    """One page of groups, highest expected harm first; the totals count everything that the filter matches."""

    groups: tuple[ClaimGroup, ...]
    total_groups: int
    total_claims: int
    offset: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FacetValue:
    """A value of a facet, its displayed name, and how many claims that match all other facets have it."""

    value: str
    name: str
    claims: int


def label_outcome(judged: Verdict, effective: EffectiveVerdict) -> LabelOutcome:
    """Return how reviewers labelled a claim, given the judge's verdict and the one that counts."""
    if effective.source is VerdictSource.DISAGREEMENT:
        return LabelOutcome.DISPUTED
    if effective.is_settled:
        return LabelOutcome.CONFIRMED if effective.verdict is judged else LabelOutcome.OVERRULED
    return LabelOutcome.UNLABELLED
