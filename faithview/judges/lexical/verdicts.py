"""From a comparison and a probability to a verdict with its reasons in words and its quotes."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from faithview.domain.claim import (
    Claim,
    ClaimType,
    Evidence,
    HallucinationType,
    Importance,
    Mismatch,
    Severity,
    Verdict,
)
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
    share_found,
)
from faithview.judges.lexical.passages.index import Context, Passage, Window
from faithview.judges.lexical.records.schedule import clock_like
from faithview.judges.lexical.scoring.model import Cuts
from faithview.judges.text.lexicon import word_set
from faithview.judges.text.tokens import tokenize

# Quote a second place only if it contains nearly as much of the claim as the first.
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


# Conflicts that replacing the claim's words by the chunk's corrects.
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


# With fewer equal words next to it, an edit is probably just a rewording.
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


# More marked places than this in one claim would not help a reader.
_MOST = 5


def find_mismatches(sample: Sample, comparison: Comparison) -> tuple[Mismatch, ...]:
    """Return the words of a claim that is not supported.

    They are both sides of a conflict; else the values and names that no chunk has; else its other words
    that no chunk has, the rarest first.
    """
    if comparison.conflict is not None:
        return (_sides(sample, comparison.conflict),)
    details = [(name.start, name.end) for name in comparison.missing_names]
    details += [(value.start, value.end) for value in comparison.missing_values]
    ranked = sorted(comparison.missing, key=lambda token: (-token.word.weight, token.start))
    places = details or [(token.start, token.end) for token in ranked]
    return tuple(Mismatch(start, end) for start, end in sorted(set(places[:_MOST])))


def _sides(sample: Sample, conflict: Conflict) -> Mismatch:
    start, end = conflict.claim_span
    chunk_start, chunk_end = conflict.passage_span
    if chunk_start >= chunk_end:
        return Mismatch(start, end)
    return Mismatch(start, end, sample.chunks[conflict.passage.chunk].chunk_id, chunk_start, chunk_end)


# If this share of a claim's words was found, a missing name or value is only a part of the claim.
_MOSTLY_FOUND = 0.6


class Decision(NamedTuple):
    """The verdict on the claim `[start, end)` of the answer; `support` is its support score."""

    start: int
    end: int
    support: float
    verdict: Verdict
    confidence: float
    explanation: str
    correction: str | None
    hallucination_type: HallucinationType | None
    severity: Severity | None
    claim_type: ClaimType
    importance: Importance
    quotes: tuple[Quote, ...]
    chunk_ids: tuple[str, ...]
    mismatches: tuple[Mismatch, ...] = ()

    def to_claim(self, text: str, span: Span) -> Claim:
        """Return the claim with its place in the answer."""
        return Claim(
            text=text,
            verdict=self.verdict,
            spans=(span,),
            confidence=self.confidence,
            support_score=self.support,
            explanation=self.explanation,
            claim_type=self.claim_type,
            importance=self.importance,
            hallucination_type=self.hallucination_type,
            severity=self.severity,
            correction=self.correction,
            supporting_chunk_ids=self.chunk_ids,
            evidence=tuple(
                Evidence(chunk_id=quote.chunk_id, quote=quote.text, span=quote.span) for quote in self.quotes
            ),
            mismatches=self.mismatches,
        )


def decide(
    sample: Sample, comparison: Comparison, context: Context, support: float, cuts: Cuts, *, is_weak: bool
) -> Decision:
    """Decide on one claim.

    A value, name or negation that conflicts with a well aligned sentence makes it contradicted. It is supported where
    its score says so, no name or value is missing, and it is none of the weakest claims of a doubtful answer
    (`is_weak`). Else it is partially supported where part of it is found, and not mentioned where not.
    """
    recall = recall_of(comparison, context)
    verdict = _verdict(comparison, support, recall, cuts, is_weak=is_weak)
    quotes = () if verdict is Verdict.NOT_MENTIONED else collect_quotes(sample, comparison, context)
    return Decision(
        start=comparison.start,
        end=comparison.end,
        support=support,
        verdict=verdict,
        confidence=_confidence(comparison, verdict, support),
        explanation=explain(sample, comparison, verdict, quotes),
        correction=correction_of(sample, comparison),
        hallucination_type=_hallucination_type(comparison, verdict, recall),
        severity=_severity(comparison, verdict),
        claim_type=_claim_type(comparison),
        importance=_importance(comparison),
        quotes=quotes,
        chunk_ids=tuple(dict.fromkeys(quote.chunk_id for quote in quotes)),
        mismatches=() if verdict is Verdict.SUPPORTED else find_mismatches(sample, comparison),
    )


def _verdict(comparison: Comparison, support: float, recall: float, cuts: Cuts, *, is_weak: bool) -> Verdict:
    if comparison.conflict is not None:
        return Verdict.CONTRADICTED
    if comparison.untold is not None:
        return Verdict.NOT_MENTIONED
    if comparison.near is not None and comparison.near.difference is not None and comparison.has_other_operator:
        return comparison.near.difference.verdict
    if not comparison.windows:
        return Verdict.NOT_MENTIONED  # words that only the question has are not in the chunks
    has_all_details = not (comparison.missing_names or comparison.missing_values)
    if support >= cuts.supported and has_all_details and not is_weak:
        return Verdict.SUPPORTED
    is_partly_found = is_mentioned(recall, support, unsupported=cuts.unsupported)
    return Verdict.PARTIALLY_SUPPORTED if is_partly_found else Verdict.NOT_MENTIONED


def is_mentioned(recall: float, support: float, *, unsupported: float) -> bool:
    """Return whether a claim that is not supported is found in part; it is not mentioned otherwise.

    Args:
        recall: the share of its weight that its best place holds (`recall_of`).
        support: its support score.
        unsupported: the score below which more of it has to be found.
    """
    return recall >= (_MOSTLY_FOUND if support < unsupported else _PARTLY_FOUND)


def recall_of(comparison: Comparison, context: Context) -> float:
    """Return the share of the claim's weight that its best place holds; the question's words count as held."""
    if not comparison.windows:
        return 0.0
    held = comparison.windows[0].stems | context.question_stems
    return max(comparison.windows[0].recall, share_found(comparison.tokens, held, [])[0])


# If one place contains a smaller share of the claim's words, no part of the claim counts as found.
_PARTLY_FOUND = 0.45


def _confidence(comparison: Comparison, verdict: Verdict, support: float) -> float:
    if verdict is Verdict.SUPPORTED:
        return support
    if verdict is Verdict.CONTRADICTED:
        return 0.85 if comparison.conflict is not None and comparison.conflict.kind is ConflictKind.VALUE else 0.7
    if verdict is Verdict.PARTIALLY_SUPPORTED:
        # A verdict between the other two is most certain in the middle of the scale.
        return max(0.3, 1 - abs(2 * support - 0.7))
    return 1 - support


# Conflicts in which the chunks have all parts of the claim, combined differently.
_MIXED_UP = frozenset({ConflictKind.ROLES, ConflictKind.SUBJECT})


def _hallucination_type(comparison: Comparison, verdict: Verdict, recall: float) -> HallucinationType | None:
    if verdict is Verdict.SUPPORTED:
        return None
    if verdict is Verdict.CONTRADICTED:
        is_swap = comparison.conflict is not None and comparison.conflict.kind in _MIXED_UP
        return HallucinationType.CONFLATION if is_swap else HallucinationType.CONTRADICTION
    if comparison.missing_names or comparison.missing_values or not comparison.windows:
        return HallucinationType.FABRICATION
    has_all_words = not comparison.missing
    if has_all_words and recall < _MOSTLY_FOUND:
        return HallucinationType.CONFLATION  # every word is in the chunks, but nowhere together
    return HallucinationType.EXTRAPOLATION if recall >= _PARTLY_FOUND else HallucinationType.FABRICATION


def _severity(comparison: Comparison, verdict: Verdict) -> Severity | None:
    if verdict is Verdict.SUPPORTED:
        return None
    if verdict is Verdict.CONTRADICTED:
        return Severity.HIGH
    has_detail = bool(comparison.missing_names or comparison.missing_values)
    if verdict is Verdict.NOT_MENTIONED:
        return Severity.HIGH if has_detail else Severity.MEDIUM
    return Severity.MEDIUM if has_detail else Severity.LOW


_OPINION = word_set("best worst great good amazing wonderful recommend should believe think feel ideal perfect")
_DEFINING = frozenset({"is", "are", "means", "refers"})


def _claim_type(comparison: Comparison) -> ClaimType:
    lowers = [t.word.lower for t in comparison.tokens]
    if not comparison.values and not _OPINION.isdisjoint(lowers):
        return ClaimType.OPINION
    if _is_definition(lowers):
        return ClaimType.DEFINITION
    return ClaimType.FACTUAL


def _is_definition(lowers: Sequence[str]) -> bool:
    return any(
        lower in _DEFINING and 0 < at <= 4 and lowers[at + 1 : at + 2] in (["a"], ["an"], ["the"], ["to"])
        for at, lower in enumerate(lowers)
    )


def _importance(comparison: Comparison) -> Importance:
    if comparison.values or comparison.names:
        return Importance.HIGH
    content = sum(t.word.is_content for t in comparison.tokens)
    return Importance.MEDIUM if content >= 4 else Importance.LOW
