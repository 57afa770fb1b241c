"""The words of texts as both databases index and find them."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Dialect, Select, String, Text, cast, column, false, literal, select, table
from sqlalchemy.types import TypeDecorator, TypeEngine

# The last place of a word that PostgreSQL tells from others; phrases beyond it are not found there.
_LAST_PLACE = 16_383


class SearchWords(TypeDecorator[tuple[str, ...]]):
    """The words of a text as a search compares them (`stats/search_words.py`), in their order.

    Both databases are given words and not text, so that they find the same: SQLite a text of words for its full-text
    index, PostgreSQL a `tsvector` with each word's place.
    """

    impl = Text
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Return the column's type."""
        if dialect.name == "sqlite":
            return dialect.type_descriptor(Text())
        from sqlalchemy.dialects import postgresql  # here and below, because most commands are for SQLite

        return dialect.type_descriptor(postgresql.TSVECTOR())

    def process_bind_param(self, value: tuple[str, ...] | None, dialect: Dialect) -> str | None:
        """Write the words, which consist of letters and digits only, as the database reads them."""
        if value is None or dialect.name == "sqlite":
            return None if value is None else " ".join(value)
        return " ".join(f"'{word}':{min(place, _LAST_PLACE)}" for place, word in enumerate(value, start=1))

    def process_result_value(self, value: str | None, dialect: Dialect) -> tuple[str, ...] | None:
        """Refuse: the words are there to be found, and claims are shown from their texts."""
        raise NotImplementedError("The words of claims are only searched, never read.")


def has_words(words: Any, ids: Any, phrases: Sequence[tuple[str, ...]], *, dialect: str) -> Select[tuple[int]]:
    """Return the query for the ids of texts that hold all phrases; none where there is no phrase.

    Args:
        words: the column of `SearchWords`. On SQLite its table has an index `claim_words`.
        ids: the table's ids.
        phrases: words that must follow on each other, in each phrase; they consist of letters and digits only.
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


# SQLite's full-text index of `claim_text`. The words come split and folded, so that its tokenizer only parts them at
# spaces: letters, digits and marks are the characters of a word.
CREATE_WORD_INDEX = (
    "CREATE VIRTUAL TABLE claim_words USING fts5(words, content='claim_text', content_rowid='id', "
    "tokenize=\"unicode61 remove_diacritics 0 categories 'L* N* M* Co'\")",
    "CREATE TRIGGER claim_words_added AFTER INSERT ON claim_text BEGIN "
    "INSERT INTO claim_words(rowid, words) VALUES (new.id, new.words); END",
    "CREATE TRIGGER claim_words_removed AFTER DELETE ON claim_text BEGIN "
    "INSERT INTO claim_words(claim_words, rowid, words) VALUES ('delete', old.id, old.words); END",
)
