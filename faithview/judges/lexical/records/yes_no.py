"""Checks claims about a record's yes-or-no fields: "no parking" where `street` is true."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from faithview.judges.lexical.comparing.comparison import Conflict, ConflictKind
from faithview.judges.lexical.passages.index import Context, Passage
from faithview.judges.lexical.records.grids import Form, RecordView, Topic, value_words
from faithview.judges.text.polarity import Place, places_in_clauses
from faithview.judges.text.tokens import Token, read_word_sets, word_of

_STORIES = read_word_sets(__package__, "stories.toml")


@dataclass(frozen=True, slots=True, kw_only=True)
class FlagCheck:
    """How many fields the claim names rightly, wrongly, and though they are left open (null).

    `conflict` is the first that it has wrong, `open` the first that is left open. `named` are the places of the words
    that name a field rightly.
    """

    agreed: int
    against: int
    untold: int
    conflict: Conflict | None
    open: Passage | None
    named: frozenset[int]


NOTHING_SAID = FlagCheck(agreed=0, against=0, untold=0, conflict=None, open=None, named=frozenset())


@dataclass(frozen=True, slots=True)
class _Mention:
    topic: Topic
    places: frozenset[int]


def check_flags(answer: str, tokens: Sequence[Token], records: RecordView) -> FlagCheck:
    """Compare the words of a claim with the topics of a record.

    A reviewer's finding is about that reviewer, so it agrees with a field or is left undecided; so does
    a text in the record about the same topic.
    """
    if not records.topics:
        return NOTHING_SAID
    clauses = places_in_clauses(answer, tokens)
    mentions = _mentions(answer, tokens, clauses, _topics_meant(tokens, records))
    conflict: Conflict | None = None
    left_open: Passage | None = None
    agreed = against = untold = 0
    named: set[int] = set()
    if mentions:
        lowers = {token.word.lower for token in tokens}
        is_anecdote = _is_anecdote(lowers)
        for group in mentions:
            places = group[0].places
            is_denied = any(clauses[place].is_denied for place in places)
            if is_denied and _is_about_need(lowers) and not _is_appointment(group):
                continue  # "no reservation is needed" does not say whether they are taken
            if is_denied and not lowers.isdisjoint(_STORIES["told"]):
                continue  # "the hours are not specified"
            if any(m.topic.holds is not None and m.topic.holds != is_denied for m in group):
                agreed += 1
                named |= {tokens[place].start for place in places}
                continue
            if is_anecdote or _is_told_in_text(group, records.context):
                continue
            known = [m.topic for m in group if m.topic.holds is not None]
            first = tokens[min(places)]
            if known:
                against += 1
                passage = known[0].passage
                conflict = conflict or Conflict(
                    kind=ConflictKind.FIELD,
                    passage=passage,
                    claim_span=(first.start, tokens[max(places)].end),
                    passage_span=(passage.start, passage.end),
                )
            else:
                untold += 1
                left_open = left_open or group[0].topic.passage
    return FlagCheck(
        agreed=agreed, against=against, untold=untold, conflict=conflict, open=left_open, named=frozenset(named)
    )


def _topics_meant(tokens: Sequence[Token], records: RecordView) -> Sequence[Topic]:
    """Return the topics of the record that the claim names, or of all records if it names none or several."""
    if len(records.names) <= 1:
        return records.topics
    stems = {token.word.stem for token in tokens}
    named = [chunk for chunk, name in records.names.items() if name and name <= stems]
    return [t for t in records.topics if t.passage.chunk == named[0]] if len(named) == 1 else records.topics


def _mentions(
    answer: str, tokens: Sequence[Token], clauses: Sequence[Place], topics: Sequence[Topic]
) -> list[list[_Mention]]:
    """Return the topics that the words name, those named by the same words together.

    The words of a name are in one part of the sentence, and "street parking" does not name "parking".
    """
    places: dict[str, list[int]] = {}
    for number, token in enumerate(tokens):
        places.setdefault(token.word.stem, []).append(number)
    for number, (one, other) in enumerate(pairwise(tokens)):
        if other.start - one.end == 1 and answer[one.end] in " -":
            joined = word_of(one.word.lower + other.word.lower).stem
            places.setdefault(joined, []).append(number)
    groups: dict[frozenset[int], list[_Mention]] = {}
    for topic in topics:
        for form in topic.forms:
            for where in _places_of(form, places, clauses):
                group = groups.setdefault(where, [])
                if not group or group[-1].topic is not topic:  # the topics come one after the other
                    group.append(_Mention(topic, where))
    return [group for where, group in groups.items() if not any(where < other for other in groups)]


def _places_of(form: Form, places: dict[str, list[int]], clauses: Sequence[Place]) -> Iterator[frozenset[int]]:
    if not form <= places.keys():
        return
    first, *others = sorted(form)
    for place in places[first]:
        part = clauses[place].part
        near = [next((other for other in places[stem] if clauses[other].part == part), None) for stem in others]
        if None not in near:
            yield frozenset((place, *(other for other in near if other is not None)))


def _is_anecdote(lowers: set[str]) -> bool:
    """Return whether the claim reports a person's words or experience, or a single event."""
    has = {key: not words.isdisjoint(lowers) for key, words in _STORIES.items()}
    if has["reviews"] or (has["tellers"] and has["found"]):
        return True
    return has["once"] and not has["always"]


_APPOINTMENT = word_of("appointment").stem


def _is_about_need(lowers: set[str]) -> bool:
    return not _STORIES["need"].isdisjoint(lowers)


def _is_appointment(group: Sequence[_Mention]) -> bool:
    return any(_APPOINTMENT in form for mention in group for form in mention.topic.forms)


def _is_told_in_text(group: Sequence[_Mention], context: Context) -> bool:
    """Return whether a text in the record, a review say, holds all words of a topic's name."""
    # Thousands of records of one kind have the same forms.
    for form in {form for mention in group for form in mention.topic.forms}:
        holding = [set(context.postings.get(stem, ())) for stem in form]
        for position in set.intersection(*holding):
            if len(value_words(context.passages[position])) >= _FEWEST_WORDS_OF_TEXT:
                return True
    return False


# A field whose value has fewer words names something and tells no story.
_FEWEST_WORDS_OF_TEXT = 6
