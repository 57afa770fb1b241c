"""The labels of a spot-check, unit by unit, as the numbers that an estimate needs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import numpy as np

from faithview.domain.claim import Verdict
from faithview.domain.label import (
    EffectiveVerdict,
    Label,
    LabelKind,
    LabelRole,
    VerdictSource,
    counts_as_blind,
    effective_verdict,
    missed_claims,
    standing_labels,
)
from faithview.stats.spot_check import Floats, SpotCheckSample, Stratum, Unit
from faithview.store.spot_check_claims import ClaimColumns

_NAN = float("nan")


class Answered(StrEnum):
    """The reviewers' answer on a drawn claim. `OPEN` has no label, `TIED` has labels that do not agree."""

    SUPPORTED = "supported"
    NOT_SUPPORTED = "not_supported"
    NOT_A_CLAIM = "not_a_claim"
    TIED = "tied"
    OPEN = "open"


_SETTLED = frozenset({Answered.SUPPORTED, Answered.NOT_SUPPORTED, Answered.NOT_A_CLAIM})


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedRun:
    """A run's part of a spot-check.

    `sample` is the input of the estimate. `settled` counts the drawn claims that were settled in the spot-check, `tied`
    those on which reviewers disagree, and `skipped` those without a label that the queue has passed. `rows` counts the
    answers with a settled claim. `answers` is how many judged answers the run had when the spot-check was drawn.
    `is_complete` says whether the queue has passed every drawn unit; until then reviewers could stop at a result that
    they like.
    """

    sample: SpotCheckSample
    settled: int
    tied: int
    skipped: int
    rows: int
    answers: int
    is_complete: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """A drawn unit: its claims, the reviewers' answer on each, and whether the queue has passed all of it.

    `added` are reviewers' verdicts on
    claims that the judge missed in an answer that was drawn whole.
    """

    claims: Sequence[ClaimColumns]
    answered: Sequence[Answered]
    is_passed: bool
    added: Sequence[Verdict] = ()

    def count(self, *answers: Answered) -> int:
        return sum(answer in answers for answer in self.answered)


def labels_in_check(labels: Sequence[Label], *, spot_check_id: int) -> list[Label]:
    """Return the labels of a claim that count in a spot-check.

    These are labels given in it, labels carried over from an earlier run, which the queue treats as given in it, and
    the adjudication of these. Labels given elsewhere do not have an inclusion probability: reviewers who choose claims
    themselves find other claims than a random draw. However, a reviewer's blind label from another spot-check takes
    precedence over their label given here in sight of the judge.

    Args:
        labels: all labels of the claim.
        spot_check_id: the spot-check.

    Returns:
        No labels if the claim was not labelled in the spot-check.
    """
    inside = [
        label
        for label in labels
        if label.spot_check_id == spot_check_id
        or label.origin is not None
        or label.role is LabelRole.ADJUDICATOR
        or label.kind is LabelKind.RETRACTION
    ]
    people = {label.reviewer for label in standing_labels(inside) if label.role is LabelRole.REVIEWER}
    if not people:
        return []
    inside += [label for label in labels if counts_as_blind(label) and label.reviewer in people]
    return standing_labels({label.label_id: label for label in inside}.values())


def people_in_check(judged: Verdict, labels: Sequence[Label], *, spot_check_id: int) -> EffectiveVerdict | None:
    """Return the reviewers' verdict on a claim in a spot-check; None if it was not labelled there.

    Args:
        judged: the judge's verdict, which counts if reviewers disagree.
        labels: all labels of the claim.
        spot_check_id: the spot-check.
    """
    counting = labels_in_check(labels, spot_check_id=spot_check_id)
    return effective_verdict(judged, counting) if counting else None


def answer_in_check(judged: Verdict, labels: Sequence[Label], *, spot_check_id: int) -> Answered:
    """Return the reviewers' answer on a claim in a spot-check; arguments as for `people_in_check`."""
    people = people_in_check(judged, labels, spot_check_id=spot_check_id)
    if people is None:
        return Answered.OPEN
    if people.source is VerdictSource.DISAGREEMENT:
        return Answered.TIED
    if people.verdict is None:
        return Answered.NOT_A_CLAIM
    return Answered.SUPPORTED if people.verdict is Verdict.SUPPORTED else Answered.NOT_SUPPORTED


def read_sample(
    frame: Mapping[str, Any],
    facts: Sequence[ClaimColumns],
    labels: Mapping[tuple[int, int | None], Sequence[Label]],
    *,
    spot_check_id: int,
    unit: Unit,
    reached: int,
    judged_answers: int,
) -> CheckedRun:
    """Build the sample of one run.

    Units that the queue has passed count with their labelled claims; their other claims are unknown. Later units do not
    count yet, even if labelled: the counted part must be random, and the queue's order is random.

    Args:
        frame: the run's part of the spot-check's design: strata, labels per unit and, in newer ones, answers.
        facts: the claims of every answer with drawn claims.
        labels: the labels of the answers with drawn claims, by row and claim number; the number is None for claims that
            the judge missed. These cannot be added in the queue, so they count from anywhere.
        spot_check_id: the spot-check.
        unit: what was drawn: answers or claims.
        reached: the last place of the queue with a label in the spot-check.
        judged_answers: judged answers with claims that the run has now.
    """
    added = {
        row: [label.verdict for label in missed_claims(given) if label.verdict is not None]
        for (row, number), given in labels.items()
        if number is None
    }
    parts = [_reviewed_part(claims, labels, spot_check_id, reached) for claims in _drawn_units(facts, unit)]
    if all(part.count(*_SETTLED) == len(part.claims) for part in parts):
        parts = [replace(part, is_passed=True) for part in parts]
    if unit is Unit.ANSWER:
        parts = [replace(part, added=added.get(part.claims[0].row, ())) for part in parts]
    strata = [Stratum(**totals) for totals in frame["strata"]]
    answers = int(frame.get("answers") or (sum(s.units for s in strata) if unit is Unit.ANSWER else judged_answers))
    position = {stratum.name: at for at, stratum in enumerate(strata)}
    scores = np.array([_score_bounds(part) for part in parts], dtype=np.float64).reshape(len(parts), 3)
    used = [part for part, score in zip(parts, scores[:, 0], strict=True) if not np.isnan(score)]
    passed = [part for part in parts if part.is_passed]
    return CheckedRun(
        sample=SpotCheckSample(
            strata=tuple(strata),
            stratum=np.array([position[str(part.claims[0].stratum)] for part in parts], dtype=np.int64),
            pi=np.array([part.claims[0].pi for part in parts], dtype=np.float64),
            weight=_weights(parts, facts, answers=answers, unit=unit),
            judge=np.array([_judged_share(part.claims) for part in parts], dtype=np.float64),
            people=scores[:, 0],
            unit=unit,
            labels_per_unit=float(frame["labels_per_unit"]),
            is_claim=np.array([_holds_a_claim(part) for part in parts], dtype=np.bool_),
            worst=scores[:, 1],
            best=scores[:, 2],
        ),
        settled=sum(part.count(*_SETTLED) for part in used),
        tied=sum(part.count(Answered.TIED) for part in passed),
        skipped=sum(part.count(Answered.OPEN) for part in passed),
        rows=len({part.claims[0].row for part in used}),
        answers=answers,
        is_complete=len(passed) == len(parts),
    )


def _drawn_units(facts: Sequence[ClaimColumns], unit: Unit) -> list[list[ClaimColumns]]:
    if unit is Unit.CLAIM:
        return [[fact] for fact in facts if fact.pi is not None]
    rows: dict[int, list[ClaimColumns]] = {}
    for fact in facts:
        rows.setdefault(fact.row, []).append(fact)
    return [claims for claims in rows.values() if claims[0].pi is not None]


def _reviewed_part(
    claims: Sequence[ClaimColumns],
    labels: Mapping[tuple[int, int | None], Sequence[Label]],
    spot_check_id: int,
    reached: int,
) -> _Part:
    answered = [
        answer_in_check(Verdict(claim.verdict), labels.get((claim.row, claim.number), ()), spot_check_id=spot_check_id)
        for claim in claims
    ]
    is_passed = max((claim.place or 0) for claim in claims) <= reached
    return _Part(claims=claims, answered=answered, is_passed=is_passed)


def _weights(parts: Sequence[_Part], facts: Sequence[ClaimColumns], *, answers: int, unit: Unit) -> Floats:
    """Return each unit's share of the run's score: 1 / N for an answer, 1 / (N m) for a claim of an answer with m."""
    if unit is Unit.ANSWER:
        return np.full(len(parts), 1 / answers)
    claims: dict[int, int] = {}
    for fact in facts:
        claims[fact.row] = claims.get(fact.row, 0) + 1
    return np.array([1 / answers / claims[part.claims[0].row] for part in parts], dtype=np.float64)


def _score_bounds(part: _Part) -> tuple[float, float, float]:
    """Return the reviewers' score of a unit, and its score if all unknown claims were wrong, and if all were right."""
    if not part.is_passed:
        return _NAN, _NAN, _NAN
    right = part.count(Answered.SUPPORTED) + sum(verdict is Verdict.SUPPORTED for verdict in part.added)
    wrong = part.count(Answered.NOT_SUPPORTED) + sum(verdict is not Verdict.SUPPORTED for verdict in part.added)
    unknown = part.count(Answered.TIED, Answered.OPEN)
    labelled, total = right + wrong, right + wrong + unknown
    if total == 0:
        return 0.0, 0.0, 0.0  # without claims: not part of the population
    return right / labelled if labelled else _NAN, right / total, (right + unknown) / total


def _holds_a_claim(part: _Part) -> bool:
    return not part.is_passed or bool(part.added) or part.count(Answered.NOT_A_CLAIM) < len(part.claims)


def _judged_share(claims: Sequence[ClaimColumns]) -> float:
    return sum(claim.verdict == Verdict.SUPPORTED for claim in claims) / len(claims)
