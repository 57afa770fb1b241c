"""The reader of one format: it recognises files, opens their rows, and finds a tool's results and labels in them."""

import shlex
from collections.abc import Callable, Mapping
from collections.abc import Mapping as MappingABC
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeAlias

from faithview.domain.claim import Claim, Verdict
from faithview.domain.label import LabelRole
from faithview.domain.mapping import Field
from faithview.domain.result import Usage
from faithview.domain.sample import Sample
from faithview.domain.scoring import State
from faithview.formats.files.tables import Table
from faithview.formats.reading.values import as_list
from faithview.formats.rows.cells import BadCell, is_missing, parsed, value_at
from faithview.formats.rows.mapping import ONE_ROW_PER, PER_ANSWER, PER_CHUNK
from faithview.formats.rows.mapping import Mapping as ColumnMapping


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotation:
    """What a person said about one answer or one of its claims.

    Attributes:
        verdict: their verdict; None with `is_claim` False where they said that it is no claim.
        reviewer: who they are; "" where the file does not say.
        claim_number: which of the claims, from 1; None for the whole answer, or for `span`.
        span: where in the answer the words stand that they marked, in code points; None for the whole answer.
        note: what they wrote.
        at: when; None where the file does not say.
        role: in which role they gave it.
        is_blind: whether the judge's verdict was hidden from them until they had given it.
        judge_seen: whether it was in sight, or had been before.
        corrected_text: the claim in full, where the marked words alone are unclear.
        seconds: how long they took; None if unknown.
        inclusion_probability: the probability in (0, 1] with which a spot-check drew the claim; None outside one.
        spot_check: which spot-check of the file it was given in; "" outside one.
        is_inherited: whether it was carried over from an earlier run.
        is_stale: whether what it rested on had changed since, so that it did not count.
        retracted_at: when its author took it back; None where they did not.
    """

    verdict: Verdict | None
    reviewer: str = ""
    claim_number: int | None = None
    span: tuple[int, int] | None = None
    note: str = ""
    at: datetime | None = None
    role: LabelRole = LabelRole.REVIEWER
    is_blind: bool = False
    judge_seen: bool = True
    corrected_text: str = ""
    seconds: float | None = None
    inclusion_probability: float | None = None
    spot_check: str = ""
    is_inherited: bool = False
    is_stale: bool = False
    retracted_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnItem:
    """A claim, by its number from 1, that a spot-check drew; `place` is that in its queue, from 1."""

    claim_number: int
    place: int
    stratum: str
    inclusion_probability: float


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenSpotCheck:
    """A spot-check of FaithView as one answer of an export holds it.

    Attributes:
        check_id: its id in the store that it comes from.
        document: everything about it that does not depend on the answer, as in the export; nothing of it is checked.
        items: which of the answer's claims it drew.
    """

    check_id: str
    document: Mapping[str, object]
    items: tuple[DrawnItem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """A note of a person on a claim, the number of which is from 1, that is no label's reason."""

    claim_number: int
    author: str
    text: str
    at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A tool's result on one answer.

    Attributes:
        score: its faithfulness in [0, 1]; None where the tool gave none. It is the answer's score where there are no
            claims; where there are, faithfulness is counted from them and this is kept beside it.
        claims: its claims with verdicts, in order. A claim needs no place: one that stands verbatim in the answer is
            found there. Chunks are named by their ids.
        error: why the tool could not score the answer.
        state: NO_CLAIMS or ABSTAINED where the tool says so; None follows from the rest.
        judge: who judged, with version or model if the file says ("ragas 0.4", "deepeval 3.2 (gpt-4o)"); "" for the
            reader's name.
        reason: what the tool says of the answer as a whole.
        metrics: further scores in [0, 1] by name.
        annotations: what people said.
        suggestions: its advice on the answer.
        raw_reply: the model's reply that could not be used, where the answer failed because of it.
        notes: what cannot be taken over as it is ("the claims are no JSON"), as whole sentences.
        cost_usd: what it cost; None if unknown.
        seconds: how long it took.
        usage: all that judging cost, where the file says more than `cost_usd`.
        answer_score: the judge's own probability in [0, 1] that the whole answer is faithful; None if it gave none.
        remarks: people's notes on claims that are no labels.
        spot_checks: FaithView's spot-checks that drew claims of the answer.
    """

    score: float | None = None
    claims: tuple[Claim, ...] = ()
    error: str | None = None
    state: State | None = None
    judge: str = ""
    reason: str = ""
    metrics: Mapping[str, float] = field(default_factory=dict)
    annotations: tuple[Annotation, ...] = ()
    suggestions: tuple[str, ...] = ()
    raw_reply: str | None = None
    notes: tuple[str, ...] = ()
    cost_usd: float | None = None
    seconds: float = 0.0
    usage: Usage | None = None
    answer_score: float | None = None
    remarks: tuple[Remark, ...] = ()
    spot_checks: tuple[GivenSpotCheck, ...] = ()


_CONFLICTS = ("conflict", "contradict", "intrinsic")


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledSpan:
    """A stretch `[start, end)` of the judged text, in code points, that was labelled as unfaithful.

    `kind` is the data set's own word for what is wrong, `verdict` what that is in FaithView's terms. `reviewer` and
    `note` are who marked it and what they wrote, "" where the file does not say.
    """

    start: int
    end: int
    kind: str = ""
    verdict: Verdict = Verdict.NOT_MENTIONED
    reviewer: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenLabel:
    """The label that a data set gives one answer, or one claim.

    Attributes:
        is_faithful: whether all of it is supported by the chunks.
        spans: what of it is not: None if the data set marks no spans, empty if it marks them and there are none.
        task: the kind of task, by which figures are given; "" if there is one kind.
        doc: the source document, whose rows stay together where a model is fitted; "" for the one with these chunks.
        source: where the row is from.
    """

    is_faithful: bool
    spans: tuple[LabelledSpan, ...] | None = None
    task: str = ""
    doc: str = ""
    source: str = ""


def as_result(label: GivenLabel | None, *, by: str, metrics: Mapping[str, float] | None = None) -> Judged:
    """Return the label as the result of those who gave it: 1 or 0 for the whole, and an annotation for each span.

    Nobody has split the answer into claims, so the result has none: what is not marked is no claim that somebody found
    supported. An answer without a label is a failed one.
    """
    if label is None:
        return Judged(error="The data set has no label for this answer.", judge=by)
    annotations = tuple(
        Annotation(
            verdict=span.verdict,
            reviewer=span.reviewer,
            span=(span.start, span.end),
            note=": ".join(part for part in (span.kind, span.note) if part),
        )
        for span in label.spans or ()
    )
    return Judged(score=float(label.is_faithful), judge=by, annotations=annotations, metrics=metrics or {})


def verdict_of_kind(kind: str) -> Verdict:
    """Return what a data set's word for a mistake means: a conflict with the chunks, or something they do not have."""
    folded = kind.lower()
    return Verdict.CONTRADICTED if any(word in folded for word in _CONFLICTS) else Verdict.NOT_MENTIONED


def span_within(
    item: Mapping[str, object], text: str, *, start: str = "start", end: str = "end", quote: str = "text"
) -> tuple[int, int]:
    """Return the place of a labelled span; raises BadCell where it is not one of the text.

    Where the words at the place are not those that the data set names, and these stand elsewhere just once, that is it.
    """
    first, last = _whole(item.get(start)), _whole(item.get(end))
    place = (first, last) if first is not None and last is not None and 0 <= first < last <= len(text) else None
    words = item.get(quote)
    if place and (not isinstance(words, str) or text[place[0] : place[1]] == words):
        return place
    if isinstance(words, str) and words.strip() and text.count(words) == 1:
        return text.index(words), text.index(words) + len(words)
    if place is None:
        raise BadCell(f"the span [{first}, {last}) is not within the text's {len(text):,} characters")
    return place


def _whole(value: object) -> int | None:
    """Return a whole number; those of a table are floats wherever one of its rows has none."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def listed_spans(
    value: object, text: str, *, make: Callable[[Mapping[str, object], str], LabelledSpan | None]
) -> tuple[LabelledSpan, ...] | None:
    """Return the spans in a list, also one in text, leaving out what `make` takes for none; None for an empty cell.

    Raises:
        BadCell: it is no list of objects, or a span lies outside the text.
    """
    if is_missing(value):
        return None
    items = [parsed(item) for item in as_list(value)]
    if not all(isinstance(item, Mapping) for item in items):
        raise BadCell("the labels are not a list of spans")
    found = (make(item, text) for item in items if isinstance(item, Mapping))
    return tuple(span for span in found if span is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What only a person can say about a file.

    Attributes:
        field: the field of the mapping that is open; "format"; or "map" where the candidates name the field too.
        candidates: what it could be: columns, names of formats, or `field=column`.
        why: one sentence that says what is unclear.
    """

    field: str
    candidates: tuple[str, ...]
    why: str

    @property
    def options(self) -> tuple[str, ...]:
        """What answers it on the command line, for each candidate."""
        flag = "--format" if self.field == "format" else "--map"
        lead = "" if self.field in ("format", "map") else f"{self.field}="
        return tuple(f"{flag} {shlex.quote(f'{lead}{name}')}" for name in self.candidates)

    def __str__(self) -> str:
        """Return the question with its answers, for messages."""
        return f"{self.why} Say which with {' or '.join(self.options)}."


ASK_ROWS = Question(
    field=ONE_ROW_PER,
    candidates=(PER_CHUNK, PER_ANSWER),
    why="Several rows have the same question and answer, but their chunks and other columns differ.",
)


def ask_rivals(competing: MappingABC[Field, tuple[str, ...]]) -> tuple[Question, ...]:
    """Return the question which of several columns is the answer, and which holds the chunks, where they compete."""
    needed: MappingABC[Field, str] = {"answer": "the answer", "contexts": "the retrieved chunks"}
    return tuple(
        Question(field=name, candidates=rivals, why=f"{' and '.join(map(repr, rivals))} could each be {needed[name]}.")
        for name, rivals in competing.items()
        if name in needed
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A format that a file may be in.

    Attributes:
        score: in [0, 1]; formats are ranked by it. About 0.9 if the fields that only this tool has are there, 0.98 if
            all that it needs are, and less where another tool's files may look alike.
        reasons: a sentence each; the first is shown beside the name.
        mapping: the columns of the rows as the reader opens them.
        schema: the format's name for programs; the reader's own unless it tells kinds of its files apart.
        title: the same for people.
        questions: what has to be asked; a field that is asked about is left open in the mapping.
        warnings: what a person should know, as whole sentences.
        has_results: whether there are results of the tool, and not only what was judged.
    """

    score: float
    reasons: tuple[str, ...]
    mapping: ColumnMapping
    schema: str = ""
    title: str = ""
    questions: tuple[Question, ...] = ()
    warnings: tuple[str, ...] = ()
    has_results: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """A row that was read: its cells as they are in the file, the sample made of them, and which column is what."""

    cells: MappingABC[str, object]
    sample: Sample
    mapping: ColumnMapping

    def at(self, path: str | None) -> object:
        """Return the cell of a column or at a path (`outputs.0.text`); None where there is none."""
        return None if path is None else value_at(self.cells, path)


# Look at a file without reading it: `columns`, `head`, `whole` (of a JSON object), `database.tables`, `archive.names`.
Recognise: TypeAlias = Callable[[Table], Match | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """One format.

    Attributes:
        name: for `--format` and programs, in lower case.
        title: for people.
        recognise: returns what the reader makes of a file, None if it is not its format. It sees every file, so it must
            be cheap and take values of any type.
        open: returns the file with the format's own rows (`Table.with_rows`) where they are not those of the file:
            deeper in a JSON object, in a database, or several rows to an answer. None keeps the rows as they are.
        judged: returns the tool's result on a row, None if the row has none. `BadCell` refuses the row's result with a
            reason. None takes the columns of results that the mapping names.
        label: for a labelled data set, returns the label that it gives a row, by which judges are measured; None if the
            row has none. `BadCell` refuses the row with a reason. None for formats without such labels.
    """

    name: str
    title: str
    recognise: Recognise
    open: Callable[[Table], Table] | None = None
    judged: Callable[[Row], Judged | None] | None = None
    label: Callable[[Row], GivenLabel | None] | None = None

    @property
    def tool(self) -> str:
        """The tool's name: the title without what it says in brackets of the kind of file."""
        return self.title.partition(" (")[0]
