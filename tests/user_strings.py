"""Every string that a user may see, file by file: `python -m tests.user_strings [PART-OF-A-PATH ...]`.

Read the list once before a release. It holds all string literals with a space, in the order of the files, except
docstrings, SQL, regular expressions and keys; an f-string shows its values as {…}. Docstrings of commands are in it,
because they are the help.
"""

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_PACKAGES = (
    "ui",
    "cli",
    "wording",
    "services",
    "formats",
    "judges",
    "stats",
    "store",
    "domain",
    "server",
    "integrations",
)
_TEXT_FILES = (".js", ".html")
_NO_COMMANDS = ("judging.py", "main.py", "options.py", "output.py", "reading.py")
# SQL, regular expressions, CSS and SVG paths: no words for people.
_NO_WORDS = re.compile(
    r"^\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|WITH|FROM|WHERE|JOIN|PRAGMA|CASE|LEFT|ORDER|ON|AND) "
    r"|\\[bdsw]|\(\?|^[MmLl][\d. -]+|^[#.]?[\w-]+ ?[>{](?!…)|^rgba?\(|%\(\w+\)s",
)
# Calls whose strings are SQL, patterns, names or lists of words.
_FOR_PROGRAMS = ("text", "compile", "getLogger", "debug", "word_set")
_WORD = re.compile(r"[A-Za-z]{2}")
_SCRIPT_STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`')
_TAG = re.compile(r"<style>.*?</style>|<[^>]*>|{%.*?%}|{#.*?#}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class UserString:
    """A string that a user may see; `line` counts from 1, `path` is relative to the repository."""

    path: str
    line: int
    text: str


def user_strings(*parts: str) -> Iterator[UserString]:
    """Yield the strings of all files whose path contains one of these parts, or of all files."""
    for path in _files():
        name = path.relative_to(ROOT).as_posix()
        if not parts or any(part in name for part in parts):
            yield from (UserString(name, line, string) for line, string in _strings(path))


@cache
def _strings(path: Path) -> list[tuple[int, str]]:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return _of_python(_tree(path), is_command=path.parent.name == "cli" and path.name not in _NO_COMMANDS)
    return _of_script(text) if path.suffix == ".js" else _of_template(text)


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def docstrings() -> Iterator[UserString]:
    """Yield the docstrings of the same files."""
    for path in _files():
        if path.suffix == ".py":
            for node in _documented(_tree(path)):
                if text := ast.get_docstring(node):
                    line = node.body[0].lineno if node.body else 1
                    yield UserString(path.relative_to(ROOT).as_posix(), line, text)


def _files() -> Iterator[Path]:
    for folder in (*(ROOT / "faithview" / name for name in _PACKAGES), ROOT / "pages"):
        yield from sorted(
            path
            for path in folder.rglob("*")
            if path.suffix in (".py", *_TEXT_FILES) and "migrations" not in path.parts
        )
    yield ROOT / "app.py"


def _of_python(tree: ast.Module, *, is_command: bool) -> list[tuple[int, str]]:
    hidden = _hidden(tree)
    if is_command:  # a docstring of a command is its help
        firsts = [node.body[0] for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        hidden -= {id(first.value) for first in firsts if isinstance(first, ast.Expr)}
    strings: list[tuple[int, str]] = []
    for node in ast.walk(tree):
        if id(node) in hidden:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            strings.append((node.lineno, node.value))
        elif isinstance(node, ast.JoinedStr):
            strings.append((node.lineno, "".join(_piece(value) for value in node.values)))
    return sorted((line, " ".join(string.split())) for line, string in strings if _has_words(string))


def _hidden(tree: ast.Module) -> set[int]:
    """Return the ids of nodes that are no strings of their own: docstrings, parts of f-strings, log and SQL texts."""
    hidden = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            hidden |= {id(value) for value in node.values if isinstance(value, ast.Constant)}
            hidden |= {id(value.format_spec) for value in node.values if isinstance(value, ast.FormattedValue)}
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            hidden.add(id(node.value))
        elif isinstance(node, ast.Call) and ast.unparse(node.func).rsplit(".", 1)[-1] in _FOR_PROGRAMS:
            hidden |= {id(inner) for inner in ast.walk(node)}
    return hidden


def _documented(tree: ast.Module) -> Iterator[ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def _piece(value: ast.expr) -> str:
    return str(value.value) if isinstance(value, ast.Constant) else "{…}"


def _of_script(text: str) -> list[tuple[int, str]]:
    strings = []
    for match in _SCRIPT_STRING.finditer(text):
        string = match[1] if match[1] is not None else match[2]
        if _has_words(string):
            strings.append((text.count("\n", 0, match.start()) + 1, " ".join(string.split())))
    return strings


def _of_template(text: str) -> list[tuple[int, str]]:
    bare = _TAG.sub(lambda match: "\n" * match[0].count("\n"), text)
    return [
        (number, line.strip()) for number, line in enumerate(bare.splitlines(), start=1) if _has_words(line.strip())
    ]


def _has_words(text: str) -> bool:
    return " " in text.strip() and bool(_WORD.search(text)) and not _NO_WORDS.search(text)


def _print(parts: list[str]) -> None:
    path = ""
    for string in user_strings(*parts):
        if string.path != path:
            path = string.path
            sys.stdout.write(f"\n{path}\n")
        sys.stdout.write(f"{string.line:5}  {string.text}\n")


if __name__ == "__main__":
    _print(sys.argv[1:])
