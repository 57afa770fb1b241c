"""The label that a labelled data set gives an answer, kept with the answer when a judge judges it.

It has its own extra column and is part of every export. It is not a FaithView label: it was given without seeing the
judge's claims, and a marked passage is not a claim that the judge missed. It affects no score. `faithview import` turns
it into labels, on a run of the human annotations.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from faithview.domain.claim import Claim, Verdict
from faithview.domain.sample import Json, Sample
from faithview.formats.reading.reader import Reader, Row
from faithview.formats.rows.cells import BadCell, find_unstorable

COLUMN = "given_labels"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A part `[start, end)` of the answer that an annotator marked, with the verdict of the mark.

    `note` is the data set's name for the mark and the annotator's text.
    """

    start: int
    end: int
    verdict: Verdict
    note: str = ""

    def claims(self, claims: Sequence[Claim]) -> list[int]:
        """Return the numbers, from 1, of the claims that overlap the mark."""
        return [
            number
            for number, claim in enumerate(claims, start=1)
            if any(span.start < self.end and self.start < span.end for span in claim.spans)
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenByPeople:
    """A data set's label of an answer.

    Attributes:
        by: the data set.
        is_faithful: whether all of it is supported; None if the label cannot be read.
        marks: the unsupported parts; None if the data set does not mark parts.
        problem: why the label cannot be read; "" if it can.
    """

    by: str
    is_faithful: bool | None
    marks: tuple[Mark, ...] | None = None
    problem: str = ""


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
    given = sample.extra.get(COLUMN)
    if not isinstance(given, Mapping) or not isinstance(by := given.get("by"), str):
        return None
    is_faithful, problem, marks = given.get("is_faithful"), given.get("problem"), given.get("marks")
    if not isinstance(is_faithful, bool) and not isinstance(problem, str):
        return None
    return GivenByPeople(
        by=by,
        is_faithful=is_faithful if isinstance(is_faithful, bool) else None,
        marks=tuple(_marks(marks, len(sample.answer))) if isinstance(marks, list) else None,
        problem=problem if isinstance(problem, str) else "",
    )


def _marks(items: Sequence[Json], length: int) -> list[Mark]:
    found = []
    for item in items:
        match item:
            case {"start": int(start), "end": int(end), "verdict": str(verdict), "note": str(note)} if (
                0 <= start < end <= length and verdict in {*Verdict}
            ):
                found.append(Mark(start=start, end=end, verdict=Verdict(verdict), note=note))
    return found
