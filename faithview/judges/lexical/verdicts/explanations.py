"""Why a claim got its verdict, in words, and the quotes that support it."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from faithview.domain.claim import Verdict
from faithview.domain.sample import Sample
from faithview.domain.spans import Span, span_at
from faithview.judges.lexical.comparing.comparison import (
    Comparison,
    Conflict,
    ConflictKind,
    EditKind,
    FoundEdit,
    NearSentence,
    OperatorDifference,
)
from faithview.judges.lexical.passages.index import Context, Passage, Window
from faithview.judges.lexical.records.schedule import clock_like
from faithview.judges.text.tokens import tokenize

# A second place is quoted only where it says nearly as much as the first.
_NEARLY_AS_MUCH = 0.85

_MOST_QUOTES = 3


class Quote(NamedTuple):
    """A piece of a chunk, verbatim."""

    chunk_id: str
    text: str
    span: Span


def collect_quotes(sample: Sample, comparison: Comparison, context: Context) -> tuple[Quote, ...]:
    """Return the quotes relevant to the claim, the most informative first; if there is a conflict, those against it."""
    if comparison.conflict is not None:
        passages = [comparison.conflict.passage]
    elif comparison.windows:
        passages = _supporting_passages(comparison, context)
    else:
        passages = []
    quotes = []
    for passage in passages[:_MOST_QUOTES]:
        text = sample.chunks[passage.chunk].text
        span = span_at(text, passage.start, passage.end)
        quotes.append(Quote(chunk_id=sample.chunks[passage.chunk].chunk_id, text=span.of(text), span=span))
    return tuple(quotes)


def _supporting_passages(comparison: Comparison, context: Context) -> list[Passage]:
    best = comparison.windows[0]
    passages = _telling(best, context)
    for window in comparison.windows[1:]:
        is_elsewhere = context.passages[window.first].chunk != context.passages[best.first].chunk
        if is_elsewhere and window.recall >= _NEARLY_AS_MUCH * best.recall:
            passages += _telling(window, context)
    return passages


def _telling(window: Window, context: Context) -> list[Passage]:
    """Return the passages of a window that hold words of the claim which those before them do not, fullest first."""
    passages = [(p, _stems_of_claim(p, window)) for p in context.passages[window.first : window.last + 1]]
    passages.sort(key=lambda item: (-len(item[1]), item[0].start))
    telling, seen = [], set[str]()
    for passage, stems in passages:
        if stems - seen:
            telling.append(passage)
            seen |= stems
    return telling


def _stems_of_claim(passage: Passage, window: Window) -> frozenset[str]:
    return window.stems.intersection([token.word.stem for token in passage.tokens])


# More words than this would be a list too long to read.
_MOST_WORDS = 5


# Where one of these differs, the chunk's own words put in its place make the claim right.
_CORRECTABLE = frozenset({ConflictKind.VALUE, ConflictKind.NAME})

_SAYS_ANOTHER = "Chunk {chunk} says “{theirs}”{cell}, the answer “{mine}”."
_HAS_OTHER_WORDS = "Chunk {chunk} has “{theirs}” where the answer has “{mine}”."
_EXPLANATIONS: Mapping[ConflictKind, str] = {
    ConflictKind.VALUE: _SAYS_ANOTHER,
    ConflictKind.NAME: _SAYS_ANOTHER,
    ConflictKind.OPPOSITE: _SAYS_ANOTHER,
    ConflictKind.FIELD: "Chunk {chunk} says “{theirs}”{cell}; the answer says otherwise.",
    ConflictKind.SUBJECT: "Chunk {chunk} says this of “{theirs}” and something else of “{mine}”.",
    ConflictKind.ROLES: "The answer and chunk {chunk} have the names in opposite roles: “{mine}” against “{theirs}”.",
    ConflictKind.NEGATION: "The answer and chunk {chunk} disagree on whether “{mine}” holds: one of them denies it.",
    ConflictKind.WORDS: _HAS_OTHER_WORDS,
    ConflictKind.OPERATOR: _HAS_OTHER_WORDS,
    ConflictKind.DROPPED: "Chunk {chunk} has “{theirs}” here, which the answer leaves out.",
}


def explain(sample: Sample, comparison: Comparison, verdict: Verdict, quotes: Sequence[Quote]) -> str:
    """Return one or two sentences that name what was found, what is missing and what contradicts the claim."""
    is_told = verdict is not Verdict.SUPPORTED and _is_of_operator(comparison)
    if is_told and comparison.near is not None and comparison.near.difference is not None:
        return _explain_operator(sample, comparison.near, comparison.near.difference)
    if comparison.conflict is not None:
        return _explain_conflict(sample, comparison.conflict)
    if comparison.untold is not None:
        chunk = sample.chunks[comparison.untold.chunk]
        field = chunk.text[comparison.untold.start : comparison.untold.end]
        return f"Chunk {chunk.chunk_id} leaves this open: “{field}”."
    if comparison.edit is not None and verdict is not Verdict.NOT_MENTIONED and _is_told(comparison.edit):
        return _explain_edit(sample, comparison.edit)
    words = _missing_words(sample.answer, comparison)
    if verdict is Verdict.SUPPORTED:
        return _explain_support(sample, comparison, quotes, words)
    missing = _missing_details(sample.answer, comparison) or words
    if verdict is Verdict.NOT_MENTIONED:
        return f"{_are(missing)} not in the chunks." if missing else _NOWHERE_TOGETHER
    rest = f"{_are(missing)} not in the chunks" if missing else "the rest is not said in the same place"
    return f"{_name_chunk(quotes)} says part of this; {rest}."


_NOWHERE_TOGETHER = "The words are in the chunks, but no passage says this."


def _explain_support(sample: Sample, comparison: Comparison, quotes: Sequence[Quote], words: Sequence[str]) -> str:
    """Return the sentence for a supported claim; `words` are those that no chunk has."""
    if not words:
        says_all = _say_all(quotes, comparison, sample.question)
        return f"{_name_chunk(quotes)} says this." if says_all else f"{_name_chunk(quotes)} comes closest."
    if comparison.fields.agreed:  # a field says it, in words of its own: "17:0-21:0" is "open in the evening"
        return f"{_name_chunk(quotes)} says this in other words."
    return f"{_name_chunk(quotes)} comes closest; {_are(words)} not in the chunks."


def _say_all(quotes: Sequence[Quote], comparison: Comparison, question: str | None) -> bool:
    """Return whether the quotes, with the question, have all words of the claim that have meaning."""
    said = {token.word.stem for text in (*(quote.text for quote in quotes), question or "") for token in tokenize(text)}
    return all(token.word.stem in said for token in comparison.tokens if token.word.is_content)


def correction_of(sample: Sample, comparison: Comparison) -> str | None:
    """Return the sentence of a chunk that gives another value or name than the claim, word for word.

    Nothing is put together from claim and chunk: that would put words into the chunk's mouth. A field of a record or a
    table has no sentence, and the explanation quotes it.
    """
    conflict = comparison.conflict
    if conflict is None or conflict.kind not in _CORRECTABLE:
        return None
    if conflict.headers or conflict.passage.field is not None:
        return None
    mine, theirs = _both_sides(sample, conflict)
    if mine == theirs:
        return None
    return sample.chunks[conflict.passage.chunk].text[conflict.passage.start : conflict.passage.end].strip()


def _explain_conflict(sample: Sample, conflict: Conflict) -> str:
    chunk_id = sample.chunks[conflict.passage.chunk].chunk_id
    mine, theirs = _both_sides(sample, conflict)
    if conflict.note:
        says = "" if conflict.note.startswith("says") else "says "
        return f"Chunk {chunk_id} {conflict.note}, the answer {says}“{mine}”."
    explanation = _EXPLANATIONS[conflict.kind]
    return explanation.format(chunk=chunk_id, mine=mine, theirs=theirs, cell=_cell(sample, conflict))


def _is_of_operator(comparison: Comparison) -> bool:
    return comparison.conflict is None or comparison.conflict.kind is ConflictKind.OPERATOR


def _explain_operator(sample: Sample, near: NearSentence, difference: OperatorDifference) -> str:
    chunk = sample.chunks[near.passage.chunk]
    mine = None if difference.claim_span is None else sample.answer[slice(*difference.claim_span)]
    theirs = None if difference.passage_span is None else chunk.text[slice(*difference.passage_span)]
    if mine is None:
        return f"Chunk {chunk.chunk_id} says “{theirs}”, which the answer leaves out."
    if theirs is None:
        return f"The answer says “{mine}”, which chunk {chunk.chunk_id} does not."
    return _HAS_OTHER_WORDS.format(chunk=chunk.chunk_id, mine=mine, theirs=theirs)


def _is_told(edit: FoundEdit) -> bool:
    return edit.is_sure or edit.beside >= _FEWEST_BESIDE


# With fewer equal words next to it, an edit is only another way to say something.
_FEWEST_BESIDE = 5


def _explain_edit(sample: Sample, edit: FoundEdit) -> str:
    chunk = sample.chunks[edit.passage.chunk]
    mine = sample.answer[slice(*edit.claim_span)]
    theirs = chunk.text[slice(*edit.passage_span)]
    if edit.kind is EditKind.ADDED:
        return f"The answer adds “{mine}” to what chunk {chunk.chunk_id} says."
    if edit.kind is EditKind.DROPPED:
        return _EXPLANATIONS[ConflictKind.DROPPED].format(chunk=chunk.chunk_id, theirs=theirs)
    return _HAS_OTHER_WORDS.format(chunk=chunk.chunk_id, mine=mine, theirs=theirs)


def _cell(sample: Sample, conflict: Conflict) -> str:
    """Return the row and column of the chunk's table cell: ' for “Pro”, “Price”'; "" if it is not a cell."""
    text = sample.chunks[conflict.passage.chunk].text
    names = [text[start:end].strip(" \t\"'") for start, end in conflict.headers]
    named = [f"“{name}”" for name in names if name]
    return f" for {', '.join(named)}" if named else ""


def _both_sides(sample: Sample, conflict: Conflict) -> tuple[str, str]:
    chunk = sample.chunks[conflict.passage.chunk].text
    (a, b), (c, d) = conflict.claim_span, conflict.passage_span
    # A record may write ten in the evening as "22:0".
    return sample.answer[a:b], clock_like(chunk[c:d], sample.answer[a:b])


def _name_chunk(quotes: Sequence[Quote]) -> str:
    return f"Chunk {quotes[0].chunk_id}"


def _missing_details(answer: str, comparison: Comparison) -> list[str]:
    spans = sorted(
        [
            *((name.start, name.end) for name in comparison.missing_names),
            *((value.start, value.end) for value in comparison.missing_values),
        ]
    )
    return list(dict.fromkeys(answer[start:end] for start, end in spans))


def _missing_words(answer: str, comparison: Comparison) -> list[str]:
    ranked = sorted(comparison.missing, key=lambda token: (-token.word.weight, token.start))[:_MOST_WORDS]
    return list(dict.fromkeys(answer[t.start : t.end] for t in sorted(ranked, key=lambda token: token.start)))


def _are(words: Sequence[str]) -> str:
    shown = [f"“{word}”" for word in words[:_MOST_WORDS]]
    if len(shown) == 1:
        return f"{shown[0]} is"
    return f"{', '.join(shown[:-1])} and {shown[-1]} are"
