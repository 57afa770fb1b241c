"""The report on a preflight: what an update would break first, with the passages before and after."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from faithview.domain.answer import View
from faithview.domain.preflight import ClaimForecast, Outcome, PassagePair
from faithview.services.container import Store
from faithview.services.knowledge.preflight.preflights import get_preflight
from faithview.services.reports.markdown import to_markdown
from faithview.services.reports.rendering import Piece, mark_changes, render, write_report
from faithview.wording import preflight as words
from faithview.wording.knowledge import chunk_name
from faithview.wording.verdict_styles import verdict_word

_MOST_CLAIMS = 200
_MOST_DOCUMENTS = 100
_MOST_QUESTIONS = 50
_SHOWN = (Outcome.BROKEN, Outcome.OVERTAKEN, Outcome.UNKNOWN, Outcome.FIXED)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Passage:
    """A passage; `text` has both versions with the changed words marked, `other` the new passage that overtakes."""

    pair: PassagePair
    name: str
    change: str
    text: Sequence[Piece]
    other: Sequence[Piece]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Claim:
    forecast: ClaimForecast
    reason: str
    after: str
    passages: Sequence[_Passage]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Group:
    """The claims with one outcome; `left_out` counts those that are not shown."""

    title: str
    rule: str
    count: int
    claims: Sequence[_Claim]
    left_out: int


def report_preflight(store: Store, preflight_id: str, *, view: View = View.JUDGE, with_texts: bool = True) -> str:
    """Return the report on a preflight as HTML.

    Args:
        store: the store.
        preflight_id: the preflight.
        view: whose verdicts count as those before.
        with_texts: show questions, claims and passages, not only figures and row keys.

    Raises:
        NotFound: there is no such preflight.
    """
    result = get_preflight(store, preflight_id, view=view)
    record = result.record
    notes = [
        words.whole_words(record),
        words.unplaced_words(record),
        "" if record.counts.is_complete else words.INCOMPLETE,
    ]
    if result.pending:
        notes.append("Not all answers are judged yet, so more claims may break.")
    return render(
        "preflight.html",
        title=f"{words.versions_words(record, arrow='→')}, before the update",
        result=result,
        versions=words.versions_words(record, arrow="→"),
        changes=words.changes_words(record),
        finding=words.finding_words(result.counts),
        further=words.further_words(result.counts),
        projected=words.projection_words(result.projection, arrow="→"),
        has_bounds=result.projection.worst != result.projection.best,
        judge=words.judge_words(result),
        assumption=words.ASSUMPTION,
        bounds=words.BOUNDS,
        notes=[note for note in notes if note],
        documents=result.documents[:_MOST_DOCUMENTS],
        documents_left_out=max(0, len(result.documents) - _MOST_DOCUMENTS),
        questions=result.questions[:_MOST_QUESTIONS],
        asked=words.questions_words(result.questions, shown=min(len(result.questions), _MOST_QUESTIONS)),
        questions_left_out=max(0, len(result.questions) - _MOST_QUESTIONS),
        groups=[_group(outcome, result.with_outcome(outcome)) for outcome in _SHOWN],
        view=view,
        with_texts=with_texts,
    )


def write_preflight(
    store: Store, preflight_id: str, destination: Path, *, view: View = View.JUDGE, with_texts: bool = True
) -> None:
    """Write the report: Markdown if the file's name ends with .md or .markdown, else HTML.

    Raises:
        NotFound: there is no such preflight.
        InvalidInput: the file cannot be written.
    """
    html = report_preflight(store, preflight_id, view=view, with_texts=with_texts)
    is_markdown = destination.suffix.lower() in (".md", ".markdown")
    write_report(to_markdown(html) if is_markdown else html, destination)


def _group(outcome: Outcome, claims: Sequence[ClaimForecast]) -> _Group:
    return _Group(
        title=words.OUTCOME_WORDS[outcome],
        rule=words.OUTCOME_RULES[outcome],
        count=len(claims),
        claims=[_claim(claim) for claim in claims[:_MOST_CLAIMS]],
        left_out=max(0, len(claims) - _MOST_CLAIMS),
    )


def _claim(claim: ClaimForecast) -> _Claim:
    return _Claim(
        forecast=claim,
        reason=words.REASON_WORDS[claim.reason],
        after="" if claim.after is None else verdict_word(claim.after),
        passages=[_passage(pair) for pair in claim.passages],
    )


def _passage(pair: PassagePair) -> _Passage:
    name = chunk_name(pair.chunk_id, pair.before)
    if pair.after is None:
        return _Passage(pair=pair, name=name, change="removed", text=[Piece(pair.before, "removed")], other=())
    if pair.is_overtaking:
        other = [Piece(pair.after, "")]
        return _Passage(pair=pair, name=name, change="new passage", text=[Piece(pair.before, "")], other=other)
    return _Passage(pair=pair, name=name, change="edited", text=mark_changes(pair.before, pair.after), other=())
