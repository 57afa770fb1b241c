"""The rules of the layout that no linter states."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted((ROOT / "pages").glob("*.py"))
_SLOW_TO_IMPORT = {"streamlit", "openai", "anthropic", "pandas", "sqlalchemy", "numpy", "plotly", "torch", "ray"}


def test_session_state_is_reached_only_through_one_module() -> None:
    allowed = {"faithview/ui/session.py"}
    modules = [ROOT / "app.py", *PAGES, *(ROOT / "faithview").rglob("*.py")]
    users = {path.relative_to(ROOT).as_posix() for path in modules if "st.session_state" in path.read_text("utf-8")}
    assert users == allowed


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_runs_app_py_first(page: Path) -> None:
    # Streamlit's older page discovery runs such a file without app.py on a server's first deep link.
    nodes = ast.parse(page.read_text(encoding="utf-8")).body[1:]
    first = next(node for node in nodes if not isinstance(node, ast.Import | ast.ImportFrom))
    assert ast.unparse(first) == "page_setup.require_app()"


@pytest.mark.process
def test_importing_faithview_is_quick_because_nothing_heavy_is_loaded() -> None:
    script = f"import sys, faithview.plugins; print(*sorted({_SLOW_TO_IMPORT!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
