"""Every function that writes to the store, and every way to it, read from the code: who calls whom, by name.

A name that a function mentions counts as a call, because a callback is only mentioned. A class that it mentions counts
as a call of all its methods.
"""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
# The functions of Database that open a transaction: for what somebody changes, and for what FaithView stores by itself.
CHANGE, BOOKKEEP = "write", "bookkeep"
# What asks for the role of the session. The first are asked right before a change, by the place itself or by what it
# hands its action to; the others are asked when something is drawn too, and count in the function of the change alone.
_REFUSALS = frozenset(
    f"faithview.ui.identity.{name}" for name in ("why_cannot_label", "why_cannot_run", "why_cannot_delete")
)
_QUESTIONS = frozenset(f"faithview.ui.identity.{name}" for name in ("can_label", "can_run"))
_REASON = "str | None"


@dataclass(slots=True)
class Function:
    """A function or a method, or what a module does when it is imported (`<module>`), with all that it mentions."""

    name: str
    returns: str = ""
    opens: set[str] = field(default_factory=set)
    mentions: set[str] = field(default_factory=set)


# Modules that a test adds to the code: their names and texts.
Added = tuple[tuple[str, str], ...]


@cache
def functions(added: Added = ()) -> Mapping[str, Function]:
    """Return all functions of the product and its pages by their full names."""
    if added:
        return {**functions(), **_functions({module: ast.parse(source) for module, source in added})}
    return _functions(_trees())


def _functions(trees: Mapping[str, ast.Module]) -> dict[str, Function]:
    owned = {module: set(_owned(tree)) for module, tree in {**_trees(), **trees}.items()}
    known = {f"{module}.{name}" for module, names in owned.items() for name in names}
    modules = frozenset(owned)
    found: dict[str, Function] = {}
    for module, tree in trees.items():
        names = _imported(tree, known | modules) | {name: f"{module}.{name}" for name in owned[module]}
        loose = found.setdefault(f"{module}.<module>", Function(f"{module}.<module>"))
        for node in tree.body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                _look(found.setdefault(f"{module}.{node.name}", Function(f"{module}.{node.name}")), node, names, known)
            elif isinstance(node, ast.ClassDef):
                whole = found.setdefault(f"{module}.{node.name}", Function(f"{module}.{node.name}"))
                for method in ast.walk(node):
                    if isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef):
                        one = Function(f"{module}.{node.name}.{method.name}")
                        _look(one, method, names, known)
                        found[one.name] = one
                        whole.mentions.add(one.name)
            elif not isinstance(node, ast.Import | ast.ImportFrom):
                _look(loose, node, names, known)
    return found


@cache
def opening(kind: str, *, added: Added = ()) -> list[str]:
    """Return the functions that open such a transaction themselves, in order of their names."""
    own = "faithview.store.database.Database"
    return sorted(name for name, it in functions(added).items() if kind in it.opens and not name.startswith(own))


@cache
def reaching(kind: str, *, added: Added = ()) -> frozenset[str]:
    """Return the functions that open such a transaction, or mention one that does, directly or over others."""
    callers: dict[str, set[str]] = {}
    for name, it in functions(added).items():
        for mentioned in it.mentions:
            callers.setdefault(mentioned, set()).add(name)
    found, waiting = set(opening(kind, added=added)), list(opening(kind, added=added))
    while waiting:
        for caller in callers.get(waiting.pop(), ()):
            if caller not in found:
                found.add(caller)
                waiting.append(caller)
    return frozenset(found)


def writing_services() -> list[str]:
    """Return the public functions of `faithview.services` with which somebody changes the store."""
    return sorted(
        name
        for name in reaching(CHANGE)
        if name.startswith("faithview.services.") and not name.rpartition(".")[2].startswith(("_", "<"))
    )


def writing_past_services(*, added: Added = ()) -> list[str]:
    """Return the functions outside `faithview.services` that open a transaction, or mention a query that does."""
    kinds = {CHANGE, BOOKKEEP}
    queries = {name for kind in kinds for name in reaching(kind, added=added) if name.startswith("faithview.store.")}
    return sorted(
        name
        for name, it in functions(added).items()
        if not name.startswith(("faithview.services.", "faithview.store.")) and (it.opens or it.mentions & queries)
    )


def unchecked(*, added: Added = ()) -> list[str]:
    """Return the functions of the dashboard that change the store and can be reached without asking for a role."""
    every = {name: it for name, it in functions(added).items() if name.startswith(("faithview.ui.", "pages.", "app."))}
    called = {mentioned for it in every.values() for mentioned in it.mentions}
    # A function that asks and returns the reason is as good as what it asks.
    checks = _REFUSALS | {name for name, it in every.items() if it.returns == _REASON and it.mentions & _REFUSALS}
    waiting = [name for name in every if name not in called]
    seen: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in seen or every[name].mentions & checks:
            continue
        seen.add(name)
        waiting += [mentioned for mentioned in every[name].mentions if mentioned in every]
    services = set(writing_services())
    return sorted(name for name in seen if every[name].mentions & services and not every[name].mentions & _QUESTIONS)


def load(name: str) -> Any:
    """Return the function of that name."""
    module, _, rest = name.rpartition(".")
    try:
        return getattr(import_module(module), rest)
    except ModuleNotFoundError:  # a method
        return getattr(load(module), rest)


@cache
def _trees() -> Mapping[str, ast.Module]:
    return {_module(path): ast.parse(path.read_text("utf-8")) for path in _sources()}


def _sources() -> Iterator[Path]:
    yield ROOT / "app.py"
    yield from (ROOT / "pages").rglob("*.py")
    yield from (path for path in (ROOT / "faithview").rglob("*.py") if "migrations" not in path.parts)


def _module(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _owned(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name


def _imported(tree: ast.Module, known: set[str]) -> dict[str, str]:
    """Return what imported names mean, also of those that a function imports for itself, and what packages hand on."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                meant = f"{node.module}.{alias.name}"
                if meant in known:
                    found[alias.asname or alias.name] = meant
    return found


def _look(into: Function, node: ast.AST, names: Mapping[str, str], known: set[str]) -> None:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.returns is not None:
        into.returns = ast.unparse(node.returns)
    for part in ast.walk(node):
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and not part.args and not part.keywords:
            into.opens |= {part.func.attr} & {CHANGE, BOOKKEEP}
        if isinstance(part, ast.Name) and part.id in names:
            into.mentions.add(names[part.id])
        elif isinstance(part, ast.Attribute) and (meant := _meant(part, names)) in known:
            into.mentions.add(meant)


def _meant(node: ast.expr, names: Mapping[str, str]) -> str:
    if isinstance(node, ast.Attribute):
        return f"{_meant(node.value, names)}.{node.attr}"
    return names.get(node.id, "") if isinstance(node, ast.Name) else ""
