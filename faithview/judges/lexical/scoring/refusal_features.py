"""What an answer says that the context does not tell, as numbers: "the passages do not mention a price".

Such a statement claims nothing, but it can be wrong: most often where it goes into detail that nobody asked for, or
comes after the very thing that it denies.
"""

from collections.abc import Sequence
from math import log1p

from faithview.judges.lexical.retrieval.index import Context
from faithview.judges.text.lexicon import word_set
from faithview.judges.text.sentences import Range
from faithview.judges.text.tokens import tokenize, word_of

# The order of the figures that `denial_figures` returns.
DENIAL_FIGURES = (
    "denials",
    "denial_words",
    "denial_beyond_question",
    "denial_beyond_chunks",
    "denial_found",
)

# Words of the denying and not of what is denied.
_OF_DENYING = frozenset(
    word_of(word).stem
    for word in word_set(
        """passage provided mention specific information context given details direct explicit answer question text able
        unable enough state contain include article based determine document source note important however additional
        also"""
    )
)


def denial_figures(answer: str, refusals: Sequence[Range], context: Context) -> tuple[float, ...]:
    """Return figures of an answer's statements that the context does not tell; zeros where it has none.

    How many there are, and the most of each: how many words with meaning say what is not told, how many of those the
    question does not hold, how many the chunks do not, and how much of their weight one place of the chunks holds.
    """
    words = beyond_question = beyond_chunks = 0
    recall = 0.0
    for start, end in refusals:
        denied = [t.word for t in tokenize(answer, start, end) if t.word.is_content and t.word.stem not in _OF_DENYING]
        words = max(words, len(denied))
        beyond_question = max(beyond_question, sum(word.stem not in context.question_stems for word in denied))
        beyond_chunks = max(beyond_chunks, sum(word.stem not in context.postings for word in denied))
        recall = max([recall, *(window.recall for window in context.best_windows(denied)[:1])])
    figures = (float(min(3, len(refusals))), log1p(words), log1p(beyond_question), log1p(beyond_chunks), recall)
    return tuple(round(figure, 5) for figure in figures)
