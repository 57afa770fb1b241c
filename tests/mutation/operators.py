"""What is changed in a module to see whether a test notices: one operator, constant or name at a time."""

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

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

_LONGEST_TEXT = 110


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """One change of a module.

    `function` is the outermost function (`Class.method` of a class) in whose body the change stands, and "" where it
    acts when the module is loaded: a constant, a default. Where the same change is made in the same statement again,
    `change` ends in " (2)". `place` and `option` find the change.
    """

    path: str
    line: int
    function: str
    statement: str
    change: str
    place: int
    option: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.change}  in  {self.statement}"

    @property
    def module(self) -> str:
        """The module's dotted name."""
        return self.path.removesuffix(".py").replace("/", ".")

    def tree(self) -> ast.Module:
        """Return the whole module with the change."""
        tree = ast.parse(Path(self.path).read_text(encoding="utf-8"))
        _, _, node = list(_places(tree))[self.place]
        _changes(node)[self.option][2]()
        return ast.fix_missing_locations(tree)


def mutants_of(path: str) -> Iterator[Mutant]:
    """Yield every mutant of a module, in the order of its lines."""
    seen: Counter[tuple[str, str, str]] = Counter()
    for place, (statement, function, node) in enumerate(_places(ast.parse(Path(path).read_text(encoding="utf-8")))):
        for option, (old, new, _) in enumerate(_changes(node)):
            text = ast.unparse(statement).splitlines()[0]
            text = text if len(text) <= _LONGEST_TEXT else f"{text[: _LONGEST_TEXT - 3]}..."
            change = f"{old} -> {new}"
            seen[function, text, change] += 1
            times = seen[function, text, change]
            yield Mutant(
                path=path,
                line=getattr(node, "lineno", statement.lineno),
                function=function,
                statement=text,
                change=change if times == 1 else f"{change} ({times})",
                place=place,
                option=option,
            )


def _places(tree: ast.Module) -> Iterator[tuple[ast.stmt, str, ast.AST]]:
    """Yield what may be changed, with the statement and the function that it is in.

    Annotations, decorators and texts are left.
    """
    yield from _inside(tree, None, "", "")


def _inside(
    node: ast.AST, statement: ast.stmt | None, owner: str, function: str
) -> Iterator[tuple[ast.stmt, str, ast.AST]]:
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params", "bases"):
            continue
        within, inner = owner, function
        if isinstance(node, ast.ClassDef):
            within = f"{owner}{node.name}."
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and name == "body":
            inner = function or owner + node.name
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(child, ast.JoinedStr | ast.Raise | ast.Assert):
                continue
            if isinstance(child, ast.keyword) and child.arg in _SILENT_OPTIONS:
                continue
            around = child if isinstance(child, ast.stmt) else statement
            if around is not None:
                yield around, inner, child
            yield from _inside(child, around, within, inner)


def _changes(node: ast.AST) -> list[tuple[str, str, Callable[[], None]]]:
    """Return what a node can be changed into: what was there, what would be, and a function that changes it."""
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
    return found


def _name(op: ast.AST) -> str:
    return type(op).__name__
