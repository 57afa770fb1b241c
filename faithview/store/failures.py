"""Advice for a database that cannot be used, by the database's error.

It uses the error numbers of each driver, because messages differ between versions and languages.
"""

import sqlite3

# The classes of PostgreSQL's SQLSTATE for a server that is unavailable, starting or shutting down.
_AWAY = ("08", "57P")
_SQLITE_PRIMARY = 0xFF

LOCKED = "Another program is writing to it. Wait until it is done or stop that program, then try again."
_FULL = "The disk is full: free some space and try again."
_UNWRITTEN = "Check whether its disk is full, broken or limits the size of files, then try again."
_DAMAGED = "`faithview db check` lists what is damaged; `faithview db restore` restores a backup."
_UNOPENED = "Check the path and that you can read and write it."
_PROTECTED = "It is read-only: check who can write to the file and its folder."
_DOWN = "Check that the server is running and its address is right, then try again."
_CROWDED = "The server has no free connection: stop some programs that use it or raise its limit."
_REFUSED = "Check the user, password and database in the address."

_NO_RIGHT = "The user in its address may not do this: ask the database's administrator for the permission."
_RIGHT_MISSING = "42501"

_BY_SQLITE_CODE = {
    sqlite3.SQLITE_BUSY: LOCKED,
    sqlite3.SQLITE_LOCKED: LOCKED,
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_IOERR: _UNWRITTEN,
    sqlite3.SQLITE_CANTOPEN: _UNOPENED,
    sqlite3.SQLITE_READONLY: _PROTECTED,
    sqlite3.SQLITE_PERM: _PROTECTED,
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_NOTADB: _DAMAGED,
}
_BY_STATE = {"53100": _FULL, "53300": _CROWDED, "55P03": LOCKED, "25006": _PROTECTED, _RIGHT_MISSING: _NO_RIGHT}


def words_of(error: BaseException | None) -> str:
    """Return the database's message, on one line, followed by advice if known."""
    said = _first_line(error).rstrip(".") + "."
    helps = advice(error)
    return f"{said} {helps}" if helps else said


def is_right_missing(error: BaseException | None) -> bool:
    """Return whether PostgreSQL's error is a missing permission, so the statement itself is correct."""
    return getattr(error, "sqlstate", None) == _RIGHT_MISSING


def advice(error: BaseException | None) -> str | None:
    """Return advice in one or two sentences; None if unknown."""
    if isinstance(error, sqlite3.Error):
        # Errors raised by Python's module itself, such as a closed connection, have no number.
        code = getattr(error, "sqlite_errorcode", None)
        if code is None:
            return _DAMAGED if type(error) is sqlite3.DatabaseError else None
        return _BY_SQLITE_CODE.get(code & _SQLITE_PRIMARY)
    state = getattr(error, "sqlstate", "")
    if state is None or state.startswith(_AWAY):  # None: the server did not respond
        return _DOWN
    return _REFUSED if state.startswith(("28", "3D")) else _BY_STATE.get(state)


def _first_line(error: BaseException | None) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
