"""The label that a labelled data set gives an answer, kept with the answer when a judge judges it.

It has its own extra column and is part of every export. It is not a FaithView label: it was given without seeing the
judge's claims, and a marked passage is not a claim that the judge missed. It affects no score. `faithview import` turns
it into labels, on a run of the human annotations.
"""

from collections.abc import Sequence
from dataclasses import replace

from pydantic import BaseModel, ConfigDict, NonNegativeInt, StrictBool, StrictStr, ValidationError

from faithview.domain.claim import Claim, Verdict
from faithview.domain.sample import Json, Sample
from faithview.formats.reading.reader import Reader, Row
from faithview.formats.rows.cells import BadCell, find_unstorable

COLUMN = "given_labels"


class Mark(BaseModel):
    """A part `[start, end)` of the answer that an annotator marked, with the verdict of the mark.

    `note` is the data set's name for the mark and the annotator's text.
    """

    model_config = ConfigDict(frozen=True)

    start: NonNegativeInt
    end: NonNegativeInt
    verdict: Verdict
    note: StrictStr = ""

    def claims(self, claims: Sequence[Claim]) -> list[int]:
        """Return the numbers, from 1, of the claims that overlap the mark."""
        return [
            number
            for number, claim in enumerate(claims, start=1)
            if any(span.start < self.end and self.start < span.end for span in claim.spans)
        ]


class GivenByPeople(BaseModel):
    """A data set's label of an answer.

    Attributes:
        by: the data set.
        is_faithful: whether all of it is supported; None if the label cannot be read.
        marks: the unsupported parts; None if the data set does not mark parts.
        problem: why the label cannot be read; "" if it can.
    """

    model_config = ConfigDict(frozen=True)

    by: StrictStr
    is_faithful: StrictBool | None = None
    marks: tuple[Mark, ...] | None = None
    problem: StrictStr = ""


def with_given_label(reader: Reader, row: Row) -> Sample:
    """Return the row's sample with the data set's label, if it has one."""
    sample = row.sample
    if reader.label is None or COLUMN in sample.extra:
        return sample
    document: dict[str, Json] = {"by": reader.title}
    try:
        label = reader.label(row)
    except BadCell as error:
        document["problem"] = str(error)
    else:
        if label is None:
            return sample
        document["is_faithful"] = label.is_faithful
        if label.spans is not None:
            document["marks"] = [
                {
                    "start": span.start,
                    "end": span.end,
                    "verdict": span.verdict.value,
                    "note": ": ".join(part for part in (span.kind, span.note) if part),
                }
                for span in label.spans
            ]
    if unstorable := find_unstorable(document):
        document = {"by": reader.title, "problem": f"the label contains {unstorable}, which cannot be stored"}
    return replace(sample, extra={**sample.extra, COLUMN: document})


def given_label_of(sample: Sample) -> GivenByPeople | None:
    """Return a data set's label of a stored answer; None if it has none.

    A user's file may have a column of that name; content that cannot be read counts as no label.
    """
    try:
        given = GivenByPeople.model_validate(sample.extra.get(COLUMN))
    except ValidationError:
        return None
    if given.is_faithful is None and not given.problem:
        return None
    is_inside = all(mark.start < mark.end <= len(sample.answer) for mark in given.marks or ())
    return given if is_inside else None
