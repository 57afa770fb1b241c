"""What is changed in a module to see whether a test notices: one operator, constant or name at a time."""

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass

_COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
_COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.Pow: ast.Mult, ast.Mod: ast.Add, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip
_NAMES = {"min": "max", "max": "min", "any": "all", "all": "any", "floor": "ceil", "ceil": "floor"}
# What they switch shows in no result: dataclasses' options, and checks of callers that mypy makes too.
_SILENT_OPTIONS = {"frozen", "slots", "kw_only", "strict", "repr", "copy"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """One change: in which line, in which statement, from what to what, and the whole module with it."""

    path: str
    line: int
    statement: str
    change: str
    source: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.change}  in  {self.statement}"


def mutants_of(path: str, source: str) -> Iterator[Mutant]:
    """Yield every mutant of a module, in the order of its lines."""
    tree = ast.parse(source)
    for number, (statement, node) in enumerate(_places(tree)):
        for at, (old, new) in enumerate(_changes(node)):
            mutated = copy.deepcopy(tree)
            _, twin = list(_places(mutated))[number]
            list(_changes(twin, apply=at))
            yield Mutant(
                path=path,
                line=getattr(node, "lineno", statement.lineno),
                statement=ast.unparse(statement).splitlines()[0],
                change=f"{old} -> {new}",
                source=ast.unparse(mutated),
            )


def _places(tree: ast.Module) -> Iterator[tuple[ast.stmt, ast.AST]]:
    """Yield what may be changed, each with the statement that it is in; annotations, decorators and texts are left."""
    yield from _inside(tree, None)


def _inside(node: ast.AST, statement: ast.stmt | None) -> Iterator[tuple[ast.stmt, ast.AST]]:
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params", "bases"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(child, ast.JoinedStr | ast.Raise | ast.Assert):
                continue
            if isinstance(child, ast.keyword) and child.arg in _SILENT_OPTIONS:
                continue
            around = child if isinstance(child, ast.stmt) else statement
            if around is not None:
                yield around, child
            yield from _inside(child, around)


def _changes(node: ast.AST, *, apply: int | None = None) -> list[tuple[str, str]]:
    """Return what a node can be changed into; make the change with that number."""
    found: list[tuple[str, str, Callable[[], None]]] = []

    def swap(owner: object, field: str, value: object) -> Callable[[], None]:
        return lambda: setattr(owner, field, value)

    match node:
        case ast.Compare(ops=[op]) if type(op) in _COMPARED:
            found.append((_name(op), _name(_COMPARED[type(op)]()), swap(node, "ops", [_COMPARED[type(op)]()])))
        case ast.BinOp(op=op) | ast.AugAssign(op=op) if type(op) in _COMPUTED:
            found.append((_name(op), _name(_COMPUTED[type(op)]()), swap(node, "op", _COMPUTED[type(op)]())))
        case ast.BoolOp(op=op):
            other = ast.Or() if isinstance(op, ast.And) else ast.And()
            found.append((_name(op), _name(other), swap(node, "op", other)))
        case ast.UnaryOp(op=ast.Not()):
            # Twice not is a truth value as before, without the first.
            found.append(("not", "", swap(node, "operand", ast.UnaryOp(op=ast.Not(), operand=node.operand))))
        case ast.UnaryOp(op=ast.USub()):
            found.append(("minus", "plus", swap(node, "op", ast.UAdd())))
        case ast.Constant(value=bool(value)):
            found.append((str(value), str(not value), swap(node, "value", not value)))
        case ast.Constant(value=int(value) | float(value)):
            found.append((repr(value), repr(value + 1), swap(node, "value", value + 1)))
        case ast.Name(id=name, ctx=ast.Load()) if name in _NAMES:
            found.append((name, _NAMES[name], swap(node, "id", _NAMES[name])))
        case ast.Attribute(attr=name, ctx=ast.Load()) if name in _NAMES:
            found.append((name, _NAMES[name], swap(node, "attr", _NAMES[name])))
        case ast.IfExp() | ast.If() | ast.While() if not isinstance(node.test, ast.Compare | ast.BoolOp | ast.UnaryOp):
            text = ast.unparse(node.test)
            found.append((text, f"not {text}", swap(node, "test", ast.UnaryOp(op=ast.Not(), operand=node.test))))
        case _:
            pass
    if apply is not None:
        found[apply][2]()
    return [(old, new) for old, new, _ in found]


def _name(op: ast.AST) -> str:
    return type(op).__name__
