"""Commands whose modules are imported when one of them is called: a command does not wait for what others need."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup

_PACKAGE = "faithview.cli"


@dataclass(frozen=True, slots=True)
class LateCommand:
    """A command that is not imported yet.

    `function` is the name of the function, or of the group of commands, in that module of `faithview.cli`. `summary` is
    the first line of its help, which `faithview --help` prints without importing it.
    """

    module: str
    function: str
    summary: str

    def load(self, name: str) -> Any:
        """Import the command and return it as Typer's object."""
        target = getattr(import_module(f"{_PACKAGE}.{self.module}"), self.function)
        alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
        if not isinstance(target, typer.Typer):
            alone.command(name)(target)
            return typer.main.get_command(alone)
        alone.add_typer(target, name=name)
        group: Any = typer.main.get_command(alone)
        return group.commands[name]


class _Commands(Mapping[str, Any]):
    """The commands by name, each imported when it is asked for."""

    def __init__(self, late: Mapping[str, LateCommand]) -> None:
        self._late = late
        self._loaded: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._loaded:
            self._loaded[name] = self._late[name].load(name)
        return self._loaded[name]

    def __contains__(self, name: object) -> bool:
        return name in self._late

    def __iter__(self) -> Iterator[str]:
        return iter(self._late)

    def __len__(self) -> int:
        return len(self._late)


def group_of(late: Mapping[str, LateCommand]) -> type[TyperGroup]:
    """Return the class of a group with these commands, for `typer.Typer(cls=...)`."""

    class LateGroup(TyperGroup):
        def __init__(self, **options: Any) -> None:
            super().__init__(**options)
            self.commands: Any = _Commands(late)

        def format_commands(self, ctx: Any, formatter: Any) -> None:
            limit = formatter.width - 6 - max(map(len, late))
            rows = []
            for name, command in late.items():
                shown = typer.core.TyperCommand(name, help=command.summary)
                rows.append((name, shown.get_short_help_str(limit)))
            with formatter.section("Commands"):
                formatter.write_dl(rows)

    return LateGroup
