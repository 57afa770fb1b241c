"""Repositories of GitHub as they are read: cloned into a folder, or found in a folder that has them already."""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

_ADDRESS = "https://github.com"
_LONGEST_REASON = 300

# A clone must not ask for a password, nor a copy without some blobs go and look for them.
_ENVIRONMENT = {"GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1"}


class RepositoryMissing(Exception):
    """A repository, or a file of it, could not be had. The message says which, and what git said."""


class Repositories:
    """Reads files of the newest commit of repositories, each named "owner/name".

    A repository is `OWNER+NAME/repo` in its folder, a work tree or a bare git directory. It is cloned there when it is
    not, unless `is_mirror`: a mirror is only read.
    """

    def __init__(self, folder: Path, *, is_mirror: bool = False) -> None:
        self._folder = folder
        self._is_mirror = is_mirror
        self._found: dict[str, Path | RepositoryMissing] = {}

    def commit(self, name: str) -> str:
        """Return the full hash of the commit that is read."""
        return self._git(name, "rev-parse", "HEAD").decode().strip()

    def read(self, name: str, path: str) -> bytes:
        """Return a file's bytes.

        Raises:
            RepositoryMissing: The repository or the file could not be had.
        """
        return self._git(name, "show", f"HEAD:{path}")

    def read_text(self, name: str, path: str) -> str:
        """Return a file's text, without its byte order mark; bytes that are not UTF-8 become U+FFFD."""
        return self.read(name, path).decode("utf-8", "replace").lstrip("\ufeff")

    def read_texts(self, name: str, paths: Sequence[str]) -> dict[str, str]:
        """Return the texts of many files by their paths, without those that the repository lacks."""
        asked = "".join(f"HEAD:{path}\n" for path in paths).encode()
        answer = self._git(name, "cat-file", "--batch", given=asked)
        texts = {}
        at = 0
        for path in paths:
            header_end = answer.index(b"\n", at)
            header = answer[at:header_end]
            at = header_end + 1
            if header.endswith(b" missing"):
                continue
            size = int(header.rsplit(b" ", 1)[1])
            texts[path] = answer[at : at + size].decode("utf-8", "replace")
            at += size + 1
        return texts

    def paths(self, name: str, folder: str) -> list[str]:
        """Return the paths of all files in a folder of a repository, in git's order."""
        listed = self._git(name, "ls-tree", "-r", "-z", "--name-only", "HEAD", f"{folder}/")
        return [path for path in listed.decode().split("\0") if path]

    def _git(self, name: str, *arguments: str, given: bytes | None = None) -> bytes:
        directory = self._directory(name)
        done = _run(["git", f"--git-dir={directory}", *arguments], given)
        if done.returncode:
            raise RepositoryMissing(f"{name} could not be read in {directory}. git said: {_reason(done.stderr)}")
        return done.stdout

    def _directory(self, name: str) -> Path:
        if name not in self._found:
            self._found[name] = self._get(name)
        found = self._found[name]
        if isinstance(found, RepositoryMissing):
            raise found
        return found

    def _get(self, name: str) -> Path | RepositoryMissing:
        place = self._folder / name.replace("/", "+") / "repo"
        if not place.exists():
            if self._is_mirror:
                return RepositoryMissing(f"{name} is not in the mirror: there is no folder {place}.")
            place.parent.mkdir(parents=True, exist_ok=True)
            address = f"{_ADDRESS}/{name}"
            done = _run(["git", "clone", "--quiet", "--depth", "1", "--no-checkout", address, str(place)], None)
            if done.returncode:
                return RepositoryMissing(f"{address} could not be cloned. git said: {_reason(done.stderr)}")
        inner = place / ".git"
        return inner if inner.exists() else place


def _run(command: Sequence[str], given: bytes | None) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(command, input=given, capture_output=True, check=False, env={**os.environ, **_ENVIRONMENT})


def _reason(said: bytes) -> str:
    return " ".join(said.decode("utf-8", "replace").split())[:_LONGEST_REASON] or "nothing"
