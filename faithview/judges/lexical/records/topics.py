"""What the fields of a record are about, and how people say it: `GoodForKids` is "family-friendly".

A topic has the sets of stems that name it and what the record says of it: yes, no, or nothing (null). `topics.toml` has
the fields that people call otherwise than their keys, most of them those of businesses on review sites.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from faithview.judges.lexical.retrieval.passage import Passage
from faithview.judges.text.tokens import key_forms, word_of
from faithview.judges.text.vocabulary import read_vocabulary

Form = frozenset[str]


def _forms(names: Iterable[str]) -> tuple[Form, ...]:
    return tuple(frozenset(word_of(word).stem for word in name.split()) for name in names)


_VOCABULARY = read_vocabulary(__package__, "topics.toml")
_PREFIXES: Sequence[str] = _VOCABULARY["prefixes"]
_HOLDS = frozenset(_VOCABULARY["holds"])
_KEY_FORMS: Mapping[str, tuple[Form, ...]] = {key: _forms(names) for key, names in _VOCABULARY["names"].items()}
_GROUP_FORMS: Mapping[str, tuple[Form, ...]] = {key: _forms(names) for key, names in _VOCABULARY["groups"].items()}
# By key and value what holds then, and what does not.
_VALUE_FORMS: Mapping[str, Mapping[str, Sequence[tuple[tuple[Form, ...], bool]]]] = {
    key: {
        value: [(_forms(names), said == "yes") for said in ("yes", "no") for names in says.get(said, ())]
        for value, says in by_value.items()
    }
    for key, by_value in _VOCABULARY["values"].items()
}


@dataclass(frozen=True, slots=True)
class Topic:
    """What a record says of one thing: `holds` is None where it is left open; `forms` are the ways to name it."""

    forms: tuple[Form, ...]
    holds: bool | None
    passage: Passage


def topics_of(passages: Iterable[Passage]) -> list[Topic]:
    """Return the topics of a record's fields, and of groups of flags as a whole: "parking", if any kind is there."""
    topics: list[Topic] = []
    groups: dict[str, list[Passage]] = {}
    for passage in passages:
        if not passage.path:
            continue
        topics += _of_field(passage)
        if len(passage.path) > 1 and (passage.is_flag or passage.is_unknown) and not _says_no(passage):
            groups.setdefault(passage.path[-2], []).append(passage)
    for key, flags in groups.items():
        forms = _GROUP_FORMS.get(_joined(key))
        if forms is not None:
            topics.append(Topic(forms, *_any_of(flags)))
    return topics


def _says_no(passage: Passage) -> bool:
    return _joined(passage.path[-1]) == f"no{_joined(passage.path[-2])}"


def _any_of(flags: Sequence[Passage]) -> tuple[bool | None, Passage]:
    for flag in flags:
        if flag.is_flag and not flag.is_denied:
            return True, flag
    known = [flag for flag in flags if flag.is_flag]
    return (False, known[0]) if known else (None, flags[0])


def _of_field(passage: Passage) -> Iterator[Topic]:
    key = _joined(passage.path[-1])
    parent = _joined(passage.path[-2]) if len(passage.path) > 1 else ""
    by_value = _VALUE_FORMS.get(key)
    value = _value_of(passage)
    if by_value is not None and value and not passage.is_unknown:
        yield from (Topic(forms, holds, passage) for forms, holds in by_value.get(value, ()))
        return
    if not (passage.is_flag or passage.is_unknown):
        return
    holds = None if passage.is_unknown else not passage.is_denied
    if parent and _says_no(passage):  # "no_music" in the group "Music" says it of the group
        if holds is not None and parent in _GROUP_FORMS:
            yield Topic(_GROUP_FORMS[parent], not holds, passage)
        return
    known = _KEY_FORMS.get(f"{parent}.{key}") or _KEY_FORMS.get(key)
    # "cache": {"enabled": false} says it of the cache.
    own_forms = key_forms(passage.path[-2], 0, len(passage.path[-2])) if parent and key in _HOLDS else passage.key_forms
    forms = known or tuple(_plain_forms(own_forms))
    if forms:
        yield Topic(forms, holds, passage)
    if passage.is_unknown and key in _GROUP_FORMS:
        yield Topic(_GROUP_FORMS[key], None, passage)


def _plain_forms(forms: Iterable[Form]) -> Iterator[Form]:
    """Return forms without the plain words in them ("good for kids" is named by "kids"), where others are left."""
    for form in forms:
        telling = frozenset(stem for stem in form if word_of(stem).is_content)
        if telling:
            yield telling


def value_words(passage: Passage) -> list[str]:
    """Return the words of a field's value; of a passage that is no field, all its words."""
    start = passage.start + len(passage.path[-1]) + 1 if passage.path else passage.start
    return [token.word.lower for token in passage.tokens if token.start >= start]


def _value_of(passage: Passage) -> str:
    """Return a field's value in one piece: of a price range its number, of `"full_bar"` the two words joined."""
    return "".join(value_words(passage)).removesuffix(".0")


def _joined(key: str) -> str:
    lower = "".join(character for character in key.lower() if character.isalnum())
    for prefix in _PREFIXES:
        if lower.startswith(prefix) and len(lower) > len(prefix):
            return lower.removeprefix(prefix)
    return lower
