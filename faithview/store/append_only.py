"""Tables whose rows are only ever added: the database itself refuses to change or delete one."""

from sqlalchemy import Connection

# Of each such table. A new store has them, and `db check` looks for them on SQLite.
AUDIT_TRIGGERS = ("audit_entry_no_update", "audit_entry_no_delete")
_FUNCTION = "refuse_audit_change"
_WORDS = "rows of the audit log are never changed or deleted"


def guard_audit(connection: Connection) -> None:
    """Make the triggers that refuse to change or delete a row of `audit_entry`."""
    is_sqlite = connection.dialect.name == "sqlite"
    if not is_sqlite:
        connection.exec_driver_sql(
            f"CREATE FUNCTION {_FUNCTION}() RETURNS trigger LANGUAGE plpgsql AS "
            f"$$ BEGIN RAISE EXCEPTION '{_WORDS}'; END $$"
        )
    for trigger, verb in zip(AUDIT_TRIGGERS, ("UPDATE", "DELETE"), strict=True):
        body = f"BEGIN SELECT RAISE(ABORT, '{_WORDS}'); END"
        if not is_sqlite:
            verb = f"{verb} OR TRUNCATE" if verb == "DELETE" else verb
            # Only triggers for whole statements see TRUNCATE.
            body = f"FOR EACH STATEMENT EXECUTE FUNCTION {_FUNCTION}()"
        connection.exec_driver_sql(f"CREATE TRIGGER {trigger} BEFORE {verb} ON audit_entry {body}")
