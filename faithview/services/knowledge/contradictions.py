"""Contradictions inside a knowledge base: pairs of passages about the same thing that say different things.

Statements that share rare words are compared by the rules of the default judge (`judges.lexical.disagreement`). A pair
that may be about different plans, regions or versions is left out.
"""

from collections.abc import Callable, Sequence

from faithview.domain.content_hashes import chunk_hash
from faithview.domain.contradiction import Contradiction, StatedPassage
from faithview.domain.knowledge import document_name, document_title
from faithview.domain.sample import Chunk
from faithview.domain.spans import span_at
from faithview.judges.lexical.disagreement.comparing import Disagreement, find_disagreement
from faithview.judges.lexical.disagreement.documents import Source, Statement
from faithview.services.knowledge.similar_statements import StatementIndex

# Called with what is being done, how much of it is done, and how much there is.
OnProgress = Callable[[str, int, int], None]

# Metadata that name what a passage is about; passages that differ in one of them do not contradict each other.
_LABELS = (
    "plan", "product", "product_version", "api_version", "edition", "model", "brand", "region", "country", "market",
    "locale", "language", "audience", "role",
)  # fmt: skip
_HEADING = "heading"
_STEPS = 200


def find_contradictions(chunks: Sequence[Chunk], *, on_progress: OnProgress | None = None) -> list[Contradiction]:
    """Return the pairs of chunks that contradict each other, the closest first.

    Args:
        chunks: all chunks of the knowledge base; equal texts are compared once.
        on_progress: called now and then.
    """
    report = on_progress or (lambda _what, _done, _total: None)
    different = list({chunk_hash(chunk.text): chunk for chunk in reversed(chunks)}.values())[::-1]
    index = StatementIndex([_source(chunk) for chunk in different])
    for number in range(len(different)):
        if number % _STEPS == 0:
            report("Reading chunks", number, len(different))
        index.add(number)
    found: dict[str, Contradiction] = {}
    for number, others in index.find_pairs():
        if number % _STEPS == 0:
            report("Comparing statements", number, len(index))
        one = index.get(number)
        for other_number in others:
            other = index.get(other_number)
            difference = find_disagreement(one, other, index.vocabulary)
            if difference is not None:
                pair = different[index.passage_of(number)], different[index.passage_of(other_number)]
                contradiction = _describe(difference, (one, other), pair)
                found.setdefault(contradiction.key, contradiction)
    return sorted(found.values(), key=lambda one: (-one.closeness, one.one.chunk_id, one.other.chunk_id, one.key))


def _source(chunk: Chunk) -> Source:
    metadata = chunk.metadata
    heading = metadata.get(_HEADING)
    title = heading if isinstance(heading, str) and heading else document_title(metadata)
    return Source(
        chunk.text, title=title or "", labels=[(name, str(metadata[name])) for name in _LABELS if metadata.get(name)]
    )


def _describe(
    difference: Disagreement, statements: tuple[Statement, Statement], chunks: tuple[Chunk, Chunk]
) -> Contradiction:
    one, other = (
        _stated(chunk, statement, words)
        for chunk, statement, words in zip(chunks, statements, (difference.one, difference.other), strict=True)
    )
    return Contradiction(kind=difference.kind, one=one, other=other, closeness=round(difference.closeness, 4))


def _stated(chunk: Chunk, statement: Statement, words: tuple[int, int]) -> StatedPassage:
    return StatedPassage(
        chunk_id=chunk.chunk_id,
        document=document_name(chunk.metadata),
        title=document_title(chunk.metadata),
        text=chunk.text,
        statement=span_at(chunk.text, *statement.span),
        words=span_at(chunk.text, *words),
    )
