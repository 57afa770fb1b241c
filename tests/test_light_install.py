"""A light installation, without the dashboard and what it needs, does what gates in CI need and names what is missing.

The environment holds the packages that requirements-light.lock names, linked from the one the tests run in, and pytest.
`make wheel-test` installs them from the lock instead.
"""

import json
import os
import subprocess
import sys
import sysconfig
import tomllib
import venv
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from openpyxl import Workbook
from packaging.requirements import Requirement

from tests.dashboard import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCK = ROOT / "requirements-light.lock"
LEFT_OUT = ("streamlit", "python-multipart", "pandas", "plotly", "pyarrow", "openpyxl")
_PYTEST = ("pytest", "pluggy", "iniconfig")
_ROWS = [
    {
        "id": "q1",
        "question": "How many?",
        "answer": "Up to 20 members.",
        "contexts": ["Inboxes hold up to 20 members."],
    },
    {
        "id": "q2",
        "question": "How many?",
        "answer": "Up to 50 members.",
        "contexts": ["Inboxes hold up to 20 members."],
    },
]

Run = subprocess.CompletedProcess[str]


def _pinned() -> list[str]:
    lines = LOCK.read_text(encoding="utf-8").replace("\\\n", " ").splitlines()
    pins = [Requirement(line.partition("--hash")[0].strip()) for line in lines if line.strip()]
    return [pin.name for pin in pins if pin.marker is None or pin.marker.evaluate()]


def _link(name: str, site_packages: Path) -> None:
    files = distribution(name).files or []
    for top in {file.parts[0] for file in files if file.parts[0] not in ("..", "__pycache__")}:
        link = site_packages / top
        if not link.exists():
            link.symlink_to(Path(str(distribution(name).locate_file(top))))


@pytest.fixture(scope="session")
def light(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with what the lock names and FaithView's source."""
    folder = tmp_path_factory.mktemp("light-environment")
    venv.create(folder, with_pip=False, symlinks=os.name != "nt")
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    site_packages = Path(sysconfig.get_path("purelib", vars={"base": str(folder), "platbase": str(folder)}))
    names = list(_PYTEST)
    if os.environ.get("FAITHVIEW_WHEEL_FROM_LOCK"):
        pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-deps"]
        subprocess.run([*pip, "--require-hashes", "--only-binary", ":all:", "-r", str(LOCK)], check=True)
    else:
        names += _pinned()
    for name in names:
        try:
            _link(name, site_packages)
        except PackageNotFoundError:
            pytest.fail(f"{name} is in {LOCK.name} and not installed here. Run: make lock, make test")
    (site_packages / "faithview.pth").write_text(f"{ROOT}\n", encoding="utf-8")
    return python


@pytest.fixture
def faithview(light: Path, tmp_path: Path) -> "Command":
    """Run the command line in that environment, on a store and a file of its own."""
    (tmp_path / "answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in _ROWS), encoding="utf-8")
    (tmp_path / "answers.parquet").write_bytes(b"PAR1")
    Workbook().save(tmp_path / "answers.xlsx")
    return Command(light, tmp_path)


class Command:
    """The command line of an environment."""

    def __init__(self, python: Path, folder: Path) -> None:
        self.python, self.folder = python, folder

    def __call__(self, *arguments: str, module: str = "faithview") -> Run:
        environment = {
            key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "COVERAGE_PROCESS_START")
        }
        environment["FAITHVIEW_DB"] = f"sqlite:///{self.folder / 'faithview.db'}"
        command = [str(self.python), "-m", module, *arguments]
        return subprocess.run(
            command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False, timeout=200
        )


def test_the_light_group_is_the_project_without_what_it_leaves_out_and_with_postgresql() -> None:
    wanted = [text for text in PROJECT["project"]["dependencies"] if Requirement(text).name not in LEFT_OUT]
    wanted += PROJECT["project"]["optional-dependencies"]["postgresql"]
    assert PROJECT["dependency-groups"]["light"] == wanted


def test_the_light_lock_has_nothing_of_what_it_leaves_out() -> None:
    assert set(LEFT_OUT) & set(_pinned()) == set()


@pytest.mark.slow
def test_gates_imports_and_exports_work_without_the_dashboard(faithview: Command) -> None:
    judged = faithview("evaluate", "answers.jsonl", "--name", "monday", "--fail-under", "0.1")
    assert judged.returncode == 0, judged.stderr
    failed = faithview("evaluate", "answers.jsonl", "--name", "tuesday", "--fail-under", "1", "--workers", "2")
    assert failed.returncode == 1, failed.stderr
    for arguments in (
        ("check", "--answer", "Up to 20.", "--context", "Up to 20."),
        ("run", "list"),
        ("run", "show", "monday"),
        ("compare", "monday", "tuesday"),
        ("report", "monday", "-o", "report.html"),
        ("export", "monday", "-o", "monday.jsonl"),
        ("export", "monday", "-o", "ragas.jsonl", "--format", "ragas"),
        ("import", "ragas.jsonl", "--name", "imported"),
        ("doctor", "--no-call"),
    ):
        done = faithview(*arguments)
        assert done.returncode == 0, (arguments, done.stderr)
        assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_the_plugin_for_pytest_works_without_the_dashboard(faithview: Command) -> None:
    Path(faithview.folder, "test_answers.py").write_text(
        "from faithview.testing import assert_faithful\n\n\n"
        "def test_answer():\n"
        "    assert_faithful(answer='Up to 20 members.', context=['Inboxes hold up to 20 members.'])\n",
        encoding="utf-8",
    )
    done = faithview("-p", "faithview.testing.plugin", "-q", "test_answers.py", module="pytest")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["ui"], "The dashboard needs streamlit, plotly, pandas and pyarrow. Install them: pip install streamlit "),
        (["demo"], "The dashboard needs streamlit, plotly, pandas and pyarrow. Install them: pip install streamlit "),
        (["evaluate", "answers.parquet"], "Reading parquet needs pyarrow. Install it: pip install pyarrow"),
        (["import", "answers.xlsx"], "Reading xlsx needs openpyxl. Install it: pip install openpyxl"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_is_missing_is_named_in_one_sentence(faithview: Command, arguments: list[str], said: str) -> None:
    done = faithview(*arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert not Path(faithview.folder, "faithview.db").exists()


@pytest.mark.slow
def test_an_export_that_needs_a_missing_package_leaves_no_file(faithview: Command) -> None:
    assert faithview("evaluate", "answers.jsonl", "--name", "monday").returncode == 0
    done = faithview("export", "monday", "-o", "monday.parquet", "--format", "parquet")
    assert done.returncode == 2
    assert done.stderr == "faithview: Writing parquet needs pyarrow. Install it: pip install pyarrow\n"
    assert not Path(faithview.folder, "monday.parquet").exists()
