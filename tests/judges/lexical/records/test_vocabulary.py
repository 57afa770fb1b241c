"""The words in TOML files beside the code: an entry that no text can match would be passed over without a word."""

import re
from pathlib import Path

import pytest

from faithview.judges import lexical
from faithview.judges.lexical.records import grids
from faithview.judges.text.tokens import read_vocabulary, read_word_sets

_RECORDS = "faithview.judges.lexical.records"
_TOPICS = read_vocabulary(_RECORDS, "topics.toml")


@pytest.mark.parametrize("key", [*_TOPICS["names"], *_TOPICS["groups"], *_TOPICS["values"]])
def test_a_key_is_written_as_keys_of_records_are_read(key: str) -> None:
    assert [grids._joined(part) for part in key.split(".")] == key.split(".")


def test_values_say_yes_or_no_and_each_thing_has_a_name() -> None:
    said = [(key, value, says) for key, values in _TOPICS["values"].items() for value, says in values.items()]
    assert all(says and set(says) <= {"yes", "no"} for _, _, says in said)
    assert all(names and all(names) for _, _, says in said for lists in says.values() for names in lists)
    assert all(names and all(names) for names in (*_TOPICS["names"].values(), *_TOPICS["groups"].values()))


def test_a_value_says_what_holds_before_what_does_not() -> None:
    free = grids._VALUE_FORMS["wifi"]["free"]
    assert [(len(forms), holds) for forms, holds in free] == [(2, True), (1, True), (1, False)]


@pytest.mark.parametrize(("package", "name"), [(_RECORDS, "stories.toml"), (_RECORDS, "hours.toml")])
def test_words_are_in_small_letters_and_stand_once(package: str, name: str) -> None:
    for key, words in read_vocabulary(package, name).items():
        assert words.split(), key
        assert words == words.lower()
        assert len(words.split()) == len(set(words.split())), key


def test_every_word_list_is_used() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in Path(lexical.__file__).parent.rglob("*.py"))
    for package, name in ((_RECORDS, "stories.toml"), (_RECORDS, "hours.toml")):
        for key in read_word_sets(package, name):
            assert re.search(rf'(?:_STORIES|_WORDS|has)\["{key}"\]', source), key
