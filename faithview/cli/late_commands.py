"""Commands whose modules are imported when one of them is called: a command does not wait for what others need.

Those that have `--db` get `--project NAME` here, once for all: the store of a project that the secrets file describes.
A command gets the project's URL as its `db` and knows nothing of projects, unless its function has a `project` of its
own.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Annotated, Any, TypeAlias

import typer
from typer.core import TyperCommand, TyperGroup

from faithview.domain.errors import InvalidInput
from faithview.settings import PROJECT_VARIABLE

_PACKAGE = "faithview.cli"
_NAME = "project"
_HELP = f"Use the store of this project in the secrets file, instead of --db. [env: {PROJECT_VARIABLE}]"
# For commands that do more with a project than opening its store.
ProjectOption: TypeAlias = Annotated[str | None, typer.Option("--project", metavar="NAME", help=_HELP)]


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
            alone.command(name, cls=_Command)(target)
            return with_project(typer.main.get_command(alone))
        for part in target.registered_commands:
            part.cls = _Command
        alone.add_typer(target, name=name, cls=_Group)
        root: Any = typer.main.get_command(alone)
        return with_project(root.commands[name])


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


class _Command(TyperCommand):
    """A command whose help has examples, and its options in groups."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments, then the options, group by group."""
        from faithview.cli import help_layout

        help_layout.write_options(self.get_params(ctx), ctx, formatter)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the examples, and what else is below."""
        from faithview.cli import help_layout

        help_layout.write_examples(help_layout.examples_of(ctx.command_path), formatter)
        super().format_epilog(ctx, formatter)


class _Group(TyperGroup):
    """A group whose help truncates no line, and which accepts a command's options before the command too."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the words after the group's name."""
        own = {name for parameter in self.params for name in parameter.opts} | set(ctx.help_option_names)
        if args and args[0].startswith("-") and args[0].partition("=")[0] not in own:
            args = self._with_options_behind(args, ctx.command_path)
        rest: list[str] = super().parse_args(ctx, args)
        return rest

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands with their whole summaries, on several lines where one is too narrow."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(self.summaries())

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the examples, and what else is below."""
        from faithview.cli import help_layout

        help_layout.write_examples(help_layout.examples_of_group(ctx.command_path, self.commands), formatter)
        super().format_epilog(ctx, formatter)

    def summaries(self) -> list[tuple[str, str]]:
        """Return the commands with the first paragraphs of their helps."""
        shown = [(name, command) for name, command in self.commands.items() if not command.hidden]
        return [(name, " ".join((command.help or "").partition("\n\n")[0].split())) for name, command in shown]

    def _with_options_behind(self, args: list[str], path: str) -> list[str]:
        """Move options that precede a command behind it, if the command has them; return the words.

        Raises:
            InvalidInput: no command follows, or it has no such option.
        """
        for at, word in enumerate(args):
            if word in self.commands and _are_options(args[:at], self.commands[word]):
                rest = args[at + 1 :]
                end = rest.index("--") if "--" in rest else len(rest)
                return [word, *rest[:end], *args[:at], *rest[end:]]
        option = args[0].partition("=")[0]
        named = next((word for word in args if word in self.commands), None)
        if named is not None:
            raise InvalidInput(f"`{path} {named}` has no option {option}; `{path} {named} --help` lists its options.")
        if option in _OF_MOST_COMMANDS:
            raise InvalidInput(f"{option} is an option of commands: name one, as in `{path} COMMAND {option} ...`.")
        return args


# Options that users set for all commands, and so before the command.
_OF_MOST_COMMANDS = ("--db", "--project", "--json", "--log-level", "--log-format")


def _are_options(words: Sequence[str], command: Any) -> bool:
    """Return whether the words are options of the command, or of one in the group, with their values."""
    takes_value = {
        name: not parameter.is_flag
        for part in (command, *getattr(command, "commands", {}).values())
        for parameter in part.params
        if hasattr(parameter, "is_flag")
        for name in (*parameter.opts, *parameter.secondary_opts)
    }
    waiting = list(words)
    while waiting:
        name, sign, _ = waiting.pop(0).partition("=")
        if name not in takes_value:
            return False
        if takes_value[name] and not sign:
            if not waiting:
                return False
            waiting.pop(0)
    return True


def group_of(late: Mapping[str, LateCommand]) -> type[TyperGroup]:
    """Return the class of a group with these commands, for `typer.Typer(cls=...)`."""

    class LateGroup(_Group):
        def __init__(self, **options: Any) -> None:
            super().__init__(**options)
            self.commands: Any = _Commands(late)

        def summaries(self) -> list[tuple[str, str]]:
            return [(name, command.summary) for name, command in late.items()]

    return LateGroup


def with_project(command: Any) -> Any:
    """Give a command, or those of a group, the option; return it."""
    for part in getattr(command, "commands", {}).values():
        with_project(part)
    names = {parameter.name for parameter in command.params}
    if "db" in names and _NAME not in names:
        at = next(index for index, parameter in enumerate(command.params) if parameter.name == "db")
        command.params.insert(at + 1, _option())
        command.callback = _resolving(command.callback)
    return command


def store_url(db: str | None, project: str | None) -> str | None:
    """Return the URL of the chosen store, None for the default; raises what `settings_of` raises."""
    if project is None and (db is not None or PROJECT_VARIABLE not in os.environ):
        return db
    from faithview.services.projects import settings_of  # most commands are called without a project

    return settings_of(db, project).database_url


def _option() -> Any:
    """Return the option as Typer makes it for a command that has it and nothing else."""

    def alone(project: ProjectOption = None) -> None:
        """Take a project."""

    app = typer.Typer(add_completion=False)
    app.command()(alone)
    return next(parameter for parameter in typer.main.get_command(app).params if parameter.name == _NAME)


def _resolving(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(**values: Any) -> Any:
        values["db"] = store_url(values["db"], values.pop(_NAME))
        return function(**values)

    return call
