"""Labels and notes on claims, which are only ever added, and the effective verdict that follows from the labels."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from faithview.domain.claim import ClaimRef, Verdict
from faithview.domain.errors import InvalidInput
from faithview.domain.spans import Span


class LabelKind(StrEnum):
    """The kinds of labels.

    `verdict`: one of the four verdicts on a claim. `not_a_claim`: the judge listed something that is not a claim.
    `missed_claim`: the answer makes a claim that the judge missed; the label has its text, place and verdict.
    `retraction`: an earlier label of the same person no longer counts (undo).
    """

    VERDICT = "verdict"
    NOT_A_CLAIM = "not_a_claim"
    MISSED_CLAIM = "missed_claim"
    RETRACTION = "retraction"


# "Not a claim" in texts that name verdicts: in forms, files and the browser.
NOT_A_CLAIM = LabelKind.NOT_A_CLAIM.value


class LabelRole(StrEnum):
    """The author's role; an adjudicator's label settles a disagreement of reviewers."""

    REVIEWER = "reviewer"
    ADJUDICATOR = "adjudicator"


class VerdictSource(StrEnum):
    """Where an effective verdict comes from; `disagreement` is a tie of reviewers, in which the judge's counts."""

    JUDGE = "judge"
    REVIEWERS = "reviewers"
    ADJUDICATED = "adjudicated"
    DISAGREEMENT = "disagreement"


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """One label as it is stored; rows are never changed.

    `claim_number` is None for a missed claim, whose text is `corrected_text` and whose place is `span`. `seconds` is
    how long the reviewer took. `is_blind` says that the judge's verdict was hidden from the reviewer until the label
    was given. `inclusion_probability` is the probability in (0, 1] with which the spot-check drew the claim, None for a
    label given outside one. `retracts` is the label that a retraction takes back. `given_on` is the claim on which the
    label was given, if that is an equal claim of another answer; None if it was given on this one.
    """

    label_id: int
    kind: LabelKind
    reviewer: str
    at: datetime
    claim_number: int | None = None
    verdict: Verdict | None = None
    role: LabelRole = LabelRole.REVIEWER
    note: str | None = None
    corrected_text: str | None = None
    span: Span | None = None
    seconds: float | None = None
    is_blind: bool = False
    spot_check_id: int | None = None
    inclusion_probability: float | None = None
    retracts: int | None = None
    given_on: ClaimRef | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A note on a claim.

    `is_of_label` says that it was given with a label, as its reason, and not on its own.
    """

    place: ClaimRef
    author: str
    at: datetime
    text: str
    is_of_label: bool = False


def parse_verdict(text: str) -> Verdict:
    """Return the verdict with that name; raises InvalidInput listing the valid ones."""
    try:
        return Verdict(text)
    except ValueError:
        raise InvalidInput(
            f"There is no verdict {text!r}; the verdicts are {', '.join(Verdict)} and {NOT_A_CLAIM}."
        ) from None


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectiveVerdict:
    """The verdict that counts. `verdict` is None for "not a claim"; `reviewers` counts the reviewers behind it.

    `is_shared` says that all their labels were given on equal claims of other answers.
    """

    verdict: Verdict | None
    source: VerdictSource
    reviewers: int = 0
    is_shared: bool = False

    @property
    def is_settled(self) -> bool:
        """Whether reviewers settled it; otherwise it is the judge's."""
        return self.source in (VerdictSource.REVIEWERS, VerdictSource.ADJUDICATED)


def standing_labels(labels: Iterable[Label]) -> list[Label]:
    """Return the labels that count: not retracted, and one per person and role.

    That is the newest one, except that a reviewer's blind label outweighs later labels that they gave after they saw
    the judge's verdict: see `second_thoughts`. A blind label replaces an earlier blind one.
    """
    return [_counting(own) for own in _by_person(labels)]


def newest_labels(labels: Iterable[Label]) -> list[Label]:
    """Return the newest label per person and role that is not retracted, whether it counts or not."""
    return [own[-1] for own in _by_person(labels)]


def second_thoughts(labels: Iterable[Label]) -> list[Label]:
    """Return the newest label that each reviewer gave after a blind one, when they had seen the judge's verdict.

    They are kept and shown, but do not count in scores or agreement.
    """
    return [own[-1] for own in _by_person(labels) if own[-1] is not _counting(own)]


def counts_as_blind(label: Label) -> bool:
    """Return whether a label outweighs later ones of its author that are not blind: a reviewer gave it blind."""
    return label.is_blind and label.role is LabelRole.REVIEWER


def valid_labels(labels: Iterable[Label]) -> list[Label]:
    """Return the labels that are not retracted, oldest first."""
    ordered = sorted(labels, key=lambda label: label.label_id)
    retracted = retracted_ids(ordered)
    return [label for label in ordered if label.kind is not LabelKind.RETRACTION and label.label_id not in retracted]


def _by_person(labels: Iterable[Label]) -> list[list[Label]]:
    own: dict[tuple[str, LabelRole], list[Label]] = {}
    for label in valid_labels(labels):
        own.setdefault((label.reviewer, label.role), []).append(label)
    return list(own.values())


def _counting(own: Sequence[Label]) -> Label:
    return ([label for label in own if counts_as_blind(label)] or own)[-1]


def retracted_ids(labels: Iterable[Label]) -> set[int | None]:
    """Return the ids of the labels that are retracted by others among them."""
    return {label.retracts for label in labels if label.kind is LabelKind.RETRACTION}


def missed_claims(labels: Sequence[Label]) -> list[Label]:
    """Return the missed claims that count: each is a separate claim, so the newest does not replace the others."""
    return [label for label in valid_labels(labels) if label.kind is LabelKind.MISSED_CLAIM]


def effective_verdict(judged: Verdict, labels: Sequence[Label]) -> EffectiveVerdict:
    """Return the verdict of a claim: adjudicated, else the reviewers' majority, else the judge's.

    A tie between reviewers is a disagreement: the judge's verdict counts until an adjudicator settles it.

    Args:
        judged: the judge's verdict.
        labels: all labels of this claim, in any order.
    """
    standing = standing_labels(labels)
    adjudicated = [label for label in standing if label.role is LabelRole.ADJUDICATOR]
    reviewers = [label for label in standing if label.role is LabelRole.REVIEWER]
    if adjudicated:
        last = max(adjudicated, key=lambda label: label.label_id)
        return EffectiveVerdict(
            verdict=last.verdict,
            source=VerdictSource.ADJUDICATED,
            reviewers=len(reviewers),
            is_shared=last.given_on is not None,
        )
    if not reviewers:
        return EffectiveVerdict(verdict=judged, source=VerdictSource.JUDGE)
    votes = Counter(label.verdict for label in reviewers).most_common()
    if len(votes) > 1 and votes[0][1] == votes[1][1]:
        return EffectiveVerdict(
            verdict=judged,
            source=VerdictSource.DISAGREEMENT,
            reviewers=len(reviewers),
            is_shared=all(label.given_on is not None for label in reviewers),
        )
    return EffectiveVerdict(
        verdict=votes[0][0],
        source=VerdictSource.REVIEWERS,
        reviewers=len(reviewers),
        is_shared=all(label.given_on is not None for label in reviewers),
    )


def counts_in_check(label: Label, *, spot_check_id: int, is_blind: bool) -> bool:
    """Return whether a label of a drawn claim counts in a spot-check: it was given there, or in another one.

    Labels given outside any spot-check do not count: reviewers who choose claims find others than a random draw. A
    label of another spot-check was perhaps given on an equal claim; in a blind spot-check it must be blind.
    """
    if label.spot_check_id == spot_check_id:
        return True
    return label.spot_check_id is not None and (label.is_blind or not is_blind)


def label_applies(
    verdict: Verdict | None, *, cited: set[object], context: set[object], other_context: set[object]
) -> bool:
    """Return whether a label also applies to the same words in another answer to the same question.

    It does as long as the chunks that its claim cites are in the other answer's context; if the judge cited none, all
    chunks that the reviewer saw. "Not mentioned" is about every chunk, so the other context must have no more. "Not a
    claim" does not depend on chunks.

    Args:
        verdict: the reviewer's verdict; None for "not a claim".
        cited: the chunks that the labelled claim cites.
        context: all chunks of its answer.
        other_context: all chunks of the other answer.
    """
    if verdict is None:
        return True
    if verdict is Verdict.NOT_MENTIONED:
        return other_context <= context
    return (cited or context) <= other_context
