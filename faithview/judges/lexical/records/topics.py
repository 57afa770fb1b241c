"""What the fields of a record are about, and how people say it: `GoodForKids` is "family-friendly".

A topic has the sets of stems that name it and what the record says of it: yes, no, or nothing (null).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from faithview.judges.lexical.retrieval.passage import Passage
from faithview.judges.text.tokens import key_forms, word_of

Form = frozenset[str]


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


_HOLDS = frozenset({"enabled", "active", "available", "supported", "included", "offered", "allowed", "on"})


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
        yield from (Topic(_forms(text), holds, passage) for text, holds in by_value.get(value, {}).items())
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
    forms = _forms(known) if known else tuple(_plain_forms(own_forms))
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


_PREFIXES = ("restaurants", "restaurant", "businesses", "business")


def _joined(key: str) -> str:
    lower = "".join(character for character in key.lower() if character.isalnum())
    for prefix in _PREFIXES:
        if lower.startswith(prefix) and len(lower) > len(prefix):
            return lower.removeprefix(prefix)
    return lower


def _forms(text: str) -> tuple[Form, ...]:
    return tuple(frozenset(word_of(word).stem for word in part.split()) for part in text.split(","))


# How a flag is named, by its key (with the key of its group before it, where it needs one) without "restaurants" and
# "business"; a comma ends a form, and all words of a form must be there.
_KEY_FORMS: Mapping[str, str] = {
    "takeout": "takeout,takeaway,carryout,take out,take away,carry out",
    "delivery": "delivery,deliver",
    "reservations": "reservation,reservations,reserve table,book table",
    "outdoorseating": "outdoor seating,outdoor,outdoors,outside seating,patio,terrace,al fresco",
    "goodforkids": "good kids,kid friendly,child friendly,family friendly,suitable children,suitable kids,"
    "great kids,great families,good families,welcome children,families children,suitable families",
    "goodforgroups": "groups,large parties,big parties",
    "wifi": "wifi,internet",
    "hastv": "tv,tvs,television,televisions",
    "acceptscreditcards": "credit card,cards,credit cards",
    "wheelchairaccessible": "wheelchair,wheelchairs",
    "bikeparking": "bike parking,bicycle parking,bikes,bicycles,bike rack",
    "dogsallowed": "dogs,dog friendly,dog,pet friendly,pets",
    "happyhour": "happy hour,happy hours",
    "caters": "catering,caters",
    "byappointmentonly": "appointment,appointments",
    "drivethru": "drive thru,drive through",
    "coatcheck": "coat check",
    "music": "music",
    "alcohol": "alcohol",
    "smoking": "smoking",
    "noiselevel": "noise,quiet,loud,noisy",
    "pricerange2": "expensive,inexpensive,affordable,pricey,cheap,moderate price,reasonable price",
    "ambience": "ambience,atmosphere,vibe,casual,romantic,intimate,trendy,upscale,classy,hipster,laid back",
    "hours": "hours,opens,closes,open daily,open seven days,seven days week,open late",
    "tableservice": "table service",
    "goodfordancing": "dancing",
    "parking.street": "street parking,park street,parking street",
    "parking.garage": "garage",
    "parking.lot": "parking lot,private lot,own lot",
    "parking.valet": "valet",
    "parking.validated": "validated",
    "music.live": "live music,live band,live performances",
    "music.dj": "dj,djs",
    "music.backgroundmusic": "background music",
    "music.video": "music video,music videos",
    "music.jukebox": "jukebox",
    "music.karaoke": "karaoke",
    "ambience.casual": "casual,laid back",
    "ambience.divey": "divey,dive",
}

# What a value says of other topics than its own key: by key, by value.
_VALUE_FORMS: Mapping[str, Mapping[str, Mapping[str, bool]]] = {
    "wifi": {
        "free": {"wifi,internet": True, "free wifi": True, "paid wifi": False},
        "paid": {"wifi,internet": True, "free wifi": False},
        "no": {"wifi,internet": False},
    },
    "alcohol": {
        "none": {"alcohol,beer,wine,full bar,cocktails,liquor": False},
        "fullbar": {"alcohol,full bar,full service bar": True},
        "beerandwine": {"alcohol,beer,wine": True, "full bar,full service bar,liquor,spirits": False},
    },
    "pricerange2": {
        "1": {"inexpensive,affordable,budget,cheap": True, "expensive,pricey,upscale prices,moderate price": False},
        "2": {"moderate price": True, "expensive,pricey,high price": False},
        "3": {"expensive,pricey": True, "inexpensive,budget,cheap,affordable,moderate price": False},
        "4": {"expensive,pricey": True, "inexpensive,budget,cheap,affordable,moderate price": False},
    },
    "attire": {
        "casual": {"casual": True, "dressy,formal attire": False},
        "dressy": {"dressy": True, "casual attire,casual dress": False},
    },
    "smoking": {
        "no": {"smoking": False},
        "yes": {"smoking": True},
        "outdoor": {"smoking,smoking outdoor,smoking outdoors,smoking outside": True},
    },
    "noiselevel": {
        "quiet": {"quiet": True, "loud,noisy,average noise,moderate noise": False},
        "average": {"average noise,moderate noise": True, "quiet,loud,noisy": False},
        "loud": {"loud,noisy": True, "quiet,average noise,moderate noise": False},
        "veryloud": {"loud,noisy": True, "quiet,average noise,moderate noise": False},
    },
}

# Groups of flags that are spoken of as a whole.
_GROUP_FORMS: Mapping[str, tuple[Form, ...]] = {
    "parking": _forms("parking"),
    "music": _forms("music"),
}
