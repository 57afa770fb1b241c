"""The scripts and styles of the components, read from the files beside their modules."""

from pathlib import Path

_SHARED = Path(__file__).parent

# What draws an answer beside its chunks, in the order in which the scripts build on each other.
ANSWER_SCRIPTS = (
    "drawing.js",
    "folding.js",
    "marks.js",
    "answer_pane.js",
    "claim_pane.js",
    "chunk_pane.js",
    "window_height.js",
    "answer_view.js",
)


def read_component_files(*names: str, folder: Path = _SHARED) -> str:
    """Return the texts of the files, joined in the order given.

    A file is looked for in `folder`, the caller's own, and then among the shared files beside this module. They are
    joined because a component's script cannot import another one unless a server hands it out. Nothing but these files
    may ever become part of a script: texts under judgement reach it as data.
    """
    return "\n".join(_find(name, folder).read_text(encoding="utf-8") for name in names)


def _find(name: str, folder: Path) -> Path:
    own = folder / name
    return own if own.exists() else _SHARED / name
