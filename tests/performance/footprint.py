"""What an installation weighs: MB of each package in an environment made from the lock, and in a light one.

    python -m tests.performance.footprint [--smallest 5] [--environments FULL LIGHT]

Makes both environments in a temporary folder, without pip, and installs into them what the lock files pin for this
machine, which needs a package index and takes minutes; or measures two that were made so before. Counted are the files
of each package, its bytecode included; FaithView itself is not in them.
"""

import argparse
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterable
from importlib.metadata import distributions
from pathlib import Path

from tests.dashboard import ROOT

_MB = 1_000_000
_LOCKS = {"full": "requirements.lock", "light": "requirements-light.lock"}


def _install(lock: str, folder: Path) -> Path:
    """Make an environment with what a lock pins, and return it."""
    venv.create(folder, with_pip=False)
    pip = [sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python"), "install", "--quiet", "--no-deps"]
    subprocess.run([*pip, "--require-hashes", "--only-binary", ":all:", "-r", str(ROOT / lock)], check=True)
    return folder


def _sizes(environment: Path) -> dict[str, float]:
    (site_packages,) = environment.glob("lib/python*/site-packages")
    return {
        found.name: _bytes(Path(str(file.locate())) for file in found.files or ()) / _MB
        for found in distributions(path=[str(site_packages)])
    }


def _bytes(files: Iterable[Path]) -> int:
    return sum(file.stat().st_size for file in set(files) if file.is_file())


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--smallest", type=float, default=5.0, help="smaller packages are summed up, in MB")
    parser.add_argument("--environments", type=Path, nargs=2, metavar=("FULL", "LIGHT"), help="measure these two")
    given = parser.parse_args()
    smallest = given.smallest
    with tempfile.TemporaryDirectory() as folder:
        made = given.environments or [_install(lock, Path(folder, name)) for name, lock in _LOCKS.items()]
        sizes = dict(zip(_LOCKS, map(_sizes, made), strict=True))
    full, light = sizes["full"], sizes["light"]
    print("| package | MB | in a light installation |\n| --- | --- | --- |")
    for name in sorted(full, key=lambda name: -full[name]):
        if full[name] >= smallest:
            print(f"| {name} | {full[name]:.0f} | {'yes' if name in light else 'no'} |")
    rest = [name for name in full if full[name] < smallest]
    shared = sum(name in light for name in rest)
    print(f"| {len(rest)} smaller ones | {sum(full[name] for name in rest):.0f} | {shared} of them |")
    print(f"| all | {sum(full.values()):.0f} | {sum(light.values()):.0f} MB |")


if __name__ == "__main__":
    main()
