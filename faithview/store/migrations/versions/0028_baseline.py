"""The schema of the last builds before 0.3; a new store is made from the models (`store/new_store.py`)."""

revision = "0028"
down_revision = None


def upgrade() -> None:
    """Do nothing: older stores are refused, and those of this schema begin here."""
