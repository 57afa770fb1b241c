"""Where the dashboard's pages and the bundled data are: beside the package in a checkout, else inside it."""

from pathlib import Path

from faithview.domain.errors import FaithViewError

_PACKAGE = Path(__file__).parent.parent


def app_folder() -> Path:
    """Return the folder that holds app.py, pages/ and data/.

    Raises:
        FaithViewError: the installation lacks them.
    """
    for folder in (_PACKAGE / "_app", _PACKAGE.parent):
        if (folder / "app.py").is_file():
            return folder
    raise FaithViewError("The dashboard's files are missing from this installation; install faithview again.")


def sample_folder() -> Path:
    """Return the folder of the bundled data; raises FaithViewError as `app_folder` does."""
    return app_folder() / "data"
