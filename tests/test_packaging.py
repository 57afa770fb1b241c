"""What is installed is what was developed: the locks, the wheel, and FaithView run from the wheel.

The wheel is installed into an empty virtual environment outside the checkout. To stay quick, that environment borrows
the dependencies of the one the tests run in, through a .pth file that names its site-packages; .pth files found there
are not followed, so the editable install stays out of sight. With FAITHVIEW_WHEEL_FROM_LOCK set nothing is borrowed,
and every dependency is installed from the lock.
"""

import os
import re
import subprocess
import sys
import sysconfig
import time
import tomllib
import venv
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from packaging.dependency_groups import resolve_dependency_groups
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.dashboard import ROOT, free_port, start_server

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
RUNTIME_LOCK = ROOT / "requirements.lock"
TEST_LOCK = ROOT / "tests" / "requirements.lock"
_NOT_PACKAGED = re.compile(r"(^|/)(__pycache__|\.DS_Store)(/|$)")

_ADDRESSES = {"overview": "", "weak_spots": "weak-spots", "try_one_answer": "try"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    """An environment with FaithView installed from its wheel."""

    python: Path
    package: Path

    @property
    def program(self) -> str:
        """The installed command."""
        return str(self.python.with_name("faithview"))


def _direct_requirements(lock: Path) -> list[Requirement]:
    if lock == TEST_LOCK:
        return [Requirement(text) for text in resolve_dependency_groups(PROJECT["dependency-groups"], "dev")]
    # `local` brings PyTorch, whose build everybody chooses for their own hardware, and `ray` what runs on their cluster
    # (see the Makefile).
    unlocked = ("local", "ray")
    extras = [named for name, named in PROJECT["project"]["optional-dependencies"].items() if name not in unlocked]
    groups = [PROJECT["project"]["dependencies"], PROJECT["build-system"]["requires"], *extras]
    return [Requirement(text) for group in groups for text in group]


def _pins(lock: Path) -> list[Requirement]:
    joined = lock.read_text(encoding="utf-8").replace("\\\n", " ")
    return [Requirement(line.partition("--hash")[0].strip()) for line in joined.splitlines() if line.strip()]


all_locks = pytest.mark.parametrize("lock", [RUNTIME_LOCK, TEST_LOCK], ids=["runtime", "tests"])


@all_locks
def test_lock_pins_each_package_exactly_and_by_hash(lock: Path) -> None:
    entries = [line for line in lock.read_text(encoding="utf-8").replace("\\\n", " ").splitlines() if line.strip()]
    entry = re.compile(r"[a-z0-9.-]+==[0-9a-z.]+( ; [^-]+)?(\s+--hash=sha256:[0-9a-f]{64})+\s*")
    assert [line[:80] for line in entries if not entry.fullmatch(line)] == []
    assert len(entries) > 20


@all_locks
def test_lock_names_no_host_and_no_folder(lock: Path) -> None:
    assert re.findall(r"://|file:|index-url|find-links|^-|@|/", lock.read_text(encoding="utf-8"), re.MULTILINE) == []


@all_locks
def test_lock_satisfies_every_direct_requirement(lock: Path) -> None:
    versions: dict[str, list[Version]] = {}
    for pin in _pins(lock):
        (specifier,) = pin.specifier
        versions.setdefault(canonicalize_name(pin.name), []).append(Version(specifier.version))
    unmet = [
        str(requirement)
        for requirement in _direct_requirements(lock)
        if not (found := versions.get(canonicalize_name(requirement.name)))
        or not all(requirement.specifier.contains(version, prereleases=True) for version in found)
    ]
    assert unmet == [], "Run: make lock"


def test_the_tests_lock_agrees_with_the_runtime_s_so_that_a_second_install_changes_nothing() -> None:
    runtime = {(pin.name, str(pin.specifier)) for pin in _pins(RUNTIME_LOCK)}
    shared = {name for name, _ in runtime}
    assert {(pin.name, str(pin.specifier)) for pin in _pins(TEST_LOCK) if pin.name in shared} <= runtime


def test_build_group_is_what_the_build_system_requires() -> None:
    assert PROJECT["dependency-groups"]["build"] == PROJECT["build-system"]["requires"]


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A freshly built wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="session")
def installation(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """That wheel, installed outside the checkout."""
    folder = tmp_path_factory.mktemp("empty-environment")
    venv.create(folder, with_pip=False, symlinks=os.name != "nt")
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet"]
    site_packages = sysconfig.get_path("purelib", vars={"base": str(folder), "platbase": str(folder)})
    if os.environ.get("FAITHVIEW_WHEEL_FROM_LOCK"):
        subprocess.run([*pip, "--require-hashes", "--only-binary", ":all:", "-r", str(RUNTIME_LOCK)], check=True)
    else:
        borrowed = Path(site_packages, "borrowed-dependencies.pth")
        borrowed.write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    subprocess.run([*pip, "--no-deps", "--no-index", "--ignore-installed", str(wheel)], check=True)
    return Installation(python=python, package=Path(site_packages, "faithview"))


@pytest.mark.integration
def test_wheel_holds_the_package_the_dashboard_and_the_sample(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    package = {path.relative_to(ROOT).as_posix() for path in (ROOT / "faithview").rglob("*") if path.is_file()}
    pages = {f"faithview/_app/{path.relative_to(ROOT).as_posix()}" for path in (ROOT / "pages").rglob("*.py")}
    wanted = package | pages | {"faithview/_app/app.py", "faithview/_app/.streamlit/config.toml"}
    assert {name for name in wanted if not _NOT_PACKAGED.search(name)} - names == set()
    assert any(name.startswith("faithview/_app/data/") for name in names)


@pytest.mark.integration
def test_wheel_holds_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert [name for name in names if not re.match(r"faithview(-[0-9.a-z]+\.dist-info)?/", name)] == []
    assert [name for name in names if re.match(r"faithview/_app/data/(source/|build\.py)", name)] == []
    assert [name for name in names if _NOT_PACKAGED.search(name) or name.endswith((".db", ".pyc"))] == []


@pytest.mark.integration
def test_installed_package_is_the_one_from_the_wheel(installation: Installation, tmp_path: Path) -> None:
    script = "import faithview; print(faithview.__file__)"
    done = subprocess.run([installation.python, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert Path(done.stdout.strip()).parent.resolve() == installation.package.resolve()


@pytest.mark.integration
def test_installed_command_says_its_version_and_its_commands(installation: Installation, tmp_path: Path) -> None:
    def run(*arguments: str) -> str:
        command = [installation.program, *arguments]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        assert done.stderr == ""
        return done.stdout

    source = (ROOT / "faithview" / "version.py").read_text(encoding="utf-8")
    version = re.search(r'^__version__ = "(.+)"$', source, re.MULTILINE)
    assert version is not None
    assert version[1] in run("--version")
    shown = run("--help")
    assert [name for name in ("demo", "ui", "check", "evaluate", "run") if name not in shown] == []


@pytest.mark.integration
def test_installed_demo_serves_every_page(installation: Installation, tmp_path: Path, browser_page: Any) -> None:
    from playwright.sync_api import expect

    port = free_port()
    dashboard = start_server(
        [installation.program, "demo", "--no-browser", "--port", str(port)],
        port=port,
        log=tmp_path / "demo.log",
        environment={"FAITHVIEW_DB": f"sqlite:///{tmp_path / 'demo.db'}"},
        cwd=tmp_path,
    )
    try:
        stems = sorted(path.stem for path in (installation.package / "_app" / "pages").rglob("*.py"))
        assert len(stems) >= 4
        for stem in stems:
            # The overview is the first page, whose address is the root; two are shorter than their files' names.
            browser_page.goto(f"{dashboard.url}/{_ADDRESSES.get(stem, stem)}")
            expect(browser_page.get_by_test_id("stApp")).to_have_attribute(
                "data-test-script-state", "notRunning", timeout=30_000
            )
            browser_page.wait_for_load_state("networkidle")
            assert browser_page.get_by_test_id("stException").count() == 0, f"/{stem} raised"
            assert browser_page.get_by_text("Page not found").count() == 0, f"/{stem} is not known"
            expect(browser_page.get_by_test_id("stMain")).not_to_have_text("")
        # The packaged .streamlit/config.toml is in force, and not the one of the folder it was started in.
        assert browser_page.get_by_test_id("stAppDeployButton").count() == 0
    finally:
        dashboard.stop()


@pytest.mark.integration
@pytest.mark.skipif(sys.platform != "linux", reason="stands in for xdg-open, which opens browsers on Linux")
def test_first_start_asks_nothing_and_opens_the_browser(installation: Installation, tmp_path: Path) -> None:
    opened = tmp_path / "opened"
    opener = tmp_path / "bin" / "xdg-open"
    opener.parent.mkdir()
    opener.write_text(f'#!/bin/sh\necho "$1" > "{opened}"\n', encoding="utf-8")
    opener.chmod(0o755)
    home = tmp_path / "home"  # of somebody who has never run Streamlit, which would ask for an e-mail address
    home.mkdir()
    port = free_port()
    dashboard = start_server(
        [installation.program, "ui", "--port", str(port)],
        port=port,
        log=tmp_path / "ui.log",
        environment={
            "FAITHVIEW_DB": f"sqlite:///{tmp_path / 'ui.db'}",
            "HOME": str(home),
            "PATH": f"{opener.parent}:{os.environ['PATH']}",
        },
        cwd=tmp_path,
    )
    deadline = time.monotonic() + 20  # the opener is a process of its own
    while not (opened.exists() and opened.stat().st_size) and time.monotonic() < deadline:
        time.sleep(0.05)
    dashboard.stop()
    assert opened.read_text(encoding="utf-8").strip() == dashboard.url
