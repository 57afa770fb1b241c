"""Search texts by words, as both databases index them, and by any substring, ignoring case.

Folding every letter of a hundred thousand texts takes seconds on either database. Folding only ASCII letters takes a
tenth of that, and is enough for most texts.
"""

import re
from collections.abc import Sequence
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Dialect,
    LargeBinary,
    Select,
    String,
    Text,
    and_,
    cast,
    collate,
    column,
    false,
    func,
    literal,
    or_,
    select,
    table,
)
from sqlalchemy.types import TypeDecorator, TypeEngine

from faithview.domain.sample import find_unstorable

# SQLite takes patterns of up to 50,000 bytes.
_LONGEST_PATTERN = 20_000
# All except ASCII letters, and the ASCII letters that a non-ASCII letter folds to, such as ſ to s and ﬁ to fi.
_FOLDED_TO = re.compile("[afhijklnstwy\\x80-\\U0010ffff]+")
# The non-ASCII letters that `_folded` turns into ASCII letters, in any locale, by their folded form.
_TURNED_INTO = {"i": ("İ",), "k": ("\N{KELVIN SIGN}",), "s": ("ß", "ẞ")}
# All except ASCII letters, and those folded forms. A Turkish database also turns I into a non-ASCII letter.
_MAY_BE_TURNED = re.compile("[iks\\x80-\\U0010ffff]+")
_WILDCARD = re.compile(r"[%_\\]")


def contains(column: Any, needle: str, *, dialect: str) -> ColumnElement[bool]:
    """Return the condition that the column contains the needle, ignoring case, in any script and without wildcards."""
    if find_unstorable(needle) is not None:
        return false()
    if dialect == "sqlite":
        return _sqlite_contains(column, needle.casefold())
    return _postgresql_contains(column, needle)


def _sqlite_contains(column: Any, folded: str) -> ColumnElement[bool]:
    in_any_script: ColumnElement[bool] = func.instr(func.fv_casefold(column), folded) > 0
    if len(folded.encode()) > _LONGEST_PATTERN:
        return in_any_script
    # LIKE folds only ASCII, and calling Python for every row is slow, so Python is called only for texts with more
    # bytes than characters that contain the needle's longest part to which no other letter folds.
    part = max(_FOLDED_TO.split(folded), key=len)
    is_ascii = func.length(cast(column, LargeBinary)) == func.length(column)
    return or_(_has_in_order(column, folded), and_(_has_in_order(column, part), ~is_ascii, in_any_script))


def _postgresql_contains(column: Any, needle: str) -> ColumnElement[bool]:
    in_any_script: ColumnElement[bool] = func.strpos(_folded(column), _folded(needle)) > 0
    # In this collation, lower() folds only ASCII and ignores the locale.
    lower = func.lower(collate(column, "C"))
    may_hold = _has_in_order(lower, *_MAY_BE_TURNED.split(needle.lower()))
    if not needle.isascii():
        return and_(may_hold, in_any_script)
    # PostgreSQL expects that a third of the texts pass strpos(), and then runs a large search in one process.
    holds = _has_in_order(lower, needle.lower())
    turned = [letter for made in _TURNED_INTO if made in needle.lower() for letter in _TURNED_INTO[made]]
    if not turned:
        return holds
    in_ascii_too = func.lower("I") == "i"
    in_other_letters = or_(~in_ascii_too, *(_has_in_order(column, letter) for letter in turned))
    return or_(and_(in_ascii_too, holds), and_(in_other_letters, may_hold, in_any_script))


def _has_in_order(column: Any, *parts: str) -> ColumnElement[bool]:
    pattern = "%".join(["", *(_WILDCARD.sub(r"\\\g<0>", part) for part in parts), ""])
    condition: ColumnElement[bool] = column.like(pattern, escape="\\")
    return condition


def _folded(value: Any) -> ColumnElement[str]:
    # lower() depends on the database's locale. Two letters that case folding would replace are replaced here.
    return func.replace(func.replace(func.lower(value), "ß", "ss"), "ς", "σ")


# The last word position that PostgreSQL distinguishes; phrases beyond it are not found there.
_LAST_PLACE = 16_383


class SearchWords(TypeDecorator[tuple[str, ...]]):
    """The words of a text as a search compares them (`stats/search_words.py`), in their order.

    Both databases index words and not text, and so find the same: SQLite a text of words in its full-text index,
    PostgreSQL a `tsvector` with each word's place.
    """

    impl = Text
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Return the column's type."""
        if dialect.name == "sqlite":
            return dialect.type_descriptor(Text())
        from sqlalchemy.dialects import postgresql  # imported here and below, because most stores are SQLite

        return dialect.type_descriptor(postgresql.TSVECTOR())

    def process_bind_param(self, value: tuple[str, ...] | None, dialect: Dialect) -> str | None:
        """Write the words, which consist of letters and digits only, as the database reads them."""
        if value is None or dialect.name == "sqlite":
            return None if value is None else " ".join(value)
        return " ".join(f"'{word}':{min(place, _LAST_PLACE)}" for place, word in enumerate(value, start=1))

    def process_result_value(self, value: str | None, dialect: Dialect) -> tuple[str, ...] | None:
        """Raise an error: the words are only for searching, and claims are shown from their texts."""
        raise NotImplementedError("The words of claims are only searched, never read.")


def has_words(words: Any, ids: Any, phrases: Sequence[tuple[str, ...]], *, dialect: str) -> Select[tuple[int]]:
    """Return the query for the ids of texts with all phrases; no ids without a phrase.

    Args:
        words: the column of `SearchWords`. On SQLite its table has an index `claim_words`.
        ids: the table's ids.
        phrases: the consecutive words of each phrase; they consist of letters and digits only.
        dialect: "sqlite" or "postgresql".
    """
    if not phrases:
        return select(ids).where(false())
    if dialect == "sqlite":
        index = table("claim_words", column("rowid"), column("claim_words"))
        match = " AND ".join(f'"{" ".join(phrase)}"' for phrase in phrases)
        return select(index.c.rowid).where(index.c.claim_words.op("MATCH")(match))
    match = " & ".join("(" + " <-> ".join(f"'{word}'" for word in phrase) + ")" for phrase in phrases)
    from sqlalchemy.dialects import postgresql

    return select(ids).where(words.op("@@")(cast(literal(match, String), postgresql.TSQUERY)))


# SQLite's full-text index of `claim_text`. The words are already split and folded, so its tokenizer splits only at
# spaces: letters, digits and marks are word characters.
CREATE_WORD_INDEX = (
    "CREATE VIRTUAL TABLE claim_words USING fts5(words, content='claim_text', content_rowid='id', "
    "tokenize=\"unicode61 remove_diacritics 0 categories 'L* N* M* Co'\")",
    "CREATE TRIGGER claim_words_added AFTER INSERT ON claim_text BEGIN "
    "INSERT INTO claim_words(rowid, words) VALUES (new.id, new.words); END",
    "CREATE TRIGGER claim_words_removed AFTER DELETE ON claim_text BEGIN "
    "INSERT INTO claim_words(claim_words, rowid, words) VALUES ('delete', old.id, old.words); END",
)
