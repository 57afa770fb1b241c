"""The field that names the data set of a file's rows."""

from streamlit.delta_generator import DeltaGenerator

from faithview.services.datasets.named import list_datasets
from faithview.ui.shell import app


def choose_data_set(place: DeltaGenerator, *, key: str) -> str | None:
    """Draw the field in a column of a form; None leaves it to FaithView to find the data set."""
    return place.selectbox(
        "Data set",
        [known.name for known in list_datasets(app.services())],
        index=None,
        placeholder="Automatic",
        accept_new_options=True,
        key=key,
        help=_HELP,
    )


_HELP = (
    "The set of rows that these are a version of. Left empty, it is the one that has these rows already, or questions "
    "of them; else a new one begins."
)
