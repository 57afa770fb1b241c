"""The chunks that an answer points at by number: "(passage 2)", "[1]", "sources 1 and 3"."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from faithview.judges.lexical.splitting.claims import Statement

_CITATION = re.compile(
    r"""\b(?:passages?|chunks?|sources?|documents?|contexts?|articles?|texts?|refs?|references?)\s+
          \#?(?P<named>\d{1,2}(?:\s?(?:,|,?\s?and|&|-|–|to|or)\s?(?:passage\s)?\d{1,2})*)\b
      | \[(?P<marked>\d{1,2}(?:,\s?\d{1,2})*)\]""",
    re.IGNORECASE | re.VERBOSE,
)
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cited:
    """What a claim cites: `own` are the numbers in it, `carried` those of what follows it or of a claim before it.

    Numbers count the chunks from 1 and may be larger than there are. `ranges` are where its own citations stand.
    """

    own: tuple[int, ...]
    carried: tuple[int, ...]
    ranges: tuple[tuple[int, int], ...]


def find_citations(answer: str, claims: Sequence[Statement]) -> list[Cited]:
    """Return for each claim of an answer what it cites, by itself or because its neighbours do.

    Where a claim cites nothing, a citation between it and the next claim is meant for it; else it goes on with what the
    last claim cited.
    """
    places = [(m.start(), m.end(), _numbers(m)) for m in _CITATION.finditer(answer)]
    cited: list[Cited] = []
    last: tuple[int, ...] = ()
    at = 0
    for number, claim in enumerate(claims):
        while at < len(places) and places[at][1] <= claim.start:
            at += 1
        stop = claims[number + 1].start if number + 1 < len(claims) else len(answer)
        own, after, ranges = [], [], []
        for start, end, numbers in places[at:]:
            if start >= stop:
                break
            if start < claim.end:
                own += numbers
                ranges.append((start, end))
            else:
                after += numbers
        carried = tuple(own or after) or last
        last = tuple(own) or last
        cited.append(Cited(own=tuple(own), carried=carried, ranges=tuple(ranges)))
    return cited


def _numbers(match: re.Match[str]) -> list[int]:
    return [int(number) for number in _NUMBER.findall(match["named"] or match["marked"])]
