"""What the Dockerfile does, done without Docker: `python -m tests.deployment.install_image FOLDER`.

It copies what the Dockerfile copies, runs the lines of its first image in that order with `/opt/faithview` and `/src`
in FOLDER, starts the image's command with the image's environment, and asks its healthcheck. It needs the package index
and a Python of the image's version. Not covered: the base image, its user, and the two images put together.
"""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from tests.dashboard import free_port
from tests.deployment import dockerfile
from tests.deployment.dockerfile import ROOT

_PATIENCE_S = 120


def main() -> None:
    folder = Path(sys.argv[1]).resolve()
    source, installed, data = folder / "src", folder / "opt" / "faithview", folder / "data"
    for made in (source, data):
        made.mkdir(parents=True)
    found = dockerfile.read()

    def here(text: str) -> str:
        return text.replace("/opt/faithview", str(installed)).replace("/data", str(data))

    outside = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    path = f"{Path(sys.executable).resolve().parent}{os.pathsep}{outside['PATH']}"
    for instruction in found:
        if instruction.stage:
            break
        if instruction.name == "COPY":
            *sources, target = instruction.words
            for name in sources:
                _copy(name, source / target)
        elif instruction.name == "RUN":
            print(f"RUN {instruction.text}", flush=True)
            subprocess.run(here(instruction.text), shell=True, cwd=source, check=True, env={**outside, "PATH": path})
    size = sum(file.lstat().st_size for file in installed.rglob("*") if file.is_file())
    print(f"installed: {size / 1e6:.0f} MB")
    port = str(free_port())
    image = {
        name: here(value).replace("$PATH", outside["PATH"]) for name, value in dockerfile.environment(found).items()
    }
    command = [*dockerfile.only(found, "ENTRYPOINT").words, *dockerfile.only(found, "CMD").words]
    command = [word.replace("0.0.0.0", "127.0.0.1").replace("8501", port) for word in command]
    check = [word.replace("8501", port) for word in dockerfile.healthcheck(found)]
    started = subprocess.Popen(
        [str(installed / "bin" / command[0]), *command[1:]], cwd=data, env={**outside, **image, "FAITHVIEW_DB": ""}
    )
    try:
        deadline = time.monotonic() + _PATIENCE_S
        check[0] = str(installed / "bin" / check[0])
        while subprocess.run(check, stderr=subprocess.DEVNULL, check=False).returncode:
            if started.poll() is not None or time.monotonic() > deadline:
                sys.exit("The dashboard did not become well.")
            time.sleep(1)
        print(f"healthy; the store is {next(data.rglob('*.db')).relative_to(folder)}")
    finally:
        started.terminate()
        print(f"stopped with status {started.wait(60)}")


def _copy(name: str, target: Path) -> None:
    """Copy a file into the folder, or what is in a folder, as COPY does; what `.dockerignore` leaves out stays."""
    place = ROOT / name
    if place.is_dir():
        for file in place.rglob("*"):
            if file.is_file() and dockerfile.sent(file.relative_to(ROOT).as_posix()):
                copy = target / file.relative_to(place)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, copy)
        return
    target.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(place, target / place.name)


if __name__ == "__main__":
    main()
