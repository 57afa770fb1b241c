"""Whether a store is whole: its file, its schema, its values, what refers to what, and its texts.

Nothing is changed. A problem is a sentence that names the table, how many rows it is about, and the first few of them.
"""

from collections.abc import Callable, Iterator
from functools import partial

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from faithview.store.integrity.contents import hash_problems, quotation_problems
from faithview.store.integrity.references import reference_problems
from faithview.store.integrity.structure import file_problems, schema_problems
from faithview.store.integrity.values import text_problems, value_problems, word_problems

__all__ = ["find_damage", "find_problems"]


def find_damage(connection: Connection) -> list[str]:
    """Return what can make the store unreadable: everything but texts that are not those of their hashes."""
    return _find(connection, thorough=False)


def find_problems(connection: Connection) -> list[str]:
    """Return all problems of a store that has the schema of this FaithView; each text is read and hashed."""
    return _find(connection, thorough=True)


def _find(connection: Connection, *, thorough: bool) -> list[str]:
    problems = _checked(connection, partial(file_problems, thorough=thorough))
    missing = _checked(connection, schema_problems)
    if missing:  # what is missing would be found again in every query
        return problems + missing
    for check in (value_problems, word_problems, reference_problems):
        problems += _checked(connection, check)
    if thorough:
        problems += _checked(connection, text_problems)
    # A text that is damaged in its file, or no text at all, cannot be hashed, and is among the problems already.
    if thorough and not problems:
        for check in (hash_problems, quotation_problems):
            problems += _checked(connection, check)
    return problems


def _checked(connection: Connection, check: Callable[[Connection], Iterator[str]]) -> list[str]:
    try:
        return list(check(connection))
    except DBAPIError as error:
        return [f"A part of the store cannot be read: {str(error.orig).splitlines()[0]}."]
    except MemoryError:  # SQLite is told of a value of gigabytes where its length was overwritten
        return ["A part of the store cannot be read: a value says that it is larger than the memory."]
