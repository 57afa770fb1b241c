"""The Dockerfile, read: which files it copies, what it runs, what the image says of itself."""

import json
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pathspec

ROOT = Path(__file__).resolve().parents[2]
DOCKERFILE = ROOT / "Dockerfile"


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction, its lines joined; `stage` counts the images from 0."""

    stage: int
    name: str
    text: str

    @property
    def words(self) -> list[str]:
        """The words of a list in JSON, or of a line of the shell."""
        if self.text.startswith("["):
            return [str(word) for word in json.loads(self.text)]
        return shlex.split(self.text)


def instructions(text: str) -> list[Instruction]:
    """Return the instructions of a Dockerfile in their order."""
    lines = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
    stage, found = -1, []
    for line in lines.replace("\\\n", " ").splitlines():
        if line.strip():
            name, _, rest = line.strip().partition(" ")
            stage += name == "FROM"
            found.append(Instruction(max(stage, 0), name, " ".join(rest.split())))
    return found


def read() -> list[Instruction]:
    """Return the instructions of this project's Dockerfile."""
    return instructions(DOCKERFILE.read_text(encoding="utf-8"))


def copied(found: list[Instruction]) -> Iterator[tuple[list[str], str]]:
    """Yield what is copied from the project, and where to."""
    for instruction in found:
        if instruction.name == "COPY" and not instruction.text.startswith("--from"):
            *sources, target = instruction.words
            yield sources, target


def environment(found: list[Instruction]) -> dict[str, str]:
    """Return the variables that the image sets."""
    pairs = [pair for instruction in found if instruction.name == "ENV" for pair in instruction.words]
    return dict(pair.split("=", 1) for pair in pairs)


def only(found: list[Instruction], name: str) -> Instruction:
    """Return the one instruction of that name in the last image."""
    last = max(instruction.stage for instruction in found)
    (instruction,) = [other for other in found if other.name == name and other.stage == last]
    return instruction


def healthcheck(found: list[Instruction]) -> list[str]:
    """Return the command by which the image says whether it is well."""
    return [str(word) for word in json.loads(re.split(r"\bCMD ", only(found, "HEALTHCHECK").text)[1])]


def sent(path: str) -> bool:
    """Return whether a file, named from the root of the project, goes to the builder: `.dockerignore` decides."""
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    is_sent = True
    for line in lines:
        pattern = line.strip()
        if not pattern or pattern.startswith("#"):
            continue
        brings_back = pattern.startswith("!")
        # Docker's patterns count from the root, where git's without a slash count everywhere.
        matched = pathspec.GitIgnoreSpec.from_lines(["/" + pattern.removeprefix("!")]).match_file(path)
        if matched:
            is_sent = brings_back
    return is_sent
