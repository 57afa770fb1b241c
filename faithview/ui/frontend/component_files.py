"""The files of components: their scripts and styles, and the styles of verdicts as plain data."""

import re
from pathlib import Path

from faithview.wording.verdict_styles import STYLES

FRONTEND = Path(__file__).parent

_IMPORT = re.compile(r'^import \{([^}]+)\} from "\./(\w+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async function|function|class|const) (\w+))", re.MULTILINE)
_OTHER_FORM = re.compile(r"^(?:import|export(?! default))\b.*", re.MULTILINE)
# What is written for the type checker need not travel to the browser.
_DOC_COMMENT = re.compile(r"^[ \t]*/\*\*.*?\*/[ \t]*\n?", re.MULTILINE | re.DOTALL)


def read_script(name: str, *, folder: Path = FRONTEND) -> str:
    """Return a component's module, with all that it imports, as one module.

    An imported module becomes a function that is called once and returns what the module exports, so two modules
    may use one name for different things. Nothing but these files may ever become part of a script: texts under
    judgement reach it as data.

    Args:
        name: the module's name without ".js"; its default export is the component.
        folder: where it and its imports are.

    Raises:
        ValueError: modules import each other in a circle, or an import or export has a form that is not known here.
    """
    scripts: dict[str, str] = {}
    _resolve(name, folder, scripts, above=())
    return "".join(scripts.values())


def read_styles(*names: str) -> str:
    """Return the style sheets of these names, without ".css", joined in this order."""
    return "\n".join((FRONTEND / f"{name}.css").read_text(encoding="utf-8") for name in names)


def _resolve(name: str, folder: Path, scripts: dict[str, str], *, above: tuple[str, ...]) -> None:
    """Add a module to `scripts`, after all that it imports; `above` are the modules that led to it."""
    if name in above:
        raise ValueError(f"Modules import each other: {' > '.join((*above, name))}.")
    text = _DOC_COMMENT.sub("", (folder / f"{name}.js").read_text(encoding="utf-8"))
    for imported in _IMPORT.finditer(text):
        if imported[2] not in scripts:
            _resolve(imported[2], folder, scripts, above=(*above, name))
    text = _IMPORT.sub(lambda found: f"const {{{found[1].replace(' as ', ': ')}}} = {_variable(found[2])};\n", text)
    exported = _EXPORT.findall(text)
    text = _EXPORT.sub("", text)
    if other := _OTHER_FORM.search(text):
        raise ValueError(f"{name}.js: imports and exports do not have the form {other[0]!r} here.")
    is_component = not above
    scripts[name] = text if is_component else _as_function(name, text, exported)


def _as_function(name: str, text: str, exported: list[str]) -> str:
    return f"const {_variable(name)} = (() => {{\n{text}return {{ {', '.join(exported)} }};\n}})();\n"


def _variable(name: str) -> str:
    return f"$module_{name}"


def browser_styles() -> dict[str, dict[str, str]]:
    """Return what a component's script needs to draw each style of a claim, by the style's name, the best first."""
    return {
        name: {
            "word": style.word,
            "stroke": style.stroke,
            "fill": style.fill,
            "light": style.light,
            "dark": style.dark,
            "underline": style.underline,
            "note": style.note,
        }
        for name, style in reversed(list(STYLES.items()))
    }
