"""Human verdicts in a file: another tool's annotations, and labels, notes and spot-checks of an export.

A spot-check is restored with the same design and the same claims drawn with the same probabilities. An estimate from
part of a sample is biased, so a spot-check is imported whole or not at all: the file must have every claim that it drew
from the run, and every answer of the run. Its labels are imported in any case.

"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from math import isclose, isfinite

from faithview.domain.claim import ClaimRef
from faithview.domain.errors import InvalidInput
from faithview.domain.label import CARRIED_ELSEWHERE, NOT_A_CLAIM, Label, Note
from faithview.domain.result import Result
from faithview.domain.sample import Json, Sample
from faithview.domain.spot_check import DrawnClaim, SpotCheck
from faithview.formats.files.report import ReadReport
from faithview.formats.reading.reader import Annotation, DrawnItem, GivenSpotCheck, Judged
from faithview.formats.reading.values import as_list, as_object, as_time, text_of
from faithview.services.review.labels import (
    LabelProvenance,
    build_label,
    build_missed_claim,
    check_note,
    clean_reviewer,
)
from faithview.services.review.notes import build_note
from faithview.services.review.spot_checks import DrawOrder, Strata, check_order, design_of
from faithview.stats.spot_check import Stratum, Unit
from faithview.store.intake import GivenCheck, GivenLabel


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedRow:
    """One row with the tool's result."""

    sample: Sample
    judged: Judged


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleInFile:
    """Makes labels and notes from the annotations in a file.

    Attributes:
        run_id: the run that the rows are in.
        tool: the tool; its annotator is the author if the file does not name one.
        report: receives what cannot be imported.
    """

    run_id: str
    tool: str
    report: ReadReport

    def labels(self, position: int, row: ImportedRow, result: Result) -> Iterator[GivenLabel]:
        """Yield the labels of the row at this position, in the order of the file."""
        for annotation in row.judged.annotations:
            try:
                label = self._label(annotation, row.sample, result)
            except InvalidInput as error:
                self.report.warn(f"An annotation was left out: {error}")
                continue
            if label is None:
                self.report.warn(
                    "An annotation applies to a whole answer with claims; it is kept with the row but is not a label."
                )
                continue
            yield GivenLabel(
                position=position,
                label=label,
                spot_check=annotation.spot_check,
                retracted_at=annotation.retracted_at,
            )

    def notes(self, position: int, row: ImportedRow, result: Result) -> Iterator[Note]:
        """Yield the notes on claims of the row at this position that are not the reason of a label."""
        for remark in row.judged.remarks:
            try:
                _check_number(remark.claim_number, result)
                place = ClaimRef(run_id=self.run_id, row=position, claim_number=remark.claim_number)
                yield build_note(place, remark.text, author=remark.author, at=remark.at)
            except InvalidInput as error:
                self.report.warn(f"A note was left out: {error}")

    def _label(self, annotation: Annotation, sample: Sample, result: Result) -> Label | None:
        """Return an annotation as a label; None if it is about a whole answer with claims."""
        provenance = LabelProvenance(
            reviewer=annotation.reviewer.strip() or f"{self.tool} annotator",
            at=annotation.at,
            role=annotation.role,
            note=annotation.note or None,
            corrected_text=annotation.corrected_text or None,
            seconds=annotation.seconds,
            is_blind=annotation.is_blind,
            judge_seen=annotation.judge_seen,
            inclusion_probability=annotation.inclusion_probability,
        )
        label = _label_of(annotation, provenance, sample, result)
        if label is None:
            return None
        origin = CARRIED_ELSEWHERE if annotation.is_inherited or annotation.is_stale else None
        return replace(label, origin=origin, is_stale=annotation.is_stale)


def _label_of(annotation: Annotation, provenance: LabelProvenance, sample: Sample, result: Result) -> Label | None:
    number = annotation.claim_number
    if number is not None:
        _check_number(number, result)
        verdict = NOT_A_CLAIM if annotation.verdict is None else annotation.verdict.value
        return build_label(verdict, provenance, claim=number)
    if annotation.verdict is None:
        raise InvalidInput("it names no claim and no verdict.")
    if annotation.span is None and result.claims:
        return None
    start, end = annotation.span or (0, len(sample.answer))
    return build_missed_claim(
        sample.answer, start=start, end=end, verdict=annotation.verdict.value, provenance=provenance
    )


def _check_number(number: int, result: Result) -> None:
    if not 1 <= number <= len(result.claims):
        raise InvalidInput(f"the answer has no claim {number}.")


_MAX_NAME = 200
_MOST_COUNTED = 2**31
# Rounding changes the sum of a million weights by less.
_ROUNDING = 1e-6


@dataclass(slots=True)
class _Seen:
    """A spot-check as far as the rows so far contain it; `claims` counts the claims of each of its rows."""

    document: Mapping[str, object]
    drawn: dict[int, list[DrawnItem]] = field(default_factory=dict)
    claims: dict[int, int] = field(default_factory=dict)


@dataclass(slots=True, kw_only=True)
class GivenChecks:
    """Collects the spot-checks of a file, row by row."""

    run_id: str
    _seen: dict[str, _Seen] = field(default_factory=dict)

    def collect(self, position: int, checks: tuple[GivenSpotCheck, ...], result: Result) -> None:
        """Collect the spot-checks of the row at this position."""
        for check in checks:
            seen = self._seen.setdefault(check.check_id, _Seen(check.document))
            seen.drawn[position] = list(check.items)
            seen.claims[position] = len(result.claims)

    def taken_over(self, report: ReadReport, *, judged_answers: int) -> list[GivenCheck]:
        """Return the complete spot-checks, in the order in which they were drawn; report the others.

        Args:
            report: receives what is not imported.
            judged_answers: how many judged answers with claims the run has now.
        """
        found = []
        for key, seen in sorted(self._seen.items(), key=lambda item: (len(item[0]), item[0])):
            try:
                found.append(_build_check(key, seen, self.run_id, judged_answers=judged_answers))
            except InvalidInput as error:
                name = text_of(seen.document.get("name")) or key
                report.warn(
                    f"Spot-check {name!r} was not imported, and its labels count as given outside a spot-check: {error}"
                )
        return found


def _build_check(key: str, seen: _Seen, run_id: str, *, judged_answers: int) -> GivenCheck:
    """Return the spot-check; raises InvalidInput if it is damaged or incomplete."""
    document, given = seen.document, as_object(seen.document.get("design"))
    answers, drawn = document.get("judged_answers"), sum(len(items) for items in seen.drawn.values())
    if answers != judged_answers:
        raise InvalidInput(f"the file has {judged_answers:,} of the {answers} judged answers that it was drawn from.")
    if drawn != document.get("drawn_claims"):
        raise InvalidInput(f"the file has {drawn:,} of the {document.get('drawn_claims')} claims that it drew.")
    order = _draw_order(document, given, run_id)
    author = clean_reviewer(text_of(document.get("created_by")))
    check_order(order, author)
    frame = as_object(document.get("frame"))
    strata = _strata(frame)
    _check_units(seen, strata, unit=order.unit)
    seed = given.get("seed")
    return GivenCheck(
        key=key,
        check=SpotCheck(
            spot_check_id=0,
            name=order.name,
            created_at=as_time(document.get("created_at")) or datetime.now(UTC),
            created_by=author,
            is_blind=order.is_blind,
            reviewers_per_item=order.reviewers_per_item,
            design=design_of(
                order, seed=seed if isinstance(seed, int) else None, frames={run_id: _undrawn_frame(frame, strata)}
            ),
        ),
        drawn=[drawn for _, drawn in sorted(_drawn(seen, run_id), key=lambda pair: pair[0])],
        assigned_to=sorted({clean_reviewer(text_of(name)) for name in as_list(document.get("assigned_to"))}),
    )


def _draw_order(document: Mapping[str, object], given: Mapping[str, object], run_id: str) -> DrawOrder:
    name = " ".join(text_of(document.get("name")).split())[:_MAX_NAME] or "Spot-check"
    check_note(name, name="name")
    try:
        return DrawOrder(
            name=name,
            run_ids=[run_id],
            size=_whole(given, "size"),
            unit=Unit(str(given.get("unit"))),
            strata=Strata(str(given.get("strata", Strata.NONE.value))),
            prefers_uncertain=given.get("prefers_uncertain") is True,
            regressed_first=given.get("regressed_first") is True,
            regressed_against=text_of(given.get("regressed_against")) or None,
            is_blind=document.get("blind") is True,
            reviewers_per_item=_whole(document, "reviewers_per_item"),
        )
    except ValueError as error:
        raise InvalidInput(f"its design cannot be read: {error}.") from error


def _strata(given: Mapping[str, object]) -> list[Stratum]:
    strata = []
    for item in map(as_object, as_list(given.get("strata"))):
        weight, judged = _amount(item, "weight"), _amount(item, "judged")
        if judged > weight + _ROUNDING:
            raise InvalidInput(f"the judge's score of a stratum is {judged}, more than its weight {weight}.")
        strata.append(
            Stratum(name=text_of(item.get("name")), units=_whole(item, "units"), weight=weight, judged=judged)
        )
    total = sum(stratum.weight for stratum in strata)
    if not isclose(total, 1.0, abs_tol=_ROUNDING):
        raise InvalidInput(f"the weights of its strata add up to {total}, not 1.")
    return strata


def _undrawn_frame(given: Mapping[str, object], strata: Sequence[Stratum]) -> dict[str, Json]:
    """Return the data on undrawn units that an estimate needs, as `spot_checks` stores it."""
    first = as_object(given.get("first"))
    return {
        "strata": [asdict(stratum) for stratum in strata],
        "labels_per_unit": _amount(given, "labels_per_unit"),
        # Spot-checks of older versions do not record the number of answers.
        **({"answers": _whole(given, "answers")} if given.get("answers") is not None else {}),
        "judged_by_another": _whole(given, "judged_by_another") if given.get("judged_by_another") else 0,
        "first": {"claims": _whole(first, "claims"), "drawn": _whole(first, "drawn")} if first else None,
    }


def _check_units(seen: _Seen, strata: Sequence[Stratum], *, unit: Unit) -> None:
    """Raise InvalidInput if the drawn units do not fit the run's claims or the strata."""
    units = {stratum.name: stratum.units for stratum in strata}
    drawn: dict[str, int] = {}
    places: set[int] = set()
    for row, items in seen.drawn.items():
        numbers = {item.claim_number for item in items}
        if len(numbers) < len(items) or not numbers <= set(range(1, seen.claims[row] + 1)):
            raise InvalidInput(f"row {row} does not have the claims that it drew.")
        if unit is Unit.ANSWER and len(numbers) < seen.claims[row]:
            raise InvalidInput(f"it drew whole answers, but only part of the claims of row {row}.")
        for item in items if unit is Unit.CLAIM else items[:1]:
            drawn[item.stratum] = drawn.get(item.stratum, 0) + 1
        if any(item.place in places or item.place < 1 or not 0 < item.inclusion_probability <= 1 for item in items):
            raise InvalidInput(f"the place or the probability of a claim that it drew from row {row} is not valid.")
        places.update(item.place for item in items)
    for name, number in drawn.items():
        if number > units.get(name, 0):
            raise InvalidInput(f"it drew {number:,} units from the stratum {name!r}, which has {units.get(name, 0):,}.")


def _drawn(seen: _Seen, run_id: str) -> Iterator[tuple[int, DrawnClaim]]:
    for row, items in seen.drawn.items():
        for item in items:
            yield (
                item.place,
                DrawnClaim(
                    run_id=run_id,
                    row=row,
                    claim_number=item.claim_number,
                    stratum=item.stratum,
                    inclusion_probability=item.inclusion_probability,
                ),
            )


def _whole(given: Mapping[str, object], name: str) -> int:
    value = given.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < _MOST_COUNTED:
        raise InvalidInput(f"{name!r} is {value!r}, which is not a count.")
    return value


def _amount(given: Mapping[str, object], name: str) -> float:
    value = given.get(name)
    if not isinstance(value, int | float) or isinstance(value, bool) or not isfinite(value) or value < 0:
        raise InvalidInput(f"{name!r} is {value!r}, which is not an amount.")
    return float(value)
