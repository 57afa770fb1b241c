"""Packages that a light installation leaves out (docs/install.md): each is named where it is missing."""

from importlib.util import find_spec

from faithview.domain.errors import InvalidInput


def require_packages(*names: str, purpose: str) -> None:
    """Raise InvalidInput, which says what to install, if one of the packages is not installed.

    Args:
        names: what is imported, by which name it is installed too.
        purpose: what needs it, as the beginning of a sentence.
    """
    missing = [name for name in names if find_spec(name) is None]
    if missing:
        named = " and ".join(filter(None, (", ".join(missing[:-1]), missing[-1])))
        it = "it" if len(missing) == 1 else "them"
        raise InvalidInput(f"{purpose} needs {named}. Install {it}: pip install {' '.join(missing)}")
