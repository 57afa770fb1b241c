"""Taking clauses out of a sentence that also says what is supported."""

import re
from collections.abc import Sequence
from itertools import pairwise

from faithview.judges.text.lexicon import word_set
from faithview.judges.text.sentences import Range
from faithview.judges.text.tokens import tokenize
from faithview.services.guard.correction.edits import Edit
from faithview.services.guard.correction.parts import Sentence, imbalance, removed

# A clause of its own, joined to the one before by one of these.
_JOINT = re.compile(r";\s+|,?\s+(?:and|but|while|whereas|yet|although|though)\s+", re.IGNORECASE)
_END = re.compile(r"[.!?…。！？\s\"'”’)\]*_]*\Z")
_BEGINNING = re.compile(r"[\s\"'“‘(\[*_]*\Z")
# A clause that begins so speaks of something in the clause before.
_POINTS_BACK = word_set(
    "it its they their them he his him she her this that these those such both neither one ones so then there which"
)


def cut_clauses(answer: str, sentence: Sentence) -> list[Edit]:
    """Return the edits that take the unsupported clauses out of a sentence; none where they cannot be separated."""
    is_fault = {(p.start, p.end): True for p in sentence.faults} | {(p.start, p.end): False for p in sentence.kept}
    numbers = {(p.start, p.end): p.number for p in (*sentence.kept, *sentence.faults)}
    places = sorted(is_fault)
    if len({(p.start, p.end) for p in (*sentence.faults, *sentence.kept)}) < len(sentence.faults) + len(sentence.kept):
        return []
    if not _is_made_of_clauses(answer, sentence, places):
        return []
    first = next(number for number, place in enumerate(places) if not is_fault[place])
    edits: list[Edit] = []
    if first:
        edits += _without_beginning(answer, places[: first + 1], [numbers[place] for place in places[:first]])
        if not edits:
            return []
    for number, place in enumerate(places[first + 1 :], start=first + 1):
        if is_fault[place]:
            end = place[1] if number < len(places) - 1 else place[1] - len(_end_mark(answer, *place))
            edits.append(removed(places[number - 1][1], end, (numbers[place],)))
    rest, at = "", sentence.start
    for edit in edits:
        rest, at = rest + answer[at : edit.start] + edit.replacement, edit.end
    rest += answer[at : sentence.end]
    return edits if not imbalance(rest) else []


def _is_made_of_clauses(answer: str, sentence: Sentence, places: Sequence[Range]) -> bool:
    inside = [place for place in places if sentence.start <= place[0] and place[1] <= sentence.end]
    if len(inside) != len(places):
        return False
    joints = all(one[1] <= other[0] and _JOINT.fullmatch(answer, one[1], other[0]) for one, other in pairwise(places))
    begins = _BEGINNING.match(answer[sentence.start : places[0][0]])
    ends = _END.match(answer[places[-1][1] : sentence.end])
    return joints and begins is not None and ends is not None


def _without_beginning(answer: str, places: Sequence[Range], numbers: Sequence[int]) -> list[Edit]:
    """Return the edits that let a sentence begin with the last of these clauses; none where it needs them."""
    start = places[-1][0]
    word = tokenize(answer, start, places[-1][1])
    if not word or word[0].word.lower in _POINTS_BACK:
        return []
    letter = answer[start]
    first = removed(places[0][0], start, tuple(numbers))
    if not letter.islower():
        return [first]
    capital = Edit(
        start=places[0][0],
        end=start + 1,
        replacement=letter.upper(),
        claim_numbers=tuple(numbers),
        reason="",
    )
    return [capital]


def _end_mark(answer: str, start: int, end: int) -> str:
    match = re.search(r"[.!?…。！？]*[\"'”’)\]*_]*\Z", answer[start:end])
    return match[0] if match else ""
