"""The rules of the layout that no linter states."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from tests import writes

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted((ROOT / "pages").glob("*.py"))
MODULES = sorted([ROOT / "app.py", *PAGES, *(ROOT / "faithview").rglob("*.py")])
_NO_NOUN = re.compile(r"(^|_)(utils?|helpers?|common|misc|managers?)(_|$)")
_SLOW_TO_IMPORT = (
    "streamlit",
    "openai",
    "anthropic",
    "pandas",
    "sqlalchemy",
    "numpy",
    "plotly",
    "pydantic",
    "torch",
    "transformers",
    "ray",
)


def _imported_modules(path: Path) -> Iterator[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively; write the whole name."
            yield node.module or ""


def _is_part_of(module: str, *packages: str) -> bool:
    return any(module == package or module.startswith(f"{package}.") for package in packages)


def _is_standard(module: str) -> bool:
    return module.partition(".")[0] in sys.stdlib_module_names


def _relative(paths: list[Path]) -> list[str]:
    return [path.relative_to(ROOT).as_posix() for path in paths]


def test_session_state_is_reached_only_through_one_module() -> None:
    # A component remembers its own choice, which no page reads, and knows nothing of the session.
    allowed = ("faithview/ui/session.py", "faithview/ui/widgets/selection.py")
    users = [path for path in MODULES if "st.session_state" in path.read_text(encoding="utf-8")]
    assert sorted(_relative(users)) == sorted(allowed)


def test_there_are_pages_to_look_at() -> None:
    assert len(PAGES) >= 4


@pytest.mark.parametrize("page", PAGES, ids=_relative(PAGES))
def test_page_imports_only_streamlit_and_the_ui_package(page: Path) -> None:
    allowed = ("streamlit", "faithview.ui")
    others = {name for name in _imported_modules(page) if not _is_standard(name) and not _is_part_of(name, *allowed)}
    # `from faithview import ui` reaches the same package.
    assert others <= {"faithview"}
    if "faithview" in others:
        assert re.search(r"^from faithview import ui$", page.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=_relative(PAGES))
def test_a_page_runs_app_py_first(page: Path) -> None:
    # Streamlit's older page discovery runs such a file without app.py on a server's first deep link.
    first = next(node for node in ast.parse(page.read_text(encoding="utf-8")).body[1:] if not _is_import(node))
    assert ast.unparse(first) == "page_setup.require_app()"


def _is_import(node: ast.stmt) -> bool:
    return isinstance(node, ast.Import | ast.ImportFrom)


def test_every_package_says_in_one_sentence_what_it_is_and_names_what_is_public() -> None:
    packages = [path for path in MODULES if path.name == "__init__.py" and "migrations" not in path.parts]
    assert len(packages) >= 40
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in packages}
    assert _relative([path for path, tree in trees.items() if not (ast.get_docstring(tree) or "").strip()]) == []
    assert _relative([path for path, tree in trees.items() if _public_names(tree) is None]) == []


def test_what_a_package_calls_public_is_there() -> None:
    missing = []
    for path in MODULES:
        names = _public_names(ast.parse(path.read_text(encoding="utf-8"))) if path.name == "__init__.py" else None
        package = path.parent.relative_to(ROOT).as_posix().replace("/", ".")
        for name in names or ():
            is_module = (path.parent / f"{name}.py").exists() or (path.parent / name).is_dir()
            if not is_module and not hasattr(import_module(package), name):
                missing.append(f"{package}.{name}")
    assert missing == []


def _public_names(tree: ast.Module) -> list[str] | None:
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets):
            return list(ast.literal_eval(node.value))
    return None


def test_modules_are_named_after_what_they_are_about() -> None:
    parts = {part for path in MODULES for part in path.relative_to(ROOT).with_suffix("").parts}
    assert [part for part in sorted(parts) if _NO_NOUN.search(part)] == []


def test_domain_needs_only_the_standard_library_inside_functions_too() -> None:
    others = {
        (path.name, module)
        for path in (ROOT / "faithview" / "domain").rglob("*.py")
        for module in _imported_modules(path)
        if not _is_standard(module) and not _is_part_of(module, "faithview.domain")
    }
    assert others == set()


def test_importing_faithview_is_quick_because_nothing_heavy_is_loaded() -> None:
    script = f"import sys, faithview.plugins; print(*sorted(set({_SLOW_TO_IMPORT!r}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_layers_import_only_what_lies_further_in() -> None:
    program = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([program, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_only_services_call_queries_that_write() -> None:
    assert writes.writing_past_services() == []


@pytest.mark.parametrize(
    ("call", "is_found"),
    [
        ("stored_runs.rename_run(store.db, 'a', 'b')", True),
        ("add_event(store.db, event)", True),
        ("store.db.write()", True),
        ("stored_runs.count_runs(store.db)", False),
        ("results.rename_run(store, 'a', 'b')", False),
    ],
)
@pytest.mark.parametrize("module", ["faithview.ui.new_page", "faithview.cli.new_command"])
def test_a_screen_or_command_that_writes_past_services_is_found(module: str, call: str, is_found: bool) -> None:
    source = f"""
from faithview.services import results
from faithview.store import runs as stored_runs
from faithview.store.events import add_event

def new_button(store, event):
    {call}
"""
    assert (writes.writing_past_services(added=((module, source),)) == [f"{module}.new_button"]) is is_found
