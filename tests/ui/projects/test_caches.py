"""What is cached for all sessions names the store that it comes from."""

import ast
from collections.abc import Iterator

from tests.dashboard import ROOT


def _cached_functions() -> Iterator[tuple[str, ast.FunctionDef]]:
    for path in sorted((ROOT / "faithview" / "ui").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and any("st.cache_" in ast.unparse(d) for d in node.decorator_list):
                yield f"{path.relative_to(ROOT)}: {node.name}", node


def test_a_cached_function_that_asks_the_store_has_it_in_its_key() -> None:
    asking = {name: node for name, node in _cached_functions() if "store()" in ast.unparse(node)}
    assert len(asking) >= 4
    assert [name for name, node in asking.items() if node.args.args[0].arg != "store"] == []
