"""The command line over one store, in this process."""

import io
import json
import os
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

from faithview.cli.main import main
from faithview.settings import DATABASE_VARIABLE

# What they do is outside what they print.
_WRITING = ("evaluate", "export")
_WIDE = "300"  # columns, so that no table breaks a word


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """How a command ended and what it printed."""

    status: int
    out: str
    err: str

    @property
    def text(self) -> str:
        """All that it printed, with single spaces."""
        return " ".join(f"{self.out} {self.err}".split())

    @property
    def document(self) -> dict[str, Any]:
        """The JSON document on standard output; empty where there is none."""
        return json.loads(self.out) if self.out.startswith("{") else {}


def _read(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()


@dataclass(frozen=True, slots=True)
class Commands:
    """`faithview` over the store in that file."""

    store: Path
    _said: dict[tuple[str, ...], Said] = field(default_factory=dict, compare=False)

    def __call__(self, *words: object) -> Said:
        """Run a command; one that only reads is run once."""
        command = tuple(map(str, words))
        if command[0] in _WRITING:
            return self._run(command)
        if command not in self._said:
            self._said[command] = self._run(command)
        return self._said[command]

    def _run(self, command: tuple[str, ...]) -> Said:
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
        settings = {DATABASE_VARIABLE: f"sqlite:///{self.store}", "NO_COLOR": "1", "COLUMNS": _WIDE}
        status = 0
        with (
            mock.patch.dict(os.environ, settings),
            mock.patch.object(sys, "argv", ["faithview", *command]),
            redirect_stdout(out),
            redirect_stderr(err),
        ):
            try:
                main()
            except SystemExit as end:
                status = int(end.code or 0)
        return Said(status=status, out=_read(out), err=_read(err))

    def json(self, *words: object) -> dict[str, Any]:
        """Return the document of a command; empty where the command refuses."""
        return self(*words, "--json").document
