"""Search claims by their words, in both databases' own indexes of words, and texts by any part of them."""

import re
from typing import Any

from sqlalchemy import ColumnElement, LargeBinary, and_, cast, column, false, func, literal_column, or_, select, table

from faithview.domain.sample import find_unstorable
from faithview.stats.search_words import UNSPACED
from faithview.store.schema.runs import ClaimRow

# PostgreSQL refuses to index more than a megabyte of words.
_WORDS = "to_tsvector('english', left(text, 200000))"
CREATE_WORD_INDEX = {
    "sqlite": (
        "CREATE VIRTUAL TABLE claim_words USING fts5(text, content='claim', content_rowid='id', "
        "tokenize='porter unicode61 remove_diacritics 2')",
        "CREATE TRIGGER claim_words_added AFTER INSERT ON claim BEGIN "
        "INSERT INTO claim_words(rowid, text) VALUES (new.id, new.text); END",
        "CREATE TRIGGER claim_words_removed AFTER DELETE ON claim BEGIN "
        "INSERT INTO claim_words(claim_words, rowid, text) VALUES ('delete', old.id, old.text); END",
    ),
    "postgresql": (f"CREATE INDEX ix_claim_words ON claim USING gin ({_WORDS})",),
}

_PHRASE = re.compile(r'["“”„]([^"“”„]*)["“”„]?|([^\s"“”„]+)')
_IS_UNSPACED = re.compile(f"[{UNSPACED}]")
_MOST_PHRASES = 64
# All but ASCII letters, and the ASCII letters that others fold to, such as "ſ" to "s" and "ﬁ" to "fi".
_FOLDED_TO = re.compile("[afhijklnstwy\\x80-\\U0010ffff]+")
_LONGEST_PATTERN = 10_000  # characters; SQLite refuses patterns of more than 50,000 bytes


def has_words(claim_id: Any, query: str, *, dialect: str) -> ColumnElement[bool]:
    """Return the condition that the claim of this id has all words of a query; false for a query without words.

    Text in quotation marks is one phrase, and a query has no operators. Words are compared by English stems without
    case, on SQLite also without accents. In scripts without spaces, parts of a text are compared, because neither
    database splits them into words.
    """
    found = [quoted or bare for quoted, bare in _PHRASE.findall(query)]
    phrases = [phrase for phrase in found if any(map(str.isalnum, phrase))][:_MOST_PHRASES]
    if not phrases or find_unstorable(query) is not None:
        return false()
    parts = [phrase for phrase in phrases if _IS_UNSPACED.search(phrase)]
    words = [phrase for phrase in phrases if phrase not in parts]
    texts = [ClaimRow.text.contains(part, autoescape=True) for part in parts]
    conditions = [claim_id.in_(select(ClaimRow.id).where(*texts))] if texts else []
    if words and dialect == "sqlite":
        index = table("claim_words", column("rowid"), column("claim_words"))
        # In quotation marks, so that nothing in them is an operator.
        match = index.c.claim_words.op("MATCH")(" AND ".join(f'"{phrase}"' for phrase in words))
        conditions.append(claim_id.in_(select(index.c.rowid).where(match)))
    elif words:
        matches = [literal_column(_WORDS).op("@@")(func.phraseto_tsquery("english", phrase)) for phrase in words]
        conditions.append(claim_id.in_(select(ClaimRow.id).where(*matches)))
    return and_(*conditions)


def contains(column: Any, needle: str, *, dialect: str) -> ColumnElement[bool]:
    """Return the condition that the column contains the needle, ignoring case; wildcards are plain characters."""
    if find_unstorable(needle) is not None:
        return false()
    if dialect == "sqlite":
        in_any_script = func.instr(func.fv_casefold(column), needle.casefold()) > 0
        if len(needle) > _LONGEST_PATTERN:
            return in_any_script
        # LIKE folds ASCII alone. Python, which folds all and is slow, is asked only about texts that contain what no
        # other letter folds to.
        part = max(_FOLDED_TO.split(needle.casefold()), key=len)
        is_ascii = func.length(cast(column, LargeBinary)) == func.length(column)
        may_hold = and_(column.contains(part, autoescape=True), ~is_ascii) if part else ~is_ascii
        return or_(column.contains(needle, autoescape=True), and_(may_hold, in_any_script))
    return func.strpos(func.lower(column), func.lower(needle)) > 0
