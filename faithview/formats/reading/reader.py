"""The reader of one format: it recognises files, opens their rows, and reads a tool's results and labels."""

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from faithview.domain.claim import Claim, Verdict
from faithview.domain.label import LabelRole
from faithview.domain.result import Usage
from faithview.domain.scoring import State
from faithview.formats.files.report import RowProblem
from faithview.formats.files.tables import RawRow, Table
from faithview.formats.rows.mapping import Mapping as ColumnMapping
from faithview.formats.rows.samples import Row as Row  # it is what readers are given


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotation:
    """A human annotation of one answer or one of its claims.

    Attributes:
        verdict: their verdict; None with `is_claim` False for "not a claim".
        reviewer: their name; "" if the file does not say.
        claim_number: the claim's number, from 1; None for the whole answer, or for `span`.
        span: the marked words in the answer, in code points; None for the whole answer.
        note: their comment.
        at: the time; None if the file does not say.
        role: the author's role.
        is_blind: whether the judge's verdict was hidden from them until they gave it.
        corrected_text: the complete claim, if the marked words alone are unclear.
        seconds: how long they took; None if unknown.
    """

    verdict: Verdict | None
    reviewer: str = ""
    claim_number: int | None = None
    span: tuple[int, int] | None = None
    note: str = ""
    at: datetime | None = None
    role: LabelRole = LabelRole.REVIEWER
    is_blind: bool = False
    corrected_text: str = ""
    seconds: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """A person's note on a claim (numbered from 1) that does not belong to a label."""

    claim_number: int
    author: str
    text: str
    at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A tool's result on one answer.

    Attributes:
        score: its faithfulness in [0, 1]; None if the tool gave none. It is the answer's score if there are no claims;
            otherwise faithfulness is computed from the claims and this is kept separately.
        claims: its claims with verdicts, in order. A claim does not need a place: one that is verbatim in the answer is
            found there. Chunks are named by their ids.
        error: why the tool could not score the answer.
        state: NO_CLAIMS or ABSTAINED if the tool says so; None derives it from the rest.
        judge: the judge, with version or model if the file says ("ragas 0.4", "deepeval 3.2 (gpt-4o)"); "" for the
            reader's name.
        reason: the tool's explanation of the answer as a whole.
        metrics: further scores by name; those that are None or not in [0, 1] are not stored.
        annotations: human annotations.
        suggestions: its advice on the answer.
        raw_reply: the model's unusable reply, if the answer failed because of it.
        notes: what could not be imported, as whole sentences.
        seconds: how long it took.
        usage: what judging it cost.
        answer_score: the judge's own probability in [0, 1] that the whole answer is faithful; None if it gave none.
        remarks: notes on claims that do not belong to labels.
    """

    score: float | None = None
    claims: tuple[Claim, ...] = ()
    error: str | None = None
    state: State | None = None
    judge: str = ""
    reason: str = ""
    metrics: Mapping[str, float | None] = field(default_factory=dict)
    annotations: tuple[Annotation, ...] = ()
    suggestions: tuple[str, ...] = ()
    raw_reply: str | None = None
    notes: tuple[str, ...] = ()
    seconds: float = 0.0
    usage: Usage = field(default_factory=Usage)
    answer_score: float | None = None
    remarks: tuple[Remark, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledSpan:
    """A stretch `[start, end)` of the judged text, in code points, that was labelled as unfaithful.

    `kind` is the data set's own name for the error, `verdict` the corresponding verdict. `note` is the annotator's
    comment, "" if the file does not say.
    """

    start: int
    end: int
    kind: str = ""
    verdict: Verdict = Verdict.NOT_MENTIONED
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenLabel:
    """A data set's label of one answer or one claim.

    Attributes:
        is_faithful: whether all of it is supported by the chunks.
        spans: the unsupported parts: None if the data set marks no spans, empty if it marks them and there are none.
        task: the kind of task, for separate figures; "" if there is one kind.
        doc: the source document, whose rows stay together for fitting a model; "" means the chunks themselves.
    """

    is_faithful: bool
    spans: tuple[LabelledSpan, ...] | None = None
    task: str = ""
    doc: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question about a file that only the user can answer.

    Attributes:
        field: the open field of the mapping; or "map" if the candidates include the field.
        candidates: the possible answers: columns, or `field=column`.
        why: one sentence that describes the ambiguity.
    """

    field: str
    candidates: tuple[str, ...]
    why: str

    @property
    def options(self) -> tuple[str, ...]:
        """The command-line options for each candidate."""
        lead = "" if self.field == "map" else f"{self.field}="
        return tuple(f"--map {shlex.quote(f'{lead}{name}')}" for name in self.candidates)

    def __str__(self) -> str:
        """Return the question with its answers, for messages."""
        return f"{self.why} Say which with {' or '.join(self.options)}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A format that a file may be in.

    Attributes:
        mapping: the columns of the rows as the reader opens them.
        questions: questions to the user; a field with a question is left open in the mapping.
        warnings: warnings for the user, as whole sentences.
        has_results: whether the file has the tool's results, and not only answers.
    """

    mapping: ColumnMapping
    questions: tuple[Question, ...] = ()
    warnings: tuple[str, ...] = ()
    has_results: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """One format.

    Attributes:
        name: the name for `--format` and programs, in lower case.
        title: the displayed name.
        recognise: returns the match for a file, None if it is not in this format. It is called for every file, so it
            must be cheap and take values of any type. `columns`, `head`, `whole` (of a JSON object) and
            `database.tables` need no reading.
        open: returns the file with the format's own rows (`Table.with_rows`) if they are not the file's rows: deeper in
            a JSON object, in a database, or several rows per answer. None keeps the rows unchanged.
        judged: returns the tool's result on a row. `BadCell` refuses the row's result with a reason. None uses the
            result columns of the mapping.
        label: for a labelled data set, returns the label of a row, for measuring judges; None if the
            row has none. `BadCell` refuses the row with a reason. None for formats without such labels.
    """

    name: str
    title: str
    recognise: Callable[[Table], Match | None]
    open: Callable[[Table], Table] | None = None
    judged: Callable[[Row], Judged] | None = None
    label: Callable[[Row], GivenLabel | None] | None = None

    @property
    def tool(self) -> str:
        """The tool's name: the title without the kind of file in brackets."""
        return self.title.partition(" (")[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Detection(Match):
    """The format of a file: its reader, and the table with the rows that the format finds in it."""

    reader: Reader
    table: Table


def map_rows(table: Table, make: Callable[[RawRow], RawRow | RowProblem]) -> Table:
    """Return the table with what `make` returns for each row; rows that cannot be read stay problems."""
    return table.with_rows(
        lambda: (make(row) if isinstance(row, RawRow) else row for row in table.rows()), unit=table.unit
    )
