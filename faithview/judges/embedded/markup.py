"""How much of the chunks is marked up, which tells documentation from other texts.

Rules and reader are each better at one of them. News, web pages and biographies are paraphrased closely, so that
comparing words ranks their claims well. Documentation comes as headings, lists and tables, and answers over it are free
paraphrases, in which the words tell little and reading tells more. The share of words that state rules ("must",
"unless") was tried beside the markup and took web pages for documentation.
"""

import re
from collections.abc import Sequence

from faithview.domain.sample import Chunk

_LINE = re.compile(r"[^\n]*\S[^\n]*")
_MARKED_LINE = re.compile(r"[ \t]*(?:#|[-*•>+|]|\d+[.)][ \t])|[^\n]*(?:\*\*|__|`|\|)")


def markup_share(chunks: Sequence[Chunk]) -> float:
    """Return the share of lines with Markdown or a list's mark, from 0 to 1; 0 where there is no text."""
    lines = [line[0] for chunk in chunks for line in _LINE.finditer(chunk.text)]
    return sum(_MARKED_LINE.match(line) is not None for line in lines) / len(lines) if lines else 0.0
