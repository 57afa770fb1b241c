"""Human verdicts in a file as labels and notes: another tool's annotations, or those of an export."""

from collections.abc import Iterator
from dataclasses import dataclass

from faithview.domain.claim import ClaimRef
from faithview.domain.errors import InvalidInput
from faithview.domain.label import NOT_A_CLAIM, Label, Note
from faithview.domain.result import Result
from faithview.domain.sample import Sample
from faithview.formats.files.report import ReadReport
from faithview.formats.reading.reader import Annotation, Judged
from faithview.services.review.labels import (
    LabelProvenance,
    build_label,
    build_missed_claim,
)
from faithview.services.review.notes import build_note


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

    def labels(self, position: int, row: ImportedRow, result: Result) -> Iterator[tuple[int, Label]]:
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
            yield position, label

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
        )
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
