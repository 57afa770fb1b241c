"""Words that belong to one kind of text stand in TOML files beside the code that uses them; this reads them."""

import tomllib
from importlib.resources import files
from typing import Any

from faithview.judges.text.lexicon import word_set


def read_vocabulary(package: str, name: str) -> dict[str, Any]:
    """Return the tables of a TOML file of a package.

    Args:
        package: the package beside whose modules the file lies, `__package__` of the caller.
        name: the file's name, "topics.toml".
    """
    return tomllib.loads(files(package).joinpath(name).read_text(encoding="utf-8"))


def read_word_sets(package: str, name: str) -> dict[str, frozenset[str]]:
    """Return the word lists of a TOML file of a package, each a text of words between spaces, by their keys."""
    return {key: word_set(words) for key, words in read_vocabulary(package, name).items()}
