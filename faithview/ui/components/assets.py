"""The scripts and styles of the components, read from the files beside this one."""

from pathlib import Path

_HERE = Path(__file__).parent


def read_assets(*names: str) -> str:
    """Return the files' texts, joined in the order given.

    They are joined because a component's script cannot import a neighbour unless a server hands it out. Nothing but
    these files may ever become part of a script: texts under judgement reach it as data.
    """
    return "\n".join((_HERE / name).read_text(encoding="utf-8") for name in names)
