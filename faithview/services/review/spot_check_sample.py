"""The labels of a spot-check, unit by unit, as the numbers that an estimate needs."""

from collections import Counter
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
from faithview.stats.label_errors import LabelErrors, ReviewedClaim, measure_errors
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


_LIKE_ALL = 2.0  # labels

_SETTLED = frozenset({Answered.SUPPORTED, Answered.NOT_SUPPORTED, Answered.NOT_A_CLAIM})


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedRun:
    """A run's part of a spot-check.

    `sample` is the input of the estimate. `settled` counts the drawn claims that were settled in the spot-check, and
    `settled_claims` are their rows and numbers. `tied` counts those on which reviewers disagree, `skipped` those
    without a label that the queue has passed, and `no_claims` those that reviewers call "not a claim". `errors` says
    how often a label could be wrong. `rows` counts the answers with a settled claim. `answers` is how many judged
    answers the run had when the spot-check was drawn. `is_complete` says whether the queue has passed every drawn unit;
    until then reviewers could stop at a result that they like.
    """

    sample: SpotCheckSample
    settled_claims: frozenset[tuple[int, int]]
    settled: int
    tied: int
    skipped: int
    no_claims: int
    errors: LabelErrors
    rows: int
    answers: int
    is_complete: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """A drawn unit: its claims, the reviewers' answer on each, and whether the queue has passed all of it.

    `said` has each reviewer's verdict on each claim. `could_be_wrong` is how many of its supported and of its other
    claims could be wrong, as `label_errors` expects for claims with one label. `added` are reviewers' verdicts on
    claims that the judge missed in an answer that was drawn whole.
    """

    claims: Sequence[ClaimColumns]
    answered: Sequence[Answered]
    said: Sequence[ReviewedClaim]
    is_passed: bool
    could_be_wrong: tuple[float, float] = (0.0, 0.0)
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
    is_done = all(part.count(*_SETTLED) == len(part.claims) for part in parts)
    if is_done:
        parts = [replace(part, is_passed=True) for part in parts]
    errors = measure_errors(said for part in parts if part.is_passed for said in part.said)
    parts = [replace(part, could_be_wrong=_could_be_wrong(part, errors)) for part in parts]
    if unit is Unit.ANSWER:
        parts = [replace(part, added=added.get(part.claims[0].row, ())) for part in parts]
    strata = [Stratum(**totals) for totals in frame["strata"]]
    answers = int(frame.get("answers") or (sum(s.units for s in strata) if unit is Unit.ANSWER else judged_answers))
    is_census = is_done and sum(stratum.units for stratum in strata) == len(parts)
    weights = _weights(parts, facts, answers=answers, unit=unit)
    if is_census and unit is Unit.CLAIM:
        weights = _weights_of_census(parts, added, answers=answers)
    position = {stratum.name: at for at, stratum in enumerate(strata)}
    of_stratum = np.array([position[str(part.claims[0].stratum)] for part in parts], dtype=np.int64)
    if is_census:
        # With every claim labelled the strata's weights are known too, whichever claims were called "not a claim".
        sums = np.bincount(of_stratum, weights, minlength=len(strata))
        strata = [
            Stratum(name=s.name, units=s.units, weight=float(weight), judged=s.judged)
            for s, weight in zip(strata, sums, strict=True)
        ]
    scores = np.array([_score_bounds(part) for part in parts], dtype=np.float64).reshape(len(parts), 3)
    if is_census and unit is Unit.CLAIM:
        scores = _row_means(parts, added)
    used = [part for part, score in zip(parts, scores[:, 0], strict=True) if not np.isnan(score)]
    passed = [part for part in parts if part.is_passed]
    return CheckedRun(
        sample=SpotCheckSample(
            strata=tuple(strata),
            stratum=of_stratum,
            pi=np.array([part.claims[0].pi for part in parts], dtype=np.float64),
            weight=weights,
            judge=np.array([_judged_share(part.claims) for part in parts], dtype=np.float64),
            people=scores[:, 0],
            unit=unit,
            labels_per_unit=float(frame["labels_per_unit"]),
            is_claim=np.array([_holds_a_claim(part) for part in parts], dtype=np.bool_),
            labelled_share=np.array([_labelled_share(part) for part in parts], dtype=np.float64),
            per_real=None if unit is Unit.ANSWER or is_census else _per_real(parts, facts, labels),
            worst=scores[:, 1],
            best=scores[:, 2],
        ),
        settled_claims=frozenset(
            (claim.row, claim.number)
            for part in used
            for claim, answer in zip(part.claims, part.answered, strict=True)
            if answer in _SETTLED
        ),
        settled=sum(part.count(*_SETTLED) for part in used),
        tied=sum(part.count(Answered.TIED) for part in passed),
        skipped=sum(part.count(Answered.OPEN) for part in passed),
        no_claims=sum(part.count(Answered.NOT_A_CLAIM) for part in used),
        errors=errors,
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
    answered, said = [], []
    for claim in claims:
        given = labels.get((claim.row, claim.number), ())
        answered.append(answer_in_check(Verdict(claim.verdict), given, spot_check_id=spot_check_id))
        said.append(_reviewed_claim(given, answered[-1], spot_check_id=spot_check_id))
    is_passed = max((claim.place or 0) for claim in claims) <= reached
    return _Part(claims=claims, answered=answered, said=said, is_passed=is_passed)


def _reviewed_claim(labels: Sequence[Label], answered: Answered, *, spot_check_id: int) -> ReviewedClaim:
    reviewers = [
        label for label in labels_in_check(labels, spot_check_id=spot_check_id) if label.role is LabelRole.REVIEWER
    ]
    is_known = answered in (Answered.SUPPORTED, Answered.NOT_SUPPORTED)
    return ReviewedClaim(
        said={
            label.reviewer: None if label.verdict is None else label.verdict is Verdict.SUPPORTED for label in reviewers
        },
        settled=answered is Answered.SUPPORTED if is_known else None,
    )


def _could_be_wrong(part: _Part, errors: LabelErrors) -> tuple[float, float]:
    right = wrong = 0.0
    for answer, claim in zip(part.answered, part.said, strict=True):
        # Several labels agree or are settled; an adjudicator's verdict on a single label counts as its correction.
        if len(claim.said) == 1 and answer in (Answered.SUPPORTED, Answered.NOT_SUPPORTED):
            ((reviewer, supported),) = claim.said.items()
            if supported is claim.settled:
                chance = errors.chance(reviewer, supported=bool(supported))
                right, wrong = (right + chance, wrong) if supported else (right, wrong + chance)
    return right, wrong


def _per_real(
    parts: Sequence[_Part], facts: Sequence[ClaimColumns], labels: Mapping[tuple[int, int | None], Sequence[Label]]
) -> Floats:
    """Return for each single claim the ratio of the judge's claims of its answer to the real ones.

    Labels on the answer's other claims count, wherever they were given, because the number of claims is a fact of the
    answer. Unlabelled claims are taken to be real as often as the labelled ones of the answer, together with two that
    are like all of the spot-check's.
    """
    settled = [part.answered[0] for part in parts if part.answered[0] in _SETTLED]
    share = 1 - settled.count(Answered.NOT_A_CLAIM) / len(settled) if settled else 1.0
    claims, real, known = Counter[int](), Counter[int](), Counter[int]()
    for fact in facts:
        people = effective_verdict(Verdict(fact.verdict), labels.get((fact.row, fact.number), ()))
        claims[fact.row] += 1
        known[fact.row] += people.is_settled
        real[fact.row] += people.is_settled and people.verdict is not None
    expected = {
        row: real[row] + (claims[row] - known[row]) * (real[row] + _LIKE_ALL * share) / (known[row] + _LIKE_ALL)
        for row in claims
    }
    rows = [part.claims[0].row for part in parts]
    return np.array([claims[row] / expected[row] if expected[row] else 1.0 for row in rows], dtype=np.float64)


def _weights(parts: Sequence[_Part], facts: Sequence[ClaimColumns], *, answers: int, unit: Unit) -> Floats:
    """Return each unit's share of the run's score: 1 / N for an answer, 1 / (N m) for a claim of an answer with m."""
    if unit is Unit.ANSWER:
        return np.full(len(parts), 1 / answers)
    claims: dict[int, int] = {}
    for fact in facts:
        claims[fact.row] = claims.get(fact.row, 0) + 1
    return np.array([1 / answers / claims[part.claims[0].row] for part in parts], dtype=np.float64)


def _weights_of_census(parts: Sequence[_Part], added: Mapping[int, Sequence[Verdict]], *, answers: int) -> Floats:
    """Return the weights of single claims if all are labelled: an answer's weight is shared by its real claims.

    An answer whose only real claims were added by reviewers keeps its weight on the judge's claims.
    """
    claims = Counter(part.claims[0].row for part in parts)
    real = Counter(part.claims[0].row for part in parts if part.answered[0] is not Answered.NOT_A_CLAIM)
    shares = []
    for part in parts:
        row = part.claims[0].row
        is_out = real[row] > 0 and part.answered[0] is Answered.NOT_A_CLAIM
        shares.append(0.0 if is_out else 1 / answers / (real[row] or claims[row]))
    return np.array(shares, dtype=np.float64)


def _row_means(parts: Sequence[_Part], added: Mapping[int, Sequence[Verdict]]) -> Floats:
    """Return each single claim's `_score_bounds` of its answer, including claims that the judge missed."""
    rows: dict[int, list[_Part]] = {}
    for part in parts:
        rows.setdefault(part.claims[0].row, []).append(part)
    scores = {}
    for row, own in rows.items():
        whole = _Part(
            claims=[claim for part in own for claim in part.claims],
            answered=[answer for part in own for answer in part.answered],
            said=[],
            is_passed=True,
            could_be_wrong=(sum(p.could_be_wrong[0] for p in own), sum(p.could_be_wrong[1] for p in own)),
            added=added.get(row, ()),
        )
        scores[row] = _score_bounds(whole)
    return np.array([scores[part.claims[0].row] for part in parts], dtype=np.float64)


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
    down, up = part.could_be_wrong
    return right / labelled if labelled else _NAN, (right - down) / total, (right + unknown + up) / total


def _holds_a_claim(part: _Part) -> bool:
    return not part.is_passed or bool(part.added) or part.count(Answered.NOT_A_CLAIM) < len(part.claims)


def _labelled_share(part: _Part) -> float:
    settled = part.count(*_SETTLED)
    return settled / len(part.claims) if settled else 1.0


def _judged_share(claims: Sequence[ClaimColumns]) -> float:
    return sum(claim.verdict == Verdict.SUPPORTED for claim in claims) / len(claims)
